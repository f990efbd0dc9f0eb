//! `manycore maxplus star`.

use std::ops::Range;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use manycore::Device;
use manycore::files::NumberText as _;
use manycore::maxplus::{DoubtfulCircuit, Extremum, Graph, MaxPlus, PushShape, StarAlgorithm, StarOptions};
use manycore::semiring::operations::{Infinities, Kind, numbers, wrapping};
use manycore::semiring::plan::Shape;
use manycore::semiring::{ProductPlan, Products, SemiringError};
use manycore::tuning::Choice;
use manycore::verify::{CheckError, Outcome, Passed};
use serde_json::{Value as Json, json};

use super::columns;
use super::graph::{FileWeight, Zero, read};
use crate::arguments::Global;
use crate::commands::auto::{ByChoice, Wanted};
use crate::commands::label;
use crate::commands::several::Asked;
use crate::error::Error;
use crate::input;
use crate::message;
use crate::output::{self, Report};
use crate::progress;
use crate::shard;
use crate::vector::{NumberType, entry_types};
use crate::verification::verified;

/// What `--help` says first.
pub(super) const ABOUT: &str = "\
The Kleene star of a matrix: longest or shortest paths between all pairs of nodes, or reachability

Entry (i, j) of the matrix is the weight of the arc from node j to node i, entry (i, j) of the star that of the longest path. A \
circuit that makes paths longer without end is an error with its nodes. Written as text, a row a line; with --json, as a list of rows.";

/// What `--help` says last.
pub(super) const HELP: &str = "\
A matrix is in the Matrix Market, SMS or Harwell-Boeing format, whose entries are the arcs, a .npy array, or text, a row a line, where -inf is no \
arc, or inf with --algebra min-plus; in arrays of integers the least number, or the greatest. Nodes are numbered from 0. With --algebra \
boolean weights do not count, a 0 of a dense matrix is no arc either, and the result is 1 where there is a path.

A floating-point weight that is no integer counts as rounded, by up to half a unit in its last place; a circuit whose exact sum is \
within the halves of its own weights counts as 0. By how much paths may be off is told on standard error where sums round, \
and so is a circuit whose sign cannot be told; --json has both in `parameters`, as `error_bound` and `doubtful_circuit`.

--verify tries on the host that no arc makes a path longer, or shorter with --algebra min-plus, and that each path is one of arcs. No result passes that is off by more \
than that bound; integers are exact.

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
    #[arg(long = "type", value_name = "TYPE", default_value = "i64", value_parser = entry_types())]
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
    /// What the star of a graph depends on, and by how much it may be off.
    pub(super) fn parameters<T: FileWeight>(&self, graph: &Graph<T>) -> Json {
        let name = |value: Option<clap::builder::PossibleValue>| value.map(|value| value.get_name().to_owned());
        let mut parameters = json!({
            "algebra": name(self.algebra.to_possible_value()),
            "algorithm": name(self.algorithm.to_possible_value()),
            "type": T::NAME,
            "nodes": graph.nodes(),
        });
        if !T::IS_EXACT && self.algebra != Algebra::Boolean {
            parameters["error_bound"] = json!(graph.rounding());
            let circuit = doubtful(graph, self.extremum());
            parameters["doubtful_circuit"] = json!(circuit.map(|DoubtfulCircuit { nodes, sum, doubt }| {
                json!({ "nodes": nodes, "sum": sum, "doubt": doubt })
            }));
        }
        parameters
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
    let asked = if is_one { Asked::One(Wanted::new(global)?) } else { Asked::new(global)? };
    progress::step(format!("reading {}", input::name(&arguments.graph)));
    let zero = if arguments.algebra == Algebra::Boolean { Zero::NoArc } else { Zero::Arc };
    let graph = read::<T>(&arguments.graph, arguments.extremum(), zero)?;
    let nodes = graph.nodes();
    // A closure takes the operations of a product.
    let shape = Shape { rows: nodes as u64, columns: nodes as u64 };
    let bytes = 2 * shape.rows * shape.rows * size_of::<T>() as u64;
    let choice = |device: &Device| -> Result<Choice<ProductPlan>, SemiringError> {
        let products = Products::new(device);
        match arguments.number {
            NumberType::I32 => products.explain_shapes(&wrapping::<i32>(Kind::MaxPlus)?, shape, shape),
            NumberType::I64 => products.explain_shapes(&wrapping::<i64>(Kind::MaxPlus)?, shape, shape),
            NumberType::F32 => products.explain_shapes(&numbers::<f32>(Kind::MaxPlus)?, shape, shape),
            NumberType::F64 => products.explain_shapes(&numbers::<f64>(Kind::MaxPlus)?, shape, shape),
        }
    };
    let devices = asked.devices(Some(&ByChoice { bytes, choice }));
    progress::compute(format!("computing a star on {}", label(&devices)));
    if shard::is_on(global) {
        return columns::write(arguments, global, &devices, &graph);
    }
    if arguments.algebra == Algebra::Boolean {
        let max_plus = MaxPlus::<T>::new(&devices.set().devices()[0]);
        let (made, spent) = devices.measured(|| max_plus.closure(&graph))?;
        let reached = made?;
        let path = |from, to| if reached.reaches(from, to) { 0 } else { i32::MIN };
        let rows: Vec<Vec<i32>> = (0..nodes).map(|to| (0..nodes).map(|from| path(from, to)).collect()).collect();
        // Paths of arcs of weight 0.
        let zeros = graph.map(|_, _, _| 0i32)?;
        let check = || check(&zeros, Extremum::Maximum, 0..nodes, &rows);
        let verification = if global.verify { Some(verified(check(), &devices)?) } else { None };
        let reached: Vec<u8> = rows.iter().flatten().map(|&path| u8::from(path == 0)).collect();
        if global.json {
            let rows: Vec<&[u8]> = reached.chunks(nodes.max(1)).collect();
            let report = Report::new(COMMAND, arguments.parameters(&graph), rows);
            return output::write_report(global, &report.of_run(&devices, spent, verification));
        }
        let push = |word: &u8, text: &mut String| word.push_typed(text);
        return output::write_matrix(global, [nodes, nodes], &reached, ("integer", push), |&word| word == 0);
    }
    let options = arguments.options();
    let (made, spent) = devices.measured(|| match arguments.algebra {
        Algebra::MinPlus => MaxPlus::shortest_on(devices.set(), &graph, &options),
        _ => MaxPlus::star_on(devices.set(), &graph, &options),
    })?;
    let star = made.map_err(|error| Error::from(error).of(&arguments.graph))?;
    tell_rounding(global, &graph, arguments.extremum());
    let rows: Vec<Vec<T>> = star.entries().chunks(nodes.max(1)).map(<[T]>::to_vec).collect();
    let check = || check(&graph, arguments.extremum(), 0..nodes, &rows);
    let verification = if global.verify { Some(verified(check(), &devices)?) } else { None };
    if global.json {
        let row = |row: &Vec<T>| row.iter().map(|&entry| Infinities::Kept.json(entry)).collect::<Json>();
        let report = Report::new(COMMAND, arguments.parameters(&graph), rows.iter().map(row).collect::<Vec<Json>>());
        return output::write_report(global, &report.of_run(&devices, spent, verification));
    }
    let field = if T::IS_INTEGER { "integer" } else { "real" };
    let absent = if arguments.algebra == Algebra::MinPlus { T::HIGHEST } else { T::LOWEST };
    let push = |&entry: &T, text: &mut String| Infinities::Kept.push(entry, text);
    output::write_matrix(global, [nodes, nodes], star.entries(), (field, push), |&entry| entry == absent)
}

/// The arcs as weights whose longest paths are wanted.
pub(super) fn longest<T: FileWeight>(graph: &Graph<T>, extremum: Extremum) -> Graph<T> {
    match extremum {
        Extremum::Maximum => graph.clone(),
        // Numbers stay numbers with the other sign.
        Extremum::Minimum => graph.map(|_, _, weight| weight.opposite()).unwrap_or_else(|_| graph.clone()),
    }
}

/// A circuit whose sign cannot be told, with the sum of its weights.
fn doubtful<T: FileWeight>(graph: &Graph<T>, extremum: Extremum) -> Option<DoubtfulCircuit> {
    let found = longest(graph, extremum).doubtful_circuit()?;
    let sum = if extremum == Extremum::Minimum { -found.sum } else { found.sum };
    Some(DoubtfulCircuit { sum, ..found })
}

/// Says on standard error by how much paths may be off. JSON has it.
pub(super) fn tell_bound(global: &Global, bound: f64) {
    if bound > 0.0 && !global.quiet && !global.json {
        message::tell(&format!("the paths are within {bound:e} of the exact ones"));
    }
}

/// Says as well which circuit may not be 0 as it counts.
fn tell_rounding<T: FileWeight>(global: &Global, graph: &Graph<T>, extremum: Extremum) {
    tell_bound(global, graph.rounding());
    if global.quiet || global.json {
        return;
    }
    if let Some(DoubtfulCircuit { nodes, sum, doubt }) = doubtful(graph, extremum) {
        let names: Vec<String> = nodes.iter().chain(nodes.first()).map(u32::to_string).collect();
        message::tell(&format!(
            "the sign of the circuit {} cannot be told: its weights sum to {sum:e} and may be off by {doubt:e}; it counts as 0",
            names.join(" -> ")
        ));
    }
}

/// Tries every arc on these columns, and whether they are weights of paths.
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
    // As weights of longest paths; the infinity that no path has stays none of them.
    let path = |to: usize, place: usize| {
        let entry: T = rows[to][place];
        match extremum {
            Extremum::Maximum => (entry != T::LOWEST).then_some(entry),
            Extremum::Minimum => (entry != T::HIGHEST).then(|| entry.opposite()),
        }
    };
    let Some(index) = graph.wrong_column(columns.clone(), &path) else {
        return Ok(Passed::by_second_computation(match (extremum, graph.rounding() == 0.0) {
            (Extremum::Maximum, true) => "no arc makes a path longer, and each path is one of arcs",
            (Extremum::Minimum, true) => "no arc makes a path shorter, and each path is one of arcs",
            (Extremum::Maximum, false) => "longest paths in exact sums, within the rounding of the star's",
            (Extremum::Minimum, false) => "shortest paths in exact sums, within the rounding of the star's",
        }));
    };
    // What the column should be, to be told.
    let (place, bound) = (index - columns.start, graph.rounding());
    let wrong = |run: usize, expected: String| CheckError::Value {
        run,
        index,
        found: Infinities::Kept.text(rows[run][place]),
        expected,
    };
    let paths = graph.longest_from(index as u32).map_err(|error| wrong(index, error.to_string()))?;
    let off = |to: usize| match (path(to, place), paths.weight(to as u32)) {
        (Some(found), Some(expected)) if found.is_number() && bound > 0.0 => (found.real() - expected.real()).abs(),
        (found, expected) => {
            if found == expected {
                0.0
            } else {
                f64::INFINITY
            }
        }
    };
    let to = (0..nodes).max_by(|&a, &b| off(a).total_cmp(&off(b)).then(b.cmp(&a))).unwrap_or(index);
    let expected = match (paths.weight(to as u32), extremum) {
        (None, Extremum::Maximum) => T::LOWEST,
        (None, Extremum::Minimum) => T::HIGHEST,
        (Some(path), Extremum::Maximum) => path,
        (Some(path), Extremum::Minimum) => path.opposite(),
    };
    Err(wrong(to, Infinities::Kept.text(expected)))
}
