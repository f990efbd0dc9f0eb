//! A kernel: blocks of threads, with what they do and move.

use super::ProgramError;
use crate::machine::Operation;

/// A number of blocks that are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Blocks {
    /// How many, at least 1.
    pub count: u64,
    /// Local operations of the longest thread, `S(B)`. The abstract model counts arithmetic, reads and writes of local
    /// memory; for seconds on a [`Machine`](crate::Machine) it is the arithmetic alone, and accesses are told by
    /// [`Kernel::local_accesses`].
    pub span: u64,
    /// Local operations of all threads of one block, `W(B)`: `span <= work <= threads * span`.
    pub work: u128,
    /// Words that one thread reads from global memory, at most.
    pub reads: u64,
    /// Words that one thread writes to global memory, at most.
    pub writes: u64,
}

impl Blocks {
    /// `count` blocks of `threads` threads that all do `operations` operations, read `reads` words and write `writes`.
    #[must_use]
    pub const fn even(count: u64, threads: u32, operations: u64, reads: u64, writes: u64) -> Self {
        // No product of 64 and 32 bits passes 128.
        Self { count, span: operations, work: operations as u128 * threads as u128, reads, writes }
    }

    /// Words that one thread moves.
    pub(super) const fn words(&self) -> u128 {
        self.reads as u128 + self.writes as u128
    }
}

/// A kernel of a [`Program`](super::Program).
///
/// What the abstract model needs are the blocks, the threads and the local words. The rest refines the prediction for a
/// measured machine and has defaults: 32-bit integers, whole memory segments, no traffic within local memory beyond the
/// operations counted.
///
/// ```
/// use manycore_model::{Blocks, Kernel};
/// // 3 blocks of 8 threads: 5 operations of the longest thread, 40 of all, 2 words read and 1 written by each.
/// let kernel = Kernel::new("first", 8).blocks(Blocks { count: 3, span: 5, work: 40, reads: 2, writes: 1 });
/// assert_eq!(kernel.block_count(), 3);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    pub(crate) name: String,
    pub(crate) threads: u32,
    pub(crate) local_words: u64,
    pub(crate) groups: Vec<Blocks>,
    pub(crate) operation: Operation,
    pub(crate) word_bytes: u32,
    pub(crate) read_segment_bytes: Option<u64>,
    pub(crate) write_segment_bytes: Option<u64>,
    pub(crate) local_accesses: u64,
    pub(crate) footprint_bytes: Option<u64>,
    pub(crate) traffic_words: Option<u64>,
    pub(crate) table_words: u64,
    pub(crate) fused: bool,
    pub(crate) owner_computes: bool,
    pub(crate) round_trips: u32,
    pub(crate) cold_reads: u32,
    pub(crate) handovers: u32,
    pub(crate) taken_over: u64,
    pub(crate) phased: bool,
    pub(crate) chains: u32,
    pub(crate) registers: u32,
    pub(crate) slowdown: f64,
}

impl Kernel {
    /// A kernel of blocks of `threads` threads (`q`); blocks are added by [`Kernel::blocks`].
    pub fn new(name: impl Into<String>, threads: u32) -> Self {
        Self {
            name: name.into(),
            threads,
            local_words: 0,
            groups: Vec::new(),
            operation: Operation::Int32,
            word_bytes: 4,
            read_segment_bytes: None,
            write_segment_bytes: None,
            local_accesses: 0,
            footprint_bytes: None,
            traffic_words: None,
            table_words: 0,
            fused: false,
            owner_computes: false,
            round_trips: 0,
            cold_reads: 0,
            handovers: 0,
            taken_over: 0,
            phased: false,
            chains: 1,
            registers: 0,
            slowdown: 1.0,
        }
    }

    /// Adds blocks. Kernels whose blocks differ take several calls.
    #[must_use]
    pub fn blocks(mut self, blocks: Blocks) -> Self {
        self.groups.push(blocks);
        self
    }

    /// Words of local memory of a block (`z`).
    #[must_use]
    pub fn local_words(mut self, words: u64) -> Self {
        self.local_words = words;
        self
    }

    /// The kind of its operations.
    #[must_use]
    pub fn operation(mut self, operation: Operation) -> Self {
        self.operation = operation;
        self
    }

    /// Bytes of a word, at least 1.
    #[must_use]
    pub fn word_bytes(mut self, bytes: u32) -> Self {
        self.word_bytes = bytes;
        self
    }

    /// Global memory is read and written in runs of so many neighbouring bytes, at least 1 and fewer than the machine's full
    /// speed needs.
    #[must_use]
    pub fn segment_bytes(self, bytes: u64) -> Self {
        Self { read_segment_bytes: Some(bytes), ..self }.write_segment_bytes(bytes)
    }

    /// The same for what is written only.
    #[must_use]
    pub fn write_segment_bytes(mut self, bytes: u64) -> Self {
        self.write_segment_bytes = Some(bytes);
        self
    }

    /// Words that one thread reads and writes in local memory.
    #[must_use]
    pub fn local_accesses(mut self, words: u64) -> Self {
        self.local_accesses = words;
        self
    }

    /// The data lies in so many bytes that earlier kernels touched too: where a cache holds them, its speed counts.
    #[must_use]
    pub fn footprint_bytes(mut self, bytes: u64) -> Self {
        self.footprint_bytes = Some(bytes);
        self
    }

    /// Words that all blocks move together, where this is less than all threads' largest numbers.
    #[must_use]
    pub fn traffic_words(mut self, words: u64) -> Self {
        self.traffic_words = Some(words);
        self
    }

    /// Words of tables that all blocks read together, besides what they move else. Nobody writes them, so that no core has them from
    /// another one. They lie in [`Kernel::footprint_bytes`] too.
    #[must_use]
    pub fn table_words(self, words: u64) -> Self {
        Self { table_words: words, ..self }
    }

    /// The operations of a thread form so many chains that do not wait for each other; at least 1.
    #[must_use]
    pub fn chains(self, chains: u32) -> Self {
        Self { chains, ..self }
    }

    /// About how many registers of 4 bytes a thread needs, where that limits the blocks that share a processor.
    #[must_use]
    pub fn registers(self, registers: u32) -> Self {
        Self { registers, ..self }
    }

    /// Its operations take so many times as long as the machine's rates say, below 1 for less: what a measurement told of
    /// the code that a compiler makes of them ([`fit::slowdown`](crate::fit::slowdown)). Predicted seconds follow it, and
    /// floors follow one below 1; counts and bounds do not. Programs refuse a factor that is not positive and finite.
    #[must_use]
    pub fn slowdown(self, factor: f64) -> Self {
        Self { slowdown: factor, ..self }
    }

    /// It runs within the launch of the kernel before it: a step of its own, without a launch of its own.
    #[must_use]
    pub fn fused(self) -> Self {
        Self { fused: true, ..self }
    }

    /// Each processor goes on with the words that it had in the launch before, by the owner-computes rule: nothing is handed over
    /// from core to core. Else a core finds its part of what cores share out anew in the caches of all of them.
    #[must_use]
    pub fn owner_computes(self) -> Self {
        Self { owner_computes: true, ..self }
    }

    /// The host waits so many times for the device about this kernel: for what it uploads before and what it reads after.
    #[must_use]
    pub fn round_trips(self, round_trips: u32) -> Self {
        Self { round_trips, ..self }
    }

    /// The first threads read so many tables one after another, behind other work, before a cache near them holds those: what
    /// short launches wait for and long ones hardly notice.
    #[must_use]
    pub fn cold_reads(self, cold_reads: u32) -> Self {
        Self { cold_reads, ..self }
    }

    /// So many of the words that it writes lie in its processor's cache, but another processor has read them since they were
    /// written there: copies are dropped first. What one processor alone writes counts as if all wrote as much.
    #[must_use]
    pub fn taken_over(self, words: u64) -> Self {
        Self { taken_over: words, ..self }
    }

    /// Where several processors take part, they wait so many more times, one after another, for what another of them wrote,
    /// beyond what its launch waits for.
    #[must_use]
    pub fn handovers(self, handovers: u32) -> Self {
        Self { handovers: self.handovers.saturating_add(handovers), ..self }
    }

    /// The threads of a block read, compute and write in turns, so that nothing overlaps in a block that is alone on its
    /// processor, whatever the machine overlaps otherwise.
    #[must_use]
    pub fn phased(self) -> Self {
        Self { phased: true, ..self }
    }

    /// The kernel's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Threads of a block.
    pub const fn threads(&self) -> u32 {
        self.threads
    }

    /// The number of blocks, `d`.
    pub fn block_count(&self) -> u128 {
        self.groups.iter().map(|group| u128::from(group.count)).sum()
    }

    /// Operations of all blocks, `W(K)`; `None` past 2^128.
    pub fn work(&self) -> Option<u128> {
        self.sum(|group| Some(group.work))
    }

    /// Operations of the longest thread of all blocks, `S(K)`.
    pub fn span(&self) -> u64 {
        self.groups.iter().map(|group| group.span).max().unwrap_or(0)
    }

    /// The words that one thread of each block moves, summed over blocks: `O(K) / U`.
    pub(super) fn thread_words(&self) -> Option<u128> {
        self.sum(|group| Some(group.words()))
    }

    /// Bytes that all threads move between global and local memory.
    pub fn traffic_bytes(&self) -> u128 {
        let words = match self.traffic_words {
            Some(words) => u128::from(words),
            None => self.thread_words().unwrap_or(u128::MAX).saturating_mul(u128::from(self.threads)),
        };
        words.saturating_mul(u128::from(self.word_bytes))
    }

    /// Bytes of tables that all blocks read together.
    pub fn table_bytes(&self) -> u128 {
        u128::from(self.table_words) * u128::from(self.word_bytes)
    }

    /// The part of the traffic that is written.
    pub(crate) fn written_part(&self) -> f64 {
        let sum = |words: fn(&Blocks) -> u64| -> f64 {
            self.groups.iter().map(|group| group.count as f64 * words(group) as f64).sum()
        };
        let (read, written) = (sum(|group| group.reads), sum(|group| group.writes));
        if written == 0.0 { 0.0 } else { written / (read + written) }
    }

    fn sum(&self, of_block: impl Fn(&Blocks) -> Option<u128>) -> Option<u128> {
        self.groups
            .iter()
            .try_fold(0u128, |sum, group| sum.checked_add(of_block(group)?.checked_mul(u128::from(group.count))?))
    }

    pub(super) fn check(&self) -> Result<(), ProgramError> {
        let kernel = || self.name.clone();
        if self.threads == 0 {
            return Err(ProgramError::NoThreads { kernel: kernel() });
        }
        if self.groups.is_empty() {
            return Err(ProgramError::NoBlocks { kernel: kernel() });
        }
        for &Blocks { count, span, work, .. } in &self.groups {
            if count == 0 {
                return Err(ProgramError::NoBlocks { kernel: kernel() });
            }
            if work < u128::from(span) || work > u128::from(span) * u128::from(self.threads) {
                return Err(ProgramError::Work { kernel: kernel(), span, work, threads: self.threads });
            }
        }
        let parameters = [
            ("word_bytes", self.word_bytes > 0),
            ("segment_bytes", self.read_segment_bytes != Some(0) && self.write_segment_bytes != Some(0)),
            ("chains", self.chains > 0),
            ("slowdown", self.slowdown.is_finite() && self.slowdown > 0.0),
        ];
        if let Some(&(parameter, _)) = parameters.iter().find(|(_, good)| !good) {
            return Err(ProgramError::Parameter { kernel: kernel(), parameter });
        }
        Ok(())
    }
}
