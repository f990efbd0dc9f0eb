//! Shards of a command, for many machines: `--shard i/n` computes part i of n alone, and `manycore merge` puts the parts together.
//!
//! The work of a command that splits is a list of items that do not depend on each other: S-boxes, vectors, rows, primes, variants.
//! Shard i gets a run of the list, or every n-th item, writes one line of JSON, and no shard needs to know of another.
//!
//! | file | what |
//! |---|---|
//! | `mod` | which items a shard gets, and what a command does to split |
//! | `arguments` | the command line, as far as the result depends on it, and the files in it |
//! | `line` | the form of a shard: a line of JSON with a checksum |
//! | `set` | whether the shards at hand are all shards of one work |
//! | `run` | device, times and checks of a part, and of all |
//! | `array` | parts that are runs of values |
//! | `rows` | parts that are rows of a matrix |
//! | `error` | what is wrong with shards |

mod arguments;
pub(crate) mod array;
mod error;
mod line;
pub(crate) mod rows;
mod run;
mod set;

use std::ffi::OsString;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;
use std::sync::OnceLock;

use manycore::files::{Format, shown_path};
use serde::{Deserialize, Serialize};

use crate::arguments::{Cli, Global};
use crate::commands;
use crate::destination;
use crate::error::Error;
use crate::output::{self, Report};

pub use error::ShardError;
use line::Head;
use run::Run;
pub(crate) use set::{Set, Shards};

/// Reads what a line is of, by its fields behind the version of the program and without its checksum.
pub(crate) fn looked_at(fields: &str, place: &str) -> Result<(), Error> {
    Ok(line::looked_at(fields, place)?)
}

/// Which part of the work: part `index`, from 1, of `count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "[u64; 2]", into = "[u64; 2]")]
pub struct Shard {
    index: u64,
    count: u64,
}

impl TryFrom<[u64; 2]> for Shard {
    type Error = String;

    fn try_from([index, count]: [u64; 2]) -> Result<Self, String> {
        if (1..=count).contains(&index) {
            Ok(Self { index, count })
        } else {
            Err(format!("{index}/{count} is no shard: I/N has I from 1 to N, such as 2/16"))
        }
    }
}

impl From<Shard> for [u64; 2] {
    fn from(shard: Shard) -> Self {
        [shard.index, shard.count]
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let parts = text.split_once('/').filter(|(index, count)| digits(index) && digits(count));
        let numbers = parts.and_then(|(index, count)| Some([index.parse().ok()?, count.parse().ok()?]));
        numbers.map_or_else(|| Err("a shard is I/N with I from 1 to N, such as 2/16".to_owned()), Self::try_from)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// How items are dealt to shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deal {
    /// Runs of neighbours, as long as each other or one item longer, the longer ones first.
    Runs,
    /// Item k to shard k mod n + 1.
    Turns,
}

impl Deal {
    /// The items of a shard, each of which is `first`, or a multiple of `step` after it, and before `end`: `[first, end, step]`.
    fn range(self, Shard { index, count }: Shard, items: u64) -> [u64; 3] {
        let before = index - 1;
        match self {
            Self::Runs => {
                let (least, longer) = (items / count, items % count);
                let first = before * least + before.min(longer);
                [first, first + least + u64::from(before < longer), 1]
            }
            Self::Turns => [before.min(items), items, count],
        }
    }
}

/// A command whose work splits: it asks [`range`] for its items, or [`turn`], and gives its part to [`write()`].
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

/// The shard that a command computes.
#[derive(Debug, Clone)]
pub struct Sharding {
    head: Head,
    deal: Deal,
    items: OnceLock<u64>,
}

/// The shard that the command line asks for.
///
/// # Errors
/// [`ShardError::NotSplit`] for a command whose work does not split; [`Error::Usage`] for options that ask for another form than that of
/// shards; [`Error::Input`] for files that cannot be read.
pub(crate) fn begin(cli: &Cli, arguments: &[OsString]) -> Result<Option<Sharding>, Error> {
    let Some(shard) = cli.global.shard else { return Ok(None) };
    let line = arguments::of(arguments)?;
    let not_split = |reason| ShardError::NotSplit { command: line.command.clone(), reason };
    let Some(split) = commands::split(&cli.command) else { return Err(not_split(None).into()) };
    if let Some(reason) = split.refusal() {
        return Err(not_split(Some(reason)).into());
    }
    if cli.global.json {
        let what = "--shard writes JSON lines, which `manycore merge --json` makes one object of: give --json to it";
        return Err(Error::Usage(what.to_owned()));
    }
    if let Some(path) = destination::file(&cli.global).filter(|path| Format::of(path) == Format::Npy) {
        let file = shown_path(path);
        return Err(Error::Usage(format!("{file}: a shard is JSON lines, which `manycore merge` makes arrays of")));
    }
    let seed = split.seed(&cli.global);
    let head = Head::new(line, seed, shard)?;
    Ok(Some(Sharding { head, deal: split.deal(), items: OnceLock::new() }))
}

/// The part of `0..items` that is to be computed: all of it without `--shard`. `None` for a shard without items that is not the first
/// one, which then is [`write_empty`].
pub(crate) fn range(global: &Global, items: usize) -> Option<Range<usize>> {
    let Some(sharding) = &global.sharding else { return Some(0..items) };
    note(global, items);
    let [first, end, _] = sharding.deal.range(sharding.head.shard, items as u64);
    (first < end || sharding.head.shard.index == 1).then_some(first as usize..end as usize)
}

/// Which turn of how many is to be computed, from 0, where there are shards.
pub(crate) fn turn(global: &Global) -> Option<(usize, usize)> {
    let Shard { index, count } = global.sharding.as_ref()?.head.shard;
    let word = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    Some((word(index - 1), word(count)))
}

/// Notes the number of items of the whole work.
pub(crate) fn note(global: &Global, items: usize) {
    if let Some(sharding) = &global.sharding {
        let _ = sharding.items.set(items as u64);
    }
}

/// Whether a shard is computed.
pub(crate) fn is_on(global: &Global) -> bool {
    global.sharding.is_some()
}

/// Writes a part, made as the report tells, as a shard.
///
/// # Errors
/// [`Error::Output`] when it cannot be written.
pub(crate) fn write<R, P: Serialize>(global: &Global, report: &Report<R>, part: &P) -> Result<(), Error> {
    write_line(global, &Run::of(report), Some(part))
}

/// Writes a shard without items.
///
/// # Errors
/// [`Error::Output`] when it cannot be written.
pub(crate) fn write_empty(global: &Global) -> Result<(), Error> {
    write_line(global, &Run::default(), None::<&()>)
}

fn write_line<P: Serialize>(global: &Global, run: &Run, part: Option<&P>) -> Result<(), Error> {
    let Some(sharding) = &global.sharding else { return Ok(()) };
    let items = sharding.items.get().copied().unwrap_or(0);
    let range = sharding.deal.range(sharding.head.shard, items);
    let line = line::text(&sharding.head, items, range, run, part);
    output::write(global, |out| {
        out.write_all(line?.as_bytes())?;
        out.write_all(b"\n")
    })
}

/// The place of a line in messages.
fn place(path: &Path, line: usize) -> String {
    format!("{}:{line}", crate::input::name(path))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shards_are_two_numbers() {
        assert_eq!("2/16".parse(), Ok(Shard { index: 2, count: 16 }));
        assert_eq!("2/16".parse::<Shard>().unwrap().to_string(), "2/16");
        for wrong in ["", "2", "/", "0/2", "3/2", "1/0", "-1/2", "+1/2", "1/2/3", "1 /2", "1/18446744073709551616"] {
            assert!(
                wrong.parse::<Shard>().unwrap_err().contains("with I from 1 to N")
                    || wrong.parse::<Shard>().unwrap_err().contains("has I from 1 to N"),
                "{wrong}"
            );
        }
        let json = serde_json::to_string(&Shard { index: 2, count: 16 }).unwrap();
        assert_eq!(json, "[2,16]");
        assert!(serde_json::from_str::<Shard>("[0,1]").is_err());
    }

    proptest! {
        #[test]
        fn each_item_is_in_one_shard(items in 0u64..40, count in 1u64..50) {
            for deal in [Deal::Runs, Deal::Turns] {
                let mut met = Vec::new();
                for index in 1..=count {
                    let [first, end, step] = deal.range(Shard { index, count }, items);
                    prop_assert!(first <= end && end <= items && step > 0);
                    met.extend((first..end).step_by(step as usize));
                    prop_assert!(items < index || first < end, "the first shards have items");
                }
                if deal == Deal::Turns {
                    met.sort_unstable();
                }
                prop_assert_eq!(met, (0..items).collect::<Vec<_>>());
            }
        }
    }
}
