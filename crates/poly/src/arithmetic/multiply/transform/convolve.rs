//! Products modulo one prime that has the roots of unity: load, transform, multiply, transform back.

use std::sync::Arc;

use manycore_device::{Buffer, Executor, OpenCl, ViewMut};
use manycore_field::ResidueWord;
use manycore_ntt::{Middle, NttField, Rows};
use manycore_tuning::Planner;

use super::component::Component;
use super::convert::Convert;
use super::error::ProductError;
use super::one_launch::{self, Target};
use super::root_powers::RootPowers;
use super::rows::{Operands, Wanted};
use super::shape::Length;
use super::{device, ends, middle, primitives};

impl<G: NttField> Component<G> {
    /// The products of the rows, modulo the prime and the polynomial that the length says: `length.values()` words for each
    /// row of a.
    pub(super) fn convolve<W: ResidueWord>(
        &self,
        cx: &Arc<Planner>,
        operands: &Operands<'_, W>,
        reduce: bool,
    ) -> Result<Buffer<G::Element>, ProductError> {
        let (rows, all) = (operands.rows(), operands.rows() + operands.rows_b());
        let shift = 2 * Convert::new::<W>(self, reduce).shift();
        if let (Some(tile), Executor::OpenCl(cl)) = (operands.tile, cx.device().executor()) {
            let mut product = cx.device().scratch(rows << tile.log_row)?;
            one_launch::run(cx, cl, self, operands, reduce, tile, Target::Rows(&mut product))?;
            return Ok(product);
        }
        match operands.length {
            Length::Power(log_len) => {
                if let Some((cl, middle)) = self.long(cx, all, log_len)? {
                    let mut product = self.between((cx, cl), operands, reduce, (&middle, log_len))?;
                    self.ntt(cx, log_len)?.inverse_highest(&mut product, &middle)?;
                    return Ok(product);
                }
                let mut x = cx.device().scratch(all << log_len)?;
                primitives::load(cx, self, operands, reduce, &mut x)?;
                self.cyclic(cx, x, (rows, operands.blocks, log_len), operands.halves(1 << log_len), shift)
            }
            Length::ThreeQuarters(log_len) => {
                let make = |&k: &u32| RootPowers::new(cx, &self.field, self.arithmetic, k);
                let root = self.root_powers.get(log_len, make)?;
                let mut x = cx.device().scratch(all << (log_len + 1))?;
                let mut y = cx.device().scratch(all << log_len)?;
                primitives::load_twisted(cx, self, operands, reduce, &root, &mut x, &mut y)?;
                let u = self.cyclic(cx, x, (rows, operands.blocks, log_len + 1), (false, false), shift)?;
                let v = self.cyclic(cx, y, (rows, operands.blocks, log_len), (false, false), shift)?;
                let mut product = cx.device().scratch(rows * operands.length.values())?;
                primitives::combine(cx, self, &u, &v, &root, &mut product)?;
                Ok(product)
            }
        }
    }

    /// The same to the coefficients wanted, which stand in the only row of each product, where transforms take several passes;
    /// else `out` comes back.
    pub(super) fn convolve_to<'o>(
        &self,
        cx: &Arc<Planner>,
        operands: &Operands<'_, G::Element>,
        wanted: &Wanted<'_, G::Element>,
        out: ViewMut<'o, G::Element>,
    ) -> Result<Option<ViewMut<'o, G::Element>>, ProductError> {
        let all = operands.rows() + operands.rows_b();
        if let Length::Power(log_len) = operands.length
            && operands.tile.is_none()
            && let Some((cl, middle)) = self.long(cx, all, log_len)?
        {
            let product = self.between((cx, cl), operands, false, (&middle, log_len))?;
            ends::store((cx, cl), self, &product, (&middle, log_len), wanted, out)?;
            return Ok(None);
        }
        Ok(Some(out))
    }

    /// What transforms of `all` rows read that take several passes on an OpenCL device; `None` for others.
    #[allow(clippy::type_complexity)] // a device and what it reads
    fn long<'c>(
        &self,
        cx: &'c Arc<Planner>,
        all: usize,
        log_len: u32,
    ) -> Result<Option<(&'c OpenCl, Arc<Middle<G::Element>>)>, ProductError> {
        let Executor::OpenCl(cl) = cx.device().executor() else { return Ok(None) };
        Ok(self.ntt(cx, log_len)?.middle(all << log_len)?.map(|middle| (cl, middle)))
    }

    /// The products of the rows, but for the last pass of their inverse transforms.
    fn between<W: ResidueWord>(
        &self,
        (cx, cl): (&Arc<Planner>, &OpenCl),
        operands: &Operands<'_, W>,
        reduce: bool,
        (middle, log_len): (&Middle<G::Element>, u32),
    ) -> Result<Buffer<G::Element>, ProductError> {
        let (rows, all) = (operands.rows(), operands.rows() + operands.rows_b());
        let ntt = self.ntt(cx, log_len)?;
        let mut x = cx.device().scratch(all << log_len)?;
        ends::load((cx, cl), self, operands, reduce, (middle, log_len), &mut x)?;
        ntt.forward_between(&mut x, middle)?;
        let mut product = cx.device().scratch(rows << log_len)?;
        middle::run(cx, cl, self, middle, &x, (operands.blocks, log_len), &mut product)?;
        drop(x);
        ntt.inverse_between(&mut product, middle)?;
        Ok(product)
    }

    /// The cyclic products of `rows` rows, which stand in `x` before those of the other operand, if there is one; `halves`: the operands
    /// whose rows have zeros in their upper halves. The products are the first rows of the result, on the host multiplied by `2^shift`, as
    /// [`Convert`] asks for.
    fn cyclic(
        &self,
        cx: &Arc<Planner>,
        mut x: Buffer<G::Element>,
        (rows, blocks, log_len): (usize, usize, u32),
        (left_half, right_half): (bool, bool),
        shift: u32,
    ) -> Result<Buffer<G::Element>, ProductError> {
        let ntt = self.ntt(cx, log_len)?;
        let Executor::OpenCl(cl) = cx.device().executor() else {
            let shared = if x.len() == rows << log_len { 0 } else { blocks };
            ntt.multiply_rows(&mut x, &Rows { left: rows, shared, left_half, right_half, shift })?;
            return Ok(x);
        };
        let mut product = cx.device().scratch(rows << log_len)?;
        if let Some(middle) = ntt.middle(x.len())? {
            ntt.forward_to(&mut x, &middle)?;
            middle::run(cx, cl, self, &middle, &x, (blocks, log_len), &mut product)?;
            drop(x);
            ntt.inverse_from(&mut product, &middle)?;
            return Ok(product);
        }
        ntt.forward(&mut x)?;
        device::product(cx, cl, self, &x, blocks, log_len, &mut product)?;
        drop(x);
        ntt.inverse(&mut product)?;
        Ok(product)
    }
}
