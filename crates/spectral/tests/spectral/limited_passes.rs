//! Transforms of one to four passes and more, by devices with small tiles: against the host, whose transforms other tests compare
//! with the definition. A number of passes that no case reaches fails the test.

use std::collections::BTreeSet;

use manycore_device::{Buffer, Device, Word};
use manycore_spectral::{
    Algorithm, Arithmetic, BitOrder, Bits, Haar, HaarOrder, Order, ReedMuller, Scalar, Spectral, Walsh, WalshPlan,
};
use manycore_testkit::limited_devices;
use manycore_tuning::Choice;

/// Values that differ, small enough that no sum of 2^20 of them rounds in `f32`.
fn values<T: Scalar + From<i8>>(len: usize) -> Vec<T> {
    let value = |i: u32| ((i.wrapping_mul(2_654_435_761) >> 13) % 15) as i8 - 7;
    (0..len as u32).map(|i| T::from(value(i))).collect()
}

fn bits<T: Bits>(len: usize, word: impl Fn(u64) -> T) -> Vec<T> {
    (0..len as u64).map(|i| word((i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29))).collect()
}

/// By the estimate alone: a measurement would build the kernels of other candidates too.
fn spectral(device: &Device) -> Spectral {
    Spectral::with_machine(device, device.machine())
}

fn passes(plan: &WalshPlan) -> usize {
    match plan {
        WalshPlan::Device(plan) => plan.passes.len(),
        _ => 0,
    }
}

/// What `work` makes of `x` on a device, by a plan or by the chosen one; on the host the same.
fn equal<T: Word + PartialEq>(
    device: &Device,
    x: &[T],
    name: &str,
    plan: Option<&WalshPlan>,
    work: impl Fn(&Spectral, &mut Buffer<T>, Option<&WalshPlan>),
) {
    let result = |device: &Device, plan| {
        let mut buffer = device.upload(x).unwrap();
        work(&spectral(device), &mut buffer, plan);
        buffer.download().unwrap()
    };
    let plan_name = plan.map_or(String::new(), ToString::to_string);
    let (found, expected) = (result(device, plan), result(&Device::host(), None));
    assert!(found == expected, "{device:?}: {name} of {} {:?}, {plan_name}", x.len(), T::TYPE);
}

const LENGTHS: [u32; 4] = [6, 10, 14, 18];

/// The best estimate of a choice, and the first candidate of each number of passes that was not seen before: which
/// numbers the best ones have is the machine's.
fn some_plans(choice: &Choice<WalshPlan>, seen: &mut BTreeSet<usize>) -> Vec<WalshPlan> {
    let mut plans: Vec<WalshPlan> = Vec::new();
    for candidate in choice.candidates() {
        let plan = &candidate.parameters;
        if seen.insert(passes(plan)) || plans.is_empty() {
            plans.push(plan.clone());
        }
    }
    plans
}

fn walsh_of<T: Scalar + From<i8>>(device: &Device, order: Order, algorithm: Algorithm) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    for log_len in LENGTHS {
        let (x, how) = (values::<T>(2 << log_len), Walsh::new().order(order).algorithm(algorithm).batch(1 << log_len));
        let choice = spectral(device).explain_walsh::<T>(x.len(), &how).unwrap();
        for plan in some_plans(&choice, &mut seen) {
            for how in [how.clone(), how.clone().inverse().wrapping()] {
                equal(device, &x, &format!("{how:?}"), Some(&plan), |spectral, x, plan| {
                    spectral.walsh(x, &plan.map_or(how.clone(), |plan| how.clone().by(plan))).unwrap();
                });
            }
        }
    }
    seen
}

fn all(seen: &BTreeSet<usize>, wanted: impl IntoIterator<Item = usize>, what: &str) {
    assert!(wanted.into_iter().all(|passes| seen.contains(&passes)), "{what}: passes {seen:?}");
}

#[test]
fn walsh_transforms_equal_the_host() {
    for device in limited_devices() {
        all(&walsh_of::<i32>(&device, Order::Hadamard, Algorithm::CooleyTukey), 1..=4, "i32");
        all(&walsh_of::<i64>(&device, Order::Hadamard, Algorithm::CooleyTukey), 1..=4, "i64");
        // A permutation or the steps of the constant geometry come to it.
        for order in [Order::Sequency, Order::Dyadic] {
            let seen = walsh_of::<i32>(&device, order, Algorithm::CooleyTukey);
            assert!(seen.len() >= 3 && seen.iter().any(|&passes| passes >= 4), "{order:?}: passes {seen:?}");
        }
        all(&walsh_of::<f32>(&device, Order::Hadamard, Algorithm::CooleyTukey), 1..=4, "f32");
        if device.info().fp64 {
            all(&walsh_of::<f64>(&device, Order::Hadamard, Algorithm::CooleyTukey), 1..=4, "f64");
        }
        let steps = walsh_of::<i32>(&device, Order::Dyadic, Algorithm::ConstantGeometry);
        assert!(steps.len() >= 3 && steps.iter().any(|&steps| steps >= 4), "{steps:?}");
    }
}

#[test]
fn arithmetic_and_reed_muller_transforms_equal_the_host() {
    for device in limited_devices() {
        let (mut of_numbers, mut of_bits, mut of_packed) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for log_len in LENGTHS {
            for order in BitOrder::ALL {
                let polarity = 0x2d_5a93 & ((1 << log_len) - 1);
                let how = Arithmetic::new().order(order).polarity(polarity).batch(1 << log_len);
                let x = values::<i32>(2 << log_len);
                let choice = spectral(&device).explain_arithmetic::<i32>(x.len(), &how).unwrap();
                for plan in some_plans(&choice, &mut of_numbers) {
                    for how in [how.clone(), how.clone().inverse()] {
                        equal(&device, &x, &format!("{how:?}"), Some(&plan), |spectral, x, plan| {
                            spectral.arithmetic(x, &plan.map_or(how.clone(), |plan| how.clone().by(plan))).unwrap();
                        });
                    }
                }

                let how = ReedMuller::new().order(order).polarity(polarity).batch(1 << log_len);
                let x = bits(2 << log_len, |word| (word & 1) as i32);
                let choice = spectral(&device).explain_reed_muller::<i32>(x.len(), &how).unwrap();
                for plan in some_plans(&choice, &mut of_bits) {
                    equal(&device, &x, &format!("{how:?}"), Some(&plan), |spectral, x, plan| {
                        spectral.reed_muller(x, &plan.map_or(how.clone(), |plan| how.clone().by(plan))).unwrap();
                    });
                }
            }
            // Packed functions of six variables more: runs of as many words.
            let (x, how, variables) = (bits(2 << log_len, |word| word), ReedMuller::new(), log_len + 6);
            let choice = spectral(&device).explain_reed_muller_packed(x.len(), variables, &how).unwrap();
            for plan in some_plans(&choice, &mut of_packed) {
                equal(&device, &x, "packed Reed-Muller", Some(&plan), |spectral, x, plan| {
                    let how = plan.map_or(how.clone(), |plan| how.clone().by(plan));
                    spectral.reed_muller_packed(x, variables, &how).unwrap();
                });
            }
        }
        all(&of_numbers, 1..=4, "arithmetic");
        all(&of_bits, 1..=4, "bits");
        all(&of_packed, 1..=4, "packed");
    }
}

#[test]
fn haar_transforms_equal_the_host() {
    for device in limited_devices() {
        for order in HaarOrder::ALL {
            let mut seen = BTreeSet::new();
            for log_len in [5, 9, 18] {
                let (x, how) = (values::<i32>(2 << log_len), Haar::new().order(order).batch(1 << log_len));
                let choice = spectral(&device).explain_haar::<i32>(x.len(), &how).unwrap();
                seen.insert(choice.best().parameters.levels(log_len).len());
                for how in [how.clone(), how.inverse().wrapping()] {
                    equal(&device, &x, &format!("{how:?}"), None, |spectral, x, _| spectral.haar(x, &how).unwrap());
                }
            }
            // The smallest tile has eight levels.
            all(&seen, 1..=3, &format!("{order:?}"));
        }
    }
}
