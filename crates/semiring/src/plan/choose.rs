//! The cheapest representations: branch and bound in the order of the nodes, whose costs only grow (paper 003, section IV-F).

use super::error::PlanError;
use super::program::{Node, Program};
use super::{Plan, Representation};

impl Program {
    /// The plan with the fewest accesses to memory; of equal ones the one that stores more of the first nodes.
    ///
    /// Exact: a branch is left where its cost so far reaches that of the best plan. At worst exponential in the number of
    /// results that may be kept in several ways.
    ///
    /// # Errors
    /// [`PlanError::Cost`] where the cost of every plan passes 2^128.
    pub fn cheapest(&self, charge_output: bool) -> Result<Plan, PlanError> {
        let order = self.order();
        let mut search = Search {
            program: self,
            order: &order,
            charge_output,
            access: vec![0; self.nodes.len()],
            representations: vec![Representation::Stored; self.nodes.len()],
            best: None,
            failed: None,
        };
        search.from(0, 0);
        match (search.best, search.failed) {
            (Some((_, representations)), _) => Plan::new(self, &representations),
            (None, Some(error)) => Err(error),
            // Only a cost past all numbers leaves no plan.
            (None, None) => Plan::new(self, &vec![Representation::Stored; self.nodes.len()]),
        }
    }
}

struct Search<'a> {
    program: &'a Program,
    order: &'a [Node],
    charge_output: bool,
    access: Vec<u128>,
    representations: Vec<Representation>,
    best: Option<(u128, Vec<Representation>)>,
    failed: Option<PlanError>,
}

impl Search<'_> {
    /// Tries all representations of the nodes from `place` on; those before cost `spent`.
    fn from(&mut self, place: usize, spent: u128) {
        if self.best.as_ref().is_some_and(|(best, _)| spent >= *best) {
            return;
        }
        let Some(&Node(at)) = self.order.get(place) else {
            self.best = Some((spent, self.representations.clone()));
            return;
        };
        for &representation in self.program.allowed(at) {
            let access = |operand: usize| self.access[operand];
            let made = self.program.node_cost(at, representation, access, self.charge_output);
            let total = made.and_then(|(entry, made)| {
                let total = spent.checked_add(made);
                let error = || PlanError::Cost { node: self.program.nodes[at].name.clone() };
                total.map(|total| (entry, total)).ok_or_else(error)
            });
            match total {
                Ok((entry, total)) => {
                    self.access[at] = entry;
                    self.representations[at] = representation;
                    self.from(place + 1, total);
                }
                Err(error) => self.failed = Some(error),
            }
        }
        self.representations[at] = Representation::Stored;
    }
}
