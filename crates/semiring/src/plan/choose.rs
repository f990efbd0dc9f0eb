//! The cheapest representations: branch and bound in the order of the nodes, whose costs only grow (paper 003, section IV-F).

use super::Plan;
use super::error::PlanError;
use super::program::{Node, Program};
use super::shape::Representation;

/// Partial plans that [`Program::cheapest`] looks at, at most.
const MOST_LOOKED_AT: usize = 1 << 22;

impl Program {
    /// The plan with the fewest accesses to memory; of equal ones the one that stores more of the first nodes.
    ///
    /// A branch is left where its cost so far reaches that of the best plan. At worst exponential in the number of results that may
    /// be kept in several ways: exact where it ends within 2^22 partial plans, and else the best plan until then.
    ///
    /// # Errors
    /// [`PlanError::Cost`] where the cost of every plan passes 2^128.
    pub fn cheapest(&self, charge_output: bool) -> Result<Plan, PlanError> {
        let (order, allowed) = (self.order(), self.allowed());
        let (mut access, mut failed) = (vec![0; self.nodes.len()], None);
        let best = branch_and_bound(order.len(), 0u128, MOST_LOOKED_AT, |place, choice, spent| {
            let Node(at) = order[place];
            let representation = *allowed[at].get(choice)?;
            let made = self.node_cost(at, representation, |operand| access[operand], charge_output);
            let past = || PlanError::Cost { node: self.nodes[at].name.clone() };
            let total = made.and_then(|(entry, made)| {
                access[at] = entry;
                spent.checked_add(made).ok_or_else(past)
            });
            Some(total.map_err(|error| failed = Some(error)).ok())
        });
        let mut representations = vec![Representation::Stored; self.nodes.len()];
        match (best, failed) {
            (None, Some(error)) => return Err(error),
            (best, _) => {
                // Only a cost past all numbers leaves no plan.
                for (&Node(at), choice) in order.iter().zip(best.unwrap_or_default()) {
                    representations[at] = allowed[at][choice];
                }
            }
        }
        Plan::new(self, &representations)
    }
}

/// The choices at places in order whose cost is the least, the first of equal ones, by branch and bound, depth first; `None` where
/// there are none. After `most` looks at partial choices the best ones until then, or the first ones that are found.
///
/// `look(place, choice, spent)` is the cost with this choice at a place, whose choices before cost `spent`: never less; `None`
/// where there is no such choice, and `Some(None)` where it is not possible. Its last call for each place before is of the choice that is
/// taken there.
pub(crate) fn branch_and_bound<C: Copy + PartialOrd>(
    places: usize,
    start: C,
    most: usize,
    mut look: impl FnMut(usize, usize, C) -> Option<Option<C>>,
) -> Option<Vec<usize>> {
    let mut best: Option<(C, Vec<usize>)> = None;
    // For each open place: the current choice, and the cost of the choices before it.
    let mut open: Vec<(usize, C)> = vec![(0, start)];
    let mut looked_at = 0;
    while let Some(&(choice, spent)) = open.last() {
        let place = open.len() - 1;
        let is_better = best.as_ref().is_none_or(|(least, _)| spent < *least);
        if place == places && is_better {
            // Those that are open have been looked at, and the next choice is theirs.
            best = Some((spent, open[..places].iter().map(|(next, _)| next - 1).collect()));
        }
        let is_left = place == places || !is_better || (best.is_some() && looked_at >= most);
        match if is_left { None } else { look(place, choice, spent) } {
            None => {
                open.pop();
            }
            Some(cost) => {
                looked_at += 1;
                open[place].0 += 1;
                open.extend(cost.map(|cost| (0, cost)));
            }
        }
    }
    best.map(|(_, choices)| choices)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::branch_and_bound;

    /// Costs by place and choice, where a cost of 7 is impossible.
    #[allow(clippy::option_option)] // as it is called
    fn look(costs: &[Vec<u32>], place: usize, choice: usize, spent: u32) -> Option<Option<u32>> {
        let cost = *costs[place].get(choice)?;
        Some((cost != 7).then_some(spent + cost))
    }

    proptest! {
        #[test]
        fn the_least_of_all(costs in prop::collection::vec(prop::collection::vec(0u32..9, 0..4), 0..5)) {
            let least = |of: &Vec<u32>| {
                let all = of.iter().enumerate().filter(|(_, cost)| **cost != 7);
                all.min_by_key(|(at, cost)| (**cost, *at)).map(|(at, _)| at)
            };
            let expected: Option<Vec<usize>> = costs.iter().map(least).collect();
            let found = branch_and_bound(costs.len(), 0, usize::MAX, |place, choice, spent| look(&costs, place, choice, spent));
            prop_assert_eq!(&found, &expected);
            // However few looks there are, a possible choice is found.
            let found = branch_and_bound(costs.len(), 0, 0, |place, choice, spent| look(&costs, place, choice, spent));
            prop_assert_eq!(found.is_some(), expected.is_some());
        }
    }
}
