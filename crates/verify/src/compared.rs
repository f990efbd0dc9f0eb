//! Facts beside those of a second computation.

use std::fmt::Debug;

use crate::CheckError;

/// Compares fields of two structures in order and returns the first that differs as a [`CheckError::Relation`].
macro_rules! compare {
    ($found:expr, $right:expr, $($field:ident),* $(,)?) => {
        $(
            if $found.$field != $right.$field {
                return Err($crate::compared::differs(stringify!($field), &$found.$field, &$right.$field));
            }
        )*
    };
}
pub(crate) use compare;

/// The error of a fact.
pub(crate) fn differs(name: &str, found: &impl Debug, right: &impl Debug) -> CheckError {
    /// Characters of a fact that a message has.
    const MOST: usize = 60;
    let text = |fact: &dyn Debug| {
        let text = format!("{fact:?}");
        if text.chars().count() > MOST { text.chars().take(MOST).chain("...".chars()).collect() } else { text }
    };
    let name = name.replace('_', " ");
    CheckError::Relation { relation: format!("{name} = {} ({} by a second computation)", text(found), text(right)) }
}
