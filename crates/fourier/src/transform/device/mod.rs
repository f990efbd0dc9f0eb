//! Stages on OpenCL devices: one launch each.
//!
//! | file | what |
//! |---|---|
//! | `mod` | the launches of a transform |
//! | `prepare` | kernels and constants of stages |
//! | `kernels` | the kernels' signatures |

mod kernels;
pub(crate) mod prepare;

use manycore_device::{Buffer, OpenCl};

use super::plan::slots::Slot;
use super::plan::stages::{Method, MultiplyPass, Stage, TilePass};
use crate::error::FourierError;
use crate::numbers::Numbers;
use kernels::{MULTIPLY, MULTIPLY_RESIDUES};
use prepare::{DevicePart, is_gpu, one, plain_items};

const CONJUGATE_FIRST: u32 = 1;
const CONJUGATE_LAST: u32 = 2;
const SCALED: u32 = 4;

/// The buffer of a slot, and another one to read.
fn pair<W: manycore_device::Word>(
    [data, first, second]: [&mut Buffer<W>; 3],
    from: Slot,
    to: Slot,
) -> (&Buffer<W>, &mut Buffer<W>) {
    match (from, to) {
        (Slot::First, Slot::Data) => (first, data),
        (Slot::Second, Slot::Data) => (second, data),
        (Slot::Data, Slot::First) => (data, first),
        (Slot::Second, Slot::First) => (second, first),
        (Slot::Data, Slot::Second) => (data, second),
        // A stage between equal slots works in place and does not come here.
        (Slot::First | Slot::Data, _) | (Slot::Second, Slot::Second) => (first, second),
    }
}

/// Launches all stages.
pub(super) fn run<N: Numbers>(
    cl: &OpenCl,
    numbers: &N,
    parts: &[DevicePart<N>],
    data: &mut Buffer<N::Word>,
    first: &mut Buffer<N::Word>,
    second: &mut Buffer<N::Word>,
) -> Result<(), FourierError> {
    for part in parts {
        let staying = part.placed.from == part.placed.to;
        let (mut source, target): (Option<&Buffer<N::Word>>, &mut Buffer<N::Word>);
        if staying {
            source = None;
            target = match part.placed.to {
                Slot::Data => &mut *data,
                Slot::First => &mut *first,
                Slot::Second => &mut *second,
            };
        } else {
            let (from, to) = pair([&mut *data, &mut *first, &mut *second], part.placed.from, part.placed.to);
            (source, target) = (Some(from), to);
        }
        match &part.placed.stage {
            Stage::Tile(pass) if pass.method == Method::Dense => dense(cl, numbers, part, pass, source.take(), target)?,
            Stage::Tile(pass) => tile(cl, numbers, part, pass, source.take(), target)?,
            Stage::Multiply(pass) => multiply_along(cl, numbers, part, pass, source.take(), target)?,
        }
    }
    Ok(())
}

impl<N: Numbers> DevicePart<N> {
    fn flags(&self) -> u32 {
        let flag = |set: bool, flag: u32| if set { flag } else { 0 };
        let tile = matches!(self.placed.stage, Stage::Tile(_));
        flag(self.conjugate_first, CONJUGATE_FIRST)
            | flag(self.conjugate_last, CONJUGATE_LAST)
            | flag(self.scale.is_some() && tile, SCALED)
    }

    fn bytes(&self) -> u64 {
        (self.placed.stage.values().iter().sum::<usize>() * size_of::<N::Value>()) as u64
    }
}

fn tile<N: Numbers>(
    cl: &OpenCl,
    numbers: &N,
    part: &DevicePart<N>,
    pass: &TilePass,
    from: Option<&Buffer<N::Word>>,
    to: &mut Buffer<N::Word>,
) -> Result<(), FourierError> {
    let (geometry, tables) = (pass.geometry(), &part.tables);
    let launch = cl.launch(&tables.kernel);
    let launch = match from {
        Some(from) => launch.input(from).buffer(to),
        None => launch.buffer(to),
    };
    let (p, reciprocal) = numbers.modulus();
    launch
        .input(&tables.constants)
        .input(&tables.places)
        .input(&tables.low)
        .input(&tables.high)
        .value(geometry.units as u64)
        .value(pass.inner as u64)
        .value(geometry.unit_tiles as u32)
        .value(geometry.run_tiles as u32)
        .value(geometry.from.outer as u64)
        .value(geometry.from.unit as u64)
        .value(geometry.from.row as u64)
        .value(geometry.to.outer as u64)
        .value(geometry.to.unit as u64)
        .value(geometry.to.row as u64)
        .value(part.flags())
        .value(p)
        .value(reciprocal)
        .groups(geometry.tiles(), tables.items)
        .bytes(part.bytes())
        .operations(pass.values() as u64)
        .run()?;
    Ok(())
}

fn dense<N: Numbers>(
    cl: &OpenCl,
    numbers: &N,
    part: &DevicePart<N>,
    pass: &TilePass,
    from: Option<&Buffer<N::Word>>,
    to: &mut Buffer<N::Word>,
) -> Result<(), FourierError> {
    // Dense passes do not stay, so that there is a source.
    let Some(from) = from else { return Ok(()) };
    let tables = &part.tables;
    let (p, reciprocal) = numbers.modulus();
    cl.launch(&tables.kernel)
        .input(from)
        .buffer(to)
        .input(&tables.constants)
        .input(&tables.low)
        .input(&tables.high)
        .value(tables.bits)
        .value(pass.values() as u64)
        .value(pass.rows as u32)
        .value(pass.cofactor as u64)
        .value(pass.inner as u64)
        .value(part.flags())
        .value(p)
        .value(reciprocal)
        .items(pass.values(), tables.items)
        .bytes(part.bytes())
        .operations((pass.values() * pass.rows) as u64)
        .run()?;
    Ok(())
}

fn multiply_along<N: Numbers>(
    cl: &OpenCl,
    numbers: &N,
    part: &DevicePart<N>,
    pass: &MultiplyPass,
    from: Option<&Buffer<N::Word>>,
    to: &mut Buffer<N::Word>,
) -> Result<(), FourierError> {
    let tables = &part.tables;
    let count = pass.outer * pass.to * pass.inner;
    let multiplies = tables.known > 0;
    let known = if multiplies { pass.from.min(tables.known) } else { pass.from };
    let (p, reciprocal) = numbers.modulus();
    let launch = cl.launch(&tables.kernel);
    let launch = match from {
        Some(from) => launch
            .input(from)
            .buffer(to)
            .input(&tables.constants)
            .value(count as u64)
            .value(pass.from as u64)
            .value(pass.to as u64)
            .value(pass.inner as u64)
            .value(known as u64)
            .value(u32::from(pass.reversed)),
        None => launch
            .buffer(to)
            .input(&tables.constants)
            .value(count as u64)
            .value(pass.from as u64)
            .value(pass.inner as u64)
            .value(known as u64),
    };
    launch
        .value(u32::from(multiplies))
        .value(part.flags())
        .value(p)
        .value(reciprocal)
        .items(count, tables.items)
        .bytes(part.bytes())
        .operations(count as u64)
        .run()?;
    Ok(())
}

/// `x[i] y[i]` in place of `x[i]`, with the conjugate of `x[i]` if asked; `y` again and again.
pub(crate) fn multiply<N: Numbers>(
    cl: &OpenCl,
    numbers: &N,
    x: &mut Buffer<N::Word>,
    y: &Buffer<N::Word>,
    conjugate: bool,
) -> Result<(), FourierError> {
    let items = plain_items(is_gpu(cl), cl.info().group_limit);
    let kernel = one::<N>(cl, [&MULTIPLY, &MULTIPLY_RESIDUES], &numbers.defines().set("GROUP", items))?;
    let (count, period) = (x.len() / N::WORDS, y.len() / N::WORDS);
    let (p, reciprocal) = numbers.modulus();
    cl.launch(&kernel)
        .buffer(x)
        .input(y)
        .value(count as u64)
        .value(period as u64)
        .value(u32::from(conjugate))
        .value(p)
        .value(reciprocal)
        .items(count, items)
        .bytes(3 * (count * size_of::<N::Value>()) as u64)
        .operations(count as u64)
        .run()?;
    Ok(())
}
