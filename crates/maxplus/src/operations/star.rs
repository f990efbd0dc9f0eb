//! The star of a matrix: longest or shortest paths, or reachability.

use std::ops::Range;

use manycore_device::DeviceSet;
use manycore_operation::verify::{Outcome, Passed};
use manycore_operation::{
    Answer, Arguments, Declaration, DeclaredOption, Files, Input, Job, Operation, OperationError, OptionKind, Splits,
    Task, Value, unmade,
};
use manycore_semiring::operations::TYPES;
use serde_json::json;

use super::graph::{FileWeight, Zero, of_source};
use super::paths::{Algebra, reached, weights};
use super::{columns, star_check};
use crate::graph::Graph;
use crate::potentials::DoubtfulCircuit;
use crate::star::{MaxPlus, PushShape, StarAlgorithm, StarOptions};

/// Matrices that have a star, of longest paths, of shortest ones, or of both.
const MATRICES: &[&str] = &[
    "%%MatrixMarket matrix coordinate integer general\n4 4 5\n2 1 3\n3 1 1\n3 2 4\n4 2 -2\n4 3 5\n",
    "-inf 3\n-4 -inf\n",
    "inf 3 inf\ninf inf 4\n1 inf inf\n",
    "0\n",
];

const DECLARATION: Declaration = Declaration {
    name: "maxplus star",
    title: "The Kleene star of a matrix: longest or shortest paths between all pairs of nodes, or reachability",
    about: "\
The Kleene star of a matrix: longest or shortest paths between all pairs of nodes, or reachability

Entry (i, j) of the matrix is the weight of the arc from node j to node i, entry (i, j) of the star that of the longest path. A \
circuit that makes paths longer without end is an error with its nodes. Written as text, a row a line; with --json, as a list of rows.",
    help: "\
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
  printf '1 3 9\\ninf inf 4\\n1 inf inf\\n' | manycore maxplus star - --algebra min-plus",
    step: "computing a star",
    inputs: &[Input::new("graph", "GRAPH", "The matrix; - is standard input").such_as(MATRICES)],
    options: &[
        DeclaredOption {
            value: OptionKind::Word {
                value_name: "NAME",
                words: &[
                    ("max-plus", "The longest"),
                    ("min-plus", "The shortest"),
                    ("boolean", "Reachability: whether a path exists"),
                ],
                default: Some("max-plus"),
            },
            ..DeclaredOption::flag("algebra", "Best path: longest, shortest, or existence")
        },
        DeclaredOption {
            value: OptionKind::Word { value_name: "TYPE", words: TYPES, default: Some("i64") },
            ..DeclaredOption::flag("type", "The type of the weights")
        },
        DeclaredOption {
            value: OptionKind::Word {
                value_name: "NAME",
                words: &[
                    ("auto", "The one that suits the graph"),
                    ("push", "Nodes in topological order push to their successors"),
                    ("pull", "Nodes of a level pull from their predecessors"),
                    ("substitution", "Forward substitution by blocks"),
                    ("closure", "Elimination by blocks, with circuits, too"),
                ],
                default: Some("auto"),
            },
            ..DeclaredOption::flag("algorithm", "The algorithm")
        },
    ],
    splits: Some(Splits::Own),
    is_seedless: true,
    ..Declaration::BASE
};

/// The options of an algorithm.
fn options(arguments: &Arguments) -> StarOptions {
    StarOptions::new().algorithm(match arguments.word("algorithm") {
        Some("push") => StarAlgorithm::Push(PushShape::default()),
        Some("pull") => StarAlgorithm::Pull,
        Some("substitution") => StarAlgorithm::Substitution,
        Some("closure") => StarAlgorithm::Closure,
        _ => StarAlgorithm::Auto,
    })
}

/// The operation.
pub(super) struct Star;

impl Operation for Star {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    /// Reachability is of one device.
    fn is_shared(&self, arguments: &Arguments) -> bool {
        Algebra::of(arguments) != Algebra::Boolean
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        if Algebra::of(arguments) == Algebra::Boolean && arguments.word("algorithm") != Some("auto") {
            return Err(OperationError::usage("--algorithm does not go with --algebra boolean"));
        }
        match arguments.word("type") {
            Some("i32") => of_type::<i32>(arguments, files),
            Some("f32") => of_type::<f32>(arguments, files),
            Some("f64") => of_type::<f64>(arguments, files),
            _ => of_type::<i64>(arguments, files),
        }
    }
}

fn of_type<T: FileWeight + 'static>(
    arguments: &Arguments,
    files: &mut dyn Files,
) -> Result<Box<dyn Job>, OperationError> {
    let algebra = Algebra::of(arguments);
    let zero = if algebra == Algebra::Boolean { Zero::NoArc } else { Zero::Arc };
    let graph = of_source::<T>(files.matrix(0)?, algebra.extremum(), zero)?;
    let part = if files.is_part() {
        columns::splits(&graph, DECLARATION.name)?;
        Some(files.part(graph.nodes()))
    } else {
        None
    };
    let words = ["algebra", "algorithm"].map(|name| (name, arguments.word(name).unwrap_or_default()));
    Ok(Box::new(Paths { graph, algebra, options: options(arguments), words, part, made: None }))
}

/// A call.
struct Paths<T> {
    graph: Graph<T>,
    algebra: Algebra,
    options: StarOptions,
    /// The parameters `algebra` and `algorithm` of the answer.
    words: [(&'static str, &'static str); 2],
    /// The columns that are computed here, where others compute others.
    part: Option<Range<usize>>,
    made: Option<Made<T>>,
}

/// The paths, row after row of those that end at a node.
enum Made<T> {
    Weights(Vec<T>),
    /// 1 where there is a path.
    Reached(Vec<u8>),
}

impl<T: FileWeight> Paths<T> {
    fn columns(&self) -> Range<usize> {
        self.part.clone().unwrap_or(0..self.graph.nodes())
    }

    fn reached(&self, devices: &DeviceSet) -> Result<Vec<u8>, OperationError> {
        let reached = MaxPlus::<T>::new(&devices.devices()[0]).closure(&self.graph)?;
        let nodes = self.graph.nodes();
        let path = |to| (0..nodes).map(move |from| (from, to));
        Ok((0..nodes).flat_map(path).map(|(from, to)| u8::from(reached.reaches(from, to))).collect())
    }
}

impl<T: FileWeight + 'static> Job for Paths<T> {
    /// A closure takes the operations of a product.
    fn task(&self) -> Option<Task> {
        let task = Task::of("semiring-product", vec![("n", self.graph.nodes() as u64)]);
        Some(task.with("semiring", "max-plus").with("type", T::NAME))
    }

    fn is_shared(&self) -> bool {
        self.algebra != Algebra::Boolean
    }

    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        let (graph, options, extremum) = (&self.graph, &self.options, self.algebra.extremum());
        self.made = Some(match (self.algebra, &self.part) {
            (Algebra::Boolean, _) => Made::Reached(self.reached(devices)?),
            (_, Some(part)) => Made::Weights(columns::of(graph, extremum, part.clone(), options, devices)?),
            (Algebra::Shortest, None) => Made::Weights(MaxPlus::shortest_on(devices, graph, options)?.into_entries()),
            (Algebra::Longest, None) => Made::Weights(MaxPlus::star_on(devices, graph, options)?.into_entries()),
        });
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        let (graph, extremum) = (&self.graph, self.algebra.extremum());
        let outcome: Outcome = match self.made.as_ref().ok_or_else(unmade)? {
            Made::Weights(entries) => star_check::check(graph, extremum, self.columns(), entries),
            Made::Reached(reached) => {
                // Paths of arcs of weight 0.
                let zeros = graph.map(|_, _, _| 0i32)?;
                let paths: Vec<i32> = reached.iter().map(|&is| if is == 0 { i32::MIN } else { 0 }).collect();
                star_check::check(&zeros, extremum, self.columns(), &paths)
            }
        };
        Ok(outcome?)
    }

    fn answer(self: Box<Self>) -> Answer {
        let columns = self.columns().len();
        let Self { graph, algebra, words, part, made, .. } = *self;
        let value = match made {
            None => Value::None,
            Some(Made::Reached(entries)) => reached(columns, entries).value(),
            Some(Made::Weights(entries)) => {
                let rows = weights(columns, entries, algebra.extremum());
                if part.is_some() { columns::part(&rows) } else { rows.value() }
            }
        };
        let answer = words.into_iter().fold(Answer::of(value), |answer, (name, word)| answer.with(name, word));
        let answer = answer.with("type", T::NAME).with("nodes", graph.nodes());
        if T::IS_EXACT || algebra == Algebra::Boolean {
            return answer;
        }
        let (bound, circuit) = (graph.rounding(), star_check::doubtful(&graph, algebra.extremum()));
        let told = circuit
            .as_ref()
            .map(|DoubtfulCircuit { nodes, sum, doubt }| json!({ "nodes": nodes, "sum": sum, "doubt": doubt }));
        let notes = rounding_note(bound).into_iter().chain(circuit.map(circuit_note)).collect();
        Answer { notes, ..answer }.with("error_bound", bound).with("doubtful_circuit", told)
    }
}

/// By how much paths may be off; nothing where they are exact.
pub fn rounding_note(bound: f64) -> Option<String> {
    (bound > 0.0).then(|| format!("the paths are within {bound:e} of the exact ones"))
}

/// Which circuit may not be 0 as it counts.
fn circuit_note(DoubtfulCircuit { nodes, sum, doubt }: DoubtfulCircuit) -> String {
    let names: Vec<String> = nodes.iter().chain(nodes.first()).map(u32::to_string).collect();
    format!(
        "the sign of the circuit {} cannot be told: its weights sum to {sum:e} and may be off by {doubt:e}; it counts as 0",
        names.join(" -> ")
    )
}
