//! Steps of truncated transforms on the host, over threads.

use manycore_device::{Buffer, DeviceError, HostPool, Team};
use manycore_model::Machine;

use super::path::{Block, LOG_LOW, Powers, Rows, Step};
use crate::NttField;
use crate::cost::Operations;

/// Values that one task takes at a time: one entry of [`Powers::high`].
const PIECE: usize = 1 << LOG_LOW;
/// Operations of a product of two residues, one at a time: two of words, two by the modulus, and what reduces them.
const PRODUCT: u64 = 8;
/// Operations of a sum of two residues: the sum, a difference, the smaller one.
const SUM: u64 = 3;

/// The host's threads, and the machine, by which a step is estimated to be worth a launch of all of them.
pub(super) struct Threads<'a> {
    pub(super) pool: &'a HostPool,
    pub(super) machine: &'a Machine,
}

impl Threads<'_> {
    /// The team that shares the arrays, and the one that shares the pieces of an array, for `values` values with the
    /// given products and sums each, while `bytes` bytes go through memory.
    fn teams(&self, bytes: u64, values: usize, (products, sums): (u64, u64), arrays: usize) -> (Team<'_>, Team<'_>) {
        let operations = Operations::scalar(products * PRODUCT + sums * SUM).times(values as u64);
        let alone = values < 2 * PIECE || operations.suit_one_processor(bytes, self.machine);
        let team = self.pool.team().only_if(!alone);
        if arrays >= 4 * team.threads() { (team, Team::ALONE) } else { (Team::ALONE, team) }
    }
}

/// Runs of `a_len` values of `a` and of `b_len` of `b` side by side, with their number, over a team. An empty `b` has empty
/// runs.
fn pairs<E: Send>(
    team: Team<'_>,
    (a, a_len): (&mut [E], usize),
    (b, b_len): (&mut [E], usize),
    each: impl Fn(usize, &mut [E], &mut [E]) + Sync,
) {
    let (a_len, b_len) = (a_len.max(1), b_len.max(1));
    // Enough runs to give a thread some work.
    let some = PIECE.div_ceil(a_len);
    if b.is_empty() {
        team.each(a.chunks_mut(some * a_len).enumerate(), |(i, a)| {
            a.chunks_mut(a_len).enumerate().for_each(|(j, a)| each(i * some + j, a, &mut []));
        });
    } else {
        team.each(a.chunks_mut(some * a_len).zip(b.chunks_mut(some * b_len)).enumerate(), |(i, (a, b))| {
            let runs = a.chunks_mut(a_len).zip(b.chunks_mut(b_len)).enumerate();
            runs.for_each(|(j, (a, b))| each(i * some + j, a, b));
        });
    }
}

/// The values of one node: a row of at most `2 half`, the others 0.
#[derive(Clone, Copy)]
struct Node<'a, E> {
    row: &'a [E],
    half: usize,
    zero: E,
}

impl<E: Copy> Node<'_, E> {
    fn read(&self, q: usize) -> (E, E) {
        let at = |q: usize| self.row.get(q).copied().unwrap_or(self.zero);
        (at(q), at(q + self.half))
    }
}

/// Node `array` of rows of `row` values.
fn node<'a, F: NttField>(
    field: &F,
    step: &Step<F>,
    (values, row): (&'a [F::Element], usize),
    array: usize,
) -> Node<'a, F::Element> {
    Node { row: &values[array * row..(array + 1) * row], half: 1 << step.log_len, zero: field.zero() }
}

/// The power `PIECE * piece + j` times `x`.
fn twisted<F: NttField>(field: &F, x: F::Element, powers: &Powers<F::Element>, piece: usize, j: usize) -> F::Element {
    field.mul(field.mul(x, powers.low[j]), powers.high[piece])
}

/// The bytes of `words` words, for profiles.
fn bytes<E>(words: usize) -> u64 {
    (words * size_of::<E>()) as u64
}

pub(super) fn split<F: NttField>(
    field: &F,
    threads: &Threads<'_>,
    (step, block): (&Step<F>, &Block<F>),
    from: &Rows<'_, F::Element>,
    to: &mut Buffer<F::Element>,
    rest: &mut Buffer<F::Element>,
) -> Result<(), DeviceError> {
    let len = 1usize << step.log_len;
    let words = from.values.len() + to.len() + rest.len();
    let (from, to, rest) = ((from.values.host()?, from.row), to.host_mut()?, rest.host_mut()?);
    let operations = 5 * to.len() as u64;
    let (outer, inner) = threads.teams(bytes::<F::Element>(words), to.len(), (3, 2), to.len() >> step.log_len);
    threads.pool.step("truncate_split", bytes::<F::Element>(words), operations, || {
        pairs(outer, (to, len), (rest, len), |array, to, rest| {
            let node = node(field, step, from, array);
            pairs(inner, (to, PIECE), (rest, PIECE), |piece, to, rest| {
                for (j, x) in to.iter_mut().enumerate() {
                    let (lo, hi) = node.read(piece * PIECE + j);
                    let folded = field.mul(hi, step.c);
                    *x = twisted(field, field.add(lo, folded), &block.twist, piece, j);
                    if let Some(right) = rest.get_mut(j) {
                        *right = field.sub(lo, folded);
                    }
                }
            });
        });
    });
    Ok(())
}

pub(super) fn fold<F: NttField>(
    field: &F,
    threads: &Threads<'_>,
    step: &Step<F>,
    from: &Rows<'_, F::Element>,
    rest: &mut Buffer<F::Element>,
) -> Result<(), DeviceError> {
    let len = 1usize << step.log_len;
    let words = from.values.len() + rest.len();
    let (from, rest) = ((from.values.host()?, from.row), rest.host_mut()?);
    let operations = 2 * rest.len() as u64;
    let (outer, inner) = threads.teams(bytes::<F::Element>(words), rest.len(), (1, 1), rest.len() >> step.log_len);
    threads.pool.step("truncate_fold", bytes::<F::Element>(words), operations, || {
        pairs(outer, (rest, len), (&mut [], 0), |array, rest, _| {
            let node = node(field, step, from, array);
            pairs(inner, (rest, PIECE), (&mut [], 0), |piece, rest, _| {
                for (j, x) in rest.iter_mut().enumerate() {
                    let (lo, hi) = node.read(piece * PIECE + j);
                    *x = field.add(lo, field.mul(hi, step.c));
                }
            });
        });
    });
    Ok(())
}

pub(super) fn join<F: NttField>(
    field: &F,
    threads: &Threads<'_>,
    (step, block): (&Step<F>, &Block<F>),
    values: &Buffer<F::Element>,
    from: &Rows<'_, F::Element>,
    (to, to_len): (&mut Buffer<F::Element>, usize),
    rest: &mut Buffer<F::Element>,
) -> Result<(), DeviceError> {
    let len = 1usize << step.log_len;
    let words = from.values.len() + 2 * values.len() + rest.len();
    let from = (from.values.host()?, from.row);
    let (values, to, rest) = (values.host()?, to.host_mut()?, rest.host_mut()?);
    let operations = 7 * values.len() as u64;
    let (outer, inner) = threads.teams(bytes::<F::Element>(words), values.len(), (4, 4), values.len() >> step.log_len);
    threads.pool.step("truncate_join", bytes::<F::Element>(words), operations, || {
        pairs(outer, (to, to_len), (rest, len), |array, to, rest| {
            let node = node(field, step, from, array);
            let values = &values[array * len..(array + 1) * len];
            let own = &mut to[block.start..block.start + len];
            pairs(inner, (own, PIECE), (rest, PIECE), |piece, own, rest| {
                for (j, x) in own.iter_mut().enumerate() {
                    let (lo, hi) = node.read(piece * PIECE + j);
                    let folded = field.mul(hi, step.c);
                    let v = twisted(field, values[piece * PIECE + j], &block.untwist, piece, j);
                    // The low half of the node that has v for its left child, and hi.
                    let low = field.sub(v, folded);
                    *x = field.mul(field.sub(low, lo), block.product_inverse);
                    if let Some(right) = rest.get_mut(j) {
                        *right = field.sub(low, folded);
                    }
                }
            });
        });
    });
    Ok(())
}

pub(super) fn unfold<F: NttField>(
    field: &F,
    threads: &Threads<'_>,
    (step, block): (&Step<F>, &Block<F>),
    (to, to_len): (&mut Buffer<F::Element>, usize),
) -> Result<(), DeviceError> {
    let arrays = to.len() / to_len;
    let to = to.host_mut()?;
    let words = arrays * block.tail;
    let (outer, inner) = threads.teams(bytes::<F::Element>(words), words, (1, 1), arrays);
    threads.pool.step("truncate_unfold", bytes::<F::Element>(3 * words), 2 * words as u64, || {
        pairs(outer, (to, to_len), (&mut [], 0), |_, to, _| {
            let (first, tail) = to[block.start..].split_at_mut(1 << step.log_len);
            pairs(inner, (&mut first[..block.tail], PIECE), (tail, PIECE), |_, first, tail| {
                for (x, &g) in first.iter_mut().zip(&*tail) {
                    *x = field.sub(*x, field.mul(g, step.c));
                }
            });
        });
    });
    Ok(())
}
