//! The standard shapes, whose choices ship with the library: a list of `explain`'s arguments, kept as data.

use clap::{FromArgMatches as _, Subcommand as _};
use manycore::DeviceKind;
use serde_json::json;

use super::standard::Shape;
use crate::commands::choice::Chosen;
use crate::error::Error;

const TEXT: &str = include_str!("standard_shapes.txt");

/// Shapes that differ in their sizes alone, and so share kernels.
pub(super) type Family = Vec<Shape>;

/// The families of shapes that are measured on a kind of device, those used most first.
///
/// # Errors
/// [`Error::Usage`] for a line that `explain` does not take.
pub(super) fn families(kind: DeviceKind) -> Result<Vec<Family>, Error> {
    let section = if kind == DeviceKind::Host { "[host]" } else { "[gpu]" };
    let lines = TEXT.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let lines = lines.skip_while(|line| *line != section).skip(1).take_while(|line| !line.starts_with('['));
    let families = lines.flat_map(|line| expanded(line, words));
    families.map(|family| expanded(&family, numbers).iter().map(|line| shape(line)).collect()).collect()
}

/// A line with each of the values of every pair of braces that `read` reads, those of the last pair varying fastest.
fn expanded(line: &str, read: fn(&str) -> Option<Vec<String>>) -> Vec<String> {
    let found = line.match_indices('{').find_map(|(open, _)| {
        let close = open + line[open..].find('}')?;
        Some((open, close, read(&line[open + 1..close])?))
    });
    let Some((open, close, values)) = found else { return vec![line.to_owned()] };
    let (before, after) = (&line[..open], &line[close + 1..]);
    values.iter().flat_map(|value| expanded(&format!("{before}{value}{after}"), read)).collect()
}

/// `A,B` as words.
fn words(text: &str) -> Option<Vec<String>> {
    text.contains(',').then(|| text.split(',').map(str::to_owned).collect())
}

/// `A..B` as numbers, both ends included.
fn numbers(text: &str) -> Option<Vec<String>> {
    let (first, last) = text.split_once("..")?;
    let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
    Some((first..=last).map(|number| number.to_string()).collect())
}

fn shape(line: &str) -> Result<Shape, Error> {
    let wrong = |error: clap::Error| Error::Usage(format!("standard shape `{line}`: {error}"));
    let command = Chosen::augment_subcommands(clap::Command::new("explain").no_binary_name(true));
    let matches = command.try_get_matches_from(line.split_whitespace()).map_err(wrong)?;
    let operation = Chosen::from_arg_matches(&matches).map_err(wrong)?;
    let told = json!({ "shape": line }).as_object().cloned().unwrap_or_default();
    Ok(Shape { operation, told })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::choice;

    #[test]
    fn braces_stand_for_their_values() {
        assert_eq!(
            expanded("a {x,y} {1..2} {u,v}", words),
            ["a x {1..2} u", "a x {1..2} v", "a y {1..2} u", "a y {1..2} v"]
        );
        assert_eq!(expanded("2^{9..11}", numbers), ["2^9", "2^10", "2^11"]);
        assert_eq!(expanded("{} {a} {3..x}", numbers), ["{} {a} {3..x}"]);
    }

    /// Operations with a single plan on the host, where nothing is measured.
    const ONE_PLAN_ON_HOST: &[&str] = &["poly-eval", "sort-numbers"];

    #[test]
    fn every_line_is_a_shape_of_its_operation() {
        for kind in [DeviceKind::Host, DeviceKind::Gpu] {
            let families = families(kind).unwrap();
            for name in choice::names() {
                let shapes = families.iter().flatten().filter(|shape| shape.operation.name() == name);
                let is_measured = kind != DeviceKind::Host || !ONE_PLAN_ON_HOST.contains(&name);
                assert_eq!(shapes.count() > 1, is_measured, "{kind:?}: {name}");
            }
            for family in &families {
                assert!(family.iter().all(|shape| shape.operation.name() == family[0].operation.name()));
            }
        }
        assert!(shape("ntt --m 8").is_err());
    }
}
