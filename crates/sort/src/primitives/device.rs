//! Primitives on an OpenCL device: an item for each element.

use manycore_device::{Buffer, Defines, KernelSpec, OpenCl, View, Word};

use super::{Primitives, words};
use crate::error::SortError;

// SAFETY: the methods below alone launch them, with as many elements, places and results as their arguments say.
manycore_device::kernel! {
    /// Counts of keys.
    unsafe HISTOGRAM in manycore_kernels::sort::PRIMITIVES: primitive_histogram
}
// SAFETY: as above.
manycore_device::kernel! {
    /// Elements from places.
    unsafe GATHER in manycore_kernels::sort::PRIMITIVES: primitive_gather
}
// SAFETY: as above.
manycore_device::kernel! {
    /// Elements to places.
    unsafe SCATTER in manycore_kernels::sort::PRIMITIVES: primitive_scatter
}
// SAFETY: as above.
manycore_device::kernel! {
    /// Marks of elements that differ from the one before.
    unsafe HEADS in manycore_kernels::sort::PRIMITIVES: primitive_heads
}
// SAFETY: as above.
manycore_device::kernel! {
    /// Marks of flags.
    unsafe MARKS in manycore_kernels::sort::PRIMITIVES: primitive_marks
}
// SAFETY: as above.
manycore_device::kernel! {
    /// Marked elements.
    unsafe SELECT in manycore_kernels::sort::PRIMITIVES: primitive_select
}
// SAFETY: as above.
manycore_device::kernel! {
    /// Lengths between places.
    unsafe LENGTHS in manycore_kernels::sort::PRIMITIVES: primitive_lengths
}
// SAFETY: as above.
manycore_device::kernel! {
    /// Rows to columns.
    unsafe TRANSPOSE in manycore_kernels::sort::PRIMITIVES: primitive_transpose
}

/// Items of a group, at most.
const GROUP: usize = 256;
/// Rows and columns of a tile of a transposition.
const SIDE: usize = 16;
/// Items of a histogram for each compute unit, at most.
const COUNTING: usize = 2048;

type Kernel = std::sync::Arc<manycore_device::Kernel>;

impl Primitives {
    fn group(cl: &OpenCl) -> usize {
        let most = GROUP.min(cl.info().group_limit).max(SIDE);
        1 << most.ilog2()
    }

    fn kernel<T: Word>(&self, cl: &OpenCl, spec: &'static KernelSpec) -> Result<Kernel, SortError> {
        let defines = Defines::new().element(T::TYPE).set("GROUP", Self::group(cl));
        Ok(self.planner.kernel(cl, spec, defines)?)
    }

    /// Words that become the least index of what is wrong.
    fn unmarked(&self, count: usize) -> Result<Buffer<u32>, SortError> {
        Ok(self.device().upload(&vec![u32::MAX; count])?)
    }

    pub(super) fn histogram_on(
        &self,
        cl: &OpenCl,
        keys: View<'_, u32>,
        range: u32,
        counts: &mut Buffer<u32>,
    ) -> Result<Option<usize>, SortError> {
        if keys.is_empty() {
            return Ok(None);
        }
        let (len, group) = (keys.len(), Self::group(cl));
        let mut wrong = self.unmarked(1)?;
        let mut none = self.device().zeros::<u32>(1)?;
        let items = len.min(COUNTING * cl.info().compute_units.max(1) as usize);
        cl.launch(&*self.kernel::<u32>(cl, &HISTOGRAM)?)
            .input(keys)
            .value(len as u64)
            .value(range)
            .buffer(if counts.is_empty() { &mut none } else { counts })
            .buffer(&mut wrong)
            .groups(items.div_ceil(group), group)
            .bytes(4 * (len as u64 + u64::from(range)))
            .operations(len as u64)
            .run()?;
        first(&wrong, 0)
    }

    pub(super) fn gather_on<T: Word>(
        &self,
        cl: &OpenCl,
        from: View<'_, T>,
        places: View<'_, u32>,
        to: &mut Buffer<T>,
    ) -> Result<Option<usize>, SortError> {
        let len = places.len();
        if len == 0 || from.is_empty() {
            return Ok((len > 0).then_some(0));
        }
        let mut wrong = self.unmarked(1)?;
        cl.launch(&*self.kernel::<T>(cl, &GATHER)?)
            .input(from)
            .input(places)
            .value(len as u64)
            .value(from.len() as u64)
            .buffer(to)
            .buffer(&mut wrong)
            .items(len, Self::group(cl))
            .bytes((len * (4 + 2 * size_of::<T>())) as u64)
            .operations(len as u64)
            .run()?;
        first(&wrong, 0)
    }

    pub(super) fn scatter_on<T: Word>(
        &self,
        cl: &OpenCl,
        from: View<'_, T>,
        places: View<'_, u32>,
        to: &mut Buffer<T>,
    ) -> Result<(Option<usize>, Option<usize>), SortError> {
        let (len, limit) = (places.len(), to.len());
        if len == 0 || limit == 0 {
            return Ok(((len > 0).then_some(0), None));
        }
        let (mut wrong, mut met) = (self.unmarked(2)?, self.device().zeros::<u32>(limit)?);
        cl.launch(&*self.kernel::<T>(cl, &SCATTER)?)
            .input(from)
            .input(places)
            .value(len as u64)
            .value(limit as u64)
            .buffer(to)
            .buffer(&mut met)
            .buffer(&mut wrong)
            .items(len, Self::group(cl))
            .bytes((len * (8 + 2 * size_of::<T>())) as u64)
            .operations(len as u64)
            .run()?;
        Ok((first(&wrong, 0)?, first(&wrong, 1)?))
    }

    pub(super) fn marks_on(&self, cl: &OpenCl, flags: View<'_, u32>) -> Result<Buffer<u32>, SortError> {
        let len = flags.len();
        let mut marks = self.device().scratch(len)?;
        if len > 0 {
            cl.launch(&*self.kernel::<u32>(cl, &MARKS)?)
                .input(flags)
                .value(len as u64)
                .buffer(&mut marks)
                .items(len, Self::group(cl))
                .bytes(8 * len as u64)
                .operations(len as u64)
                .run()?;
        }
        Ok(marks)
    }

    pub(crate) fn heads_on<T: Word>(&self, cl: &OpenCl, from: View<'_, T>) -> Result<Buffer<u32>, SortError> {
        let len = from.len();
        let mut marks = self.device().scratch(len)?;
        if len > 0 {
            cl.launch(&*self.kernel::<T>(cl, &HEADS)?)
                .input(from)
                .value(len as u64)
                .buffer(&mut marks)
                .items(len, Self::group(cl))
                .bytes((len * (4 + size_of::<T>())) as u64)
                .operations(len as u64)
                .run()?;
        }
        Ok(marks)
    }

    /// Elements with a mark, and their places.
    pub(super) fn selected<T: Word>(
        &self,
        cl: &OpenCl,
        from: View<'_, T>,
        marks: Buffer<u32>,
    ) -> Result<(Buffer<T>, Buffer<u32>), SortError> {
        let len = from.len();
        if len == 0 {
            return Ok((self.device().scratch(0)?, self.device().scratch(0)?));
        }
        let (marks, before, total) = self.counted(marks)?;
        let (mut to, mut places) = (self.device().scratch(total)?, self.device().scratch(total)?);
        if total > 0 {
            cl.launch(&*self.kernel::<T>(cl, &SELECT)?)
                .input(from)
                .input(words(&marks)?)
                .input(words(&before)?)
                .value(len as u64)
                .value(total as u64)
                .buffer(&mut to)
                .buffer(&mut places)
                .items(len, Self::group(cl))
                .bytes((len * (8 + size_of::<T>()) + total * (4 + size_of::<T>())) as u64)
                .operations(len as u64)
                .run()?;
        }
        Ok((to, places))
    }

    pub(super) fn lengths_on(&self, cl: &OpenCl, places: &Buffer<u32>, len: usize) -> Result<Buffer<u32>, SortError> {
        let total = places.len();
        let mut lengths = self.device().scratch(total)?;
        if total > 0 {
            cl.launch(&*self.kernel::<u32>(cl, &LENGTHS)?)
                .input(places)
                .value(total as u64)
                .value(len as u64)
                .buffer(&mut lengths)
                .items(total, Self::group(cl))
                .bytes(8 * total as u64)
                .operations(total as u64)
                .run()?;
        }
        Ok(lengths)
    }

    pub(super) fn transpose_on<T: Word>(
        &self,
        cl: &OpenCl,
        from: View<'_, T>,
        [rows, columns]: [usize; 2],
        to: &mut Buffer<T>,
    ) -> Result<(), SortError> {
        if from.is_empty() {
            return Ok(());
        }
        cl.launch(&*self.kernel::<T>(cl, &TRANSPOSE)?)
            .input(from)
            .value(rows as u64)
            .value(columns as u64)
            .buffer(to)
            .groups(rows.div_ceil(SIDE) * columns.div_ceil(SIDE), Self::group(cl))
            .bytes((2 * from.len() * size_of::<T>()) as u64)
            .operations(from.len() as u64)
            .run()?;
        Ok(())
    }
}

/// The index in a word of the buffer of faults, if there is one.
fn first(wrong: &Buffer<u32>, at: usize) -> Result<Option<usize>, SortError> {
    let found = wrong.download()?;
    Ok(found.get(at).copied().filter(|&index| index != u32::MAX).map(|index| index as usize))
}
