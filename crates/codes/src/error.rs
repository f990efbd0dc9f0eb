//! Why a file was not split, or not put together again.

use std::fmt;

use manycore_device::DeviceError;

/// A part that was left out, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// The part's name, as it was given.
    pub name: String,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.reason)
    }
}

/// Why a file was not split, or not put together again.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CodeError {
    /// Numbers of parts that the field does not have points for, or no part at all.
    #[error(
        "{data} data and {parity} parity parts: there must be at least one data part, and at most 65537 parts in all"
    )]
    Counts {
        /// Data parts.
        data: usize,
        /// Parity parts.
        parity: usize,
    },
    /// Words that do not make rows of equal length.
    #[error("{words} words do not make {rows} rows of equal length")]
    Rows {
        /// The number of words.
        words: usize,
        /// The rows asked for.
        rows: usize,
    },
    /// A part that the code does not have, or one that is given twice.
    #[error("part {index} is none of {count} parts, or given twice")]
    Index {
        /// The part.
        index: usize,
        /// The parts of the code.
        count: usize,
    },
    /// Not enough parts are left.
    #[error("{needed} parts are needed and {present} are whole{}", listed(damaged))]
    TooFew {
        /// Parts that are needed.
        needed: usize,
        /// Whole and different parts that were given.
        present: usize,
        /// Those that were left out.
        damaged: Vec<Damage>,
    },
    /// Parts of different files.
    #[error("{first} and {second} are parts of different files")]
    Mixed {
        /// The name of a part.
        first: String,
        /// The name of another.
        second: String,
    },
    /// The file put together is not the one that was split, although every part is whole.
    #[error("the parts are whole and do not make the file that was split: its checksum is {expected}, theirs {found}")]
    Wrong {
        /// The file's checksum.
        expected: String,
        /// That of what was put together.
        found: String,
    },
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

fn listed(damaged: &[Damage]) -> String {
    damaged.iter().fold(String::new(), |list, damage| list + "; " + &damage.to_string())
}
