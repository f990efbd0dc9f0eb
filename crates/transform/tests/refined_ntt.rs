//! Number-theoretic transforms whose choices are refined, and whose prices are corrected, by measurements.

#![allow(clippy::float_cmp)] // a number known is the same to the last digit

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use manycore_device::{CACHE_VARIABLE, Device, DeviceKind, Executor};
use manycore_field::PrimeField;
use manycore_model::{Choice, Refinement};
use manycore_testkit::{devices, simulated};
use manycore_transform::ntt::cost::{Plan, Slowdowns};
use manycore_transform::{Kind, Ntt};

/// The variable that makes [`child`] act.
const ROLE: &str = "MANYCORE_REFINED_NTT_TEST_ROLE";

/// A length with a few candidates on every OpenCL device, one kernel each on CPUs, which take a second for each.
const LEN: usize = 1 << 10;
const TWO: Refinement = Refinement { factor: 1e9, most: 2, seconds: 10.0 };

fn field() -> PrimeField<u32> {
    PrimeField::new(469_762_049).unwrap()
}

fn predicted(device: &Device) -> Ntt {
    Ntt::with_machine(device, device.machine(), &field(), LEN, Kind::Cyclic).unwrap()
}

/// Devices whose compilers are a lottery.
fn corrects(device: &Device) -> bool {
    device.info().kind == DeviceKind::Cpu && !simulated(device)
}

/// Devices with candidates, and times that say something.
fn measurable() -> Vec<Device> {
    let suits = |device: &Device| !simulated(device) && matches!(device.executor(), Executor::OpenCl(_));
    devices().into_iter().filter(suits).collect()
}

/// One test measures at a time: while another thread does, a choice is the model's.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn figures(choice: &Choice<Plan>) -> Vec<(String, Option<f64>)> {
    choice.candidates().iter().map(|c| (c.parameters.to_string(), c.measured_seconds)).collect()
}

fn round_trip(ntt: &Ntt, x: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut buffer = ntt.device().upload(x).unwrap();
    ntt.forward(&mut buffer).unwrap();
    let spectrum = buffer.download().unwrap();
    ntt.inverse(&mut buffer).unwrap();
    (spectrum, buffer.download().unwrap())
}

#[test]
fn a_refined_choice_is_kept_and_told() {
    let _turn = turn();
    for device in measurable() {
        let refined = predicted(&device).measuring(TWO);
        assert_eq!(refined.refinement(), Some(TWO));
        let first = refined.explain(4 * LEN).unwrap();
        assert_eq!(first.measured(), 2, "{first}");
        let measured = |choice: &Choice<Plan>| -> Vec<(String, f64)> {
            let found =
                choice.candidates().iter().filter_map(|c| Some((c.parameters.to_string(), c.measured_seconds?)));
            found.collect()
        };
        // The fastest leads, or one as fast as measurements can tell.
        let seconds: Vec<f64> = measured(&first).into_iter().map(|(_, seconds)| seconds).collect();
        assert!(0.0 < seconds[1] && 0.0 < seconds[0] && seconds[0] <= 1.03 * seconds[1], "{first}");
        let text = first.to_string();
        assert!(text.contains("the fastest of 2 measured"), "{text}");

        // The same numbers again: it is not measured anew, nor for the transform, whose values are those of any way.
        let x: Vec<u32> = (0..4 * LEN as u32).map(|i| i.wrapping_mul(2_654_435_761) % 469_762_049).collect();
        let (spectrum, back) = round_trip(&refined, &x);
        assert_eq!(back, x);
        assert_eq!(spectrum, round_trip(&predicted(&Device::host()), &x).0);
        assert_eq!(figures(&refined.explain(4 * LEN).unwrap()), figures(&first));
        // As many arrays but for a factor below two share the measurement; its seconds are scaled.
        let more = refined.explain(6 * LEN).unwrap();
        let (few, many) = (measured(&first), measured(&more));
        assert_eq!(many.len(), few.len());
        for (plan, seconds) in few {
            let (_, scaled) = many.iter().find(|(other, _)| *other == plan).unwrap();
            assert!((scaled / seconds - 1.5).abs() < 1e-9, "{first}{more}");
        }
        // No transform is nothing to measure.
        assert_eq!(refined.explain(0).map_or(0, |none| none.measured()), 0);

        let unrefined = refined.measuring(None).explain(4 * LEN).unwrap();
        assert_eq!(unrefined.measured(), 0, "{unrefined}");
    }
}

/// Every candidate of a length is a plan of its own.
#[test]
fn candidates_differ() {
    for device in devices() {
        for len in [1 << 4, LEN, 1 << 14] {
            let ntt = Ntt::with_machine(&device, device.machine(), &field(), len, Kind::Cyclic).unwrap();
            let mut texts: Vec<String> =
                figures(&ntt.explain(len).unwrap()).into_iter().map(|(text, _)| text).collect();
            let all = texts.len();
            texts.sort_unstable();
            texts.dedup();
            assert_eq!(texts.len(), all, "{device:?} {len}");
        }
    }
}

#[test]
fn prices_are_corrected_where_compilers_are_a_lottery() {
    let _turn = turn();
    for device in devices() {
        let usual = predicted(&device);
        assert_eq!((usual.slowdowns(), usual.refinement()), (Slowdowns::default(), None), "{device:?}");
        let corrected = predicted(&device).corrected();
        let slowdowns = corrected.slowdowns();
        let (before, after) = (usual.explain(LEN).unwrap(), corrected.explain(LEN).unwrap());
        assert_eq!(after.measured(), 0, "a price, no candidates: {after}");
        if !corrects(&device) {
            assert_eq!(slowdowns, Slowdowns::default(), "{device:?}");
            assert_eq!(figures(&before), figures(&after));
            assert_eq!(before.best().prediction, after.best().prediction, "{device:?}");
            continue;
        }
        // It is 1 where something else is predicted to take longer than was measured; else not to the last digit.
        let of_best = after.best().parameters.passes.iter().map(|pass| slowdowns.of(pass));
        let of_best = of_best.collect::<Vec<f64>>();
        assert!(slowdowns.least() > 0.0, "{device:?}: {slowdowns:?}");
        let told = after.to_string().contains("times what the machine's rates say, measured: ntt_");
        assert_eq!(told, of_best.iter().any(|&slowdown| slowdown != 1.0), "{after}");
        assert!(!before.to_string().contains("machine's rates"), "{before}");
        for candidate in before.candidates() {
            let same = |other: &&manycore_model::Candidate<Plan>| other.parameters == candidate.parameters;
            let other = after.candidates().iter().find(same).unwrap();
            let kernels = candidate.prediction.kernels.iter().zip(&other.prediction.kernels);
            for ((a, b), pass) in kernels.zip(&candidate.parameters.passes) {
                let slowdown = slowdowns.of(pass);
                assert!((b.arithmetic / a.arithmetic / slowdown - 1.0).abs() < 1e-12, "{before}{after}");
                assert_eq!((a.memory, a.local, a.launch), (b.memory, b.local, b.launch));
            }
        }
        // Measured once: the next context has the same.
        assert_eq!(predicted(&device).corrected().slowdowns(), slowdowns);
    }
}

#[test]
fn contexts_of_a_device_refine_and_correct_as_usual() {
    let _turn = turn();
    for device in devices() {
        let expected = Ntt::<PrimeField<u32>>::usual_refinement(&device);
        assert_eq!(expected.is_some(), corrects(&device), "{device:?}");
        let ntt = Ntt::new(&device, &field(), LEN, Kind::Cyclic).unwrap();
        assert_eq!(ntt.refinement(), expected);
        assert_eq!(ntt.slowdowns(), predicted(&device).corrected().slowdowns(), "{device:?}");
    }
}

/// Prints what is measured of every device, in a process of its own; nothing in the parent.
#[test]
fn child() {
    if std::env::var(ROLE).is_err() {
        return;
    }
    for device in measurable().into_iter().filter(corrects) {
        let ntt = Ntt::new(&device, &field(), LEN, Kind::Cyclic).unwrap().measuring(TWO);
        let choice = ntt.explain(LEN).unwrap();
        assert_eq!(choice.measured(), 2, "{choice}");
        // As text, numbers may lose their last digit.
        let seconds = choice.candidates().iter().filter_map(|c| Some(format!("{:.9e}", c.measured_seconds?)));
        let seconds = seconds.collect::<Vec<_>>().join(", ");
        println!("found {} {:.9} {seconds}", device.info().id, ntt.slowdowns().least());
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
    let folder = std::env::temp_dir().join(format!("manycore-refined-ntt-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let first = found(&folder);
    assert_eq!(first.len(), devices().iter().filter(|device| corrects(device)).count());
    // To nine digits: neither the price nor a candidate was measured again.
    assert_eq!(found(&folder), first);
    let files = choices(&folder);
    assert_eq!(files.len(), first.len(), "a file for each device");
    for path in files {
        let kept = std::fs::read_to_string(&path).unwrap();
        assert!(kept.contains("standard pass") && kept.contains("Refinement"), "a price and a choice: {kept}");
        std::fs::write(path, "damaged").unwrap();
    }
    if !first.is_empty() {
        assert_ne!(found(&folder), first, "measured anew");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
