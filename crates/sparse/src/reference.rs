//! Slow definitions: what the fast forms are tested against.

pub use crate::misses::reference::misses;
pub use crate::multiply::reference::multiply;
pub use crate::order::reference::{gray_order, reverse_cuthill_mckee};
