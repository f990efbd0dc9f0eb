//! The Walsh-Hadamard transform on an OpenCL device: one launch a pass.

use manycore_device::{Buffer, Defines, OpenCl, WordType};

use super::cost::{self, Limits, Pass};
use super::{Algorithm, Direction, Order, Walsh, WalshError};
use crate::scalar::Scalar;
use crate::spectral::Spectral;

manycore_device::kernel! {
    /// The lowest index bits, in contiguous tiles.
    WALSH_TILE in manycore_kernels::WALSH_TILE: walsh_tile(data: buffer<element>, count: u64, shift: u32)

    /// Higher index bits, in columns.
    WALSH_COLUMNS in manycore_kernels::WALSH_COLUMNS:
        walsh_columns(data: buffer<element>, log_stride: u32, shift: u32)

    /// Steps of the constant geometry, out of place.
    WALSH_GEOMETRY in manycore_kernels::WALSH_GEOMETRY: walsh_geometry(
        from: input<element>, to: buffer<element>, count: u64, log_length: u32, log_waiting: u32, sequency: u32,
        swizzle: u32, shift: u32
    )
}

/// What the passes depend on, read from the device.
fn limits(cl: &OpenCl) -> Result<Limits, WalshError> {
    let mut limits = Limits::new(cl.local_limit_bytes()?, cl.info().group_limit.min(1024));
    if cl.info().kind != manycore_device::DeviceKind::Gpu {
        // Work-items of a CPU share its caches: small tiles stay there, and more registers would spill.
        limits.local_bytes = limits.local_bytes.min(64 << 10);
        limits.group_limit = limits.group_limit.min(256);
    }
    Ok(limits)
}

/// The passes of a transform on this device, in the order of their launches.
pub(super) fn passes(cl: &OpenCl, element: WordType, log_len: u32, how: &Walsh) -> Result<Vec<Pass>, WalshError> {
    let limits = limits(cl)?;
    let algorithm = how.algorithm_for_order();
    let reversal = || cost::constant_geometry_passes(log_len, element, &limits, None, false);
    Ok(match algorithm {
        Algorithm::CooleyTukey => {
            let mut passes = match &how.passes {
                Some(passes) => checked(passes, log_len)?,
                None => cost::cooley_tukey_passes(log_len, element, &limits),
            };
            if how.order != Order::Hadamard {
                passes.extend(reversal());
            }
            passes
        }
        Algorithm::ConstantGeometry => {
            let mut passes = cost::constant_geometry_passes(log_len, element, &limits, how.steps, true);
            if how.order == Order::Hadamard {
                passes.extend(reversal());
            }
            passes
        }
    })
}

/// Passes given by hand, if they transform every bit once.
fn checked(passes: &[Pass], log_len: u32) -> Result<Vec<Pass>, WalshError> {
    let mut covered = vec![false; log_len as usize];
    for pass in passes {
        let range = match *pass {
            Pass::Tile { stages, log_tile, log_regs, log_spill }
                if log_regs >= 2
                    && log_regs < log_tile
                    && (stages == log_tile + log_spill || log_spill == 0 && stages < log_tile) =>
            {
                0..stages
            }
            Pass::Columns { log_stride, log_rows, log_segment, log_regs, log_spill }
                if log_rows > 0 && log_regs < log_rows + log_segment && log_stride >= log_segment =>
            {
                log_stride..log_stride + log_rows + log_spill
            }
            _ => return Err(WalshError::Passes { log_len, reason: format!("{pass} has an impossible shape") }),
        };
        for bit in range {
            match covered.get_mut(bit as usize) {
                Some(done @ false) => *done = true,
                _ => return Err(WalshError::Passes { log_len, reason: format!("{pass} takes bit {bit} again") }),
            }
        }
    }
    match covered.iter().position(|done| !done) {
        Some(bit) => Err(WalshError::Passes { log_len, reason: format!("bit {bit} is left out") }),
        None => Ok(passes.to_vec()),
    }
}

pub(super) fn run<T: Scalar>(
    spectral: &Spectral,
    cl: &OpenCl,
    x: &mut Buffer<T>,
    log_len: u32,
    how: &Walsh,
) -> Result<(), WalshError> {
    let passes = passes(cl, T::TYPE, log_len, how)?;
    let shift = match how.direction {
        Direction::Forward => 0,
        Direction::Inverse => log_len,
    };
    let out_of_place = passes.iter().any(|pass| matches!(pass, Pass::Geometry { .. }));
    let mut scratch = if out_of_place { Some(spectral.device().scratch(x.len())?) } else { None };
    let launcher = Launcher { spectral, cl, log_len, sequency: how.order == Order::Sequency };
    let last = passes.len() - 1;
    for (i, pass) in passes.iter().enumerate() {
        let shift = if i == last { shift } else { 0 };
        match (pass, &mut scratch) {
            (Pass::Geometry { .. }, Some(scratch)) => {
                launcher.geometry(pass, x, scratch, i == last, shift)?;
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
}

impl Launcher<'_> {
    fn defines(element: WordType) -> Defines {
        // Local memory serves 8-byte words half a group at a time, so their places repeat after 16.
        Defines::new().element(element).set("SWIZZLE", if element.bytes() == 8 { 4 } else { 5 })
    }

    fn in_place<T: Scalar>(&self, pass: &Pass, x: &mut Buffer<T>, shift: u32) -> Result<(), WalshError> {
        let defines = Self::defines(T::TYPE);
        let count = x.len();
        let bytes = 2 * (count * size_of::<T>()) as u64;
        match *pass {
            Pass::Tile { stages, log_tile, log_regs, log_spill } => {
                let defines = defines
                    .set("LOG_TILE", log_tile)
                    .set("LOG_REGS", log_regs)
                    .set("STAGES", stages)
                    .set("LOG_SPILL", log_spill);
                let kernel = self.spectral.kernel(self.cl, &WALSH_TILE, defines)?;
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
                    .set("LOG_SPILL", log_spill);
                let kernel = self.spectral.kernel(self.cl, &WALSH_COLUMNS, defines)?;
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
            Pass::Geometry { .. } => {
                let reason = format!("{pass} needs a second buffer");
                return Err(WalshError::Passes { log_len: self.log_len, reason });
            }
        }
        Ok(())
    }

    fn geometry<T: Scalar>(
        &self,
        pass: &Pass,
        from: &Buffer<T>,
        to: &mut Buffer<T>,
        last: bool,
        shift: u32,
    ) -> Result<(), WalshError> {
        let Pass::Geometry { stages, log_tile, log_regs, log_waiting, butterflies } = *pass else {
            return self.in_place(pass, to, shift);
        };
        let defines = Self::defines(T::TYPE)
            .set("LOG_TILE", log_tile)
            .set("LOG_REGS", log_regs)
            .set("STAGES", stages)
            .set("BUTTERFLIES", u8::from(butterflies));
        let kernel = self.spectral.kernel(self.cl, &WALSH_GEOMETRY, defines)?;
        // The bits that vary between neighbouring stores decide which places of local memory are read together.
        let lanes = if size_of::<T>() == 8 { 4 } else { 5 };
        let run = log_waiting.min(log_tile - stages).min(lanes);
        let swizzle = (stages + run).saturating_sub(lanes).max(1);
        let count = from.len();
        let steps = if butterflies { stages } else { 0 };
        self.cl
            .launch(&kernel)
            .input(from)
            .buffer(to)
            .value(count as u64)
            .value(self.log_len)
            .value(log_waiting)
            .value(u32::from(last && self.sequency))
            .value(swizzle)
            .value(shift)
            .groups(count.div_ceil(1 << log_tile), 1 << (log_tile - log_regs))
            .bytes(2 * (count * size_of::<T>()) as u64)
            .operations(u64::from(steps) * count as u64)
            .run()?;
        Ok(())
    }
}
