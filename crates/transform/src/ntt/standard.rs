//! What a device's compiler makes of an arithmetic: one pass of a standard shape, measured.
//!
//! Prices are counted in multiply-adds of the calibrated rates. On CPUs compilers vectorize those, but often not modular
//! butterflies between values of private arrays, which then take several times as long. How many times depends on the
//! values of an item, and is else the same for passes of all shapes, within a few tens of per cent, so that one of each tells.

use manycore_device::{Context, Device, Executor, Limits, context};
use manycore_field::{Arithmetic, Goldilocks, PrimeField};
use manycore_model::Machine;

use super::cost::price::{element, fastest as cheapest};
use super::cost::{Arrays, OnDevice, Plan, Slowdowns};
use super::device::KERNELS;
use super::{Kind, Ntt, NttError, NttField, Way};

/// The standard pass takes 2^6 transforms of 2^10 values, each a tile.
const LOG_LEN: u32 = 10;
const COUNT: usize = 1 << 6;

/// The arithmetic whose butterflies the context's device does fastest, of those that hold for a field.
pub(super) fn fastest(arithmetics: &[Arithmetic], context: &Context) -> Arithmetic {
    let least = |arithmetic| slowdowns(context, arithmetic).least();
    cheapest(arithmetics, context.device(), context.machine(), least)
}

/// How many times as long an arithmetic's operations take as the context's machine says, by the values of an item; 1 where the
/// context does not correct prices, or the measurement fails or is explained by no such factor.
pub(super) fn slowdowns(context: &Context, arithmetic: Arithmetic) -> Slowdowns {
    let Executor::OpenCl(cl) = context.device().executor() else { return Slowdowns::default() };
    let Some(limits) = Limits::of(cl).ok().filter(|_| context.corrects()) else { return Slowdowns::default() };
    // Items of 2 values are rare, and priced as those of 4.
    let most = limits.log_regs(element(arithmetic));
    Slowdowns::new(|log_regs| slowdown(context, &limits, arithmetic, log_regs.clamp(most.min(2), most)))
}

fn slowdown(context: &Context, limits: &Limits, arithmetic: Arithmetic, log_regs: u32) -> f64 {
    let arrays = Arrays { count: COUNT, log_len: LOG_LEN, arithmetic, negacyclic: false, natural: false };
    let by_rates = OnDevice { limits: *limits, slowdowns: Slowdowns::default() };
    let Some(pass) = by_rates.tile(arithmetic, LOG_LEN, false, log_regs) else { return 1.0 };
    let plan = Plan { passes: vec![pass] };
    let key = format!("ntt, {arithmetic}, standard pass: {COUNT} {plan}");
    let (device, machine) = (context.device(), context.machine());
    context.slowdown(&key, &KERNELS[..1], &pass.kernel(&arrays), || {
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
    })
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
    context::least_seconds(device, || ntt.run(&mut x, Way::Forward, Some(plan)))
}

#[cfg(test)]
mod tests {
    use super::super::cost::Pass;
    use super::*;
    use manycore_model::Program;
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
                let found = context::fitted_slowdown(&machine, &pass.kernel(&arrays), prediction.seconds).unwrap();
                assert!((found / slowdown - 1.0).abs() < 1e-9, "{arithmetic}: {found} for {slowdown}");
            }
            // What moving the words alone is predicted to take tells nothing of operations.
            let moving = predict(1.0).floor_seconds / 1e3;
            assert_eq!(context::fitted_slowdown(&machine, &pass.kernel(&arrays), moving), None, "{arithmetic}");
        }
    }

    #[test]
    fn contexts_that_go_by_a_machine_alone_correct_nothing() {
        let none =
            |context: &Context| EVERY.iter().all(|&arithmetic| slowdowns(context, arithmetic) == Slowdowns::default());
        for device in manycore_testkit::devices() {
            assert!(none(&Context::with_machine(&device, device.machine())), "{device:?}");
        }
        // The host's prices are its own.
        assert!(none(&Context::new(&Device::host())));
    }
}
