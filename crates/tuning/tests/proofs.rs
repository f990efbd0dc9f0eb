//! When plans are proved and what follows, mostly in processes of their own, since the folder of what is kept is told by a variable.

use std::cell::Cell;
use std::path::Path;
use std::process::Command;

use manycore_device::{CACHE_VARIABLE, Device, DeviceError, Disproof, SELF_TEST_VARIABLE, SelfTestMode, TuningMode};
use manycore_model::{Blocks, DoesNotFit, Kernel, Machine, Program};
use manycore_testkit::opencl_devices;
use manycore_tuning::{Costed, NoChoice, Operation, Planner, Plans, Proof, proof};

/// Tells a process which plans are wrong, and which device it uses.
const WRONG: &str = "MANYCORE_TEST_WRONG";
const DEVICE: &str = "MANYCORE_TEST_DEVICE_OF_PROOFS";

/// Plans 0, 1 and 2 of ascending costs, of which some give wrong results.
struct Sums {
    wrong: Vec<usize>,
    /// Plans whose wrong results do not come again.
    once: Option<usize>,
    revision: u64,
    proofs: Cell<usize>,
}

impl Costed for Sums {
    type Size = usize;
    type Parameters = usize;

    fn name(&self) -> &'static str {
        "sums"
    }

    fn candidates(&self, _: &usize, _: &Machine) -> Vec<usize> {
        vec![0, 1, 2]
    }

    fn program(&self, _: &usize, &plan: &usize, _: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        program.queue(Kernel::new("k", 1).blocks(Blocks::even(1, 1, 1000 << plan, 0, 0)).fused())?;
        Ok(program)
    }
}

#[derive(Debug)]
enum Error {
    None,
    Device(DeviceError),
}

impl From<NoChoice> for Error {
    fn from(_: NoChoice) -> Self {
        Self::None
    }
}

impl From<DeviceError> for Error {
    fn from(error: DeviceError) -> Self {
        Self::Device(error)
    }
}

impl Operation for &Sums {
    type Costs = Sums;
    type Trial = ();
    type Error = Error;

    fn revision(&self) -> u64 {
        self.revision
    }

    fn costs(&self) -> &Sums {
        self
    }

    fn family(&self, _: &usize) -> String {
        "sums".to_owned()
    }

    fn sizes(&self, &n: &usize) -> Vec<usize> {
        vec![n]
    }

    fn is_empty(&self, &n: &usize) -> bool {
        n == 0
    }

    fn trial(&self, _: &usize) -> Result<(), Error> {
        Ok(())
    }

    fn try_plan(&self, _: &usize, (): &mut (), _: &usize) -> Result<(), Error> {
        Ok(())
    }

    fn proof(&self, &n: &usize, plan: &usize) -> Result<Proof, Error> {
        self.proofs.set(self.proofs.get() + 1);
        match n {
            33 => return Err(Error::None),
            34 => panic!("a proof of 34"),
            1000.. => return Ok(Proof::TooLarge),
            _ => {}
        }
        let is_first = self.proofs.get() == 1;
        let is_wrong = self.wrong.contains(plan) || self.once == Some(*plan) && is_first;
        Ok(Proof::of_values(&u32::from(is_wrong), &0))
    }
}

/// What is taken of a shape: the plan, what is known of it, those left out, and the proofs that it took.
fn taken(planner: &Planner, sums: &Sums, n: usize) -> String {
    let before = sums.proofs.get();
    let told = match planner.ask(sums, n).choice() {
        Ok(choice) => {
            let without: Vec<usize> = choice.disproved.iter().map(|(plan, _)| *plan).collect();
            let explained = planner.choice(&sums, &n).unwrap();
            assert_eq!((explained.best(), explained.proof()), (choice.best(), choice.proof()), "explained alike");
            format!("{} {:?} without {without:?}", choice.best().parameters, choice.proof())
        }
        Err(Error::Device(DeviceError::Disproved(disproof))) => {
            let Disproof { operation, plan, device, driver, difference } = *disproof;
            assert!(device.starts_with("opencl:") && !driver.is_empty());
            format!("no plan of {operation}: {plan}: {difference}")
        }
        Err(error) => panic!("{error:?}"),
    };
    format!("{told}, proofs {}", sums.proofs.get() - before)
}

#[test]
#[ignore = "started by the tests below, as a process"]
fn process() {
    let Ok(wrong) = std::env::var(WRONG) else { return };
    let device = Device::select(&std::env::var(DEVICE).unwrap()).unwrap();
    let planner = Planner::new(&device);
    let sums = |revision: u64| Sums {
        wrong: wrong.chars().filter_map(|digit| digit.to_digit(10)).map(|plan| plan as usize).collect(),
        once: wrong.contains("once").then_some(0),
        revision,
        proofs: Cell::new(0),
    };
    let of_seven = sums(7);
    // 5 and 8 have one key, 0 is empty, 33 fails to run, 1000 is too large.
    for n in [5, 8, 9, 0, 33, 1000] {
        println!("told: {}", taken(&planner, &of_seven, n));
    }
    println!("told: {}", taken(&planner, &sums(8), 5));
    if wrong.is_empty() {
        // Off, on the host, and by work through plans: each shape asks once.
        for device in [device.with_proofs(SelfTestMode::Off), Device::host()] {
            assert_eq!(taken(&Planner::new(&device), &sums(9), 5), "0 None without [], proofs 0");
        }
        // By the estimate alone: on a GPU another plan would get its turn.
        let planner = Planner::new(&device.with_tuning(TuningMode::Estimate));
        let (plans, sums) = (Plans::<usize, usize>::default(), sums(9));
        for _ in 0..3 {
            let ask = |&n: &usize| Ok(planner.ask(&sums, n));
            assert_eq!(plans.run(&device, 5, ask, |&plan| Ok::<_, Error>(plan)).unwrap(), 0);
        }
        assert_eq!(sums.proofs.get(), 1);
    }
}

/// What a process with these wrong plans tells.
fn told(device: &Device, folder: &Path, wrong: &str, mode: &str) -> Vec<String> {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "process", "--ignored", "--nocapture"])
        .env(CACHE_VARIABLE, folder)
        .env(SELF_TEST_VARIABLE, mode)
        .env(WRONG, wrong)
        .env(DEVICE, &device.info().id)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    text.lines().filter_map(|line| Some(line.split_once("told: ")?.1.to_owned())).collect()
}

#[test]
fn a_plan_is_proved_once_and_kept_for_its_revision() {
    for device in opencl_devices() {
        let folder = tempfile::tempdir().unwrap();
        let holds = |proofs: usize| format!("0 Some(Holds) without [], proofs {proofs}");
        let others =
            ["0 None without [], proofs 0", "0 None without [], proofs 1", "0 Some(TooLarge) without [], proofs 1"];
        let expected = |first: usize, revision: usize| -> Vec<String> {
            let of_seven = [first, 0, first].map(holds);
            of_seven.into_iter().chain(others.map(str::to_owned)).chain([holds(revision)]).collect()
        };
        assert_eq!(told(&device, folder.path(), "", "auto"), expected(1, 1), "{device:?}");
        // The last revision is what is kept of a key.
        let again = told(&device, folder.path(), "", "auto");
        assert_eq!(again[2..], expected(0, 1)[2..], "{device:?}");
        assert_eq!(told(&device, folder.path(), "", "always"), expected(1, 1), "{device:?}");
        let off = told(&device, folder.path(), "01", "off");
        assert!(off.iter().all(|told| told == "0 None without [], proofs 0"), "{device:?}: {off:?}");
    }
}

#[test]
fn wrong_plans_give_way_to_the_next_best() {
    for device in opencl_devices() {
        let folder = tempfile::tempdir().unwrap();
        // Each wrong result is looked at twice.
        let first = told(&device, folder.path(), "01", "auto");
        assert_eq!(first[0], "2 Some(Holds) without [0, 1], proofs 5", "{device:?}");
        assert_eq!(first[1], "2 Some(Holds) without [0, 1], proofs 0", "{device:?}");
        // Another process knows, whatever the driver does now.
        assert_eq!(told(&device, folder.path(), "", "auto")[2], "2 Some(Holds) without [0, 1], proofs 0", "{device:?}");
        assert_eq!(told(&device, folder.path(), "", "always")[2], "0 Some(Holds) without [], proofs 1", "{device:?}");
    }
}

#[test]
fn without_a_right_plan_there_is_an_error() {
    for device in opencl_devices() {
        let folder = tempfile::tempdir().unwrap();
        let first = told(&device, folder.path(), "012", "auto");
        assert_eq!(first[0], "no plan of sums: 0: 1, not 0, proofs 6", "{device:?}");
        assert_eq!(first[1], "no plan of sums: 0: 1, not 0, proofs 0", "{device:?}");
    }
}

#[test]
fn a_fault_of_a_moment_counts_for_the_process() {
    for device in opencl_devices() {
        let folder = tempfile::tempdir().unwrap();
        let first = told(&device, folder.path(), "once", "auto");
        assert_eq!(first[0], "1 Some(Holds) without [0], proofs 3", "{device:?}");
        assert_eq!(told(&device, folder.path(), "", "auto")[0], "0 Some(Holds) without [], proofs 1", "{device:?}");
    }
}

#[test]
fn every_plan_is_proved_where_that_is_asked_for() {
    let sums = &Sums { wrong: vec![1], once: None, revision: 7, proofs: Cell::new(0) };
    let planner = Planner::new(&Device::host().with_tuning(TuningMode::Estimate));
    let proofs = |n: usize| {
        let (choice, proved) = proof::every(|| planner.choice(&sums, &n));
        assert_eq!(choice.unwrap().best().parameters, 0);
        assert!(proved.iter().enumerate().all(|(i, one)| one.operation == "sums" && one.plan == i.to_string()));
        proved.into_iter().map(|one| one.proof).collect::<Vec<_>>()
    };
    let differs = Proof::Differs("1, not 0".to_owned());
    assert_eq!(proofs(5), [Ok(Proof::Holds), Ok(differs), Ok(Proof::Holds)]);
    assert_eq!(proofs(1000), [(); 3].map(|()| Ok(Proof::TooLarge)));
    assert_eq!(proofs(33), [(); 3].map(|()| Err("None".to_owned())));
    assert_eq!(proofs(34), [(); 3].map(|()| Err("panicked".to_owned())));
    assert_eq!(proofs(0), []);
    let before = sums.proofs.get();
    assert!(planner.choice(&sums, &5).is_ok() && sums.proofs.get() == before, "nobody asks");
}
