//! The model beside the clock: the verdict of every sweep, and its predicted curve beside the measured one.

use super::data::{Report, Sweep, SweepPoint};
use super::svg::{Axis, Plot, Point, Series, Style};
use super::tables::{NONE, Table};
use super::{seconds, three_digits};

/// A choice may take so much longer than the best candidate.
const MOST_OVER_BEST: f64 = 1.15;
/// A prediction may be so far off, either way.
const MOST_FACTOR: f64 = 2.0;

/// The verdicts, a row a sweep; `None` where nothing was swept.
pub(crate) fn table(report: &Report) -> Option<Table> {
    let rows: Vec<Vec<String>> = report.sweeps.iter().map(|sweep| row(report, sweep)).collect();
    (!rows.is_empty()).then(|| Table {
        title: format!(
            "Choices within {:.0} % of the best and predictions within a factor of {MOST_FACTOR}: {} of {}",
            100.0 * (MOST_OVER_BEST - 1.0),
            report.sweeps.iter().filter(|sweep| holds(sweep)).count(),
            report.sweeps.len()
        ),
        head: vec![
            "sweep",
            "device",
            "the choice",
            "by",
            "holds",
            "threads",
            "measured candidates",
            "predicted",
            "measured",
            "best",
            "over the best",
            "factor",
            "worst factor",
        ],
        rows,
        names: 5,
    })
}

/// Whether the choice and its prediction are as good as is asked for.
fn holds(sweep: &Sweep) -> bool {
    sweep.chosen_over_best <= MOST_OVER_BEST && sweep.chosen_factor <= MOST_FACTOR
}

fn row(report: &Report, sweep: &Sweep) -> Vec<String> {
    let (chosen, best) = (&sweep.points[sweep.chosen], &sweep.points[sweep.best]);
    vec![
        sweep.case.clone(),
        report.label(sweep.environment),
        chosen.parameters.clone(),
        if sweep.refined { "measurement" } else { "prediction" }.to_owned(),
        if holds(sweep) { "yes" } else { "no" }.to_owned(),
        sweep.threads.map_or(NONE.into(), |threads| threads.to_string()),
        match sweep.considered {
            Some(all) if all > sweep.points.len() => format!("{} of {all}", sweep.points.len()),
            _ => sweep.points.len().to_string(),
        },
        seconds(chosen.predicted_seconds),
        seconds(chosen.measured_seconds),
        seconds(best.measured_seconds),
        three_digits(sweep.chosen_over_best),
        three_digits(sweep.chosen_factor),
        three_digits(sweep.worst_factor),
    ]
}

/// A plot for each sweep of several candidates.
pub(crate) fn plots(report: &Report) -> Vec<String> {
    let several = report.sweeps.iter().filter(|sweep| sweep.points.len() > 1);
    several.map(|sweep| plot(report, sweep).svg()).collect()
}

fn plot(report: &Report, sweep: &Sweep) -> Plot {
    let line = |name: &str, style, colour, value: fn(&SweepPoint) -> f64| Series {
        name: name.to_owned(),
        style,
        colour,
        points: sweep
            .points
            .iter()
            .enumerate()
            .map(|(i, point)| Point { log_len: i as u32, value: value(point), range: None })
            .filter(|point| point.value > 0.0)
            .collect(),
    };
    let threads = match sweep.threads {
        Some(1) => ", 1 thread".to_owned(),
        Some(threads) => format!(", {threads} threads"),
        None => String::new(),
    };
    Plot {
        title: format!("{} on {}{threads}", sweep.case, report.label(sweep.environment)),
        horizontal: Axis::Candidates(sweep.points.iter().map(|point| point.parameters.clone()).collect()),
        vertical: "time",
        format: seconds,
        series: vec![
            line("measured", Style::Measured, 0, |point| point.measured_seconds),
            line("predicted", Style::Peer, 1, |point| point.predicted_seconds),
            line("floor", Style::Floor, 2, |point| point.floor_seconds),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::super::data::sample;
    use super::{plots, table};

    #[test]
    fn a_sweep_has_a_verdict_and_a_plot() {
        let report = sample();
        let table = table(&report).unwrap();
        assert!(table.title.ends_with("1 of 2"), "{}", table.title);
        assert_eq!(table.rows[0].len(), table.head.len());
        assert_eq!(table.rows[0][3..5], ["measurement", "yes"]);
        // The second choice takes 1.5 times the best.
        assert_eq!(table.rows[1][3..5], ["prediction", "no"]);
        let plots = plots(&report);
        assert_eq!(plots.len(), 2);
        assert!(
            plots[0].contains("measured, tiles: 100 µs") && plots[0].contains("predicted, tiles: 120 µs"),
            "{}",
            plots[0]
        );
    }
}
