//! Steps of truncated transforms on an OpenCL device: one launch each.

use std::sync::Arc;

use manycore_device::{Buffer, Defines, DeviceError, KernelSpec, OpenCl, Word};
use manycore_field::ResidueWord;

use super::path::{Block, LOG_LOW, Rows, Step};
use super::transform::TruncatedNtt;
use crate::NttField;

// SAFETY: the functions of this file alone launch them, on whole rows and blocks of the transform's length, which
// `forward` and `inverse` compare, with the tables of the block.
manycore_device::kernel! {
    /// A block and the right half of a node.
    unsafe TRUNCATE_SPLIT in manycore_kernels::ntt::NTT_TRUNCATE: truncate_split

    /// The left half of a node.
    unsafe TRUNCATE_FOLD in manycore_kernels::ntt::NTT_TRUNCATE: truncate_fold

    /// What a block adds to the coefficients.
    unsafe TRUNCATE_JOIN in manycore_kernels::ntt::NTT_TRUNCATE: truncate_join

    /// Coefficients by products to coefficients by powers.
    unsafe TRUNCATE_UNFOLD in manycore_kernels::ntt::NTT_TRUNCATE: truncate_unfold
}

/// Items of a group.
const GROUP: usize = 256;

/// The numbers that every launch takes.
struct Constants<W> {
    c: [W; 2],
    p: W,
    reciprocal: u64,
}

fn constants<F: NttField>(of: &TruncatedNtt<F>, step: &Step<F>) -> Constants<F::Element> {
    Constants {
        c: of.field.factor(step.c, of.arithmetic),
        p: F::Element::from_u64(of.field.order()),
        reciprocal: of.field.reciprocal(of.arithmetic),
    }
}

fn kernel<F: NttField>(
    of: &TruncatedNtt<F>,
    cl: &OpenCl,
    spec: &'static KernelSpec,
) -> Result<Arc<manycore_device::Kernel>, DeviceError> {
    let defines = of.arithmetic.define(Defines::new().element(F::Element::TYPE));
    of.planner.kernel(cl, spec, defines.set("GROUP", GROUP).set("LOG_LOW", LOG_LOW))
}

fn bytes<W: Word>(words: usize) -> u64 {
    (words * size_of::<W>()) as u64
}

pub(super) fn split<F: NttField>(
    of: &TruncatedNtt<F>,
    cl: &OpenCl,
    (step, block): (&Step<F>, &Block<F>),
    from: &Rows<'_, F::Element>,
    to: &mut Buffer<F::Element>,
    rest: &mut Buffer<F::Element>,
) -> Result<(), DeviceError> {
    let (kernel, tables, by) = (kernel(of, cl, &TRUNCATE_SPLIT)?, of.tables(block)?, constants(of, step));
    let (count, keep) = (to.len(), u32::from(!rest.is_empty()));
    let words = from.values.len() + count + rest.len();
    cl.launch(&kernel)
        .input(from.values)
        .value(from.row as u64)
        .buffer(to)
        .buffer(rest)
        .value(keep)
        .value(count as u64)
        .value(step.log_len)
        .value(by.c[0])
        .value(by.c[1])
        .input(&tables.twist[0])
        .input(&tables.twist[1])
        .value(by.p)
        .value(by.reciprocal)
        .items(count, GROUP)
        .bytes(bytes::<F::Element>(words))
        .operations(5 * count as u64)
        .run()
}

pub(super) fn fold<F: NttField>(
    of: &TruncatedNtt<F>,
    cl: &OpenCl,
    step: &Step<F>,
    from: &Rows<'_, F::Element>,
    rest: &mut Buffer<F::Element>,
) -> Result<(), DeviceError> {
    let (kernel, by) = (kernel(of, cl, &TRUNCATE_FOLD)?, constants(of, step));
    let count = rest.len();
    cl.launch(&kernel)
        .input(from.values)
        .value(from.row as u64)
        .buffer(rest)
        .value(count as u64)
        .value(step.log_len)
        .value(by.c[0])
        .value(by.c[1])
        .value(by.p)
        .value(by.reciprocal)
        .items(count, GROUP)
        .bytes(bytes::<F::Element>(from.values.len() + count))
        .operations(2 * count as u64)
        .run()
}

pub(super) fn join<F: NttField>(
    of: &TruncatedNtt<F>,
    cl: &OpenCl,
    (step, block): (&Step<F>, &Block<F>),
    values: &Buffer<F::Element>,
    from: &Rows<'_, F::Element>,
    to: &mut Buffer<F::Element>,
    rest: &mut Buffer<F::Element>,
) -> Result<(), DeviceError> {
    let (kernel, tables, by) = (kernel(of, cl, &TRUNCATE_JOIN)?, of.tables(block)?, constants(of, step));
    let inverse = of.field.factor(block.product_inverse, of.arithmetic);
    let (count, keep) = (values.len(), u32::from(!rest.is_empty()));
    let words = from.values.len() + 2 * count + rest.len();
    cl.launch(&kernel)
        .input(values)
        .input(from.values)
        .value(from.row as u64)
        .buffer(to)
        .value(of.len as u64)
        .value(block.start as u64)
        .buffer(rest)
        .value(keep)
        .value(count as u64)
        .value(step.log_len)
        .value(by.c[0])
        .value(by.c[1])
        .value(inverse[0])
        .value(inverse[1])
        .input(&tables.untwist[0])
        .input(&tables.untwist[1])
        .value(by.p)
        .value(by.reciprocal)
        .items(count, GROUP)
        .bytes(bytes::<F::Element>(words))
        .operations(7 * count as u64)
        .run()
}

pub(super) fn unfold<F: NttField>(
    of: &TruncatedNtt<F>,
    cl: &OpenCl,
    (step, block): (&Step<F>, &Block<F>),
    to: &mut Buffer<F::Element>,
) -> Result<(), DeviceError> {
    let (kernel, by) = (kernel(of, cl, &TRUNCATE_UNFOLD)?, constants(of, step));
    let arrays = to.len() / of.len;
    let count = arrays << step.log_len;
    let words = arrays * block.tail;
    cl.launch(&kernel)
        .buffer(to)
        .value(of.len as u64)
        .value(block.start as u64)
        .value(block.tail as u64)
        .value(count as u64)
        .value(step.log_len)
        .value(by.c[0])
        .value(by.c[1])
        .value(by.p)
        .value(by.reciprocal)
        .items(count, GROUP)
        .bytes(bytes::<F::Element>(3 * words))
        .operations(2 * words as u64)
        .run()
}
