//! Choices beside the clock: the verdict of every sweep, and the times of its candidates; and what launches cost.

use manycore_pages::{Axis, Plot, Point, Series, Style};

use super::data::{Report, Sweep, SweepPoint};
use super::table::{NONE, Table, or_none, seconds, three_digits};

/// A choice may take so much longer than the best candidate.
const MOST_OVER_BEST: f64 = 1.15;

/// The verdicts, a row a sweep; `None` where nothing was swept.
pub(crate) fn table(report: &Report) -> Option<Table> {
    let rows: Vec<Vec<String>> = report.sweeps.iter().map(|sweep| row(report, sweep)).collect();
    (!rows.is_empty()).then(|| Table {
        title: format!(
            "Choices within {:.0} % of the best candidate: {} of {}",
            100.0 * (MOST_OVER_BEST - 1.0),
            report.sweeps.iter().filter(|sweep| holds(sweep)).count(),
            report.sweeps.len()
        ),
        head: vec![
            "sweep",
            "device",
            "the choice",
            "by",
            "the best",
            "holds",
            "threads",
            "measured candidates",
            "estimate",
            "measured",
            "best",
            "over the best",
        ],
        rows,
        names: 6,
    })
}

/// Whether the choice is as good as required.
fn holds(sweep: &Sweep) -> bool {
    sweep.chosen_over_best <= MOST_OVER_BEST
}

fn row(report: &Report, sweep: &Sweep) -> Vec<String> {
    let (chosen, best) = (&sweep.points[sweep.chosen], &sweep.points[sweep.best]);
    vec![
        sweep.case.clone(),
        report.label(sweep.environment),
        chosen.parameters.clone(),
        or_none(&sweep.chosen_by),
        best.parameters.clone(),
        if holds(sweep) { "yes" } else { "no" }.to_owned(),
        sweep.threads.map_or(NONE.into(), |threads| threads.to_string()),
        match sweep.considered {
            Some(all) if all > sweep.points.len() => format!("{} of {all}", sweep.points.len()),
            _ => sweep.points.len().to_string(),
        },
        seconds(chosen.estimate_seconds),
        seconds(chosen.measured_seconds),
        seconds(best.measured_seconds),
        three_digits(sweep.chosen_over_best),
    ]
}

/// The library's launches beside the bare calls; `None` where none were measured.
pub(crate) fn launches(report: &Report) -> Option<Table> {
    let microseconds = |seconds: f64| format!("{:.2}", seconds * 1e6);
    let rows: Vec<Vec<String>> = report
        .launches
        .iter()
        .map(|launches| {
            vec![
                launches.case.clone(),
                report.label(launches.environment),
                launches.arguments.to_string(),
                microseconds(launches.bare_seconds),
                launches.set_seconds.map_or(NONE.into(), microseconds),
                microseconds(launches.library_seconds),
                microseconds(launches.added_seconds),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        title: "What a launch costs the host, of launches in a row".to_owned(),
        head: vec![
            "case",
            "device",
            "arguments",
            "bare call, µs",
            "arguments set, µs",
            "library, µs",
            "difference, µs",
        ],
        rows,
        names: 2,
    })
}

/// A plot for each sweep of several candidates.
pub(crate) fn plots(report: &Report) -> Vec<Plot> {
    let several = report.sweeps.iter().filter(|sweep| sweep.points.len() > 1);
    several.map(|sweep| plot(report, sweep)).collect()
}

fn plot(report: &Report, sweep: &Sweep) -> Plot {
    let line = |name: &str, style, value: fn(&SweepPoint) -> f64| {
        let points = sweep.points.iter().enumerate();
        Series::new(name, style, points.map(|(i, point)| Point::new(i as f64, value(point))))
    };
    let threads = match sweep.threads {
        Some(1) => ", 1 thread".to_owned(),
        Some(threads) => format!(", {threads} threads"),
        None => String::new(),
    };
    let names = sweep.points.iter().map(|point| point.parameters.clone());
    Plot::new(
        format!("{} on {}{threads}", sweep.case, report.label(sweep.environment)),
        Axis::names("candidate, by its estimate", names),
        Axis::log10("time").format(seconds),
    )
    .series(line("measured", Style::Measured, |point| point.measured_seconds))
    .series(line("estimate", Style::Peer, |point| point.estimate_seconds))
    .series(line("floor", Style::Floor, |point| point.floor_seconds))
}

#[cfg(test)]
mod tests {
    use super::super::data::sample;
    use super::{launches, plots, table};

    #[test]
    fn a_sweep_has_a_verdict_and_a_plot() {
        let report = sample();
        let table = table(&report).unwrap();
        assert!(table.title.ends_with("2 of 3"), "{}", table.title);
        assert_eq!(table.rows[0].len(), table.head.len());
        assert_eq!(table.rows[0][3..8], ["measured earlier on this device", "tiles", "yes", "–", "2 of 4"]);
        // The second choice takes 1.5 times the best.
        assert_eq!(table.rows[1][3..6], ["estimated", "columns", "no"]);
        let plots = plots(&report);
        assert_eq!(plots.len(), 2);
        assert!(plots.iter().all(|plot| !plot.is_empty()));
    }

    #[test]
    fn a_launch_is_told_in_microseconds() {
        let table = launches(&sample()).unwrap();
        assert_eq!(table.rows, [["launch/same-arguments", "NVIDIA H200", "7", "4.50", "4.90", "5.10", "0.60"]]);
        assert_eq!(table.rows[0].len(), table.head.len());
    }
}
