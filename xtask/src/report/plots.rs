//! Which plots an operation has: time and throughput over length, for each element type, single and batched.

use super::data::{Measurement, Report};
use super::svg::{COLOURS, Plot, Point, Series, Style};
use super::{power_of_two, seconds, three_digits};

/// What a plot's vertical axis shows.
#[derive(Clone, Copy)]
enum Quantity {
    Time,
    Throughput,
}

impl Quantity {
    /// The value of a case that took `seconds` for `values` values.
    fn of(self, values: f64, seconds: f64) -> f64 {
        match self {
            Self::Time => seconds,
            Self::Throughput => values / seconds,
        }
    }

    fn axis(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Throughput => "throughput (values/s)",
        }
    }

    fn format(self) -> fn(f64) -> String {
        match self {
            Self::Time => seconds,
            Self::Throughput => rate,
        }
    }
}

/// Values a second, with a prefix.
fn rate(value: f64) -> String {
    let (scaled, prefix) = match value {
        v if v >= 0.9995e12 => (v * 1e-12, "T"),
        v if v >= 0.9995e9 => (v * 1e-9, "G"),
        v if v >= 0.9995e6 => (v * 1e-6, "M"),
        v => (v * 1e-3, "k"),
    };
    format!("{} {prefix}/s", three_digits(scaled))
}

/// The plots of one operation as SVG elements.
pub(crate) fn of_operation(report: &Report, operation: &str) -> Vec<String> {
    let cases: Vec<&Measurement> = report.measurements.iter().filter(|case| case.operation == operation).collect();
    let mut elements: Vec<&str> = Vec::new();
    for case in &cases {
        if !elements.contains(&case.element.as_str()) {
            elements.push(&case.element);
        }
    }
    let mut plots = Vec::new();
    for element in elements {
        for batched in [false, true] {
            let group: Vec<&Measurement> =
                cases.iter().copied().filter(|case| case.element == element && (case.batch > 1) == batched).collect();
            for part in split(&group) {
                for quantity in [Quantity::Time, Quantity::Throughput] {
                    plots.push(plot(report, operation, element, batched, &part, quantity).svg());
                }
            }
        }
    }
    plots.retain(|plot| !plot.is_empty());
    plots
}

/// The cases of each plot: all together, or by device where one plot would have too many lines.
fn split<'a>(group: &[&'a Measurement]) -> Vec<Vec<&'a Measurement>> {
    let mut keys: Vec<Key<'_>> = Vec::new();
    let mut environments: Vec<usize> = Vec::new();
    for case in group {
        if !keys.contains(&Key::of(case)) {
            keys.push(Key::of(case));
        }
        if !environments.contains(&case.environment) {
            environments.push(case.environment);
        }
    }
    if keys.len() <= COLOURS {
        return vec![group.to_vec()];
    }
    let of = |environment: &usize| group.iter().copied().filter(|case| case.environment == *environment).collect();
    environments.iter().map(of).collect()
}

/// What makes a line of a plot.
#[derive(PartialEq, Clone, Copy)]
struct Key<'a> {
    environment: usize,
    order: &'a str,
    algorithm: &'a str,
    threads: Option<u64>,
    /// Values in all, for batched cases.
    total: Option<u64>,
}

impl<'a> Key<'a> {
    fn of(case: &'a Measurement) -> Self {
        Self {
            environment: case.environment,
            order: &case.order,
            algorithm: &case.algorithm,
            threads: case.threads,
            total: (case.batch > 1).then(|| case.values() as u64),
        }
    }
}

/// Names of the lines: the device, and what differs between lines of the same plot.
fn name(report: &Report, key: &Key<'_>, all: &[Key<'_>]) -> String {
    let mut parts = vec![report.label(key.environment)];
    if all.iter().any(|other| other.algorithm != key.algorithm) && !key.algorithm.is_empty() {
        parts.push(key.algorithm.to_owned());
    }
    if all.iter().any(|other| other.order != key.order) && !key.order.is_empty() {
        parts.push(key.order.to_owned());
    }
    let siblings = all.iter().filter(|other| other.environment == key.environment);
    if let Some(threads) = key.threads
        && siblings.clone().any(|other| other.threads != key.threads)
    {
        parts.push(if threads == 1 { "1 thread".into() } else { format!("{threads} threads") });
    }
    if let Some(total) = key.total {
        let text = if total.is_power_of_two() { power_of_two(total.ilog2()) } else { total.to_string() };
        parts.push(format!("{text} values in all"));
    }
    parts.join(", ")
}

fn plot(
    report: &Report,
    operation: &str,
    element: &str,
    batched: bool,
    cases: &[&Measurement],
    quantity: Quantity,
) -> Plot {
    let mut keys: Vec<Key<'_>> = Vec::new();
    for case in cases {
        if !keys.contains(&Key::of(case)) {
            keys.push(Key::of(case));
        }
    }
    let mut series = Vec::new();
    let mut floored: Vec<(usize, Vec<Point>)> = Vec::new();
    for (colour, key) in keys.iter().enumerate() {
        let mine = cases.iter().filter(|case| Key::of(case) == *key);
        let points = mine.clone().map(|case| Point {
            log_len: case.log_len,
            value: quantity.of(case.values(), case.seconds),
            range: range(case, quantity),
        });
        series.push(Series {
            name: name(report, key, &keys),
            style: Style::Measured,
            colour,
            points: ordered(points.collect()),
        });
        let floors = mine.filter_map(|case| {
            let value = quantity.of(case.values(), case.floor_seconds?);
            Some(Point { log_len: case.log_len, value, range: None })
        });
        let floors = ordered(floors.collect());
        // Lines of one device often share their floor: the first of them draws it.
        let drawn = floored.iter().any(|(environment, points)| *environment == key.environment && *points == floors);
        if !drawn && !floors.is_empty() {
            let alone = !floored.iter().any(|(environment, _)| *environment == key.environment);
            let device = if alone { report.label(key.environment) } else { name(report, key, &keys) };
            series.push(Series {
                name: format!("{device}: floor"),
                style: Style::Floor,
                colour,
                points: floors.clone(),
            });
            floored.push((key.environment, floors));
        }
    }
    series.extend(peers(report, operation, element, batched, quantity, keys.len()));
    let what = match quantity {
        Quantity::Time => "time",
        Quantity::Throughput => "throughput",
    };
    let many = if batched { ", batches" } else { "" };
    Plot {
        title: format!("{operation} {element}{many}: {what}"),
        vertical: quantity.axis(),
        format: quantity.format(),
        series,
    }
}

fn peers(
    report: &Report,
    operation: &str,
    element: &str,
    batched: bool,
    quantity: Quantity,
    first: usize,
) -> Vec<Series> {
    let mut names: Vec<(&str, &str)> = Vec::new();
    let fitting = || {
        report
            .peers
            .iter()
            .filter(|peer| peer.operation == operation && peer.element == element && (peer.batch > 1) == batched)
    };
    for peer in fitting() {
        if !names.contains(&(&peer.code, &peer.machine)) {
            names.push((&peer.code, &peer.machine));
        }
    }
    let line = |(index, (code, machine)): (usize, &(&str, &str))| {
        let mine = fitting().filter(|peer| peer.code == *code && peer.machine == *machine);
        let point = |peer: &super::data::Peer| {
            let values = peer.batch as f64 * f64::from(peer.log_len).exp2();
            Point { log_len: peer.log_len, value: quantity.of(values, peer.seconds), range: None }
        };
        let points = ordered(mine.map(point).collect());
        Series { name: format!("{code} on {machine}"), style: Style::Peer, colour: first + index, points }
    };
    names.iter().enumerate().map(line).collect()
}

fn range(case: &Measurement, quantity: Quantity) -> Option<(f64, f64)> {
    let positive = |seconds: f64| (seconds > 0.0).then(|| quantity.of(case.values(), seconds));
    let (one, other) = (positive(case.minimum?)?, positive(case.maximum?)?);
    Some((one.min(other), one.max(other)))
}

/// By ascending length, one point a length: the first measured.
fn ordered(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by_key(|point| point.log_len);
    points.dedup_by_key(|point| point.log_len);
    points
}

#[cfg(test)]
mod tests {
    use super::super::data::sample;
    use super::{of_operation, rate};

    #[test]
    fn time_and_throughput_single_and_batched() {
        let plots = of_operation(&sample(), "walsh");
        assert_eq!(plots.len(), 4);
        assert!(plots[0].contains("walsh f32: time") && plots[1].contains("walsh f32: throughput"));
        assert!(plots[2].contains("batches") && plots[2].contains("2²⁷ values in all"));
        // Two devices with a floor each, and one peer.
        assert_eq!(plots[0].matches("class=\"legend\"").count(), 5);
        assert!(plots[0].contains("EPYC &lt;2 cores&gt;: floor"));
        assert!(plots[0].contains("CUDA samples fastWalshTransform on NVIDIA H200"));
        assert!(of_operation(&sample(), "haar").is_empty());
    }

    #[test]
    fn rates_have_prefixes() {
        assert_eq!(rate(2.5e11), "250 G/s");
        assert_eq!(rate(1e9), "1.00 G/s");
        assert_eq!(rate(3.1e6), "3.10 M/s");
    }
}
