//! Costs: accesses to memory of each node by what its operands are kept as (paper 003, formulas 7 to 17 and table III, corrected).

use super::Plan;
use super::error::PlanError;
use super::program::{Node, Operation, Program, Sparsity};
use super::shape::Representation;

/// Accesses to memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cost {
    /// Of the whole plan.
    pub total: u128,
    /// Of each node that runs, in the order in which they run; what is computed where it is read is counted there.
    pub nodes: Vec<(Node, u128)>,
}

/// Accesses for an entry of a result, and accesses to make it.
pub(super) type NodeCost = (u128, u128);

impl Program {
    /// The cost of a node; `access` gives the accesses for an entry of each operand.
    ///
    /// # Errors
    /// [`PlanError::Cost`] past 2^128.
    pub(super) fn node_cost(
        &self,
        at: usize,
        representation: Representation,
        access: impl Fn(usize) -> u128,
        charge_output: bool,
    ) -> Result<NodeCost, PlanError> {
        let node = &self.nodes[at];
        let past = || PlanError::Cost { node: node.name.clone() };
        let (rows, columns) = (u128::from(node.shape.rows), u128::from(node.shape.columns));
        // Every operand counts as often as it is read.
        let read = node.operands.iter().try_fold(0u128, |sum, &operand| sum.checked_add(access(operand)));
        let read = read.ok_or_else(past)?;
        let terms = match &node.operation {
            Operation::Given { access, moved } => return Ok((u128::from(*access), u128::from(*moved))),
            Operation::Output => {
                let moved = if charge_output { rows.checked_mul(columns).ok_or_else(past)? } else { 0 };
                return Ok((0, moved));
            }
            Operation::Product(Sparsity::Dense) => u128::from(self.nodes[node.operands[0]].shape.columns),
            Operation::Product(Sparsity::Entries(count)) => u128::from(*count),
            Operation::Elements => 1,
        };
        let entry = terms.checked_mul(read).ok_or_else(past)?;
        match representation {
            Representation::Stored => {
                let all = rows.checked_mul(columns).and_then(|entries| entries.checked_mul(entry));
                Ok((1, all.ok_or_else(past)?))
            }
            Representation::Function => Ok((entry, 0)),
            // And the access to the index.
            Representation::Rows | Representation::Columns => Ok((entry.checked_add(1).ok_or_else(past)?, 0)),
        }
    }
}

impl Plan {
    /// Accesses to memory; results that users get count where `charge_output`, as in the paper's formulas, not in its tables.
    ///
    /// # Errors
    /// [`PlanError::Cost`] past 2^128.
    pub fn cost(&self, charge_output: bool) -> Result<Cost, PlanError> {
        let mut access = vec![0u128; self.program().nodes.len()];
        let mut cost = Cost { total: 0, nodes: Vec::new() };
        for node in self.program().order() {
            let representation = self.representation(node);
            let of = |operand: usize| access[operand];
            let (entry, made) = self.program().node_cost(node.0, representation, of, charge_output)?;
            access[node.0] = entry;
            let total = cost.total.checked_add(made);
            cost.total = total.ok_or_else(|| PlanError::Cost { node: self.program().name(node).to_owned() })?;
            if representation == Representation::Stored {
                cost.nodes.push((node, made));
            }
        }
        Ok(cost)
    }
}
