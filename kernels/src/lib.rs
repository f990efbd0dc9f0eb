#![doc = include_str!("../README.md")]

mod table;
mod unit;

pub use table::{BIT_REVERSAL, CALIBRATE_MEMORY, CALIBRATE_RATE, CALIBRATE_TILE, FILL, LOCAL_PROBE, NTT_COLUMNS, NTT_TILE, PRODUCTS, UNITS, WALSH_COLUMNS, WALSH_FAN, WALSH_GEOMETRY, WALSH_TILE};
pub use unit::{Defines, Part, Unit, spliced};
