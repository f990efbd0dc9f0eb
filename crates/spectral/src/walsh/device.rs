//! The Walsh-Hadamard transform on an OpenCL device: one launch a pass.

use manycore_device::{Buffer, Defines, Limits, OpenCl, Word, WordType};
use manycore_tuning::Operation;

use super::butterfly::{Algorithm, Butterfly};
use super::cost::{Arrays, OnDevice, Pass, Plan};
use super::how::Walsh;
use crate::context::Spectral;
use crate::error::SpectralError;
use crate::operation::OfZeros;
use manycore_arrays::orders::Order;

// SAFETY: `Launcher` alone launches them, on whole arrays, by passes of the planner or that `checked` finds to
// transform every bit once.
manycore_device::kernel! {
    /// The lowest index bits, in contiguous tiles.
    unsafe WALSH_TILE in manycore_kernels::spectral::WALSH_TILE: walsh_tile

    /// One short array by several groups, out of place.
    unsafe WALSH_FAN in manycore_kernels::spectral::WALSH_FAN: walsh_fan

    /// Higher index bits, in columns.
    unsafe WALSH_COLUMNS in manycore_kernels::spectral::WALSH_COLUMNS:
        walsh_columns

    /// Steps of the constant geometry, out of place.
    unsafe WALSH_GEOMETRY in manycore_kernels::spectral::WALSH_GEOMETRY: walsh_geometry
}

/// The kernels take four values of 8 bytes an item at least.
const LEAST_LOG_REGS: u32 = 3;

/// The transform on this device, for the planner.
pub(super) fn operation(cl: &OpenCl, how: &Walsh) -> Result<OnDevice, SpectralError> {
    Ok(OnDevice {
        butterfly: how.butterfly,
        limits: Limits::of(cl)?.with_least_registers(LEAST_LOG_REGS),
        order: how.order,
        algorithm: how.algorithm_for_order(),
        most_steps: how.steps,
    })
}

/// The transforms on this device, as the planner sees them; `on_host` does the same on the host.
pub(super) fn transforms<'a, T: Word>(
    spectral: &'a Spectral,
    cl: &'a OpenCl,
    arrays: &'a Arrays,
    how: &'a Walsh,
    on_host: impl Fn(&mut Buffer<T>) -> Result<(), SpectralError> + 'a,
) -> Result<impl Operation<Costs = OnDevice, Error = SpectralError> + 'a, SpectralError> {
    let costs = operation(cl, how)?;
    let family = costs.key(arrays);
    let run = |x: &mut Buffer<T>, plan: &Plan| launch(spectral, cl, x, arrays, how, &plan.passes);
    Ok(OfZeros::new(spectral.device(), family, costs, run, on_host))
}

/// Passes given by hand, if they transform every bit once.
fn checked(passes: &[Pass], log_len: u32) -> Result<Vec<Pass>, SpectralError> {
    let mut covered = vec![false; log_len as usize];
    for pass in passes {
        // A register holds its value's bits above those of a vector, and a group has items of its own.
        let good = |log_tile: u32, log_regs: u32, log_more: u32| {
            (2..=6).contains(&log_regs) && log_regs < log_tile && log_tile <= 24 && log_more <= 6
        };
        let range = match *pass {
            Pass::Tile { stages, log_tile, log_regs, log_spill }
                if good(log_tile, log_regs, log_spill)
                    && stages > 0
                    && (stages == log_tile + log_spill || log_spill == 0 && stages < log_tile) =>
            {
                0..stages
            }
            // All of an array: there are no groups for others.
            Pass::Fan { log_tile, log_regs, log_fan }
                if good(log_tile, log_regs, log_fan) && log_tile + log_fan == log_len =>
            {
                0..log_len
            }
            Pass::Columns { log_stride, log_rows, log_segment, log_regs, log_spill }
                if good(log_rows.saturating_add(log_segment), log_regs, log_spill)
                    && log_rows > 0
                    && (log_segment..=log_len).contains(&log_stride) =>
            {
                log_stride..log_stride + log_rows + log_spill
            }
            _ => return Err(SpectralError::Passes { log_len, reason: format!("{pass} has an impossible shape") }),
        };
        for bit in range {
            match covered.get_mut(bit as usize) {
                Some(done @ false) => *done = true,
                _ => return Err(SpectralError::Passes { log_len, reason: format!("{pass} takes bit {bit} again") }),
            }
        }
    }
    match covered.iter().position(|done| !done) {
        Some(bit) => Err(SpectralError::Passes { log_len, reason: format!("bit {bit} is left out") }),
        None => Ok(passes.to_vec()),
    }
}

/// Transforms every run of `2^log_len` values: by passes given by hand, else by the plan that is taken. `on_host` does the same to
/// a buffer of the host.
pub(crate) fn run<T: Word>(
    spectral: &Spectral,
    cl: &OpenCl,
    x: &mut Buffer<T>,
    log_len: u32,
    how: &Walsh,
    on_host: impl Fn(&mut Buffer<T>) -> Result<(), SpectralError>,
) -> Result<(), SpectralError> {
    let arrays = Arrays { count: x.len() >> log_len, log_len, element: T::TYPE };
    let operation = operation(cl, how)?;
    if let (Some(passes), Algorithm::CooleyTukey) = (&how.passes, operation.algorithm) {
        let mut passes = checked(passes, arrays.log_len)?;
        passes.extend(operation.reversal(&arrays));
        return launch(spectral, cl, x, &arrays, how, &passes);
    }
    let ask = |_: &_| Ok(spectral.planner().ask(transforms(spectral, cl, &arrays, how, &on_host)?, arrays));
    let by_plan = |plan: &Plan, x: &mut Buffer<T>| launch(spectral, cl, x, &arrays, how, &plan.passes);
    spectral.plans.run_in_place(x, (operation, arrays), ask, by_plan)
}

/// Moves every value of each run of `2^log_len` to the place whose bits are those of its index reversed.
pub(crate) fn reverse_bits<T: Word>(
    spectral: &Spectral,
    cl: &OpenCl,
    x: &mut Buffer<T>,
    log_len: u32,
) -> Result<(), SpectralError> {
    let how = Walsh::new().order(Order::Dyadic).algorithm(Algorithm::CooleyTukey);
    let arrays = Arrays { count: x.len() >> log_len, log_len, element: T::TYPE };
    let moves = operation(cl, &how)?.reversal(&arrays);
    if moves.is_empty() { Ok(()) } else { launch(spectral, cl, x, &arrays, &how, &moves) }
}

/// Launches `passes` one after the other.
fn launch<T: Word>(
    spectral: &Spectral,
    cl: &OpenCl,
    x: &mut Buffer<T>,
    arrays: &Arrays,
    how: &Walsh,
    passes: &[Pass],
) -> Result<(), SpectralError> {
    let log_len = arrays.log_len;
    let shift = how.scale(log_len).unwrap_or(0);
    if let Some(fan) = passes.iter().find(|pass| matches!(pass, Pass::Fan { .. }))
        && x.len() != 1 << log_len
    {
        return Err(SpectralError::Passes { log_len, reason: format!("{fan} serves one array, not a batch") });
    }
    let out_of_place = passes.iter().any(Pass::is_out_of_place);
    let mut scratch = if out_of_place { Some(spectral.device().scratch(x.len())?) } else { None };
    let launcher = Launcher { spectral, cl, log_len, sequency: how.order == Order::Sequency, butterfly: how.butterfly };
    let last = passes.len() - 1;
    for (i, pass) in passes.iter().enumerate() {
        let shift = if i == last { shift } else { 0 };
        match (pass, &mut scratch) {
            (Pass::Geometry { .. } | Pass::Fan { .. }, Some(scratch)) => {
                launcher.out_of_place(pass, x, scratch, i == last, shift)?;
                std::mem::swap(x, scratch);
            }
            _ => launcher.in_place(pass, x, shift)?,
        }
    }
    Ok(())
}

struct Launcher<'a> {
    spectral: &'a Spectral,
    cl: &'a OpenCl,
    log_len: u32,
    sequency: bool,
    butterfly: Butterfly,
}

impl Launcher<'_> {
    fn defines(&self, element: WordType) -> Defines {
        // Local memory serves 8-byte words half a group at a time, so their places repeat after 16.
        let defines = Defines::new().element(element).set("SWIZZLE", if element.bytes() == 8 { 4 } else { 5 });
        self.butterfly.define(defines)
    }

    fn in_place<T: Word>(&self, pass: &Pass, x: &mut Buffer<T>, shift: u32) -> Result<(), SpectralError> {
        let defines = self.defines(T::TYPE);
        let count = x.len();
        let bytes = 2 * (count * size_of::<T>()) as u64;
        match *pass {
            Pass::Tile { stages, log_tile, log_regs, log_spill } => {
                let defines = defines
                    .set("LOG_TILE", log_tile)
                    .set("LOG_REGS", log_regs)
                    .set("STAGES", stages)
                    .set("LOG_SPILL", log_spill);
                let kernel = self.spectral.planner().kernel(self.cl, &WALSH_TILE, defines)?;
                self.cl
                    .launch(&kernel)
                    .buffer(x)
                    .value(count as u64)
                    .value(shift)
                    .groups(count.div_ceil(1 << (log_tile + log_spill)), 1 << (log_tile - log_regs))
                    .bytes(bytes)
                    .operations(u64::from(stages) * count as u64)
                    .run()?;
            }
            Pass::Columns { log_stride, log_rows, log_segment, log_regs, log_spill } => {
                let log_tile = log_rows + log_segment;
                let defines = defines
                    .set("LOG_TILE", log_tile)
                    .set("LOG_REGS", log_regs)
                    .set("LOG_SEGMENT", log_segment)
                    .set("LOG_SPILL", log_spill)
                    .runs(size_of::<T>() << log_segment);
                let kernel = self.spectral.planner().kernel(self.cl, &WALSH_COLUMNS, defines)?;
                self.cl
                    .launch(&kernel)
                    .buffer(x)
                    .value(log_stride)
                    .value(shift)
                    .groups(count >> (log_tile + log_spill), 1 << (log_tile - log_regs))
                    .bytes(bytes)
                    .operations(u64::from(log_rows + log_spill) * count as u64)
                    .run()?;
            }
            Pass::Geometry { .. } | Pass::Fan { .. } => {
                let reason = format!("{pass} needs a second buffer");
                return Err(SpectralError::Passes { log_len: self.log_len, reason });
            }
        }
        Ok(())
    }

    fn out_of_place<T: Word>(
        &self,
        pass: &Pass,
        from: &Buffer<T>,
        to: &mut Buffer<T>,
        last: bool,
        shift: u32,
    ) -> Result<(), SpectralError> {
        let (stages, log_tile, log_regs, log_waiting, butterflies) = match *pass {
            Pass::Geometry { stages, log_tile, log_regs, log_waiting, butterflies } => {
                (stages, log_tile, log_regs, log_waiting, butterflies)
            }
            Pass::Fan { log_tile, log_regs, log_fan } => return self.fan(from, to, log_tile, log_regs, log_fan, shift),
            Pass::Tile { .. } | Pass::Columns { .. } => return self.in_place(pass, to, shift),
        };
        // The index bits that differ between neighbouring stores decide which places of local memory are read together.
        let lanes = if size_of::<T>() == 8 { 4 } else { 5 };
        let run = log_waiting.min(log_tile - stages);
        let defines = self
            .defines(T::TYPE)
            .set("LOG_TILE", log_tile)
            .set("LOG_REGS", log_regs)
            .set("STAGES", stages)
            .set("RUN", run)
            .set("SPREAD", (stages + run.min(lanes)).saturating_sub(lanes).max(1))
            .set("SEQUENCY", u8::from(last && self.sequency))
            .set("BUTTERFLIES", u8::from(butterflies));
        let kernel = self.spectral.planner().kernel(self.cl, &WALSH_GEOMETRY, defines)?;
        let count = from.len();
        let steps = if butterflies { stages } else { 0 };
        self.cl
            .launch(&kernel)
            .input(from)
            .buffer(to)
            .value(count as u64)
            .value(self.log_len)
            .value(log_waiting)
            .value(shift)
            .groups(count.div_ceil(1 << log_tile), 1 << (log_tile - log_regs))
            .bytes(2 * (count * size_of::<T>()) as u64)
            .operations(u64::from(steps) * count as u64)
            .run()?;
        Ok(())
    }

    fn fan<T: Word>(
        &self,
        from: &Buffer<T>,
        to: &mut Buffer<T>,
        log_tile: u32,
        log_regs: u32,
        log_fan: u32,
        shift: u32,
    ) -> Result<(), SpectralError> {
        let defines = self
            .defines(T::TYPE)
            .set("LOG_TILE", log_tile)
            .set("LOG_REGS", log_regs)
            .set("TILE_STAGES", log_tile)
            .set("LOG_FAN", log_fan);
        let kernel = self.spectral.planner().kernel(self.cl, &WALSH_FAN, defines)?;
        let bytes = (from.len() * size_of::<T>()) as u64;
        self.cl
            .launch(&kernel)
            .input(from)
            .buffer(to)
            .value(shift)
            .groups(1 << log_fan, 1 << (log_tile - log_regs))
            .bytes((1 + (1 << log_fan)) * bytes)
            .operations(u64::from(log_tile + log_fan) * from.len() as u64)
            .run()?;
        Ok(())
    }
}
