//! Kinds, orders and directions of transforms.

/// Which convolution a transform's products are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Modulo `x^len - 1`.
    #[default]
    Cyclic,
    /// Modulo `x^len + 1`.
    Negacyclic,
}

/// The order in which a spectrum stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum SpectrumOrder {
    /// `X[k]` at the place whose bits are those of `k` in reversed order.
    #[default]
    BitReversed,
    /// `X[k]` at place `k`.
    Natural,
}

/// Forward or inverse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Way {
    /// From values to the spectrum in bit-reversed order.
    Forward,
    /// Back.
    Inverse,
}
