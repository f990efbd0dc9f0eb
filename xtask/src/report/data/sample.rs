//! A run for tests.

use super::Report;

/// A small run with every kind of line, for the tests of reports.
pub(crate) fn sample() -> Report {
    let mut lines = vec![
        r#"{"kind":"environment","device":"host","name":"EPYC <2 cores>","driver":"","processors":2,"memory_bytes":8589934592,"threads":2,"commit":"abc1234","date":"2026-11-21"}"#.to_owned(),
        r#"{"kind":"environment","device":"opencl:0","name":"NVIDIA H200","driver":"580.1","processors":132,"memory_bytes":150000000000,"threads":1,"commit":"abc1234","date":"2026-11-21","later_field":1}"#.to_owned(),
    ];
    let case = |device: &str, log_len: u32, batch: u64, seconds: f64, floor: f64| {
        format!(
            r#"{{"kind":"measurement","operation":"walsh","device":"{device}","element":"f32","order":"hadamard","algorithm":"cooley-tukey","log_len":{log_len},"batch":{batch},"threads":1,"seconds":{seconds:e},"minimum":{:e},"maximum":{:e},"repeats":9,"upload_seconds":null,"download_seconds":0.002,"floor_seconds":{floor:e},"bytes":1e9,"operations":2e8,"launches":2,"verified":true,"note":""}}"#,
            seconds * 0.9,
            seconds * 1.2
        )
    };
    for log_len in [10_u32, 14, 18, 20, 22, 24, 26] {
        let n = f64::from(log_len).exp2();
        lines.push(case("host", log_len, 1, 1e-6 + n * 7e-10, n * 3e-10));
        lines.push(case("opencl:0", log_len, 1, 7e-6 + n * 4.5e-12, n * 2e-12));
    }
    lines.push(case("opencl:0", 10, 1 << 17, 2.9e-4, 2.5e-4));
    lines.push(case("opencl:0", 12, 1 << 15, 2.95e-4, 2.5e-4));
    for (log_len, seconds) in [(20, 21.7e-6), (22, 61.9e-6), (24, 315e-6), (26, 1334e-6)] {
        lines.push(format!(
            r#"{{"kind":"peer","operation":"walsh","code":"CUDA samples fastWalshTransform","machine":"NVIDIA H200","element":"f32","log_len":{log_len},"batch":1,"seconds":{seconds:e},"source":"measured"}}"#
        ));
    }
    lines.push(r#"{"kind":"paper","operation":"walsh","paper":"001 Figure 4","statement":"A | B","log_len":20,"value":12.5,"unit":"speedup"}"#.to_owned());
    let sweep = |best: usize, over: f64, chosen_by: &str| {
        let point = |name: &str, estimate: f64, measured: f64| {
            format!(
                r#"{{"parameters":"{name}","estimate_seconds":{estimate:e},"floor_seconds":5e-5,"theorem_seconds":1e-3,"measured_seconds":{measured:e}}}"#
            )
        };
        let points = [point("tiles", 1.2e-4, 1e-4), point("columns", 1.3e-4, 1e-4 / over)].join(",");
        format!(
            r#"{{"kind":"sweep","operation":"walsh","case":"choice/walsh/f32/2^20/cooley-tukey","device":"opencl:0","threads":null,"considered":4,"chosen":0,"chosen_by":"{chosen_by}","best":{best},"chosen_over_best":{over},"points":[{points}]}}"#
        )
    };
    lines.extend([sweep(0, 1.0, "measured earlier on this device"), sweep(1, 1.5, "estimated")]);
    // As runs before the estimate had this name printed it.
    lines.push(
        r#"{"kind":"sweep","operation":"ntt","case":"model/ntt/29 bits/2^12","device":"host","threads":2,"calibrated":true,"chosen":0,"refined":true,"best":0,"chosen_over_best":1,"chosen_factor":1.2,"worst_factor":1.3,"points":[{"parameters":"tile 12","predicted_seconds":1e-5,"floor_seconds":1e-6,"measured_seconds":1.2e-5}]}"#
            .to_owned(),
    );
    lines.push(
        r#"{"kind":"launches","case":"launch/same-arguments","device":"opencl:0","arguments":7,"bare_seconds":4.5e-6,"set_seconds":4.9e-6,"library_seconds":5.1e-6,"added_seconds":6e-7}"#
            .to_owned(),
    );
    lines.push(r#"{"kind":"weather","sky":"clear"}"#.to_owned());
    let mut report = Report::default();
    report.add_run("sample", &lines.join("\n")).expect("the sample is well formed");
    report
}
