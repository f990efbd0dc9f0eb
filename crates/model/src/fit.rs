//! From measured times to parameters: medians and straight lines that a few disturbed measurements do not move.

use crate::machine::CacheLevel;

/// The median and how far measurements lie from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// The median.
    pub median: f64,
    /// The median distance from it, as a part of it.
    pub spread: f64,
    /// The least.
    pub least: f64,
}

/// The median, spread and least of `values`; `None` for none, or where one is not finite.
///
/// ```
/// use manycore_model::fit::summary;
/// let found = summary(&[10.0, 11.0, 9.0, 500.0, 10.0]).unwrap();
/// assert_eq!((found.median, found.spread, found.least), (10.0, 0.1, 9.0));
/// ```
pub fn summary(values: &[f64]) -> Option<Summary> {
    let median = median(values.to_vec())?;
    let distance = crate::fit::median(values.iter().map(|value| (value - median).abs()).collect())?;
    let spread = if median == 0.0 { 0.0 } else { distance / median.abs() };
    Some(Summary { median, spread, least: values.iter().copied().fold(f64::INFINITY, f64::min) })
}

/// The median of `values`, the mean of the middle two for an even number; `None` for none, or where one is not finite.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    if values.is_empty() || !values.iter().all(|value| value.is_finite()) {
        return None;
    }
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    Some(if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) })
}

/// A line `y = start + slope * x`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// The value at 0: what every run takes, such as a launch.
    pub start: f64,
    /// What each unit of `x` adds, such as the seconds of an operation.
    pub slope: f64,
}

/// The line through `points` by the medians of Theil and Sen: the slope is the median over all pairs, the start the
/// median of what it leaves. `None` for fewer than two different `x`, or where a value is not finite.
///
/// ```
/// use manycore_model::fit::line;
/// let found = line(&[(1.0, 5.0), (2.0, 7.0), (3.0, 90.0), (4.0, 11.0), (5.0, 13.0)]).unwrap();
/// assert_eq!((found.start, found.slope), (3.0, 2.0));
/// ```
pub fn line(points: &[(f64, f64)]) -> Option<Line> {
    if points.iter().any(|(x, y)| !x.is_finite() || !y.is_finite()) {
        return None;
    }
    let mut slopes = Vec::new();
    for (i, a) in points.iter().enumerate() {
        slopes.extend(points[i + 1..].iter().filter(|b| (b.0 - a.0).abs() > 0.0).map(|b| (b.1 - a.1) / (b.0 - a.0)));
    }
    let slope = median(slopes)?;
    let start = median(points.iter().map(|(x, y)| y - slope * x).collect())?;
    Some(Line { start, slope })
}

/// Caches from the rates at which footprints of ascending size were moved: a level ends where the next footprint's rate is
/// less than 3/4 of the level's; the last level is memory itself and is left out.
///
/// ```
/// use manycore_model::fit::cache_levels;
/// let rates = [(16, 100.0), (32, 96.0), (64, 41.0), (128, 40.0), (256, 11.0), (512, 10.0)];
/// let levels = cache_levels(&rates);
/// assert_eq!(levels.iter().map(|level| (level.bytes, level.rate)).collect::<Vec<_>>(), [(32, 98.0), (128, 40.5)]);
/// ```
pub fn cache_levels(rates: &[(u64, f64)]) -> Vec<CacheLevel> {
    let mut levels: Vec<Vec<(u64, f64)>> = Vec::new();
    for &(bytes, rate) in rates {
        let same = levels.last().and_then(|level| median(level.iter().map(|point| point.1).collect()));
        match (levels.last_mut(), same) {
            (Some(level), Some(usual)) if rate >= 0.75 * usual => level.push((bytes, rate)),
            _ => levels.push(vec![(bytes, rate)]),
        }
    }
    levels.pop();
    let level = |points: &Vec<(u64, f64)>| {
        let rate = median(points.iter().map(|point| point.1).collect())?;
        Some(CacheLevel { bytes: points.last()?.0, rate })
    };
    levels.iter().filter_map(level).collect()
}

/// [`cache_levels`], and as a last level the footprint that the last cache holds in part: the first one beyond it, where it moves
/// at 5/4 of the median rate of the longer ones or more.
///
/// ```
/// use manycore_model::fit::cache_levels_and_edge;
/// let rates = [(8, 31.0), (16, 30.0), (32, 13.0), (64, 10.0), (128, 9.8), (256, 9.9)];
/// let levels = cache_levels_and_edge(&rates);
/// assert_eq!(levels.iter().map(|level| (level.bytes, level.rate)).collect::<Vec<_>>(), [(16, 30.5), (32, 13.0)]);
/// ```
pub fn cache_levels_and_edge(rates: &[(u64, f64)]) -> Vec<CacheLevel> {
    const FASTER: f64 = 1.25;
    let mut levels = cache_levels(rates);
    let held = levels.last().map_or(0, |level| level.bytes);
    let mut beyond = rates.iter().filter(|(bytes, _)| *bytes > held).copied();
    let edge = beyond.next();
    if let (Some((bytes, rate)), Some(memory)) = (edge, median(beyond.map(|(_, rate)| rate).collect()))
        && rate >= FASTER * memory
    {
        levels.push(CacheLevel { bytes, rate });
    }
    levels
}

/// The slowdowns that [`slowdown`] tells, at most and, as an inverse, at least.
const MOST_SLOWDOWN: f64 = 256.0;

/// How many times as long operations take as a model says, from one measurement: the factor at which `predict`, which grows
/// with it, gives `measured_seconds`. Where it grows only from some factor on, since something else takes longer up to
/// there, the largest that fits. Within 1/256 and 256; `None` where no factor in that range does.
///
/// ```
/// use manycore_model::fit::slowdown;
/// // 1 us for the launch, then moving or computing, whichever takes longer.
/// let predict = |factor: f64| 1e-6 + f64::max(3e-6, 2e-6 * factor);
/// assert!((slowdown(9e-6, predict).unwrap() - 4.0).abs() < 1e-6);
/// assert_eq!(slowdown(3e-6, predict), None); // moving alone is predicted to take longer
/// ```
pub fn slowdown(measured_seconds: f64, predict: impl Fn(f64) -> f64) -> Option<f64> {
    // 60 halvings of the range of logarithms leave nothing of it.
    const HALVINGS: usize = 60;
    let reach = MOST_SLOWDOWN.ln();
    let at = |log: f64| predict(log.exp());
    let (mut low, mut high) = (-reach, reach);
    // Not a number fails both.
    let explained = at(low) <= measured_seconds && measured_seconds <= at(high);
    if !explained {
        return None;
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if at(middle) <= measured_seconds { low = middle } else { high = middle }
    }
    Some(low.exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slowdown_is_the_factor_that_the_prediction_wants() {
        let predict = |factor: f64| 5e-6 + 1e-4 * factor;
        for factor in [0.01, 0.5, 1.0, 4.9, 200.0] {
            let found = slowdown(predict(factor), predict).unwrap();
            assert!((found / factor - 1.0).abs() < 1e-9, "{factor}: {found}");
        }
        // Memory takes 1 ms whatever the factor below 10.
        let bound = |factor: f64| f64::max(1e-3, predict(factor));
        assert!((slowdown(1e-3, bound).unwrap() - 9.95).abs() < 1e-6, "the largest that fits");
        assert!((slowdown(2e-3, bound).unwrap() - 19.95).abs() < 1e-6);
    }

    #[test]
    fn seconds_that_no_factor_explains_tell_no_slowdown() {
        let predict = |factor: f64| 5e-6 + 1e-4 * factor;
        for seconds in [4e-6, 0.0, -1.0, 1.0, f64::INFINITY, f64::NAN] {
            assert_eq!(slowdown(seconds, predict), None, "{seconds}");
        }
        assert_eq!(slowdown(1e-3, |_| f64::NAN), None);
    }

    #[test]
    fn an_edge_is_faster_than_what_lies_beyond() {
        let bytes = |rates: &[(u64, f64)]| -> Vec<u64> {
            cache_levels_and_edge(rates).iter().map(|level| level.bytes).collect()
        };
        assert_eq!(bytes(&[(1, 9.0), (2, 4.0), (4, 3.0), (8, 3.0)]), [1, 2]);
        assert_eq!(bytes(&[(1, 9.0), (2, 3.6), (4, 3.0), (8, 3.0)]), [1]);
        // Nothing beyond it, no cache at all, nothing.
        assert_eq!(bytes(&[(1, 9.0), (2, 4.0)]), [1]);
        assert_eq!(bytes(&[(1, 3.0), (2, 3.0), (4, 3.0)]), [0; 0]);
        assert_eq!(bytes(&[]), [0; 0]);
    }

    #[test]
    fn nothing_comes_of_nothing() {
        assert_eq!(summary(&[]), None);
        assert_eq!(summary(&[1.0, f64::NAN]), None);
        assert_eq!((summary(&[f64::INFINITY]), median(vec![f64::NEG_INFINITY, f64::INFINITY])), (None, None));
        assert_eq!(line(&[(1.0, 2.0)]), None);
        assert_eq!(line(&[(1.0, 2.0), (1.0, 3.0)]), None);
        assert_eq!(line(&[(1.0, f64::INFINITY), (2.0, 3.0)]), None);
    }

    #[test]
    fn even_numbers_take_the_middle_pair() {
        assert_eq!(median(vec![4.0, 1.0, 3.0, 2.0]), Some(2.5));
        assert_eq!(summary(&[0.0, 0.0]).map(|s| s.spread), Some(0.0));
    }

    #[test]
    fn a_third_of_outliers_moves_no_line() {
        let mut points: Vec<(f64, f64)> = (0..12).map(|i| (f64::from(i), 0.5 + 0.25 * f64::from(i))).collect();
        for i in [2, 5, 9] {
            points[i].1 *= 10.0;
        }
        let found = line(&points).unwrap();
        assert!((found.slope - 0.25).abs() < 0.02 && (found.start - 0.5).abs() < 0.2, "{found:?}");
    }
}
