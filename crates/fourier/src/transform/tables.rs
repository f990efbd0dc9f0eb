//! The constants of stages, made once for a plan.

use super::direction::Direction;
use super::plan::slots::Placed;
use super::plan::stages::{Method, Stage, Step, TilePass, Weights};
use crate::error::FourierError;
use crate::numbers::Numbers;

/// Roots up to this order are looked up in one table, else in two.
const ONE_TABLE: u64 = 4096;

/// The bits of the low part of exponents of roots of an order.
fn twiddle_bits(order: u64) -> u32 {
    let all = u64::BITS - (order - 1).leading_zeros();
    if order <= ONE_TABLE { all } else { all.div_ceil(2) }
}

/// The lengths of the tables of the low and of the high powers of a root of this order.
pub(super) fn twiddle_lengths(order: u64) -> [u64; 2] {
    let bits = twiddle_bits(order);
    [order.min(1 << bits), if order <= ONE_TABLE { 0 } else { ((order - 1) >> bits) + 1 }]
}

/// Twiddle factors between passes, powers of a root: `w^e = low[e mod 2^bits] high[e / 2^bits]`.
#[derive(Debug, Clone)]
pub(crate) struct Twiddles<V> {
    pub(super) bits: u32,
    pub(super) low: Vec<V>,
    /// Empty where all exponents are low.
    pub(super) high: Vec<V>,
}

/// Constants of a step.
#[derive(Debug, Clone)]
pub(crate) struct Constants<V> {
    /// The [`constants`] of its radix.
    pub(crate) radix: Vec<V>,
    /// Of row `k`, from 1 on, those of all indices.
    pub(crate) twiddles: Vec<V>,
}

/// Constants of a stage.
#[derive(Debug, Clone)]
pub(crate) enum Tables<V> {
    Tile {
        /// The constants of each step.
        steps: Vec<Constants<V>>,
        /// The roots of a dense pass.
        roots: Vec<V>,
        /// Of `w^(j k)` at place `j` of the cofactor.
        twiddles: Option<Twiddles<V>>,
    },
    Multiply {
        /// Empty for ones.
        weights: Vec<V>,
    },
}

/// A stage with what else it does with values.
#[derive(Debug, Clone)]
pub(crate) struct Part<T, V> {
    pub(super) placed: Placed,
    pub(super) tables: T,
    /// Values are conjugated before anything else.
    pub(super) conjugate_first: bool,
    /// And after everything else.
    pub(super) conjugate_last: bool,
    /// What a tile's results are multiplied by.
    pub(super) scale: Option<V>,
}

/// A stage with its constants as they are.
pub(crate) type PlainPart<V> = Part<Tables<V>, V>;

/// The constants that [`radix` values](super::host) are transformed with: for powers of two the powers 1 to 7 of the root of
/// order 16, as far as the order is divided, for odd primes the halves of sums and then of differences of opposite roots.
pub(super) fn constants<N: Numbers>(
    numbers: &N,
    radix: usize,
    direction: Direction,
) -> Result<Vec<N::Value>, FourierError> {
    let order = radix as u64;
    if radix.is_power_of_two() {
        let exponent = |i: u64| if (i * order).is_multiple_of(16) { i * order / 16 } else { 0 };
        return numbers.powers(order, direction, &mut (1..8).map(exponent));
    }
    let roots = numbers.powers(order, direction, &mut (1..=order / 2))?;
    let halves: Vec<[N::Value; 2]> = roots.into_iter().map(|root| numbers.halves(root)).collect();
    Ok([0, 1].into_iter().flat_map(|part| halves.iter().map(move |half| half[part])).collect())
}

fn twiddles<N: Numbers>(numbers: &N, step: &Step, direction: Direction) -> Result<Vec<N::Value>, FourierError> {
    let count = step.twiddles() as u64;
    if count == 1 {
        return Ok(Vec::new());
    }
    let mut exponents = (1..step.radix as u64).flat_map(|k| (0..count).map(move |j| j * k));
    numbers.powers(step.order() as u64, direction, &mut exponents)
}

impl<V: Copy> Twiddles<V> {
    fn new<N: Numbers<Value = V>>(numbers: &N, order: u64, direction: Direction) -> Result<Self, FourierError> {
        let (bits, [low, high]) = (twiddle_bits(order), twiddle_lengths(order));
        let low = numbers.powers(order, direction, &mut (0..low))?;
        let high = numbers.powers(order, direction, &mut (0..high).map(|high| high << bits))?;
        Ok(Self { bits, low, high })
    }

    /// The root to a power below the order.
    #[inline(always)]
    pub(super) fn power<N: Numbers<Value = V>>(&self, numbers: &N, e: usize) -> V {
        let low = self.low[e & ((1 << self.bits) - 1)];
        if self.high.is_empty() { low } else { numbers.times(low, self.high[e >> self.bits]) }
    }
}

fn tile<N: Numbers>(numbers: &N, pass: &TilePass, direction: Direction) -> Result<Tables<N::Value>, FourierError> {
    let steps = match &pass.method {
        Method::Steps(steps) => steps
            .iter()
            .map(|step| {
                let radix = constants(numbers, step.radix, direction)?;
                Ok(Constants { radix, twiddles: twiddles(numbers, step, direction)? })
            })
            .collect::<Result<_, FourierError>>()?,
        Method::Dense => Vec::new(),
    };
    let rows = pass.rows as u64;
    let roots = match pass.method {
        Method::Steps(_) => Vec::new(),
        Method::Dense => numbers.powers(rows, direction, &mut (0..rows))?,
    };
    let twiddles = if pass.cofactor > 1 { Some(Twiddles::new(numbers, pass.order(), direction)?) } else { None };
    Ok(Tables::Tile { steps, roots, twiddles })
}

/// Makes the transform of the filter of chirps of a length, for convolutions of another one.
type MakeFilter<'a, V> = &'a dyn Fn(u64, u64) -> Result<Vec<V>, FourierError>;

fn weights<N: Numbers>(
    numbers: &N,
    weights: Weights,
    direction: Direction,
    filter: MakeFilter<'_, N::Value>,
) -> Result<Vec<N::Value>, FourierError> {
    match weights {
        Weights::Ones => Ok(Vec::new()),
        Weights::Chirp(chirp, n) => numbers.powers(n, direction, &mut chirp.exponents(n, n)),
        Weights::Filter(n, length) => filter(n, length),
    }
}

/// All stages with their constants, of which `filter` makes those of chirps; an inverse transform divides by `order`, a plain one does not.
pub(super) fn parts<N: Numbers>(
    numbers: &N,
    stages: Vec<Placed>,
    direction: Direction,
    scale: Option<N::Value>,
    filter: MakeFilter<'_, N::Value>,
) -> Result<Vec<PlainPart<N::Value>>, FourierError> {
    let copies = |placed: &Placed| matches!(&placed.stage, Stage::Multiply(pass) if pass.weights == Weights::Ones);
    let last = stages.iter().rposition(|placed| !copies(placed));
    let conjugates = N::CONJUGATES && direction == Direction::Inverse;
    let part = |(index, placed): (usize, Placed)| {
        let is_last = last == Some(index);
        let scale = if is_last { scale } else { None };
        let tables = match &placed.stage {
            Stage::Tile(pass) => tile(numbers, pass, direction)?,
            Stage::Multiply(pass) => {
                let mut weights = weights(numbers, pass.weights, direction, filter)?;
                if let Some(scale) = scale {
                    for weight in &mut weights {
                        *weight = numbers.times(*weight, scale);
                    }
                }
                Tables::Multiply { weights }
            }
        };
        let (conjugate_first, conjugate_last) = (conjugates && index == 0, conjugates && is_last);
        Ok(Part { placed, tables, conjugate_first, conjugate_last, scale })
    };
    stages.into_iter().enumerate().map(part).collect()
}
