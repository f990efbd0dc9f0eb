//! `--device auto` and `explain` beside a GPU: an OpenCL processor that says it is one.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use manycore_testkit::faults::Injector;
use manycore_testkit::opencl_devices;

/// What the program wrote, with a GPU in the place of the OpenCL processor and a folder of its own: standard output and error.
fn run(folder: &Path, arguments: &[&str]) -> (String, String) {
    run_with(folder, arguments, &[])
}

/// [`run`] with more variables.
fn run_with(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> (String, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_manycore"));
    Injector::find().unwrap().pretend_gpu(&mut program, 0);
    program.env("MANYCORE_CACHE", folder).env_remove("MANYCORE_DEVICE").env_remove("MANYCORE_TUNING");
    let output = program.envs(variables.iter().copied()).args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{arguments:?}: {out}{err}");
    (out, err)
}

fn numbers(count: usize) -> String {
    ["0\n", "1\n"].into_iter().cycle().take(count).collect()
}

#[test]
fn a_short_job_of_every_compared_command_leaves_the_gpu_closed() {
    if opencl_devices().is_empty() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("x.txt"), numbers(16)).unwrap();
    std::fs::write(folder.path().join("x2.txt"), numbers(2)).unwrap();
    let matrix = "%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 5\n2 1 7\n";
    std::fs::write(folder.path().join("a.mtx"), matrix).unwrap();
    for arguments in [
        &["spectrum", "walsh", "x.txt"][..],
        &["spectrum", "haar", "x.txt"],
        &["spectrum", "reed-muller", "x.txt"],
        &["spectrum", "arithmetic", "x.txt"],
        &["spectrum", "ntt", "x.txt", "--modulus", "97"],
        &["spectrum", "fourier", "x.txt"],
        &["spectrum", "fourier", "x.txt", "--modulus", "469762049"],
        &["spectrum", "kronecker", "x.txt", "--product", "walsh^4"],
        &["spectrum", "kronecker", "x.txt", "--product", "walsh^4", "--modulus", "97"],
        &["sparse", "multiply", "a.mtx", "x2.txt"],
        &["sparse", "multiply", "a.mtx", "x2.txt", "--modulus", "97"],
    ] {
        let (_, err) = run(folder.path(), &[arguments, &["-v", "--device", "auto"]].concat());
        let told =
            err.lines().find(|line| line.contains(" computes: ")).unwrap_or_else(|| panic!("{arguments:?}: {err}"));
        assert!(told.contains("host") && told.contains(" is open (250 ms)"), "{arguments:?}: {told}");
    }
}

#[test]
fn opening_and_building_are_typical_until_they_are_measured() {
    for device in opencl_devices() {
        let explain = |folder: &Path, operation: &[&str]| {
            let (out, _) = run(folder, &[&["explain"], operation].concat());
            let line = out.lines().find(|line| line.contains(" to open and build, "));
            line.unwrap_or_else(|| panic!("{operation:?}: {out}")).to_owned()
        };
        let operations = [
            &["walsh", "--n", "2^12"][..],
            &["haar", "--n", "2^12"],
            &["fourier", "4096"],
            &["kronecker", "--product", "walsh^12"],
            &["sparse-multiply", "--rows", "1000"],
        ];
        for operation in operations {
            // What is asked for its choice may be opened by that.
            let line = explain(tempfile::tempdir().unwrap().path(), operation);
            assert!(line.contains(" to open and build, typical;"), "{operation:?}: {line}");
            assert!(!line.contains(" 0.00 ns of transfers"), "{operation:?}: {line}");
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("x.txt"), numbers(1 << 10)).unwrap();
        run(folder.path(), &["spectrum", "walsh", "x.txt", "--device", &device.info().id, "-o", "y.txt"]);
        for operation in operations {
            let line = explain(folder.path(), operation);
            assert!(line.contains(" to open and build, measured;"), "{device:?}, {operation:?}: {line}");
        }
    }
}

#[test]
fn a_job_that_was_done_before_goes_where_it_took_less() {
    for device in opencl_devices() {
        let folder = tempfile::tempdir().unwrap();
        // Long enough to be kept: what takes some milliseconds is the host's in any case.
        std::fs::write(folder.path().join("x.txt"), numbers(1 << 20)).unwrap();
        let job = ["sort", "numbers", "x.txt", "-o", "y.txt", "-v"];
        let told = |device: &str| {
            let (_, err) = run(folder.path(), &[&job[..], &["--device", device]].concat());
            err
        };
        let first = told("auto");
        assert!(first.contains("host") && first.contains(" is open (250 ms)"), "{first}");
        let on_gpu = told(&device.info().id);
        assert!(on_gpu.contains("listing OpenCL devices"), "{on_gpu}");
        // What the host takes is kept where there is a GPU that it is compared with.
        told("host");
        // Another file of the same size is the same job.
        std::fs::rename(folder.path().join("x.txt"), folder.path().join("z.txt")).unwrap();
        let (_, later) = run(folder.path(), &["sort", "numbers", "z.txt", "-v", "-o", "w.txt"]);
        assert!(later.contains("computes: the host took "), "{later}");
        // OpenCL is loaded only where the GPU is taken.
        assert_eq!(later.contains("listing"), !later.contains("host ("), "{later}");
        // Another job is not.
        let (_, other) = run(folder.path(), &["sort", "numbers", "z.txt", "-v", "-o", "w.txt", "--descending"]);
        assert!(!other.contains("the host took "), "{other}");
    }
}

/// The text of the cache file of a kind in a folder.
fn kept(folder: &Path, kind: &str) -> String {
    let mut files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let file = files.find(|file| file.file_name().to_string_lossy().starts_with(kind));
    std::fs::read_to_string(file.unwrap_or_else(|| panic!("no file {kind}")).path()).unwrap()
}

#[test]
fn other_processes_build_what_a_first_use_needs() {
    if opencl_devices().is_empty() {
        return;
    }
    let line = ["spectrum", "walsh", "x.txt", "--type", "i32", "--wrap", "--device", "opencl:0"];
    let used = |builders: &str| {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("x.txt"), numbers(64)).unwrap();
        let variables = [("MANYCORE_BUILDERS", builders), ("MANYCORE_RECIPES", "recipes.txt")];
        let (out, _) = run_with(folder.path(), &line, &variables);
        let startup: serde_json::Value = serde_json::from_str(&kept(folder.path(), "startup-")).unwrap();
        let built = startup["built"]["programs"].as_u64().unwrap();
        let recipe = std::fs::read_to_string(folder.path().join("recipes.txt")).unwrap();
        assert!(recipe.starts_with("spectrum walsh --type --wrap i32\n\tkernels/"), "{recipe}");
        assert!(!recipe.contains("self_test"), "{recipe}");
        (out, built, kept(folder.path(), "programs-").lines().count() as u64)
    };
    let (alone, together) = (used("0"), used("2"));
    assert_eq!((&alone.0, alone.2), (&together.0, together.2), "the same result by the same programs");
    assert_eq!(alone.1, alone.2, "all are built by the process itself");
    assert!(together.1 < together.2, "{} of {} are built by the process itself", together.1, together.2);
}

#[test]
fn a_builder_answers_each_line() {
    let build = |device: &str, names: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_manycore"));
        program.args(["--build-programs", device]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = program.spawn().unwrap();
        // One that refuses the device reads nothing.
        let _ = child.stdin.take().unwrap().write_all(names.as_bytes());
        let output = child.wait_with_output().unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap())
    };
    if !opencl_devices().is_empty() {
        let names = "kernels/device/fill.cl \nkernels/no/such.cl -DX=1\n\u{1}\nkernels/device/fill.cl -DELEMENT=none\n";
        assert_eq!(build("opencl:0", names), (true, "\n\n\n\n".to_owned()));
        assert_eq!(build("opencl:0", ""), (true, String::new()));
    }
    assert_eq!(build("host", "kernels/device/fill.cl \n"), (false, String::new()));
    assert_eq!(build("no such device", ""), (false, String::new()));
}
