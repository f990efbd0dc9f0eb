//! A plan as text, and as a graph in the language of Graphviz.

use std::fmt::{self, Write as _};

use super::results::Results;
use super::{Bound, Computation};
use crate::error::SemiringError;
use crate::plan::{Node, Operation, Plan, Representation};

/// What a plan does, node by node.
#[derive(Debug, Clone)]
pub struct Explanation {
    nodes: Vec<Line>,
    total: u128,
    /// Accesses of the plan that stores everything.
    stored: u128,
}

#[derive(Debug, Clone)]
struct Line {
    node: Node,
    name: String,
    what: &'static str,
    shape: String,
    operands: Vec<Node>,
    representation: Representation,
    accesses: u128,
    /// Accesses of the whole plan with each other representation of this node.
    others: Vec<(Representation, u128)>,
    seconds: Option<f64>,
    freed: Vec<String>,
}

impl Computation {
    /// What a plan does: order, representations, accesses to memory of each node and of the plan with each other representation of
    /// it, results that are freed; with the seconds of a run that was timed ([`Computation::run_timed`]).
    ///
    /// # Errors
    /// [`SemiringError::OtherPlan`]; [`SemiringError::Unbound`]; [`SemiringError::Program`] for costs past 2^128.
    pub fn explain(&self, plan: &Plan, timed: Option<&Results>) -> Result<Explanation, SemiringError> {
        let plan = self.settled(plan)?;
        let cost = plan.cost(true)?;
        let schedule = plan.schedule();
        let mut nodes = Vec::new();
        for node in self.program.order() {
            let representation = plan.representation(node);
            let others = Representation::ALL.into_iter().filter(|&other| other != representation);
            let others = others.filter_map(|other| Some((other, self.with(&plan, node, other)?)));
            let freed = schedule.iter().find(|(of, _)| *of == node).map_or(&[][..], |(_, freed)| freed);
            nodes.push(Line {
                node,
                name: self.program.name(node).to_owned(),
                what: match (self.program.operation(node), &self.nodes[node.index()].bound) {
                    (_, Bound::Given(Some(given))) if given.function().is_some() => "function",
                    (_, Bound::Given(Some(given))) if given.absent().is_some() => "lists",
                    (Operation::Given { .. }, _) => "matrix",
                    (Operation::Product(_), _) => "product",
                    (_, Bound::Factor(..)) => "factor",
                    (Operation::Elements, _) => "elements",
                    (Operation::Output, _) => "output",
                },
                shape: self.program.shape(node)?.to_string(),
                operands: self.program.operands(node).collect(),
                representation,
                accesses: cost.nodes.iter().find(|(of, _)| *of == node).map_or(0, |&(_, accesses)| accesses),
                others: others.collect(),
                seconds: timed.and_then(|timed| {
                    let all: Vec<f64> =
                        timed.seconds().iter().filter(|(of, _)| *of == node).map(|&(_, seconds)| seconds).collect();
                    (!all.is_empty()).then(|| all.iter().sum())
                }),
                freed: freed.iter().map(|&node| self.program.name(node).to_owned()).collect(),
            });
        }
        let stored = Plan::new(&self.program, &vec![Representation::Stored; self.nodes.len()])?.cost(true)?.total;
        Ok(Explanation { nodes, total: cost.total, stored })
    }

    /// The accesses of a plan in which a node is kept otherwise; `None` where it cannot be.
    fn with(&self, plan: &Plan, node: Node, representation: Representation) -> Option<u128> {
        let mut all: Vec<Representation> = self.program.nodes().map(|node| plan.representation(node)).collect();
        *all.get_mut(node.index())? = representation;
        let plan = Plan::new(&self.program, &all).ok()?;
        Some(self.settled(&plan).ok()?.cost(true).ok()?.total)
    }
}

/// The paper's names.
fn name(representation: Representation) -> &'static str {
    match representation {
        Representation::Stored => "BUF",
        Representation::Function => "XY",
        Representation::Rows => "CSR",
        Representation::Columns => "CSC",
    }
}

impl Explanation {
    /// Accesses to memory of the plan.
    pub fn accesses(&self) -> u128 {
        self.total
    }

    /// The graph in the language of Graphviz: boxes are stored, ellipses are computed where they are read.
    pub fn dot(&self) -> String {
        let mut text = "digraph plan {\n    rankdir = LR;\n".to_owned();
        for line in &self.nodes {
            let shape = if line.representation == Representation::Stored { "box" } else { "ellipse" };
            let label = format!("{}\n{} {}, {}", line.name, line.what, line.shape, name(line.representation));
            let _ = writeln!(text, "    n{} [shape = {shape}, label = {label:?}];", line.node.index());
            for operand in &line.operands {
                let _ = writeln!(text, "    n{} -> n{};", operand.index(), line.node.index());
            }
        }
        text + "}\n"
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} accesses to memory, {} with all results stored", self.total, self.stored)?;
        for line in &self.nodes {
            let Line { name: own, what, shape, representation, accesses, .. } = line;
            write!(f, "{own}: {what} {shape}, {}, {accesses} accesses", name(*representation))?;
            if let Some(seconds) = line.seconds {
                write!(f, ", {:.3} ms", seconds * 1e3)?;
            }
            for (other, total) in &line.others {
                write!(f, "; as {} the plan has {total}", name(*other))?;
            }
            if !line.freed.is_empty() {
                write!(f, "; then free: {}", line.freed.join(", "))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
