//! Values at geometric progressions by one middle product (Bluestein 1970, with `ij = C(i + j, 2) - C(i, 2) - C(j, 2)`, so that
//! no square root is needed).

use manycore_device::{Buffer, Executor, HostPool, OpenCl};

use crate::arithmetic::multiply::{Factors, Shape};
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

// SAFETY: `factors` alone launches it, with `count` words on both sides.
manycore_device::kernel! {
    /// Factors of a progression.
    unsafe PROGRESSION_FACTORS in manycore_kernels::poly::PROGRESSION: progression_factors
}

/// Items of a group.
const GROUP: usize = 256;

impl<F: PolyField> PolyRing<F> {
    /// The values of `f` at `a`, `a q`, ..., `a q^(count - 1)`: `O(M(n + count))` for `n` coefficients, about a tenth of what
    /// arbitrary points take.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let f = ring.poly(&[1, 1])?; // 1 + x
    /// assert_eq!(ring.evaluate_progression(&f, 3, 2, 4)?.download()?, [4, 7, 13, 25]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutOfRange`] for words that are no residues; [`PolyError::MixedRings`]; as [`PolyRing::mul`].
    #[inline(never)]
    pub fn evaluate_progression(
        &self,
        f: &Poly<F>,
        a: F::Element,
        q: F::Element,
        count: usize,
    ) -> Result<Buffer<F::Element>, PolyError> {
        self.own(f)?;
        let field = self.field();
        field.check(&[a, q])?;
        let mut values = self.device().scratch(count)?;
        if f.is_zero() || count == 0 {
            values.fill(field.zero())?;
            return Ok(values);
        }
        let Some(inverse) = field.inverse(q) else {
            // Every point but the first is 0.
            values.fill(self.coefficient(f, 0)?)?;
            values.view_mut(..1)?.write(&[self.evaluate(f, a)?])?;
            return Ok(values);
        };
        let all = f.len.checked_add(count - 1).ok_or(PolyError::TooLong { what: "a progression" })?;
        let weighted = self.factors(Some(&f.buffer), f.len, a, inverse)?;
        let reversed = self.reverse_words(&self.exact(weighted, f.len))?;
        let powers = self.factors(None, all, field.one(), q)?;
        let shape = Shape { count: 1, n: f.len, m: all, low: f.len - 1, len: count, square: false };
        self.multiply(&shape, &Factors { a: &reversed, b: &powers }, &mut values, None)?;
        self.factors(Some(&values), count, field.one(), inverse)
    }

    /// `x[i] a^i q^(i (i - 1) / 2)` for `i < count`, with ones for `x` where there is none.
    pub(crate) fn factors(
        &self,
        x: Option<&Buffer<F::Element>>,
        count: usize,
        a: F::Element,
        q: F::Element,
    ) -> Result<Buffer<F::Element>, PolyError> {
        let mut out = self.device().scratch(count)?;
        match self.device().executor() {
            Executor::Host(pool) => on_host(self.field(), pool, x, (a, q), &mut out)?,
            Executor::OpenCl(cl) => on_device(self, cl, x, (a, q), &mut out)?,
        }
        Ok(out)
    }
}

fn on_host<F: PolyField>(
    field: &F,
    pool: &HostPool,
    x: Option<&Buffer<F::Element>>,
    (a, q): (F::Element, F::Element),
    out: &mut Buffer<F::Element>,
) -> Result<(), PolyError> {
    /// Factors of a task.
    const TASK: usize = 1 << 13;
    let x = x.map(|x| x.host()).transpose()?;
    let out = out.host_mut()?;
    let bytes = 2 * size_of_val(out) as u64;
    pool.step("progression_factors", bytes, 3 * out.len() as u64, || {
        pool.team().each(out.chunks_mut(TASK).enumerate(), |(task, out)| {
            let start = task * TASK;
            let i = start as u64;
            let pairs = if i.is_multiple_of(2) { (i / 2).wrapping_mul(i.wrapping_sub(1)) } else { i * (i / 2) };
            let mut factor = field.mul(field.power(a, i), field.power(q, if i == 0 { 0 } else { pairs }));
            // The next factor is this one times a q^i.
            let mut ratio = field.mul(a, field.power(q, i));
            for (k, out) in out.iter_mut().enumerate() {
                *out = x.map_or(factor, |x| field.mul(factor, x[start + k]));
                factor = field.mul(factor, ratio);
                ratio = field.mul(ratio, q);
            }
        });
    });
    Ok(())
}

fn on_device<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    x: Option<&Buffer<F::Element>>,
    (a, q): (F::Element, F::Element),
    out: &mut Buffer<F::Element>,
) -> Result<(), PolyError> {
    let group = GROUP.min(cl.info().group_limit);
    let defines = ring.defines().set("ONES", u32::from(x.is_none())).set("GROUP", group);
    let kernel = ring.planner().kernel(cl, &PROGRESSION_FACTORS, defines)?;
    let (p, reciprocal) = ring.modulus();
    let count = out.len();
    let ones = ring.device().scratch(usize::from(x.is_none()))?;
    cl.launch(&kernel)
        .input(x.unwrap_or(&ones))
        .buffer(&mut *out)
        .value(count as u64)
        .value(a)
        .value(q)
        .value(p)
        .value(reciprocal)
        .items(count, group)
        .bytes(2 * (count * size_of::<F::Element>()) as u64)
        .operations(3 * count as u64)
        .run()?;
    Ok(())
}
