//! The tests of buffers, programs, transfers and sets of devices, in one program.

mod buffers;
mod programs;
mod set;
mod source;
mod transfer;
mod words;
