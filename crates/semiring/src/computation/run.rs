//! Runs of a plan: whole, or in blocks of rows, in memory that the whole would not fit, or side by side on several devices.
//!
//! Rows of a product are made of rows of its left operand, rows of a function of entries of rows of its operands: those are
//! computed block by block. A right operand and what is transposed are needed whole, and made once for each device.

use std::collections::HashMap;

use manycore_device::{Control, DeviceError, shared};
use manycore_expressions::Owned;

use super::execution::{Block, Outputs, Run};
use super::nodes::Computation;
use super::results::Results;
use crate::error::SemiringError;
use crate::multiply::products::Products;
use crate::plan::{Node, Plan, Shape};

impl Computation {
    /// Runs by a plan on a device.
    ///
    /// # Errors
    /// [`SemiringError::OtherPlan`]; [`SemiringError::Unbound`] with the node's name; [`SemiringError::Absent`] where products with
    /// missing entries of lists that functions make are not zero; those of [`Products::multiply`].
    pub fn run(&self, products: &Products, plan: &Plan) -> Result<Results, SemiringError> {
        self.run_blocks(products, plan, 1, false)
    }

    /// [`Computation::run`] with the seconds of each node as a user waits for it: the device ends one before the next begins.
    ///
    /// # Errors
    /// As [`Computation::run`].
    pub fn run_timed(&self, products: &Products, plan: &Plan) -> Result<Results, SemiringError> {
        self.run_blocks(products, plan, 1, true)
    }

    /// [`Computation::run`] in blocks of rows, so that stored results that need not be there whole take at most `limit_bytes`
    /// beside those that do: the same bits.
    ///
    /// # Errors
    /// As [`Computation::run`].
    pub fn run_within(&self, products: &Products, plan: &Plan, limit_bytes: u64) -> Result<Results, SemiringError> {
        let plan = self.settled(plan)?;
        let is_whole = self.whole();
        let (mut whole, mut cut, mut most_rows) = (0u64, 0u64, 1);
        for (node, _) in plan.schedule() {
            let shape = self.program.shape(node)?;
            let bytes: u64 = self.nodes[node.index()].kinds.iter().map(|kind| kind.memory().bytes() as u64).sum();
            let bytes = shape.rows.saturating_mul(shape.columns).saturating_mul(bytes);
            let total = if is_whole[node.index()] { &mut whole } else { &mut cut };
            *total = total.saturating_add(bytes);
            most_rows = most_rows.max(shape.rows);
        }
        let room = limit_bytes.saturating_sub(whole).max(1);
        self.run_blocks(products, &plan, cut.div_ceil(room).clamp(1, most_rows), false)
    }

    /// [`Computation::run`] on several devices side by side, each with a block of rows of the outputs: the same bits.
    ///
    /// # Errors
    /// As [`Computation::run`]; [`SemiringError::Device`] for no device.
    ///
    /// # Panics
    /// Where a thread of a device panics.
    pub fn run_on(&self, products: &[Products], plan: &Plan) -> Result<Results, SemiringError> {
        let plan = &self.settled(plan)?;
        let count = products.len() as u64;
        if count == 0 {
            return Err(DeviceError::Length { what: "devices", expected: 1, given: 0 }.into());
        }
        let control = &Control::current();
        let parts: Vec<Result<Outputs, SemiringError>> = std::thread::scope(|scope| {
            let run = |(number, products)| {
                let block = move || {
                    let mut run = Run::new(self, products, plan, false);
                    run.whole()?;
                    run.block(Block { number, count })
                };
                scope.spawn(move || shared(control.clone(), block))
            };
            let threads: Vec<_> = (0..).zip(products).map(run).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| match thread.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            threads.into_iter().map(join).collect()
        });
        self.results(parts.into_iter().collect::<Result<Vec<_>, _>>()?, Vec::new())
    }

    fn run_blocks(
        &self,
        products: &Products,
        plan: &Plan,
        count: u64,
        is_timed: bool,
    ) -> Result<Results, SemiringError> {
        let plan = &self.settled(plan)?;
        let mut run = Run::new(self, products, plan, is_timed);
        run.whole()?;
        let parts = (0..count).map(|number| run.block(Block { number, count })).collect::<Result<Vec<_>, _>>()?;
        self.results(parts, run.seconds)
    }

    /// Outputs of blocks behind each other.
    fn results(&self, parts: Vec<Outputs>, seconds: Vec<(Node, f64)>) -> Result<Results, SemiringError> {
        let mut outputs: HashMap<Node, (Shape, Vec<Owned>)> = HashMap::new();
        for (node, scalars) in parts.into_iter().flatten() {
            let shape = self.program.shape(node)?;
            match outputs.entry(node) {
                std::collections::hash_map::Entry::Vacant(place) => {
                    place.insert((shape, scalars));
                }
                std::collections::hash_map::Entry::Occupied(mut all) => {
                    for (to, from) in all.get_mut().1.iter_mut().zip(&scalars) {
                        to.extend(from.column());
                    }
                }
            }
        }
        let names = self.program.nodes().map(|node| self.program.name(node).to_owned()).collect();
        Ok(Results { outputs, seconds, names })
    }
}
