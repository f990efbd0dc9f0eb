//! The program's commands, its JSON, and its errors with their exit status.

use crate::common::{Folder, are_ranked, command, devices, manycore, manycore_with, read, run_with};
use serde_json::{Value, json};

/// The keys of an object, in alphabetical order.
fn keys(object: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

const REPORT: [&str; 10] = [
    "algorithm",
    "command",
    "device",
    "parameters",
    "predicted_seconds",
    "result",
    "seconds",
    "transfer_seconds",
    "verification",
    "verified",
];

#[test]
fn devices_as_a_table_and_as_json() {
    let table = manycore("devices --device host").output();
    let report = manycore("devices --device host --json").json();
    assert_eq!(keys(&report), REPORT);
    assert_eq!(report["command"], "devices");
    let list = report["result"].as_array().unwrap();
    assert_eq!(table.lines().count(), 1 + list.len());
    assert_eq!(
        (&list[0]["id"], &list[0]["kind"], &list[0]["selected"]),
        (&json!("host"), &json!("host"), &json!(true))
    );
    for (device, line) in list.iter().zip(table.lines().skip(1)) {
        let [id, name, driver] = ["id", "name", "driver"].map(|key| device[key].as_str().unwrap());
        assert!(line.contains(id) && line.contains(name) && line.contains(driver), "{line}");
        assert_eq!(line.starts_with('*'), device["selected"].as_bool().unwrap());
        for number in ["compute_units", "clock_hz", "memory_bytes", "largest_allocation_bytes", "local_memory_bytes"] {
            assert!(device[number].is_u64(), "{number}");
        }
        assert!(device["fp64"].is_boolean() && device["int64_atomics"].is_boolean() && device["features"].is_array());
        assert!([json!(null), json!("passed")].contains(&device["self_test"]), "{}", device["self_test"]);
    }
    for id in devices().iter().skip(2) {
        assert!(list.iter().any(|device| device["id"] == id.as_str()), "{id}");
    }
}

#[test]
fn the_json_of_a_spectrum() {
    for device in devices() {
        let line = format!("spectrum walsh - --json --verify --seed 9 --order dyadic --batch 4 --device {device}");
        let report = manycore_with(&line, b"1 2 3 4 0 0 0 1").json();
        assert_eq!(keys(&report), REPORT);
        assert_eq!(report["command"], "spectrum walsh");
        let label = report["device"].as_str().unwrap();
        assert!(label.starts_with(device.split(":1").next().unwrap()) && label.ends_with(')'), "{label}");
        assert_eq!(report["algorithm"], "constant-geometry");
        assert_eq!(
            report["parameters"],
            json!({"type": "i64", "length": 4, "transforms": 2, "order": "dyadic", "direction": "forward",
                   "wrap": false, "seed": 9})
        );
        assert!(report["seconds"].as_f64().unwrap() >= 0.0 && report["transfer_seconds"].as_f64().unwrap() >= 0.0);
        assert!(report["predicted_seconds"].as_f64().unwrap() > 0.0);
        assert_eq!(report["verified"], json!(true));
        assert_eq!(report["result"], json!([10, -4, -2, 0, 1, -1, -1, 1]));
    }
}

#[test]
fn explanations_are_ranked_and_told_as_json() {
    for device in devices() {
        let line = format!("explain walsh --n 2^20 --device {device}");
        let text = manycore(&line).output();
        assert_eq!(text.lines().filter(|line| line.starts_with('*')).count(), 1, "{text}");
        let report = manycore(&format!("{line} --json")).json();
        assert_eq!(keys(&report), REPORT);
        let candidates = report["result"].as_array().unwrap();
        // One row a candidate, below the names of the columns.
        let rows = text.lines().skip_while(|line| !line.contains("bound by")).skip(1);
        let rows = rows.take_while(|line| !line.contains("tuning would") && !line.contains("does not fit"));
        assert_eq!(rows.count(), candidates.len(), "{text}{report}");
        assert!(are_ranked(candidates), "{report}");
        assert_eq!(report["predicted_seconds"], candidates[0]["estimate_seconds"]);
        for candidate in candidates {
            let seconds = |name: &str| candidate[name].as_f64().unwrap();
            assert!(seconds("estimate_seconds") > 0.0 && seconds("theorem_seconds") > 0.0, "{candidate}");
            assert!(seconds("floor_seconds") <= seconds("estimate_seconds"), "{candidate}");
        }
        let tuning = &report["parameters"]["tuning"];
        assert!(tuning["candidates"].is_u64() && tuning["seconds"].as_f64().unwrap() >= 0.0, "{report}");
        // Nothing is measured for an explanation; through OpenCL a processor has no known choices either.
        let chosen_by = candidates[0]["chosen_by"].as_str().unwrap();
        assert!(["only", "estimated"].contains(&chosen_by) || chosen_by.starts_with("shipped"), "{report}");
        assert!(!device.starts_with("opencl") || !is_processor(&device) || chosen_by == "estimated", "{report}");
    }
}

/// Whether an OpenCL device is a processor.
fn is_processor(id: &str) -> bool {
    manycore::Device::select(id).unwrap().info().kind == manycore::DeviceKind::Cpu
}

#[test]
fn explanations_refuse_what_has_no_transform() {
    assert!(manycore("explain walsh --n 12 --device host").error(2).contains("12"));
    assert!(manycore("explain walsh --n 2^70 --device host").error(2).contains("2^70"));
    let huge = manycore("explain walsh --n 2^60 --batch 32 --device host").error(2);
    assert!(huge.contains("too large"), "{huge}");
}

#[test]
fn sizes_past_every_memory_are_explained_or_refused() {
    for line in
        ["walsh --n 2^62", "walsh --n 2^63", "arithmetic --n 2^62 --type i64", "haar --n 2^62", "reed-muller --n 2^62"]
    {
        for device in devices() {
            let run = manycore(&format!("explain {line} --device {device} --json"));
            if run.code == 0 {
                let report = run.json();
                // Every value is moved at least once, at less than 10^15 bytes a second.
                assert!(report["predicted_seconds"].as_f64().unwrap() > 4e3, "{line}: {report}");
            } else {
                assert!(run.code == 2 || run.code == 1, "{line}");
                assert!(!run.stderr.contains("defect"), "{line}: {}", run.stderr);
            }
        }
    }
}

#[test]
fn times_are_never_minus_zero() {
    for device in devices() {
        let text = manycore_with(&format!("spectrum walsh - --json --device {device}"), b"1 2").output();
        assert!(text.contains("transfer_seconds") && !text.contains(":-0.0"), "{text}");
    }
}

#[test]
fn machines_are_shown_without_measuring() {
    let folder = Folder::new();
    for device in devices() {
        let run = |arguments: &str| {
            let mut command = command(&arguments.split(' ').collect::<Vec<_>>());
            command.env("MANYCORE_CACHE", folder.path("cache")).args(["--device", &device]);
            run_with(command, b"")
        };
        let text = run("calibrate --show").output();
        assert!(text.contains("bandwidth") && text.contains("typical of this kind of device"), "{text}");
        let report = run("calibrate --show --json").json();
        assert_eq!(keys(&report), REPORT);
        let machine = &report["result"];
        for number in ["processors", "local_words", "transfer_cycles", "clock_hz", "launch_seconds", "bandwidth"] {
            assert!(machine[number].as_f64().unwrap() >= 0.0, "{number}");
        }
        assert_eq!((&machine["source"], &machine["file"]), (&json!("typical"), &Value::Null));
    }
}

#[test]
fn numbers_that_json_does_not_hold_are_strings() {
    let report = manycore_with("spectrum walsh - --json --device host", b"9007199254740992 1").json();
    assert_eq!(report["result"], json!(["9007199254740993", 9_007_199_254_740_991i64]));
    assert_eq!((&report["verified"], &report["parameters"]["seed"]), (&Value::Null, &Value::Null));
    let report = manycore_with("spectrum walsh - --json --device host", b"1e308 1e308 1e308 1e308").json();
    assert_eq!(report["result"], json!(["Infinity", 0.0, "NaN", 0.0]));
    let report = manycore_with("spectrum walsh - --json --device host", b"-1e308 -1e308").json();
    assert_eq!(report["result"], json!(["-Infinity", 0.0]));
    let text = manycore_with("spectrum walsh - --type f32 --device host", b"3e38 3e38").output();
    assert_eq!(text, "inf\n0.0\n");
}

#[test]
fn a_seed_is_reported_so_that_a_check_can_be_repeated() {
    let seed = |options: &str| {
        let line = format!("spectrum walsh - --json --verify --device host {options}");
        manycore_with(&line, b"1 2").json()["parameters"]["seed"].clone()
    };
    assert_eq!(seed("--seed 18446744073709551615"), "18446744073709551615");
    assert_ne!(seed(""), seed(""));
}

#[test]
fn results_are_written_where_told() {
    let folder = Folder::new();
    folder.file("x.txt", "1 2 # three\n");
    assert_eq!(folder.manycore("spectrum walsh x.txt -o y.txt --device host").output(), "");
    assert_eq!(read(&folder.path("y.txt")), "3\n-1\n");
    assert_eq!(folder.manycore("spectrum walsh x.txt --json -o y.json --device host").output(), "");
    assert_eq!(serde_json::from_str::<Value>(&read(&folder.path("y.json"))).unwrap()["result"], json!([3, -1]));
    let error = folder.manycore("spectrum walsh x.txt -o no/y.txt --device host").error(2);
    assert!(error.starts_with("no/y.txt: "), "{error}");
    let error = folder.manycore("spectrum walsh x.txt -o y.npy --json --device host").error(2);
    assert_eq!(error, "y.npy: --json writes JSON, the name asks for an array: give one of them");
}

#[test]
fn input_errors_name_file_line_and_value() {
    let folder = Folder::new();
    let cases: [(&[u8], &str, &str); 13] = [
        (b"1 2\n3 x", "", "x.txt:2: `x` is no number"),
        (b"1 2\n\n0.5 1", "--type i64", "x.txt:3: `0.5` is no integer"),
        (b"1 2147483648", "--type i32", "x.txt:1: 2147483648 is out of the range of i32"),
        (b"1 99999999999999999999", "", "x.txt:1: 99999999999999999999 is out of the range of i64"),
        (b"1,,2", "", "x.txt:1: no number before comma 2"),
        (b"1\n\xc0\xc1", "", "x.txt:2: neither text nor a .npy file"),
        (b"# nothing\n", "", "x.txt: no values"),
        (b"", "", "x.txt: no values"),
        (b"1 2 3", "", "x.txt: 3 values: the length of a transform must be a power of two"),
        (b"1 2 3", "--batch 2", "x.txt: 3 values are no whole number of transforms of 2 (--batch)"),
        (b"1 2 3", "--batch 3", "--batch 3: the length of a transform must be a power of two"),
        (b"1 nan", "--type f32", "x.txt:1: nan is not finite"),
        (b"\x93NUMPY\x01\x00", "", "x.txt: ends within the header of a .npy file"),
    ];
    for (content, options, message) in cases {
        folder.file("x.txt", content);
        let run = folder.manycore(&format!("spectrum walsh x.txt --device host {options}"));
        assert_eq!(run.error(2), message);
    }
    let error = folder.manycore("spectrum walsh absent.txt --device host").error(2);
    assert!(error.starts_with("absent.txt: "), "{error}");
    let error = manycore_with("spectrum walsh - --device host", b"1 2 y").error(2);
    assert_eq!(error, "standard input:1: `y` is no number");
}

#[test]
fn overflow_of_floating_point_is_found_by_verification() {
    let line = "spectrum walsh - --type f64 --device host";
    assert_eq!(manycore_with(line, b"1e308 1e308").output(), "inf\n0.0\n");
    let error = manycore_with(&format!("{line} --verify"), b"1e308 1e308").error(1);
    assert!(error.starts_with("--verify: the result of host ("), "{error}");
    let overflow =
        ") is wrong: value 1 of run 1 is inf: it, or a sum on the way to it, is past the largest number of its type";
    assert!(error.ends_with(overflow), "{error}");
}

#[test]
fn usage_errors_are_one_line() {
    let cases = [
        ("spectrum walsh x --order natural", "[possible values: hadamard, sequency, dyadic] (--help tells the usage)"),
        ("spectrum walsh x --type u8", "[possible values: i32, i64, f32, f64] (--help tells the usage)"),
        ("spectrum walsh", "arguments were not provided: <FILE> (--help tells the usage)"),
        ("spectrum wavelet x", "unrecognized subcommand 'wavelet' (--help tells the usage)"),
        (
            "devices --seed -1",
            "invalid value '-1' for '--seed <N>': expected a whole number of at least 0 (--help tells the usage)",
        ),
        ("man no such command", "`no such command` is no command, so it has no manual page"),
        ("completions bash --json", "`completions` has no JSON form: --json does not go with it"),
        ("man --json", "`man` has no JSON form: --json does not go with it"),
    ];
    for (line, end) in cases {
        let error = manycore(line).error(2);
        assert!(error.contains(end), "{line}: {error}");
    }
}

#[test]
fn devices_that_are_not_there() {
    for line in ["devices --device nothing-of-this-name", "spectrum walsh - --device nothing-of-this-name"] {
        let error = manycore(line).error(2);
        assert!(error.starts_with("no device \"nothing-of-this-name\"; present: host ("), "{error}");
    }
    let mut hidden = command(&["devices", "--device", "opencl:0"]);
    hidden.env("MANYCORE_OPENCL_LIBRARY", "none");
    let error = run_with(hidden, b"").error(2);
    assert!(error.starts_with("no OpenCL runtime: "), "{error}");
}

#[test]
fn the_device_comes_from_the_environment_unless_it_is_given() {
    let run = |arguments: &[&str]| {
        let mut command = command(arguments);
        command.env("MANYCORE_DEVICE", "nothing-of-this-name");
        run_with(command, b"")
    };
    assert!(run(&["devices"]).error(2).contains("nothing-of-this-name"));
    assert!(run(&["devices", "--device", "host"]).output().contains("*  host"));
}

#[test]
fn a_tuning_mode_that_there_is_not_is_refused() {
    let run = |mode: &str, arguments: &[&str]| {
        let mut command = command(arguments);
        command.env("MANYCORE_TUNING", mode);
        run_with(command, b"")
    };
    let explain = ["explain", "walsh", "--n", "8", "--device", "host"];
    let error = run("sometimes", &explain).error(2);
    assert_eq!(error, r#"MANYCORE_TUNING: "sometimes" is no tuning mode: estimate, kept or measure"#);
    let long = run(&"m".repeat(5000), &explain).error(2);
    assert!(long.starts_with("MANYCORE_TUNING: ") && long.chars().count() < 500, "{long}");
    for mode in ["", "estimate", "kept", "measure", " Kept "] {
        assert_eq!(run(mode, &explain).code, 0, "{mode}");
    }
}

#[test]
fn help_and_version() {
    assert_eq!(manycore("--version").output(), concat!("manycore ", env!("CARGO_PKG_VERSION"), "\n"));
    let help = manycore("spectrum walsh --help").output();
    for part in ["--inverse", "--wrap", "Coefficient w is the sum", "2^60", "manycore --help", "Examples:"] {
        assert!(help.contains(part), "{part}: {help}");
    }
    // Options of every command are told once.
    assert!(!help.contains("MANYCORE_DEVICE") && manycore("--help").output().contains("MANYCORE_DEVICE"));
    let place = |part: &str| help.find(part).unwrap();
    assert!(place("Examples:") < place("--inverse"), "{help}");
    let nothing = manycore("");
    assert_eq!((nothing.code, nothing.stdout.as_str()), (2, ""));
    assert!(nothing.stderr.contains("Usage: manycore"), "{}", nothing.stderr);
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let text = manycore(&format!("completions {shell}")).output();
        assert!(text.contains("spectrum") && text.contains("walsh") && text.contains("inverse"), "{shell}");
        assert!(text.contains("tune") && text.contains("poly-mul") && !text.contains("measure the best"), "{shell}");
    }
}

#[test]
fn manual_pages() {
    let folder = Folder::new();
    assert!(manycore("man").output().contains(".TH manycore 1"));
    let page = manycore("man spectrum walsh").output();
    assert!(page.contains(".SH SYNOPSIS") && page.contains("\\-\\-inverse"), "{page}");
    assert_eq!(folder.manycore("man devices -o devices.1").output(), "");
    assert!(read(&folder.path("devices.1")).contains("List the devices"));
    std::fs::create_dir(folder.path("pages")).unwrap();
    assert_eq!(folder.manycore("man -o pages").output(), "");
    let pages =
        ["", "-devices", "-spectrum", "-spectrum-walsh", "-explain-kronecker", "-tune", "-tune-all", "-tune-walsh"];
    for page in pages.map(|name| format!("manycore{name}.1")) {
        assert!(folder.path("pages").join(&page).is_file(), "{page}");
    }
}
