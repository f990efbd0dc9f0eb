//! Products modulo one prime that has the roots of unity: load, transform, multiply, transform back.

use std::sync::Arc;

use manycore_device::{Buffer, Cache, Executor, OpenCl, View, ViewMut};
use manycore_field::{Arithmetic, Barrett, PrimeField, ResidueWord, Slices};
use manycore_ntt::cost::Pass;
use manycore_ntt::{Kind, Middle, Ntt, NttField, Rows};
use manycore_tuning::Planner;

use super::convert::Convert;
use super::primitives::Wanted;
use super::shape::Length;
use super::tile::{Tables, Target, Tile};
use super::twist::Twist;
use super::{ProductError, device, ends, middle, primitives, tile};

/// The operands of a product, cut to rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operands<'a, W: manycore_device::Word> {
    pub(super) a: Runs<'a, W>,
    /// `None` for squares.
    pub(super) b: Option<Runs<'a, W>>,
    /// Products.
    pub(super) count: usize,
    /// Coefficients of a that a row takes.
    pub(super) block: usize,
    /// Rows of one product.
    pub(super) blocks: usize,
    pub(super) length: Length,
    /// The tile that does a row in one launch, where that is asked for.
    pub(super) tile: Option<Tile>,
}

/// `len` words from `start` on, and again every `stride` words, of a buffer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Runs<'a, W: manycore_device::Word> {
    pub(super) buffer: &'a Buffer<W>,
    pub(super) start: usize,
    pub(super) len: usize,
    pub(super) stride: usize,
}

impl<'a, W: manycore_device::Word> Runs<'a, W> {
    pub(super) fn new(view: View<'a, W>, operand: super::shape::Operand) -> Self {
        Self { buffer: view.buffer(), start: view.start() + operand.skip, len: operand.len, stride: operand.stride }
    }
}

impl<W: manycore_device::Word> Operands<'_, W> {
    /// Rows of a, which are those of the product too.
    pub(super) fn rows(&self) -> usize {
        self.count * self.blocks
    }

    /// Rows of b.
    pub(super) fn rows_b(&self) -> usize {
        if self.b.is_some() { self.count } else { 0 }
    }

    /// Whether rows of `row_len` words of a, and of b, have zeros in their upper halves.
    pub(super) fn halves(&self, row_len: usize) -> (bool, bool) {
        let is_half = |len: usize| len <= row_len / 2;
        (is_half(self.a.len.min(self.block)), self.b.is_none_or(|b| is_half(b.len)))
    }
}

/// One prime and what is kept for it.
#[derive(Debug)]
pub(super) struct Component<G: NttField> {
    pub(super) field: G,
    /// The arithmetic of integers that kernels other than the transform's take.
    pub(super) arithmetic: Arithmetic,
    /// Vectors for 32-bit words.
    pub(super) slices: Option<Slices<u32>>,
    /// Reductions of 64-bit words; `None` for `p > 2^63`.
    pub(super) long: Option<Barrett<u64>>,
    ntts: Cache<u32, Ntt<G>>,
    twists: Cache<u32, Twist<G>>,
    /// The passes of the transform's best estimate on an OpenCL device, by its length and the number of arrays.
    pub(super) passes: Cache<(usize, usize), Vec<Pass>>,
    pub(super) tables: Cache<Tile, Tables<G::Element>>,
}

impl<G: NttField> Component<G> {
    pub(super) fn new(field: &G) -> Self {
        // A field of 32-bit words is a prime field below 2^31.
        let is_short = <G::Element as ResidueWord>::BITS == 32;
        let short = if is_short { PrimeField::<u32>::new(field.order() as u32).ok() } else { None };
        Self {
            field: field.clone(),
            // Every field has an arithmetic of integers, and names it first.
            arithmetic: field.arithmetics().first().copied().unwrap_or(Arithmetic::Goldilocks),
            slices: short.map(|field| field.slices()),
            long: Barrett::new(field.order()).filter(|by| by.modulus() >> 63 == 0),
            ntts: Cache::default(),
            twists: Cache::default(),
            passes: Cache::default(),
            tables: Cache::default(),
        }
    }

    /// Cyclic transforms of `2^log_len` values.
    pub(super) fn ntt(&self, cx: &Arc<Planner>, log_len: u32) -> Result<Arc<Ntt<G>>, ProductError> {
        let make = |&log_len: &u32| Ok(Ntt::with_planner(cx, &self.field, 1 << log_len, Kind::Cyclic)?);
        self.ntts.get(log_len, make)
    }

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
            tile::run(cx, cl, self, operands, reduce, tile, Target::Rows(&mut product))?;
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
                let twist = self.twists.get(log_len, |&k| Twist::new(cx, &self.field, self.arithmetic, k))?;
                let mut x = cx.device().scratch(all << (log_len + 1))?;
                let mut y = cx.device().scratch(all << log_len)?;
                primitives::load_twisted(cx, self, operands, reduce, &twist, &mut x, &mut y)?;
                let u = self.cyclic(cx, x, (rows, operands.blocks, log_len + 1), (false, false), shift)?;
                let v = self.cyclic(cx, y, (rows, operands.blocks, log_len), (false, false), shift)?;
                let mut product = cx.device().scratch(rows * operands.length.values())?;
                primitives::combine(cx, self, &u, &v, &twist, &mut product)?;
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

    /// The cyclic products of `rows` rows, which stand in `x` before those of the other operand, if there is one; `halves`
    /// tells which operands leave the upper halves of their rows to zeros. The products are the first rows of the result, on
    /// the host multiplied by `2^shift`, as [`Convert`] asks for.
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
