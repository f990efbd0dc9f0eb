//! Operations in shards: what parts make the result, and how they are put together.

use manycore::operation::Splits;

use super::called::Called;
use super::forms;
use super::write::write;
use crate::error::Error;
use crate::global::Global;
use crate::shard::{Deal, Shards, Split, array, rows};

/// How the work of an operation splits into shards.
pub(crate) fn split(called: &Called) -> Option<&dyn Split> {
    called.declaration().splits.map(|_| called as &dyn Split)
}

impl Split for Called {
    fn deal(&self) -> Deal {
        forms::of(self).map_or(Deal::Runs, |own| own.deal())
    }

    fn refusal(&self) -> Option<&'static str> {
        forms::of(self)?.refusal()
    }

    fn seed(&self, global: &Global) -> Option<u64> {
        forms::of(self)?.seed(global)
    }

    fn not_checked(&self) -> Option<&'static str> {
        forms::of(self)?.not_checked()
    }

    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        if let Some(own) = forms::of(self) {
            return own.merge(shards, global);
        }
        let (name, modulus) = (self.declaration().name, self.arguments.number("modulus"));
        let report = match self.declaration().splits {
            Some(Splits::Rows) => rows::merge(name, shards, global)?,
            Some(Splits::Table) => rows::merge_table(name, shards, global)?,
            _ => array::values(name, shards, global)?,
        };
        write(global, report, modulus)
    }
}
