//! A determinant of doubles from its matrix to its bound: scaling where entries are far from 1, elimination on the host or a device,
//! product of the pivots, bound of the error.

use std::borrow::Cow;

use manycore_device::{Buffer, Device, Executor, HostPool, OpenCl, Team, checkpoint, host_room};

use super::device_blocks::Eliminated;
use super::equilibrate::{Equilibrated, is_ordinary};
use super::factors::Triangular;
use super::options::{Pivoting, RealDeterminant, RealOptions, RealPlan};
use super::scaled::{Scaled, product};
use super::{blocked, bound, device, device_range, host};
use crate::error::LinalgError;
use crate::shape::complete;

/// Where the entries of a matrix are.
pub(super) enum Entries<'a> {
    Words(&'a [f64]),
    Buffer(&'a Buffer<f64>),
}

impl Entries<'_> {
    /// The number of entries.
    fn len(&self) -> usize {
        match self {
            Self::Words(words) => words.len(),
            Self::Buffer(buffer) => buffer.len(),
        }
    }

    /// All of them on the host.
    fn words(&self) -> Result<Cow<'_, [f64]>, LinalgError> {
        Ok(match self {
            Self::Words(words) => Cow::Borrowed(words),
            Self::Buffer(buffer) => Cow::Owned(buffer.download()?),
        })
    }

    /// A copy on a device.
    fn copied(&self, device: &Device) -> Result<Buffer<f64>, LinalgError> {
        match self {
            Self::Words(words) => Ok(device.upload(words)?),
            Self::Buffer(buffer) => {
                let mut copy = device.scratch(buffer.len())?;
                copy.copy_from(buffer)?;
                Ok(copy)
            }
        }
    }

    /// Fails with the place of the first entry that is infinite or no number.
    fn check(&self, order: usize) -> Result<(), LinalgError> {
        let words = self.words()?;
        match words.iter().position(|x| !x.is_finite()) {
            Some(index) => {
                Err(LinalgError::NotFinite { row: index / order, column: index % order, value: words[index] })
            }
            None => Ok(()),
        }
    }
}

/// The determinant of a matrix, by a plan of an OpenCL device where one is given.
pub(super) fn determinant(
    device: &Device,
    order: usize,
    a: &Entries<'_>,
    options: RealOptions,
    plan: Option<RealPlan>,
) -> Result<RealDeterminant, LinalgError> {
    complete((order, order), a.len())?;
    if order == 0 {
        return Ok(RealDeterminant { value: Scaled::ONE, error_bound: options.bound.then_some(Scaled::ZERO) });
    }
    let host = Device::host();
    let team = match (device.executor(), host.executor()) {
        (Executor::Host(pool), _) | (Executor::OpenCl(_), Executor::Host(pool)) => pool.team(),
        (Executor::OpenCl(_), Executor::OpenCl(_)) => Team::ALONE,
    };
    let solver = Solver { device, team, order, options, plan };
    checkpoint()?;
    host_room(solver.host_bytes())?;
    if let Some(found) = solver.ordinary(a)? {
        return solver.finished(a, &found);
    }
    a.check(order)?;
    // Scaled entries, and the exponents that they are scaled by.
    host_room((a.len() * (size_of::<f64>() + size_of::<i16>())) as u64)?;
    let Some(Equilibrated { words, exponent }) = Equilibrated::of(order, &a.words()?) else {
        return Ok(RealDeterminant { value: Scaled::ZERO, error_bound: options.bound.then_some(Scaled::ZERO) });
    };
    // Beside the scaled entries.
    host_room(solver.host_bytes())?;
    let scaled = Entries::Words(&words);
    let RealDeterminant { value, error_bound } = solver.finished(&scaled, &solver.eliminated(&scaled)?)?;
    let back = |x: Scaled| Scaled::new(x.mantissa, x.exponent.saturating_add(exponent));
    Ok(RealDeterminant { value: back(value), error_bound: error_bound.map(back) })
}

/// What eliminates matrices of one order above 0.
struct Solver<'a> {
    device: &'a Device,
    /// The host's threads.
    team: Team<'a>,
    order: usize,
    options: RealOptions,
    plan: Option<RealPlan>,
}

/// An elimination that is enqueued on an OpenCL device.
enum Begun {
    Blocks(Eliminated),
    Steps(device::Steps),
}

impl Solver<'_> {
    /// Pivots and factors of a matrix; `None` where one of its entries is not of ordinary size.
    fn ordinary(&self, a: &Entries<'_>) -> Result<Option<Triangular>, LinalgError> {
        match self.device.executor() {
            Executor::Host(pool) => {
                let words = a.words()?;
                is_ordinary(self.team, &words).then(|| self.on_host(pool, &words)).transpose()
            }
            Executor::OpenCl(cl) => {
                let copy = a.copied(self.device)?;
                let is_outside = device_range::is_outside(self.device, cl, &copy)?;
                // Entries of other sizes are rare: what they spoil is thrown away, and nobody waits for the answer.
                let begun = self.begun(cl, copy)?;
                if is_outside.download()? == [0] { self.read(cl, &begun).map(Some) } else { Ok(None) }
            }
        }
    }

    /// Pivots and factors.
    fn eliminated(&self, a: &Entries<'_>) -> Result<Triangular, LinalgError> {
        match self.device.executor() {
            Executor::Host(pool) => self.on_host(pool, &a.words()?),
            Executor::OpenCl(cl) => self.read(cl, &self.begun(cl, a.copied(self.device)?)?),
        }
    }

    /// Bytes of the host's memory that elimination and bound take at most. Of matrices of doubles, the host has one to eliminate by
    /// blocks and four step by step (`real/host.rs`); where the error is bounded, there are beside them factors, a matrix, its factors
    /// from the last row to the first and parts of inverses, one more at most (`real/bound.rs`). Lists of the order of columns at the
    /// end of each block of rows are an eighth of one more.
    fn host_bytes(&self) -> u64 {
        let is_by_steps = matches!(self.device.executor(), Executor::Host(_)) && !self.is_by_blocks();
        let eliminated = if is_by_steps { 4 } else { 1 };
        let bounded = if self.options.bound { 4 } else { 0 };
        let entries = (self.order as u64).saturating_mul(self.order as u64);
        entries.saturating_mul(size_of::<f64>() as u64 * (eliminated + bounded) + 1)
    }

    /// Whether pivots are those that the first row left has.
    fn is_by_blocks(&self) -> bool {
        matches!(self.options.pivoting, Pivoting::First | Pivoting::Partial)
    }

    fn on_host(&self, pool: &HostPool, words: &[f64]) -> Result<Triangular, LinalgError> {
        let RealOptions { pivoting, bound } = self.options;
        if self.is_by_blocks() {
            Ok(blocked::eliminate(pool, self.order, words, pivoting)?)
        } else {
            Ok(Triangular::of(&host::condense(pool, self.order, words, pivoting)?, bound))
        }
    }

    fn begun(&self, cl: &OpenCl, a: Buffer<f64>) -> Result<Begun, LinalgError> {
        let &Self { device, order, options: RealOptions { pivoting, .. }, plan, .. } = self;
        if !self.is_by_blocks() {
            return Ok(Begun::Steps(device::condense(device, cl, order, a, pivoting)?));
        }
        let plan = match plan {
            Some(plan) => plan.checked(cl, order)?,
            None => RealPlan::chosen(device, cl, order),
        };
        Ok(Begun::Blocks(plan.eliminate(device, cl, order, a, pivoting)?))
    }

    fn read(&self, cl: &OpenCl, begun: &Begun) -> Result<Triangular, LinalgError> {
        let &Self { order, team, options: RealOptions { bound, .. }, .. } = self;
        match begun {
            Begun::Blocks(eliminated) => eliminated.read(cl, order, bound.then_some(team)),
            Begun::Steps(steps) => Ok(Triangular::of(&steps.read(cl, order)?, bound)),
        }
    }

    /// The value of an eliminated matrix, with its bound if the options ask for one.
    fn finished(&self, a: &Entries<'_>, found: &Triangular) -> Result<RealDeterminant, LinalgError> {
        let value = if found.pivots.len() < self.order { Scaled::ZERO } else { product(&found.pivots) };
        if !value.mantissa.is_finite() {
            let step = found.pivots.iter().position(|pivot| !pivot.is_finite()).unwrap_or(self.order);
            return Err(LinalgError::Overflow { step });
        }
        if !self.options.bound {
            return Ok(RealDeterminant { value, error_bound: None });
        }
        checkpoint()?;
        let device = match self.device.executor() {
            Executor::OpenCl(cl) => Some((self.device, cl)),
            Executor::Host(_) => None,
        };
        let workers = bound::Workers { team: self.team, device };
        let error_bound = bound::error_bound(workers, &a.words()?, self.order, found.factors.as_ref(), value)?;
        Ok(RealDeterminant { value, error_bound: Some(error_bound) })
    }
}
