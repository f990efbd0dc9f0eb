//! Operations on Boolean functions and S-boxes as data, with their jobs: what the program and packages for other languages are made
//! from.
//!
//! | file | what |
//! |---|---|
//! | `read` | texts, and the lines of what is wrong in them |
//! | `facts` | facts as text and JSON, and their absence |
//! | `function` | operations on Boolean functions |
//! | `function_text` | Boolean functions as texts |
//! | `function_page` | the page of a Boolean function |
//! | `properties` | figures of a Boolean function |
//! | `sbox` | operations on an S-box that have its figures |
//! | `sbox_text` | S-boxes as texts |
//! | `sbox_facts` | figures of an S-box |
//! | `sbox_page`, `known` | the page of an S-box, and S-boxes that others are compared with |
//! | `table` | tables of an S-box, by rows |
//! | `compare` | figures of many S-boxes |
//! | `choices` | tables of an S-box as choices among candidates |

mod choices;
mod compare;
mod facts;
mod function;
mod function_page;
mod function_text;
mod known;
mod properties;
mod read;
mod sbox;
mod sbox_facts;
mod sbox_page;
mod sbox_text;
mod table;

use manycore_operation::{Failure, Operation};

use crate::error::BooleanError;

pub use choices::CHOICES;
pub use compare::{Figures, ranked};
use function::OfFunction;
pub use read::TextError;
use sbox::OfSBox;
use table::OfTable;

/// Every operation on Boolean functions.
pub static FUNCTIONS: [&dyn Operation; 5] = [
    &OfFunction::<function::Info>::new(),
    &OfFunction::<function::Walsh>::new(),
    &OfFunction::<function::NormalForm>::new(),
    &OfFunction::<function::Autocorrelation>::new(),
    &OfFunction::<function::Report>::new(),
];

/// Every operation on S-boxes.
pub static SBOXES: [&dyn Operation; 6] = [
    &OfSBox::<sbox::Info>::new(),
    &OfTable::<table::Linear>::new(),
    &OfTable::<table::Differences>::new(),
    &OfTable::<table::Boomerangs>::new(),
    &OfSBox::<sbox::Report>::new(),
    &compare::Compare,
];

impl Failure for BooleanError {
    fn is_of_input(&self) -> bool {
        matches!(self, Self::Table(_) | Self::TooManyVariables { .. } | Self::Rows { .. })
    }

    fn told(&self, _: &[String]) -> String {
        if let Self::Rows { .. } = self { format!("--rows: {self}") } else { self.to_string() }
    }
}
