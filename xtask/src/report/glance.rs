//! The summary of a report: our time, the floor, the best other code and the plain form, with their ratios.

use super::data::{Measurement, Report};
use super::table::{NONE, Table, power_of_two, seconds, three_digits, time};

/// For each device a table: every element, size and number of threads forward in natural order, beside the rest.
pub(crate) fn glance(report: &Report, operation: &str) -> Vec<Table> {
    let table = |environment: usize| {
        let mut best: Vec<&Measurement> = Vec::new();
        let mine = report.measurements.iter().filter(|case| case.environment == environment);
        for case in mine.filter(|case| case.operation == operation && case.is_plain()) {
            match best.iter_mut().find(|other| same_work(other, case) && other.threads == case.threads) {
                Some(other) if other.seconds > case.seconds => *other = case,
                Some(_) => {}
                None => best.push(case),
            }
        }
        best.sort_by_key(|case| (std::cmp::Reverse(case.threads), case.batch > 1));
        let rows: Vec<Vec<String>> = best.into_iter().map(|case| row(report, case)).collect();
        (!rows.is_empty()).then(|| Table {
            title: format!("{operation} on {} at a glance", report.label(environment)),
            head: vec![
                "element",
                "fastest other code (* on another machine)",
                "threads",
                "length",
                "batch",
                "our time",
                "floor",
                "ours/floor",
                "its time",
                "its/ours",
                "plain loop, 1 host thread",
                "plain/ours",
            ],
            rows,
            names: 2,
        })
    };
    (0..report.environments.len()).filter_map(table).collect()
}

fn row(report: &Report, case: &Measurement) -> Vec<String> {
    let peer = report.peers.iter().filter(|peer| report.comparable(case, peer));
    let peer = peer.min_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let plain = report.measurements.iter().filter(|other| {
        other.baseline && other.order == case.order && same_work(other, case) && on_one_run(report, other, case)
    });
    let plain = plain.min_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let ratio = |value: Option<f64>| value.map_or(NONE.into(), |value| three_digits(value / case.seconds));
    vec![
        case.element.clone(),
        peer.map_or(NONE.into(), |peer| {
            format!("{}{}", peer.code, if report.same_machine(case.environment, peer) { "" } else { " *" })
        }),
        case.threads.map_or(NONE.into(), |threads| threads.to_string()),
        case.size.clone().unwrap_or_else(|| power_of_two(case.log_len)),
        if case.batch == 1 { NONE.into() } else { batch(case.batch) },
        seconds(case.seconds),
        time(case.floor_seconds),
        case.floor_seconds.map_or(NONE.into(), |floor| three_digits(case.seconds / floor)),
        time(peer.map(|peer| peer.seconds)),
        ratio(peer.map(|peer| peer.seconds)),
        time(plain.map(|plain| plain.seconds)),
        ratio(plain.map(|plain| plain.seconds)),
    ]
}

/// Every plain form with our times for the same order and size in the same run: paper 001's comparison.
pub(crate) fn plain_forms(report: &Report, operation: &str) -> Option<Table> {
    let baselines = report.measurements.iter().filter(|case| case.operation == operation && case.baseline);
    let mut rows = Vec::new();
    for plain in baselines {
        let ours = report.measurements.iter().filter(|case| {
            !case.baseline
                && !case.algorithm.ends_with("inverse")
                && case.order == plain.order
                && same_work(case, plain)
                && on_one_run(report, case, plain)
        });
        for case in ours {
            let threads = case.threads.map_or(String::new(), |threads| format!(", threads: {threads}"));
            rows.push(vec![
                plain.algorithm.clone(),
                plain.element.clone(),
                case.algorithm.clone(),
                format!("{}{threads}", report.label(case.environment)),
                power_of_two(plain.log_len),
                seconds(plain.seconds),
                seconds(case.seconds),
                three_digits(plain.seconds / case.seconds),
            ]);
        }
    }
    (!rows.is_empty()).then(|| Table {
        title: format!("{operation}: plain one-thread forms on the host beside ours (paper 001's comparison)"),
        head: vec!["plain form", "element", "ours", "device", "length", "plain time", "our time", "speedup"],
        rows,
        names: 4,
    })
}

fn same_work(a: &Measurement, b: &Measurement) -> bool {
    (&a.operation, &a.element, a.log_len, a.batch, &a.size) == (&b.operation, &b.element, b.log_len, b.batch, &b.size)
}

/// Whether two figures are of one commit and day, and so of one run.
fn on_one_run(report: &Report, a: &Measurement, b: &Measurement) -> bool {
    let (a, b) = (&report.environments[a.environment], &report.environments[b.environment]);
    (&a.commit, &a.date) == (&b.commit, &b.date)
}

fn batch(count: u64) -> String {
    if count.is_power_of_two() { power_of_two(count.ilog2()) } else { count.to_string() }
}

#[cfg(test)]
mod tests {
    use super::super::data::sample;
    use super::{glance, plain_forms};

    #[test]
    fn every_size_stands_once_with_its_peer_and_plain_form() {
        let mut report = sample();
        let mut plain = report.measurements[6].clone();
        (plain.baseline, plain.algorithm, plain.log_len) = (true, "plain".into(), 20);
        plain.seconds = 1.0;
        report.measurements.push(plain);
        let tables = glance(&report, "walsh");
        assert_eq!(tables.iter().map(|table| table.rows.len()).collect::<Vec<_>>(), [7, 9]);
        assert!(tables.iter().all(|table| table.rows.iter().all(|row| row.len() == table.head.len())));
        let row = tables[1].rows.iter().find(|row| row[3] == "2²⁰").unwrap();
        // Ours is 7 us + 2^20 * 4.5 ps = 11.7 us; the other code takes 21.7 us.
        assert_eq!((row[5].as_str(), row[8].as_str(), row[9].as_str()), ("11.7 µs", "21.7 µs", "1.85"));
        assert!(!row[1].ends_with('*') && row[10] == "1.00 s");
        let table = plain_forms(&report, "walsh").unwrap();
        assert_eq!(table.rows.len(), 2);
        assert!(table.rows[1][7].starts_with("8533"), "{:?}", table.rows[1]);
    }
}
