//! The definitions, by scanning a stored trace: slow, obvious, and what the simulators are tested against.
//!
//! All take `O(accesses^2)` time at worst.

use std::collections::BTreeSet;

use super::{Geometry, GeometryError, Outcome, Report};

/// Counts of a list of outcomes.
pub fn report(outcomes: &[Outcome]) -> Report {
    let count = |f: fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| f(outcome)).count() as u64;
    Report {
        accesses: outcomes.len() as u64,
        misses: count(|outcome| outcome.is_miss()),
        compulsory: count(|outcome| *outcome == Outcome::Compulsory),
    }
}

/// A set of at most `capacity` lines that replaces the one at the index that `victim(contents, time)` names.
fn simulate(lines: &[u64], capacity: u64, mut victim: impl FnMut(&[u64], usize) -> usize) -> Vec<Outcome> {
    let mut contents: Vec<u64> = Vec::new();
    lines
        .iter()
        .enumerate()
        .map(|(time, line)| {
            if contents.contains(line) {
                return Outcome::Hit;
            }
            if contents.len() as u64 == capacity {
                contents.remove(victim(&contents, time));
            }
            contents.push(*line);
            if lines[..time].contains(line) { Outcome::Replaced } else { Outcome::Compulsory }
        })
        .collect()
}

fn lines_of(geometry: Geometry, addresses: &[u64]) -> Vec<u64> {
    addresses.iter().map(|&address| geometry.line_of(address)).collect()
}

/// Belady's rule: on a miss in a full cache, replaces the line whose next use is farthest away, a line not used again
/// before all others.
pub fn optimal(geometry: Geometry, addresses: &[u64]) -> Vec<Outcome> {
    let lines = lines_of(geometry, addresses);
    let next_use = |line: u64, time: usize| lines[time..].iter().position(|&l| l == line).unwrap_or(usize::MAX);
    simulate(&lines, geometry.lines(), |contents, time| {
        let uses = contents.iter().map(|&line| next_use(line, time));
        uses.enumerate().max_by_key(|&(_, next)| next).map_or(0, |(index, _)| index)
    })
}

/// Fully associative cache that replaces the least recently used line.
pub fn least_recently_used(geometry: Geometry, addresses: &[u64]) -> Vec<Outcome> {
    let lines = lines_of(geometry, addresses);
    let last_use = |line: u64, time: usize| lines[..time].iter().rposition(|&l| l == line);
    simulate(&lines, geometry.lines(), |contents, time| {
        let uses = contents.iter().map(|&line| last_use(line, time));
        uses.enumerate().min_by_key(|&(_, last)| last).map_or(0, |(index, _)| index)
    })
}

/// Set-associative cache: one fully associative cache a set, which sees the accesses to its lines only.
///
/// # Errors
/// As [`Geometry::sets`].
pub fn set_associative(geometry: Geometry, ways: u64, addresses: &[u64]) -> Result<Vec<Outcome>, GeometryError> {
    let sets = geometry.sets(ways)?;
    let one_set = Geometry::with_lines(ways, geometry.line_words())?;
    let mut outcomes = vec![Outcome::Hit; addresses.len()];
    let set_of = |address: u64| geometry.line_of(address) % sets;
    // Sets without an access do not count, and there may be 2^30 of them.
    let used: BTreeSet<u64> = addresses.iter().map(|&address| set_of(address)).collect();
    for set in used {
        let in_set = |&time: &usize| set_of(addresses[time]) == set;
        let times: Vec<usize> = (0..addresses.len()).filter(in_set).collect();
        let own: Vec<u64> = times.iter().map(|&time| addresses[time]).collect();
        for (time, outcome) in times.into_iter().zip(least_recently_used(one_set, &own)) {
            outcomes[time] = outcome;
        }
    }
    Ok(outcomes)
}

/// Reuse distance of each access: the distinct other lines since the last access to its line, `None` at first.
pub fn reuse_distances(geometry: Geometry, addresses: &[u64]) -> Vec<Option<usize>> {
    let lines = lines_of(geometry, addresses);
    let distance = |time: usize| {
        let last = lines[..time].iter().rposition(|&line| line == lines[time])?;
        let mut between = lines[last + 1..time].to_vec();
        between.sort_unstable();
        between.dedup();
        Some(between.len())
    };
    (0..lines.len()).map(distance).collect()
}
