//! What a device's compiler makes of an arithmetic: one pass of a standard shape, measured.
//!
//! Prices are counted in multiply-adds of the calibrated rates. On CPUs compilers vectorize those, but often not modular
//! butterflies between values of private arrays, which then take several times as long. How many times is the same for
//! passes of all shapes, within a few tens of per cent, so that one of them tells.

use manycore_device::{Context, Device, Executor, Limits, context};
use manycore_field::{Arithmetic, Goldilocks, PrimeField};
use manycore_model::{Machine, Program, fit};

use super::cost::price::{element, fastest as cheapest};
use super::cost::{Arrays, OnDevice, Pass, Plan};
use super::device::KERNELS;
use super::{Kind, Ntt, NttError, NttField, Way};

/// The standard pass takes 2^6 transforms of 2^10 values, each a tile.
const LOG_LEN: u32 = 10;
const COUNT: usize = 1 << 6;
/// Seconds of runs, about a millisecond each, of which the least counts: what disturbs one adds to it.
const SECONDS: f64 = 0.25;

/// The arithmetic whose butterflies the context's device does fastest, of those that hold for a field.
pub(super) fn fastest(arithmetics: &[Arithmetic], context: &Context) -> Arithmetic {
    cheapest(arithmetics, context.device(), context.machine(), |arithmetic| slowdown(context, arithmetic))
}

/// How many times as long an arithmetic's operations take as the context's machine says; 1 where the context does not
/// correct prices, or the measurement fails or is explained by no such factor.
pub(super) fn slowdown(context: &Context, arithmetic: Arithmetic) -> f64 {
    let device = context.device();
    let Executor::OpenCl(cl) = device.executor() else { return 1.0 };
    if !context.corrects() {
        return 1.0;
    }
    let arrays = Arrays { count: COUNT, log_len: LOG_LEN, arithmetic, negacyclic: false, natural: false };
    let Some(pass) = Limits::of(cl).ok().and_then(|limits| {
        OnDevice { limits, slowdown: 1.0 }.tile(LOG_LEN, false, limits.log_regs(element(arithmetic)))
    }) else {
        return 1.0;
    };
    let plan = Plan { passes: vec![pass] };
    let key = format!("ntt, {arithmetic}, standard pass: {COUNT} {plan}");
    let machine = context.machine();
    let seconds = context::standard_seconds(device, &key, &KERNELS[..1], || {
        // Any primes of the arithmetics' ranges with the roots would do.
        let short = |p| PrimeField::<u32>::new(p).ok();
        let long = |p| PrimeField::<u64>::new(p).ok();
        match arithmetic {
            Arithmetic::Word32 => measured(device, machine, &short(469_762_049)?, arithmetic, &plan),
            Arithmetic::Floating => measured(device, machine, &long(1_125_897_625_141_249)?, arithmetic, &plan),
            Arithmetic::Word64 { lazy: true } => {
                measured(device, machine, &long(4_611_686_009_971_671_041)?, arithmetic, &plan)
            }
            Arithmetic::Word64 { lazy: false } => {
                measured(device, machine, &long(9_223_372_035_915_251_713)?, arithmetic, &plan)
            }
            Arithmetic::Goldilocks => measured(device, machine, &Goldilocks, arithmetic, &plan),
        }
        .ok()
    });
    seconds.and_then(|seconds| fitted(seconds, machine, &pass, &arrays)).unwrap_or(1.0)
}

/// The slowdown at which `machine` predicts `seconds` of a pass.
fn fitted(seconds: f64, machine: &Machine, pass: &Pass, arrays: &Arrays) -> Option<f64> {
    let predict = |slowdown: f64| {
        let mut program = Program::new();
        let queued = program.queue(pass.kernel(arrays).slowdown(slowdown));
        queued.ok().and_then(|_| machine.predict(&program).ok()).map_or(f64::NAN, |prediction| prediction.seconds)
    };
    fit::slowdown(seconds, predict)
}

/// The least seconds of the standard transforms.
fn measured<F: NttField>(
    device: &Device,
    machine: &Machine,
    field: &F,
    arithmetic: Arithmetic,
    plan: &Plan,
) -> Result<f64, NttError> {
    let ntt = Ntt::with_machine(device, machine.clone(), field, 1 << LOG_LEN, Kind::Cyclic)?;
    let ntt = ntt.with_arithmetic(arithmetic)?;
    let mut x = device.zeros::<F::Element>(COUNT << LOG_LEN)?;
    let (mut least, mut spent) = (f64::INFINITY, 0.0);
    while spent < SECONDS {
        let sample = context::sample(device, spent == 0.0, || ntt.run(&mut x, Way::Forward, Some(plan)))?;
        least = least.min(sample.seconds);
        spent += sample.spent_seconds;
    }
    Ok(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use manycore_model::machine::Class;

    const EVERY: [Arithmetic; 5] = [
        Arithmetic::Word32,
        Arithmetic::Word64 { lazy: true },
        Arithmetic::Word64 { lazy: false },
        Arithmetic::Goldilocks,
        Arithmetic::Floating,
    ];

    fn machine() -> Machine {
        let class = Class {
            name: "a CPU".into(),
            vendor: String::new(),
            processors: 2,
            clock_hz: 0,
            local_bytes: 512 << 10,
            block_threads: 1024,
            fp64: true,
        };
        class.opencl_cpu()
    }

    /// What the model predicts with a slowdown is fitted to that slowdown, and to no other.
    #[test]
    fn a_prediction_is_fitted_by_its_own_slowdown() {
        let (machine, pass) = (machine(), Pass::Tile { stages: LOG_LEN, log_tile: LOG_LEN, log_regs: 3 });
        for arithmetic in EVERY {
            let arrays = Arrays { count: COUNT, log_len: LOG_LEN, arithmetic, negacyclic: false, natural: false };
            let predict = |slowdown| {
                let mut program = Program::new();
                program.queue(pass.kernel(&arrays).slowdown(slowdown)).unwrap();
                machine.predict(&program).unwrap()
            };
            for slowdown in [6.25, 40.0] {
                let prediction = predict(slowdown);
                assert_eq!(prediction.bound(), manycore_model::Bound::Arithmetic, "{arithmetic}");
                let found = fitted(prediction.seconds, &machine, &pass, &arrays).unwrap();
                assert!((found / slowdown - 1.0).abs() < 1e-9, "{arithmetic}: {found} for {slowdown}");
            }
            // What moving the words alone is predicted to take tells nothing of operations.
            assert_eq!(fitted(predict(1.0).floor_seconds / 1e3, &machine, &pass, &arrays), None, "{arithmetic}");
        }
    }

    #[test]
    fn contexts_that_go_by_a_machine_alone_correct_nothing() {
        let none =
            |context: &Context| EVERY.iter().all(|&arithmetic| (slowdown(context, arithmetic) - 1.0).abs() == 0.0);
        for device in manycore_testkit::devices() {
            assert!(none(&Context::with_machine(&device, device.machine())), "{device:?}");
        }
        // The host's prices are its own.
        assert!(none(&Context::new(&Device::host())));
    }
}
