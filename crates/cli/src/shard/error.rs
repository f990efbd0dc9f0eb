//! Errors of shards.

use super::number::Shard;

/// Why a shard is not computed, or shards are not put together. Every variant names the file and line that it is about.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShardError {
    /// The work of a command does not split.
    #[error("`{command}` {}", match reason {
        Some(reason) => format!("does not split so: {reason}"),
        None => "does not split into independent parts: --shard does not go with it".to_owned(),
    })]
    NotSplit {
        /// The command.
        command: String,
        /// Why not with the options that were given, where it does with others.
        reason: Option<&'static str>,
    },
    /// A line that is no shard, or no more the one that was written.
    #[error("{place}: {reason}")]
    Damaged {
        /// The file and the line.
        place: String,
        /// What is wrong.
        reason: String,
    },
    /// Shards of different works.
    #[error("{place}: its {what} is {given}, that of {other} is {expected}")]
    Differs {
        /// The file and the line of one part.
        place: String,
        /// What differs.
        what: &'static str,
        /// What it has.
        given: String,
        /// The file and the line of the other.
        other: String,
        /// What that has.
        expected: String,
    },
    /// Two results of one shard.
    #[error("{first} and {second} are both shard {shard}, with different results")]
    Unequal {
        /// The file and the line of one result.
        first: String,
        /// The file and the line of the other result.
        second: String,
        /// The shard.
        shard: Shard,
    },
    /// Shards that are not there.
    #[error("missing: {missing} of {count}")]
    Missing {
        /// `shard 3`, or `shards 2, 5-7`.
        missing: String,
        /// The number of all.
        count: u64,
    },
    /// Files without a shard.
    #[error("no shard in {files}")]
    None {
        /// The files.
        files: String,
    },
    /// Shards whose parts were not checked as they were computed.
    #[error("--verify: not checked: {places}; --verify beside --shard checks a part")]
    Unchecked {
        /// Files and lines of them.
        places: String,
    },
    /// A file with another content than that of the shards.
    #[error("{file}: not the file that the shards are of: its BLAKE3 is {given}, and was {expected}")]
    OtherInput {
        /// The file.
        file: String,
        /// Its hash.
        given: String,
        /// The hash in the shards.
        expected: String,
    },
}
