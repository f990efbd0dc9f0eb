//! Transforms on a group, as the planner sees them: measurements and proofs.

use manycore_characters::{AbelianGroup, Values};
use manycore_device::{Buffer, InPlace, Word as _};
use manycore_tuning::{Operation, Proof, proof};

use super::cost::{Shape, Transforms};
use super::direction::Direction;
use super::plan::build::{Build, build};
use super::plan::parameters::{Limits, Plan};
use crate::context::Fourier;
use crate::error::FourierError;
use crate::numbers::Numbers;

/// A transform by a context, scaled or not, by a plan or the one that is chosen.
type Run<N> = fn(
    &Fourier,
    &AbelianGroup,
    &N,
    (Direction, bool),
    InPlace<'_, <N as Values>::Word>,
    Option<&Plan>,
) -> Result<Plan, FourierError>;

/// Transforms of a number of functions on a group.
pub(super) struct GroupTransforms<'a, N: Numbers> {
    pub(super) context: &'a Fourier,
    pub(super) group: &'a AbelianGroup,
    pub(super) numbers: &'a N,
    pub(super) count: usize,
    /// Words of all functions.
    pub(super) words: usize,
    pub(super) limits: Limits,
    pub(super) costs: Transforms,
    pub(super) run: Run<N>,
}

impl<N: Numbers> Operation for GroupTransforms<'_, N> {
    type Costs = Transforms;
    type Trial = Buffer<N::Word>;
    type Error = FourierError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &Transforms {
        &self.costs
    }

    fn family(&self, _: &Shape) -> String {
        format!("fourier, {}, {}", self.numbers.name(), N::Word::TYPE.name())
    }

    fn sizes(&self, _: &Shape) -> Vec<usize> {
        self.group.factors().iter().map(|&order| order as usize).collect()
    }

    fn arrays(&self, _: &Shape) -> usize {
        self.count
    }

    fn is_empty(&self, _: &Shape) -> bool {
        self.count == 0 || self.group.order() == 1
    }

    fn trial(&self, _: &Shape) -> Result<Buffer<N::Word>, FourierError> {
        Ok(self.context.device().zeros(self.words)?)
    }

    fn try_plan(&self, _: &Shape, data: &mut Buffer<N::Word>, plan: &Plan) -> Result<(), FourierError> {
        let forward = (Direction::Forward, false);
        (self.run)(self.context, self.group, self.numbers, forward, data.into(), Some(plan)).map(drop)
    }

    fn constants(&self, _: &Shape) -> String {
        self.group.to_string()
    }

    /// There and back. The error of a transform in the 2-norm is about half a unit for each level of the order, and a few times that
    /// by chirps; four units for each level are allowed for, of four transforms.
    fn proof(&self, _: &Shape, plan: &Plan) -> Result<Proof, FourierError> {
        let Self { context, group, numbers, limits, run, .. } = *self;
        let levels = (group.order() as f64).log2().max(1.0);
        let operations = |count: usize| (count as u64).saturating_mul(group.order()).saturating_mul(8 * levels as u64);
        let is_small = |&count: &usize| {
            proof::is_small((count as u64).saturating_mul(group.order() * N::WORDS as u64), operations(count))
        };
        // Passes may depend on the number of functions: all of them, else a few by the passes that they would have.
        let few = proof::few(self.count, group.order() as usize);
        let Some(count) = [self.count, few].into_iter().find(is_small) else { return Ok(Proof::TooLarge) };
        let has_roots = |order| numbers.has_roots(order);
        let what = Build { factors: group.factors(), batch: count, plan: plan.clone(), limits };
        let plan = Plan { passes: build(&what, &has_roots).names().into(), ..plan.clone() };
        let mut known = proof::KnownWords::new(group.order());
        let values: Vec<N::Value> = (0..count as u64 * group.order())
            .map(|_| numbers.natural(u64::from(known.next_word() as u32 >> 16)))
            .collect();
        let mut data = context.device().upload::<N::Word>(bytemuck::cast_slice(&values))?;
        let mut expected: Vec<N::Word> = bytemuck::cast_slice(&values).to_vec();
        let host = Fourier::new(&proof::host());
        run(&host, group, numbers, (Direction::Forward, false), expected.as_mut_slice().into(), None)?;
        run(context, group, numbers, (Direction::Forward, false), (&mut data).into(), Some(&plan))?;
        let near = |found: &Buffer<N::Word>, expected: &[N::Word]| -> Result<Proof, FourierError> {
            let found = found.download()?;
            let distance = numbers.distance(bytemuck::cast_slice(&found), bytemuck::cast_slice(expected));
            Ok(Proof::of_distance(distance, 16.0 * proof::rounding_unit::<N::Word>() * levels))
        };
        let forward = near(&data, &expected)?;
        run(context, group, numbers, (Direction::Inverse, true), (&mut data).into(), Some(&plan))?;
        Ok(forward.and(near(&data, bytemuck::cast_slice(&values))?))
    }
}
