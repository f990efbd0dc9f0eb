//! The number-theoretic transform on an OpenCL device: one launch a pass.

use std::sync::{Arc, PoisonError};

use manycore_device::{Buffer, Defines, OpenCl, WordType};
use manycore_field::Semiring;
use manycore_model::{Choice, choose};

use super::cost::{Arrays, OnDevice, Pass, Plan};
use super::tables::{Factor, Twist, block_roots, factor};
use super::{Ntt, NttError, Way};
use crate::walsh::device::limits;

manycore_device::kernel! {
    /// The lowest index bits, in contiguous tiles.
    NTT_TILE in manycore_kernels::NTT_TILE: ntt_tile(
        data: buffer<u32>, count: u64, p: u32, roots: input<u32>, twist_items: input<u32>, twist_registers: input<u32>,
        log_tiles: u32, scale: u32, scale_quotient: u32
    )

    /// Higher index bits, in columns.
    NTT_COLUMNS in manycore_kernels::NTT_COLUMNS: ntt_columns(
        data: buffer<u32>, log_stride: u32, p: u32, roots: input<u32>, twist_items: input<u32>,
        twist_registers: input<u32>, log_parts: u32, scale: u32, scale_quotient: u32
    )
}

/// What the tables of a pass depend on: its direction, its shape, how many parts there are, and
/// whether they divide by the length.
pub(super) type TableKey = (Way, Pass, u32, bool);

/// Roots and twists of a pass, on the device.
#[derive(Debug)]
pub(super) struct Tables {
    roots: Buffer<u32>,
    items: Buffer<u32>,
    registers: Buffer<u32>,
}

/// What the model says of every way.
pub(super) fn choice(ntt: &Ntt, cl: &OpenCl, arrays: &Arrays) -> Result<Choice<Plan>, NttError> {
    let limits = limits(cl)?;
    Ok(choose(&OnDevice { limits }, arrays, ntt.spectral.machine())?)
}

pub(super) fn run(
    ntt: &Ntt,
    cl: &OpenCl,
    x: &mut Buffer<u32>,
    arrays: &Arrays,
    way: Way,
    plan: Option<&Plan>,
) -> Result<(), NttError> {
    let passes: Arc<[Pass]> = match plan {
        Some(plan) => match plan.fault(arrays) {
            None => plan.passes.clone().into(),
            Some(reason) => return Err(NttError::Passes { log_len: arrays.log_len, reason }),
        },
        None => ntt.passes(cl, arrays)?,
    };
    let last = passes.len() - 1;
    // The inverse goes up the tree.
    let order: Vec<usize> = match way {
        Way::Forward => (0..=last).collect(),
        Way::Inverse => (0..=last).rev().collect(),
    };
    // The inverse's division by the length goes into the twists, where a pass has one.
    let scaled = order.iter().rev().copied().find(|&i| passes[i].twists(arrays)).filter(|_| way == Way::Inverse);
    for &i in &order {
        let pass = &passes[i];
        let is_last = i == *order.last().unwrap_or(&last);
        let own_scale = way == Way::Inverse && is_last && scaled.is_none();
        // A pass finds the parts that the one before left, each of them made a transform of its own.
        let log_parts = i.checked_sub(1).map_or(0, |before| passes[before].stages());
        let tables = ntt.tables(pass, arrays, log_parts, way, scaled == Some(i))?;
        launch(ntt, cl, x, pass, arrays, &tables, &Form { way, own_scale, log_parts })?;
    }
    Ok(())
}

/// What varies of a pass's launch.
struct Form {
    way: Way,
    own_scale: bool,
    log_parts: u32,
}

fn launch(
    ntt: &Ntt,
    cl: &OpenCl,
    x: &mut Buffer<u32>,
    pass: &Pass,
    arrays: &Arrays,
    tables: &Tables,
    form: &Form,
) -> Result<(), NttError> {
    let p = ntt.field.modulus();
    let defines = Defines::new()
        .element(WordType::U32)
        .set("INVERSE", u8::from(form.way == Way::Inverse))
        .set("TWIST", u8::from(pass.twists(arrays)))
        .set("SCALE", u8::from(form.own_scale));
    let [scale, quotient] = if form.own_scale { factor(ntt.scale(), p) } else { [0, 0] };
    let count = x.len();
    let bytes = 8 * count as u64;
    match *pass {
        Pass::Tile { stages, log_tile, log_regs } => {
            let defines = defines.set("LOG_TILE", log_tile).set("LOG_REGS", log_regs).set("STAGES", stages);
            let kernel = ntt.spectral.kernel(cl, &NTT_TILE, defines)?;
            cl.launch(&kernel)
                .buffer(x)
                .value(count as u64)
                .value(p)
                .input(&tables.roots)
                .input(&tables.items)
                .input(&tables.registers)
                .value(form.log_parts)
                .value(scale)
                .value(quotient)
                .groups(count.div_ceil(1 << log_tile), 1 << (log_tile - log_regs))
                .bytes(bytes)
                .operations(u64::from(stages) * count as u64 / 2)
                .run()?;
        }
        Pass::Columns { log_stride, log_rows, log_segment, log_regs } => {
            let log_tile = log_rows + log_segment;
            let defines = defines.set("LOG_TILE", log_tile).set("LOG_REGS", log_regs).set("LOG_SEGMENT", log_segment);
            let kernel = ntt.spectral.kernel(cl, &NTT_COLUMNS, defines)?;
            cl.launch(&kernel)
                .buffer(x)
                .value(log_stride)
                .value(p)
                .input(&tables.roots)
                .input(&tables.items)
                .input(&tables.registers)
                .value(form.log_parts)
                .value(scale)
                .value(quotient)
                .groups(count >> log_tile, 1 << (log_tile - log_regs))
                .bytes(bytes)
                .operations(u64::from(log_rows) * count as u64 / 2)
                .run()?;
        }
    }
    Ok(())
}

impl Ntt {
    /// The passes kept for these arrays, or the model's choice.
    fn passes(&self, cl: &OpenCl, arrays: &Arrays) -> Result<Arc<[Pass]>, NttError> {
        let mut kept = self.chosen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(passes) = kept.get(arrays) {
            return Ok(Arc::clone(passes));
        }
        let passes: Arc<[Pass]> = choice(self, cl, arrays)?.best().parameters.passes.clone().into();
        kept.insert(*arrays, Arc::clone(&passes));
        Ok(passes)
    }

    /// The tables of a pass, made at first use. Twists take an eighth of the transform's bytes or less.
    fn tables(
        &self,
        pass: &Pass,
        arrays: &Arrays,
        log_parts: u32,
        way: Way,
        scaled: bool,
    ) -> Result<Arc<Tables>, NttError> {
        let mut kept = self.device_tables.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tables) = kept.get(&(way, *pass, log_parts, scaled)) {
            return Ok(Arc::clone(tables));
        }
        let upload = |factors: &[Factor]| self.device().upload(factors.as_flattened());
        let stages = pass.stages();
        let roots = block_roots(&self.field, stages.saturating_sub(1), |log_order| self.root_of(log_order, way));
        let (items, registers) = if pass.twists(arrays) {
            // Powers of the root of all parts together; without parts, of the negacyclic root.
            let log_root = pass.span() + log_parts.max(1);
            let scale = if scaled { self.scale() } else { self.field.one() };
            let (log_items, log_regs) = pass.twist_shape();
            let base = self.root_of(log_root, way);
            let twist = Twist::new(&self.field, base, log_parts, log_items, log_regs, scale);
            (upload(&twist.items)?, upload(&twist.registers)?)
        } else {
            (upload(&[[0; 2]])?, upload(&[[0; 2]])?)
        };
        let tables = Arc::new(Tables { roots: upload(&roots)?, items, registers });
        kept.insert((way, *pass, log_parts, scaled), Arc::clone(&tables));
        Ok(tables)
    }
}
