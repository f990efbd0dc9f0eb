//! Functions on a group, as the planner sees them: sizes, numbers and limits, and the stages that a plan cuts them into.

use manycore_characters::values::LARGEST_EXPONENT;
use manycore_device::{Word as _, WordType};
use manycore_model::Operation;

use super::super::plan::build::{Build, build};
use super::super::plan::parameters::{Limits, Plan};
use super::super::plan::pieces::primes_of;
use super::super::plan::slots::Stages;
use super::super::plan::stages::{Stage, TilePass};
use super::operations::NumberOperations;
use crate::numbers::Numbers;

/// Functions on a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    pub(super) factors: Vec<u64>,
    pub(super) batch: usize,
    pub(super) value_bytes: usize,
    pub(super) word: WordType,
    pub(super) operations: NumberOperations,
    /// The orders of roots that there are divide this; 0 where there are all.
    pub(super) roots: u64,
    pub(super) limits: Limits,
    pub(super) on_host: bool,
}

impl Shape {
    /// `batch` functions on the group of these factors, on the host or on another device, with `processors` processors.
    pub fn new<N: Numbers>(factors: &[u64], batch: usize, numbers: &N, (on_host, processors): (bool, usize)) -> Self {
        let limits = Limits::new(numbers, on_host, processors);
        Self {
            factors: factors.to_vec(),
            batch,
            value_bytes: size_of::<N::Value>(),
            word: N::Word::TYPE,
            operations: NumberOperations::new(numbers.product(), on_host, limits.lanes, size_of::<N::Value>()),
            roots: numbers.group_of_roots(),
            limits,
            on_host,
        }
    }

    pub(super) fn stages(&self, plan: &Plan) -> Stages {
        let has_roots = |order: u64| order <= LARGEST_EXPONENT && (self.roots == 0 || self.roots.is_multiple_of(order));
        build(&Build { factors: &self.factors, batch: self.batch, plan: plan.clone(), limits: self.limits }, &has_roots)
    }

    pub(super) fn operation(&self) -> Operation {
        match (self.word.is_floating(), self.word.bytes()) {
            _ if self.on_host && self.limits.lanes == 1 => Operation::Scalar,
            (true, 8) => Operation::F64,
            (true, _) => Operation::F32,
            (false, 8) => Operation::Int64,
            (false, _) => Operation::Int32,
        }
    }

    /// The primes of the group that are too large for registers, ascending.
    pub(super) fn large_primes(&self) -> Vec<u64> {
        let mut primes: Vec<u64> = self.factors.iter().filter(|&&n| n > 1).flat_map(|&n| primes_of(n)).collect();
        primes.retain(|&prime| prime > self.limits.largest_radix);
        primes.sort_unstable();
        primes.dedup();
        primes
    }

    /// The stages without what changes no bits of their results: how a pass is cut into tiles, but for the units of a
    /// tile where the host multiplies by two twiddle factors, that of the tile's first unit and that of the unit within the
    /// tile.
    pub(super) fn arithmetic(&self, plan: &Plan) -> Vec<Stage> {
        let stages = self.stages(plan).list.into_iter().map(|placed| placed.stage);
        let plain = |stage| match stage {
            Stage::Tile(pass) => {
                let units_each = if self.on_host && pass.cofactor > 1 { pass.units_each } else { 1 };
                Stage::Tile(TilePass { units_each, run_each: 1, ..pass })
            }
            Stage::Multiply(pass) => Stage::Multiply(pass),
        };
        stages.map(plain).collect()
    }
}
