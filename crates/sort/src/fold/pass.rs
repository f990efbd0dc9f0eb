//! Prefix sums in one pass on an OpenCL device: the shape of tiles, and the launch.

use manycore_device::{Defines, DeviceError, OpenCl, WordType};
use manycore_expressions::{Buffers, Elements, ScalarType, generated};

use super::device::bytes;
use super::pass_text::{Pass, state_words};
use super::{Fold, Scan, ScanPlan};
use crate::error::SortError;

/// Words of 32 bits of an element, at most.
const WORDS: usize = 4;
/// Turns of a wait for a tile, each of which reads a window of states.
const TURNS: u32 = 1 << 12;
/// Items of a group, and bytes of an item's elements: the best of ten shapes at 2^28 elements of an H200, within 3 %.
const GROUP: usize = 256;
const ITEM_BYTES: usize = 128;

impl<T: Elements> Fold<T> {
    /// The shape of the one pass; `None` where sums of tiles come first.
    pub(super) fn pass(&self, cl: &OpenCl) -> Result<Option<Pass>, SortError> {
        let info = cl.info();
        let kinds = self.kinds_on(cl)?;
        let fits = |pass: &Pass| {
            info.int64_atomics
                && state_words(&words(&kinds)) <= WORDS
                && pass.group.is_power_of_two()
                && (2..=info.group_limit).contains(&pass.group)
                && (1..1 << 10).contains(&pass.per)
                && pass.local_bytes(bytes(&kinds)) as u64 <= info.local_memory_bytes
        };
        match self.asked {
            Some(ScanPlan::LookBack { group, per }) => {
                let pass = Pass { group: group as usize, per: per as usize, turns: TURNS };
                if fits(&pass) {
                    return Ok(Some(pass));
                }
                let feature = format!("prefix sums of {} bytes by {group} items of {per} elements", bytes(&kinds));
                Err(DeviceError::Unsupported { device: info.label(), feature }.into())
            }
            // Groups that wait for others are known to get on with them; elsewhere waits end in sums of tiles.
            None => {
                let per = (ITEM_BYTES / bytes(&kinds).max(1)).clamp(1, 32);
                let pass = Pass { group: GROUP, per, turns: TURNS };
                Ok(Some(pass).filter(|pass| info.groups_at_once() > 1 && fits(pass)))
            }
            Some(ScanPlan::Tiles) => Ok(None),
        }
    }

    pub(super) fn scan_in_one_pass(
        &self,
        cl: &OpenCl,
        elements: &Buffers<T>,
        scan: Scan,
        pass: Pass,
    ) -> Result<Buffers<T>, SortError> {
        let kinds = self.kinds_on(cl)?;
        let kernel = self.passes.get(pass, |pass| {
            let (text, params) = pass.text(self.sum.program(), &kinds);
            // SAFETY: it is launched below with as many elements and results as its arguments say, one group and one state for each tile.
            cl.kernel(unsafe { generated::spec(Pass::ENTRY, text, params) }, &Defines::new())
        })?;
        let (len, tiles) = (elements.len(), tiles(elements.len(), pass.tile()));
        let tiles = tiles.ok_or_else(|| DeviceError::TooLarge {
            what: "elements of prefix sums".to_owned(),
            size: len as u64,
            limit: u64::from(u32::MAX).saturating_mul(pass.tile() as u64),
            device: cl.info().label(),
        })?;
        let mut states = self.device.zeros::<u64>(1 + tiles as usize * state_words(&words(&kinds)))?;
        let mut made = Buffers::scratch(&self.device, len)?;
        let launch = self.begin(cl, &kernel, elements).value(u32::from(scan == Scan::Exclusive)).buffer(&mut states);
        let launch = made.memory_mut().iter_mut().fold(launch, |launch, memory| memory.words_mut().pass(launch));
        launch
            .groups(tiles as usize, pass.group)
            .bytes(2 * (len * bytes(&kinds)) as u64)
            .operations((2 * len * self.sum.program().operations()) as u64)
            .run()?;
        Ok(made)
    }
}

/// The number of tiles of `len` elements; `None` past 32 bits.
fn tiles(len: usize, tile: usize) -> Option<u32> {
    u32::try_from(len.div_ceil(tile)).ok()
}

fn words(kinds: &[ScalarType]) -> Vec<WordType> {
    kinds.iter().map(|kind| kind.memory()).collect()
}

#[cfg(test)]
mod tests {
    use manycore_device::{Device, Executor};
    use manycore_expressions::{Columns, Function, Value};

    use super::*;

    #[test]
    fn tiles_have_numbers_of_32_bits() {
        let found = [0, 1, 4096, 4097, (1 << 31) + 1, 1 << 32, (1 << 32) + 1].map(|len| tiles(len, 4096).unwrap());
        assert_eq!(found, [0, 1, 1, 2, (1 << 19) + 1, 1 << 20, (1 << 20) + 1]);
        assert_eq!(tiles((1 << 44) - 4096, 4096), Some(u32::MAX));
        assert_eq!([tiles(1 << 44, 4096), tiles(usize::MAX, 4096)], [None, None]);
    }

    /// The first tiles seem to have begun, and publish nothing: later tiles sum them up.
    #[test]
    fn tiles_that_never_run_are_summed_by_those_behind() {
        type Line = (Value<u32>, Value<u32>);
        let then = Function::new(|((a, b), (c, d)): (Line, Line)| (a * c, b * c + d)).unwrap();
        for device in Device::opencl().unwrap_or_default() {
            let Executor::OpenCl(cl) = device.executor() else { continue };
            if !cl.info().int64_atomics {
                continue;
            }
            let fold = Fold::wrapping(&device, &then, (1u32, 0u32)).unwrap();
            let pass = Pass { group: 16, per: 3, turns: 1 };
            let (tile, skipped) = (pass.tile(), 2);
            let lines: Vec<(u32, u32)> = (0..6 * tile as u32 + 7).map(|i| (2 * i + 1, i)).collect();
            let elements = Buffers::upload(&device, &Columns::from_elements(&lines)).unwrap();
            let kinds = fold.kinds_on(cl).unwrap();
            let (text, params) = pass.text(fold.sum.program(), &kinds);
            // SAFETY: as of `scan_in_one_pass`.
            let spec = unsafe { generated::spec(Pass::ENTRY, text, params) };
            let kernel = cl.kernel(spec, &Defines::new()).unwrap();
            let mut states = vec![0u64; 1 + 7 * 2];
            states[0] = skipped as u64;
            let mut states = device.upload(&states).unwrap();
            let mut made = Buffers::<(u32, u32)>::upload(&device, &Columns::filled((0, 0), lines.len())).unwrap();
            let launch = fold.begin(cl, &kernel, &elements).value(0u32).buffer(&mut states);
            let launch = made.memory_mut().iter_mut().fold(launch, |launch, memory| memory.words_mut().pass(launch));
            launch.groups(7, pass.group).run().unwrap();
            let made = made.download().unwrap().elements();
            let host = Fold::wrapping(&Device::host(), &then, (1, 0)).unwrap().scan(&lines, Scan::Inclusive).unwrap();
            let (none, all) = made.split_at(skipped * tile);
            assert!(none.iter().all(|line| *line == (0, 0)), "{device:?}");
            assert!(all == &host[skipped * tile..], "{device:?}");
        }
    }
}
