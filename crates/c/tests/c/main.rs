//! The tests of calls and of the header, in one program.

mod calls;
mod header;
