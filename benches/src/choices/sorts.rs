//! Sorts: passes by tiles or with look-back, of tiles of several sizes.

use anyhow::Result;
use manycore_sort::{SortOrder, SortPlan, Sorter};

use super::bench::Bench;
use crate::data;
use crate::lines::Line;
use crate::walsh::Profile;

pub(super) fn sweep(bench: &Bench<'_>, emit: &mut impl FnMut(Line)) -> Result<()> {
    let logs: &[u32] = match (bench.gpu(), bench.profile) {
        (true, Profile::Quick) => &[20],
        (true, _) => &[12, 16, 20, 24],
        // The host has one plan.
        (false, _) => &[10],
    };
    for &log in logs {
        let name = format!("choice/sort-numbers/u32/2^{log}");
        if !bench.wants(&name) {
            continue;
        }
        let len = 1_usize << log;
        let words: Vec<u32> = data::residues(len, 1 << 32, 1).into_iter().map(|word| word as u32).collect();
        let (unsorted, mut keys) = (bench.device.upload(&words)?, bench.device.zeros::<u32>(len)?);
        let choice = Sorter::new(bench.device).explain::<u32, u32>(len, false)?;
        let seconds = |plan: &SortPlan| {
            let sorter = Sorter::new(bench.device).by(*plan);
            bench.seconds(|| {
                keys.copy_from(&unsorted)?;
                Ok(sorter.sort(&mut keys, SortOrder::Ascending)?)
            })
        };
        bench.candidates("sort-numbers", name, &choice, seconds)?.into_iter().for_each(&mut *emit);
    }
    Ok(())
}
