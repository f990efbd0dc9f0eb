//! Shards of a command, for many machines: `--shard i/n` computes part i of n alone, and `manycore merge` puts the parts together.
//!
//! The work of a command that splits is a list of items that do not depend on each other: S-boxes, vectors, rows, primes, variants.
//! Shard i gets a run of the list, or every n-th item, writes one line of JSON, and no shard needs to know of another.
//!
//! | file | what |
//! |---|---|
//! | `number` | which items a shard gets |
//! | `words` | the command line, as far as the result depends on it, and the files in it |
//! | `head` | what a shard is of |
//! | `run` | device, times and checks of a part, and of all |
//! | `line` | the form of a shard: a line of JSON with a checksum |
//! | `set` | whether the shards at hand are all shards of one work |
//! | `split` | what a command does to split |
//! | `part` | the part that is computed |
//! | `array` | parts that are runs of values |
//! | `rows` | parts that are rows of a matrix |
//! | `error` | what is wrong with shards |

pub(crate) mod array;
pub(crate) mod error;
pub(crate) mod head;
mod line;
pub(crate) mod number;
mod part;
pub(crate) mod rows;
mod run;
mod set;
mod split;
mod words;

pub use error::ShardError;
pub use head::Sharding;
pub(crate) use line::looked_at;
pub(crate) use number::Deal;
pub use number::Shard;
pub(crate) use part::{is_on, note, range, turn, write, write_empty};
pub(crate) use set::{Set, Shards};
pub(crate) use split::{Split, begin};
