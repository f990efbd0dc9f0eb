//! Options of sorts.

use manycore_operation::{Arguments, DeclaredOption};

use super::keys::SortKey;
use crate::sort_order::SortOrder;

/// The option of the order.
pub(super) const fn descending(help: &'static str) -> DeclaredOption {
    DeclaredOption::flag("descending", help)
}

/// The order of the options.
pub(super) fn order(arguments: &Arguments) -> SortOrder {
    if arguments.is_given("descending") { SortOrder::Descending } else { SortOrder::Ascending }
}

/// The name of an order.
pub(super) fn order_name(order: SortOrder) -> &'static str {
    match order {
        SortOrder::Ascending => "ascending",
        SortOrder::Descending => "descending",
    }
}

/// What is asked of a sort of numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Options {
    pub(super) order: SortOrder,
    pub(super) is_of_places: bool,
    pub(super) first: Option<u64>,
}

impl Options {
    /// The number of the `len` numbers that are written.
    pub(super) fn count(self, len: usize) -> usize {
        self.first.and_then(|first| usize::try_from(first).ok()).map_or(len, |first| first.min(len))
    }

    /// How two numbers stand.
    pub(super) fn compare<K: SortKey>(self, a: &K, b: &K) -> std::cmp::Ordering {
        match self.order {
            SortOrder::Ascending => a.order(b),
            SortOrder::Descending => b.order(a),
        }
    }
}
