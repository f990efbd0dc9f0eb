//! The ends of long products on an OpenCL device: coefficients straight to the first pass of their transforms, and the last pass
//! of the inverse straight to coefficients.

use std::sync::Arc;

use manycore_device::{Buffer, Defines, Launch, OpenCl, ViewMut, Word as _};
use manycore_field::{Arithmetic, ResidueWord};
use manycore_ntt::tables::root_words;
use manycore_ntt::{Columns, Middle, NttField};
use manycore_tuning::Planner;

use super::component::Component;
use super::device::operands;
use super::error::ProductError;
use super::rows::{Operands, Wanted};

// SAFETY: `load` and `store` alone launch them, on whole rows of a transform whose passes are those of its own
// `Middle`; operands and results are views of the lengths that `TransformProduct::shape` compared.
manycore_device::kernel! {
    /// Coefficients to the first pass.
    unsafe LOAD_COLUMNS in manycore_kernels::poly::TRANSFORM_LOAD_COLUMNS: transform_load_columns

    /// The last pass to coefficients.
    unsafe STORE_COLUMNS in manycore_kernels::poly::TRANSFORM_STORE_COLUMNS: transform_store_columns
}

/// What kernels of a pass over columns are built with.
fn defines<G: NttField>(arithmetic: Arithmetic, columns: &Columns) -> Defines {
    let element = G::Element::TYPE;
    let defines = arithmetic
        .define(Defines::new().element(element))
        .set("SWIZZLE", if element.bytes() == 8 { 4 } else { 5 })
        .set("ROOT_WORDS", root_words(arithmetic, columns.log_regs));
    columns.define(defines, element.bytes())
}

/// Runs a pass over `words` in columns, of which with the operands or the result `bytes` are moved.
fn run(launch: Launch<'_>, columns: &Columns, words: usize, bytes: usize) -> Result<(), ProductError> {
    launch
        .groups(words >> columns.log_tile(), 1 << (columns.log_tile() - columns.log_regs))
        .bytes(bytes as u64)
        .operations(u64::from(columns.log_rows) * words as u64 / 2)
        .run()?;
    Ok(())
}

/// The operands through the first pass of their transforms of `2^log_len` values, as rows of `to`.
pub(super) fn load<W: ResidueWord, G: NttField>(
    (cx, cl): (&Arc<Planner>, &OpenCl),
    by: &Component<G>,
    from: &Operands<'_, W>,
    reduce: bool,
    (middle, log_len): (&Middle<G::Element>, u32),
    to: &mut Buffer<G::Element>,
) -> Result<(), ProductError> {
    let columns = middle.first();
    let arithmetic = by.ntt(cx, log_len)?.arithmetic();
    let defines =
        defines::<G>(arithmetic, &columns).set("SOURCE", W::TYPE.opencl_name()).set("REDUCE", u8::from(reduce));
    let spec = &LOAD_COLUMNS;
    let kernel = cx.kernel(cl, spec, defines)?;
    let words = to.len();
    let bytes = size_of::<G::Element>() * words + size_of::<W>() * from.words();
    let (roots, twiddles) = middle.first_tables()[0];
    let launch = operands(cl.launch(&kernel), from)
        .buffer(to)
        .value(from.rows() as u64)
        .value(from.block as u64)
        .value(from.blocks as u64)
        .value(G::Element::from_u64(by.field.order()))
        .value(by.field.reciprocal(arithmetic))
        .value(u64::MAX / by.field.order())
        .words(roots)
        .input(twiddles);
    run(launch, &columns, words, bytes)
}

/// The inverse's last pass over `rows` of `2^log_len` values, to the coefficients wanted.
pub(super) fn store<G: NttField>(
    (cx, cl): (&Arc<Planner>, &OpenCl),
    by: &Component<G>,
    rows: &Buffer<G::Element>,
    (middle, log_len): (&Middle<G::Element>, u32),
    wanted: &Wanted<'_, G::Element>,
    mut out: ViewMut<'_, G::Element>,
) -> Result<(), ProductError> {
    let offset = out.start() * size_of::<G::Element>();
    if !offset.is_multiple_of(cl.info().view_alignment_bytes) {
        // Kernels take no such view.
        let mut aligned = cx.device().scratch(out.len())?;
        store((cx, cl), by, rows, (middle, log_len), wanted, ViewMut::from(&mut aligned))?;
        return Ok(out.copy_from(&aligned)?);
    }
    let columns = middle.first();
    let arithmetic = by.ntt(cx, log_len)?.arithmetic();
    let kernel = cx.kernel(cl, &STORE_COLUMNS, defines::<G>(arithmetic, &columns).set("INVERSE", 1))?;
    let words = rows.len();
    let bytes = size_of::<G::Element>() * (words + out.len());
    let (roots, twiddles) = middle.first_tables()[1];
    let launch = cl
        .launch(&kernel)
        .input(rows)
        .buffer(out)
        .value(wanted.low as u64)
        .value(wanted.len as u64)
        .value(G::Element::from_u64(by.field.order()))
        .value(by.field.reciprocal(arithmetic))
        .words(roots)
        .input(twiddles);
    run(launch, &columns, words, bytes)
}
