//! Microkernels of known cost: what a calibration is made of, in any size, to compare its predictions with measurements.

use std::fmt;

use manycore_model::{Blocks, DoesNotFit, Kernel, Machine, Operation, Program};

use crate::calibrate::{host, opencl};
use crate::device::{Device, Executor};
use crate::error::DeviceError;
use crate::info::DeviceKind;

/// A piece of work whose operations and words are known exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Microkernel {
    /// Moves `2^log_bytes` bytes: a copy on OpenCL devices, an update in place on the host; reads and writes of all count.
    Move {
        /// The base-2 logarithm of the bytes read, and of those written.
        log_bytes: u32,
    },
    /// Independent single-precision multiply-adds in registers: `rounds` rounds of [`Microkernel::ROUND_OPERATIONS`] for
    /// every item of `2^log_items`; on the host, lanes of vectors.
    MultiplyAdd {
        /// Rounds.
        rounds: u32,
        /// The base-2 logarithm of the items.
        log_items: u32,
    },
    /// Tiles of words that are loaded, exchanged `rounds` times through local memory, and stored. OpenCL devices only.
    Exchange {
        /// Exchanges of every word.
        rounds: u32,
        /// The base-2 logarithm of all words.
        log_words: u32,
    },
}

impl fmt::Display for Microkernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { log_bytes } => write!(f, "move 2^{log_bytes} bytes"),
            Self::MultiplyAdd { rounds, log_items } => {
                write!(f, "2^{log_items} items, {rounds} rounds of multiply-adds")
            }
            Self::Exchange { rounds, log_words } => write!(f, "2^{log_words} words, {rounds} exchanges"),
        }
    }
}

impl Microkernel {
    /// Multiply-adds of an item in a round.
    pub const ROUND_OPERATIONS: u64 = 128;

    /// The kernel as the model sees it.
    ///
    /// # Errors
    /// [`DoesNotFit`] for an exchange on the host, or where a group does not fit.
    pub fn program(&self, device: &Device, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        program.queue(match device.executor() {
            Executor::Host(_) => self.on_host(machine)?,
            Executor::OpenCl(cl) => self.on_device(opencl::group(cl.info()), cl.info().kind == DeviceKind::Cpu),
        })?;
        Ok(program)
    }

    fn on_host(&self, machine: &Machine) -> Result<Kernel, DoesNotFit> {
        let threads = u64::from(machine.processors).max(1);
        match *self {
            Self::Move { log_bytes } => {
                let words = (1u64 << log_bytes) / 4;
                let each = words.div_ceil(threads);
                // The additions are in the rates of memory and caches, which are those of updates.
                let kernel = Kernel::new("move", 1).blocks(Blocks::even(threads, 1, 0, each, each));
                Ok(kernel.traffic_words(2 * words).footprint_bytes(1 << log_bytes).owner_computes())
            }
            Self::MultiplyAdd { rounds, log_items } => {
                // A thread does whole sets of lanes, at least one.
                let lanes = host::lane_sets(log_items, threads) * host::LANES as u64;
                let blocks = Blocks::even(threads, 1, u64::from(rounds) * Self::ROUND_OPERATIONS * lanes, 0, 0);
                Ok(Kernel::new("multiply_add", 1).blocks(blocks).operation(Operation::F32))
            }
            Self::Exchange { .. } => {
                Err(DoesNotFit::Parameter { reason: "the host has no local memory to exchange words through".into() })
            }
        }
    }

    fn on_device(&self, group: usize, cpu: bool) -> Kernel {
        let threads = group as u32;
        match *self {
            Self::Move { log_bytes } => {
                // An item moves four blocks of 16 bytes.
                let groups = (1u64 << log_bytes).div_ceil(64 * group as u64);
                Kernel::new("move", threads)
                    .blocks(Blocks::even(groups, threads, 0, 16, 16))
                    .traffic_words((2u64 << log_bytes) / 4)
                    .footprint_bytes(2 << log_bytes)
                    // What it reads nobody writes.
                    .owner_computes()
            }
            Self::MultiplyAdd { rounds, log_items } => {
                let groups = (1u64 << log_items).div_ceil(group as u64);
                let operations = u64::from(rounds) * Self::ROUND_OPERATIONS;
                Kernel::new("multiply_add", threads)
                    .blocks(Blocks::even(groups, threads, operations, 0, 1))
                    .chains(8)
                    .operation(Operation::F32)
            }
            Self::Exchange { rounds, log_words } => {
                let each = opencl::TILE_WORDS as u64;
                let groups = (1u64 << log_words).div_ceil(each * group as u64);
                Kernel::new("exchange", threads)
                    .blocks(Blocks::even(groups, threads, u64::from(rounds) * each, each, each))
                    .local_words(each * group as u64)
                    .chains(opencl::TILE_WORDS as u32)
                    // While a CPU runs the other items of a group, an item's words lie in memory: once more than they move.
                    .local_accesses(2 * u64::from(rounds) * each + u64::from(cpu) * each)
                    .footprint_bytes(4 << log_words)
            }
        }
    }

    /// Seconds that it takes on `device`, in a row of its like: the median of several runs by the device's clock, on the host
    /// the least.
    ///
    /// # Errors
    /// [`DeviceError::OutOfMemory`] for too many bytes; [`DeviceError::Unsupported`] for an exchange on the host;
    /// [`DeviceError::Api`] when the device fails.
    pub fn measure(&self, device: &Device) -> Result<f64, DeviceError> {
        match device.executor() {
            Executor::Host(pool) => host::microkernel(pool, self),
            Executor::OpenCl(cl) => opencl::microkernel(device, cl, self),
        }
    }
}
