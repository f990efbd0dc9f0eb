//! Kronecker products of matrices of integers near the end of their type, and their inverses: exact as products of 128 bits are, or refused
//! where results pass the type or are no integers.

use manycore::field::Integers;
use manycore::kronecker::Values;
use manycore::{Factor, Kronecker, KroneckerError, KroneckerProduct};
use serde::Serialize;

use crate::compare::Found;
use crate::failure::Failure;
use crate::numbers::Number;
use crate::random::Random;
use crate::site::Site;

/// Values of a vector, at most.
const MOST: usize = 1 << 10;

/// What is drawn; the factors are noted when they are made.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    is_long: bool,
    most: usize,
    /// Whether the inverse is multiplied by.
    inverse: bool,
    /// Bits that the sums of the largest values are past their type by, which is more than two at most.
    past: u64,
    vectors: usize,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, site: &Site) -> Self {
        Self {
            is_long: random.once_in(2),
            most: site.most_values(random, 8).min(MOST),
            inverse: random.once_in(3),
            past: random.below(5),
            vectors: random.within(1, 4) as usize,
        }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        if self.is_long {
            self.of(&Integers::<i64>::new(), random, site)
        } else {
            self.of(&Integers::<i32>::new(), random, site)
        }
    }
}

/// A factor that has an inverse, and its rows; of an inverse over a divisor.
type Rows = (Vec<Vec<i64>>, Vec<Vec<i64>>, i64);

fn rows(random: &mut Random) -> Rows {
    let of = |rows: &[&[i64]]| rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>();
    match random.below(5) {
        0 => (of(&[&[1, 1], &[1, -1]]), of(&[&[1, 1], &[1, -1]]), 2),
        1 => (of(&[&[1, 0], &[-1, 1]]), of(&[&[1, 0], &[1, 1]]), 1),
        2 => (of(&[&[2, 1], &[1, 1]]), of(&[&[1, -1], &[-1, 2]]), 1),
        3 => (of(&[&[1, 2, 3], &[0, 1, 4], &[0, 0, 1]]), of(&[&[1, -2, 5], &[0, 1, -4], &[0, 0, 1]]), 1),
        _ => (of(&[&[1]]), of(&[&[1]]), 1),
    }
}

impl Case {
    fn of<V>(&self, values: &V, random: &mut Random, site: &Site) -> Result<Found, Failure>
    where
        V: Values<Value = <V as Values>::Word>,
        V::Word: Number + TryFrom<i128> + Into<i128>,
    {
        let mut all: Vec<Rows> = Vec::new();
        let mut order = 1;
        for _ in 0..random.below(10) {
            let drawn = rows(random);
            if order * drawn.0.len() <= self.most {
                order *= drawn.0.len();
                all.push(drawn);
            }
        }
        let factors = all.iter().map(|(rows, ..)| Factor::from_integers(values, rows)).collect::<Result<Vec<_>, _>>();
        let product = KroneckerProduct::new(values, factors.map_err(Failure::other)?)?;
        let forward: Vec<&[Vec<i64>]> = all.iter().map(|(rows, ..)| &rows[..]).collect();
        let back: Vec<&[Vec<i64>]> = all.iter().map(|(_, inverse, _)| &inverse[..]).collect();
        site.note("factors", format!("{forward:?}"));
        let divisor = if self.inverse { all.iter().map(|(.., divisor)| i128::from(*divisor)).product() } else { 1 };
        let matrices = if self.inverse { &back } else { &forward };
        let bits = 8 * size_of::<V::Word>() as u32;
        let norm: i128 = matrices.iter().map(|rows| row_sum(rows)).product();
        let most = (((1i128 << (bits - 3)) / norm) << self.past).clamp(1, (1 << (bits - 1)) - 1);
        let mut x: Vec<i128> = Vec::new();
        for _ in 0..self.vectors {
            let is_image = self.inverse && !random.once_in(3);
            let mut some = |most: i128| match random.below(6) {
                0 => -most,
                1 => most,
                2 => 0,
                _ => i128::from(random.word() as i64) % (most + 1),
            };
            let vector: Vec<i128> =
                (0..order).map(|_| some(if is_image { (most / norm).max(1) } else { most })).collect();
            x.extend(if is_image { multiplied(&forward, &vector) } else { vector });
        }
        let words: Vec<V::Word> = x.iter().map(|&x| V::Word::try_from(x).unwrap_or_default()).collect();
        let x: Vec<i128> = words.iter().map(|&x| x.into()).collect();
        let sums: Vec<i128> = x.chunks_exact(order).flat_map(|x| multiplied(matrices, x)).collect();
        let ends = -(1i128 << (bits - 1))..1 << (bits - 1);
        let past = sums.chunks_exact(order).position(|sums| sums.iter().any(|sum| !ends.contains(sum)));
        let fraction = sums.iter().position(|sum| sum % divisor != 0);
        site.note("past", format!("{past:?}"));
        site.note("fraction", format!("{fraction:?}"));
        let context =
            site.context("kronecker", || Ok::<_, Failure>(Kronecker::with_machine(&site.device, site.machine())))?;
        let mut buffer = site.device.upload(&words)?;
        let done =
            if self.inverse { context.inverse(&product, &mut buffer) } else { context.forward(&product, &mut buffer) };
        let route = "sums of 128 bits";
        match done {
            Ok(()) => {
                let found: Vec<i128> = site.taken(&buffer)?.into_iter().map(Into::into).collect();
                let expected: Vec<i128> = sums.iter().map(|sum| sum / divisor).collect();
                let is_refused = past.is_some() || fraction.is_some();
                Ok(Found::holds(route, !is_refused, || format!("not refused: past {past:?}, no integer {fraction:?}"))
                    .and(Found::equal(route, &found, &expected)))
            }
            Err(KroneckerError::Overflow { vector, .. }) => {
                Ok(Found::holds(route, vector == past && past.is_some(), || format!("{vector:?} instead of {past:?}")))
            }
            Err(KroneckerError::Fraction { index, .. }) => {
                let holds = past.is_none() && index == fraction && fraction.is_some();
                Ok(Found::holds(route, holds, || format!("value {index:?} instead of {fraction:?}, past {past:?}")))
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// The greatest sum of a row's absolute values.
fn row_sum(rows: &[Vec<i64>]) -> i128 {
    rows.iter().map(|row| row.iter().map(|x| i128::from(x.abs())).sum()).max().unwrap_or(1)
}

/// One factor after the other from the last, each over the whole vector.
fn multiplied(factors: &[&[Vec<i64>]], x: &[i128]) -> Vec<i128> {
    let (mut x, mut stride) = (x.to_vec(), 1);
    for rows in factors.iter().rev() {
        let order = rows.len();
        let mut y = vec![0; x.len()];
        for (at, y) in y.iter_mut().enumerate() {
            let (block, row, inner) = (at / (order * stride), at / stride % order, at % stride);
            *y = (0..order).map(|i| i128::from(rows[row][i]) * x[(block * order + i) * stride + inner]).sum();
        }
        (x, stride) = (y, stride * order);
    }
    x
}
