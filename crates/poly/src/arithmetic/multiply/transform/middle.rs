//! Long rows on an OpenCL device: the lowest index bits of all transforms and the products between them in one launch.

use std::sync::Arc;

use manycore_device::{Buffer, Defines, Launch, OpenCl, Word as _};
use manycore_field::ResidueWord;
use manycore_ntt::tables::root_words;
use manycore_ntt::{Middle, NttField};
use manycore_tuning::Planner;

use super::component::Component;
use super::error::ProductError;

// SAFETY: `run` alone launches it, on whole rows of transforms, with the passes and tables of their own `Middle`.
manycore_device::kernel! {
    /// Tiles of both operands to tiles of the product.
    unsafe MIDDLE in manycore_kernels::poly::TRANSFORM_MIDDLE: transform_middle
}

/// What stands between the passes over columns of `spectra` and those of `product`, for rows of `2^log_len` values.
pub(super) fn run<G: NttField>(
    cx: &Arc<Planner>,
    cl: &OpenCl,
    by: &Component<G>,
    middle: &Middle<G::Element>,
    spectra: &Buffer<G::Element>,
    (blocks, log_len): (usize, u32),
    product: &mut Buffer<G::Element>,
) -> Result<(), ProductError> {
    let arithmetic = by.ntt(cx, log_len)?.arithmetic();
    let element = G::Element::TYPE;
    let (log_tile, log_regs) = middle.tile();
    let square = spectra.len() == product.len();
    let defines = arithmetic
        .define(Defines::new().element(element))
        .set("SWIZZLE", if element.bytes() == 8 { 4 } else { 5 })
        .set("SQUARE", u8::from(square))
        .set("ROOT_WORDS", root_words(arithmetic, log_regs))
        .set("LOG_TILE", log_tile)
        .set("LOG_REGS", log_regs);
    let kernel = cx.kernel(cl, &MIDDLE, defines)?;
    let (words, bytes) = (product.len(), size_of::<G::Element>() * (product.len() + spectra.len()));
    let launch = cl
        .launch(&kernel)
        .input(spectra)
        .buffer(product)
        .value((words >> log_len) as u64)
        .value(blocks as u64)
        .value(log_len - log_tile)
        .value(middle.log_parts())
        .value(G::Element::from_u64(by.field.order()))
        .value(by.field.reciprocal(arithmetic));
    let tables = middle.tables();
    let launch = tables
        .into_iter()
        .fold(launch, |launch, (roots, tables)| tables.into_iter().fold(launch.words(roots), Launch::input));
    launch
        .groups(words >> log_tile, 1 << (log_tile - log_regs))
        .bytes(bytes as u64)
        .operations(3 * (words as u64) * u64::from(log_tile) / 2)
        .run()?;
    Ok(())
}
