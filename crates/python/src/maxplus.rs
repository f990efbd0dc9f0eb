//! Max-plus algebra: longest and shortest paths, cycle means, projects.

use std::convert::Infallible;
use std::sync::Arc;

use manycore::maxplus::project::{Link, LinkKind, Project, Schedule, Task, Variants};
use manycore::maxplus::{Extremum, Graph, MaxPlus, MaxPlusError, StarOptions, Weight};
use numpy::Element;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{of_type, owned, owned_matrix, reading, writing, wrong_type};
use crate::device::PyDevice;
use crate::errors::OrRaise as _;
use crate::work::run;

const WEIGHTS: &str = "weights of type int32, int64, float32 and float64";

/// Arcs as three arrays: from, to, weight.
struct Arcs<'a, 'py> {
    nodes: usize,
    from: &'a Bound<'py, PyAny>,
    to: &'a Bound<'py, PyAny>,
    weights: &'a Bound<'py, PyAny>,
}

impl Arcs<'_, '_> {
    /// The graph, if its weights are of this type.
    fn graph<T: Element + Weight>(&self, shortest: bool) -> PyResult<Option<Graph<T>>> {
        let Some(weights) = of_type::<T>(self.weights) else { return Ok(None) };
        let ends = |array: &Bound<'_, PyAny>| match of_type::<u32>(array) {
            Some(array) => Ok(reading(&array)?.as_slice()?.to_vec()),
            None => Err(wrong_type(array, "ends of arcs of type uint32")),
        };
        let (from, to) = (ends(self.from)?, ends(self.to)?);
        let weights = reading(&weights)?;
        let arcs = from.into_iter().zip(to).zip(weights.as_slice()?);
        let arcs: Vec<(u32, u32, T)> = arcs.map(|((from, to), &weight)| (from, to, weight)).collect();
        let extremum = if shortest { Extremum::Minimum } else { Extremum::Maximum };
        Graph::from_arcs_with(extremum, self.nodes, &arcs).map(Some).or_raise()
    }
}

/// Does `$work` with the graph of `$arcs` as `$graph`, whatever its weights are.
macro_rules! with_graph {
    ($arcs:expr, $shortest:expr, [$($type:ty),*], |$graph:ident| $work:expr) => {{
        $(
            if let Some($graph) = $arcs.graph::<$type>($shortest)? {
                return $work;
            }
        )*
        Err(wrong_type($arcs.weights, WEIGHTS))
    }};
}

/// The weights of the best paths between all nodes: entry `(i, j)` is that from `j` to `i`.
#[pyfunction]
pub(crate) fn star<'py>(
    py: Python<'py>,
    device: &PyDevice,
    nodes: usize,
    from: &Bound<'py, PyAny>,
    to: &Bound<'py, PyAny>,
    weights: &Bound<'py, PyAny>,
    shortest: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let arcs = Arcs { nodes, from, to, weights };
    with_graph!(arcs, shortest, [i64, f64, i32, f32], |graph| {
        let algebra = algebra(&graph, device);
        let entries = run(py, || entries(&algebra, &graph, shortest))?.or_raise()?;
        owned_matrix(py, nodes, nodes, entries)
    })
}

/// Which nodes reach which: a byte, 0 or 1, for each pair, row after row from the node where paths begin.
#[pyfunction]
pub(crate) fn reachability<'py>(
    py: Python<'py>,
    device: &PyDevice,
    nodes: usize,
    from: &Bound<'py, PyAny>,
    to: &Bound<'py, PyAny>,
    weights: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let arcs = Arcs { nodes, from, to, weights };
    with_graph!(arcs, false, [i64], |graph| {
        let algebra = algebra(&graph, device);
        let closure = run(py, || algebra.closure(&graph))?.or_raise()?;
        let pairs = (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to)));
        let reached = pairs.map(|(from, to)| u8::from(closure.reaches(from, to))).collect();
        owned_matrix(py, nodes, nodes, reached)
    })
}

/// The nodes of a longest path from a node to another one; nothing where there is none.
#[pyfunction]
pub(crate) fn best_path(
    py: Python<'_>,
    nodes: usize,
    from: &Bound<'_, PyAny>,
    to: &Bound<'_, PyAny>,
    weights: &Bound<'_, PyAny>,
    ends: (u32, u32),
) -> PyResult<Option<Vec<u32>>> {
    let arcs = Arcs { nodes, from, to, weights };
    with_graph!(arcs, false, [i64, f64, i32, f32], |graph| {
        run(py, || graph.longest_path(ends.0, ends.1))?.or_raise()
    })
}

/// The algebra of a graph's weights on a device.
fn algebra<T: Weight>(_: &Graph<T>, device: &PyDevice) -> Arc<MaxPlus<T>> {
    let Ok(made) = device.0.kept(String::new(), |device| Ok::<_, Infallible>(MaxPlus::new(device)));
    made
}

fn entries<T: Weight>(algebra: &MaxPlus<T>, graph: &Graph<T>, shortest: bool) -> Result<Vec<T>, MaxPlusError> {
    let options = StarOptions::new();
    let star = if shortest { algebra.shortest(graph, &options)? } else { algebra.star_with(graph, &options)? };
    Ok(star.into_entries())
}

/// The greatest mean weight of a circuit as numerator and denominator, and the circuit; nothing without circuits.
#[pyfunction]
pub(crate) fn cycle_mean(
    py: Python<'_>,
    nodes: usize,
    from: &Bound<'_, PyAny>,
    to: &Bound<'_, PyAny>,
    weights: &Bound<'_, PyAny>,
) -> PyResult<Option<(i128, u64, Vec<u32>)>> {
    let arcs = Arcs { nodes, from, to, weights };
    with_graph!(arcs, false, [i64, i32], |graph| {
        let found = run(py, || graph.maximum_cycle_mean())?.or_raise()?;
        Ok(found.map(|found| (found.ratio.weight, found.ratio.time, found.circuit)))
    })
}

/// The same of weights that round: the mean and a bound of its error.
#[pyfunction]
pub(crate) fn cycle_mean_real(
    py: Python<'_>,
    nodes: usize,
    from: &Bound<'_, PyAny>,
    to: &Bound<'_, PyAny>,
    weights: &Bound<'_, PyAny>,
) -> PyResult<Option<(f64, f64, Vec<u32>)>> {
    let arcs = Arcs { nodes, from, to, weights };
    with_graph!(arcs, false, [f64, f32], |graph| {
        let found = run(py, || graph.maximum_cycle_mean())?.or_raise()?;
        Ok(found.map(|found| (found.ratio.value(), found.error, found.circuit)))
    })
}

/// Eigenvectors of the maximum cycle mean: numerators, nothing for epsilon, and their denominator.
#[pyfunction]
pub(crate) fn eigenvectors(
    py: Python<'_>,
    nodes: usize,
    from: &Bound<'_, PyAny>,
    to: &Bound<'_, PyAny>,
    weights: &Bound<'_, PyAny>,
) -> PyResult<Vec<(Vec<Option<i128>>, u64)>> {
    let arcs = Arcs { nodes, from, to, weights };
    with_graph!(arcs, false, [i64, i32], |graph| {
        let found = run(py, || graph.eigenvectors())?.or_raise()?;
        Ok(found.into_iter().map(|vector| (vector.numerators, vector.denominator)).collect())
    })
}

/// A project: tasks and the links between them.
#[pyclass(frozen, name = "Project", module = "manycore._native")]
pub(crate) struct PyProject(Project);

/// A task: its name, its duration, its earliest start, and its latest finish if it has one.
type TaskFacts = (String, i64, i64, Option<i64>);

#[pymethods]
impl PyProject {
    #[new]
    fn new(tasks: Vec<TaskFacts>, links: Vec<(u32, u32, String, i64)>) -> PyResult<Self> {
        let tasks = tasks
            .into_iter()
            .map(|(name, duration, release, deadline)| Task { release, deadline, ..Task::new(name, duration) })
            .collect();
        let links = links.into_iter().map(|(from, to, kind, lag)| match LinkKind::of_code(&kind) {
            Some(kind) => Ok(Link { from, to, kind, lag }),
            None => Err(PyValueError::new_err(format!("the link {kind:?}: \"FS\", \"SS\", \"FF\" or \"SF\""))),
        });
        Ok(Self(Project::new(tasks, links.collect::<PyResult<_>>()?).or_raise()?))
    }

    #[staticmethod]
    fn read(path: std::path::PathBuf) -> PyResult<Self> {
        Ok(Self(Project::read(path).or_raise()?))
    }

    fn tasks(&self) -> Vec<TaskFacts> {
        let facts = |task: &Task| (task.name.clone(), task.duration, task.release, task.deadline);
        self.0.tasks().iter().map(facts).collect()
    }

    fn links(&self) -> Vec<(u32, u32, &'static str, i64)> {
        self.0.links().iter().map(|link| (link.from, link.to, link.kind.code(), link.lag)).collect()
    }

    fn schedule(&self, py: Python<'_>) -> PyResult<PySchedule> {
        Ok(PySchedule(run(py, || self.0.schedule())?.or_raise()?))
    }

    fn gantt(&self, schedule: &PySchedule) -> String {
        schedule.0.gantt(&self.0)
    }

    /// The lengths of variants of the project, which have other durations each, and how often each task is critical: durations of
    /// a task lie together.
    fn variants<'py>(
        &self,
        py: Python<'py>,
        device: &PyDevice,
        count: usize,
        durations: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let array = of_type::<i64>(durations).ok_or_else(|| wrong_type(durations, "int64"))?;
        let durations = reading(&array)?.as_slice()?.to_vec();
        let variants = Variants::new(self.0.tasks().len(), count, durations).or_raise()?;
        let report = run(py, || self.0.schedule_variants(&device.0.device, &variants))?.or_raise()?;
        Ok((owned(py, report.lengths().to_vec()), owned(py, report.critical().to_vec())))
    }
}

/// Fills an array of a row for each variant and a column for each task, contiguous, with the numbers from 0 to below 1 that variants
/// `first`, `first + step` and so on draw.
#[pyfunction]
pub(crate) fn draw_units(
    py: Python<'_>,
    units: &Bound<'_, PyAny>,
    tasks: usize,
    seed: u64,
    first: u64,
    step: i64,
) -> PyResult<()> {
    let array = of_type::<f64>(units).ok_or_else(|| wrong_type(units, "float64"))?;
    let mut access = writing(&array)?;
    let units = access.as_slice_mut()?;
    run(py, || {
        let mut variant = first;
        for row in units.chunks_mut(tasks.max(1)) {
            Variants::draw_units(seed, variant, row);
            variant = variant.wrapping_add_signed(step);
        }
    })
}

/// A schedule of a project.
#[pyclass(frozen, name = "Schedule", module = "manycore._native")]
pub(crate) struct PySchedule(Schedule);

#[pymethods]
impl PySchedule {
    #[getter]
    fn length(&self) -> i64 {
        self.0.length()
    }

    fn earliest<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        owned(py, self.0.earliest().to_vec())
    }

    fn latest<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        owned(py, self.0.latest())
    }

    fn total_slack<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        owned(py, self.0.total_slack())
    }

    fn free_slack<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        owned(py, self.0.free_slack())
    }

    fn critical(&self) -> Vec<u32> {
        self.0.critical()
    }

    fn critical_path(&self) -> Vec<u32> {
        self.0.critical_path()
    }

    fn late(&self) -> Vec<(u32, i64)> {
        self.0.late()
    }
}
