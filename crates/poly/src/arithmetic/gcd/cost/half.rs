//! Counts of half-gcd: the transitions and the products of a pair whose quotients have degree 1, each product as its own choice says.

use std::collections::BTreeMap;

use manycore_device::{DeviceKind, Executor};
use manycore_model::{Blocks, DoesNotFit, Estimate, Kernel, Machine, Program};
use manycore_ntt::cost::SumCounts;
use manycore_tuning::Costed;

use super::OnHost;
use super::device::{OnDevice, with_latency};
use crate::arithmetic::gcd::half::{first_degree, half_degree};
use crate::arithmetic::gcd::plan::{GcdPlan, GcdShape};
use crate::arithmetic::gcd::sums::Sums;
use crate::arithmetic::gcd::transition::{HOST_BASES, device};
use crate::error::PolyError;
use crate::poly::PolyField;
use crate::ring::PolyRing;

/// Sizes of transitions of a GPU that are candidates, from the largest down.
const DEVICE_BASES: usize = 3;

/// Greatest common divisors by what the device has, and by half-gcd.
#[derive(Debug)]
pub(in crate::arithmetic::gcd) struct WithHalf<'a, D, F: PolyField> {
    pub(in crate::arithmetic::gcd) others: D,
    pub(in crate::arithmetic::gcd) ring: &'a PolyRing<F>,
}

/// A part of a half-gcd; matrices and polynomials by their degrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::arithmetic::gcd) enum Part {
    /// The quotients of a pair of this degree whose degrees add up to `k`.
    Transition { degree: usize, k: usize },
    /// A matrix times a pair: the coefficients of the next one from `low` on.
    Apply { matrix: usize, pair: usize, low: usize },
    /// A product of matrices.
    Multiply { left: usize, right: usize },
}

/// The parts of a greatest common divisor of polynomials with the longer one of degree `degree`, and how often each comes, where all
/// quotients have degree 1.
fn parts(degree: usize, base: usize) -> BTreeMap<Part, u64> {
    let base = base.max(1);
    let mut found = BTreeMap::new();
    let mut halves = BTreeMap::new();
    let mut degree = degree;
    while degree > base {
        let k = first_degree(degree);
        *halves.entry(k).or_insert(0u64) += 1;
        *found.entry(Part::Apply { matrix: k, pair: degree, low: 0 }).or_insert(0) += 1;
        degree -= k;
    }
    found.insert(Part::Transition { degree, k: degree }, 1);
    while let Some((k, count)) = halves.pop_last() {
        let mut count_part = |part| *found.entry(part).or_insert(0) += count;
        if k <= base {
            count_part(Part::Transition { degree: 2 * k, k });
            continue;
        }
        let first = half_degree(k);
        count_part(Part::Apply { matrix: first, pair: 2 * k, low: first });
        count_part(Part::Multiply { left: k - first, right: first });
        for part in [first, k - first] {
            *halves.entry(part).or_insert(0) += count;
        }
    }
    found
}

impl<D, F: PolyField> WithHalf<'_, D, F> {
    /// The degrees up to which a half-gcd may be a transition: below the polynomials', so that there is something to halve.
    fn bases(&self, shape: &GcdShape) -> Vec<usize> {
        let bases = match self.ring.device().executor() {
            Executor::Host(_) => HOST_BASES.to_vec(),
            Executor::OpenCl(cl) => {
                let Ok(most) = self.ring.longest_transition() else { return Vec::new() };
                let count = if cl.info().kind == DeviceKind::Gpu { DEVICE_BASES } else { 1 };
                (0..count).map(|i| most >> i).collect()
            }
        };
        bases.into_iter().filter(|&base| base > 0 && base < shape.longest() / 2).collect()
    }

    /// A transition.
    fn transition(&self, degree: usize, k: usize, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        let (ring, words) = (self.ring, (2 * degree + 4 * k) as u64);
        let word_bytes = size_of::<F::Element>() as u32;
        let mut program = Program::new();
        match ring.device().executor() {
            Executor::Host(_) => {
                let host = OnHost { word_bytes, order: ring.field().order() };
                let operations = host.transition(degree, k);
                let kernel = Kernel::new("gcd_transition", 1)
                    .blocks(Blocks::even(1, 1, operations.of_one_kind(machine).max(1), words, words))
                    .operation(operations.kind());
                program.queue(kernel.word_bytes(word_bytes).footprint_bytes(words * u64::from(word_bytes)).fused())?;
                machine.estimate(&program)
            }
            Executor::OpenCl(cl) => {
                let no_fit = |error: PolyError| DoesNotFit::Parameter { reason: error.to_string() };
                let log_most = device::log_most::<F>(cl).map_err(no_fit)?;
                let group = 1u64 << device::log_group(cl, log_most);
                let counts = SumCounts::of(ring.arithmetic(), ring.sum_terms());
                let one = counts.four.shared(2).plus(counts.residue);
                // A quotient of degree 1 is two steps; a step goes through the heads and the sides, each with half a turn that is
                // not filled.
                let steps = 2 * k as u64;
                let turns = steps.saturating_mul((2 * k as u64).div_ceil(group) + 1);
                let kernel = Kernel::new("gcd_transition", group as u32)
                    .blocks(Blocks::even(
                        1,
                        group as u32,
                        one.times(turns).of_one_kind(machine).max(1),
                        words.div_ceil(group),
                        words.div_ceil(group),
                    ))
                    .operation(one.kind())
                    .word_bytes(word_bytes)
                    .local_words(device::local_words(log_most) as u64)
                    .local_accesses(turns.saturating_mul(3).saturating_add(2 * steps))
                    .round_trips(1);
                program.queue(kernel)?;
                let latency = OnDevice::latency(steps, group as u32, machine);
                Ok(with_latency(machine.estimate(&program)?, latency))
            }
        }
    }

    fn part(&self, part: Part, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        match part {
            Part::Transition { degree, k } => self.transition(degree, k, machine),
            Part::Apply { matrix, pair, low } => {
                let len = pair - matrix + 1;
                self.ring.sums_estimate(&Sums::apply(matrix, len, (low, len)), machine)
            }
            // The right one was applied before to a pair of twice as many coefficients.
            Part::Multiply { left, right } => {
                self.ring.sums_estimate(&Sums::multiply(left, right, self.ring.planner().on_host()), machine)
            }
        }
    }
}

impl<D: Costed<Size = GcdShape, Parameters = GcdPlan>, F: PolyField> Costed for WithHalf<'_, D, F> {
    type Size = GcdShape;
    type Parameters = GcdPlan;

    fn name(&self) -> &'static str {
        self.others.name()
    }

    fn candidates(&self, shape: &GcdShape, machine: &Machine) -> Vec<GcdPlan> {
        let mut found = self.others.candidates(shape, machine);
        // Many pairs are taken one by one only where none fits local memory.
        if shape.count <= 1 || !found.iter().any(|plan| matches!(plan, GcdPlan::Local(_))) {
            found.extend(self.bases(shape).into_iter().map(|base| GcdPlan::Half { base }));
        }
        found
    }

    /// The launches of the other algorithms; the products of half-gcd are programs of their own: see [`Costed::estimate`].
    fn program(&self, shape: &GcdShape, plan: &GcdPlan, machine: &Machine) -> Result<Program, DoesNotFit> {
        match plan {
            GcdPlan::Half { .. } => {
                Err(DoesNotFit::Parameter { reason: "its products are programs of their own".to_owned() })
            }
            plan => self.others.program(shape, plan, machine),
        }
    }

    fn estimate(&self, shape: &GcdShape, plan: &GcdPlan, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        let GcdPlan::Half { base } = *plan else { return self.others.estimate(shape, plan, machine) };
        let mut all = Estimate::default();
        for (part, count) in parts(shape.longest().saturating_sub(1), base) {
            all = all.then(self.part(part, machine)?.times(count));
        }
        Ok(all.times(shape.count as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The quotients of all transitions have the polynomial's degree together, and matrices grow to the degrees they are applied
    /// with.
    #[test]
    fn transitions_make_all_quotients() {
        for (degree, base) in [(1, 1), (7, 1), (100, 7), (1000, 64), (65_535, 128), (64, 64)] {
            let parts = parts(degree, base);
            let quotients: u64 = parts
                .iter()
                .map(|(part, count)| if let Part::Transition { k, .. } = part { *k as u64 * count } else { 0 })
                .sum();
            assert_eq!(quotients, degree as u64, "{degree} with {base}");
            let longest =
                parts.keys().filter_map(|part| if let Part::Transition { k, .. } = part { Some(*k) } else { None });
            assert!(longest.max() <= Some(base.max(1)));
        }
    }
}
