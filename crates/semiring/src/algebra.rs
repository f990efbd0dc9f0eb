//! The operations of a semiring without their types: what kernels are made of, and what the host evaluates.

use std::hash::Hasher as _;
use std::sync::Arc;

use fnv::FnvHasher;
use manycore_expressions::{Program, ScalarType};

/// A semiring without its types. Equal ones do the same operations in the same order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Algebra {
    /// A sum and the next product: of the scalars of a sum, of a first and of a second factor.
    pub(crate) step: Arc<Program>,
    /// The product of the scalars of a first and of a second factor.
    pub(crate) product: Arc<Program>,
    /// The sum of the scalars of two.
    pub(crate) sum: Arc<Program>,
    /// A sum and the next two products, which are added to each other before.
    pub(crate) pair: Arc<Program>,
    /// The bits of the sum of nothing, one word for each scalar.
    pub(crate) zero: Vec<u64>,
    /// Scalars of a first factor.
    pub(crate) left_count: usize,
    /// Whether sums are exact, associative and commutative by their form.
    pub(crate) is_exact: bool,
}

impl Algebra {
    /// The types of a sum's scalars.
    pub(crate) fn sums(&self) -> &[ScalarType] {
        &self.step.inputs()[..self.zero.len()]
    }

    /// The types of a first factor's scalars.
    pub(crate) fn left(&self) -> &[ScalarType] {
        &self.step.inputs()[self.zero.len()..self.zero.len() + self.left_count]
    }

    /// The types of a second factor's scalars.
    pub(crate) fn right(&self) -> &[ScalarType] {
        &self.step.inputs()[self.zero.len() + self.left_count..]
    }

    /// Bytes of the largest scalar and of all of them.
    pub(crate) fn bytes(kinds: &[ScalarType]) -> (usize, usize) {
        let bytes = kinds.iter().map(|kind| kind.memory().bytes());
        (bytes.clone().max().unwrap_or(1), bytes.sum())
    }

    /// Types and operations in a few letters, for the names of choices: the types of both factors and of the sum, and a
    /// fingerprint of the operations (FNV-1a, 64 bits, of their text).
    pub(crate) fn name(&self) -> String {
        let mut hash = FnvHasher::default();
        hash.write(self.step.opencl("step").as_bytes());
        let hash = hash.finish();
        let types = |kinds: &[ScalarType]| kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join("+");
        format!("{} x {} to {}, {hash:016x}", types(self.left()), types(self.right()), types(self.sums()))
    }
}
