//! The maximum cycle mean of a matrix, an eigenvector and a critical circuit.

use manycore_device::DeviceSet;
use manycore_operation::json::Json;
use manycore_operation::verify::{CheckError, Outcome, Passed};
use manycore_operation::{
    Answer, Arguments, Declaration, DeclaredOption, DeviceUse, Files, Input, Job, Operation, OperationError,
    OptionKind, Value, unmade,
};
use serde_json::json;

use super::graph::{FileWeight, Zero, of_source};
use crate::error::MaxPlusError;
use crate::graph::{Extremum, Graph};
use crate::spectral::{CycleRatio, RatioNumber as _};
use crate::weight::Weight;

const DECLARATION: Declaration = Declaration {
    name: "maxplus cycle-mean",
    title: "The maximum cycle mean of a matrix, an eigenvector and a critical circuit",
    about: "\
The maximum cycle mean of a matrix, an eigenvector and a critical circuit

The greatest weight of a circuit by its arcs: the eigenvalue of the matrix over maximum and plus, and the time of a round of a \
system whose events wait for each other. Exact for integers, as a fraction; of --type f64 the last line is a bound of its error. \
Without circuits the answer is none.",
    help: "\
A matrix is in the Matrix Market, SMS or Harwell-Boeing format, whose entries are the arcs, a .npy array, or text, a row a line, where -inf is no \
arc; entry (i, j) is the weight of the arc from node j to node i. Computed on the host, by Howard's policy iteration.

--verify computes the mean once more by Karp's algorithm, and sums up the circuit. No wrong mean of integers passes.

Examples:
  printf '3 7\\n2 4\\n' | manycore maxplus cycle-mean - --verify
  manycore maxplus cycle-mean times.mtx --type f64 --json",
    step: "computing the cycle mean",
    inputs: MATRIX,
    options: &[DeclaredOption {
        value: OptionKind::Word {
            value_name: "TYPE",
            words: &[("i64", "Integers of 64 bits"), ("f64", "Double precision")],
            default: Some("i64"),
        },
        ..DeclaredOption::flag("type", "The type of the weights")
    }],
    no_array: Some("a cycle mean"),
    is_seedless: true,
    device: DeviceUse::Unused,
    ..Declaration::BASE
};

/// The matrix of a system.
pub(super) const MATRIX: &[Input] = &[Input::new("graph", "GRAPH", "The matrix; - is standard input").such_as(&[
    "3 7\n2 4\n",
    "-inf 7\n-inf -inf\n",
    "%%MatrixMarket matrix coordinate integer general\n3 3 4\n2 1 3\n3 2 1\n1 3 4\n1 1 -2\n",
])];

/// The operation.
pub(super) struct CycleMean;

impl Operation for CycleMean {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        if arguments.word("type") == Some("f64") { of_type::<f64>(files) } else { of_type::<i64>(files) }
    }
}

fn of_type<T: FileWeight + 'static>(files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
    Ok(Box::new(Mean::<T> { graph: of_source(files.matrix(0)?, Extremum::Maximum, Zero::Arc)?, made: None }))
}

/// A call.
struct Mean<T: Weight> {
    graph: Graph<T>,
    made: Option<Made<T>>,
}

struct Made<T: Weight> {
    /// `None` without circuits.
    mean: Option<CycleRatio<T::Exact>>,
    /// The entries of an eigenvector, `None` where there is no path.
    eigenvector: Vec<Option<String>>,
}

impl<T: FileWeight + 'static> Job for Mean<T> {
    fn is_on_host(&self) -> bool {
        true
    }

    fn compute(&mut self, _: &DeviceSet, _: u64) -> Result<(), OperationError> {
        let mean = self.graph.maximum_cycle_mean()?;
        let vector = self.graph.eigenvectors()?.into_iter().next();
        let entries = vector
            .iter()
            .flat_map(|vector| (0..self.graph.nodes()).map(|node| vector.entry(node).map(|entry| entry.to_string())));
        self.made = Some(Made { mean, eigenvector: entries.collect() });
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        let made = self.made.as_ref().ok_or_else(unmade)?;
        Ok(check(&self.graph, made.mean.as_ref())??)
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { graph, made } = *self;
        let value = made.map_or(Value::None, |Made { mean, eigenvector }| value::<T>(mean, &eigenvector));
        Answer::of(value).with("type", T::NAME).with("nodes", graph.nodes()).with("arcs", graph.arc_count())
    }
}

fn value<T: Weight>(mean: Option<CycleRatio<T::Exact>>, eigenvector: &[Option<String>]) -> Value {
    let Some(CycleRatio { ratio, error, circuit }) = mean else {
        return Value::Shown { text: "none: no circuit\n".to_owned(), json: Json::Null };
    };
    let words = |absent| -> Vec<&str> { eigenvector.iter().map(|entry| entry.as_deref().unwrap_or(absent)).collect() };
    let json = json!({
        "value": ratio.value(),
        "exact": T::IS_EXACT.then(|| ratio.to_string()),
        "error": error,
        "eigenvector": words("-Infinity"),
        "circuit": circuit,
    });
    let circuit: Vec<String> = circuit.iter().map(u32::to_string).collect();
    let (circuit, eigenvector) = (circuit.join(" "), words("-inf").join(" "));
    let mut text = format!("cycle mean {ratio}\ncircuit {circuit}\neigenvector {eigenvector}\n");
    if !T::IS_EXACT {
        text.extend([format!("error {error:e}\n")]);
    }
    Value::Shown { text, json }
}

/// Karp's mean, and the weight of the circuit.
fn check<T: Weight>(graph: &Graph<T>, mean: Option<&CycleRatio<T::Exact>>) -> Result<Outcome, MaxPlusError> {
    let expected = graph.maximum_cycle_mean_by_karp()?;
    let wrong = |found: String, expected: String| Ok(Err(CheckError::Value { run: 0, index: 0, found, expected }));
    let (mean, expected) = match (mean, expected) {
        (None, None) => return Ok(Ok(Passed::by_second_computation("second computation by Karp's algorithm"))),
        (Some(mean), Some(expected)) => (mean, expected),
        (mean, expected) => {
            let text = |there: bool| if there { "a mean" } else { "none" }.to_owned();
            return wrong(text(mean.is_some()), text(expected.is_some()));
        }
    };
    let (mut sum, arcs) = (Some(T::ZERO.exact()), mean.circuit.len() as u64);
    for (&from, &to) in mean.circuit.iter().zip(mean.circuit.iter().cycle().skip(1)) {
        // Shares of doubles: the sum may be past the largest one.
        let share =
            |weight: T::Exact| if T::IS_EXACT { Some(weight) } else { Some(T::Exact::reduced(weight, arcs)?.weight) };
        sum = sum.and_then(|sum| sum.checked(share(graph.weight(from, to)?.exact())?));
    }
    let of_circuit = sum.and_then(|sum| T::Exact::reduced(sum, if T::IS_EXACT { arcs } else { 1 }));
    // Karp's differences of sums of doubles are off by no more than policy iteration's sums.
    let near = |other: f64| (mean.ratio.value() - other).abs() <= 2.0 * mean.error;
    for other in [Some(expected), of_circuit] {
        let is_right = other.is_some_and(|other| if T::IS_EXACT { other == mean.ratio } else { near(other.value()) });
        if !is_right {
            return wrong(mean.ratio.to_string(), other.map_or("none".to_owned(), |other| other.to_string()));
        }
    }
    Ok(Ok(Passed::by_second_computation("second computation by Karp's algorithm")))
}
