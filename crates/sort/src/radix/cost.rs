//! What sorts by radix count, and the plans: words moved in each launch, operations and local memory of an item.

use manycore_device::{Device, Executor};
use manycore_model::{Blocks, DoesNotFit, Kernel, Machine, Program};
use manycore_tuning::Costed;

use super::device::{passes_fit, passes_tile, sweeps_fit};
use super::plan::{DIGITS, SortPlan, SortTile};

/// Operations of a key that is ranked: its digit, eight votes with what is made of them, its rank, and its place.
const RANK: u64 = 2 + 8 * 4 + 6 + 10;
/// Words of local memory of such a key: the count of its digit twice, the place, and its way to it.
const RANK_WORDS: u64 = 6;
/// Operations of a key in two rounds of four bits: its half digit, its rank and its place in each.
const ROUNDS: u64 = 2 * 16;
/// Words of local memory of such a key.
const ROUNDS_WORDS: u64 = 2 * 5;
/// Operations of a digit of a key that is counted, beside one word of local memory.
const COUNT: u64 = 3;

/// Sorts on a device.
#[derive(Debug)]
pub(super) struct SortCosts<'a> {
    pub(super) device: &'a Device,
    /// The plan that was asked for.
    pub(super) asked: Option<SortPlan>,
    /// Bytes of a key and of what goes with it.
    pub(super) bytes: (usize, usize),
}

impl SortCosts<'_> {
    fn digits(&self) -> u64 {
        self.bytes.0 as u64
    }

    /// A launch over all keys by groups of `group` items of `per` keys, which moves `bytes` in all.
    fn kernel(&self, name: &str, len: usize, (group, per): (u32, u32), each: (u64, u64), bytes: u64) -> Kernel {
        let groups = len.div_ceil(group as usize * per as usize).max(1) as u64;
        let (operations, local) = (each.0 * u64::from(per), each.1 * u64::from(per));
        let both = (self.bytes.0 + self.bytes.1) as u64 * len as u64;
        Kernel::new(name, group)
            .blocks(Blocks::even(groups, group, operations.max(1), u64::from(per), u64::from(per)))
            .word_bytes(4)
            .local_accesses(local)
            .traffic_words(bytes.div_ceil(4))
            .footprint_bytes(2 * both)
    }

    /// The host, and each digit by a reading and a writing of all.
    fn host(&self, len: usize) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let both = (self.bytes.0 + self.bytes.1) as u64;
        let words = 2 * self.digits() * both.div_ceil(4);
        let kernel = Kernel::new("radix_sort", 1)
            .blocks(Blocks::even(
                len.div_ceil(1 << 14).max(1) as u64,
                1,
                (10 * self.digits()) << 14,
                words << 13,
                words << 13,
            ))
            .word_bytes(4)
            .footprint_bytes(2 * both * len as u64);
        program.queue(kernel)?;
        Ok(program)
    }

    fn passes(&self, len: usize, group: u32, per: u32) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let (key, both) = (self.bytes.0 as u64, (self.bytes.0 + self.bytes.1) as u64);
        let (n, tiles) = (len as u64, len.div_ceil(group as usize * per as usize) as u64);
        let counts = tiles * 4 * DIGITS as u64;
        let tile = (group, per);
        program.queue(self.kernel("radix_survey", len, tile, (COUNT, 0), n * key))?;
        for _ in 0..self.digits() {
            program.queue(self.kernel("radix_counts", len, tile, (COUNT, 1), n * key + counts))?;
            let sums = Kernel::new("radix_sums", group)
                .blocks(Blocks::even(DIGITS as u64, group, 2 * tiles.div_ceil(u64::from(group)).max(1) * 8, 1, 1))
                .word_bytes(4)
                .traffic_words(counts / 2)
                .footprint_bytes(counts);
            program.queue(sums)?;
            let place = self.kernel("radix_place", len, tile, (ROUNDS, ROUNDS_WORDS), 2 * n * both + counts);
            program.queue(place.write_segment_bytes(both * u64::from(group * per).div_ceil(DIGITS as u64)))?;
        }
        // Keys that came back already are not moved again.
        program.queue(self.kernel("radix_return", len, tile, (1, 0), 0))?;
        Ok(program)
    }

    fn sweeps(&self, len: usize, tile: SortTile) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let (key, both) = (self.bytes.0 as u64, (self.bytes.0 + self.bytes.1) as u64);
        let (n, group, per) = (len as u64, tile.group, tile.per);
        let states = (len.div_ceil(tile.keys()) * 4 * DIGITS) as u64;
        let control = self.kernel("fill", DIGITS, (1, 1), (1, 0), 4 * self.digits() * DIGITS as u64);
        program.queue(control)?;
        let each = (COUNT * self.digits(), self.digits());
        program.queue(self.kernel("sweep_survey", len, (group, per), each, n * key + states))?;
        // Of each digit of a tile its counts in all parts twice, its sums, and four tiles before.
        let parts = u64::from(group / 32);
        let items = u64::from(group.min(DIGITS as u32));
        let of_tile = DIGITS as u64 / items * (4 * parts + 40) / u64::from(per);
        let written = both * (tile.keys() as u64).div_ceil(DIGITS as u64);
        for _ in 0..self.digits() {
            let each = (RANK + of_tile, RANK_WORDS + 3 * parts / u64::from(per));
            let moved = 2 * n * both + 3 * states;
            let sweep = self.kernel("sweep_place", len, (group, per), each, moved).write_segment_bytes(written);
            program.queue(sweep.local_words(tile.local_bytes(self.bytes).div_ceil(4) as u64))?;
        }
        if self.digits() == 1 {
            program.queue(self.kernel("radix_return", len, (group, 1), (1, 0), 2 * n * both))?;
        }
        Ok(program)
    }

    fn tile(&self, len: usize, tile: SortTile) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let both = (self.bytes.0 + self.bytes.1) as u64;
        let (group, per) = (tile.group, tile.per);
        let each = (self.digits() * (RANK + 40), self.digits() * (RANK_WORDS + 3));
        let moved = 2 * len as u64 * both;
        program.queue(
            self.kernel("sweep_tile", len, (group, per), each, moved)
                .local_words(tile.local_bytes(self.bytes).div_ceil(4) as u64),
        )?;
        Ok(program)
    }
}

impl Costed for SortCosts<'_> {
    type Size = usize;
    type Parameters = SortPlan;

    fn name(&self) -> &'static str {
        "sort"
    }

    fn candidates(&self, &len: &usize, _: &Machine) -> Vec<SortPlan> {
        let Executor::OpenCl(cl) = self.device.executor() else { return vec![SortPlan::Host] };
        let (info, local) = (cl.info(), cl.local_limit_bytes().unwrap_or_default());
        let fits = |plan: &SortPlan| match plan {
            SortPlan::Host => false,
            SortPlan::Passes { group, per } => passes_fit(info, (*group, *per), self.bytes.0 + self.bytes.1),
            SortPlan::Sweeps(tile) => sweeps_fit(info, local, *tile, self.bytes),
            SortPlan::Tile(tile) => len <= tile.keys() && sweeps_fit(info, local, *tile, self.bytes),
        };
        if let Some(asked) = self.asked {
            return Some(asked).filter(fits).into_iter().collect();
        }
        let mut plans = Vec::new();
        // Groups that wait for others are known to get on with them; elsewhere waits end in counting.
        if info.groups_at_once() > 1 {
            let tiles = SortTile::candidates();
            let tile_plans =
                tiles.iter().filter(|tile| tile.keys() < 2 * len.max(1 << 11)).map(|&tile| SortPlan::Tile(tile));
            plans.extend(tile_plans);
            plans.extend(tiles.iter().map(|&tile| SortPlan::Sweeps(tile)));
        }
        if let Ok((group, per)) = passes_tile(info, self.bytes.0 + self.bytes.1) {
            plans.push(SortPlan::Passes { group: group as u32, per: per as u32 });
        }
        plans.retain(fits);
        plans
    }

    fn program(&self, &len: &usize, plan: &SortPlan, _: &Machine) -> Result<Program, DoesNotFit> {
        match *plan {
            SortPlan::Host => self.host(len),
            SortPlan::Passes { group, per } => self.passes(len, group, per),
            SortPlan::Sweeps(tile) => self.sweeps(len, tile),
            SortPlan::Tile(tile) => self.tile(len, tile),
        }
    }
}
