//! The outputs of a computation.

use std::collections::HashMap;

use manycore_expressions::{Columns, Elements, Owned};

use super::nodes::Term;
use crate::error::SemiringError;
use crate::matrix::Matrix;
use crate::plan::{Node, Shape};

/// The outputs of a computation, on the host.
#[derive(Debug)]
pub struct Results {
    pub(super) outputs: HashMap<Node, (Shape, Vec<Owned>)>,
    pub(super) seconds: Vec<(Node, f64)>,
    pub(super) names: Vec<String>,
}

impl Results {
    /// An output.
    ///
    /// # Errors
    /// [`SemiringError::NoOutput`] for a term that is none.
    pub fn matrix<T: Elements>(&self, output: Term<T>) -> Result<Matrix<T>, SemiringError> {
        let found = self.outputs.get(&output.node()).and_then(|(shape, scalars)| {
            let len = scalars.first().map_or(0, |column| column.column().len());
            Columns::of_scalars(scalars.clone(), len).map(|columns| Matrix::of_columns(*shape, columns))
        });
        let name = || self.names.get(output.node().index()).cloned().unwrap_or_default();
        found.ok_or_else(|| SemiringError::NoOutput { node: name() })
    }

    /// The seconds that each node took which ran, in their order, where that was asked for ([`Computation::run_timed`](super::Computation::run_timed)).
    pub fn seconds(&self) -> &[(Node, f64)] {
        &self.seconds
    }
}
