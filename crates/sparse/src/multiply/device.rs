//! Products on OpenCL devices: blocks of rows in device memory, and the launches on them.

use std::ops::Range;

use bytemuck::cast_slice;
use manycore_device::{Buffer, Cache, Defines, Device, DeviceError, OpenCl, View, ViewMut, Word as _};
use manycore_tuning::Planner;

use super::algorithm::{MOST_LANES, ProductPlan};
use crate::ring::SparseRing;
use crate::rows::CompressedRows;

// SAFETY: only blocks of rows are multiplied: patterns are checked when they are made, so that columns and offsets lie
// within; `multiply_buffers` compares the lengths of both vectors with the matrix, and plans are the planner's.
manycore_device::kernel! {
    /// Products with a vector by rows, of numbers.
    unsafe ROWS in manycore_kernels::sparse::ROWS: sparse_multiply_rows
    /// Products with one vector, row by row, of residues.
    unsafe ROWS_RESIDUES in manycore_kernels::sparse::ROWS_RESIDUES: sparse_multiply_rows
    /// Products with a dense matrix, of numbers.
    unsafe DENSE in manycore_kernels::sparse::ROWS: sparse_multiply_dense
    /// Products with several vectors of residues.
    unsafe DENSE_RESIDUES in manycore_kernels::sparse::ROWS_RESIDUES: sparse_multiply_dense
    /// Products with a vector by merging, of numbers.
    unsafe MERGE in manycore_kernels::sparse::MERGE: sparse_multiply_merge
    /// Products by merging of residues.
    unsafe MERGE_RESIDUES in manycore_kernels::sparse::MERGE_RESIDUES: sparse_multiply_merge
    /// What merging leaves over between groups, of numbers.
    unsafe CARRIES in manycore_kernels::sparse::MERGE: sparse_merge_carries
    /// The carries of products by merging of residues.
    unsafe CARRIES_RESIDUES in manycore_kernels::sparse::MERGE_RESIDUES: sparse_merge_carries
}

/// Bytes of a row's offset and of a column index.
pub(super) const INDEX_BYTES: u64 = 4;

/// Rows of the matrix in device memory.
#[derive(Debug)]
pub(super) struct Block<W: manycore_device::Word> {
    rows: Range<usize>,
    non_zeros: u32,
    /// The matrix' last column, 0 where it has none: kernels read no entry of `x` beyond it.
    last_column: u32,
    offsets: Buffer<u32>,
    columns: Buffer<u32>,
    values: Buffer<W>,
    /// The partitions of merging, by the steps of a group: the row at which each group begins.
    starts: Cache<usize, Buffer<u32>>,
}

/// Bytes of device memory that rows take.
pub(super) fn bytes<R: SparseRing>(matrix: &CompressedRows<R::Value>, rows: &Range<usize>) -> u64 {
    let non_zeros = (matrix.pattern.offsets()[rows.end] - matrix.pattern.offsets()[rows.start]) as u64;
    // Starts of merging are one in a thousand of these.
    (rows.len() as u64 + 1 + non_zeros) * INDEX_BYTES + non_zeros * size_of::<R::Value>() as u64
}

/// Consecutive blocks of rows with at most `most_bytes` each and with non-zeros that 31 bits count, a row at least.
pub(super) fn blocks<R: SparseRing>(matrix: &CompressedRows<R::Value>, most_bytes: u64) -> Vec<Range<usize>> {
    let offsets = matrix.pattern.offsets();
    let mut blocks = Vec::new();
    let mut begin = 0;
    while begin < matrix.pattern.rows() {
        let fits = |end: usize| {
            bytes::<R>(matrix, &(begin..end)) <= most_bytes && i32::try_from(offsets[end] - offsets[begin]).is_ok()
        };
        // The last end that fits: bytes grow with it.
        let (mut low, mut high) = (begin + 1, matrix.pattern.rows());
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if fits(middle) { low = middle } else { high = middle - 1 }
        }
        blocks.push(begin..low);
        begin = low;
    }
    blocks
}

impl<W: manycore_device::Word> Block<W> {
    /// Copies rows to the device.
    pub(super) fn new<R: SparseRing<Word = W>>(
        device: &Device,
        matrix: &CompressedRows<R::Value>,
        rows: Range<usize>,
    ) -> Result<Self, DeviceError> {
        let all = &matrix.pattern.offsets()[rows.start..=rows.end];
        let (first, last) = (all[0], all[rows.len()]);
        // Items step past the last by as many as there are lanes.
        let limit = u32::MAX - MOST_LANES;
        let Some(non_zeros) = u32::try_from(last - first).ok().filter(|&count| count <= limit) else {
            let (size, limit) = ((last - first) as u64, u64::from(limit));
            let device = device.info().label();
            return Err(DeviceError::TooLarge { what: "non-zeros of a row".into(), size, limit, device });
        };
        let offsets: Vec<u32> = all.iter().map(|offset| (offset - first) as u32).collect();
        Ok(Self {
            rows,
            non_zeros,
            last_column: matrix.pattern.columns().saturating_sub(1) as u32,
            offsets: device.upload(&offsets)?,
            columns: device.upload(&matrix.pattern.indices()[first..last])?,
            values: device.upload(cast_slice(&matrix.values[first..last]))?,
            starts: Cache::default(),
        })
    }

    /// `Y = A X` for the rows of the block, rows of `width` values. `offsets` are those of the whole matrix.
    pub(super) fn multiply<R: SparseRing<Word = W>>(
        &self,
        (cl, planner): (&OpenCl, &Planner),
        ring: &R,
        offsets: &[usize],
        (x, y): (View<'_, W>, &mut ViewMut<'_, W>),
        width: usize,
        plan: ProductPlan,
    ) -> Result<(), DeviceError> {
        match plan {
            ProductPlan::Merge { items, group } => {
                self.by_merging((cl, planner), ring, offsets, (x, y), width, (items as usize, group as usize))
            }
            ProductPlan::Rows { lanes, group } => {
                self.by_rows((cl, planner), ring, (x, y), width, (lanes as usize, group as usize))
            }
            // Runs are the host's; a device takes a row for each item.
            ProductPlan::Runs { .. } => {
                let group = items_of_group(cl, COMBINED, size_of::<R::Value>());
                self.by_rows((cl, planner), ring, (x, y), width, (1, group))
            }
        }
    }

    fn by_merging<R: SparseRing<Word = W>>(
        &self,
        (cl, planner): (&OpenCl, &Planner),
        ring: &R,
        offsets: &[usize],
        (x, y): (View<'_, W>, &mut ViewMut<'_, W>),
        width: usize,
        (items, group): (usize, usize),
    ) -> Result<(), DeviceError> {
        let (p, reciprocal) = ring.constants();
        let (rows, first) = (self.rows.len() as u32, self.rows.start as u64);
        let starts = self.starts.get(items * group, |&tile| {
            let own = &offsets[self.rows.start..=self.rows.end];
            y.device().upload(&starts(own, tile))
        })?;
        let starts: &Buffer<u32> = &starts;
        let defines = defines(ring).set("GROUP", group).set("ITEMS", items);
        let spec = if ring.arithmetic().is_some() { &MERGE_RESIDUES } else { &MERGE };
        let kernel = planner.kernel(cl, spec, defines.clone())?;
        let groups = starts.len() - 1;
        let mut carries = y.device().scratch::<W>(groups * width * R::value_words())?;
        cl.launch(&kernel)
            .input(&self.offsets)
            .input(&self.columns)
            .input(&self.values)
            .input(x)
            .buffer(y.reborrow())
            .input(starts)
            .buffer(&mut carries)
            .value(rows)
            .value(self.non_zeros)
            .value(self.last_column)
            .value(width as u64)
            .value(first)
            .value(p)
            .value(reciprocal)
            .groups(groups * width, group)
            .bytes(self.bytes(width as u64))
            .operations(u64::from(self.non_zeros) * width as u64)
            .run()?;
        let spec = if ring.arithmetic().is_some() { &CARRIES_RESIDUES } else { &CARRIES };
        let kernel = planner.kernel(cl, spec, defines)?;
        cl.launch(&kernel)
            .input(starts)
            .input(&carries)
            .buffer(y.reborrow())
            .value(groups as u32)
            .value(rows)
            .value(width as u64)
            .value(first)
            .value(p)
            .value(reciprocal)
            .items(groups * width, group)
            .bytes((groups * (size_of::<u32>() + width * size_of::<R::Value>())) as u64)
            .run()
    }

    fn by_rows<R: SparseRing<Word = W>>(
        &self,
        (cl, planner): (&OpenCl, &Planner),
        ring: &R,
        (x, y): (View<'_, W>, &mut ViewMut<'_, W>),
        width: usize,
        (lanes, group): (usize, usize),
    ) -> Result<(), DeviceError> {
        let (p, reciprocal) = ring.constants();
        let is_residue = ring.arithmetic().is_some();
        let spec = match (width, is_residue) {
            (1, false) => &ROWS,
            (1, true) => &ROWS_RESIDUES,
            (_, false) => &DENSE,
            (_, true) => &DENSE_RESIDUES,
        };
        let kernel = planner.kernel(cl, spec, defines(ring).set("GROUP", group).set("LANES", lanes))?;
        let mut launch = cl
            .launch(&kernel)
            .input(&self.offsets)
            .input(&self.columns)
            .input(&self.values)
            .input(x)
            .buffer(y.reborrow())
            .value(self.rows.len() as u32)
            .value(self.non_zeros)
            .value(self.last_column);
        if width != 1 {
            launch = launch.value(width as u64);
        }
        launch
            .value(self.rows.start as u64)
            .value(p)
            .value(reciprocal)
            .items(self.rows.len() * width * lanes, group)
            .bytes(self.bytes(width as u64))
            .operations(u64::from(self.non_zeros) * width as u64)
            .run()
    }

    /// Bytes of the matrix and of `y`, each once.
    fn bytes(&self, width: u64) -> u64 {
        let words = self.values.len() as u64 / u64::from(self.non_zeros.max(1));
        let value = words * size_of::<W>() as u64;
        u64::from(self.non_zeros) * (INDEX_BYTES + value) + self.rows.len() as u64 * (INDEX_BYTES + width * value)
    }
}

/// Items of a group of a product that no plan was made for.
const COMBINED: usize = 256;

/// Items of a group, a power of two: at most `most`, and as many as the device and its local memory hold.
pub(crate) fn items_of_group(cl: &OpenCl, most: usize, local_bytes_of_item: usize) -> usize {
    let held = cl.info().local_memory_bytes as usize / local_bytes_of_item;
    1 << most.min(cl.info().group_limit).min(held).max(1).ilog2()
}

/// The row at which the path of merging through rows with these offsets, whose first is any, is at the steps `0, tile, 2 tile,
/// ...` and at its end.
fn starts(offsets: &[usize], tile: usize) -> Vec<u32> {
    let rows = offsets.len() - 1;
    let end = |row: usize| offsets[row + 1] - offsets[0] + row;
    let length = offsets[rows] - offsets[0] + rows;
    let mut row = 0;
    let mut starts: Vec<u32> = (0..length.div_ceil(tile))
        .map(|group| {
            // The first row whose end is not among the steps before: it comes at step offsets[row + 1] + row.
            while row < rows && end(row) < group * tile {
                row += 1;
            }
            row as u32
        })
        .collect();
    starts.push(rows as u32);
    starts
}

fn defines<R: SparseRing>(ring: &R) -> Defines {
    let defines = Defines::new().element(R::Word::TYPE);
    match ring.arithmetic() {
        Some(arithmetic) => arithmetic.define(defines),
        None => defines.set("COMPUTATION", R::value_words() - 1),
    }
}

#[cfg(test)]
mod tests {
    use manycore_field::Reals;

    use super::*;
    use crate::pattern::Pattern;

    #[test]
    fn the_path_of_merging_is_cut_where_it_is() {
        // Rows of 0, 3, 0, 2 non-zeros: the path is |, x x x |, |, x x |.
        let offsets = [0, 0, 3, 3, 5];
        assert_eq!(starts(&offsets, 1), [0, 1, 1, 1, 1, 2, 3, 3, 3, 4]);
        assert_eq!(starts(&offsets, 2), [0, 1, 1, 3, 3, 4]);
        assert_eq!(starts(&offsets, 100), [0, 4]);
        assert_eq!(starts(&[0], 4), [0]);
        assert_eq!(starts(&[7, 7, 10, 10, 12], 2), [0, 1, 1, 3, 3, 4]);
    }

    #[test]
    fn blocks_hold_all_rows_within_their_bytes() {
        let lengths = [3usize, 0, 10, 1, 1, 1, 0, 0, 2];
        let mut offsets = vec![0];
        offsets.extend(lengths.iter().scan(0, |sum, length| {
            *sum += length;
            Some(*sum)
        }));
        let indices = lengths.iter().flat_map(|&length| 0..length as u32).collect();
        let pattern = Pattern::from_parts(9, 10, offsets, indices);
        let matrix = CompressedRows { values: vec![0.0f64; pattern.non_zeros()], pattern };
        for most in [0, 40, 60, 100, 200, 10_000] {
            let blocks = blocks::<Reals<f64>>(&matrix, most);
            assert_eq!(blocks.first().map(|block| block.start), Some(0));
            assert_eq!(blocks.last().map(|block| block.end), Some(9));
            assert!(blocks.windows(2).all(|pair| pair[0].end == pair[1].start));
            for block in blocks {
                assert!(block.len() == 1 || bytes::<Reals<f64>>(&matrix, &block) <= most, "{block:?} in {most} bytes");
            }
        }
    }
}
