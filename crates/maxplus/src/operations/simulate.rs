//! Steps of a linear system over maximum and plus.

use manycore_device::{DeviceSet, host_room};
use manycore_operation::json::{Json, integer};
use manycore_operation::verify::{CheckError, Passed};
use manycore_operation::{
    Answer, Arguments, Declaration, DeclaredOption, DeviceUse, Files, Job, Operation, OperationError, OptionKind,
    Range, Value, unmade,
};

use super::cycle_mean::MATRIX;
use super::faults::of_made;
use super::graph::{Zero, of_source};
use crate::error::MaxPlusError;
use crate::graph::{Extremum, Graph};
use crate::linear::{LinearMap, Vector};
use crate::system::LinearSystem;

const DECLARATION: Declaration = Declaration {
    name: "maxplus simulate",
    title: "Steps of the linear system x(k) = A x(k - 1)",
    about: "\
Steps of the linear system x(k) = A x(k - 1)

Entry i of a state is the earliest time at which event i happens for the k-th time, where it waits for event j of the step before and \
the time A(i, j) after it. All events of step 0 happen at time 0. Written a state a line; exactly, of integers.",
    help: "\
A matrix is in the Matrix Market, SMS or Harwell-Boeing format, whose entries are the arcs, a .npy array, or text, a row a line, where -inf is no \
arc. An event that waits for none is at -inf from step 1 on. Computed on the host.

--verify computes each state once more by a power of the matrix. No wrong state passes.

Examples:
  printf '3 7\\n2 4\\n' | manycore maxplus simulate - --steps 5
  manycore maxplus simulate line.mtx --steps 100 --json",
    step: "simulating",
    inputs: MATRIX,
    options: &[DeclaredOption {
        value: OptionKind::Count {
            value_name: "N",
            range: Range::PositiveShort,
            is_required: false,
            default: Some(10),
        },
        ..DeclaredOption::flag("steps", "The number of steps")
    }],
    no_array: Some("a list of states"),
    is_seedless: true,
    device: DeviceUse::Unused,
    ..Declaration::BASE
};

/// The operation.
pub(super) struct Simulate;

impl Operation for Simulate {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        let steps = arguments.number("steps").unwrap_or_default();
        let graph = of_source::<i64>(files.matrix(0)?, Extremum::Maximum, Zero::Arc)?;
        Ok(Box::new(Simulating { graph, steps, states: None }))
    }
}

/// A call.
struct Simulating {
    graph: Graph<i64>,
    steps: u64,
    states: Option<Vec<Vector<i64>>>,
}

impl Simulating {
    /// The state of step 0, in which all events happen.
    fn start(&self) -> Vector<i64> {
        vec![Some(0); self.graph.nodes()]
    }

    fn simulated(&self) -> Result<Vec<Vector<i64>>, MaxPlusError> {
        let nodes = self.graph.nodes();
        let none = |rows: usize, columns: usize| LinearMap::new(rows, columns, &[]);
        let system = LinearSystem::new(self.graph.clone(), none(nodes, 0)?, none(0, nodes)?)?;
        // A list of inputs and one of outputs for each step, and the states.
        let steps = usize::try_from(self.steps).unwrap_or(usize::MAX);
        let bytes = nodes.saturating_mul(size_of::<Option<i64>>()).saturating_add(3 * size_of::<Vec<i64>>());
        host_room(steps.saturating_mul(bytes) as u64)?;
        Ok(system.simulate(&self.start(), &vec![Vec::new(); steps])?.states)
    }

    /// The state of a step by a power of the matrix.
    fn state(&self, step: u64) -> Result<Vector<i64>, MaxPlusError> {
        LinearMap::of_graph(&self.graph.power(step)?).apply(&self.start())
    }
}

impl Job for Simulating {
    fn is_on_host(&self) -> bool {
        true
    }

    fn compute(&mut self, _: &DeviceSet, _: u64) -> Result<(), OperationError> {
        self.states = Some(self.simulated().map_err(of_made)?);
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        for (step, state) in (1..).zip(self.states.as_ref().ok_or_else(unmade)?) {
            let expected = self.state(step).map_err(of_made)?;
            let differ = |(_, (found, expected)): &(usize, (&Option<i64>, &Option<i64>))| found != expected;
            if let Some((index, (&found, &expected))) = state.iter().zip(&expected).enumerate().find(differ) {
                let (found, expected) = (text(found), text(expected));
                return Err(CheckError::Value { run: step as usize, index, found, expected }.into());
            }
        }
        Ok(Passed::by_second_computation("second computation by powers of the matrix"))
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { graph, steps, states } = *self;
        let value = states.map_or(Value::None, |states| {
            let entry = |time: &Option<i64>| time.map_or("-Infinity".into(), integer);
            let rows = states.iter().map(|state| state.iter().map(entry).collect::<Json>());
            let line = |state: &Vector<i64>| state.iter().map(|&time| text(time)).collect::<Vec<_>>().join(" ") + "\n";
            Value::Shown { text: states.iter().map(line).collect(), json: rows.collect() }
        });
        Answer::of(value).with("nodes", graph.nodes()).with("steps", steps)
    }
}

fn text(time: Option<i64>) -> String {
    time.map_or("-inf".to_owned(), |time| time.to_string())
}
