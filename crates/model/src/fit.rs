//! From measured times to parameters: medians, which a few disturbed measurements do not move, and cache levels.

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

/// Caches from the rates at which footprints of ascending size were moved: a level ends where the next footprint's rate
/// is less than 3/4 of the level's; the last level is memory itself and is left out.
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

/// [`cache_levels`], and as a last level the footprint that the last cache holds in part: the first one beyond it,
/// where it moves at 5/4 of the median rate of the longer ones or more.
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

#[cfg(test)]
mod tests {
    use super::*;

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
    }

    #[test]
    fn even_numbers_take_the_middle_pair() {
        assert_eq!(median(vec![4.0, 1.0, 3.0, 2.0]), Some(2.5));
        assert_eq!(summary(&[0.0, 0.0]).map(|s| s.spread), Some(0.0));
    }
}
