//! Errors of machines, programs and costs.

/// Why numbers make no machine.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MachineError {
    /// A count of nothing.
    #[error("a machine with {parameter} = 0")]
    Zero {
        /// The parameter.
        parameter: &'static str,
    },
    /// A number that is not finite, or negative, or zero where something is divided by it, or outside of what any
    /// machine has: 1e-9 to 1e30 a second, and at most 1e9 seconds.
    #[error("a machine with {parameter} = {value}")]
    NotPositive {
        /// The parameter.
        parameter: &'static str,
        /// The number given.
        value: f64,
    },
    /// Levels that are not in ascending order.
    #[error("the machine's {parameter} are not in ascending order")]
    Order {
        /// The parameter.
        parameter: &'static str,
    },
    /// A kind of operation that the machine has not.
    #[error("the machine has no {operation} arithmetic")]
    Operation {
        /// Its name.
        operation: &'static str,
    },
}

/// Why a program is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// A kernel without blocks, or with a group of none.
    #[error("kernel {kernel} has no blocks")]
    NoBlocks {
        /// The kernel's name.
        kernel: String,
    },
    /// A block without threads.
    #[error("kernel {kernel} has no threads in a block")]
    NoThreads {
        /// The kernel's name.
        kernel: String,
    },
    /// Work that is no sum of the threads' operations: `span <= work <= threads * span` does not hold.
    #[error("a block of kernel {kernel}: {work} operations by {threads} threads of at most {span} each")]
    Work {
        /// The kernel's name.
        kernel: String,
        /// Operations of the longest thread.
        span: u64,
        /// Operations of all threads.
        work: u128,
        /// Threads of the block.
        threads: u32,
    },
    /// A kernel's parameter of zero.
    #[error("kernel {kernel}: {parameter} is not positive")]
    Parameter {
        /// The kernel's name.
        kernel: String,
        /// The parameter.
        parameter: &'static str,
    },
    /// A dependency on a kernel that the program does not have.
    #[error("a dependency names kernel {index}, but there are {kernels}")]
    Unknown {
        /// The index given.
        index: usize,
        /// The number of kernels.
        kernels: usize,
    },
    /// A circle in the order of kernels: each waits for the next.
    #[error("kernel {kernel} waits for itself")]
    Cycle {
        /// The name of a kernel on the cycle.
        kernel: String,
    },
}

/// Why a program has no cost on a machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DoesNotFit {
    /// More threads in a block than a processor takes.
    #[error("kernel {kernel} has blocks of {threads} threads, the machine takes {limit}")]
    Threads {
        /// The kernel's name.
        kernel: String,
        /// Threads of a block.
        threads: u64,
        /// The most that a processor takes.
        limit: u64,
    },
    /// More local memory than a processor has.
    #[error("kernel {kernel} needs {words} words of local memory, the machine has {limit}")]
    LocalMemory {
        /// The kernel's name.
        kernel: String,
        /// Words of a block.
        words: u64,
        /// Words of a processor.
        limit: u64,
    },
    /// A parameter that is outside of what the algorithm has.
    #[error("{reason}")]
    Parameter {
        /// Which, and what it may be.
        reason: String,
    },
    /// A kind of operation that the machine has not.
    #[error("kernel {kernel}: the machine has no {operation} arithmetic")]
    Operation {
        /// The kernel's name.
        kernel: String,
        /// The name of the kind.
        operation: &'static str,
    },
    /// Seconds that are not finite, or negative: from a machine that [`Machine::checked`](crate::Machine::checked)
    /// refuses, or from an operation's own estimate.
    #[error("the estimate of {of} is no finite number of seconds")]
    NotFinite {
        /// The kernel's or the operation's name.
        of: String,
    },
    /// A count past 2^128.
    #[error("the {quantity} of the program pass 2^128")]
    Overflow {
        /// What was counted.
        quantity: &'static str,
    },
    /// The program cannot be made.
    #[error(transparent)]
    Program(Box<ProgramError>),
}

impl From<ProgramError> for DoesNotFit {
    fn from(error: ProgramError) -> Self {
        Self::Program(Box::new(error))
    }
}
