//! Class refinement on an OpenCL device, of sparse words and byte strings (paper 002, section 5.1): the members of all classes that can
//! be split are sorted by class and key in one radix sort; prefix sums number the new classes, and put together the
//! members of those that can be split again.

use manycore_device::{Buffer, Defines, Device, KernelSpec, OpenCl};
use manycore_expressions::{Buffers, Memory};

use super::SparseSorter;
use crate::error::SortError;
use crate::strings::BYTES as BYTES_OF_KEY;
use crate::{Lists, Scan, SortOrder, Sorted};

// SAFETY: `rounds` alone launches them, with as many words, ones and members as their arguments say.
manycore_device::kernel! {
    /// Classes and positions.
    unsafe KEYS in manycore_kernels::sort::REFINE: refine_keys
}
// SAFETY: as above.
manycore_device::kernel! {
    /// Classes and bytes.
    unsafe BYTES in manycore_kernels::sort::REFINE: refine_bytes
}
// SAFETY: as above.
manycore_device::kernel! {
    /// The order, and classes with ones left.
    unsafe MARK in manycore_kernels::sort::REFINE: refine_mark
}
// SAFETY: as above.
manycore_device::kernel! {
    /// Members of classes that can be split.
    unsafe KEEP in manycore_kernels::sort::REFINE: refine_keep
}
// SAFETY: as above.
manycore_device::kernel! {
    /// Those members alone.
    unsafe COMPACT in manycore_kernels::sort::REFINE: refine_compact
}

/// Items of a group, at most.
const GROUP: usize = 256;

type Kernel = std::sync::Arc<manycore_device::Kernel>;

/// Members of classes that can be split, class after class.
pub(super) struct Members {
    pub(super) items: Buffer<u32>,
    /// Their places in the order.
    pub(super) slots: Buffer<u32>,
    pub(super) classes: Buffer<u32>,
    pub(super) class_count: usize,
}

/// Words or strings on a device.
pub(super) struct Words {
    /// Where each begins, and where the last ends.
    offsets: Buffer<u64>,
    content: Content,
    count: usize,
    /// Ones or bytes of all.
    ones: u64,
}

/// What keys are made of.
enum Content {
    Positions { positions: Buffer<u32>, width: u32 },
    Bytes(Buffer<u8>),
}

/// What rounds made.
pub(super) struct Refined {
    pub(super) order: Buffer<u32>,
    pub(super) classes: usize,
    pub(super) rounds: usize,
    /// Those of classes that can still be split.
    pub(super) members: Members,
}

impl Words {
    fn of_lists(device: &Device, lists: &Lists<'_>) -> Result<Self, SortError> {
        let offsets: Vec<u64> = lists.offsets().iter().map(|&offset| offset as u64).collect();
        // A buffer has a word.
        let positions = device.upload(if lists.positions().is_empty() { &[0] } else { lists.positions() })?;
        Ok(Self {
            offsets: device.upload(&offsets)?,
            content: Content::Positions { positions, width: lists.width() },
            count: lists.len(),
            ones: lists.positions().len() as u64,
        })
    }

    /// Strings one behind the other.
    pub(super) fn of_strings<S: AsRef<[u8]>>(device: &Device, strings: &[S]) -> Result<Self, SortError> {
        let (mut bytes, mut offsets) = (Vec::new(), vec![0]);
        for string in strings {
            bytes.extend_from_slice(string.as_ref());
            offsets.push(bytes.len() as u64);
        }
        let ones = bytes.len() as u64;
        bytes.resize(bytes.len().max(1), 0);
        Ok(Self {
            offsets: device.upload(&offsets)?,
            content: Content::Bytes(device.upload(&bytes)?),
            count: strings.len(),
            ones,
        })
    }
}

impl SparseSorter {
    fn kernel(&self, cl: &OpenCl, spec: &'static KernelSpec) -> Result<(Kernel, usize), SortError> {
        let group = GROUP.min(cl.info().group_limit).max(1);
        Ok((self.planner.kernel(cl, spec, Defines::new().set("GROUP", group))?, group))
    }

    pub(super) fn refined(
        &self,
        cl: &OpenCl,
        lists: &Lists<'_>,
        direction: impl Fn(usize) -> SortOrder,
    ) -> Result<Sorted, SortError> {
        let len = lists.len();
        if len <= 1 {
            return Ok(Sorted { order: (0..len as u32).collect(), classes: len, rounds: 0 });
        }
        let words = Words::of_lists(self.device(), lists)?;
        // Past the longest list no class has a one left, whatever the device returns.
        let most = lists.offsets().windows(2).map(|ends| ends[1] - ends[0]).max().unwrap_or(0) + 1;
        let Refined { order, classes, rounds, .. } = self.rounds(cl, &words, most, direction)?;
        Ok(Sorted { order: order.download()?, classes, rounds })
    }

    /// Rounds until no class can be split, `most` at most.
    pub(super) fn rounds(
        &self,
        cl: &OpenCl,
        words: &Words,
        most: usize,
        direction: impl Fn(usize) -> SortOrder,
    ) -> Result<Refined, SortError> {
        let device = self.device();
        let all: Vec<u32> = (0..words.count as u32).collect();
        let mut order = device.upload(&all)?;
        let mut members = Members {
            items: device.upload(&all)?,
            slots: device.upload(&all)?,
            classes: device.zeros(words.count)?,
            class_count: 1,
        };
        let (mut classes, mut rounds) = (1, 0);
        while members.class_count > 0 && rounds < most {
            let before = members.class_count;
            let (found, kept) = self.round(cl, words, members, (rounds, direction(rounds)), &mut order)?;
            classes += found - before;
            members = kept;
            rounds += 1;
        }
        Ok(Refined { order, classes, rounds, members })
    }

    /// Splits the members' classes by one k of their words, or bytes of their strings: how many classes they are now, and the members
    /// of those that can be split.
    fn round(
        &self,
        cl: &OpenCl,
        words: &Words,
        members: Members,
        (round, direction): (usize, SortOrder),
        order: &mut Buffer<u32>,
    ) -> Result<(usize, Members), SortError> {
        let (device, len) = (self.device(), members.items.len());
        let Members { mut items, slots, classes, class_count } = members;
        let flip = match direction {
            SortOrder::Ascending => 0,
            SortOrder::Descending => u32::MAX,
        };
        let mut keys = device.scratch::<u64>(len)?;
        let (kernel, group) = self.kernel(
            cl,
            match words.content {
                Content::Positions { .. } => &KEYS,
                Content::Bytes(_) => &BYTES,
            },
        )?;
        let launch = cl.launch(&kernel).input(&items).input(&classes).value(len as u64);
        let launch = launch.input(&words.offsets).value(words.count as u64);
        // The last one of a word, from 0, that this round looks at.
        let (launch, last_one) = match &words.content {
            Content::Positions { positions, width } => {
                let k = round as u64;
                (launch.input(positions).value(words.ones).value(k).value(*width), k)
            }
            Content::Bytes(bytes) => {
                let begin = (round * BYTES_OF_KEY) as u64;
                (launch.input(bytes).value(words.ones).value(begin), begin + (BYTES_OF_KEY - 1) as u64)
            }
        };
        launch.value(flip).buffer(&mut keys).items(len, group).bytes(36 * len as u64).operations(len as u64).run()?;
        drop(classes);
        self.sorter.sort_pairs(&mut keys, &mut items, SortOrder::Ascending)?;

        let heads = self.primitives.heads_on(cl, (&keys).into())?;
        drop(keys);
        let (heads, before, found) = self.primitives.counted(heads)?;
        let found = found.clamp(class_count.min(len), len);
        let (heads, before) = (crate::primitives::words(&heads)?, crate::primitives::words(&before)?);
        // A word for each possible class, whatever number the device returns: kernels bound classes by the members.
        let mut alive = device.zeros::<u32>(len)?;
        cl.launch(&self.kernel(cl, &MARK)?.0)
            .input(&items)
            .input(&slots)
            .input(heads)
            .input(before)
            .value(len as u64)
            .input(&words.offsets)
            .value(words.count as u64)
            .value(words.ones)
            .value(last_one)
            .buffer(order)
            .buffer(&mut alive)
            .items(len, group)
            .bytes(40 * len as u64)
            .operations(len as u64)
            .run()?;
        let mut marks = device.scratch::<u64>(len)?;
        cl.launch(&self.kernel(cl, &KEEP)?.0)
            .input(heads)
            .input(before)
            .value(len as u64)
            .input(&alive)
            .buffer(&mut marks)
            .items(len, group)
            .bytes(20 * len as u64)
            .operations(len as u64)
            .run()?;

        let last = |buffer: &Buffer<u64>| -> Result<u64, SortError> {
            Ok(buffer.view(len - 1..)?.download()?.first().copied().unwrap_or_default())
        };
        let marks = Buffers::of(vec![Memory::U64(marks)], len).ok_or_else(manycore_device::DeviceError::elsewhere)?;
        let sums = self.marks.scan_on(&marks, Scan::Exclusive)?;
        let (marks, sums) = (longs(&marks)?, longs(&sums)?);
        // A device's counts of members are at most as many as there were.
        let total = last(sums)?.wrapping_add(last(marks)?);
        let (kept, kept_classes) = (((total & 0xffff_ffff) as usize).min(len), ((total >> 32) as usize).min(len));
        let mut made = Members {
            items: device.scratch(kept)?,
            slots: device.scratch(kept)?,
            classes: device.scratch(kept)?,
            class_count: kept_classes,
        };
        if kept == 0 {
            made.class_count = 0;
            return Ok((found, made));
        }
        cl.launch(&self.kernel(cl, &COMPACT)?.0)
            .input(&items)
            .input(&slots)
            .input(marks)
            .input(sums)
            .value(len as u64)
            .value(kept as u64)
            .buffer(&mut made.items)
            .buffer(&mut made.slots)
            .buffer(&mut made.classes)
            .items(len, group)
            .bytes((24 * len + 12 * kept) as u64)
            .operations(len as u64)
            .run()?;
        Ok((found, made))
    }
}

/// The words of marks on a device.
fn longs(buffers: &Buffers<u64>) -> Result<&Buffer<u64>, SortError> {
    match buffers.memory() {
        [Memory::U64(words)] => Ok(words),
        _ => Err(manycore_device::DeviceError::elsewhere().into()),
    }
}
