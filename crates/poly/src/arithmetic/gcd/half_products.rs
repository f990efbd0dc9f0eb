//! The products of a step of half-gcd: by the ring's products, or on the host by spectra that several products share. The less
//! estimate decides.

use manycore_model::{Blocks, DoesNotFit, Estimate, Kernel, Machine, Program};
use manycore_ntt::cost::Operations;

use super::sums::Sums;
use crate::arithmetic::multiply::transform::error::ProductError;
use crate::error::PolyError;
use crate::poly::PolyField;
use crate::ring::PolyRing;

impl<F: PolyField> PolyRing<F> {
    /// The base-2 logarithm of the transforms by which sums are made, if they are made by spectra.
    pub(super) fn spectra_route(&self, sums: &Sums) -> Result<Option<u32>, PolyError> {
        let log_len = sums.log_len();
        if !self.planner().on_host() || self.field().two_adicity() < log_len {
            return Ok(None);
        }
        let route = self.gcds.sums.0.get_typed(*sums, || {
            let machine = self.machine();
            let by_spectra = self.by_spectra(sums, machine).map_err(fits)?;
            let is_less = by_spectra.seconds <= self.by_products(sums, machine).map_err(fits)?.seconds;
            Ok::<_, PolyError>((is_less.then_some(log_len), true))
        })?;
        Ok(*route)
    }

    /// The estimate of sums by the route that is taken.
    pub(super) fn sums_estimate(&self, sums: &Sums, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        match self.spectra_route(sums).map_err(|error| DoesNotFit::Parameter { reason: error.to_string() })? {
            Some(_) => self.by_spectra(sums, machine),
            None => self.by_products(sums, machine),
        }
    }

    fn by_spectra(&self, sums: &Sums, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        self.spectra_estimate((sums.transforms, sums.shape.count / 2), sums.log_len(), machine)
    }

    /// Products, the rows that they are made of, and their sums.
    fn by_products(&self, sums: &Sums, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        let shape = &sums.shape;
        let told = |error: PolyError| DoesNotFit::Parameter { reason: error.to_string() };
        let product = self.product_estimate(shape, machine).map_err(told)?;
        let (count, word_bytes) = (shape.count as u64, size_of::<F::Element>() as u32);
        let mut program = Program::new();
        let mut pass = |name, words: u64, reads: u64, operations: Operations, round_trips| {
            let bytes = words.saturating_mul((reads + 1) * u64::from(word_bytes));
            let kernel = if self.planner().on_host() {
                Kernel::new(name, 1)
                    .blocks(Blocks::even(
                        1,
                        1,
                        operations.of_one_kind(machine).max(1),
                        words.saturating_mul(reads),
                        words,
                    ))
                    .operation(operations.kind())
                    .fused()
            } else {
                let share = operations.shared(words.max(1)).of_one_kind(machine).max(1);
                Kernel::new(name, 256)
                    .blocks(Blocks::even(words.div_ceil(256), 256, share, reads, 1))
                    .operation(operations.kind())
                    .round_trips(round_trips)
            };
            program.queue(kernel.word_bytes(word_bytes).footprint_bytes(bytes))
        };
        let (a, b) = (count.saturating_mul(shape.n as u64), count.saturating_mul(shape.m as u64));
        pass("transition_arrange", a, 1, Operations::int32(a), 0)?;
        pass("transition_arrange", b, 1, Operations::int32(b), 0)?;
        let added = (count / 2).saturating_mul(shape.len as u64);
        pass("transition_add", added, 2, self.on_host().additions(added), sums.round_trips)?;
        Ok(product.then(machine.estimate(&program)?))
    }
}

/// An estimate that could not be made.
fn fits(error: DoesNotFit) -> PolyError {
    PolyError::Transform(ProductError::Fits(error))
}
