//! The tile that holds short rows on an OpenCL device, and the tables that its kernel reads.

use std::sync::Arc;

use manycore_device::{Buffer, DeviceError, DeviceKind, OpenCl, Words};
use manycore_field::{Arithmetic, ResidueWord};
use manycore_ntt::NttField;
use manycore_ntt::tables::{kernel_roots, twiddles, words};
use manycore_tuning::Planner;

use super::error::ProductError;

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
    pub(super) roots: Words<W>,
    pub(super) twiddles: Buffer<W>,
    pub(super) back_roots: Words<W>,
    pub(super) back_twiddles: Buffer<W>,
    pub(super) scale: [W; 2],
}

impl<W: ResidueWord> Tables<W> {
    pub(super) fn new<G: NttField<Element = W>>(
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
