//! `manycore maxplus simulate`.

use std::path::PathBuf;

use clap::Args;
use manycore::Device;
use manycore::device::host_room;
use manycore::maxplus::{Extremum, LinearMap, LinearSystem};
use manycore::verify::{CheckError, Passed};
use serde_json::{Value as Json, json};

use super::graph::{Zero, read};
use crate::arguments::{Global, positive};
use crate::error::Error;
use crate::input;
use crate::output::{self, Report};
use crate::progress;
use crate::verification::verified;

/// What `--help` says first.
pub(super) const ABOUT: &str = "\
Steps of the linear system x(k) = A x(k - 1)

Entry i of a state is the earliest time at which event i happens for the k-th time, where it waits for event j of the step before and \
the time A(i, j) after it. All events of step 0 happen at time 0. Written a state a line; exactly, of integers.";

/// What `--help` says last.
pub(super) const HELP: &str = "\
A matrix is in the Matrix Market, SMS or Harwell-Boeing format, whose entries are the arcs, a .npy array, or text, a row a line, where -inf is no \
arc. An event that waits for none is at -inf from step 1 on. Computed on the host.

--verify computes each state once more by a power of the matrix. No wrong state passes.

Examples:
  printf '3 7\\n2 4\\n' | manycore maxplus simulate - --steps 5
  manycore maxplus simulate line.mtx --steps 100 --json";

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The matrix; - is standard input
    pub graph: PathBuf,

    /// The number of steps
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = positive::<u32>)]
    pub steps: u32,
}

/// Does what was asked for.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    progress::step(format!("reading {}", input::name(&arguments.graph)));
    let graph = read::<i64>(&arguments.graph, Extremum::Maximum, Zero::Arc)?;
    let nodes = graph.nodes();
    progress::step("simulating");
    let none = |rows: usize, columns: usize| LinearMap::new(rows, columns, &[]);
    let system = LinearSystem::new(graph.clone(), none(nodes, 0)?, none(0, nodes)?)?;
    // A list of inputs and one of outputs for each step, and the states.
    let steps = arguments.steps as usize;
    host_room(steps.saturating_mul(nodes * size_of::<Option<i64>>() + 3 * size_of::<Vec<i64>>()) as u64)?;
    let states = system.simulate(&vec![Some(0); nodes], &vec![Vec::new(); steps])?.states;
    let verification = if global.verify {
        progress::step("verifying");
        let mut outcome = Ok(Passed::by_second_computation("second computation by powers of the matrix"));
        for (step, state) in (1..).zip(&states) {
            let power = LinearMap::of_graph(&graph.power(step)?);
            let expected = power.apply(&vec![Some(0); nodes])?;
            if let Some(index) = (0..nodes).find(|&node| state[node] != expected[node]) {
                let (found, expected) = (text(state[index]), text(expected[index]));
                outcome = Err(CheckError::Value { run: step as usize, index, found, expected });
                break;
            }
        }
        Some(verified(outcome, &Device::host())?)
    } else {
        None
    };
    if global.json {
        let entry =
            |time: &Option<i64>| time.map_or(json!("-Infinity"), |time| json!(output::JsonInteger(time.into())));
        let rows: Vec<Vec<Json>> = states.iter().map(|state| state.iter().map(entry).collect()).collect();
        let parameters = json!({ "nodes": nodes, "steps": arguments.steps });
        let report = Report {
            verified: global.verify.then_some(true),
            verification,
            ..Report::new("maxplus simulate", parameters, rows)
        };
        return output::write_report(global, &report);
    }
    output::write(global, |out| {
        states.iter().try_for_each(|state| {
            let state: Vec<String> = state.iter().map(|&time| text(time)).collect();
            writeln!(out, "{}", state.join(" "))
        })
    })
}

fn text(time: Option<i64>) -> String {
    time.map_or("-inf".to_owned(), |time| time.to_string())
}
