//! Euclid's algorithm on the host: its counts.

use manycore_field::Goldilocks;
use manycore_model::{Blocks, DoesNotFit, Kernel, Machine, Program};
use manycore_ntt::cost::Operations;
use manycore_tuning::Costed;

use super::words;
use crate::arithmetic::gcd::plan::{GcdPlan, GcdShape};
use crate::host::BLOCK;

/// Greatest common divisors on the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OnHost {
    /// Bytes of a coefficient's word.
    pub word_bytes: u32,
    /// The modulus.
    pub order: u64,
}

impl OnHost {
    /// Coefficients that Euclid's algorithm sets in a pair whose quotients have degree 1 but for the first, each by two
    /// products at least.
    fn coefficients(shape: &GcdShape) -> u64 {
        let (long, short) = (shape.n.max(shape.m) as u64, shape.n.min(shape.m) as u64);
        let first = (long - short + 1).saturating_mul(short);
        first.saturating_add(short.saturating_mul(short) / 2)
    }

    /// Products of all pairs, for profiles.
    pub(in crate::arithmetic::gcd) fn products(shape: &GcdShape) -> u64 {
        Self::coefficients(shape).saturating_mul(2).saturating_mul(shape.count as u64)
    }

    /// Whether a step needs no division (`../../host/cross.rs`).
    const fn is_fraction_free(&self) -> bool {
        self.word_bytes == 4 && self.order > 2 && self.order <= (u32::MAX / 3) as u64
    }

    /// A coefficient of a remainder.
    const fn coefficient(&self) -> Operations {
        match self.word_bytes {
            // Three products that are added, in lanes of 64 bits, and Montgomery's reduction: two products, a difference, a
            // sum, a minimum.
            4 if self.is_fraction_free() => Operations::int32(2 * 3 + 2 * 5),
            // Two products by constants of three products each, with a correction and a difference.
            4 => Operations::int32(2 * (3 + 4)),
            // Products of two words with a sum and eight operations of the reduction, and a difference.
            _ if self.order == Goldilocks::MODULUS => Operations::scalar(2 * (2 + 8 + 3)),
            _ => Operations::scalar(2 * (3 + 4)),
        }
    }

    /// What a remainder takes beside its coefficients: six products, or Euclid's algorithm of the words, whose steps are
    /// about 0.58 for each bit, of a division, two products and two differences.
    const fn remainder(&self) -> Operations {
        if self.is_fraction_free() {
            return Operations::scalar(6 * 4);
        }
        let bits = (u64::BITS - self.order.leading_zeros()) as u64;
        Operations::scalar(bits * 58 / 100 * 5)
    }

    /// A transition to quotients of degree `k` together, each of degree 1, for a pair of this degree: of the remainders the
    /// coefficients that later ones depend on, and both factors.
    pub(in crate::arithmetic::gcd) fn transition(&self, degree: usize, k: usize) -> Operations {
        let (degree, k) = (degree as u64, k as u64);
        let heads = if degree >= 2 * k { k.saturating_mul(k) } else { k.saturating_mul(degree - k / 2) };
        let sides = k.saturating_mul(k + 1);
        // The last block of either is half full on average.
        let filled = k.saturating_mul(BLOCK as u64);
        self.coefficient().times(heads.saturating_add(sides).saturating_add(filled)).plus(self.remainder().times(k))
    }

    fn all(&self, shape: &GcdShape) -> Operations {
        let remainders = shape.n.min(shape.m) as u64;
        let one = self.coefficient().times(Self::coefficients(shape)).plus(self.remainder().times(remainders));
        one.times(shape.count as u64)
    }

    fn bytes(&self, shape: &GcdShape) -> u64 {
        words(shape).saturating_mul(self.word_bytes.into())
    }

    /// Whether the calling thread takes all of them alone.
    pub(in crate::arithmetic::gcd) fn suits_one(&self, shape: &GcdShape, machine: &Machine) -> bool {
        shape.count == 1 || self.all(shape).suit_one_processor(self.bytes(shape), machine)
    }
}

impl Costed for OnHost {
    type Size = GcdShape;
    type Parameters = GcdPlan;

    fn name(&self) -> &'static str {
        "gcd"
    }

    fn candidates(&self, _: &GcdShape, _: &Machine) -> Vec<GcdPlan> {
        vec![GcdPlan::Euclid]
    }

    fn program(&self, shape: &GcdShape, plan: &GcdPlan, machine: &Machine) -> Result<Program, DoesNotFit> {
        if *plan != GcdPlan::Euclid {
            return Err(DoesNotFit::Parameter { reason: format!("{plan}: not on the host") });
        }
        let alone = self.suits_one(shape, machine);
        let tasks = if alone { 1 } else { u64::from(machine.processors.max(1)) };
        let share = self.all(shape).shared(tasks);
        let moved = words(shape);
        let kernel = Kernel::new("gcd_euclid", 1)
            .blocks(Blocks::even(tasks, 1, share.of_one_kind(machine).max(1), (moved / tasks).max(1), 1))
            .operation(share.kind())
            .word_bytes(self.word_bytes)
            .traffic_words(moved)
            .footprint_bytes(self.bytes(shape));
        let mut program = Program::new();
        program.queue(if alone { kernel.fused() } else { kernel })?;
        Ok(program)
    }
}
