#![doc = include_str!("../README.md")]

pub mod compare;
pub mod failure;
pub mod fields;
pub mod fuzz;
pub mod groups;
pub mod numbers;
pub mod operations;
pub mod random;
pub mod run;
pub mod site;
pub mod values;

pub use failure::Failure;
pub use random::Random;
pub use run::{Line, Outcome, Settings, Soak};
pub use site::Site;
