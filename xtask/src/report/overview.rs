//! The overview of a report: each operation on each device, ours beside the floor and the best other code, and who was faster; and the
//! index of the papers' places.

use super::data::{Measurement, Paper, Peer, Report};
use super::table::{NONE, Table, seconds, three_digits, time};

/// Within this ratio neither is faster: runs differ by as much.
const EVEN: f64 = 1.05;

/// The case that stands for an operation on a device, and the other code beside it.
pub(crate) struct Headline<'a> {
    pub(crate) case: &'a Measurement,
    pub(crate) peer: Option<&'a Peer>,
}

impl Headline<'_> {
    /// Their time over ours.
    fn ratio(&self) -> Option<f64> {
        self.peer.map(|peer| peer.seconds / self.case.seconds)
    }

    /// Who was faster, and how many times.
    fn won(&self) -> String {
        match self.ratio() {
            None => NONE.into(),
            Some(ratio) if ratio >= EVEN => format!("ours, {} times", three_digits(ratio)),
            Some(ratio) if ratio > 1.0 / EVEN => format!("even ({})", three_digits(ratio)),
            Some(ratio) => format!("theirs, {} times", three_digits(1.0 / ratio)),
        }
    }
}

/// The devices of the overview: processors through OpenCL are there for right results, and stand there where nothing else was measured.
fn shown(report: &Report) -> Vec<usize> {
    let is_timed = |&environment: &usize| report.environments[environment].class != "cpu";
    let timed: Vec<usize> = (0..report.environments.len()).filter(is_timed).collect();
    if timed.is_empty() { (0..report.environments.len()).collect() } else { timed }
}

/// Of each operation on each device the largest case that another code's figure of the same machine stands beside, else one of another
/// machine, else the largest; with the most threads.
pub(crate) fn headlines(report: &Report) -> Vec<Headline<'_>> {
    let mut found = Vec::new();
    for operation in report.operations() {
        for environment in shown(report) {
            let mine = report.measurements.iter().filter(|case| {
                (case.environment, case.operation.as_str()) == (environment, operation) && case.is_plain()
            });
            let rank = |case: &Measurement| {
                let near = beside(report, case).map_or(0, |peer| 1 + u8::from(report.same_machine(environment, peer)));
                (case.threads, near, case.values() as u64, std::cmp::Reverse((case.seconds * 1e12) as u64))
            };
            if let Some(case) = mine.max_by_key(|case| rank(case)) {
                found.push(Headline { case, peer: beside(report, case) });
            }
        }
    }
    found
}

/// The fastest other code beside a case, of the same machine if there is one.
fn beside<'a>(report: &'a Report, case: &Measurement) -> Option<&'a Peer> {
    let peers = report.peers.iter().filter(|peer| report.comparable(case, peer));
    peers.min_by(|a, b| {
        let elsewhere = |peer: &Peer| !report.same_machine(case.environment, peer);
        elsewhere(a).cmp(&elsewhere(b)).then(a.seconds.total_cmp(&b.seconds))
    })
}

/// The table that a report opens with.
pub(crate) fn overview(report: &Report) -> Table {
    let row = |headline: &Headline<'_>| {
        let Headline { case, peer } = headline;
        vec![
            case.operation.clone(),
            report.label(case.environment),
            format!("{}, {}", case.element, case.size()),
            peer.map_or(NONE.into(), |peer| {
                let elsewhere = if report.same_machine(case.environment, peer) { "" } else { " *" };
                format!("{}{elsewhere}", peer.code)
            }),
            headline.won(),
            seconds(case.seconds),
            time(case.floor_seconds),
            case.floor_seconds.map_or(NONE.into(), |floor| three_digits(case.seconds / floor)),
            time(peer.map(|peer| peer.seconds)),
        ]
    };
    let rows: Vec<Vec<String>> = headlines(report).iter().map(row).collect();
    Table {
        title: "Every operation at a glance (* on another machine)".into(),
        head: vec![
            "operation",
            "device",
            "case",
            "best other code",
            "faster",
            "ours",
            "floor",
            "ours/floor",
            "best other",
        ],
        rows,
        names: 5,
    }
}

/// Where others are faster: a sentence for a table, or that none is.
pub(crate) fn where_others_are_faster(report: &Report, operation: &str) -> Option<String> {
    let mine = report.measurements.iter().filter(|case| case.operation == operation && case.is_plain());
    let mut compared = 0;
    let mut faster: Vec<String> = Vec::new();
    for case in mine {
        let peers = report
            .peers
            .iter()
            .filter(|peer| report.comparable(case, peer) && report.same_machine(case.environment, peer));
        let Some(peer) = peers.min_by(|a, b| a.seconds.total_cmp(&b.seconds)) else { continue };
        compared += 1;
        let ratio = case.seconds / peer.seconds;
        if ratio >= EVEN {
            let threads = case.threads.map_or(String::new(), |threads| format!(" on {threads} threads"));
            let what = format!("{} of {}{threads}", case.size(), case.element);
            faster.push(format!("{} by {} times ({what})", peer.code, three_digits(ratio)));
        }
    }
    match (compared, faster.len()) {
        (0, _) => None,
        (_, 0) => Some(format!("No other code of this machine is faster in any of {compared} cases.")),
        _ => Some(format!("Others are faster in {} of {compared} cases: {}.", faster.len(), faster.join("; "))),
    }
}

/// The places of the papers: what stands there, the command, and our figures, the papers' and other codes'.
pub(crate) fn papers(report: &Report) -> Option<Table> {
    let headlines = headlines(report);
    let row = |paper: &Paper| {
        let mine: Vec<&Headline<'_>> =
            headlines.iter().filter(|headline| headline.case.operation == paper.operation).collect();
        let list = |text: &dyn Fn(&Headline<'_>) -> Option<String>| {
            let texts: Vec<String> = mine.iter().filter_map(|headline| text(headline)).collect();
            if texts.is_empty() { NONE.into() } else { texts.join("; ") }
        };
        vec![
            paper.paper.clone(),
            paper.statement.clone(),
            paper.command.clone(),
            list(&|headline| {
                let case = headline.case;
                Some(format!("{}: {} ({})", report.label(case.environment), seconds(case.seconds), case.size()))
            }),
            paper.value.map_or_else(|| NONE.into(), |value| format!("{value} {}", paper.unit)),
            list(&|headline| headline.peer.map(|peer| format!("{}: {}", peer.code, seconds(peer.seconds)))),
            list(&|headline| headline.case.floor_seconds.map(seconds)),
        ]
    };
    let rows: Vec<Vec<String>> = report.papers.iter().map(row).collect();
    (!rows.is_empty()).then(|| Table {
        title: "The papers' tables and figures".into(),
        head: vec!["paper", "what", "command", "ours", "stated", "other codes", "floor"],
        rows,
        names: 7,
    })
}

#[cfg(test)]
mod tests {
    use super::super::data::sample;
    use super::{overview, papers, where_others_are_faster};

    #[test]
    fn an_operation_has_a_row_for_each_device() {
        let table = overview(&sample());
        assert!(table.rows.iter().all(|row| row.len() == table.head.len()));
        // The host has no other code and shows its largest case; the device's 2^26 takes 309 us, the other code 1334 us.
        assert_eq!(table.rows.len(), 2);
        assert_eq!((table.rows[0][2].as_str(), table.rows[0][4].as_str()), ("f32, 2²⁶", "–"));
        assert_eq!(table.rows[1][3..6], ["CUDA samples fastWalshTransform", "ours, 4.32 times", "309 µs"]);
    }

    #[test]
    fn who_is_faster_is_said() {
        let mut report = sample();
        let told = where_others_are_faster(&report, "walsh").unwrap();
        assert!(told.starts_with("No other code"), "{told}");
        report.peers[0].seconds = 1e-6;
        let told = where_others_are_faster(&report, "walsh").unwrap();
        assert!(told.starts_with("Others are faster in 1 of 4 cases: CUDA samples"), "{told}");
        assert_eq!(where_others_are_faster(&report, "haar"), None);
    }

    #[test]
    fn places_of_papers_have_our_figures() {
        let table = papers(&sample()).unwrap();
        assert!(table.rows[0][3].contains("NVIDIA H200") && table.rows[0][4] == "12.5 speedup", "{:?}", table.rows);
    }
}
