//! Steps on OpenCL devices: their counts, and the operations of a step that wait for each other.

use manycore_field::Arithmetic;
use manycore_model::{Blocks, DoesNotFit, Estimate, Kernel, Machine, Program};
use manycore_ntt::cost::{Operations, SumCounts};
use manycore_tuning::Costed;

use super::words;
use crate::arithmetic::gcd::plan::{GcdPlan, GcdShape, Packing, Segments};

/// Greatest common divisors on an OpenCL device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnDevice {
    /// The arithmetic of the kernels.
    pub arithmetic: Arithmetic,
    /// Whether steps reduce after Montgomery.
    pub montgomery: bool,
    /// Products that kernels add between two foldings.
    pub sum_terms: u32,
    /// Items of a group, at most.
    pub group_limit: usize,
    /// Bytes of local memory of a group, at most.
    pub local_bytes: usize,
    /// Groups that run at the same time for sure.
    pub groups_at_once: u64,
    /// The only parameters, on devices that are never tuned.
    pub only: Option<(Segments, Packing)>,
}

/// Operations of a step that wait for each other: three comparisons of the first coefficients and lengths, the choice of the
/// target, its place and the other one's, the other one's sign changed, the loop's comparison and its length's; two words of a
/// product, two of a second one and a sum, Montgomery's or Barrett's two products with two words each, a difference, a
/// correction; the new lengths.
const CHAIN: u64 = 20;
/// Reads of local memory that wait for each other: the first coefficients, then the item's own.
const READS: u64 = 2;
/// Parts into which a chain of launches is cut to count it: those within a part count alike.
const PARTS: u64 = 16;

impl OnDevice {
    const fn word_bytes(&self) -> u32 {
        match self.arithmetic {
            Arithmetic::Word32 => 4,
            _ => 8,
        }
    }

    /// A coefficient of a step.
    fn coefficient(&self) -> Operations {
        match self.arithmetic {
            // Both words of two products and of the multiple of p, its low word, a difference, a sum, a minimum.
            Arithmetic::Word32 if self.montgomery => Operations::int32(2 * 2 + 2 + 3),
            Arithmetic::Word64 { .. } if self.montgomery => Operations::long(2 * 2 + 2, 4 + 3),
            _ => {
                let counts = SumCounts::of(self.arithmetic, self.sum_terms);
                counts.four.shared(2).plus(counts.residue)
            }
        }
    }

    fn packings(&self, shape: &GcdShape) -> Vec<Packing> {
        let limits = (self.group_limit, self.local_bytes, self.word_bytes() as usize);
        let fits = |packing: &Packing| packing.fault(shape.longest(), limits.0, limits.1, limits.2).is_none();
        if let Some((_, packing)) = self.only {
            return std::iter::once(packing).filter(fits).collect();
        }
        let most = shape.count.max(1).ilog2();
        let packs = |log_group: u32| (0..=most.min(log_group - 2)).map(move |log_pack| Packing { log_group, log_pack });
        // No more items than coefficients, and not many more coefficients than items.
        let suits = |packing: &Packing| {
            let lanes = 1usize << (packing.log_group - packing.log_pack);
            lanes <= shape.longest().max(32) && shape.longest() <= 64 * lanes
        };
        (5..=10).flat_map(packs).filter(suits).filter(fits).collect()
    }

    fn segments(&self) -> Vec<Segments> {
        if let Some((segments, _)) = self.only {
            return vec![segments];
        }
        let limits = (self.group_limit, self.local_bytes, self.word_bytes() as usize);
        let mut found = Vec::new();
        for steps in [32u32, 64, 128, 256] {
            for width in [2 * steps, 6 * steps, 14 * steps] {
                // An item has two, four or eight cells of each polynomial.
                for cells in [2, 4, 8] {
                    let group = (2 * steps + width) / cells;
                    let segments = Segments { steps, width, group, persistent: false };
                    if group >= 32 && segments.fault(limits.0, limits.1, limits.2).is_none() {
                        found.push(segments);
                    }
                }
            }
        }
        found
    }

    /// All steps of pairs in local memory.
    fn local(&self, shape: &GcdShape, packing: Packing, machine: &Machine) -> Result<Kernel, DoesNotFit> {
        let lanes = 1u64 << packing.log_group.saturating_sub(packing.log_pack);
        let (n, m) = (shape.n as u64, shape.m as u64);
        // A step goes through the longer one; half a turn of the items is not filled.
        let all = (n.saturating_mul(n).saturating_add(m.saturating_mul(m)) / 2).max(1);
        let turns = all.div_ceil(lanes).saturating_add(shape.steps() / 2);
        let operations = self.coefficient().times(turns).of_one_kind(machine).max(1);
        let groups = (shape.count as u64).div_ceil(1 << packing.log_pack).max(1);
        let items = 1u32 << packing.log_group;
        let local_words =
            packing.local_words(shape.longest()).ok_or(DoesNotFit::Overflow { quantity: "local memory" })?;
        Ok(Kernel::new("gcd_batch", items)
            .blocks(Blocks::even(groups, items, operations, (n + m).div_ceil(lanes), n.max(m).div_ceil(lanes)))
            .operation(self.coefficient().kind())
            .word_bytes(self.word_bytes())
            .local_words(local_words)
            // Two coefficients are read, one is written; the first ones are read at each step.
            .local_accesses(turns.saturating_mul(3).saturating_add(shape.steps().saturating_mul(2)))
            .traffic_words(words(shape))
            .footprint_bytes(words(shape).saturating_mul(self.word_bytes().into()))
            .round_trips(1))
    }

    /// A launch of a chain, for polynomials that are still so long.
    fn launch(&self, segments: &Segments, longest: u64, machine: &Machine) -> Kernel {
        let (steps, width) = (u64::from(segments.steps), u64::from(segments.width));
        let groups = longest.div_ceil(width).max(1);
        let cells = 2 * steps + width;
        let turns = cells.div_ceil(segments.group.max(1).into());
        // The cells that are left become fewer by one a step.
        let mean = (cells - steps / 2).div_ceil(segments.group.max(1).into()).saturating_mul(steps);
        let operations = self.coefficient().times(mean).of_one_kind(machine).max(1);
        let moved = groups.saturating_mul(2 * cells + 2 * width);
        Kernel::new("gcd_steps", segments.group)
            .blocks(Blocks::even(groups, segments.group, operations, 2 * turns, 2 * turns))
            .operation(self.coefficient().kind())
            .word_bytes(self.word_bytes())
            .local_words(segments.local_words())
            .local_accesses(mean.saturating_mul(3).saturating_add(2 * steps + 4 * turns))
            .traffic_words(moved)
            .footprint_bytes(longest.saturating_mul(4 * u64::from(self.word_bytes())))
    }

    /// The launches of a chain in parts: a launch of each part, and how many there are.
    fn chain(&self, shape: &GcdShape, segments: &Segments, machine: &Machine) -> Vec<(Kernel, u64)> {
        let launches = shape.steps().div_ceil(segments.steps.max(1).into()).max(1);
        let part = launches.div_ceil(PARTS);
        let whole = shape.longest() as u64;
        let mut found = Vec::new();
        let mut first = 0;
        while first < launches {
            let count = part.min(launches - first);
            // Both polynomials become shorter alike.
            let longest = whole - (u128::from(whole) * u128::from(first) / u128::from(launches)) as u64;
            let kernel = self.launch(segments, longest.max(1), machine);
            // Rounds of one persistent launch: the first round counts the launch.
            if segments.persistent && first == 0 {
                found.push((kernel.clone(), 1));
                first = 1;
                continue;
            }
            let kernel = if segments.persistent { kernel.fused() } else { kernel };
            found.push((kernel, count));
            first += count;
        }
        found
    }

    /// Seconds of steps that wait for each other: chains of operations and of reads, and a barrier of the `group` that ends each.
    pub(in crate::arithmetic::gcd) fn latency(steps: u64, group: u32, machine: &Machine) -> f64 {
        let chain = CHAIN as f64 * machine.operation_latency_seconds + READS as f64 * machine.local_latency_seconds();
        steps as f64 * (chain + machine.barrier_seconds(group))
    }
}

/// The estimate of launches whose steps end with barriers: of each step's work, which the roofline counts, the last has to pass
/// the whole chain before the next step begins.
pub(in crate::arithmetic::gcd) fn with_latency(mut estimate: Estimate, latency: f64) -> Estimate {
    for kernel in &mut estimate.kernels {
        kernel.arithmetic += latency;
        kernel.seconds += latency;
        estimate.seconds += latency;
    }
    estimate
}

/// The items of a plan's groups, which wait for each other at the end of a step.
fn group_of(plan: &GcdPlan) -> u32 {
    match plan {
        GcdPlan::Local(packing) => 1 << packing.log_group,
        GcdPlan::Steps(segments) | GcdPlan::DivisionSteps(segments) => segments.group,
        GcdPlan::Euclid | GcdPlan::Half { .. } => 1,
    }
}

impl Costed for OnDevice {
    type Size = GcdShape;
    type Parameters = GcdPlan;

    fn name(&self) -> &'static str {
        "gcd"
    }

    fn candidates(&self, shape: &GcdShape, _: &Machine) -> Vec<GcdPlan> {
        let local: Vec<GcdPlan> = self.packings(shape).into_iter().map(GcdPlan::Local).collect();
        // Many pairs are taken one by one only where none fits local memory.
        if shape.count > 1 && !local.is_empty() {
            return local;
        }
        let segments = self.segments();
        // Groups that wait for each other must run at the same time.
        let at_once = |segments: &&Segments| {
            self.only.is_none() && (shape.longest() as u64).div_ceil(segments.width.into()) <= self.groups_at_once
        };
        let persistent = segments.iter().filter(at_once).map(|&segments| Segments { persistent: true, ..segments });
        let steps = persistent.chain(segments.iter().copied()).map(GcdPlan::Steps);
        // Of division steps those with as many coefficients for the groups as the others have in the middle.
        let some = segments.iter().copied().filter(|segments| segments.width == 6 * segments.steps);
        local.into_iter().chain(steps).chain(some.map(GcdPlan::DivisionSteps)).collect()
    }

    fn program(&self, shape: &GcdShape, plan: &GcdPlan, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        match plan {
            GcdPlan::Local(packing) => {
                program.queue(self.local(shape, *packing, machine)?)?;
            }
            GcdPlan::Steps(segments) | GcdPlan::DivisionSteps(segments) => {
                for (kernel, count) in self.chain(shape, segments, machine) {
                    for _ in 0..count.saturating_mul(shape.count as u64) {
                        program.queue(kernel.clone())?;
                    }
                }
            }
            GcdPlan::Euclid | GcdPlan::Half { .. } => {
                return Err(DoesNotFit::Parameter { reason: format!("{plan}: not by kernels of steps") });
            }
        }
        Ok(program)
    }

    /// Steps wait for each other, which counts where it takes longer than their operations.
    fn estimate(&self, shape: &GcdShape, plan: &GcdPlan, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        let (GcdPlan::Steps(segments) | GcdPlan::DivisionSteps(segments)) = plan else {
            let estimate = machine.estimate(&self.program(shape, plan, machine)?)?;
            let group = group_of(plan);
            return Ok(with_latency(estimate, Self::latency(shape.steps(), group, machine)));
        };
        let latency = Self::latency(segments.steps.into(), segments.group, machine);
        let mut all = Estimate::default();
        for (kernel, count) in self.chain(shape, segments, machine) {
            let mut program = Program::new();
            program.queue(kernel)?;
            let one = with_latency(machine.estimate(&program)?, latency);
            all = all.then(one.times(count.saturating_mul(shape.count.max(1) as u64)));
        }
        // The state is written before and read after it, and the leading coefficient.
        let trips = 3.0 * machine.round_trip_seconds * shape.count.max(1) as f64;
        all.seconds += trips;
        all.floor_seconds += trips;
        all.theorem_seconds += trips;
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use manycore_tuning::choose;

    use super::*;

    fn on_gpu() -> OnDevice {
        OnDevice {
            arithmetic: Arithmetic::Word32,
            montgomery: true,
            sum_terms: 4,
            group_limit: 1024,
            local_bytes: 48 << 10,
            groups_at_once: 132,
            only: None,
        }
    }

    /// Estimates of a chain are those of its launches, all of them.
    #[test]
    fn chains_are_counted_launch_by_launch() {
        let (device, machine) = (on_gpu(), Machine::known("NVIDIA H200").unwrap());
        let machine = Machine { operation_latency_seconds: 0.0, round_trip_seconds: 0.0, ..machine };
        let shape = GcdShape { count: 1, n: 5000, m: 4000 };
        let plan = GcdPlan::Steps(Segments { steps: 64, width: 384, group: 128, persistent: false });
        let one_by_one = machine.estimate(&device.program(&shape, &plan, &machine).unwrap()).unwrap();
        let in_parts = device.estimate(&shape, &plan, &machine).unwrap();
        assert_eq!((one_by_one.launches, in_parts.launches), (8999_u64.div_ceil(64), 8999_u64.div_ceil(64)));
        assert!((one_by_one.seconds / in_parts.seconds - 1.0).abs() < 1e-9);
    }

    #[test]
    fn candidates_are_few_and_fit() {
        let (device, machine) = (on_gpu(), Machine::known("NVIDIA H200").unwrap());
        for (count, n, m) in [(1, 2, 2), (1, 1000, 999), (1, 4000, 10), (1, 1 << 20, 1 << 20), (10_000, 65, 65)] {
            let choice = choose(&device, &GcdShape { count, n, m }, &machine).unwrap();
            assert!((1..=96).contains(&choice.candidates().len()), "{}", choice.candidates().len());
            assert!(choice.refused.is_empty(), "{choice}");
        }
    }

    /// A short pair, and many of them, take one launch; long ones do not fit a group's memory.
    #[test]
    fn short_polynomials_take_one_launch() {
        let (device, machine) = (on_gpu(), Machine::known("NVIDIA H200").unwrap());
        let best =
            |count, n| choose(&device, &GcdShape { count, n, m: n }, &machine).unwrap().best().parameters.clone();
        assert!(matches!(best(1, 100), GcdPlan::Local(_)));
        assert!(matches!(best(10_000, 65), GcdPlan::Local(_)));
        assert!(matches!(best(1, 1 << 16), GcdPlan::Steps(_) | GcdPlan::DivisionSteps(_)));
    }
}
