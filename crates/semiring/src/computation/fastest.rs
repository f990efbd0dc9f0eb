//! Plans by seconds: what the planner knows of each product and counts of each function of entries on a device, over all
//! representations by branch and bound (paper 003, section IV-F, with seconds in the place of accesses).

use std::collections::HashMap;
use std::sync::Arc;

use manycore_device::Executor;
use manycore_expressions::ScalarType;

use super::listed::of_first_line;
use super::nodes::{Bound, Computation, MOST_OPERATIONS, Made, Table};
use crate::error::SemiringError;
use crate::multiply::form::{ProductForm, ProductShape};
use crate::multiply::products::Products;
use crate::operand::Form;
use crate::plan::{Node, Operation, Plan, Representation, branch_and_bound};

/// Nodes of partial plans that are looked at, at most.
const MOST_NODES: usize = 1 << 14;

impl Computation {
    /// The plan of the fewest seconds on a device, by what the planner knows of each product (its measurements, where there are any,
    /// else its estimates) and by estimates of functions of entries; matrices that are given are on the device, and outputs
    /// stay there. Of equal ones the plan that stores more of the first nodes.
    ///
    /// Branch and bound: exact where it ends within 2^14 nodes of partial plans, and else the best plan until then.
    ///
    /// # Errors
    /// [`SemiringError::Unbound`]; [`SemiringError::NoChoice`] where the device has no plan for a product, however it is read.
    pub fn fastest(&self, products: &Products) -> Result<Plan, SemiringError> {
        let (order, allowed) = (self.program.order(), self.program.allowed());
        let stored = Plan::new(&self.program, &vec![Representation::Stored; self.nodes.len()])?;
        let lengths = vec![0; self.nodes.len()];
        let mut search =
            Search { computation: self, products, plan: stored, lengths, known: HashMap::new(), failed: None };
        let best = branch_and_bound(order.len(), 0.0, MOST_NODES, |place, choice, spent| {
            let node = order[place];
            let representation = *allowed[node.index()].get(choice)?;
            Some(search.keep(node, representation).map(|seconds| spent + seconds))
        });
        let Some(best) = best else {
            // Only an error leaves no plan.
            return search.failed.map_or(Ok(search.plan), Err);
        };
        for (node, choice) in order.into_iter().zip(best) {
            search.plan.keep(node, allowed[node.index()][choice]);
        }
        self.settled(&search.plan)
    }

    /// The seconds of each node that runs on a device by a plan, as [`Computation::fastest`] sees them.
    ///
    /// # Errors
    /// [`SemiringError::OtherPlan`]; as [`Computation::fastest`].
    pub fn estimate(&self, products: &Products, plan: &Plan) -> Result<Vec<(Node, f64)>, SemiringError> {
        let plan = self.settled(plan)?;
        let mut all = Vec::new();
        for (node, _) in plan.schedule() {
            if !matches!(self.program.operation(node), Operation::Given { .. }) {
                all.push((node, self.seconds(products, &plan, node)?));
            }
        }
        Ok(all)
    }

    /// The seconds of a node by a plan; nothing where it does not run.
    fn seconds(&self, products: &Products, plan: &Plan, node: Node) -> Result<f64, SemiringError> {
        let shape = self.program.shape(node)?;
        match &self.nodes[node.index()].bound {
            Bound::Given(None) => Err(SemiringError::Unbound { node: self.program.name(node).to_owned() }),
            Bound::Product(algebra, _) if self.is_stored(plan, node) => {
                let mut operands = self.program.operands(node);
                let (Some(a), Some(b)) = (operands.next(), operands.next()) else { return Ok(0.0) };
                let left = self.operand_form(plan, node, (a, true))?;
                let right = self.operand_form(plan, node, (b, false))?;
                let inner = self.program.shape(a)?.columns;
                let terms = [left.1, right.1].into_iter().flatten().min().unwrap_or(inner).min(inner);
                let form = ProductForm { algebra: (**algebra).clone(), left: left.0, right: right.0 };
                let size = |of: u64| usize::try_from(of).unwrap_or(usize::MAX);
                let sizes = ProductShape { rows: size(shape.rows), inner: size(terms), columns: size(shape.columns) };
                products.seconds(&form, sizes)
            }
            Bound::Elements if self.is_stored(plan, node) => {
                products.entry_seconds(&self.made(plan, node)?.entry, shape)
            }
            Bound::Output => match self.program.operands(node).next() {
                Some(of) if !self.is_stored(plan, of) => products.entry_seconds(&self.entry(plan, of)?.entry, shape),
                _ => Ok(0.0),
            },
            // On the device before, or within what reads it.
            Bound::Given(Some(_)) | Bound::Factor(..) | Bound::Product(..) | Bound::Elements => Ok(0.0),
        }
    }

    /// What a product reads of an operand, and the entries of a line of it, where they are lists.
    fn operand_form(
        &self,
        plan: &Plan,
        product: Node,
        (node, is_left): (Node, bool),
    ) -> Result<(Form, Option<u64>), SemiringError> {
        if let Some(listed) = self.listed_factor(plan, product, (node, is_left))? {
            let terms = listed.tables.iter().find_map(|table| match table {
                Table::Offsets(of, is_by_rows) => self.line_entries(*of, *is_by_rows),
                _ => None,
            });
            let kinds = listed.tables.iter().map(|table| match *table {
                Table::Words(of, scalar) | Table::Entry(of, _, scalar) => {
                    ScalarType::Word(self.nodes[of.index()].kinds[scalar].memory())
                }
                _ => ScalarType::Word(manycore_device::WordType::U64),
            });
            return Ok((Form::Made(Arc::new(listed.lists(kinds.collect()))), terms));
        }
        match &self.nodes[node.index()].bound {
            Bound::Factor(made, _) => Ok(match &**made {
                Made::AtResult(entry) => (Form::AtResult(Arc::clone(entry), entry.tables().to_vec()), None),
                Made::Lists(lists) => (Form::Made(Arc::clone(lists)), of_first_line(&lists.size)),
            }),
            Bound::Given(Some(given)) if given.absent().is_some() => {
                let Bound::Product(_, leaves_out) = &self.nodes[product.index()].bound else {
                    return Ok((Form::Stored, None));
                };
                Ok(if self.reads_missing(leaves_out, (node, is_left))? {
                    (Form::Computed(self.entry(plan, node)?.entry), None)
                } else {
                    (Form::Lists, self.line_entries(node, is_left))
                })
            }
            _ if self.is_stored(plan, node) => Ok((Form::Stored, None)),
            _ => Ok((Form::Computed(self.entry(plan, node)?.entry), None)),
        }
    }
}

struct Search<'a> {
    computation: &'a Computation,
    products: &'a Products,
    /// What the nodes before are kept as.
    plan: Plan,
    /// Their lengths ([`Computation::length`]).
    lengths: Vec<u64>,
    /// Seconds by node and by the representations of all that it is made of; `None` where it cannot run so.
    known: HashMap<(Node, Vec<Representation>), Option<f64>>,
    failed: Option<SemiringError>,
}

impl Search<'_> {
    /// Keeps a node so: its seconds, or `None` where that is not possible or as another one.
    fn keep(&mut self, node: Node, representation: Representation) -> Option<f64> {
        self.plan.keep(node, representation);
        self.lengths[node.index()] = self.computation.length(&self.plan, node, &self.lengths);
        let is_sensible = representation == Representation::Stored
            || (self.lengths[node.index()] <= MOST_OPERATIONS && self.is_sensible(node, representation));
        if is_sensible { self.seconds(node) } else { None }
    }

    /// Whether a node that is not stored differs from others: it has a function of its places, and lists where a product reads it
    /// as such.
    fn is_sensible(&self, node: Node, representation: Representation) -> bool {
        let (computation, program) = (self.computation, &self.computation.program);
        if program.fixed(node.index()).is_some() {
            return true;
        }
        let known = &computation.nodes[node.index()];
        let reads_at = |place: usize| {
            let is_product = |of: &Node| matches!(program.operation(*of), Operation::Product(_));
            program.nodes().filter(is_product).any(|of| program.operands(of).nth(place) == Some(node))
        };
        match representation {
            Representation::Stored => true,
            Representation::Function => known.compose.is_some(),
            Representation::Rows => known.lists.is_some() && reads_at(0),
            Representation::Columns => known.lists.is_some() && reads_at(1),
        }
    }

    /// The seconds of a node by the representations up to it.
    fn seconds(&mut self, node: Node) -> Option<f64> {
        let cone = self.computation.program.order_from([node]);
        let key = (node, cone.iter().map(|of| self.plan.representation(*of)).collect::<Vec<_>>());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let seconds = match self.computation.seconds(self.products, &self.plan, node) {
            Ok(seconds) => Some(seconds),
            // A function that is too long, or that the device has not.
            Err(error) => {
                self.failed.get_or_insert(error);
                None
            }
        };
        self.known.insert(key, seconds);
        seconds
    }
}

impl Products {
    /// The seconds of a product as it is chosen.
    fn seconds(&self, form: &ProductForm, shape: ProductShape) -> Result<f64, SemiringError> {
        if let (Executor::OpenCl(cl), true) = (self.device().executor(), form.needs_fp64())
            && !cl.info().fp64
        {
            let feature = "double precision".to_owned();
            let device = cl.info().label();
            return Err(manycore_device::DeviceError::Unsupported { device, feature }.into());
        }
        Ok(self.choice(form, shape)?.best().seconds())
    }
}
