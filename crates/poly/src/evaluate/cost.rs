//! What a value costs, and how large its blocks are.

use std::fmt;

use manycore_field::Arithmetic;
use manycore_model::{Blocks, Costed, DoesNotFit, Kernel, Machine, Operation, Program};

use super::{device, host};
use crate::ring::product_price;

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

/// The value of a polynomial at a point, for the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Evaluation {
    /// Whether it is made on the host.
    pub on_host: bool,
    /// How kernels compute.
    pub arithmetic: Arithmetic,
}

/// Seconds of a product that waits for the one before, on the host beside a device.
const CHAINED_SECONDS: f64 = 5e-9;
/// Multiply-adds of 32-bit words that a coefficient takes as long as on the host.
const HOST_OPERATIONS: u64 = 2;

impl Costed for Evaluation {
    type Size = usize;
    type Parameters = Blocking;

    fn name(&self) -> &'static str {
        "evaluation"
    }

    fn candidates(&self, _: &usize, _: &Machine) -> Vec<Blocking> {
        if self.on_host {
            return vec![Blocking { log_block: host::LOG_BLOCK }];
        }
        (6..=14).map(|log_block| Blocking { log_block }).collect()
    }

    fn program(&self, &n: &usize, blocking: &Blocking, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        let block = 1u64 << blocking.log_block;
        let blocks = (n as u64).div_ceil(block).max(1);
        let word = if self.arithmetic == Arithmetic::Word32 { 4 } else { 8 };
        if self.on_host {
            let tasks = if n <= host::SERIAL { 1 } else { u64::from(machine.processors.max(1)) };
            let each = (n as u64).div_ceil(tasks).max(1);
            let operations = each * HOST_OPERATIONS * u64::from(word / 4);
            let kernel = Kernel::new("evaluate", 1)
                .blocks(Blocks::even(tasks, 1, operations, each, 0))
                .word_bytes(word)
                .traffic_words(n as u64)
                .footprint_bytes(n as u64 * u64::from(word));
            program.queue(if tasks == 1 { kernel.fused() } else { kernel })?;
            return Ok(program);
        }
        let (operation, price) = product_price(self.arithmetic);
        let log_group =
            device::log_group(blocking.log_block, machine.block_threads as usize, machine.block_threads > 64);
        let items = 1u32 << log_group;
        let terms = block.div_ceil(u64::from(items));
        program.queue(
            Kernel::new("project", items)
                .blocks(Blocks::even(blocks, items, terms * (price + 2) + 8 * u64::from(log_group), 2 * terms, 1))
                .operation(operation)
                .word_bytes(word)
                .local_words(u64::from(items))
                .local_accesses(4)
                .traffic_words(n as u64 + 2 * blocks)
                .footprint_bytes(n as u64 * u64::from(word)),
        )?;
        // The powers before and the values after, one after the other on the host: as operations of one thread.
        let seconds = (block + blocks) as f64 * CHAINED_SECONDS;
        let operations = (seconds / machine.step_seconds(1, Operation::Int32)).max(1.0) as u64;
        program.queue(Kernel::new("on the host", 1).blocks(Blocks::even(1, 1, operations, 0, 0)).fused())?;
        Ok(program)
    }
}
