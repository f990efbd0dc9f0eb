//! Plain products in two phases, paper 002, algorithms 11 to 13, corrected.
//!
//! With `n >= m`, `x` at most `m`, `c = n + x - 1` columns and `r = ceil(m / x)` rows, one launch (`MulKer`) makes the rows
//! `M[s][k]`, the sums of `a[k - j] b[s x + j]` over `j < x`; then `floor(log2 r) + 1` launches (`AddKer`) add them up,
//! shifted by `x` from row to row. The rows take `r c` words between the phases, about `n m / x`: the cost of the many
//! short independent sums, and what bounds the sizes.

use manycore_device::{Buffer, OpenCl};

use super::super::{Algorithm, Plan, Shape};
use crate::error::PolyError;
use crate::poly::PolyField;
use crate::ring::PolyRing;

// SAFETY: `run` alone launches them: it checks the sizes, makes the rows between the phases, and the factors and the
// result have the coefficients of the shape from their places on.
manycore_device::kernel! {
    /// The first phase, `MulKer`.
    unsafe PRODUCT_ROWS in manycore_kernels::poly::PRODUCT_ROWS: product_rows

    /// One call of the second phase, `AddKer`.
    unsafe PRODUCT_ADD_ROWS in manycore_kernels::poly::PRODUCT_ROWS: product_add_rows
}

/// The most coefficients for a row: they lie in local memory.
pub const LARGEST_X: usize = 1 << 10;

/// The least room for them: so that small values of `x` share a kernel.
const LEAST_WIDTH: usize = 16;

/// The sizes of the algorithm for factors of `n` and `m` coefficients.
///
/// ```
/// use manycore_poly::multiply::two_phase::Sizes;
/// let sizes = Sizes::new(16, 8, 2);
/// assert_eq!((sizes.columns, sizes.rows), (17, 4));
/// assert_eq!(sizes.taken().collect::<Vec<_>>(), [2, 1, 1]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sizes {
    /// Coefficients of the longer factor.
    pub n: usize,
    /// Coefficients of the shorter factor.
    pub m: usize,
    /// Coefficients of the shorter factor for each row, at most `m`.
    pub x: usize,
    /// Columns, `n + x - 1`.
    pub columns: usize,
    /// Rows, `ceil(m / x)`.
    pub rows: usize,
}

impl Sizes {
    /// For factors of `n` and `m` coefficients, neither 0, and `x >= 1`.
    pub fn new(n: usize, m: usize, x: usize) -> Self {
        let (n, m) = (n.max(m), n.min(m));
        let x = x.clamp(1, m.max(1));
        Self { n, m, x, columns: n + x - 1, rows: m.div_ceil(x) }
    }

    /// Words between the phases; `None` where they pass the address space.
    pub fn words(&self) -> Option<usize> {
        self.columns.checked_mul(self.rows)
    }

    /// The rows that each call of the second phase takes: those whose numbers end in `i` ones and a zero.
    pub fn taken(self) -> impl Iterator<Item = usize> {
        (0u32..).map(|i| 1usize << i).take_while(move |&step| step - 1 < self.rows).map(move |step| {
            // Rows step - 1, 3 step - 1, 5 step - 1, ...
            (self.rows - (step - 1)).div_ceil(2 * step)
        })
    }
}

/// The plan for this `x` on a device.
pub(crate) fn plan(cl: &OpenCl, x: usize) -> Plan {
    Plan::TwoPhase { x, group: 256.min(cl.info().group_limit) }
}

/// One whole product in two phases, of factors and into a result at a place of their buffers.
#[allow(clippy::too_many_arguments)] // the plan's two numbers and the product's parts
pub(crate) fn run<F: PolyField>(
    ring: &PolyRing<F>,
    cl: &OpenCl,
    x: usize,
    group: usize,
    shape: &Shape,
    a: (&Buffer<F::Element>, usize),
    b: (&Buffer<F::Element>, usize),
    (out, out_at): (&mut Buffer<F::Element>, usize),
) -> Result<(), PolyError> {
    let refused = |reason: String| PolyError::Algorithm {
        algorithm: Algorithm::TwoPhase { x },
        device: cl.info().label(),
        reason,
    };
    if x == 0 {
        return Err(refused("a row needs at least one coefficient".into()));
    }
    if shape.count != 1 || shape.low != 0 || shape.len != shape.n + shape.m - 1 {
        return Err(refused("it makes all coefficients of one product".into()));
    }
    let (a, b) = if shape.n >= shape.m { (a, b) } else { (b, a) };
    let sizes = Sizes::new(shape.n, shape.m, x);
    if sizes.x > LARGEST_X {
        return Err(refused(format!("x is at most {LARGEST_X}")));
    }
    if group == 0 || group > cl.info().group_limit {
        return Err(refused(format!("groups have at most {} items", cl.info().group_limit)));
    }
    let limit_bytes = cl.info().largest_allocation_bytes;
    let wanted = sizes.words().and_then(|words| words.checked_mul(size_of::<F::Element>()));
    let wanted_bytes = wanted.map_or(u64::MAX, |bytes| bytes as u64);
    if wanted_bytes > limit_bytes {
        let device = cl.info().label();
        return Err(PolyError::Rows { n: sizes.n, m: sizes.m, x: sizes.x, wanted_bytes, limit_bytes, device });
    }
    let defines = ring
        .defines()
        .set("GROUP", group)
        .set("WIDTH", sizes.x.next_power_of_two().max(LEAST_WIDTH))
        .set("SUM_TERMS", ring.sum_terms());
    let (p, reciprocal) = ring.modulus();
    let mut rows = ring.device().scratch::<F::Element>(sizes.columns * sizes.rows)?;
    out.view_mut(out_at..out_at + shape.len)?.fill(ring.field().zero())?;
    let word_bytes = size_of::<F::Element>() as u64;
    let multiply = ring.planner().kernel(cl, &PRODUCT_ROWS, defines.clone())?;
    cl.launch(&multiply)
        .input(a.0)
        .value(a.1 as u64)
        .value(sizes.n as u64)
        .input(b.0)
        .value(b.1 as u64)
        .value(sizes.m as u64)
        .buffer(&mut rows)
        .value(sizes.x as u32)
        .value(p)
        .value(reciprocal)
        .groups(sizes.columns.div_ceil(group).saturating_mul(sizes.rows), group)
        .bytes(wanted_bytes)
        .operations((2 * sizes.x as u64 - 1) * (sizes.columns * sizes.rows) as u64)
        .run()?;
    let add = ring.planner().kernel(cl, &PRODUCT_ADD_ROWS, defines)?;
    for (i, taken) in sizes.taken().enumerate() {
        let items = taken * sizes.columns;
        cl.launch(&add)
            .buffer(&mut rows)
            .value(sizes.rows as u64)
            .value(sizes.columns as u64)
            .value(sizes.x as u32)
            .value(1u64 << i)
            .value(taken as u64)
            .buffer(&mut *out)
            .value(out_at as u64)
            .value(shape.len as u64)
            .value(p)
            .value(reciprocal)
            .items(items, group)
            .bytes(3 * word_bytes * items as u64)
            .operations(items as u64)
            .run()?;
    }
    Ok(())
}
