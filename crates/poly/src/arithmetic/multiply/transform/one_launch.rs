//! Short rows on an OpenCL device: loaded, transformed, multiplied and transformed back in one launch.

use std::sync::Arc;

use manycore_device::{Buffer, Defines, OpenCl, ViewMut, Word as _};
use manycore_field::ResidueWord;
use manycore_ntt::NttField;
use manycore_ntt::tables::root_words;
use manycore_tuning::Planner;

use super::component::Component;
use super::error::ProductError;
use super::rows::Operands;
use super::tile::{Tables, Tile};

// SAFETY: `run` alone launches them: operands and results are views of as many rows as the shape has, compared by
// `TransformProduct::shape`, and a row's length is that of a route without fault.
manycore_device::kernel! {
    /// Products of rows of coefficients.
    unsafe TILE in manycore_kernels::poly::TRANSFORM_TILE: transform_tile
}

/// Where a tile's results go.
pub(super) enum Target<'a, W: ResidueWord> {
    /// Whole rows.
    Rows(&'a mut Buffer<W>),
    /// The coefficients wanted of each product: `len` from `low` on, zeros from `high` on.
    Coefficients { out: ViewMut<'a, W>, len: usize, low: usize, high: usize },
}

/// The products of the rows of `from`, whose length is `2^tile.log_row`.
pub(super) fn run<W: ResidueWord, G: NttField>(
    cx: &Arc<Planner>,
    cl: &OpenCl,
    by: &Component<G>,
    from: &Operands<'_, W>,
    reduce: bool,
    tile: Tile,
    target: Target<'_, G::Element>,
) -> Result<(), ProductError> {
    let Tile { log_row: log_len, log_values: log_tile, log_regs } = tile;
    let arithmetic = by.ntt(cx, log_len)?.arithmetic();
    let tables = by.tables.get(tile, |&tile| Tables::new(cx, &by.field, arithmetic, tile))?;
    let element = G::Element::TYPE;
    let (to, whole, len, low, high) = match target {
        Target::Rows(to) => (ViewMut::from(to), true, 0, 0, 0),
        Target::Coefficients { out, len, low, high } => (out, false, len, low, high),
    };
    let defines = arithmetic
        .define(Defines::new().element(element))
        .set("SWIZZLE", if element.bytes() == 8 { 4 } else { 5 })
        .set("SOURCE", W::TYPE.opencl_name())
        .set("REDUCE", u8::from(reduce))
        .set("SQUARE", u8::from(from.b.is_none()))
        .set("ROOT_WORDS", root_words(arithmetic, log_regs))
        .set("ROWS", u8::from(whole))
        .set("LOG_TILE", log_tile)
        .set("LOG_REGS", log_regs)
        .set("STAGES", log_len);
    let spec = &TILE;
    let kernel = cx.kernel(cl, spec, defines)?;
    let rows = from.rows();
    let bytes = size_of::<W>() * from.words() + size_of::<G::Element>() * to.len();
    let (a, b) = (from.a, from.b.unwrap_or(from.a));
    let launch = [a, b].into_iter().fold(cl.launch(&kernel), |launch, runs| {
        launch.input(runs.buffer).value(runs.start as u64).value(runs.len as u64).value(runs.stride as u64)
    });
    launch
        .buffer(to)
        .value(rows as u64)
        .value(from.block as u64)
        .value(from.blocks as u64)
        .value(len as u64)
        .value(low as u64)
        .value(high as u64)
        .words(&tables.roots)
        .input(&tables.twiddles)
        .words(&tables.back_roots)
        .input(&tables.back_twiddles)
        .value(tables.scale[0])
        .value(tables.scale[1])
        .value(G::Element::from_u64(by.field.order()))
        .value(by.field.reciprocal(arithmetic))
        .value(u64::MAX / by.field.order())
        .groups(rows.div_ceil(1 << (log_tile - log_len)), 1 << (log_tile - log_regs))
        .bytes(bytes as u64)
        .operations(3 * rows as u64 * (u64::from(log_len) << log_len) / 2)
        .run()?;
    Ok(())
}
