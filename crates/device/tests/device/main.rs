//! The tests of buffers, programs, launches, transfers and sets of devices, in one program.

mod buffers;
mod in_place;
mod launch;
mod ocl;
mod programs;
mod set;
mod source;
mod transfer;
mod words;
