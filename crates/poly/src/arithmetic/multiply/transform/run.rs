//! A product in the way of a route.

use manycore_device::{Executor, OpenCl, View, ViewMut};
use manycore_ntt::NttField;

use super::error::ProductError;
use super::one_launch::{self, Target};
use super::primitives;
use super::product::TransformProduct;
use super::route::{Residues, Route};
use super::rows::{Operands, Runs, Wanted};
use super::shape::{Length, Operand, Shape, Trimmed};
use super::tile::Tile;

impl<F: NttField> TransformProduct<F> {
    /// Nothing of a product lies in the range.
    pub(super) fn clear(&self, mut out: ViewMut<'_, F::Element>) -> Result<(), ProductError> {
        if !out.is_empty() {
            out.fill(self.field().zero())?;
        }
        Ok(())
    }

    /// The product in the way of a route.
    pub(super) fn run(
        &self,
        a: View<'_, F::Element>,
        b: View<'_, F::Element>,
        shape: &Shape,
        route: &Route,
        out: ViewMut<'_, F::Element>,
    ) -> Result<(), ProductError> {
        let Some((trimmed, exchanged)) = shape.trimmed().map(Trimmed::longer_first) else { return self.clear(out) };
        let (a, b) = if exchanged { (b, a) } else { (a, b) };
        let (runs_a, runs_b) = (Runs::new(a, trimmed.a), Runs::new(b, trimmed.b));
        // The parts of a square's operands that count may differ, as the lower and the upper do in a middle product.
        let square = shape.square && trimmed.a == trimmed.b;
        let cut = route.cut;
        let operands = Operands {
            a: runs_a,
            b: (!square).then_some(runs_b),
            count: shape.count,
            block: cut.block,
            blocks: cut.blocks,
            length: cut.length,
            tile: if route.tiled { self.tile_of(route.residues, cut.length) } else { None },
        };
        let wanted = Wanted {
            len: shape.len,
            low: trimmed.low,
            high: trimmed.high,
            row_len: cut.length.values(),
            block: cut.block,
            blocks: cut.blocks,
            a: runs_a,
            b: runs_b,
            wrap: cut.wrapped(&trimmed) > 0,
        };
        if route.stores_in_tile(shape)
            && let (Some(tile), Executor::OpenCl(cl)) = (operands.tile, self.device().executor())
        {
            return self.tile_to(cl, &operands, tile, &wanted, out);
        }
        self.by_residues(&operands, &wanted, shape, route, out)
    }

    /// The product by transforms in several steps.
    fn by_residues(
        &self,
        operands: &Operands<'_, F::Element>,
        wanted: &Wanted<'_, F::Element>,
        shape: &Shape,
        route: &Route,
        out: ViewMut<'_, F::Element>,
    ) -> Result<(), ProductError> {
        match route.residues {
            Residues::Direct => {
                let left = if route.stores_in_columns(shape) {
                    self.direct.convolve_to(&self.planner, operands, wanted, out)?
                } else {
                    Some(out)
                };
                let Some(out) = left else { return Ok(()) };
                let rows = self.direct.convolve(&self.planner, operands, false)?;
                primitives::store(&self.planner, &self.direct, &rows, wanted, out)?;
                Ok(())
            }
            Residues::Primes { bits: bits @ ..=31, count } => {
                self.short.multiply(&self.planner, &self.direct, (bits, count), operands, wanted, out)
            }
            Residues::Primes { bits, count } => {
                self.long.multiply(&self.planner, &self.direct, (bits, count), operands, wanted, out)
            }
        }
    }

    /// `a b` modulo `x^(2^log_len) - 1` into `2^log_len` words, of factors no longer than that: by the transforms of `route`,
    /// one for a product that takes one row of this length.
    pub(crate) fn cyclic(
        &self,
        a: View<'_, F::Element>,
        b: View<'_, F::Element>,
        log_len: u32,
        route: &Route,
        out: ViewMut<'_, F::Element>,
    ) -> Result<(), ProductError> {
        let (len, length) = (1 << log_len, Length::Power(log_len));
        let whole = |view: &View<'_, F::Element>| Operand { skip: 0, len: view.len(), stride: view.len() };
        let (runs_a, runs_b) = (Runs::new(a, whole(&a)), Runs::new(b, whole(&b)));
        let tile = if route.tiled { self.tile_of(route.residues, length) } else { None };
        let block = runs_a.len;
        let operands = Operands { a: runs_a, b: Some(runs_b), count: 1, block, blocks: 1, length, tile };
        let wanted = Wanted {
            len,
            low: 0,
            high: len,
            row_len: len,
            block,
            blocks: 1,
            a: runs_a,
            b: runs_b,
            // What falls onto other coefficients is wanted there.
            wrap: false,
        };
        if let (Some(tile), Residues::Direct, Executor::OpenCl(cl)) =
            (operands.tile, route.residues, self.device().executor())
        {
            return self.tile_to(cl, &operands, tile, &wanted, out);
        }
        // All of the row is wanted, as of a product with a constant.
        self.by_residues(&operands, &wanted, &Shape::full(len, 1), route, out)
    }

    /// The product in one launch.
    fn tile_to(
        &self,
        cl: &OpenCl,
        operands: &Operands<'_, F::Element>,
        tile: Tile,
        wanted: &Wanted<'_, F::Element>,
        mut out: ViewMut<'_, F::Element>,
    ) -> Result<(), ProductError> {
        let &Wanted { len, low, high, .. } = wanted;
        if (out.start() * size_of::<F::Element>()).is_multiple_of(cl.info().view_alignment_bytes) {
            let target = Target::Coefficients { out, len, low, high };
            return one_launch::run(&self.planner, cl, &self.direct, operands, false, tile, target);
        }
        // Kernels take no view that begins between the addresses that the device can pass.
        let mut aligned = self.device().scratch(out.len())?;
        self.tile_to(cl, operands, tile, wanted, (&mut aligned).into())?;
        Ok(out.copy_from(&aligned)?)
    }
}
