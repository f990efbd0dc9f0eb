//! The cost of a program on the abstract machine, and the bounds on its time.

use std::fmt;

use super::ManyCore;
use super::kernel::Kernel;
use crate::error::DoesNotFit;

/// Work, span and overhead of a program, and the counts of the bounds of theorem 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Local operations of all threads, `W`.
    pub work: u128,
    /// Local operations along the longest path, `S`.
    pub span: u128,
    /// Cycles of transfer, one thread of each block counted, `O`.
    pub overhead_cycles: f64,
    /// Blocks, `N`.
    pub blocks: u128,
    /// Kernels on a longest path, `L`.
    pub chain: u128,
    /// The largest `S(B) + O(B)` of a block in cycles, `C`.
    pub largest_block_cycles: f64,
    /// The largest `S(B)` of a block.
    pub largest_block_span: u64,
}

impl Cost {
    /// The cost of doing nothing.
    pub const ZERO: Self = Self {
        work: 0,
        span: 0,
        overhead_cycles: 0.0,
        blocks: 0,
        chain: 0,
        largest_block_cycles: 0.0,
        largest_block_span: 0,
    };

    /// The cost of one kernel.
    ///
    /// # Errors
    /// As [`Program::cost`](super::Program::cost), and [`DoesNotFit::Program`] for a kernel that no program takes.
    pub fn of(kernel: &Kernel, machine: &ManyCore) -> Result<Self, DoesNotFit> {
        kernel.check()?;
        let limit = machine.local_words();
        if u64::from(kernel.threads) > limit {
            return Err(DoesNotFit::Threads { kernel: kernel.name.clone(), threads: u64::from(kernel.threads), limit });
        }
        if kernel.local_words > limit {
            let words = kernel.local_words;
            return Err(DoesNotFit::LocalMemory { kernel: kernel.name.clone(), words, limit });
        }
        let transfer = machine.transfer_cycles();
        let words = kernel.thread_words().ok_or(DoesNotFit::Overflow { quantity: "words moved" })?;
        let block_cycles = |group: &super::Blocks| group.span as f64 + group.words() as f64 * transfer;
        Ok(Self {
            work: kernel.work().ok_or(DoesNotFit::Overflow { quantity: "operations" })?,
            span: u128::from(kernel.span()),
            overhead_cycles: words as f64 * transfer,
            blocks: kernel.block_count(),
            chain: 1,
            largest_block_cycles: kernel.groups.iter().map(block_cycles).fold(0.0, f64::max),
            largest_block_span: kernel.span(),
        })
    }

    /// The cost of this work, then the other.
    ///
    /// # Errors
    /// [`DoesNotFit::Overflow`] for counts past 2^128.
    pub fn then(self, next: Self) -> Result<Self, DoesNotFit> {
        let span = add(self.span, next.span, "operations")?;
        let chain = add(self.chain, next.chain, "kernels")?;
        Ok(Self { span, chain, ..self.beside(next)? })
    }

    /// The cost of this work and, independently, the other.
    ///
    /// # Errors
    /// [`DoesNotFit::Overflow`] for counts past 2^128.
    pub fn beside(self, other: Self) -> Result<Self, DoesNotFit> {
        Ok(Self {
            work: add(self.work, other.work, "operations")?,
            span: self.span.max(other.span),
            overhead_cycles: self.overhead_cycles + other.overhead_cycles,
            blocks: add(self.blocks, other.blocks, "blocks")?,
            chain: self.chain.max(other.chain),
            largest_block_cycles: self.largest_block_cycles.max(other.largest_block_cycles),
            largest_block_span: self.largest_block_span.max(other.largest_block_span),
        })
    }

    /// `count` times this, one after the other; none costs nothing.
    ///
    /// # Errors
    /// [`DoesNotFit::Overflow`] for counts past 2^128.
    pub fn times(self, count: u64) -> Result<Self, DoesNotFit> {
        if count == 0 {
            return Ok(Self::ZERO);
        }
        let many =
            |value: u128, quantity| value.checked_mul(u128::from(count)).ok_or(DoesNotFit::Overflow { quantity });
        Ok(Self {
            work: many(self.work, "operations")?,
            span: many(self.span, "operations")?,
            overhead_cycles: self.overhead_cycles * count as f64,
            blocks: many(self.blocks, "blocks")?,
            chain: many(self.chain, "kernels")?,
            ..self
        })
    }

    /// `(N/p + L) C`: cycles within which any greedy scheduler ends on `processors`, theorem 1 of paper 002, chapter 3. No
    /// rounding; 0 for an empty program, infinite for no processors.
    pub fn bound_cycles(&self, processors: u32) -> f64 {
        self.bound(self.blocks, processors, self.largest_block_cycles)
    }

    /// `((N - L)/p + L) C`: the sharper bound, from Graham's argument with the longest chain taken out of the sum; 0 and
    /// infinite as [`Cost::bound_cycles`].
    pub fn sharper_bound_cycles(&self, processors: u32) -> f64 {
        self.bound(self.blocks.saturating_sub(self.chain), processors, self.largest_block_cycles)
    }

    /// `(N/p + L) max S(B) + O`: the bound for a machine on which no two blocks transfer at the same time; 0 and infinite as
    /// [`Cost::bound_cycles`].
    pub fn serialised_bound_cycles(&self, processors: u32) -> f64 {
        self.bound(self.blocks, processors, self.largest_block_span as f64) + self.overhead_cycles
    }

    fn bound(&self, blocks: u128, processors: u32, block_cycles: f64) -> f64 {
        if self.blocks == 0 {
            return 0.0;
        }
        if processors == 0 {
            return f64::INFINITY;
        }
        (blocks as f64 / f64::from(processors) + self.chain as f64) * block_cycles
    }

    /// `W / S`, the average parallelism; 1 for an empty program.
    pub fn parallelism(&self) -> f64 {
        if self.span == 0 { 1.0 } else { self.work as f64 / self.span as f64 }
    }
}

fn add(a: u128, b: u128, quantity: &'static str) -> Result<u128, DoesNotFit> {
    a.checked_add(b).ok_or(DoesNotFit::Overflow { quantity })
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "W = {}, S = {}, O = {}, N = {}, L = {}, C = {}",
            self.work, self.span, self.overhead_cycles, self.blocks, self.chain, self.largest_block_cycles
        )
    }
}
