//! Operations in shards: what parts make the result, and how they are put together.

use manycore::operation::Splits;

use super::{Called, determinant, lists, resultant, write};
use crate::arguments::Global;
use crate::error::Error;
use crate::shard::{Deal, Shards, Split, array, rows};

/// How the work of an operation splits into shards.
pub(crate) fn split(called: &Called) -> Option<&dyn Split> {
    called.declaration().splits.map(|_| called as &dyn Split)
}

/// Parts in a form of their own.
fn own(called: &Called) -> Option<Box<dyn Split + '_>> {
    if called.declaration().splits != Some(Splits::Own) {
        return None;
    }
    Some(match called.declaration().name {
        "bivariate resultant" => Box::new(resultant::Resultant(called)),
        "sbox compare" => Box::new(lists::Compared(called)),
        _ => Box::new(determinant::Determinant(called)),
    })
}

/// Computes and writes a turn of work whose parts have a form of their own; `None` of work that the frame does.
pub(super) fn write_own(called: &Called, global: &Global, turn: (usize, usize)) -> Option<Result<(), Error>> {
    match called.declaration().name {
        "bivariate resultant" => Some(resultant::write_part(called, global, turn)),
        "matrix det" => Some(determinant::write_part(called, global, turn)),
        _ => None,
    }
}

impl Split for Called {
    fn deal(&self) -> Deal {
        own(self).map_or(Deal::Runs, |own| own.deal())
    }

    fn refusal(&self) -> Option<&'static str> {
        own(self)?.refusal()
    }

    fn seed(&self, global: &Global) -> Option<u64> {
        own(self)?.seed(global)
    }

    fn not_checked(&self) -> Option<&'static str> {
        own(self)?.not_checked()
    }

    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        if let Some(own) = own(self) {
            return own.merge(shards, global);
        }
        let (name, modulus) = (self.declaration().name, self.arguments.number("modulus"));
        let report = match self.declaration().splits {
            Some(Splits::Rows) => rows::merge(name, shards, global)?,
            Some(Splits::Table) => rows::merge_table(name, shards, global)?,
            _ => array::values(name, shards, global)?,
        };
        write::write(global, report, modulus)
    }
}
