//! The split of a command's work into shards, and the shard of the command line.

use std::ffi::OsString;
use std::sync::OnceLock;

use manycore::files::{Format, shown_path};

use super::error::ShardError;
use super::head::{Head, Sharding};
use super::number::Deal;
use super::set::Shards;
use super::words;
use crate::destination;
use crate::error::Error;
use crate::global::Global;

/// A command whose work splits: it asks [`range`](super::range) for its items, or [`turn`](super::turn), and gives its part to
/// [`write()`](super::write()).
pub(crate) trait Split {
    /// How its items are dealt.
    fn deal(&self) -> Deal {
        Deal::Runs
    }

    /// Why the work does not split with the options that were given.
    fn refusal(&self) -> Option<&'static str> {
        None
    }

    /// The seed that the result depends on, where it depends on one.
    fn seed(&self, _: &Global) -> Option<u64> {
        None
    }

    /// Why `--verify` checks nothing of a part, where the whole alone is checked.
    fn not_checked(&self) -> Option<&'static str> {
        None
    }

    /// Puts the parts together, and writes the result as the command does.
    ///
    /// # Errors
    /// [`Error::Shard`] for parts that are none of the command's; [`Error::Output`].
    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error>;
}

/// The shard that the command line asks for, of the command of this definition, whose work splits so where it does.
///
/// # Errors
/// [`ShardError::NotSplit`] for a command whose work does not split; [`Error::Usage`] for options that ask for another form than that of
/// shards; [`Error::Input`] for files that cannot be read.
pub(crate) fn begin(
    global: &Global,
    split: Option<&dyn Split>,
    definition: fn() -> clap::Command,
    arguments: &[OsString],
) -> Result<Option<Sharding>, Error> {
    let Some(shard) = global.shard else { return Ok(None) };
    let line = words::of(definition(), arguments)?;
    let not_split = |reason| ShardError::NotSplit { command: line.command.clone(), reason };
    let Some(split) = split else { return Err(not_split(None).into()) };
    if let Some(reason) = split.refusal() {
        return Err(not_split(Some(reason)).into());
    }
    if global.json {
        let what = "--shard writes JSON lines, which `manycore merge --json` makes one object of: give --json to it";
        return Err(Error::Usage(what.to_owned()));
    }
    if let Some(path) = destination::file(global).filter(|path| Format::of(path) == Format::Npy) {
        let file = shown_path(path);
        return Err(Error::Usage(format!("{file}: a shard is JSON lines, which `manycore merge` makes arrays of")));
    }
    let seed = split.seed(global);
    let head = Head::new(line, seed, shard)?;
    Ok(Some(Sharding { head, deal: split.deal(), items: OnceLock::new() }))
}
