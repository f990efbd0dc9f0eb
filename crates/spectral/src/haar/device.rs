//! The Haar transform on an OpenCL device: one launch for as many levels as a tile has.

use manycore_device::{Buffer, Defines, KernelSpec, Limits, OpenCl};
use manycore_tuning::Operation;

use super::cost::{HaarPlan, LOG_ITEM, OnDevice};
use super::how::Haar;
use crate::context::Spectral;
use crate::error::SpectralError;
use crate::operation::OfZeros;
use crate::scalar::Scalar;
use crate::walsh::cost::Arrays;
use manycore_arrays::orders::HaarOrder;

// SAFETY: `Passes` alone launches them, on whole arrays, with memory for the sums of each step.
manycore_device::kernel! {
    /// Levels of tiles, out of place.
    unsafe HAAR_FORWARD in manycore_kernels::spectral::HAAR_FORWARD: haar_forward

    /// The inverse transform.
    unsafe HAAR_INVERSE in manycore_kernels::spectral::HAAR_INVERSE: haar_inverse

    /// Levels of tiles in place, forward or back.
    unsafe HAAR_IN_PLACE in manycore_kernels::spectral::HAAR_IN_PLACE:
        haar_in_place
}

/// The transforms on this device, as the planner sees them; `on_host` does the same on the host.
pub(super) fn transforms<'a, T: Scalar>(
    spectral: &'a Spectral,
    cl: &'a OpenCl,
    arrays: &'a Arrays,
    how: &'a Haar,
    on_host: impl Fn(&mut Buffer<T>) -> Result<(), SpectralError> + 'a,
) -> Result<impl Operation<Costs = OnDevice, Error = SpectralError> + 'a, SpectralError> {
    let costs = OnDevice { limits: Limits::of(cl)?, order: how.order };
    let family = costs.key(arrays);
    let run = |x: &mut Buffer<T>, plan: &HaarPlan| by_plan(spectral, cl, x, arrays.log_len, how, *plan);
    Ok(OfZeros::new(spectral.device(), family, costs, run, on_host))
}

/// Transforms every run of `2^log_len` values, by a plan given by hand, else by the one that is taken. `on_host` does the
/// same to a buffer of the host.
pub(super) fn run<T: Scalar>(
    spectral: &Spectral,
    cl: &OpenCl,
    x: &mut Buffer<T>,
    log_len: u32,
    how: &Haar,
    on_host: impl Fn(&mut Buffer<T>) -> Result<(), SpectralError>,
) -> Result<(), SpectralError> {
    if let Some(plan) = how.plan {
        return by_plan(spectral, cl, x, log_len, how, plan);
    }
    let arrays = Arrays { count: x.len() >> log_len, log_len, element: T::TYPE };
    let operation = OnDevice { limits: Limits::of(cl)?, order: how.order };
    let ask = |_: &_| Ok(spectral.planner().ask(transforms::<T>(spectral, cl, &arrays, how, &on_host)?, arrays));
    let run = |plan: &HaarPlan, x: &mut Buffer<T>| by_plan(spectral, cl, x, log_len, how, *plan);
    spectral.haar_plans.run_in_place(x, (operation, arrays), ask, run)
}

fn by_plan<T: Scalar>(
    spectral: &Spectral,
    cl: &OpenCl,
    x: &mut Buffer<T>,
    log_len: u32,
    how: &Haar,
    plan: HaarPlan,
) -> Result<(), SpectralError> {
    if !(LOG_ITEM..32).contains(&plan.log_tile) {
        let reason = format!("{plan} have less than 2^{LOG_ITEM} values, or too many");
        return Err(SpectralError::Passes { log_len, reason });
    }
    let offset = how.normalization.offset(log_len);
    let passes = Passes { spectral, cl, log_len, offset, log_tile: plan.log_tile };
    let levels = plan.levels(log_len);
    match (plan.order, how.inverse) {
        (HaarOrder::InPlace, inverse) => passes.in_place(x, &levels, inverse),
        (HaarOrder::Standard, false) => passes.forward(x, &levels),
        (HaarOrder::Standard, true) => passes.inverse(x, &levels),
    }
}

struct Passes<'a> {
    spectral: &'a Spectral,
    cl: &'a OpenCl,
    log_len: u32,
    offset: Option<i32>,
    log_tile: u32,
}

/// One launch: `levels` levels from `count` arrays of `2^log_run` sums each.
#[derive(Clone, Copy)]
struct Step {
    levels: u32,
    log_run: u32,
    count: usize,
}

impl Passes<'_> {
    /// The steps of all levels, the finest first.
    fn steps(&self, levels: &[u32], values: usize) -> Vec<Step> {
        let mut log_run = self.log_len;
        let step = |&levels: &u32| {
            let step = Step { levels, log_run, count: values >> (self.log_len - log_run) };
            log_run -= levels;
            step
        };
        levels.iter().map(step).collect()
    }

    fn defines<T: Scalar>(&self, step: Step) -> Defines {
        Defines::new()
            .element(T::TYPE)
            .set("LOG_TILE", self.log_tile)
            .set("LEVELS", step.levels)
            .set("NORMALIZED", u8::from(self.offset.is_some()))
    }

    fn launch<'b>(&'b self, kernel: &'b manycore_device::Kernel, step: Step) -> manycore_device::Launch<'b> {
        self.cl
            .launch(kernel)
            .groups(step.count.div_ceil(1 << self.log_tile), 1 << (self.log_tile - LOG_ITEM))
            .operations(2 * step.count as u64)
    }

    fn kernel(
        &self,
        spec: &'static KernelSpec,
        defines: Defines,
    ) -> Result<std::sync::Arc<manycore_device::Kernel>, SpectralError> {
        Ok(self.spectral.planner().kernel(self.cl, spec, defines)?)
    }

    fn forward<T: Scalar>(&self, x: &mut Buffer<T>, levels: &[u32]) -> Result<(), SpectralError> {
        let device = self.spectral.device();
        let mut to = device.scratch::<T>(x.len())?;
        let mut sums: Option<Buffer<T>> = None;
        for step in self.steps(levels, x.len()) {
            let kernel = self.kernel(&HAAR_FORWARD, self.defines::<T>(step))?;
            let mut next = device.scratch::<T>((step.count >> step.levels).max(1))?;
            self.launch(&kernel, step)
                .input(sums.as_ref().unwrap_or(x))
                .buffer(&mut to)
                .buffer(&mut next)
                .value(step.count as u64)
                .value(step.log_run)
                .value(self.log_len)
                .value(self.offset.unwrap_or(0))
                .bytes(2 * (step.count * size_of::<T>()) as u64)
                .run()?;
            sums = Some(next);
        }
        std::mem::swap(x, &mut to);
        Ok(())
    }

    fn inverse<T: Scalar>(&self, x: &mut Buffer<T>, levels: &[u32]) -> Result<(), SpectralError> {
        let device = self.spectral.device();
        let mut sums: Buffer<T> = device.scratch(1)?;
        for step in self.steps(levels, x.len()).into_iter().rev() {
            let kernel = self.kernel(&HAAR_INVERSE, self.defines::<T>(step))?;
            let mut finer = device.scratch::<T>(step.count)?;
            self.launch(&kernel, step)
                .input(&*x)
                .input(&sums)
                .buffer(&mut finer)
                .value(step.count as u64)
                .value(step.log_run)
                .value(self.log_len)
                .value(self.offset.unwrap_or(0))
                .bytes(2 * (step.count * size_of::<T>()) as u64)
                .run()?;
            sums = finer;
        }
        std::mem::swap(x, &mut sums);
        Ok(())
    }

    fn in_place<T: Scalar>(&self, x: &mut Buffer<T>, levels: &[u32], inverse: bool) -> Result<(), SpectralError> {
        let mut steps = self.steps(levels, x.len());
        if inverse {
            steps.reverse();
        }
        for step in steps {
            let log_done = self.log_len - step.log_run;
            let defines =
                self.defines::<T>(step).set("INVERSE", u8::from(inverse)).set("STRIDED", u8::from(log_done > 0));
            let kernel = self.kernel(&HAAR_IN_PLACE, defines)?;
            self.launch(&kernel, step)
                .buffer(&mut *x)
                .value(step.count as u64)
                .value(log_done)
                .value(step.log_run)
                .value(self.offset.unwrap_or(0))
                .bytes(2 * (step.count * size_of::<T>()) as u64)
                .run()?;
        }
        Ok(())
    }
}
