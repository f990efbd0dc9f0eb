//! Short rows on an OpenCL device: loaded, transformed, multiplied and transformed back in one launch.

use std::sync::Arc;

use manycore_device::{Buffer, Defines, DeviceError, DeviceKind, OpenCl, ViewMut, Word as _, Words};
use manycore_field::{Arithmetic, ResidueWord};
use manycore_ntt::NttField;
use manycore_ntt::tables::{kernel_roots, root_words, twiddles, words};
use manycore_tuning::Planner;

use super::ProductError;
use super::component::{Component, Operands};

// SAFETY: `run` alone launches them: operands and results are views of as many rows as the shape has, compared by
// `TransformProduct::shape`, and a row's length is that of a route without fault.
manycore_device::kernel! {
    /// Products of rows of coefficients.
    unsafe TILE in manycore_kernels::poly::TRANSFORM_TILE: transform_tile

}

/// Rows shorter than this share a tile.
const SMALL_TILE: u32 = 8;

/// The tile that holds rows, in base-2 logarithms.
#[allow(clippy::struct_field_names)] // each is one
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Tile {
    /// Values of a row.
    pub(super) log_row: u32,
    /// Values: of one row or more.
    pub(super) log_values: u32,
    /// Values of each operand that a work-item holds.
    pub(super) log_regs: u32,
}

impl Tile {
    /// For rows of `2^log_len` words; `None` where the device's groups hold no such tile.
    pub(super) fn new(cl: &OpenCl, log_len: u32, word_bytes: usize) -> Result<Option<Self>, DeviceError> {
        // Work-items of a CPU share its caches, and hold as many values as it takes.
        let (items, most) = match cl.info().kind {
            DeviceKind::Gpu => (cl.info().group_limit.min(1024), 4),
            _ => (cl.info().group_limit.min(256), 5),
        };
        let log_tile = log_len.max(SMALL_TILE);
        let log_regs = log_tile.saturating_sub(items.max(1).ilog2()).max(3);
        let fits = log_tile < 20 && word_bytes << log_tile <= cl.local_limit_bytes()?;
        Ok((log_len > 0 && log_regs <= most && fits).then_some(Self {
            log_row: log_len,
            log_values: log_tile,
            log_regs,
        }))
    }
}

/// Roots and factors of both directions, as the kernel reads them.
#[derive(Debug)]
pub(super) struct Tables<W: ResidueWord> {
    roots: Words<W>,
    twiddles: Buffer<W>,
    back_roots: Words<W>,
    back_twiddles: Buffer<W>,
    scale: [W; 2],
}

impl<W: ResidueWord> Tables<W> {
    fn new<G: NttField<Element = W>>(
        cx: &Arc<Planner>,
        field: &G,
        arithmetic: Arithmetic,
        tile: Tile,
    ) -> Result<Self, ProductError> {
        let Tile { log_row: log_len, log_regs, .. } = tile;
        let missing = || ProductError::NoRoute {
            log_order: log_len,
            reason: format!("modulo {} there is no such root of unity", field.order()),
        };
        let root = field.root_of_unity(1 << log_len).map_err(|_| missing())?;
        let inverse = field.inverse(root).ok_or_else(missing)?;
        let scale = field.inverse(field.natural(1 << log_len)).ok_or_else(missing)?;
        let of = |root: W| move |log_order: u32| field.power(root, 1 << (log_len - log_order));
        let roots = |root: W| kernel_roots(field, arithmetic, log_len, log_regs, of(root));
        let factors = |root: W| {
            let factors = twiddles(field, log_len, log_regs, of(root));
            cx.device().upload(&words(field, arithmetic, &factors))
        };
        Ok(Self {
            roots: roots(root),
            twiddles: factors(root)?,
            back_roots: roots(inverse),
            back_twiddles: factors(inverse)?,
            scale: field.factor(scale, arithmetic),
        })
    }
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
