//! The plans of number-theoretic transforms: candidates that differ, are few, and all give the same bits.

use std::collections::BTreeSet;

use manycore_device::{Device, Executor, Limits, TuningMode};
use manycore_field::{Arithmetic, PrimeField};
use manycore_model::{Bound, Machine};
use manycore_ntt::cost::{Arrays, OnDevice, Pass, Plan};
use manycore_ntt::{Kind, Ntt, NttError, Rows, SpectrumOrder};
use manycore_testkit::{devices, opencl_devices};
use manycore_tuning::{Choice, Costed as _, Origin, choose};

/// More candidates are never measured.
const MOST: usize = 64;

fn field() -> PrimeField<u32> {
    PrimeField::new(469_762_049).unwrap()
}

fn h200() -> Machine {
    Machine::known("NVIDIA H200").unwrap()
}

fn on_h200(arrays: &Arrays) -> Choice<Plan> {
    choose(&OnDevice { limits: Limits::new(232_192, 1024) }, arrays, &h200()).unwrap()
}

fn arrays(count: usize, log_len: u32, arithmetic: Arithmetic) -> Arrays {
    Arrays { count, log_len, arithmetic, negacyclic: false, natural: false }
}

/// Plans of one's own and middles of other transforms would be launched past the data.
#[test]
fn passes_that_do_not_make_the_transform_are_refused() {
    let columns = |log_stride, log_rows, log_segment| Pass::Columns { log_stride, log_rows, log_segment, log_regs: 2 };
    let tile = |stages, log_tile| Pass::Tile { stages, log_tile, log_regs: 2 };
    for device in opencl_devices() {
        let ntt = Ntt::new(&device, &field(), 1 << 6, Kind::Cyclic).unwrap();
        for passes in [
            vec![],
            vec![tile(0, 4), tile(6, 6)],
            vec![tile(5, 5)],
            vec![columns(8, 2, 2), tile(6, 6)],
            vec![columns(2, 4, 3), tile(2, 2)],
            // Sums that overflow.
            vec![columns(7, u32::MAX, 5), tile(7, 7)],
            vec![columns(u32::MAX, 7, 2), tile(6, 6)],
        ] {
            let outcome = ntt.forward_by(&mut [1; 1 << 6], &Plan { passes: passes.clone() });
            assert!(matches!(outcome, Err(NttError::Passes { log_len: 6, .. })), "{device:?} {passes:?}");
        }
        let long = |log_len: u32| Ntt::new(&device, &field(), 1usize << log_len, Kind::Cyclic).unwrap();
        let Some((log_len, middle)) =
            (8..20).find_map(|log_len| Some((log_len, long(log_len).middle(1 << log_len).unwrap()?)))
        else {
            continue;
        };
        let mut x = device.zeros(1 << log_len).unwrap();
        assert!(long(log_len).forward_to(&mut x, &middle).is_ok());
        for other in [1, 6, log_len - 1] {
            let mut x = device.zeros(1 << other).unwrap();
            for outcome in [
                long(other).forward_to(&mut x, &middle),
                long(other).forward_between(&mut x, &middle),
                long(other).inverse_from(&mut x, &middle),
                long(other).inverse_between(&mut x, &middle),
                long(other).inverse_highest(&mut x, &middle),
            ] {
                assert!(matches!(outcome, Err(NttError::Passes { .. })), "{device:?} 2^{other} for 2^{log_len}");
            }
        }
    }
}

/// Nothing is multiplied by nothing, with whatever is said of it.
#[test]
fn products_of_no_rows_are_none() {
    let ntt = Ntt::new(&Device::host(), &field(), 8, Kind::Cyclic).unwrap();
    for shared in [0, 1, usize::MAX] {
        let rows = Rows { left: 0, shared, left_half: true, right_half: true, shift: 0 };
        let mut nothing = Device::host().zeros(0).unwrap();
        assert!(ntt.multiply_rows(&mut nothing, &rows).unwrap());
        let too_few = Rows { left: 2, ..rows };
        assert!(matches!(ntt.multiply_rows(&mut nothing, &too_few), Err(NttError::Batch { .. })));
    }
}

/// On GPUs with much and with little local memory, every length has candidates; they are few, and plans of their own.
#[test]
fn candidates_are_few_and_differ() {
    for limits in [Limits::new(232_192, 1024), Limits::new(48 << 10, 1024), Limits::new(32 << 10, 256)] {
        for arithmetic in [Arithmetic::Word32, Arithmetic::Floating] {
            for (log_len, count) in (1..=30).map(|log_len| (log_len, 1)).chain([(6, 1 << 14), (10, 1 << 10)]) {
                for negacyclic in [false, true] {
                    let arrays = Arrays { negacyclic, ..arrays(count, log_len, arithmetic) };
                    let plans = OnDevice { limits }.candidates(&arrays, &h200());
                    let name = format!("{limits:?} {arrays:?}");
                    assert!((1..=MOST).contains(&plans.len()), "{name}: {}", plans.len());
                    let texts: BTreeSet<String> = plans.iter().map(ToString::to_string).collect();
                    assert_eq!(texts.len(), plans.len(), "{name}");
                    for plan in &plans {
                        let bits: u32 = plan.passes.iter().map(Pass::stages).sum();
                        assert_eq!(bits, log_len, "{name}: {plan}");
                    }
                }
            }
        }
    }
}

/// Nothing is pruned for what it once took: one array in one tile, narrow and wide runs, and few values an item are
/// there.
#[test]
fn measurements_may_choose_among_all_shapes() {
    let plans = |log_len| {
        OnDevice { limits: Limits::new(232_192, 1024) }.candidates(&arrays(1, log_len, Arithmetic::Word32), &h200())
    };
    assert!(plans(15).iter().any(|plan| plan.passes.len() == 1));
    let regs = |plans: Vec<Plan>| -> BTreeSet<u32> {
        let of = |pass: &Pass| match *pass {
            Pass::Tile { log_regs, .. } | Pass::Columns { log_regs, .. } => log_regs,
        };
        plans.iter().flat_map(|plan| plan.passes.iter().map(of).collect::<Vec<_>>()).collect()
    };
    assert_eq!(regs(plans(24)), [3, 4, 5].into());
    let passes: BTreeSet<usize> = plans(24).iter().map(|plan| plan.passes.len()).collect();
    assert_eq!(passes, [2, 3].into());
}

/// What is counted: every pass moves each value twice; columns of short runs are slower; launches count.
#[test]
fn passes_count_what_they_move() {
    let machine = h200();
    for arithmetic in [Arithmetic::Word32, Arithmetic::Word64 { lazy: true }, Arithmetic::Goldilocks] {
        let arrays = arrays(1, 24, arithmetic);
        let tile = Pass::Tile { stages: 12, log_tile: 12, log_regs: 4 };
        let columns = |log_segment| Pass::Columns { log_stride: 12, log_rows: 12, log_segment, log_regs: 4 };
        let bytes = u128::from(arrays.values()) * arrays.element().bytes() as u128;
        assert_eq!(columns(3).kernel(&arrays, &machine).traffic_bytes(), 2 * bytes);
        // A factor for each item's values, beside them.
        let factors = bytes * arithmetic.factor_words() as u128 / 16;
        assert_eq!(tile.kernel(&arrays, &machine).traffic_bytes(), 2 * bytes + factors);
    }
    let best = on_h200(&arrays(1, 10, Arithmetic::Word32)).best().clone();
    assert_eq!((best.estimate.launches, best.estimate.bound()), (1, Bound::Launch), "{}", best.parameters);
    // Double precision is a quarter of the arithmetic of 64-bit words there.
    let seconds = |arithmetic| on_h200(&arrays(1, 22, arithmetic)).best().estimate.seconds;
    assert!(seconds(Arithmetic::Floating) < seconds(Arithmetic::Word64 { lazy: true }));
}

#[test]
fn huge_sizes_neither_panic_nor_wrap() {
    let seconds = |arrays: &Arrays| on_h200(arrays).best().estimate.seconds;
    for arithmetic in [Arithmetic::Word32, Arithmetic::Floating] {
        for (count, log_len) in [(1 << 62, 0), (1 << 62, 1), (1 << 40, 22), (1, 63)] {
            let huge = Arrays { natural: true, ..arrays(count, log_len, arithmetic) };
            let outcome = choose(&OnDevice { limits: Limits::new(232_192, 1024) }, &huge, &h200());
            if let Ok(choice) = outcome {
                assert!(choice.best().estimate.seconds > seconds(&arrays(1, 20, arithmetic)), "{huge:?}");
            }
        }
    }
    let ntt = Ntt::new(&Device::host(), &field(), 1, Kind::Cyclic).unwrap();
    assert!(ntt.explain(1 << 62).unwrap().best().estimate.seconds > 0.0);
    assert!(Ntt::new(&Device::host(), &field(), 1 << 63, Kind::Negacyclic).is_err());
}

/// Every candidate of a few lengths on every device gives the host's bits, in every mode.
#[test]
fn candidates_and_modes_give_the_same_bits() {
    for device in devices() {
        for (len, kind, order) in [
            (1 << 4, Kind::Cyclic, SpectrumOrder::BitReversed),
            (1 << 9, Kind::Negacyclic, SpectrumOrder::Natural),
            (1 << 12, Kind::Cyclic, SpectrumOrder::Natural),
        ] {
            let of = |device: &Device| Ntt::new(device, &field(), len, kind).unwrap().with_order(order);
            let x: Vec<u32> = (0..2 * len as u32).map(|i| i.wrapping_mul(2_654_435_761) % 469_762_049).collect();
            let spectrum = |ntt: &Ntt, plan: Option<&Plan>| {
                let mut buffer = ntt.device().upload(&x).unwrap();
                match plan {
                    Some(plan) => ntt.forward_by(&mut buffer, plan).unwrap(),
                    None => ntt.forward(&mut buffer).unwrap(),
                }
                let spectrum = buffer.download().unwrap();
                match plan {
                    Some(plan) => ntt.inverse_by(&mut buffer, plan).unwrap(),
                    None => ntt.inverse(&mut buffer).unwrap(),
                }
                assert_eq!(buffer.download().unwrap(), x, "{device:?} {len} {plan:?}");
                spectrum
            };
            let expected = spectrum(&of(&Device::host()), None);
            for mode in TuningMode::ALL {
                assert_eq!(spectrum(&of(&device.with_tuning(mode)), None), expected, "{device:?} {len} {mode}");
            }
            let ntt = of(&device);
            let choice = ntt.explain(2 * len).unwrap();
            if let Executor::Host(_) = device.executor() {
                assert_eq!(choice.origin(), &Origin::Only);
            }
            // A CPU's compiler takes a second for a kernel.
            for candidate in choice.candidates().iter().step_by(choice.candidates().len().div_ceil(3)) {
                let found = spectrum(&ntt, Some(&candidate.parameters));
                assert_eq!(found, expected, "{device:?} {len}: {}", candidate.parameters);
            }
        }
    }
}
