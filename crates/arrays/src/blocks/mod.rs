//! Transforms of arrays in the host's memory in blocks, by several devices and past their memory.
//!
//! A run of `2^n` words that no device is to hold is seen as a matrix and goes through the devices twice (Bailey, FFTs in External or
//! Hierarchical Memory, 1990): blocks of columns, then rows, or the other way round. Shorter runs go through them once, some at a
//! time. Each lane of a device takes a block, uploads, computes and downloads while other lanes do the same:
//!
//! ```text
//!  Blocks::TwoPasses                    Blocks::Runs
//!   columns      rows                    run run run | run run run | ...
//!   [b|b|b|b]    [    b    ]             [---block---] [---block---]
//!   [ | | | ]    [    b    ]
//! ```
//!
//! | file | what |
//! |---|---|
//! | `plan` | how large blocks are, and how many lanes have room for one |
//! | `lanes` | blocks handed out to lanes, there and back |
//! | `tiles` | tiles of products of matrices |
//! | `permute` | index bits reversed and Gray codes, in place; transposition |

mod lanes;
mod permute;
mod plan;
mod tiles;

pub use lanes::{Block, BlockLanes};
pub use permute::{bit_reverse, gray_rows, transpose};
pub use plan::{Blocks, Sizes, fits};
pub use tiles::{ProductTiles, Sides, Tiling};
