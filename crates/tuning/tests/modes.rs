//! Modes of the planner, in processes of their own, since the folder of what is kept is told by a variable.

// The hash of sources as the macro of the crate `revision` takes it.
#[path = "../../revision/src/tree.rs"]
mod tree;

use std::cell::Cell;
use std::error::Error;
use std::fmt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use manycore_device::{CACHE_VARIABLE, Device};
use manycore_model::{Blocks, DoesNotFit, Kernel, Machine, Program};
use manycore_tuning::{Costed, Operation, Planner, Proof, export};

/// Candidates with counted operations, of which the estimate prefers the first and the clock the second.
struct Misjudged {
    /// Whether the second gives the bits of the first.
    same_bits: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Named(&'static str);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Costed for Misjudged {
    type Size = ();
    type Parameters = Named;

    fn name(&self) -> &'static str {
        "misjudged"
    }

    fn candidates(&self, (): &(), _: &Machine) -> Vec<Named> {
        vec![Named("slow"), Named("quick"), Named("broken")]
    }

    fn program(&self, (): &(), named: &Named, _: &Machine) -> Result<Program, DoesNotFit> {
        let operations = if named.0 == "slow" { 1_000_000 } else { 2_000_000 };
        let mut program = Program::new();
        program.queue(Kernel::new("k", 1).blocks(Blocks::even(1, 1, operations, 0, 0)))?;
        Ok(program)
    }

    fn gives_same_bits(&self, (): &(), _: &Named, other: &Named) -> bool {
        self.same_bits || other.0 == "slow"
    }
}

/// Arrays side by side of the same operation, by code of a revision, with the number of runs.
struct Task<'a> {
    costs: &'a Misjudged,
    revision: u64,
    count: usize,
    runs: Cell<usize>,
}

impl Operation for Task<'_> {
    type Costs = Misjudged;
    type Trial = ();
    type Error = Box<dyn Error>;

    fn revision(&self) -> u64 {
        self.revision
    }

    fn costs(&self) -> &Misjudged {
        self.costs
    }

    fn family(&self, (): &()) -> String {
        "misjudged".into()
    }

    fn sizes(&self, (): &()) -> Vec<usize> {
        vec![4]
    }

    fn arrays(&self, (): &()) -> usize {
        self.count
    }

    fn trial(&self, (): &()) -> Result<(), Box<dyn Error>> {
        assert_eq!(self.runs.get(), 0, "data is made once");
        Ok(())
    }

    fn try_plan(&self, (): &(), (): &mut (), named: &Named) -> Result<(), Box<dyn Error>> {
        self.runs.set(self.runs.get() + 1);
        match named.0 {
            "broken" => return Err("broken".into()),
            "slow" => std::thread::sleep(Duration::from_millis(5)),
            _ => {}
        }
        Ok(())
    }

    fn proof(&self, (): &(), _: &Named) -> Result<Proof, Box<dyn Error>> {
        Ok(Proof::Holds)
    }
}

/// What a planner chooses: the candidate, the origin, and whether it took runs.
fn chosen(planner: &Planner, costs: &Misjudged, revision: u64, count: usize) -> String {
    let task = Task { costs, revision, count, runs: Cell::new(0) };
    let choice = planner.choice(&task, &()).unwrap();
    let (cost, runs) = (choice.tuning_cost().candidates, task.runs.get());
    format!("{} {:?} runs:{} cost:{cost}", choice.best().parameters, choice.origin(), runs > 0)
}

fn is_child() -> bool {
    std::env::var_os("MANYCORE_TEST_CHILD").is_some()
}

/// Runs one of the tests below as a child, with this folder and mode; what it prints.
fn child(name: &str, folder: &Path, mode: &str) -> String {
    child_with(name, folder, mode, &[])
}

/// The same with more variables.
fn child_with(name: &str, folder: &Path, mode: &str, variables: &[(&str, &Path)]) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--ignored", "--nocapture"])
        .env("MANYCORE_TEST_CHILD", "1")
        .env(CACHE_VARIABLE, folder)
        .env("MANYCORE_TUNING", mode)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let told: Vec<&str> = text.lines().filter_map(|line| line.split_once("chosen: ")).map(|(_, told)| told).collect();
    told.join("\n")
}

#[test]
#[ignore = "runs within other tests, as a process"]
fn choose_in_this_mode() {
    if !is_child() {
        return;
    }
    let planner = Planner::new(&Device::host());
    for (operation, revision, count) in [
        (Misjudged { same_bits: true }, 1, 1),
        (Misjudged { same_bits: true }, 1, 5),
        (Misjudged { same_bits: true }, 2, 1),
        (Misjudged { same_bits: false }, 1, 1),
    ] {
        println!("chosen: {}", chosen(&planner, &operation, revision, count));
    }
}

#[test]
fn a_choice_is_measured_when_asked_and_known_to_later_processes() {
    let folder = tempfile::tempdir().unwrap();
    let names = || std::fs::read_dir(folder.path()).unwrap().count();
    let choose = |mode| child("choose_in_this_mode", folder.path(), mode);
    let estimated = "slow Estimated runs:false cost:3";
    let only_one = "slow Estimated runs:false cost:0";
    let all_estimated = [estimated, estimated, estimated, only_one].join("\n");
    assert_eq!(choose("estimate"), all_estimated);
    assert_eq!(choose("kept"), all_estimated, "nothing is measured unasked");
    assert_eq!(names(), 0);
    let measured = "quick Measured runs:true cost:0";
    assert_eq!(choose("measure"), [measured, measured, measured, only_one].join("\n"));
    assert_eq!(names(), 1);
    // The last revision of the code that was measured counts, and another one is measured again.
    let kept = "quick Kept runs:false cost:0";
    assert_eq!(choose("kept"), [estimated, kept, kept, only_one].join("\n"));
    assert_eq!(choose("estimate"), all_estimated);
    assert_eq!(choose("measure"), [measured, kept, measured, only_one].join("\n"));
    assert_eq!(names(), 1);
}

#[test]
#[ignore = "runs within other tests, as a process"]
fn choose_for_a_machine() {
    if !is_child() {
        return;
    }
    let device = Device::host();
    let operation = Misjudged { same_bits: true };
    assert_eq!(export(&device), None);
    println!("chosen: {}", chosen(&Planner::new(&device.tuned()), &operation, 1, 1));
    println!("chosen: {}", chosen(&Planner::with_machine(&device.tuned(), device.machine()), &operation, 1, 1));
    println!("chosen: {}", chosen(&Planner::new(&device), &operation, 1, 1));
    let text = export(&device).unwrap();
    assert!(text.contains("\"misjudged; 4\"") && text.contains("\"quick\"") && !text.contains("\"slow\""), "{text}");
}

#[test]
fn a_planner_for_a_machine_goes_by_estimates_and_what_was_measured_holds_in_the_process() {
    let folder = tempfile::tempdir().unwrap();
    // A file stands where the folder would be: nothing can be kept.
    let file = folder.path().join("file");
    std::fs::write(&file, "x").unwrap();
    let told = ["quick Measured runs:true cost:0", "slow Estimated runs:false cost:3", "quick Kept runs:false cost:0"];
    for place in [folder.path(), &file] {
        assert_eq!(child("choose_for_a_machine", place, "kept"), told.join("\n"));
    }
}

/// The folder of the sources that the child below takes the revision of.
const SOURCES: &str = "MANYCORE_TEST_SOURCES";

#[test]
#[ignore = "runs within another test, as a process"]
fn choose_for_sources() {
    if let Some(folder) = std::env::var_os(SOURCES) {
        let revision = tree::revision(Path::new(&folder)).unwrap();
        println!("chosen: {}", chosen(&Planner::new(&Device::host()), &Misjudged { same_bits: true }, revision, 1));
    }
}

#[test]
fn a_change_of_any_source_makes_what_was_kept_void() {
    let (folder, sources) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let write = |path: &str, text: &str| {
        let path = sources.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let choose = |mode| child_with("choose_for_sources", folder.path(), mode, &[(SOURCES, sources.path())]);
    write("src/lib.rs", "mod simd;\n");
    write("src/simd/avx512.rs", "// 1\n");
    write("kernels/unit.cl", "// 1\n");
    let (estimated, measured) = ("slow Estimated runs:false cost:3", "quick Measured runs:true cost:0");
    let kept = "quick Kept runs:false cost:0";
    assert_eq!((choose("measure").as_str(), choose("kept").as_str()), (measured, kept));
    for path in ["src/simd/avx512.rs", "kernels/unit.cl", "src/new.rs"] {
        write(path, "// 2\n");
        assert_eq!(choose("kept"), estimated, "{path}");
        assert_eq!(choose("measure"), measured, "{path}");
    }
    // Line ends and texts that are no sources change nothing.
    write("kernels/unit.cl", "// 2\r\n");
    write("README.md", "new");
    assert_eq!(choose("kept"), kept);
}

/// OpenCL devices that are CPUs go by the estimate in every mode.
#[test]
fn cpus_through_opencl_are_never_tuned() {
    for device in Device::opencl().unwrap_or_default() {
        if device.info().kind == manycore_device::DeviceKind::Cpu {
            let told = chosen(&Planner::new(&device.tuned()), &Misjudged { same_bits: true }, 1, 1);
            assert_eq!(told, "slow Estimated runs:false cost:0", "{device:?}");
        }
    }
}
