//! The part that is computed: which items of the work, and how it is written.

use std::ops::Range;

use serde::Serialize;

use super::line;
use super::number::Shard;
use super::run::Run;
use crate::error::Error;
use crate::global::Global;
use crate::output::{self, Report};

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

/// Writes a part, with the run of the report, as a shard.
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
