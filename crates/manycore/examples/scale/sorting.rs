//! Sorts of numbers, alone and with values: of what a device holds, and in a quarter of the memory that it would take.

use manycore::device::Control;
use manycore::sort::{SortOrder, Sorter};
use manycore::verify::SplitMix;

use crate::measure::{Bench, Bytes, Fallible};

/// The traffic of `len` keys of `each` bytes, values included: twice to a device and back, and once to another host.
fn slabs(each: u64, len: u64) -> Bytes {
    Bytes { bus: 4 * each * len, exchange: Some(("slabs", each * len)) }
}

pub(crate) fn rows(bench: &Bench) -> Fallible<()> {
    let len = 1usize << bench.log_size;
    let mut random = SplitMix::new(7);
    let keys: Vec<u32> = (0..len).map(|_| random.next_word() as u32).collect();
    // Keys and as much again; each crosses the bus twice each way.
    let quarter = 2 * len as u64;
    let within = |limit: Option<u64>| limit.map_or_else(Control::new, |bytes| Control::new().with_limit_bytes(bytes));
    for (name, limit) in [("", None), (" in a quarter of its memory", Some(quarter))] {
        let row = format!("sort of 2^{} u32{name}", bench.log_size);
        bench.row(
            &row,
            slabs(4, len as u64),
            || keys.clone(),
            |set, mut keys| {
                within(limit).run(|| Sorter::over(set)?.sort(&mut keys, SortOrder::Ascending))?;
                Ok(keys)
            },
        )?;
        let row = format!("sort of 2^{} u32 with u32{name}", bench.log_size);
        let pairs = || (keys.clone(), (0..len as u32).collect::<Vec<u32>>());
        bench.row(&row, slabs(8, len as u64), pairs, |set, (mut keys, mut values)| {
            let limit = limit.map(|bytes| 2 * bytes);
            within(limit).run(|| Sorter::over(set)?.sort_pairs(&mut keys, &mut values, SortOrder::Ascending))?;
            Ok((keys, values))
        })?;
    }
    Ok(())
}
