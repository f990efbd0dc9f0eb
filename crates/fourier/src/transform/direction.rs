//! The direction of a transform.

/// Forward or back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From values at elements to coefficients of characters.
    Forward,
    /// From coefficients to values; divides by the group's order.
    Inverse,
}
