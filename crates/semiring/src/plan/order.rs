//! Order and lifetimes: depth-first post-order from the outputs, results freed behind their last readers (paper 003, section IV-E,
//! corrected: what is computed where it is read keeps what it reads).

use std::collections::BTreeSet;

use super::Plan;
use super::program::{Node, Operation, Program};
use super::shape::Representation;

impl Program {
    /// The nodes that outputs need, each behind its operands: depth first from the first output on, operands from left to
    /// right. O(nodes and operands).
    pub fn order(&self) -> Vec<Node> {
        let outputs = self.nodes.iter().enumerate().filter(|(_, node)| node.operation == Operation::Output);
        self.order_from(outputs.map(|(at, _)| Node(at)))
    }

    /// The order of the nodes that `roots` depend on.
    pub fn order_from(&self, roots: impl IntoIterator<Item = Node>) -> Vec<Node> {
        let (mut order, mut is_seen) = (Vec::new(), vec![false; self.nodes.len()]);
        for root in roots {
            // A node with the number of its operands that were visited.
            let mut open = Vec::new();
            if !std::mem::replace(&mut is_seen[root.0], true) {
                open.push((root.0, 0));
            }
            while let Some((at, next)) = open.last_mut() {
                if let Some(&operand) = self.nodes[*at].operands.get(*next) {
                    *next += 1;
                    if !std::mem::replace(&mut is_seen[operand], true) {
                        open.push((operand, 0));
                    }
                } else {
                    order.push(Node(*at));
                    open.pop();
                }
            }
        }
        order
    }
}

impl Plan {
    /// The stored results that a node reads while it runs, itself or through what is computed where it is read.
    pub fn reads(&self, node: Node) -> BTreeSet<Node> {
        let (mut found, mut open) = (BTreeSet::new(), self.program().nodes[node.0].operands.clone());
        let mut is_seen = vec![false; self.program().nodes.len()];
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut is_seen[at], true) {
                continue;
            }
            if self.representation(Node(at)) == Representation::Stored {
                found.insert(Node(at));
            } else {
                open.extend(&self.program().nodes[at].operands);
            }
        }
        found
    }

    /// Each node that runs, in order, with the results that are freed behind it: those that nothing reads later. Results that are
    /// not stored run within what reads them.
    pub fn schedule(&self) -> Vec<(Node, Vec<Node>)> {
        let runs = |node: &Node| self.representation(*node) == Representation::Stored;
        let order: Vec<Node> = self.program().order().into_iter().filter(runs).collect();
        let mut is_read = vec![false; self.program().nodes.len()];
        let mut schedule: Vec<(Node, Vec<Node>)> = Vec::with_capacity(order.len());
        for &node in order.iter().rev() {
            let last = self.reads(node).into_iter().filter(|read| !std::mem::replace(&mut is_read[read.0], true));
            schedule.push((node, last.collect()));
        }
        schedule.reverse();
        schedule
    }
}
