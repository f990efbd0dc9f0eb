//! Each fault of the injector does what it says: a small program of writes, fills, copies, launches and reads is started with
//! it, and every array that it prints is compared with the one without a fault.

use std::path::PathBuf;
use std::process::Command as Program;

use manycore_device::{Defines, Device, Executor};
use manycore_kernels::{Entry, Unit};
use manycore_testkit::faults::{Command, Counts, Fault, Injector};
use manycore_testkit::opencl_devices;

/// The variable that names the device of the started program.
const DEVICE: &str = "MANYCORE_FAULT_TEST_DEVICE";

/// Work-items of a group, and of the whole grid.
const GROUP: usize = 16;
const ITEMS: usize = 16 * GROUP;

static SQUARE_UNIT: Unit = Unit {
    path: "tests/square.cl",
    source: "__kernel void square(__global const uint *x, __global uint *y, const ulong n)\n{\n\
             \x20   const ulong i = get_global_id(0);\n    if (i < n)\n        y[i] = x[i] * x[i];\n}\n",
    parts: &[],
    entries: &[Entry::named("square")],
    parameter_sets: &[&[]],
};

// SAFETY: its launches tell the length of both buffers.
manycore_device::kernel! {
    /// y = x^2, value by value.
    unsafe SQUARE in SQUARE_UNIT: square(x: input<u32>, y: buffer<u32>, n: u64)
}

/// Values without a zero byte at their end, and whose squares are not 0.
fn values() -> Vec<u32> {
    (1..=ITEMS as u32).map(|i| i.wrapping_mul(0x0101_0101)).collect()
}

/// The program that meets the fault: one write, one fill, one copy, one launch and three reads, each array a line.
#[test]
#[ignore = "started by the other test with a fault"]
fn program() {
    let device = Device::select(&std::env::var(DEVICE).unwrap_or_else(|_| "opencl:0".to_owned())).unwrap();
    let Executor::OpenCl(cl) = device.executor() else { panic!("{device:?} is no OpenCL device") };
    let values = values();
    let x = device.upload(&values).unwrap();
    let mut filled = device.zeros::<u32>(ITEMS).unwrap();
    filled.copy_from(&x).unwrap();
    let mut squares = device.zeros::<u32>(ITEMS).unwrap();
    let kernel = cl.kernel(&SQUARE, &Defines::new()).unwrap();
    cl.launch(&kernel).input(&x).buffer(&mut squares).value(ITEMS as u64).items(ITEMS, GROUP).run().unwrap();
    for (name, array) in [("x", &x), ("copy", &filled), ("squares", &squares)] {
        println!("\n{name}: {:?}", array.download().unwrap());
    }
}

/// The arrays that the program printed, and its counts.
struct Outcome {
    arrays: [Vec<u32>; 3],
    counts: Counts,
}

fn run(injector: &Injector, device: &str, fault: Option<Fault>) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let counts: PathBuf = folder.path().join("counts");
    let mut program = Program::new(std::env::current_exe().unwrap());
    program.args(["--ignored", "--exact", "program", "--nocapture"]).env(DEVICE, device);
    program.env("MANYCORE_CACHE", folder.path());
    injector.inject(&mut program, fault, &counts);
    let output = program.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{fault:?}: {text}{}", String::from_utf8_lossy(&output.stderr));
    let array = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": [")?.strip_suffix(']'));
        line.unwrap_or_else(|| panic!("{text}")).split(", ").map(|value| value.parse().unwrap()).collect()
    };
    Outcome { arrays: ["x", "copy", "squares"].map(array), counts: Counts::read(&counts).unwrap() }
}

fn differing(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).filter(|(a, b)| a != b).count()
}

#[test]
fn each_fault_changes_what_it_says() {
    let injector = Injector::find().unwrap();
    for device in opencl_devices() {
        let id = device.info().id.as_str();
        let right = run(&injector, id, None);
        let values = values();
        let squares: Vec<u32> = values.iter().map(|x| x.wrapping_mul(*x)).collect();
        assert_eq!(right.arrays, [values.clone(), values.clone(), squares]);
        assert_eq!(right.counts.fault, None);
        for (command, least) in Command::ALL.into_iter().zip([3, 1, 1, 1, 1]) {
            assert!(right.counts.of(command) >= least, "{command:?}: {:?}", right.counts);
        }
        let last = |command| right.counts.of(command) - 1;
        let fault = |command, index, seed| run(&injector, id, Some(Fault { command, index, seed }));
        for seed in (0..6).map(Some).chain([None]) {
            // The last read is that of the squares, and the others are right.
            let outcome = fault(Command::Read, last(Command::Read), seed);
            let faults: [usize; 3] = std::array::from_fn(|i| differing(&outcome.arrays[i], &right.arrays[i]));
            assert!(faults[..2] == [0, 0] && faults[2] > 0, "read, {seed:?}: {faults:?}");
            assert!(outcome.counts.fault.is_some(), "{:?}", outcome.counts);
            // A write goes into everything that is computed from it.
            let outcome = fault(Command::Write, last(Command::Write), seed);
            let [x, copy, squares] = &outcome.arrays;
            assert_ne!(*x, values, "write, {seed:?}");
            assert_eq!(copy, x);
            assert!(squares.iter().zip(x).all(|(square, x)| *square == x.wrapping_mul(*x)), "write, {seed:?}");
            // A copy that ends early leaves zeros behind its end.
            let outcome = fault(Command::Copy, last(Command::Copy), seed);
            let [x, copy, _] = &outcome.arrays;
            assert_eq!(*x, values);
            assert!(copy[ITEMS - 1] != values[ITEMS - 1], "copy, {seed:?}");
            if seed.is_none() {
                assert_eq!(*copy, vec![0; ITEMS]);
            }
            // A smaller grid leaves whole groups out, a skipped launch all of them.
            let outcome = fault(Command::Launch, last(Command::Launch), seed);
            let [x, copy, squares] = &outcome.arrays;
            assert_eq!((x, copy), (&values, &values));
            let done = squares.iter().take_while(|&&square| square != 0).count();
            assert!(squares[..done] == right.arrays[2][..done] && squares[done..].iter().all(|&square| square == 0));
            assert!(
                done.is_multiple_of(GROUP) && done < ITEMS && (done > 0) == seed.is_some(),
                "launch, {seed:?}: {done}"
            );
        }
        // Fills come before everything that overwrites them: they are met, and change nothing here.
        let outcome = fault(Command::Fill, 0, Some(1));
        assert!(outcome.counts.fault.is_some() && outcome.arrays == right.arrays);
        // What is never enqueued meets nothing.
        let outcome = fault(Command::Launch, 1000, None);
        assert!(outcome.counts == right.counts && outcome.arrays == right.arrays);
    }
}
