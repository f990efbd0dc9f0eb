//! The Kronecker construction of paper 000, algorithm 1, for any list of factors: step after step between two buffers.
//!
//! With the table `A` of the factors so far, `R` by `R`, and that of the next factor, `q` by `q`, a step makes
//! `O[r][c] = A[r / q][c / q] C_q[r mod q][c mod q]`. The result's own buffer is one of the two, so that the other one has
//! only the table of all factors but the last: `1 + 1 / q^2` times the memory of the table. A tile needs of each earlier
//! table the rows and columns of its own divided by the factors that follow.

use std::sync::Arc;

use manycore_device::{Buffer, Executor};

use super::construction::Construction;
use super::job::Job;
use super::part::{Part, Step, parts};
use super::tile::words;
use super::{device, direct, host};
use crate::context::Key;
use crate::error::CharacterError;
use crate::values::Values;

/// Bytes of the table of a single factor that stays in the cache, at most.
const MOST_CACHED_BYTES: usize = 1 << 20;

/// The most columns of a step: kernels count them in 32 bits.
const MOST_COLUMNS: u64 = 1 << 31;

/// Makes the tile; it has at least one entry.
pub(crate) fn make<V: Values>(job: &Job<'_, V>, out: &mut Buffer<V::Word>) -> Result<(), CharacterError> {
    let width = job.columns.end - job.columns.start;
    if width > MOST_COLUMNS {
        return Err(CharacterError::Columns {
            columns: width,
            limit: MOST_COLUMNS,
            construction: Construction::Kronecker,
        });
    }
    let factors: Vec<u64> = job.factors.iter().copied().filter(|&n| n > 1).collect();
    let Some(&first) = factors.first() else {
        return direct::make(job, out);
    };
    let parts = parts(&factors, Part { rows: job.rows.clone(), columns: job.columns.clone() });
    let words = |part: &Part| part.height() * part.width() * V::WORDS;
    let steps = factors.len() - 1;
    // The other buffer: all tables but the last, and those two, four, ... steps before it, which are smaller.
    let mut other = job.context.device().scratch::<V::Word>(if steps > 0 { words(&parts[steps - 1]) } else { 0 })?;
    let (mut from, mut to) = if steps.is_multiple_of(2) { (out, &mut other) } else { (&mut other, out) };
    single(job, first, &parts[0], from)?;
    for (s, &q) in factors.iter().enumerate().skip(1) {
        let factor = table_of(job, q)?;
        let step = Step { q, from: parts[s - 1].clone(), to: parts[s].clone() };
        match job.context.device().executor() {
            Executor::Host(pool) => host::kronecker(pool, job, &step, from, &factor, to)?,
            Executor::OpenCl(cl) => device::kronecker(cl, job, &step, from, &factor, to)?,
        }
        std::mem::swap(&mut from, &mut to);
    }
    Ok(())
}

/// A part of the table of one factor, from exponents, at the beginning of `out`.
fn single<V: Values>(job: &Job<'_, V>, q: u64, part: &Part, out: &mut Buffer<V::Word>) -> Result<(), CharacterError> {
    let whole_exponent = job.exponent * job.step;
    let (rows, columns) = (part.rows.clone(), part.columns.clone());
    let job = Job { factors: &[q], exponent: q, step: whole_exponent / q, rows, columns, ..*job };
    direct::make(&job, out)
}

/// The table of one factor with roots of the whole group's order.
fn table_of<V: Values>(job: &Job<'_, V>, q: u64) -> Result<Arc<Buffer<V::Word>>, CharacterError> {
    let key = Key::new::<Buffer<V::Word>, V>(job.values, &[q], job.exponent * job.step / q, 0..q);
    job.context.cached(key, || {
        let part = Part { rows: 0..q, columns: 0..q };
        let words = words::<V>(&part.rows, &part.columns)?;
        let mut table = job.context.device().scratch(words)?;
        single(job, q, &part, &mut table)?;
        Ok((table, words * size_of::<V::Word>() <= MOST_CACHED_BYTES))
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_addresses_of_the_paper() {
        // Equations 8 and 9, corrected: start + i R q + j with start = x R q^2 + y q.
        let address = |r: u64, q: u64, x: u64, y: u64, i: u64, j: u64| {
            let (row, column) = (x * q + i, y * q + j);
            row * r * q + column
        };
        for (r, q) in [(3, 3), (2, 3), (4, 2), (1, 5)] {
            let mut seen = Vec::new();
            for (x, y) in (0..r).flat_map(|x| (0..r).map(move |y| (x, y))) {
                for (i, j) in (0..q).flat_map(|i| (0..q).map(move |j| (i, j))) {
                    let next = address(r, q, x, y, i, j);
                    assert_eq!(next, x * r * q * q + y * q + i * r * q + j);
                    let column = next % (r * q);
                    assert_eq!((next / (r * q) / q, column / q, column % q), (x, y, j));
                    seen.push(next);
                }
            }
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..(r * q) * (r * q)), "a bijection for {r}, {q}");
        }
        assert_eq!((address(3, 3, 2, 1, 0, 0), address(3, 3, 2, 1, 1, 2)), (57, 68));
        assert_eq!(address(3, 3, 2, 2, 2, 2), 80);
        assert_eq!((address(2, 3, 1, 0, 0, 0), address(2, 3, 1, 0, 2, 1)), (18, 31));
    }
}
