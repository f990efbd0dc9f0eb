//! The tests of the program, in one program; those that change its whole process stand beside it.

#[path = "../common/mod.rs"]
mod common;

mod arithmetic;
mod bivariate;
mod boolean;
mod characters;
mod code;
mod files;
mod forms;
mod groups;
mod haar;
mod inputs;
mod interrupts;
mod matrix;
mod maxplus;
mod memory;
mod messages;
mod ntt;
mod pages;
mod poly;
mod poly_factors;
mod poly_quotients;
mod poly_series;
mod poly_values;
mod program;
mod reed_muller;
mod round_trip;
mod semiring;
mod several;
mod sort;
mod sparse;
mod tune;
mod verification;
mod walsh;
