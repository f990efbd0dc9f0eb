//! Choices that are refined by measurements: what is compared gives the same bits, and what was found is kept and told.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use manycore_device::{CACHE_VARIABLE, Device, DeviceKind};
use manycore_model::{Candidate, Choice, Refinement};
use manycore_spectral::{Algorithm, Spectral, Walsh, WalshPlan};
use manycore_testkit::{devices, opencl_devices, simulated};

/// The variable that makes [`child`] act.
const ROLE: &str = "MANYCORE_REFINED_TEST_ROLE";

/// Values whose sums round.
fn values(len: usize) -> Vec<f32> {
    (0..len as u32).map(|i| (i.wrapping_mul(2_654_435_761) as f32).sqrt() - 30_000.3).collect()
}

/// Butterflies of `x`'s index bits in the order given.
fn in_order(x: &[f32], order: &[u32]) -> Vec<u32> {
    let mut y = x.to_vec();
    for bit in order {
        for a in (0..y.len()).filter(|a| a >> bit & 1 == 0) {
            let b = a | 1 << bit;
            (y[a], y[b]) = (y[a] + y[b], y[a] - y[b]);
        }
    }
    bits(&y)
}

fn bits(y: &[f32]) -> Vec<u32> {
    y.iter().map(|v| v.to_bits()).collect()
}

fn predicted(device: &Device) -> Spectral {
    Spectral::with_machine(device, device.machine())
}

/// Of floating-point numbers those ways are compared that give the same bits: the order of the stages tells which, so it has
/// to be that of the kernels.
#[test]
fn the_order_of_the_stages_tells_every_bit() {
    for device in opencl_devices() {
        // A simulator takes the short one: a tile of 2^12 values, all rounds of it. A CPU compiles a second for each kernel.
        let lens: &[u32] = match device.info().kind {
            _ if simulated(&device) => &[7],
            DeviceKind::Gpu => &[1, 5, 12, 13, 15, 16, 18, 20],
            _ => &[3, 14],
        };
        for &log_len in lens {
            let spectral = predicted(&device);
            let x = values(1 << log_len);
            let choice = spectral.explain_walsh::<f32>(x.len(), &Walsh::new()).unwrap();
            // One of each order, and on a CPU two of them at most.
            let mut orders: Vec<Vec<u32>> = Vec::new();
            for candidate in choice.candidates() {
                let WalshPlan::Device(plan) = &candidate.parameters else { panic!("{choice}") };
                let order = plan.stage_order(manycore_device::WordType::F32);
                let mut sorted = order.clone();
                sorted.sort_unstable();
                assert!(sorted.into_iter().eq(0..log_len), "{plan}: {order:?}");
                let seen = orders.contains(&order) || device.info().kind != DeviceKind::Gpu && orders.len() == 2;
                if seen {
                    continue;
                }
                let expected = in_order(&x, &order);
                let y = spectral.walsh_of(&x, &Walsh::new().by(&candidate.parameters)).unwrap();
                assert!(bits(&y) == expected, "{device:?} {plan}: {order:?}");
                orders.push(order);
            }
            if log_len >= 14 {
                assert!(orders.len() > 1, "{choice}");
                assert_ne!(in_order(&x, &orders[0]), in_order(&x, &orders[1]), "the order matters");
            }
        }
    }
}

/// Blocks of every size add in the same order on the host.
#[test]
fn blocks_of_the_host_give_the_same_bits() {
    let ascending: Vec<u32> = (0..20).collect();
    let x = values(1 << 20);
    for device in [Device::host(), Device::host_with(1).unwrap()] {
        let spectral = predicted(&device);
        for log_len in [18, 20] {
            let x = &x[..1 << log_len];
            let choice = spectral.explain_walsh::<f32>(x.len(), &Walsh::new()).unwrap();
            assert!(choice.candidates().len() > 2, "{choice}");
            let expected = in_order(x, &ascending[..log_len]);
            for candidate in choice.candidates() {
                let y = spectral.walsh_of(x, &Walsh::new().by(&candidate.parameters)).unwrap();
                assert!(bits(&y) == expected, "{device:?} {}", candidate.parameters);
            }
        }
    }
}

/// One test measures at a time: while another thread does, a choice is the model's.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn figures(choice: &Choice<WalshPlan>) -> Vec<(String, Option<f64>)> {
    choice.candidates().iter().map(|c| (c.parameters.to_string(), c.measured_seconds)).collect()
}

/// Two candidates, of a size with several.
const TWO: Refinement = Refinement { factor: 1e9, most: 2, seconds: 10.0 };

fn length(device: &Device) -> usize {
    if device.info().kind == DeviceKind::Host { 1 << 18 } else { 1 << 14 }
}

#[test]
fn a_refined_choice_is_kept_and_told() {
    let _turn = turn();
    for device in devices().into_iter().filter(|device| !simulated(device)) {
        let len = length(&device);
        let refined = predicted(&device).measuring(TWO);
        assert_eq!(refined.refinement(), Some(TWO));
        let first = refined.explain_walsh::<i32>(len, &Walsh::new()).unwrap();
        assert_eq!(first.measured(), 2, "{first}");
        let best = first.best();
        assert!(best.measured_seconds.unwrap() > 0.0 && best.prediction.seconds > 0.0, "{first}");
        let text = first.to_string();
        assert!(text.contains("the fastest of 2 measured") && text.contains("predicted"), "{text}");
        let other = &first.candidates()[1];
        // The fastest leads, unless a better predicted one is as fast as measurements can tell.
        let [least, most] = [f64::min, f64::max].map(|of| of(best.seconds(), other.seconds()));
        let alike = most <= 1.03 * least;
        let key = |c: &Candidate<WalshPlan>| if alike { c.prediction.seconds } else { c.seconds() };
        assert!(key(best) <= key(other), "{first}");

        // The same numbers again: it is not measured anew, nor for the transform.
        let again = refined.explain_walsh::<i32>(len, &Walsh::new()).unwrap();
        assert_eq!(figures(&again), figures(&first));
        let x: Vec<i32> = (0..len as i32).map(|i| i % 1001 - 500).collect();
        let y = refined.walsh_of(&x, &Walsh::new()).unwrap();
        assert_eq!(y, predicted(&device).walsh_of(&x, &Walsh::new()).unwrap());
        let back = refined.walsh_of(&y, &Walsh::new().inverse()).unwrap();
        assert_eq!(back, x);
        assert_eq!(figures(&refined.explain_walsh::<i32>(len, &Walsh::new()).unwrap()), figures(&first));

        // By the model alone.
        let unrefined = refined.measuring(None).explain_walsh::<i32>(len, &Walsh::new()).unwrap();
        assert_eq!(unrefined.measured(), 0, "{unrefined}");
    }
}

/// Shapes of as many arrays but for a factor below two share a measurement, and its seconds are scaled.
#[test]
fn neighbouring_batches_share_a_measurement() {
    let _turn = turn();
    let device = Device::host();
    let refined = predicted(&device).measuring(TWO);
    let how = Walsh::new().batch(1 << 18);
    let of = |count: usize| refined.explain_walsh::<f32>(count << 18, &how).unwrap();
    let (two, three) = (of(2), of(3));
    assert!(two.measured() > 0 && three.measured() == two.measured(), "{two}{three}");
    for (plan, seconds) in figures(&two) {
        let of_three = figures(&three).into_iter().find(|(other, _)| *other == plan).and_then(|(_, seconds)| seconds);
        let ratio = seconds.zip(of_three).map(|(two, three)| three / two);
        assert!(ratio.is_none_or(|ratio| (ratio - 1.5).abs() < 1e-9), "{two}{three}");
        assert_eq!(seconds.is_some(), of_three.is_some(), "{two}{three}");
    }
}

#[test]
fn contexts_of_a_device_measure_where_compilers_are_a_lottery() {
    for device in devices() {
        let expected = device.info().kind == DeviceKind::Cpu && !simulated(&device);
        assert_eq!(Spectral::usual_refinement(&device).is_some(), expected, "{device:?}");
        assert_eq!(Spectral::new(&device).refinement().is_some(), expected, "{device:?}");
        assert_eq!(predicted(&device).refinement(), None);
    }
}

/// Prints what is measured of every device, in a process of its own; nothing in the parent.
#[test]
fn child() {
    if std::env::var(ROLE).is_err() {
        return;
    }
    for device in devices().into_iter().filter(|device| !simulated(device)) {
        let refined = Spectral::new(&device).measuring(TWO);
        let choice = refined.explain_walsh::<f32>(length(&device), &Walsh::new()).unwrap();
        assert_eq!(choice.measured(), 2, "{choice}");
        println!("found {} {:?}", device.info().id, figures(&choice));
        let geometry = Walsh::new().algorithm(Algorithm::CooleyTukey).batch(length(&device));
        assert_eq!(figures(&refined.explain_walsh::<f32>(length(&device), &geometry).unwrap()), figures(&choice));
    }
}

fn found(folder: &Path) -> Vec<String> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--nocapture"]).env(CACHE_VARIABLE, folder).env(ROLE, "explain");
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text.lines().filter(|line| line.starts_with("found")).map(str::to_owned).collect()
}

/// The files of measured choices in a cache folder, which holds self-tests as well.
fn choices(folder: &Path) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("choices-"))).collect()
}

#[test]
fn what_was_measured_is_kept_for_later_processes() {
    let folder = std::env::temp_dir().join(format!("manycore-refined-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let first = found(&folder);
    assert!(!first.is_empty());
    // Times to the last digit: nothing was measured again.
    assert_eq!(found(&folder), first);
    let kept = choices(&folder);
    assert_eq!(kept.len(), first.len(), "a file for each device");
    for path in kept {
        std::fs::write(path, "damaged").unwrap();
    }
    assert_ne!(found(&folder), first, "measured anew");
    // A folder that cannot be had costs a measurement, no more.
    let file = folder.join("file");
    std::fs::write(&file, "in the way").unwrap();
    assert_eq!(found(&file).len(), first.len());
    std::fs::remove_dir_all(&folder).unwrap();
}
