//! The tests of sorts, in one program.

mod lists;
mod radix;
