//! Cache simulators: what a trace of memory accesses costs on a cache of `Z` words with lines of `L` words.
//!
//! The **ideal cache** of the cache-oblivious literature (Frigo, Leiserson, Prokop and Ramachandran, 1999) is fully
//! associative, starts empty, and replaces lines as well as the whole future of the trace allows. [`Optimal`]
//! simulates it exactly in one forward pass. [`LeastRecentlyUsed`] and [`SetAssociative`] are the caches that can be
//! built; [`ReuseDistances`] gives the misses of the former for every size at once; [`Classifier`] splits the misses
//! of the latter into compulsory, capacity and conflict misses.
//!
//! Addresses are words, numbered from 0. Every simulator takes them one after another ([`Simulator::access`]) or
//! from an iterator ([`Simulator::run`]) and stores no trace: memory grows with the distinct lines only. Reads and
//! writes count alike: a written line is fetched first, by the definition of the ideal cache.
//!
//! ```
//! use manycore_model::cache::{Geometry, Layout, LeastRecentlyUsed, Optimal, Simulator};
//!
//! // y = x + y, twice, on vectors of 1000 words; a cache of 64 lines of 8 words.
//! let geometry = Geometry::new(512, 8)?;
//! let mut layout = Layout::new(geometry);
//! let (x, y) = (layout.array(1000), layout.array(1000));
//! let trace = || (0..2).flat_map(move |_| (0..1000).flat_map(move |i| [x.at(i), y.at(i), y.at(i)]));
//!
//! let lru = LeastRecentlyUsed::new(geometry).run(trace());
//! assert_eq!((lru.accesses, lru.compulsory, lru.misses), (6000, 250, 500)); // nothing is left for the second sweep
//!
//! let ideal = Optimal::new(geometry).run(trace());
//! assert_eq!(ideal.misses, 436); // 64 lines are still there
//! # Ok::<(), manycore_model::cache::GeometryError>(())
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `geometry.rs` | [`Geometry`]: `Z`, `L`, lines, sets, and which line an address is on |
//! | `layout.rs` | [`Layout`], [`Array`]: line-aligned arrays, to write the trace of an algorithm |
//! | `simulator.rs` | [`Simulator`], [`Outcome`], [`Report`]: the common interface |
//! | `optimal.rs` | [`Optimal`]: Belady's optimum by interval packing |
//! | `least_recently_used.rs` | [`LeastRecentlyUsed`]: fully associative |
//! | `set_associative.rs` | [`SetAssociative`]: least recently used within each set |
//! | `classification.rs` | [`Classifier`], [`Classification`]: compulsory, capacity and conflict misses |
//! | `reuse_distance.rs` | [`ReuseDistances`]: histogram of reuse distances, misses for every size |
//! | `reference.rs` | the slow definitions, by scanning a stored trace |
//! | `recency.rs` | sets of lines in the order of their last use, private |
//! | `line_table.rs` | from line numbers to slots, private |

mod classification;
mod geometry;
mod layout;
mod least_recently_used;
mod line_table;
mod optimal;
mod recency;
pub mod reference;
mod reuse_distance;
mod set_associative;
mod simulator;

pub use classification::{Classification, Classifier};
pub use geometry::{Geometry, GeometryError};
pub use layout::{Array, Layout};
pub use least_recently_used::LeastRecentlyUsed;
pub use optimal::Optimal;
pub use reuse_distance::ReuseDistances;
pub use set_associative::SetAssociative;
pub use simulator::{Outcome, Report, Simulator};
