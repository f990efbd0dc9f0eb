#![doc = include_str!("../README.md")]

mod determinant;
mod error;
mod exchange;
#[cfg(feature = "mpi")]
pub mod mpi;
mod ntt;
pub mod predict;
mod ranks;
mod slabs;
mod sort;
mod star;
mod team;
mod walsh;

pub use determinant::determinant;
pub use error::ClusterError;
pub use exchange::{all_gather, all_to_all, broadcast};
pub use ntt::{ntt_forward, ntt_inverse};
pub use ranks::{Alone, Ranks, part};
pub use slabs::Slabs;
pub use sort::{Ordered, sort};
pub use star::{Distance, Grid, Star};
pub use team::threads;
pub use walsh::{walsh, wrapping_walsh};
