//! Products of polynomials by number-theoretic transforms, on the host and on OpenCL devices.
//!
//! The spectrum of a product is the product of the spectra. Transforms modulo `p` itself serve where `p - 1` is
//! divisible by their length; else the product of the integers is computed modulo as many primes `k 2^j + 1` as
//! determine its coefficients, which are below `min(n, m) (p - 1)^2`, and reduced by a mixed radix. The planner chooses
//! between them, and how the operands are cut to rows:
//!
//! - The length is the shortest power of two at which what wraps around falls outside the wanted range: half of it for
//!   middle products. A few coefficients may fall onto others; they are computed by their definition.
//! - Three quarters of a power of two: modulo `(x^(2B) - 1) (x^B - s)`, see `root_powers`.
//! - An operand much longer than the other is cut to blocks whose products are added where they overlap.
//!
//! | file | what |
//! |---|---|
//! | `shape`, `route` | what is wanted, what it depends on, lengths and blocks; a route |
//! | `component`, `product` | what is kept for one prime, and for a field on a device |
//! | `rows`, `convolve` | the rows of a product, and their products modulo one prime |
//! | `primes`, `crt`, `digits` | several primes, and from their residues to residues modulo `p` |
//! | `root_powers` | lengths of three quarters |
//! | `primitives`, `host`, `convert`, `device` | the steps other than the transforms |
//! | `tile`, `one_launch` | short rows on OpenCL devices |
//! | `middle`, `ends` | long rows there: the lowest index bits, the highest |
//! | `run`, `operation` | a product in the way of a route, as the planner sees it |
//! | `routes`, [`cost`], `step` | the routes that there are, and what they count |

mod component;
mod convert;
mod convolve;
pub mod cost;
mod crt;
mod device;
mod digits;
mod ends;
pub(crate) mod error;
mod host;
mod middle;
mod one_launch;
pub(super) mod operation;
mod primes;
mod primitives;
pub(crate) mod product;
mod root_powers;
pub(crate) mod route;
mod routes;
mod rows;
mod run;
pub mod shape;
mod step;
mod tile;

use manycore_device::{View, ViewMut};
use manycore_ntt::NttField;
use manycore_tuning::Choice;

pub use error::ProductError;
pub use product::TransformProduct;
pub use route::{Residues, Route};
use shape::{Shape, Trimmed};

impl<F: NttField> TransformProduct<F> {
    /// `count` products side by side: polynomial `i` of `a` times polynomial `i` of `b`, each of `a.len() / count` and
    /// `b.len() / count` coefficients, the lowest first. Coefficients `low` to before `low + out.len() / count` of each are
    /// written to `out`, zeros past the last.
    ///
    /// So `low = 0` and as many coefficients as there are give products, fewer give short products, and with `2 m - 1` by
    /// `m` coefficients `m` from `low = m - 1` on are middle products. Where `a` and `b` are the same view, a transform is
    /// saved. Operands must be below `p`. Takes `O(n log n)` operations for each prime.
    ///
    /// # Errors
    /// [`ProductError::Count`] for lengths that `count` does not divide; [`ProductError::NoRoute`] past the roots of unity
    /// of all primes below `2^62`; [`ProductError::Device`] where an operand is on another device or the memory is not
    /// enough.
    #[inline(never)]
    pub fn multiply(
        &self,
        a: View<'_, F::Element>,
        b: View<'_, F::Element>,
        count: usize,
        low: usize,
        mut out: ViewMut<'_, F::Element>,
    ) -> Result<(), ProductError> {
        let shape = self.shape(&a, &b, count, low, &out)?;
        if shape.trimmed().is_none() {
            return self.clear(out);
        }
        self.chosen.run(
            self.device(),
            shape,
            |&shape| Ok(self.planner.ask(self, shape)),
            |route| self.run(a, b, &shape, route, out.reborrow()),
        )
    }

    /// [`TransformProduct::multiply`] in the way of `route`, one of [`TransformProduct::explain`]'s or of one's own.
    ///
    /// # Errors
    /// As [`TransformProduct::multiply`]; [`ProductError::Route`] for a route that does not make the product.
    #[inline(never)]
    pub fn multiply_by(
        &self,
        a: View<'_, F::Element>,
        b: View<'_, F::Element>,
        count: usize,
        low: usize,
        out: ViewMut<'_, F::Element>,
        route: &Route,
    ) -> Result<(), ProductError> {
        let shape = self.shape(&a, &b, count, low, &out)?;
        let Some((trimmed, _)) = shape.trimmed().map(Trimmed::longer_first) else { return self.clear(out) };
        if let Some(reason) = self.fault(&trimmed, route) {
            return Err(ProductError::Route { route: Box::new(*route), shape: Box::new(shape), reason });
        }
        self.run(a, b, &shape, route, out)
    }

    /// The choice that [`TransformProduct::multiply`] takes: every route with its estimate, the chosen one first, and
    /// the origin of the choice. Where the device is to be measured ([`Device::tuned`](manycore_device::Device::tuned))
    /// and this shape was not yet, its routes are measured now.
    ///
    /// # Errors
    /// [`ProductError::NoRoute`] where there is none.
    #[inline(never)]
    pub fn explain(&self, shape: &Shape) -> Result<Choice<Route>, ProductError> {
        self.planner.choice(&self, shape)
    }

    /// The shape of a call, if its views make one.
    fn shape(
        &self,
        a: &View<'_, F::Element>,
        b: &View<'_, F::Element>,
        count: usize,
        low: usize,
        out: &ViewMut<'_, F::Element>,
    ) -> Result<Shape, ProductError> {
        for device in [a.buffer().device(), b.buffer().device(), out.device()] {
            self.device().same_as(device)?;
        }
        for (operand, len) in [("left operands", a.len()), ("right operands", b.len()), ("results", out.len())] {
            if count.checked_mul(len / count.max(1)) != Some(len) {
                return Err(ProductError::Count { operand, len, count });
            }
        }
        let each = |len: usize| len / count.max(1);
        let square = std::ptr::eq(a.buffer(), b.buffer()) && (a.start(), a.len()) == (b.start(), b.len());
        Ok(Shape { count, n: each(a.len()), m: each(b.len()), low, len: each(out.len()), square })
    }
}
