//! Commands that are made from declarations: their arguments, and one frame that reads, computes, checks and writes.
//!
//! | file | what |
//! |---|---|
//! | `beside` | files that are written beside a result |
//! | `called` | the command line of an operation, from its declaration |
//! | `files` | the files of a call |
//! | `mapped` | arrays that are left in their files |
//! | `run` | the frame |
//! | `shards` | its work in shards |
//! | `characters` | character tables in shards, by rows |
//! | `own` | what shards in forms of their own do |
//! | `forms` | shards in forms of their own, by the names of operations |
//! | `paths` | stars in shards, by columns, and variants of projects |
//! | `determinant` | exact determinants in shards, by primes |
//! | `polarities` | polarities in shards, by blocks |
//! | `resultant` | exact resultants in shards, by primes |
//! | `rows` | lists in shards that an operation puts in order, and rows of a product |
//! | `write` | results as text, JSON, arrays, or in a language |

mod beside;
pub(crate) mod called;
mod characters;
mod determinant;
mod files;
mod forms;
mod mapped;
mod own;
mod paths;
mod polarities;
mod resultant;
mod rows;
pub(crate) mod run;
pub(crate) mod shards;
mod write;
