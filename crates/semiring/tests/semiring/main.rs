//! The tests of semirings, products and programs, in one program.

mod applications;
mod checked;
mod computations;
mod devices;
mod factors;
mod forms;
mod places;
mod plans;
mod products;
mod programs;
mod ready;
mod several;
