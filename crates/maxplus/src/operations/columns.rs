//! Columns of the star of a graph without circuits, each the longest paths from a node: parts of the work of several processes.

use std::ops::Range;

use manycore_device::DeviceSet;
use manycore_operation::{Arguments, OperationError, Value};
use manycore_semiring::operations::Rows;
use serde_json::json;

use super::graph::FileWeight;
use super::paths::{Algebra, weights};
use super::star_check::{entry, longest};
use crate::error::MaxPlusError;
use crate::graph::{Extremum, Graph};
use crate::star::{MaxPlus, Star, StarOptions};

/// Ranges of columns of a device, at most, where several share those of a part.
const SHARES: usize = 4;

/// Refuses a graph whose star does not split.
///
/// # Errors
/// That a graph has circuits.
pub(super) fn splits<T: FileWeight>(graph: &Graph<T>, name: &str) -> Result<(), OperationError> {
    if graph.topological_order().is_ok() {
        return Ok(());
    }
    let reason = "a graph with circuits is eliminated node after node, which every column waits for";
    Err(OperationError::usage(format!("`{name}` does not split so: {reason}")))
}

/// These columns, row after row.
///
/// # Errors
/// What is wrong with the graph, or with a device.
pub(super) fn of<T: FileWeight>(
    graph: &Graph<T>,
    extremum: Extremum,
    columns: Range<usize>,
    options: &StarOptions,
    devices: &DeviceSet,
) -> Result<Vec<T>, MaxPlusError> {
    let turned = longest(graph, extremum);
    let least = columns.len().div_ceil(SHARES * devices.devices().len()).max(1);
    let made: Result<Vec<(_, Star<T>)>, MaxPlusError> = devices.share(columns.len(), least, |device, own| {
        let own = columns.start + own.start..columns.start + own.end;
        MaxPlus::new(device).star_columns(&turned, own, options)
    });
    let made = made.map_err(|error| if extremum == Extremum::Minimum { error.opposite() } else { error })?;
    let row = |to| {
        let path = move |star: &Star<T>, from| entry(star.get(to, from), extremum);
        made.iter().flat_map(move |(_, star)| star.columns().map(move |from| path(star, from)))
    };
    Ok((0..graph.nodes()).flat_map(row).collect())
}

/// The columns as parts have them: each row's entries in them, as JSON and as text.
pub(super) fn part<T: FileWeight>(rows: &Rows<T>) -> Value {
    let json = json!({ "rows": rows.json_rows().collect::<Vec<_>>(), "lines": rows.lines().collect::<Vec<_>>() });
    Value::Shown { text: String::new(), json }
}

/// The star whose rows are these lines, as it is computed with these options; `None` where a word is no weight or a row is none of as many
/// columns as there are rows.
pub fn star_of_lines(arguments: &Arguments, lines: &[String]) -> Option<Value> {
    match arguments.word("type") {
        Some("i32") => of_lines::<i32>(arguments, lines),
        Some("f32") => of_lines::<f32>(arguments, lines),
        Some("f64") => of_lines::<f64>(arguments, lines),
        _ => of_lines::<i64>(arguments, lines),
    }
}

fn of_lines<T: FileWeight + 'static>(arguments: &Arguments, lines: &[String]) -> Option<Value> {
    let weight = |word: &str| match word {
        "inf" => Some(T::GREATEST),
        "-inf" => Some(T::LEAST),
        word => T::parse(word),
    };
    let mut entries: Vec<T> = Vec::new();
    for (row, line) in (1..).zip(lines) {
        for word in line.split(' ') {
            entries.push(weight(word)?);
        }
        if entries.len() != row * lines.len() {
            return None;
        }
    }
    Some(weights(lines.len(), entries, Algebra::of(arguments).extremum()).value())
}

#[cfg(test)]
mod tests {
    use manycore_operation::Setting;

    use super::*;

    #[test]
    fn lines_are_stars() {
        let arguments = Arguments::new().with("type", Setting::Word("f64"));
        let lines = |lines: [&str; 2]| star_of_lines(&arguments, &lines.map(str::to_owned));
        let value = lines(["0 -inf", "-4.5 0"]).unwrap();
        assert_eq!(serde_json::to_string(&value).unwrap(), r#"[[0.0,"-Infinity"],[-4.5,0.0]]"#);
        let mut text = Vec::new();
        value.write_text(&mut text).unwrap();
        assert_eq!(text, b"0 -inf\n-4.5 0\n");
        for wrong in [["0", "-4.5 0"], ["0 x", "1 0"], ["0 1 2", "0"]] {
            assert_eq!(lines(wrong), None, "{wrong:?}");
        }
    }
}
