//! Determinants over the integers, whose primes are shared.

use manycore::linalg::exact::{Certainty, determinant_on};
use manycore::verify::SplitMix;

use crate::measure::{Bench, Fallible};

pub(crate) fn rows(bench: &Bench) -> Fallible<()> {
    let order = 1 << (bench.log_size / 3);
    let mut random = SplitMix::new(7);
    let words: Vec<i64> = (0..order * order).map(|_| random.next_word() as i64 >> 1).collect();
    let primes = order as u64 * 65 / 31;
    let bytes = 8 * words.len() as u64 + 4 * primes;
    bench.row(
        &format!("determinant of {order} of 63 bits"),
        bytes,
        || (),
        |set, ()| Ok(determinant_on(set, order, &words, Certainty::Proved)?),
    )
}
