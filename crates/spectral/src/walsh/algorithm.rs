//! The algorithms of the Walsh-Hadamard transform.

/// A fast algorithm of the Walsh-Hadamard transform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// In place; natural order by itself, other orders by a permutation afterwards.
    #[default]
    CooleyTukey,
    /// Out of place with two buffers that swap; dyadic or sequency order by itself.
    ConstantGeometry,
}
