//! The plots of an operation: time and throughput over length, for each device and element type, single and batched.

use manycore_pages::{Axis, Plot, Point, Series, Style};

use super::data::{Measurement, Report};
use super::table::{power_of_two, seconds, three_digits};

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

/// The plots of one operation.
pub(crate) fn of_operation(report: &Report, operation: &str) -> Vec<Plot> {
    let cases: Vec<&Measurement> = report.measurements.iter().filter(|case| case.operation == operation).collect();
    let mut elements: Vec<&str> = Vec::new();
    for case in &cases {
        if !elements.contains(&case.element.as_str()) {
            elements.push(&case.element);
        }
    }
    let mut plots = Vec::new();
    for environment in 0..report.environments.len() {
        for &element in &elements {
            for batched in [false, true] {
                let group = cases.iter().copied().filter(|case| {
                    (case.environment, case.element.as_str(), case.batch > 1) == (environment, element, batched)
                });
                let group = lines(&group.collect::<Vec<_>>());
                if group.is_empty() {
                    continue;
                }
                let part = Part { operation, environment, element, batched };
                for quantity in [Quantity::Time, Quantity::Throughput] {
                    plots.push(plot(report, part, &group, quantity));
                }
            }
        }
    }
    plots.retain(|plot| !plot.is_empty());
    plots
}

/// The cases that make lines: without inverses, which take as long, and single points, which the tables show.
fn lines<'a>(group: &[&'a Measurement]) -> Vec<&'a Measurement> {
    let forward: Vec<&Measurement> =
        group.iter().copied().filter(|case| !case.algorithm.ends_with("inverse")).collect();
    let points = |case: &Measurement| forward.iter().filter(|other| Key::of(other) == Key::of(case)).count();
    forward.iter().copied().filter(|case| points(case) > 1).collect()
}

/// Which figures of an operation a plot shows.
#[derive(Clone, Copy)]
struct Part<'a> {
    operation: &'a str,
    environment: usize,
    element: &'a str,
    batched: bool,
}

/// What makes a line of a plot.
#[derive(PartialEq, Clone, Copy)]
struct Key<'a> {
    environment: usize,
    order: &'a str,
    algorithm: &'a str,
    threads: Option<u64>,
    baseline: bool,
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
            baseline: case.baseline,
            total: (case.batch > 1).then(|| case.values() as u64),
        }
    }
}

/// Names of the lines: what differs between lines of the same plot.
fn name(key: &Key<'_>, all: &[Key<'_>]) -> String {
    let mut parts = vec!["Manycore".to_owned()];
    if key.baseline {
        parts = vec!["benches".to_owned()];
    }
    if all.iter().any(|other| other.algorithm != key.algorithm) && !key.algorithm.is_empty() {
        parts.push(key.algorithm.to_owned());
    }
    if all.iter().any(|other| other.order != key.order) && !key.order.is_empty() {
        parts.push(key.order.to_owned());
    }
    if let Some(threads) = key.threads {
        parts.push(if threads == 1 { "1 thread".into() } else { format!("{threads} threads") });
    }
    if let Some(total) = key.total {
        let text = if total.is_power_of_two() { power_of_two(total.ilog2()) } else { total.to_string() };
        parts.push(format!("{text} values in all"));
    }
    parts.join(", ")
}

fn plot(report: &Report, part: Part<'_>, cases: &[&Measurement], quantity: Quantity) -> Plot {
    let Part { operation, environment, element, batched } = part;
    let mut keys: Vec<Key<'_>> = Vec::new();
    for case in cases {
        if !keys.contains(&Key::of(case)) {
            keys.push(Key::of(case));
        }
    }
    let mut series = Vec::new();
    let mut floors_by_threads: Vec<(Option<u64>, Vec<Spot>)> = Vec::new();
    for (colour, key) in keys.iter().enumerate() {
        let mine = cases.iter().filter(|case| Key::of(case) == *key);
        let spots = mine.clone().map(|case| {
            let point = Point::new(length(case.log_len), quantity.of(case.values(), case.seconds));
            (case.log_len, range(case, quantity).map_or(point, |(least, greatest)| point.range(least, greatest)))
        });
        let style = if key.baseline { Style::Peer } else { Style::Measured };
        series.push(Series::new(name(key, &keys), style, ordered(spots.collect())).colour(colour));
        let floors = mine.filter_map(|case| {
            Some((case.log_len, Point::new(length(case.log_len), quantity.of(case.values(), case.floor_seconds?))))
        });
        floors_by_threads.push((key.threads, floors.collect()));
    }
    // All algorithms with as many threads share a floor: the one with the most points draws it.
    let mut drawn: Vec<Option<u64>> = Vec::new();
    for (colour, key) in keys.iter().enumerate() {
        if drawn.contains(&key.threads) {
            continue;
        }
        drawn.push(key.threads);
        let mine = floors_by_threads.iter().filter(|(threads, _)| *threads == key.threads).map(|(_, spots)| spots);
        let threads = match key.threads {
            Some(1) => ", 1 thread".to_owned(),
            Some(threads) => format!(", {threads} threads"),
            None => String::new(),
        };
        let spots = mine.max_by_key(|spots| spots.len()).cloned().unwrap_or_default();
        series.push(Series::new(format!("floor{threads}"), Style::Floor, ordered(spots)).colour(colour));
    }
    series.extend(peers(report, part, quantity, keys.len()));
    let what = match quantity {
        Quantity::Time => "time",
        Quantity::Throughput => "throughput",
    };
    let many = if batched { ", batches" } else { "" };
    let plot = Plot::new(
        format!("{operation} {element}{many} on {}: {what}", report.label(environment)),
        Axis::log2("length").format(manycore_pages::power_of_two),
        Axis::log10(quantity.axis()).format(quantity.format()),
    );
    series.into_iter().fold(plot, Plot::series)
}

/// A point and the logarithm of its length.
type Spot = (u32, Point);

fn length(log_len: u32) -> f64 {
    f64::from(log_len).exp2()
}

fn peers(report: &Report, part: Part<'_>, quantity: Quantity, first: usize) -> Vec<Series> {
    let mut names: Vec<(&str, &str)> = Vec::new();
    let fitting = || {
        report.peers.iter().filter(|peer| {
            (peer.operation.as_str(), peer.element.as_str(), peer.batch > 1)
                == (part.operation, part.element, part.batched)
                && report.beside(part.environment, peer)
        })
    };
    for peer in fitting() {
        if !names.contains(&(&peer.code, &peer.machine)) {
            names.push((&peer.code, &peer.machine));
        }
    }
    let line = |(index, (code, machine)): (usize, &(&str, &str))| {
        let mine = fitting().filter(|peer| peer.code == *code && peer.machine == *machine);
        let spot = |peer: &super::data::Peer| {
            let values = peer.batch as f64 * length(peer.log_len);
            (peer.log_len, Point::new(length(peer.log_len), quantity.of(values, peer.seconds)))
        };
        Series::new(format!("{code} on {machine}"), Style::Peer, ordered(mine.map(spot).collect()))
            .colour(first + index)
    };
    names.iter().enumerate().map(line).collect()
}

fn range(case: &Measurement, quantity: Quantity) -> Option<(f64, f64)> {
    let positive = |seconds: f64| (seconds > 0.0).then(|| quantity.of(case.values(), seconds));
    let (one, other) = (positive(case.minimum?)?, positive(case.maximum?)?);
    Some((one.min(other), one.max(other)))
}

/// By ascending length, one point a length: the first measured.
fn ordered(mut spots: Vec<Spot>) -> Vec<Point> {
    spots.sort_by_key(|spot| spot.0);
    spots.dedup_by_key(|spot| spot.0);
    spots.into_iter().map(|(_, point)| point).collect()
}

#[cfg(test)]
mod tests {
    use manycore_pages::Body;

    use super::super::data::sample;
    use super::{of_operation, rate};

    #[test]
    fn time_and_throughput_single_and_batched() {
        let plots = of_operation(&sample(), "walsh");
        assert_eq!(plots.len(), 6);
        let mut body = Body::new();
        for plot in &plots {
            body.plot(plot);
        }
        let text = body.to_string();
        let host = "walsh f32 on EPYC &lt;2 cores&gt;: ";
        assert!(text.contains(&format!("{host}time")) && text.contains(&format!("{host}throughput")));
        assert!(text.contains("batches") && text.contains("2²⁷ values in all"));
        assert!(text.contains("CUDA samples fastWalshTransform on NVIDIA H200"));
        assert!(of_operation(&sample(), "haar").is_empty());
    }

    #[test]
    fn rates_have_prefixes() {
        assert_eq!(rate(2.5e11), "250 G/s");
        assert_eq!(rate(1e9), "1.00 G/s");
        assert_eq!(rate(3.1e6), "3.10 M/s");
    }
}
