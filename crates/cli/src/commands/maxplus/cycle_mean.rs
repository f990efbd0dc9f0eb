//! `manycore maxplus cycle-mean`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use manycore::Device;
use manycore::maxplus::spectral::RatioNumber;
use manycore::maxplus::{Extremum, MaxPlusError, Weight};
use manycore::verify::{CheckError, Outcome, Passed};
use serde_json::{Value as Json, json};

use super::graph::{FileWeight, Zero, read};
use crate::arguments::Global;
use crate::error::Error;
use crate::input;
use crate::output::{self, Report};
use crate::progress;
use crate::verification::verified;

/// What `--help` says first.
pub(super) const ABOUT: &str = "\
The maximum cycle mean of a matrix, an eigenvector and a critical circuit

The greatest weight of a circuit by its arcs: the eigenvalue of the matrix over maximum and plus, and the time of a round of a \
system whose events wait for each other. Exact for integers, as a fraction; of --type f64 the last line is a bound of its error. \
Without circuits the answer is none.";

/// What `--help` says last.
pub(super) const HELP: &str = "\
A matrix is in the Matrix Market, SMS or Harwell-Boeing format, whose entries are the arcs, a .npy array, or text, a row a line, where -inf is no \
arc; entry (i, j) is the weight of the arc from node j to node i. Computed on the host, by Howard's policy iteration.

--verify computes the mean once more by Karp's algorithm, and sums up the circuit. No wrong mean of integers passes.

Examples:
  printf '3 7\\n2 4\\n' | manycore maxplus cycle-mean - --verify
  manycore maxplus cycle-mean times.mtx --type f64 --json";

/// A type of weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MeanType {
    /// Integers of 64 bits
    I64,
    /// Double precision
    F64,
}

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The matrix; - is standard input
    pub graph: PathBuf,

    /// The type of the weights
    #[arg(long = "type", value_name = "TYPE", default_value = "i64")]
    pub number: MeanType,
}

/// Does what was asked for.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    match arguments.number {
        MeanType::I64 => of::<i64>(arguments, global),
        MeanType::F64 => of::<f64>(arguments, global),
    }
}

fn of<T: FileWeight>(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    progress::step(format!("reading {}", input::name(&arguments.graph)));
    let graph = read::<T>(&arguments.graph, Extremum::Maximum, Zero::Arc)?;
    progress::step("computing the cycle mean");
    let told = |error: MaxPlusError| Error::from(error).of(&arguments.graph);
    let mean = graph.maximum_cycle_mean().map_err(told)?;
    let vector = graph.eigenvectors().map_err(told)?.into_iter().next();
    let verification = if global.verify {
        progress::step("verifying");
        Some(verified(check(&graph, mean.as_ref())?, &Device::host())?)
    } else {
        None
    };
    let entries: Vec<Option<String>> = vector
        .iter()
        .flat_map(|vector| (0..graph.nodes()).map(|node| vector.entry(node).map(|entry| entry.to_string())))
        .collect();
    let report = Report {
        verified: global.verify.then_some(true),
        verification,
        ..Report::new(
            "maxplus cycle-mean",
            json!({ "type": T::NAME, "nodes": graph.nodes(), "arcs": graph.arc_count() }),
            mean.as_ref().map_or(Json::Null, |mean| {
                let eigenvector: Vec<Json> = entries
                    .iter()
                    .map(|entry| entry.as_ref().map_or(json!("-Infinity"), |entry| json!(entry)))
                    .collect();
                json!({
                    "value": mean.ratio.value(),
                    "exact": T::IS_EXACT.then(|| mean.ratio.to_string()),
                    "error": mean.error,
                    "eigenvector": eigenvector,
                    "circuit": mean.circuit,
                })
            }),
        )
    };
    if global.json {
        return output::write_report(global, &report);
    }
    output::write(global, |out| {
        let Some(mean) = &mean else { return writeln!(out, "none: no circuit") };
        writeln!(out, "cycle mean {}", mean.ratio)?;
        let circuit: Vec<String> = mean.circuit.iter().map(u32::to_string).collect();
        writeln!(out, "circuit {}", circuit.join(" "))?;
        let entries: Vec<&str> = entries.iter().map(|entry| entry.as_deref().unwrap_or("-inf")).collect();
        writeln!(out, "eigenvector {}", entries.join(" "))?;
        if T::IS_EXACT { Ok(()) } else { writeln!(out, "error {:e}", mean.error) }
    })
}

/// Karp's mean, and the weight of the circuit.
fn check<T: Weight>(
    graph: &manycore::maxplus::Graph<T>,
    mean: Option<&manycore::maxplus::spectral::CycleRatio<T::Exact>>,
) -> Result<Outcome, Error> {
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
