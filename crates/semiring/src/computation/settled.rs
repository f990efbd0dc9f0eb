//! A plan as it is run: nodes that cannot be computed where they are read are stored, and which nodes are needed whole.

use super::nodes::{Bound, Computation, MOST_OPERATIONS};
use crate::error::SemiringError;
use crate::plan::{Node, Operation, Plan, Representation};

impl Computation {
    /// The plan with what cannot be computed where it is read stored.
    pub(super) fn settled(&self, plan: &Plan) -> Result<Plan, SemiringError> {
        if *plan.program() != self.program {
            return Err(SemiringError::OtherPlan);
        }
        for node in self.program.order() {
            if matches!(self.nodes[node.index()].bound, Bound::Given(None)) {
                return Err(SemiringError::Unbound { node: self.program.name(node).to_owned() });
            }
        }
        let mut representations: Vec<Representation> = self
            .program
            .nodes()
            .map(|node| match self.program.operation(node) {
                Operation::Product(_) | Operation::Elements if !self.is_stored(plan, node) => plan.representation(node),
                _ => Representation::Stored,
            })
            .collect();
        let mut plan = Plan::new(&self.program, &representations)?;
        // What would be too long is stored.
        let mut lengths = vec![0; self.nodes.len()];
        for node in self.program.nodes() {
            lengths[node.index()] = self.length(&plan, node, &lengths);
            if lengths[node.index()] > MOST_OPERATIONS && self.program.fixed(node.index()).is_none() {
                representations[node.index()] = Representation::Stored;
                plan.keep(node, Representation::Stored);
                lengths[node.index()] = self.length(&plan, node, &lengths);
            }
        }
        // What no product reads as lists is a function.
        for node in self.program.nodes() {
            let is_list = matches!(plan.representation(node), Representation::Rows | Representation::Columns);
            if is_list && self.program.fixed(node.index()).is_none() && !self.is_listed(&plan, node)? {
                representations[node.index()] = Representation::Function;
            }
        }
        Ok(Plan::new(&self.program, &representations)?)
    }

    /// Whether a product reads a node as lists.
    fn is_listed(&self, plan: &Plan, node: Node) -> Result<bool, SemiringError> {
        for product in self.program.nodes() {
            for (at, operand) in self.program.operands(product).enumerate() {
                if operand == node && self.listed_factor(plan, product, (node, at == 0))?.is_some() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Which nodes are needed whole where outputs are made in blocks of rows.
    pub(super) fn whole(&self) -> Vec<bool> {
        let mut is_whole = vec![false; self.nodes.len()];
        for node in self.program.order().into_iter().rev() {
            let is_product = matches!(self.program.operation(node), Operation::Product(_));
            for (at, operand) in self.program.operands(node).enumerate() {
                let needs_all = is_whole[node.index()] || self.nodes[node.index()].is_turned || (is_product && at == 1);
                is_whole[operand.index()] |= needs_all;
            }
        }
        is_whole
    }
}
