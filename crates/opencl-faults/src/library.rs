//! The functions behind the table of forwarders: this crate's own, and the real ones.

use crate::opened::{lookup, open};
use crate::types::Function;
use crate::{facts, hooks};

/// The function that a forwarder calls: this crate's own, or the real one; `None` where the library lacks it.
pub(crate) fn function(name: &str, is_forwarder: fn(Function) -> bool) -> Result<Option<Function>, &'static str> {
    let opened = open(is_forwarder)?;
    Ok(hooks::find(name).or_else(|| facts::find(name)).or_else(|| lookup(&opened.library, name).ok()))
}
