//! The primitives on the host's threads.

use manycore_device::{HostPool, Team};

use super::summary::ClassSums;
use crate::table::anf::degree_within;
use crate::threads::{mapped, part_len};

/// Values that a thread takes at a time: a power of two, at least the 64 of a word.
const CHUNK: usize = 1 << 14;

/// Values that take about as long as weighing a word of 64.
pub(super) const WORD_VALUES: usize = 8;

/// The most values that the calling thread handles alone, in no more time than waking the others takes.
const SERIAL: usize = 1 << 14;

/// Runs a step whose work all threads share, or the caller has alone where it is short.
pub(super) fn step<R>(
    pool: &HostPool,
    name: &'static str,
    bytes: u64,
    values: usize,
    work: impl FnOnce(Team<'_>) -> R,
) -> R {
    let team = pool.team().only_if(values > SERIAL);
    pool.step(name, bytes, values as u64, || work(team))
}

/// The signs of packed values: 1 for 0, -1 for 1.
pub(super) fn signs(team: Team<'_>, words: &[u64], out: &mut [i32]) {
    team.each(out.chunks_mut(CHUNK).zip(words.chunks(CHUNK / 64)), |(out, words)| {
        for (out, &word) in out.chunks_mut(64).zip(words) {
            out.iter_mut().enumerate().for_each(|(i, sign)| *sign = 1 - 2 * (word >> i & 1) as i32);
        }
    });
}

/// The packed values of signs: 1 where the sign is negative.
pub(super) fn negative(team: Team<'_>, values: &[i32], out: &mut [u64]) {
    team.each(out.chunks_mut(CHUNK / 64).zip(values.chunks(CHUNK)), |(out, values)| {
        for (word, values) in out.iter_mut().zip(values.chunks(64)) {
            *word = values.iter().enumerate().fold(0, |word, (i, &v)| word | u64::from(v < 0) << i);
        }
    });
}

pub(super) fn squares(team: Team<'_>, values: &[i32], out: &mut [i64]) {
    team.each(out.chunks_mut(CHUNK).zip(values.chunks(CHUNK)), |(out, values)| {
        out.iter_mut().zip(values).for_each(|(square, &v)| *square = i64::from(v) * i64::from(v));
    });
}

pub(super) fn shifted(team: Team<'_>, values: &[i64], shift: u32, out: &mut [i32]) {
    team.each(out.chunks_mut(CHUNK).zip(values.chunks(CHUNK)), |(out, values)| {
        out.iter_mut().zip(values).for_each(|(out, &v)| *out = (v >> shift) as i32);
    });
}

/// The weight of packed values, and the most ones of an index whose value is 1.
pub(super) fn weigh(team: Team<'_>, words: &[u64]) -> (u64, u32) {
    let len = part_len(team, words.len(), CHUNK / WORD_VALUES);
    let part = |(part, words): (usize, &[u64])| {
        let first = (part * len) as u64;
        words.iter().enumerate().filter(|(_, word)| **word != 0).fold((0, 0), |(weight, degree), (w, &word)| {
            let index = (first + w as u64).count_ones();
            (weight + u64::from(word.count_ones()), degree.max(index + degree_within(word)))
        })
    };
    let both = |a: (u64, u32), b: (u64, u32)| (a.0 + b.0, a.1.max(b.1));
    mapped(team, words.chunks(len).enumerate(), part).fold((0, 0), both)
}

pub(super) fn class_sums(team: Team<'_>, values: &[i32], variables: u32) -> ClassSums {
    let whole = 1u32 << variables;
    let len = part_len(team, values.len(), CHUNK);
    let part = |(part, values): (usize, &[i32])| {
        let first = (part * len) as u64;
        let mut sums = ClassSums::new(variables);
        for (i, &v) in values.iter().enumerate() {
            let index = first + i as u64;
            let (class, size) = (index.count_ones() as usize, v.unsigned_abs());
            sums.most[class] = sums.most[class].max(size);
            sums.nonzero[class] += u64::from(size != 0);
            sums.squares += u128::from(u64::from(size) * u64::from(size));
            if size == whole && index != 0 {
                sums.full[index.ilog2() as usize].get_or_insert(index);
            }
        }
        sums
    };
    let both = |mut a: ClassSums, b: ClassSums| {
        a.most.iter_mut().zip(&b.most).for_each(|(a, &b)| *a = (*a).max(b));
        a.nonzero.iter_mut().zip(&b.nonzero).for_each(|(a, &b)| *a += b);
        a.squares += b.squares;
        for (a, b) in a.full.iter_mut().zip(&b.full) {
            *a = [*a, *b].into_iter().flatten().min();
        }
        a
    };
    mapped(team, values.chunks(len).enumerate(), part).fold(ClassSums::new(variables), both)
}
