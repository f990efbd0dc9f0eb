//! The tests of buffers, programs, launches, transfers and sets of devices, in one program.

mod buffers;
mod launch;
mod programs;
mod set;
mod source;
mod transfer;
mod words;
