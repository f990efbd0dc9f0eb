#![doc = include_str!("../README.md")]

mod error;
mod npy;
mod source;
mod target;
mod text;
mod write;

pub use error::FileError;
pub use npy::{Array, Kind, Number};
pub use source::Source;
pub use target::{Target, create, discard_unfinished};
pub use text::Text;
pub use write::{Format, NpyNumber, write_npy, write_text};
