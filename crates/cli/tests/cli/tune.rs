//! `manycore tune`: choices are measured, kept, taken and exported; and what is refused.

use crate::common::{Choices, Folder, devices, manycore};
use serde_json::{Value, json};

/// Where the choice of a report comes from.
fn choice_source(report: &Value) -> &str {
    report["result"][0]["chosen_by"].as_str().unwrap()
}

#[test]
fn a_measured_choice_is_kept_and_taken() {
    let choices = Choices::new();
    let report = choices.tune("walsh --n 65536 --batch 2 --type i64");
    assert_eq!(report["parameters"]["tuning"], json!({"candidates": 0, "seconds": 0.0}));
    let line = "explain walsh --n 65536 --batch 2 --type i64 --device host --json";
    let estimated = choices.manycore_in("estimate", line).json();
    assert!(["estimated", "only"].contains(&choice_source(&estimated)), "{estimated}");
    // Batches with the same power of two share a choice; other ones and other types do not.
    let kept = |options: &str| {
        let report = choices.manycore(&format!("explain walsh --n 65536 {options} --device host --json")).json();
        choice_source(&report) == "kept"
    };
    let is_kept = choice_source(&choices.manycore(line).json()) == "kept";
    assert_eq!(kept("--batch 3 --type i64"), is_kept);
    assert!(!kept("--batch 1 --type i64") && !kept("--batch 2 --type i32"));
    let text = choices.manycore("tune walsh --n 65536 --batch 2 --type i64 --device host").output();
    assert!(text.starts_with("walsh") && text.lines().any(|line| line.starts_with("* ")), "{text}");
}

#[test]
fn every_operation_is_tuned() {
    let choices = Choices::new();
    for operation in [
        "ntt --n 2^10",
        "matrix-mul --n 40",
        "matrix-mul --n 100 --modulus 2",
        "poly-eval --n 1000 --points 300",
        "matrix-det --n 40",
        "matrix-inverse --n 150",
        "characters 3^4",
        "fourier 1000 --batch 3",
        "fourier 512 --modulus 469762049",
        "kronecker --product walsh^8 --type i32",
        "kronecker --product dft3^4 --complex",
        "sbox-linear --bits 6",
        "sbox-differences --bits 6",
        "sparse-multiply --rows 200 --longest 90",
        "sort-numbers --n 2^10 --places --type f32",
        "semiring-product --n 40 --inner 30 --semiring min-plus --type i32",
        "semiring-product --n 70 --semiring or-and",
        "maxplus-star --n 150 --acyclic 4 --type i32",
    ] {
        choices.tune(operation);
    }
}

#[test]
fn operations_with_one_plan_say_so() {
    let choices = Choices::new();
    for (operation, plan) in [
        ("sort-numbers --n 2^16", "sort on "),
        ("poly-eval --n 2^16", "evaluation on "),
        ("matrix-mul --n 300 --modulus 2", "bits-mul on "),
    ] {
        let text = choices.manycore(&format!("tune {operation} --device host")).output();
        let first = text.lines().next().unwrap_or_default();
        assert!(first.starts_with(plan) && first.ends_with(": the only candidate"), "{operation}: {text}");
    }
    let text = choices.manycore("tune maxplus-star --n 100 --device host").output();
    assert_eq!(text, "closure by blocks: the only algorithm, without an estimate\n");
    // Where a tree is among the algorithms, each has its estimate.
    let line = "tune poly-eval --n 2^14 --points 2^12 --device host";
    let text = choices.manycore(line).output();
    assert!(text.contains("* 4096 points: ") && text.contains("by a subproduct tree, "), "{text}");
    let report = choices.manycore(&format!("{line} --json")).json();
    let seconds = |i: usize| report["parameters"]["algorithms"][i]["estimate_seconds"].as_f64().unwrap();
    assert!(seconds(0) <= seconds(1), "{report}");
    assert_eq!(report["predicted_seconds"].as_f64().map(f64::to_bits), Some(seconds(0).to_bits()));
}

#[test]
fn the_variable_lets_every_command_measure() {
    let choices = Choices::new();
    let folder = Folder::new();
    let file = folder.file("x.txt", "1 2 3 4\n".repeat(1024));
    let line = format!("spectrum walsh {} --type i32 --device host", file.display());
    let plain = choices.manycore_in("estimate", &line).output();
    assert_eq!(choices.manycore_in("measure", &line).output(), plain);
    let report = choices.manycore("explain walsh --n 2^12 --type i32 --device host --json").json();
    let candidates = report["result"].as_array().unwrap().len();
    assert!(candidates == 1 || choice_source(&report) == "kept", "{report}");
}

#[test]
fn common_shapes_are_tuned_together() {
    let choices = Choices::new();
    let line = "tune all --from 5 --to 6 --only walsh,haar,sbox-linear --device host";
    let report = choices.manycore(&format!("{line} --json")).json();
    assert_eq!((&report["command"], &report["parameters"]), (&json!("tune all"), &json!({"from": 5, "to": 6})));
    let rows = report["result"].as_array().unwrap();
    for row in rows {
        assert!(["walsh", "haar", "sbox-linear"].contains(&row["operation"].as_str().unwrap()), "{row}");
        assert!(row["shape"].is_object() && row["chosen"].is_string() && row["left_out"].is_null(), "{row}");
    }
    let sizes = |n: u64| rows.iter().filter(|row| row["shape"]["n"] == n).count();
    assert!(sizes(32) > 2 && sizes(32) == sizes(64) && sizes(128) == 0, "{report}");
    let text = choices.manycore(line).output();
    assert_eq!(text.lines().count(), rows.len(), "{text}");
    assert!(text.contains("n 32, ") && text.contains("sbox-linear"), "{text}");
}

#[test]
fn what_is_kept_is_exported() {
    let choices = Choices::new();
    let error = choices.manycore("tune export --device host").error(2);
    assert!(error.starts_with("nothing is kept for host ("), "{error}");
    // Of one candidate, and where the estimates leave one, nothing is measured.
    if choice_source(&choices.tune("walsh --n 2^16 --type i32")) == "measured" {
        let exported: Value = serde_json::from_str(&choices.manycore("tune export --device host").output()).unwrap();
        assert_eq!(exported["kind"], "host");
        assert!(exported["device"].is_string() && exported["architecture"].is_string(), "{exported}");
        assert!(!exported["choices"].as_object().unwrap().is_empty(), "{exported}");
    }
    let error = choices.manycore("tune export --json --device host").error(2);
    assert_eq!(error, "`tune export` has no JSON form: --json does not go with it");
}

#[test]
fn what_is_not_tuned_is_refused() {
    for device in devices() {
        let kind = manycore::Device::select(&device).unwrap().info().kind;
        if kind == manycore::DeviceKind::Cpu {
            for what in ["walsh --n 8", "all", "export"] {
                let error = manycore(&format!("tune {what} --device {device}")).error(2);
                assert!(error.contains("a processor through OpenCL is not tuned"), "{error}");
            }
        }
    }
    let error = |line: &str| manycore(&format!("tune {line} --device host")).error(2);
    assert!(error("walsh --n 12").contains("12"));
    let huge = manycore("tune walsh --n 2^50 --device host").error(1);
    assert!(
        huge.starts_with("tune walsh --n 2^50 --device host: no candidate of walsh could be measured on host ("),
        "{huge}"
    );
    assert!(error("all --from 6 --to 5").ends_with("no shape of these sizes"));
    assert!(error("all --only walsh,sorting").contains("'sorting'"));
    assert!(error("all --to 41").contains("41"));
    assert!(error("sbox-linear --bits 17").contains("17"));
    assert!(error("kronecker --product walsh --complex --type i32").starts_with("--complex: "));
    assert!(error("fourier 8 --batch 0").contains("--batch"));
    assert!(error("sort-numbers --n 0").ends_with("--n must be at least 1"));
    assert!(error("semiring-product --n 5 --columns 0").ends_with("--columns must be at least 1"));
    assert!(error("poly-eval --n 5 --points 0").ends_with("--points must be at least 1"));
    assert!(error("matrix-mul --n 0 --modulus 2").contains("--n"));
    let bits = manycore("explain matrix-mul --n 5 --modulus 2 --device host,host").error(2);
    assert!(bits.contains("computes on one device"), "{bits}");
    assert!(error("wavelet --n 8").contains("wavelet"));
    assert!(manycore("explain walsh --n 8 --measure 2").error(2).contains("--measure"));
}

#[test]
fn help_tells_the_tuning_modes() {
    let help = manycore("tune --help").output();
    for part in ["MANYCORE_TUNING", "MANYCORE_CACHE", "all", "export", "walsh", "Examples:"] {
        assert!(help.contains(part), "{part}: {help}");
    }
}
