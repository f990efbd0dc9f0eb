//! Products of polynomials by number-theoretic transforms, on the host and on OpenCL devices.
//!
//! The spectrum of a product is the product of the spectra. Transforms modulo `p` itself serve where `p - 1` is
//! divisible by their length; else the product of the integers is computed modulo as many primes `k 2^j + 1` as tell
//! its coefficients apart, which are below `min(n, m) (p - 1)^2`, and reduced by a mixed radix. The planner chooses
//! between them, and how the operands are cut to rows:
//!
//! - The length is the shortest power of two at which what wraps around falls outside the wanted range: half of it for
//!   middle products. A few coefficients may fall onto others; they are computed by their definition.
//! - Three quarters of a power of two: modulo `(x^(2B) - 1) (x^B - s)`, see `twist`.
//! - An operand much longer than the other is cut to blocks whose products are added where they overlap.
//!
//! | file | what |
//! |---|---|
//! | `shape` | what is wanted, what it depends on, lengths and blocks |
//! | `component` | the steps modulo one prime |
//! | `primes`, `crt` | several primes, and from their residues to residues modulo `p` |
//! | `twist` | lengths of three quarters |
//! | `primitives`, `host`, `convert`, `device` | the steps other than the transforms |
//! | `tile`, `middle`, `ends` | on OpenCL devices: short rows in one launch; the lowest index bits of long ones, the highest |
//! | `route`, [`cost`] | the routes, and what they count |

mod component;
mod convert;
pub mod cost;
mod crt;
mod device;
mod digits;
mod ends;
mod host;
mod middle;
mod operation;
mod primes;
mod primitives;
mod route;
pub mod shape;
mod tile;
mod twist;

use std::sync::Arc;

use manycore_device::{Device, DeviceError, Executor, OpenCl, View, ViewMut};
use manycore_model::{DoesNotFit, Machine};
use manycore_ntt::{Ntt, NttError, NttField};
use manycore_tuning::{Choice, NoChoice, Planner, Plans};

use component::{Component, Operands, Runs};
pub(super) use operation::known_factors;
use primes::Family;
use primitives::Wanted;
pub use route::{Residues, Route};
use shape::{Length, Operand, Shape, Trimmed};
use tile::{Target, Tile};

/// Primes of a reconstruction, at most.
const MOST_PRIMES: usize = 5;
/// Shapes whose routes are remembered.
const MOST_CHOICES: usize = 1024;

/// Why products by transforms were not done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProductError {
    /// A view does not hold so many polynomials of equal length.
    #[error("{operand}: {len} coefficients are not {count} polynomials of equal length")]
    Count {
        /// Which view.
        operand: &'static str,
        /// Its length.
        len: usize,
        /// The products asked for.
        count: usize,
    },
    /// No primes have the roots of unity, or are enough.
    #[error("no transforms with roots of unity of order 2^{log_order} serve: {reason}")]
    NoRoute {
        /// The base-2 logarithm of the order of the roots needed.
        log_order: u32,
        /// What is missing.
        reason: String,
    },
    /// A route given by hand does not do the product.
    #[error("{route} do not make {shape}: {reason}")]
    Route {
        /// The route.
        route: Box<Route>,
        /// The product.
        shape: Box<Shape>,
        /// What is wrong.
        reason: String,
    },
    /// No way suits the device.
    #[error(transparent)]
    NoChoice(#[from] NoChoice),
    /// A pass does not suit the device.
    #[error(transparent)]
    Fits(DoesNotFit),
    /// A transform failed.
    #[error(transparent)]
    Transform(#[from] NttError),
    /// The device failed, or operands are on another one.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// Products of polynomials over one field on one device: keeps transforms, constants, intermediate memory and choices.
///
/// ```ignore
/// let product = TransformProduct::new(&device, &field)?;
/// product.multiply((&a).into(), (&b).into(), 1, 0, (&mut out).into())?;
/// ```
#[derive(Debug)]
pub struct TransformProduct<F: NttField> {
    planner: Arc<Planner>,
    direct: Component<F>,
    short: Family<u32>,
    long: Family<u64>,
    /// Choices by shape; nothing is locked while a choice is made.
    chosen: Plans<Shape, Route>,
}

impl<F: NttField> TransformProduct<F> {
    /// Products modulo the field's prime on `device`, planned by the device's machine (the calibrated one if there is
    /// one) and its mode ([`Device::tuning`]). Transforms and constants are made when they are first needed.
    ///
    /// # Errors
    /// None now; kept for devices that prepare something.
    #[inline(never)]
    pub fn new(device: &Device, field: &F) -> Result<Self, ProductError> {
        Ok(Self::with_planner(&Arc::new(Planner::new(device)), field))
    }

    /// Products modulo the field's prime on `device`, planned as if the device were `machine`, by estimates alone;
    /// nothing is measured, read or kept.
    ///
    /// # Errors
    /// As [`TransformProduct::new`].
    #[inline(never)]
    pub fn with_machine(device: &Device, machine: Machine, field: &F) -> Result<Self, ProductError> {
        Ok(Self::with_planner(&Arc::new(Planner::with_machine(device, machine)), field))
    }

    pub(crate) fn with_planner(planner: &Arc<Planner>, field: &F) -> Self {
        Self {
            planner: Arc::clone(planner),
            direct: Component::new(field),
            short: Family::new(),
            long: Family::new(),
            chosen: Plans::at_most(MOST_CHOICES),
        }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.planner.device()
    }

    /// The field.
    pub fn field(&self) -> &F {
        &self.direct.field
    }

    /// Cyclic transforms of `2^log_len` values modulo the field's prime.
    pub(crate) fn transforms(&self, log_len: u32) -> Result<Arc<Ntt<F>>, ProductError> {
        self.direct.ntt(&self.planner, log_len)
    }

    /// The machine that choices are planned for.
    pub fn machine(&self) -> &Machine {
        self.planner.machine()
    }

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
    /// the origin of the choice. Where the device is to be measured ([`Device::tuned`]) and this shape was not yet, its
    /// routes are measured now.
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

    /// Nothing of a product lies in the range.
    fn clear(&self, mut out: ViewMut<'_, F::Element>) -> Result<(), ProductError> {
        if !out.is_empty() {
            out.fill(self.field().zero())?;
        }
        Ok(())
    }

    fn run(
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
            return tile::run(&self.planner, cl, &self.direct, operands, false, tile, target);
        }
        // Kernels take no view that begins between the addresses that the device can pass.
        let mut aligned = self.device().scratch(out.len())?;
        self.tile_to(cl, operands, tile, wanted, (&mut aligned).into())?;
        Ok(out.copy_from(&aligned)?)
    }
}
