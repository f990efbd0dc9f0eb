//! The tables of a report, for the page and for Markdown alike.

use super::data::{Measurement, Report};
use super::glance::plain_forms;
use super::table::{NONE, Table, number, or_none, power_of_two, seconds, three_digits, time};

/// The devices of the report.
pub(crate) fn environments(report: &Report) -> Table {
    let rows = report.environments.iter().map(|environment| {
        vec![
            environment.name.clone(),
            environment.device.clone(),
            or_none(&environment.driver),
            or_none(&environment.commit),
            or_none(&environment.date),
            number(environment.processors),
            number(environment.threads),
            environment.memory_bytes.map_or(NONE.into(), |bytes| format!("{:.1} GiB", bytes as f64 / 1_073_741_824.0)),
            environment.copy_bytes_per_second.map_or(NONE.into(), |rate| format!("{} GB/s", three_digits(rate * 1e-9))),
        ]
    });
    Table {
        title: "Devices".into(),
        head: vec![
            "device",
            "handle",
            "driver",
            "commit",
            "date",
            "processors",
            "threads",
            "memory",
            "copy (read + write)",
        ],
        rows: rows.collect(),
        names: 5,
    }
}

/// What follows an operation's measurements: plain forms, other codes, the papers, what was left out.
pub(crate) fn after(report: &Report, operation: &str) -> Vec<Table> {
    let plain = plain_forms(report, operation);
    [plain, peers(report, operation), papers(report, operation), skipped(report, operation)]
        .into_iter()
        .flatten()
        .collect()
}

/// The measurements of one operation: a table for each device and element type.
pub(crate) fn measurements(report: &Report, operation: &str) -> Vec<Table> {
    let cases: Vec<&Measurement> = report.measurements.iter().filter(|case| case.operation == operation).collect();
    let mut keys: Vec<(usize, &str)> = Vec::new();
    for case in &cases {
        if !keys.contains(&(case.environment, &case.element)) {
            keys.push((case.environment, &case.element));
        }
    }
    let table = |&(environment, element): &(usize, &str)| {
        let mine = cases.iter().filter(|case| case.environment == environment && case.element == element);
        Table {
            title: format!("{operation} {element} on {}", report.label(environment)),
            head: vec![
                "order",
                "algorithm",
                "length",
                "batch",
                "threads",
                "time",
                "least",
                "greatest",
                "floor",
                "time/floor",
                "passes",
                "time/floor of passes",
                "values/s",
                "memory",
                "up",
                "down",
                "launches",
                "verified",
                "note",
            ],
            rows: mine.map(|case| row(case)).collect(),
            names: 2,
        }
    };
    keys.iter().map(table).collect()
}

fn row(case: &Measurement) -> Vec<String> {
    vec![
        or_none(&case.order),
        or_none(&case.algorithm),
        case.size.clone().unwrap_or_else(|| power_of_two(case.log_len)),
        if case.batch.is_power_of_two() && case.batch > 1 {
            power_of_two(case.batch.ilog2())
        } else {
            case.batch.to_string()
        },
        number(case.threads),
        seconds(case.seconds),
        time(case.minimum),
        time(case.maximum),
        time(case.floor_seconds),
        case.floor_seconds.map_or(NONE.into(), |floor| three_digits(case.seconds / floor)),
        case.passes.map_or(NONE.into(), |passes| format!("{passes:.0}")),
        case.pass_floor_seconds.map_or(NONE.into(), |floor| three_digits(case.seconds / floor)),
        format!("{} G", three_digits(case.values() / case.seconds * 1e-9)),
        case.bytes.map_or(NONE.into(), |bytes| format!("{} GB/s", three_digits(bytes / case.seconds * 1e-9))),
        time(case.upload_seconds),
        time(case.download_seconds),
        number(case.launches),
        match case.verified {
            Some(true) => "yes".into(),
            Some(false) => "NO".into(),
            None => NONE.into(),
        },
        case.note.clone(),
    ]
}

/// Other codes' figures with our fastest for the same work on a device of the same class, which may be another machine;
/// `None` where there are none.
pub(crate) fn peers(report: &Report, operation: &str) -> Option<Table> {
    let rows: Vec<Vec<String>> = report
        .peers
        .iter()
        .filter(|peer| peer.operation == operation)
        .map(|peer| {
            let ours = report.measurements.iter().filter(|case| report.comparable(case, peer));
            let ours = ours.min_by(|a, b| a.seconds.total_cmp(&b.seconds));
            vec![
                peer.code.clone(),
                peer.machine.clone(),
                peer.element.clone(),
                peer.source.clone(),
                ours.map_or(NONE.into(), |case| format!("{}: {}", report.label(case.environment), case_name(case))),
                match ours {
                    Some(case) => if report.same_machine(case.environment, peer) { "yes" } else { "no" }.into(),
                    None => NONE.into(),
                },
                peer.size.clone().unwrap_or_else(|| power_of_two(peer.log_len)),
                peer.batch.to_string(),
                seconds(peer.seconds),
                time(ours.map(|case| case.seconds)),
                ours.map_or(NONE.into(), |case| three_digits(peer.seconds / case.seconds)),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        title: format!("{operation}: other codes"),
        head: vec![
            "code",
            "machine",
            "element",
            "source",
            "our fastest case",
            "same machine",
            "length",
            "batch",
            "their time",
            "our time",
            "theirs/ours",
        ],
        rows,
        names: 6,
    })
}

/// Which case it is among those of the same size: device, algorithm, threads.
pub(super) fn case_name(case: &Measurement) -> String {
    let mut parts = vec![case.device.clone()];
    parts.extend([&case.algorithm, &case.order].into_iter().filter(|part| !part.is_empty()).cloned());
    parts.extend(
        case.threads.map(|threads| if threads == 1 { "1 thread".into() } else { format!("{threads} threads") }),
    );
    parts.join(", ")
}

/// What the papers state, with our speedup of the device over the host at that length; `None` where there is nothing.
pub(crate) fn papers(report: &Report, operation: &str) -> Option<Table> {
    let rows: Vec<Vec<String>> = report
        .papers
        .iter()
        .filter(|paper| paper.operation == operation)
        .map(|paper| {
            let ours = match (paper.log_len, paper.unit.as_str()) {
                (Some(log_len), "speedup") => speedups(report, operation, log_len),
                _ => String::new(),
            };
            vec![
                paper.paper.clone(),
                paper.statement.clone(),
                or_none(&ours),
                paper.log_len.map_or(NONE.into(), power_of_two),
                paper.value.map_or_else(|| "no number".into(), |value| format!("{value} {}", paper.unit)),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        title: format!("{operation}: the papers"),
        head: vec!["paper", "statement", "ours: fastest host time over device time", "length", "stated"],
        rows,
        names: 3,
    })
}

/// The cases that were not run; `None` where all were.
pub(crate) fn skipped(report: &Report, operation: &str) -> Option<Table> {
    let mine = report.skipped.iter().filter(|skipped| skipped.operation == operation);
    let rows: Vec<Vec<String>> =
        mine.map(|skipped| vec![skipped.case.clone(), skipped.device.clone(), skipped.reason.clone()]).collect();
    (!rows.is_empty()).then(|| Table {
        title: format!("{operation}: left out"),
        head: vec!["case", "device", "reason"],
        rows,
        names: 3,
    })
}

/// For each device and element: the fastest host time over its fastest time for one transform of that length.
fn speedups(report: &Report, operation: &str, log_len: u32) -> String {
    let fitting = |host: bool| {
        report.measurements.iter().filter(move |case| {
            case.operation == operation
                && (case.log_len, case.batch) == (log_len, 1)
                && (report.environments[case.environment].device == "host") == host
        })
    };
    let mut found: Vec<(usize, &str, f64)> = Vec::new();
    for case in fitting(false) {
        let same =
            found.iter_mut().find(|(device, element, _)| (*device, *element) == (case.environment, &case.element));
        match same {
            Some((_, _, least)) => *least = least.min(case.seconds),
            None => found.push((case.environment, &case.element, case.seconds)),
        }
    }
    let text = found.iter().filter_map(|&(device, element, ours)| {
        let host =
            fitting(true).filter(|case| case.element == element).map(|case| case.seconds).min_by(f64::total_cmp)?;
        Some(format!("{} {element}: {}", report.label(device), three_digits(host / ours)))
    });
    text.collect::<Vec<String>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::super::data::sample;
    use super::{environments, measurements, papers, peers};

    #[test]
    fn rows_are_as_long_as_their_heads() {
        let report = sample();
        let mut tables = vec![environments(&report)];
        tables.extend(measurements(&report, "walsh"));
        tables.extend(peers(&report, "walsh"));
        tables.extend(papers(&report, "walsh"));
        assert_eq!(tables.len(), 5);
        for table in &tables {
            assert!(
                !table.rows.is_empty() && table.rows.iter().all(|row| row.len() == table.head.len()),
                "{}",
                table.title
            );
        }
    }

    #[test]
    fn a_peer_stands_beside_our_time_on_its_machine() {
        let table = peers(&sample(), "walsh").unwrap();
        // 2^24: ours is 7 us + 2^24 * 4.5 ps = 82.5 us against 315 us.
        let row = table.rows.iter().find(|row| row[6] == "2²⁴").unwrap();
        assert_eq!(row[5..], ["yes", "2²⁴", "1", "315 µs", "82.5 µs", "3.82"]);
    }

    #[test]
    fn a_paper_stands_beside_our_speedup() {
        let table = papers(&sample(), "walsh").unwrap();
        // 2^20: the host takes 735 us, the device 11.7 us.
        assert_eq!(table.rows[0][2], "NVIDIA H200 f32: 62.7");
        assert!(papers(&sample(), "haar").is_none());
    }
}
