//! `manycore maxplus star` in shards: columns of the star of a graph without circuits, each the longest paths from a node.

use manycore::maxplus::{Extremum, Graph, MaxPlus, MaxPlusError, Star};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::graph::FileWeight;
use super::star::{Algebra, Algorithm, Arguments, COMMAND, check, longest, tell_bound};
use crate::arguments::Global;
use crate::commands::several::Devices;
use crate::error::Error;
use crate::output::{self, Report};
use crate::progress;
use crate::shard::{self, ShardError, Shards, Split};
use crate::verification::verified;
use manycore::semiring::operations::Infinities;

/// Ranges of columns of a device, at most, where several share those of a shard.
const SHARES: usize = 4;

/// Columns of a star, as shards have them: each row's entries in them, as JSON and as text.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    rows: Vec<Vec<Json>>,
    lines: Vec<String>,
}

/// Computes the columns of a shard, and writes them.
///
/// # Errors
/// [`ShardError::NotSplit`] for a graph with circuits; [`Error::MaxPlus`]; [`Error::Output`].
pub(super) fn write<T: FileWeight>(
    arguments: &Arguments,
    global: &Global,
    devices: &Devices,
    graph: &Graph<T>,
) -> Result<(), Error> {
    if graph.topological_order().is_err() {
        let reason = Some("a graph with circuits is eliminated node after node, which every column waits for");
        return Err(ShardError::NotSplit { command: COMMAND.to_owned(), reason }.into());
    }
    let (nodes, extremum) = (graph.nodes(), arguments.extremum());
    let Some(columns) = shard::range(global, nodes) else { return shard::write_empty(global) };
    let (turned, options, set) = (longest(graph, extremum), arguments.options(), devices.set());
    let least = columns.len().div_ceil(SHARES * set.devices().len()).max(1);
    let (made, spent) = devices.measured(|| {
        set.share(columns.len(), least, |device, own| {
            let own = columns.start + own.start..columns.start + own.end;
            MaxPlus::new(device).star_columns(&turned, own, &options)
        })
    })?;
    let told = |error: MaxPlusError| Error::from(if extremum == Extremum::Minimum { error.opposite() } else { error });
    let made: Vec<(_, Star<T>)> = made.map_err(|error| told(error).of(&arguments.graph))?;
    let entry = |path: Option<T>| match (path, extremum) {
        (None, Extremum::Maximum) => T::LOWEST,
        (None, Extremum::Minimum) => T::HIGHEST,
        (Some(path), Extremum::Maximum) => path,
        (Some(path), Extremum::Minimum) => path.opposite(),
    };
    let row = |to| made.iter().flat_map(move |(_, star)| star.columns().map(move |from| entry(star.get(to, from))));
    let rows: Vec<Vec<T>> = (0..nodes).map(|to| row(to).collect()).collect();
    let verification = if global.verify {
        progress::step("verifying");
        Some(verified(check(graph, extremum, columns, &rows), devices)?)
    } else {
        None
    };
    let report = Report::new(COMMAND, arguments.parameters(graph), ()).of_run(devices, spent, verification);
    let line = |row: &Vec<T>| row.iter().map(|&path| Infinities::Kept.text(path)).collect::<Vec<_>>().join(" ");
    let json = |row: &Vec<T>| row.iter().map(|&path| Infinities::Kept.json(path)).collect();
    let part = Part { rows: rows.iter().map(json).collect(), lines: rows.iter().map(line).collect() };
    shard::write(global, &report, &part)
}

impl Split for Arguments {
    fn refusal(&self) -> Option<&'static str> {
        match (self.algebra, self.algorithm) {
            (Algebra::Boolean, _) => Some("--algebra boolean takes 64 nodes at a time through all rows"),
            (_, Algorithm::Closure) => {
                Some("--algorithm closure eliminates node after node, which every column waits for")
            }
            _ => None,
        }
    }

    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        let mut merged = shards.decode::<Part>()?;
        let nodes = usize::try_from(shards.items()).unwrap_or(usize::MAX);
        let parts = std::mem::take(&mut merged.parts);
        if parts.iter().any(|part| part.rows.len() != nodes || part.lines.len() != nodes) {
            return Err(shards.damaged("the parts have not as many rows as the star".to_owned()).into());
        }
        let mut all = Part { rows: vec![Vec::new(); nodes], lines: vec![String::new(); nodes] };
        for part in parts {
            for (row, own) in all.rows.iter_mut().zip(part.rows) {
                row.extend(own);
            }
            for (line, own) in all.lines.iter_mut().zip(part.lines) {
                if !line.is_empty() {
                    line.push(' ');
                }
                line.push_str(&own);
            }
        }
        if all.rows.iter().any(|row| row.len() != nodes) {
            return Err(shards.damaged("the parts have not as many columns as they tell".to_owned()).into());
        }
        let report = merged.report(Report::new(COMMAND, merged.run.parameters.clone(), all), global.verify)?;
        if global.json {
            return output::write_report(global, &report.map(|all| all.rows));
        }
        tell_bound(global, report.parameters["error_bound"].as_f64().unwrap_or(0.0));
        output::write(global, |out| report.result.lines.iter().try_for_each(|line| writeln!(out, "{line}")))
    }
}
