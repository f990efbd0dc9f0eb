//! The tests of expressions, in one program; those that change its whole process stand beside it.

mod laws;
mod random;
mod same_bits;
