//! Stages on the host's threads.
//!
//! | file | what |
//! |---|---|
//! | `mod` | the stages of a transform one after the other |
//! | `tasks` | how threads share a stage |
//! | `tables` | constants as tiles read them |
//! | `tile` | how tiles lie |
//! | `tiles` | what is done with one tile after the other |
//! | `steps`, `codelets` | the steps of a tile, and a few numbers in registers |
//! | `finish` | what is done to results |
//! | `lines` | tiles read into planes, and written in order, apart from steps |
//! | `multiply` | products along an axis |
//! | `scratch` | memory of threads |

pub(crate) mod codelets;
mod finish;
mod lines;
mod multiply;
mod scratch;
mod steps;
pub(crate) mod tables;
pub(crate) mod tasks;
#[cfg(test)]
mod tests;
mod tile;
mod tiles;

use std::ops::Range;

use manycore_device::HostPool;

use super::plan::slots::Slot;
use super::plan::stages::Stage;
use crate::numbers::Numbers;
use multiply::Multiply;
use tables::HostPart;
use tasks::{Shared, parts_each, serial_bytes};
use tiles::Tiles;

/// Values of products that a thread takes at a time.
const PART: usize = 1 << 12;

/// Runs all stages on `data`, with the scratch that they need.
pub(super) fn run<N: Numbers>(
    pool: &HostPool,
    numbers: &N,
    parts: &[HostPart<N>],
    data: &mut [N::Value],
    first: &mut [N::Value],
    second: &mut [N::Value],
) {
    let arrays = [data, first, second].map(|array| (array.as_mut_ptr(), array.len()));
    let array = |slot: Slot| match slot {
        Slot::Data => arrays[0],
        Slot::First => arrays[1],
        Slot::Second => arrays[2],
    };
    for part in parts {
        let ((from, from_len), (to, to_len)) = (array(part.placed.from), array(part.placed.to));
        let [before, after] = part.placed.stage.values();
        assert!(
            before <= from_len && after <= to_len,
            "a stage of {before} values to {after} in {from_len} and {to_len}"
        );
        let bytes = (before + after) * size_of::<N::Value>();
        let (from, to) = (Shared(from), Shared(to));
        let (name, tasks) = match &part.placed.stage {
            Stage::Tile(pass) => ("fourier_tile", pass.geometry().tiles()),
            Stage::Multiply(pass) => ("fourier_multiply_along", pass.outer * pass.to),
        };
        // SAFETY: all arrays are borrowed, and as long as the stage; the tasks of a stage have ranges of their own, and the
        // places of different tiles, or of the axis, are different ones.
        let task = |range: Range<usize>| unsafe {
            match &part.placed.stage {
                Stage::Tile(pass) => numbers.run(Tiles { numbers, pass, part, from, to, range }),
                Stage::Multiply(pass) => numbers.run(Multiply { numbers, pass, part, from, to, places: range }),
            }
        };
        let team = pool.team().only_if(bytes > serial_bytes(pool.team().threads()));
        let each = if team.is_alone() { tasks } else { parts_each(tasks, team.threads()) }.max(1);
        pool.step(name, bytes as u64, 0, || {
            team.each((0..tasks).step_by(each), |first| task(first..(first + each).min(tasks)));
        });
    }
}

/// `x[i] y[i]` in place of `x[i]`, with the conjugate of `x[i]` if asked; `y`, of which `x` has a multiple, again and again.
pub(crate) fn multiply<N: Numbers>(pool: &HostPool, numbers: &N, x: &mut [N::Value], y: &[N::Value], conjugate: bool) {
    let bytes = 3 * size_of_val(x);
    let one = |(x, &y): (&mut N::Value, &N::Value)| {
        let value = if conjugate { numbers.conjugated(*x) } else { *x };
        *x = numbers.times(value, y);
    };
    let team = pool.team().only_if(bytes > serial_bytes(pool.team().threads()));
    let parts = x.chunks_mut(y.len()).flat_map(|x| x.chunks_mut(PART).zip(y.chunks(PART)));
    pool.step("fourier_multiply", bytes as u64, 0, || {
        team.each(parts, |(x, y)| x.iter_mut().zip(y).for_each(one));
    });
}
