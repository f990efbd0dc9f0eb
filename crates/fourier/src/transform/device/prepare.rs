//! Kernels and constants of stages.

use manycore_characters::Values;
use manycore_device::{Buffer, Defines, Device, DeviceKind, Kernel, KernelSpec, OpenCl};

use super::kernels::{
    DENSE, DENSE_RESIDUES, MULTIPLY_ALONG, MULTIPLY_ALONG_RESIDUES, MULTIPLY_ALONG_STAYING,
    MULTIPLY_ALONG_STAYING_RESIDUES, STAYING, STAYING_RESIDUES, TILE, TILE_RESIDUES,
};
use crate::error::FourierError;
use crate::numbers::Numbers;
use crate::transform::plan::stages::{Method, Stage, TilePass};
use crate::transform::tables::{Part, PlainPart, Tables, Twiddles};

/// Values that an item of a tile has in registers, about.
const VALUES_EACH: usize = 16;

/// A stage's kernel and constants.
#[derive(Debug)]
pub(crate) struct DeviceTables<N: Numbers> {
    pub(super) kernel: Kernel,
    pub(super) items: usize,
    pub(super) constants: Buffer<N::Word>,
    pub(super) places: Buffer<u32>,
    pub(super) low: Buffer<N::Word>,
    pub(super) high: Buffer<N::Word>,
    pub(super) bits: u32,
    /// Constants that weights are.
    pub(super) known: usize,
}

/// The stages of a transform, ready to be launched.
pub(crate) type DevicePart<N> = Part<DeviceTables<N>, <N as Values>::Value>;

/// Constants as kernels read them.
struct Words<'a, N: Numbers> {
    numbers: &'a N,
    all: Vec<N::Word>,
    count: usize,
}

impl<'a, N: Numbers> Words<'a, N> {
    fn new(numbers: &'a N) -> Self {
        Self { numbers, all: Vec::new(), count: 0 }
    }

    fn push(&mut self, constants: &[N::Value]) {
        for &constant in constants {
            self.numbers.constant_words(constant, &mut self.all);
        }
        self.count += constants.len();
    }

    fn upload(mut self, device: &Device) -> Result<Buffer<N::Word>, FourierError> {
        if self.all.is_empty() {
            self.push(&[self.numbers.one()]); // not read
        }
        Ok(device.upload(&self.all)?)
    }
}

pub(super) fn one<N: Numbers>(
    cl: &OpenCl,
    specs: [&'static KernelSpec; 2],
    defines: &Defines,
) -> Result<Kernel, FourierError> {
    Ok(cl.kernel(specs[usize::from(!N::CONJUGATES)], defines)?)
}

pub(super) fn is_gpu(cl: &OpenCl) -> bool {
    cl.info().kind == DeviceKind::Gpu
}

/// Items of a group of kernels that do a value each.
pub(crate) fn plain_items(is_gpu: bool, group_limit: usize) -> usize {
    let wanted = if is_gpu { 256 } else { 64 };
    wanted.min(group_limit).max(1)
}

/// Items of a group that does a tile.
pub(crate) fn tile_items(values: usize, group_limit: usize) -> usize {
    let wanted = values.div_ceil(VALUES_EACH).next_multiple_of(32).clamp(32, 256);
    wanted.min(group_limit).max(1)
}

/// Values of local memory that a tile of `values` values takes with its padding: `PADDED` of `tile.cl`.
pub(crate) fn padded(values: usize) -> usize {
    let last = values.saturating_sub(1);
    last + (last >> 4) + (last >> 8) + 1
}

const STEP_NAMES: [[&str; 4]; 12] = [
    ["RADIX0", "STRIDE0", "INNER0", "OFFSET0"],
    ["RADIX1", "STRIDE1", "INNER1", "OFFSET1"],
    ["RADIX2", "STRIDE2", "INNER2", "OFFSET2"],
    ["RADIX3", "STRIDE3", "INNER3", "OFFSET3"],
    ["RADIX4", "STRIDE4", "INNER4", "OFFSET4"],
    ["RADIX5", "STRIDE5", "INNER5", "OFFSET5"],
    ["RADIX6", "STRIDE6", "INNER6", "OFFSET6"],
    ["RADIX7", "STRIDE7", "INNER7", "OFFSET7"],
    ["RADIX8", "STRIDE8", "INNER8", "OFFSET8"],
    ["RADIX9", "STRIDE9", "INNER9", "OFFSET9"],
    ["RADIX10", "STRIDE10", "INNER10", "OFFSET10"],
    ["RADIX11", "STRIDE11", "INNER11", "OFFSET11"],
];

/// The tables of twiddle factors, low and high; what is not there is a one.
fn twiddle_tables<N: Numbers>(numbers: &N, twiddles: Option<&Twiddles<N::Value>>) -> [Vec<N::Value>; 2] {
    match twiddles {
        None => [vec![numbers.one()], vec![numbers.one()]],
        Some(twiddles) if twiddles.high.is_empty() => [twiddles.low.clone(), vec![numbers.one()]],
        Some(twiddles) => [twiddles.low.clone(), twiddles.high.clone()],
    }
}

fn tables<N: Numbers>(
    cl: &OpenCl,
    device: &Device,
    numbers: &N,
    part: &PlainPart<N::Value>,
) -> Result<DeviceTables<N>, FourierError> {
    let base = numbers.defines();
    let plain = plain_items(is_gpu(cl), cl.info().group_limit);
    let upload = |values: &[N::Value]| {
        let mut words = Words::new(numbers);
        words.push(values);
        words.upload(device)
    };
    let mut places = vec![0u32];
    let mut constants = Words::new(numbers);
    let (kernel, items, twiddles, known);
    match (&part.tables, &part.placed.stage) {
        (Tables::Tile { steps, roots, twiddles: by }, Stage::Tile(pass)) => {
            twiddles = by.as_ref();
            known = 0;
            match &pass.method {
                Method::Steps(list) => {
                    items = tile_items(pass.rows * pass.columns(), cl.info().group_limit);
                    let mut defines = tile_defines(pass, size_of::<N::Value>(), base).set("GROUP", items);
                    for ((step, names), table) in list.iter().zip(STEP_NAMES).zip(steps) {
                        let values = [step.stride, step.inner, constants.count].map(|value| format!("{value}u"));
                        // A radix is a part of names, and has no suffix.
                        defines = defines.set(names[0], step.radix);
                        defines = names[1..]
                            .iter()
                            .zip(values)
                            .fold(defines, |defines, (name, value)| defines.set(name, value));
                        constants.push(&table.radix);
                        constants.push(&table.twiddles);
                    }
                    let place = list.last().map_or(1, |step| step.place);
                    defines = defines.set("STEPS", list.len()).set("PLACE", format!("{place}u"));
                    defines = defines.set("SCALE_OFFSET", format!("{}u", constants.count));
                    let levels = twiddles.map_or(0, |twiddles| if twiddles.high.is_empty() { 1 } else { 2 });
                    defines = defines
                        .set("TWIST", levels)
                        .set("TWIST_BITS", format!("{}u", twiddles.map_or(0, |twiddles| twiddles.bits)));
                    defines = defines.set("STAYING", u8::from(part.placed.from == part.placed.to));
                    places = pass.places();
                    let specs = if part.placed.from == part.placed.to {
                        [&STAYING, &STAYING_RESIDUES]
                    } else {
                        [&TILE, &TILE_RESIDUES]
                    };
                    kernel = one::<N>(cl, specs, &defines)?;
                }
                Method::Dense => {
                    items = plain;
                    constants.push(roots);
                    kernel = one::<N>(cl, [&DENSE, &DENSE_RESIDUES], &base.set("GROUP", items))?;
                }
            }
            constants.push(&[part.scale.unwrap_or_else(|| numbers.one())]);
        }
        (Tables::Multiply { weights }, _) => {
            (twiddles, items, known) = (None, plain, weights.len());
            constants.push(weights);
            let specs = if part.placed.from == part.placed.to {
                [&MULTIPLY_ALONG_STAYING, &MULTIPLY_ALONG_STAYING_RESIDUES]
            } else {
                [&MULTIPLY_ALONG, &MULTIPLY_ALONG_RESIDUES]
            };
            kernel = one::<N>(cl, specs, &base.set("GROUP", items))?;
        }
        (Tables::Tile { .. }, Stage::Multiply(_)) => {
            // Tables are made for their stages.
            (twiddles, items, known) = (None, plain, 0);
            kernel = one::<N>(cl, [&MULTIPLY_ALONG, &MULTIPLY_ALONG_RESIDUES], &base.set("GROUP", items))?;
        }
    }
    let [low, high] = twiddle_tables(numbers, twiddles);
    Ok(DeviceTables {
        kernel,
        items,
        constants: constants.upload(device)?,
        places: device.upload(&places)?,
        low: upload(&low)?,
        high: upload(&high)?,
        bits: twiddles.map_or(0, |twiddles| twiddles.bits),
        known,
    })
}

fn tile_defines(pass: &TilePass, value_bytes: usize, defines: Defines) -> Defines {
    let whole = pass.run_each == pass.inner;
    let neighbours = if whole { pass.columns() } else { pass.run_each };
    // Neighbours of a row are next to each other, or rows are.
    let load_rows = whole && pass.cofactor == 1;
    let number = |value: usize| format!("{value}u");
    defines
        .runs(neighbours * value_bytes)
        .set("ROWS", number(pass.rows))
        .set("UNITS", number(pass.units_each))
        .set("RUN", number(pass.run_each))
        .set("LOAD_ROWS", u8::from(load_rows))
        .set("STORE_ROWS", u8::from(whole))
}

/// Makes stages ready.
pub(crate) fn prepare<N: Numbers>(
    cl: &OpenCl,
    device: &Device,
    numbers: &N,
    parts: Vec<PlainPart<N::Value>>,
) -> Result<Vec<DevicePart<N>>, FourierError> {
    let ready = |part: PlainPart<N::Value>| {
        Ok(Part {
            tables: tables(cl, device, numbers, &part)?,
            placed: part.placed,
            conjugate_first: part.conjugate_first,
            conjugate_last: part.conjugate_last,
            scale: part.scale,
        })
    };
    parts.into_iter().map(ready).collect()
}
