//! Counts of an evaluation at a point, and the size of its blocks.

use std::fmt;

use manycore_field::Arithmetic;
use manycore_model::{Blocks, DoesNotFit, Estimate, Kernel, KernelEstimate, Machine, Program, Residency};
use manycore_ntt::cost::{Operations, SumCounts};
use manycore_tuning::{Costed, Plans};

/// Coefficients of a block on the host: their powers and they themselves stay in the nearest cache.
pub(super) const LOG_BLOCK: u32 = 8;

/// The base-2 logarithm of a group's items: each takes a few terms of a block.
pub(super) fn log_group(log_block: u32, group_limit: usize) -> u32 {
    log_block.saturating_sub(2).clamp(3, 8).min(group_limit.max(1).ilog2())
}

/// How coefficients are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Blocking {
    /// The base-2 logarithm of the coefficients of a block.
    pub log_block: u32,
}

impl fmt::Display for Blocking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "blocks of 2^{}", self.log_block)
    }
}

/// The blocks that are taken, by the number of coefficients; nothing is locked while a choice is made.
#[derive(Debug)]
pub(crate) struct Blockings(pub(super) Plans<usize, Blocking>);

impl Default for Blockings {
    fn default() -> Self {
        Self(Plans::at_most(1 << 10))
    }
}

/// The value of a polynomial at a point.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The arithmetic of the kernels.
    pub arithmetic: Arithmetic,
    /// Products that kernels add between two foldings.
    pub sum_terms: u32,
    /// Where it is made.
    pub place: Place,
}

/// Where a value is made.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// On the host.
    Host,
    /// On an OpenCL device, with the powers of the point and the values of the blocks on the host beside it.
    Device {
        /// Items of a group, at most.
        group_limit: usize,
        /// The host.
        host: Box<Machine>,
    },
}

impl Evaluation {
    /// Operations of a coefficient on the host: a product that is added to a sum.
    fn host_product(&self) -> Operations {
        if self.arithmetic == Arithmetic::Word32 { Operations::int32(2) } else { Operations::scalar(4) }
    }

    fn word_bytes(&self) -> u32 {
        if self.arithmetic == Arithmetic::Word32 { 4 } else { 8 }
    }

    fn on_host(&self, n: u64, machine: &Machine) -> Result<Program, DoesNotFit> {
        let (operations, word) = (self.host_product().times(n), self.word_bytes());
        let bytes = n.saturating_mul(word.into());
        let alone = operations.suit_one_processor(bytes, machine);
        let tasks = if alone { 1 } else { u64::from(machine.processors.max(1)) };
        let share = operations.shared(tasks).of_one_kind(machine);
        let kernel = Kernel::new("evaluate", 1)
            .blocks(Blocks::even(tasks, 1, share, n.div_ceil(tasks).max(1), 0))
            .operation(operations.kind())
            .word_bytes(word)
            .traffic_words(n)
            .footprint_bytes(bytes);
        let mut program = Program::new();
        program.queue(if alone { kernel.fused() } else { kernel })?;
        Ok(program)
    }
}

impl Costed for Evaluation {
    type Size = usize;
    type Parameters = Blocking;

    fn name(&self) -> &'static str {
        "evaluation"
    }

    fn candidates(&self, _: &usize, _: &Machine) -> Vec<Blocking> {
        match self.place {
            Place::Host => vec![Blocking { log_block: LOG_BLOCK }],
            Place::Device { .. } => (6..=14).map(|log_block| Blocking { log_block }).collect(),
        }
    }

    fn program(&self, &n: &usize, blocking: &Blocking, machine: &Machine) -> Result<Program, DoesNotFit> {
        let n = n as u64;
        let Place::Device { group_limit, .. } = self.place else { return self.on_host(n, machine) };
        let (block, word) = (1u64 << blocking.log_block, self.word_bytes());
        let blocks = n.div_ceil(block).max(1);
        let log_group = log_group(blocking.log_block, group_limit);
        let items = 1u32 << log_group;
        let terms = block.div_ceil(u64::from(items));
        let counts = SumCounts::of(self.arithmetic, self.sum_terms);
        let operations = counts.products(terms).plus(counts.residue).plus(counts.addition.times(log_group.into()));
        let mut program = Program::new();
        program.queue(
            Kernel::new("project", items)
                .blocks(Blocks::even(blocks, items, operations.of_one_kind(machine), 2 * terms, 1))
                .operation(operations.kind())
                .word_bytes(word)
                .local_words(u64::from(items))
                // A group's sum is halved again and again.
                .local_accesses(2)
                .traffic_words(n.saturating_add(2 * blocks))
                .footprint_bytes(n.saturating_mul(word.into()))
                // The powers go there, and the sums come back.
                .round_trips(2),
        )?;
        Ok(program)
    }

    fn estimate(&self, n: &usize, blocking: &Blocking, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        let mut estimate = machine.estimate(&self.program(n, blocking, machine)?)?;
        if let Place::Device { host, .. } = &self.place {
            // The powers before and the values after, one after the other by one thread.
            let products = (1u64 << blocking.log_block).saturating_add((*n as u64) >> blocking.log_block);
            let one = Operations::scalar(8).times(products).seconds(host);
            let seconds = one * f64::from(host.processors);
            let name = "on the host".to_owned();
            let counted = Residency::default();
            let own =
                KernelEstimate { name, launch: 0.0, memory: 0.0, local: 0.0, arithmetic: seconds, seconds, counted };
            estimate.seconds += seconds;
            estimate.floor_seconds += seconds;
            estimate.theorem_seconds += seconds;
            estimate.kernels.push(own);
        }
        Ok(estimate)
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use manycore_tuning::choose;

    use super::*;

    /// About as many blocks as each has coefficients.
    #[test]
    fn blocks_are_near_the_root() {
        let place = Place::Device { group_limit: 1024, host: Box::new(Device::host().typical_machine()) };
        let evaluation = Evaluation { arithmetic: Arithmetic::Word32, sum_terms: 4, place };
        let h200 = Machine::known("NVIDIA H200").unwrap();
        for log_n in [16, 20, 24] {
            let choice = choose(&evaluation, &(1usize << log_n), &h200).unwrap();
            let log_block = choice.best().parameters.log_block;
            assert!((log_n / 2 - 2..=log_n / 2 + 2).contains(&log_block), "2^{log_n}: {choice}");
        }
        assert!(choose(&evaluation, &(1 << 62), &h200).unwrap().best().estimate.seconds > 1.0);
    }
}
