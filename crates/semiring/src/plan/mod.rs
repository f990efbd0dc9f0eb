//! Plans of generalized matrix programs: order, lifetimes and costs (paper 003, sections IV-E and IV-F, corrected).

mod choose;
mod cost;
mod error;
mod order;
mod program;
mod shape;

pub(crate) use choose::branch_and_bound;
pub use cost::Cost;
pub use error::PlanError;
pub use program::{Node, Operation, Program, Sparsity};
pub use shape::{Representation, Shape};

/// A program with a representation for each result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    program: Program,
    /// Of each node in the order of their making; what is given or an output counts as stored.
    representations: Vec<Representation>,
}

impl Plan {
    /// A program whose results are kept like this; matrices that products alone read are what they were made as.
    ///
    /// # Errors
    /// [`PlanError::Representations`] for another number of representations than there are nodes; [`PlanError::NotStored`] for
    /// a product that an output reads and that is not stored; [`PlanError::Sparse`] for a product as lists of entries.
    pub fn new(program: &Program, representations: &[Representation]) -> Result<Self, PlanError> {
        let (expected, given) = (program.nodes().len(), representations.len());
        if expected != given {
            return Err(PlanError::Representations { expected, given });
        }
        let fixed = |(at, &given): (usize, &Representation)| program.fixed(at).unwrap_or(given);
        let representations: Vec<Representation> = representations.iter().enumerate().map(fixed).collect();
        let allowed = program.allowed();
        for (at, &representation) in representations.iter().enumerate() {
            if !allowed[at].contains(&representation) {
                let node = program.name(Node(at)).to_owned();
                return Err(match representation {
                    Representation::Function => PlanError::NotStored { node },
                    _ => PlanError::Sparse { node },
                });
            }
        }
        Ok(Self { program: program.clone(), representations })
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Keeps a node's result as one of those that are allowed.
    pub(crate) fn keep(&mut self, node: Node, representation: Representation) {
        self.representations[node.0] = representation;
    }

    /// What a node's result is kept as.
    pub fn representation(&self, node: Node) -> Representation {
        self.representations[node.0]
    }
}
