//! `manycore maxplus star`.

use std::ops::Range;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use manycore::maxplus::{Extremum, Graph, MaxPlus, MaxPlusError, PushShape, StarAlgorithm, StarOptions};
use manycore::verify::{CheckError, Outcome, Passed};
use serde_json::{Value as Json, json};

use super::columns;
use super::graph::{FileWeight, read};
use crate::arguments::Global;
use crate::commands::semiring::entries::Infinities;
use crate::commands::semiring::product::NumberType;
use crate::commands::several::{Devices, Spent, one};
use crate::commands::{Labelled, label};
use crate::error::Error;
use crate::input;
use crate::output::{self, Report};
use crate::progress;
use crate::shard;
use crate::verification::verified;

/// What `--help` says first.
pub(super) const ABOUT: &str = "\
The Kleene star of a matrix: longest or shortest paths between all pairs of nodes, or reachability

Entry (i, j) of the matrix is the weight of the arc from node j to node i, entry (i, j) of the star that of the longest path. A \
circuit that makes paths longer without end is an error with its nodes. Written as text, a row a line; with --json, as a list of rows.";

/// What `--help` says last.
pub(super) const HELP: &str = "\
A matrix is in the Matrix Market, SMS or Harwell-Boeing format, whose entries are the arcs, a .npy array, or text, a row a line, where -inf is no \
arc, or inf with --algebra min-plus. Nodes are numbered from 0. With --algebra boolean weights do not count, and the result is 1 where \
there is a path.

--verify computes every column once more on the host, by relaxation of arcs, and compares: integers exactly, others within the \
rounding of as many sums as nodes. No wrong result passes.

Examples:
  manycore maxplus star arcs.mtx --verify
  printf '1 3 9\\ninf inf 4\\n1 inf inf\\n' | manycore maxplus star - --algebra min-plus";

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The matrix; - is standard input
    pub graph: PathBuf,

    /// Best path: longest, shortest, or existence
    #[arg(long, value_name = "NAME", default_value = "max-plus")]
    pub algebra: Algebra,

    /// The type of the weights
    #[arg(long = "type", value_name = "TYPE", default_value = "i64")]
    pub number: NumberType,

    /// The algorithm
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub algorithm: Algorithm,
}

/// Best path: longest, shortest, or existence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Algebra {
    /// The longest
    MaxPlus,
    /// The shortest
    MinPlus,
    /// Reachability: whether a path exists
    Boolean,
}

/// An algorithm for a star.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Algorithm {
    /// The one that suits the graph
    Auto,
    /// Nodes in topological order push to their successors
    Push,
    /// Nodes of a level pull from their predecessors
    Pull,
    /// Forward substitution by blocks
    Substitution,
    /// Elimination by blocks, with circuits, too
    Closure,
}

/// The command, as reports name it.
pub(super) const COMMAND: &str = "maxplus star";

impl Arguments {
    /// What the star of a graph of so many nodes depends on.
    pub(super) fn parameters<T: FileWeight>(&self, nodes: usize) -> Json {
        let name = |value: Option<clap::builder::PossibleValue>| value.map(|value| value.get_name().to_owned());
        json!({
            "algebra": name(self.algebra.to_possible_value()),
            "algorithm": name(self.algorithm.to_possible_value()),
            "type": T::NAME,
            "nodes": nodes,
        })
    }

    pub(super) fn options(&self) -> StarOptions {
        StarOptions::new().algorithm(match self.algorithm {
            Algorithm::Auto => StarAlgorithm::Auto,
            Algorithm::Push => StarAlgorithm::Push(PushShape::default()),
            Algorithm::Pull => StarAlgorithm::Pull,
            Algorithm::Substitution => StarAlgorithm::Substitution,
            Algorithm::Closure => StarAlgorithm::Closure,
        })
    }

    pub(super) fn extremum(&self) -> Extremum {
        if self.algebra == Algebra::MinPlus { Extremum::Minimum } else { Extremum::Maximum }
    }
}

/// Does what was asked for.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    if arguments.algebra == Algebra::Boolean && arguments.algorithm != Algorithm::Auto {
        return Err(Error::Usage("--algorithm does not go with --algebra boolean".to_owned()));
    }
    match arguments.number {
        NumberType::I32 => of::<i32>(arguments, global),
        NumberType::I64 => of::<i64>(arguments, global),
        NumberType::F32 => of::<f32>(arguments, global),
        NumberType::F64 => of::<f64>(arguments, global),
    }
}

/// The star's rows, each entry as JSON and as text.
fn of<T: FileWeight>(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    // Reachability is of one device.
    let is_one = arguments.algebra == Algebra::Boolean;
    let devices = if is_one { Devices::from(one(global)?) } else { Devices::new(global)? };
    progress::step(format!("reading {}", input::name(&arguments.graph)));
    let graph = read::<T>(&arguments.graph, arguments.extremum())?;
    let nodes = graph.nodes();
    progress::compute(format!("computing a star on {}", label(&devices)));
    if shard::is_on(global) {
        return columns::write(arguments, global, &devices, &graph);
    }
    if arguments.algebra == Algebra::Boolean {
        let max_plus = MaxPlus::<T>::new(&devices.set().devices()[0]);
        let (made, spent) = devices.measured(|| max_plus.closure(&graph))?;
        let reached = made?;
        let rows: Vec<Vec<u8>> =
            (0..nodes).map(|to| (0..nodes).map(|from| u8::from(reached.reaches(from, to))).collect()).collect();
        let check = || check_reached(&graph, &rows);
        return write::<T, _>(arguments, global, (&devices, spent), &rows, check, |entry| {
            (json!(entry), entry.to_string())
        });
    }
    let options = arguments.options();
    let (made, spent) = devices.measured(|| match arguments.algebra {
        Algebra::MinPlus => MaxPlus::shortest_on(devices.set(), &graph, &options),
        _ => MaxPlus::star_on(devices.set(), &graph, &options),
    })?;
    let star = match made {
        Err(MaxPlusError::PositiveCircuit { nodes } | MaxPlusError::NegativeCircuit { nodes })
            if global.verify && !is_gainful(&graph, arguments.extremum(), &nodes) =>
        {
            let reason = "it found a circuit that makes paths better without end, and there is none".to_owned();
            return Err(Error::Wrong { device: label(&devices), reason });
        }
        made => made?,
    };
    let rows: Vec<Vec<T>> = star.entries().chunks(nodes.max(1)).map(<[T]>::to_vec).collect();
    let check = || check(&graph, arguments.extremum(), 0..nodes, &rows);
    write::<T, _>(arguments, global, (&devices, spent), &rows, check, |entry: T| {
        (Infinities::Kept.json(entry), Infinities::Kept.text(entry))
    })
}

fn write<T: FileWeight, E: Copy>(
    arguments: &Arguments,
    global: &Global,
    (devices, spent): (&impl Labelled, Spent),
    rows: &[Vec<E>],
    check: impl FnOnce() -> Outcome,
    entry: impl Fn(E) -> (Json, String),
) -> Result<(), Error> {
    let verification = if global.verify { Some(verified(check(), devices)?) } else { None };
    if global.json {
        let rows: Vec<Vec<Json>> = rows.iter().map(|row| row.iter().map(|&value| entry(value).0).collect()).collect();
        let report = Report {
            device: Some(label(devices)),
            seconds: Some(spent.seconds),
            transfer_seconds: spent.transfer_seconds,
            verified: global.verify.then_some(true),
            verification,
            ..Report::new(COMMAND, arguments.parameters::<T>(rows.len()), rows)
        };
        return output::write_report(global, &report);
    }
    output::write(global, |out| {
        rows.iter().try_for_each(|row| {
            let row: Vec<String> = row.iter().map(|&value| entry(value).1).collect();
            writeln!(out, "{}", row.join(" "))
        })
    })
}

/// The arcs as weights whose longest paths are wanted.
pub(super) fn longest<T: FileWeight>(graph: &Graph<T>, extremum: Extremum) -> Graph<T> {
    match extremum {
        Extremum::Maximum => graph.clone(),
        // Numbers stay numbers with the other sign.
        Extremum::Minimum => graph.map(|_, _, weight| weight.opposite()).unwrap_or_else(|_| graph.clone()),
    }
}

/// Whether a circuit makes paths better: of floating point, whether it is a circuit.
fn is_gainful<T: FileWeight>(graph: &Graph<T>, extremum: Extremum, circuit: &[u32]) -> bool {
    let graph = longest(graph, extremum);
    let mut sum = 0.0;
    let mut exact = 0i128;
    for (&from, &to) in circuit.iter().zip(circuit.iter().cycle().skip(1)) {
        let Some(weight) = graph.weight(from, to) else { return false };
        sum += weight.real();
        exact += weight.integer().unwrap_or_default();
    }
    !circuit.is_empty() && if T::IS_EXACT { exact > 0 } else { sum > 0.0 }
}

/// Compares these columns with paths by relaxation.
pub(super) fn check<T: FileWeight>(
    graph: &Graph<T>,
    extremum: Extremum,
    columns: Range<usize>,
    rows: &[Vec<T>],
) -> Outcome {
    let (nodes, graph) = (graph.nodes(), longest(graph, extremum));
    if rows.len() != nodes {
        return Err(CheckError::Length { found: rows.len(), expected: nodes });
    }
    let largest = graph.arcs().map(|(_, _, weight)| weight.real().abs()).fold(0.0, f64::max);
    // As many sums as nodes of at most as many weights, in both computations.
    let unit = if T::NAME == "f32" { f64::from(f32::EPSILON) } else { f64::EPSILON };
    let tolerance = if T::IS_EXACT { 0.0 } else { (nodes as f64).powi(2) * largest * unit };
    for (place, index) in columns.enumerate() {
        let from = index as u32;
        let wrong = |run: usize, found: T, expected: String| CheckError::Value {
            run,
            index,
            found: Infinities::Kept.text(found),
            expected,
        };
        let paths = graph.longest_from(from).map_err(|error| wrong(index, rows[index][place], error.to_string()))?;
        for (to, row) in rows.iter().enumerate() {
            let expected = match (paths.weight(to as u32), extremum) {
                (None, Extremum::Maximum) => T::LOWEST,
                (None, Extremum::Minimum) => T::HIGHEST,
                (Some(path), Extremum::Maximum) => path,
                (Some(path), Extremum::Minimum) => path.opposite(),
            };
            let found = row[place];
            let near = found.is_number() && expected.is_number() && (found.real() - expected.real()).abs() <= tolerance;
            if found != expected && (T::IS_EXACT || !near) {
                return Err(wrong(to, found, Infinities::Kept.text(expected)));
            }
        }
    }
    Ok(Passed::by_second_computation("second computation by relaxation of arcs"))
}

/// Compares with a search from every node.
fn check_reached<T: FileWeight>(graph: &Graph<T>, rows: &[Vec<u8>]) -> Outcome {
    let nodes = graph.nodes();
    for from in 0..nodes {
        let mut is_met = vec![false; nodes];
        is_met[from] = true;
        let mut open = vec![from as u32];
        while let Some(node) = open.pop() {
            for (to, _) in graph.successors(node) {
                if !std::mem::replace(&mut is_met[to as usize], true) {
                    open.push(to);
                }
            }
        }
        for (to, &is_met) in is_met.iter().enumerate() {
            if rows[to][from] != u8::from(is_met) {
                let (found, expected) = (rows[to][from].to_string(), u8::from(is_met).to_string());
                return Err(CheckError::Value { run: to, index: from, found, expected });
            }
        }
    }
    Ok(Passed::by_second_computation("second computation by a search from every node"))
}
