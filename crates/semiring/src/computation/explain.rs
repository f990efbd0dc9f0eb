//! A plan as text, and as a graph in the language of Graphviz.

use std::fmt::{self, Write as _};

use super::nodes::{Bound, Computation};
use super::results::Results;
use crate::error::SemiringError;
use crate::multiply::products::Products;
use crate::plan::{Node, Operation, Plan, Representation};

/// What a plan does, node by node.
#[derive(Debug, Clone)]
pub struct Explanation {
    nodes: Vec<PlanStep>,
    total: u128,
    /// Accesses of the plan that stores everything.
    stored: u128,
    /// Estimated seconds of the plan, where it was explained for a device.
    total_seconds: Option<f64>,
}

/// A step of a plan: a node, how it is kept, and what it takes.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PlanStep {
    /// The node.
    pub node: Node,
    /// Its name.
    pub name: String,
    /// `product`, `elements`, `matrix`, `function`, `lists`, `factor` or `output`.
    pub what: &'static str,
    /// Its rows and columns.
    pub shape: String,
    /// The nodes that it reads.
    pub operands: Vec<Node>,
    /// How it is kept.
    pub representation: Representation,
    /// Its accesses to memory.
    pub accesses: u128,
    /// Accesses of the whole plan with each other representation of this node, and its estimated seconds on a device.
    pub others: Vec<(Representation, u128, Option<f64>)>,
    /// Its estimated seconds, where the plan was explained for a device.
    pub estimated: Option<f64>,
    /// Its seconds in a run that was timed.
    pub seconds: Option<f64>,
    /// The names of the results that are freed after it.
    pub freed: Vec<String>,
}

impl Computation {
    /// What a plan does: order, representations, accesses to memory of each node and of the plan with each other representation of
    /// it, results that are freed; with the seconds of a run that was timed ([`Computation::run_timed`]).
    ///
    /// # Errors
    /// [`SemiringError::OtherPlan`]; [`SemiringError::Unbound`]; [`SemiringError::Program`] for costs past 2^128.
    pub fn explain(&self, plan: &Plan, timed: Option<&Results>) -> Result<Explanation, SemiringError> {
        self.explained(None, plan, timed)
    }

    /// [`Computation::explain`] with the seconds of each node and of the plan with each other representation of it on a device
    /// ([`Computation::estimate`]).
    ///
    /// # Errors
    /// As [`Computation::explain`] and [`Computation::fastest`].
    pub fn explain_on(
        &self,
        products: &Products,
        plan: &Plan,
        timed: Option<&Results>,
    ) -> Result<Explanation, SemiringError> {
        self.explained(Some(products), plan, timed)
    }

    fn explained(
        &self,
        products: Option<&Products>,
        plan: &Plan,
        timed: Option<&Results>,
    ) -> Result<Explanation, SemiringError> {
        let plan = self.settled(plan)?;
        let estimates = products.map(|products| self.estimate(products, &plan)).transpose()?;
        let cost = plan.cost(true)?;
        let schedule = plan.schedule();
        let mut nodes = Vec::new();
        for node in self.program.order() {
            let representation = plan.representation(node);
            let others = Representation::ALL.into_iter().filter(|&other| other != representation);
            let others = others.filter_map(|other| self.with(products, &plan, node, other));
            let freed = schedule.iter().find(|(of, _)| *of == node).map_or(&[][..], |(_, freed)| freed);
            nodes.push(PlanStep {
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
                estimated: estimates.as_deref().and_then(|all| seconds_of(all, node)),
                seconds: timed.and_then(|timed| seconds_of(timed.seconds(), node)),
                freed: freed.iter().map(|&node| self.program.name(node).to_owned()).collect(),
            });
        }
        let stored = Plan::new(&self.program, &vec![Representation::Stored; self.nodes.len()])?.cost(true)?.total;
        let total_seconds = estimates.map(|all| all.iter().map(|(_, seconds)| seconds).sum());
        Ok(Explanation { nodes, total: cost.total, stored, total_seconds })
    }

    /// The accesses, and the seconds on a device, of a plan in which a node is kept otherwise; `None` where it cannot be.
    fn with(
        &self,
        products: Option<&Products>,
        plan: &Plan,
        node: Node,
        representation: Representation,
    ) -> Option<(Representation, u128, Option<f64>)> {
        let mut all: Vec<Representation> = self.program.nodes().map(|node| plan.representation(node)).collect();
        *all.get_mut(node.index())? = representation;
        let plan = self.settled(&Plan::new(&self.program, &all).ok()?).ok()?;
        if plan.representation(node) != representation {
            return None;
        }
        let estimates = products.map(|products| self.estimate(products, &plan)).transpose().ok()?;
        let seconds = estimates.map(|all| all.iter().map(|(_, seconds)| seconds).sum());
        Some((representation, plan.cost(true).ok()?.total, seconds))
    }
}

/// The seconds of a node, which may have run for several blocks.
fn seconds_of(all: &[(Node, f64)], node: Node) -> Option<f64> {
    let own: Vec<f64> = all.iter().filter(|(of, _)| *of == node).map(|&(_, seconds)| seconds).collect();
    (!own.is_empty()).then(|| own.iter().sum())
}

impl Representation {
    /// The paper's name: BUF, XY, CSR or CSC.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stored => "BUF",
            Self::Function => "XY",
            Self::Rows => "CSR",
            Self::Columns => "CSC",
        }
    }
}

impl Explanation {
    /// Accesses to memory of the plan.
    pub fn accesses(&self) -> u128 {
        self.total
    }

    /// Estimated seconds of the plan, where it was explained for a device.
    pub fn seconds(&self) -> Option<f64> {
        self.total_seconds
    }

    /// Accesses to memory of the plan that stores all results.
    pub fn accesses_stored(&self) -> u128 {
        self.stored
    }

    /// The steps, each behind those that it reads.
    pub fn steps(&self) -> &[PlanStep] {
        &self.nodes
    }

    /// The graph in the language of Graphviz: boxes are stored, ellipses are computed where they are read.
    pub fn dot(&self) -> String {
        let mut text = "digraph plan {\n    rankdir = LR;\n".to_owned();
        for line in &self.nodes {
            let shape = if line.representation == Representation::Stored { "box" } else { "ellipse" };
            let label = format!("{}\n{} {}, {}", line.name, line.what, line.shape, line.representation.name());
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
        write!(f, "{} accesses to memory, {} with all results stored", self.total, self.stored)?;
        if let Some(seconds) = self.total_seconds {
            write!(f, "; {:.3} ms estimated", seconds * 1e3)?;
        }
        writeln!(f)?;
        for line in &self.nodes {
            let PlanStep { name: own, what, shape, representation, accesses, .. } = line;
            write!(f, "{own}: {what} {shape}, {}, {accesses} accesses", representation.name())?;
            if let Some(seconds) = line.estimated {
                write!(f, ", {:.3} ms estimated", seconds * 1e3)?;
            }
            if let Some(seconds) = line.seconds {
                write!(f, ", {:.3} ms", seconds * 1e3)?;
            }
            for (other, total, seconds) in &line.others {
                write!(f, "; as {} the plan has {total}", other.name())?;
                if let Some(seconds) = seconds {
                    write!(f, " and {:.3} ms", seconds * 1e3)?;
                }
            }
            if !line.freed.is_empty() {
                write!(f, "; then free: {}", line.freed.join(", "))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
