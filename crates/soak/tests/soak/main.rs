//! The tests of cases and of the program, in one program.

mod checks;
mod program;
