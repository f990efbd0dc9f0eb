//! A kernel: blocks of threads, with what they do and move.

use crate::error::ProgramError;
use crate::operation::Operation;

/// A number of blocks that are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Blocks {
    /// How many, at least 1.
    pub count: u64,
    /// Local operations of the longest thread, `S(B)`. The abstract model counts arithmetic, reads and writes of local
    /// memory; for seconds on a [`Machine`](crate::Machine) it is the arithmetic alone, and [`Kernel::local_accesses`]
    /// counts accesses.
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
/// The abstract model needs the blocks, the threads and the local words. The other counts serve
/// [`Machine::estimate`](crate::Machine::estimate) and have defaults: 32-bit integers, whole memory segments, no local
/// memory traffic.
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
    pub(crate) round_trips: u32,
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
            round_trips: 0,
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

    /// Neighbouring bytes of one run in which global memory is read and written, at least 1; by default long runs.
    #[must_use]
    pub fn segment_bytes(self, bytes: u64) -> Self {
        Self { read_segment_bytes: Some(bytes), ..self }.write_segment_bytes(bytes)
    }

    /// Neighbouring bytes of one run in which global memory is written, at least 1; by default long runs.
    #[must_use]
    pub fn write_segment_bytes(mut self, bytes: u64) -> Self {
        self.write_segment_bytes = Some(bytes);
        self
    }

    /// Words that one thread reads and writes in local memory; all threads count alike.
    #[must_use]
    pub fn local_accesses(mut self, words: u64) -> Self {
        self.local_accesses = words;
        self
    }

    /// Bytes in which all data of the kernel lies, touched before by earlier kernels: the smallest cache that holds
    /// them gives the memory rate.
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

    /// Words of read-only tables that all blocks read together, besides the words of [`Blocks::reads`].
    /// [`Kernel::footprint_bytes`] includes these tables.
    #[must_use]
    pub fn table_words(self, words: u64) -> Self {
        Self { table_words: words, ..self }
    }

    /// The kernel runs within the launch of the kernel before it: a parallel step without a launch of its own.
    #[must_use]
    pub fn fused(self) -> Self {
        Self { fused: true, ..self }
    }

    /// Times that the host waits for the device because of this kernel: for uploads before it and for reads after it.
    #[must_use]
    pub fn round_trips(self, round_trips: u32) -> Self {
        Self { round_trips, ..self }
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

    /// Bytes that all threads move between global and local memory, at most 2^128 - 1.
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
        ];
        if let Some(&(parameter, _)) = parameters.iter().find(|(_, good)| !good) {
            return Err(ProgramError::Parameter { kernel: kernel(), parameter });
        }
        Ok(())
    }
}
