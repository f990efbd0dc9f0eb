//! Determinants over the integers, figures of S-boxes and character tables: primes, S-boxes and rows are shared.

use std::ops::ControlFlow;

use manycore::CharacterError;
use manycore::boolean::{SBoxes, nonlinearities_over, uniformities_over};
use manycore::characters::{AbelianGroup, Exponents, Tile, stream_over};
use manycore::linalg::exact::{Certainty, determinant_on};
use manycore::verify::SplitMix;

use crate::measure::{Bench, Bytes, Fallible, alone};

pub(crate) fn rows(bench: &Bench) -> Fallible<()> {
    let order = 1 << (bench.log_size / 3);
    let mut random = SplitMix::new(7);
    let words: Vec<i64> = (0..order * order).map(|_| random.next_word() as i64 >> 1).collect();
    let primes = order as u64 * 65 / 31;
    let bytes = 8 * words.len() as u64 + 4 * primes;
    bench.row(
        &format!("determinant of {order} of 63 bits"),
        // Residues, of which one host makes the result.
        Bytes { bus: bytes, exchange: Some(("gather", 4 * primes)) },
        || (),
        |set, ()| Ok(determinant_on(set, order, &words, Certainty::Proved)?),
    )?;
    let count = 1 << (bench.log_size - 8);
    let outputs: Vec<u8> = (0..count << 8).map(|_| random.next_word() as u8).collect();
    let bytes = outputs.len() as u64 + 4 * count as u64;
    bench.row(
        &format!("nonlinearity of {count} S-boxes of 8 bits"),
        alone(bytes),
        || (),
        |set, ()| Ok(nonlinearities_over(set, SBoxes::new(8, 8, &outputs)?)?),
    )?;
    bench.row(
        &format!("uniformity of {count} S-boxes of 8 bits"),
        alone(bytes),
        || (),
        |set, ()| Ok(uniformities_over(set, SBoxes::new(8, 8, &outputs)?)?),
    )?;
    let group = AbelianGroup::power(2, bench.log_size as usize / 2 + 1)?;
    let (order, values) = (group.order(), Exponents::<u8>::new());
    bench.row(
        &format!("characters of order {order}"),
        alone(order * order),
        || (),
        |set, ()| {
            let mut sum = 0u64;
            stream_over(set, &group, &values, &Tile::whole(), None, |block| {
                // Entries at places that do not depend on how rows are cut.
                sum += block.rows().map(|(row, entries)| u64::from(entries[row as usize / 2])).sum::<u64>();
                Ok::<_, CharacterError>(ControlFlow::Continue(()))
            })?;
            Ok(sum)
        },
    )
}
