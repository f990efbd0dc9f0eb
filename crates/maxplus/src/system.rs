//! Linear systems `x(k) = A x(k - 1) + B u(k)`, `y(k) = C x(k)` over maximum and plus: earliest times of events that wait for each other
//! (Baccelli, Cohen, Olsder, Quadrat, "Synchronization and linearity", 1992), and event graphs, which are such systems.

use manycore_device::host_room;

use crate::circuit::turned;
use crate::error::MaxPlusError;
use crate::graph::Graph;
use crate::linear::{Bound, LinearMap, Vector};
use crate::spectral::CycleRatio;
use crate::weight::Weight;

/// A linear system: `A` of `n` by `n`, `B` of `n` by `p`, `C` of `q` by `n`.
///
/// ```
/// use manycore_maxplus::{Graph, LinearMap, LinearSystem};
/// // Two machines, of 3 and 2, one after the other.
/// let a = Graph::from_arcs(2, &[(0, 0, 3), (0, 1, 6), (1, 1, 2)])?;
/// let (b, c) = (LinearMap::new(2, 1, &[(0, 0, 0), (1, 0, 3)])?, LinearMap::new(1, 2, &[(0, 1, 2)])?);
/// let run = LinearSystem::new(a, b, c)?.simulate(&[None, None], &vec![vec![Some(0)]; 3])?;
/// assert_eq!(run.outputs, [[Some(5)], [Some(8)], [Some(11)]]);
/// # Ok::<(), manycore_maxplus::MaxPlusError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LinearSystem<T> {
    graph: Graph<T>,
    a: LinearMap<T>,
    b: LinearMap<T>,
    c: LinearMap<T>,
}

/// States and outputs of a simulation, step after step.
#[derive(Debug, Clone, PartialEq)]
pub struct Simulation<T> {
    /// The states.
    pub states: Vec<Vector<T>>,
    /// The outputs.
    pub outputs: Vec<Vector<T>>,
}

/// The latest times that keep due dates, step after step.
#[derive(Debug, Clone, PartialEq)]
pub struct Latest<T> {
    /// The latest states.
    pub states: Vec<Vec<Bound<T>>>,
    /// The latest inputs.
    pub inputs: Vec<Vec<Bound<T>>>,
}

impl<T: Weight> LinearSystem<T> {
    /// The system of these matrices.
    ///
    /// # Errors
    /// [`MaxPlusError::Length`] where their shapes do not fit.
    pub fn new(a: Graph<T>, b: LinearMap<T>, c: LinearMap<T>) -> Result<Self, MaxPlusError> {
        for (what, given) in [("rows of B", b.rows()), ("columns of C", c.columns())] {
            if given != a.nodes() {
                return Err(MaxPlusError::Length { what, given, expected: a.nodes() });
            }
        }
        Ok(Self { a: LinearMap::of_graph(&a), graph: a, b, c })
    }

    /// The system `x(k) = now x(k) + before x(k - 1) + B u(k)`, `y(k) = C x(k)` solved for `x(k)`: `A` is the star of `now` times `before`,
    /// and so is `B`.
    ///
    /// # Errors
    /// [`MaxPlusError::Length`]; [`MaxPlusError::PositiveCircuit`] where events wait for each other within a step;
    /// [`MaxPlusError::Overflow`].
    #[inline(never)]
    pub fn implicit(
        now: &Graph<T>,
        before: &Graph<T>,
        b: &LinearMap<T>,
        c: LinearMap<T>,
    ) -> Result<Self, MaxPlusError> {
        let nodes = now.nodes();
        for (what, given) in [("nodes of the step before", before.nodes()), ("rows of B", b.rows())] {
            if given != nodes {
                return Err(MaxPlusError::Length { what, given, expected: nodes });
            }
        }
        let mut arcs = Vec::new();
        for from in 0..nodes as u32 {
            let mut column = vec![None; nodes];
            before.successors(from).for_each(|(to, weight)| column[to as usize] = Some(weight));
            let solved = now.solve(&column)?;
            arcs.extend((0..).zip(solved).filter_map(|(to, weight)| weight.map(|weight| (from, to, weight))));
        }
        let mut inputs = vec![vec![None; nodes]; b.columns()];
        let given = (0..nodes).flat_map(|row| b.row(row).map(move |(column, weight)| (row, column, weight)));
        for (row, column, weight) in given {
            inputs[column as usize][row] = Some(weight);
        }
        let mut entries = Vec::new();
        for (input, column) in (0..).zip(&inputs) {
            let solved = now.solve(column)?;
            entries.extend((0..).zip(solved).filter_map(|(row, weight)| weight.map(|weight| (row, input, weight))));
        }
        Self::new(Graph::from_arcs(nodes, &arcs)?, LinearMap::new(nodes, b.columns(), &entries)?, c)
    }

    /// The graph of `A`.
    pub fn graph(&self) -> &Graph<T> {
        &self.graph
    }

    /// Earliest times: the states and outputs of the steps with these inputs, from a state before the first one.
    ///
    /// # Errors
    /// [`MaxPlusError::Length`] for a vector of another length; [`MaxPlusError::Overflow`]; [`MaxPlusError::Device`] where memory has no room
    /// for all states and outputs.
    #[inline(never)]
    pub fn simulate(&self, start: &[Option<T>], inputs: &[Vector<T>]) -> Result<Simulation<T>, MaxPlusError> {
        let times = (self.a.rows() + self.c.rows()).saturating_mul(inputs.len());
        host_room((times.saturating_mul(size_of::<Option<T>>())) as u64)?;
        let mut simulation = Simulation { states: Vec::new(), outputs: Vec::new() };
        let mut state = start.to_vec();
        for input in inputs {
            let driven = self.b.apply(input)?;
            state = sum(self.a.apply(&state)?, &driven);
            simulation.outputs.push(self.c.apply(&state)?);
            simulation.states.push(state.clone());
        }
        Ok(simulation)
    }

    /// Latest times: the greatest states and inputs of the steps whose outputs are no later than these, by the adjoint system
    /// `x(k) = min(A \ x(k + 1), C \ y(k))`, `u(k) = B \ x(k)`.
    ///
    /// # Errors
    /// As [`LinearSystem::simulate`].
    #[inline(never)]
    pub fn latest(&self, due: &[Vec<Bound<T>>]) -> Result<Latest<T>, MaxPlusError> {
        let mut latest = Latest { states: Vec::new(), inputs: Vec::new() };
        let mut after = vec![Bound::Free; self.a.rows()];
        for due in due.iter().rev() {
            let state: Vec<Bound<T>> =
                self.a.residual(&after)?.into_iter().zip(self.c.residual(due)?).map(|(a, c)| a.and(c)).collect();
            latest.inputs.push(self.b.residual(&state)?);
            latest.states.push(state.clone());
            after = state;
        }
        latest.states.reverse();
        latest.inputs.reverse();
        Ok(latest)
    }

    /// The time of a step in the long run, the maximum cycle mean of `A`; its inverse is the throughput. `None` where the graph has no
    /// circuit.
    ///
    /// # Errors
    /// As [`Graph::maximum_cycle_mean`].
    #[inline(never)]
    pub fn cycle_time(&self) -> Result<Option<CycleRatio<T::Exact>>, MaxPlusError> {
        self.graph.maximum_cycle_mean()
    }
}

fn sum<T: Weight>(a: Vector<T>, b: &[Option<T>]) -> Vector<T> {
    let greater = |(a, b): (Option<T>, &Option<T>)| match (a, *b) {
        (Some(a), Some(b)) => Some(a.longer(b)),
        (a, b) => a.or(b),
    };
    a.into_iter().zip(b).map(greater).collect()
}

/// A timed event graph: transitions, and places between them that hold tokens back for a time.
#[derive(Debug, Clone, PartialEq)]
pub struct EventGraph<T> {
    transitions: usize,
    /// From, to, time, tokens.
    places: Vec<(u32, u32, T, u32)>,
}

impl<T: Weight> EventGraph<T> {
    /// Transitions, numbered from 0, and places `(from, to, time, tokens)`: the `k`-th firing of `to` waits for firing `k - tokens` of
    /// `from` and the time.
    ///
    /// # Errors
    /// [`MaxPlusError::Node`], [`MaxPlusError::Weight`], [`MaxPlusError::TooManyNodes`].
    pub fn new(transitions: usize, places: &[(u32, u32, T, u32)]) -> Result<Self, MaxPlusError> {
        let arcs: Vec<(u32, u32, T)> = places.iter().map(|&(from, to, time, _)| (from, to, time)).collect();
        Graph::from_arcs(transitions, &arcs)?;
        Ok(Self { transitions, places: places.to_vec() })
    }

    /// The time between firings in the long run: the greatest ratio of times to tokens over circuits; `None` without circuits.
    ///
    /// # Errors
    /// [`MaxPlusError::NoTransit`] with the transitions of a circuit without tokens, which never fire; [`MaxPlusError::Exact`].
    #[inline(never)]
    pub fn cycle_time(&self) -> Result<Option<CycleRatio<T::Exact>>, MaxPlusError> {
        let (graph, tokens) = self.expanded()?;
        let mut found = graph.maximum_cycle_ratio(|from, to| tokens[&(from, to)]);
        let nodes = match &mut found {
            Ok(Some(ratio)) => &mut ratio.circuit,
            Err(MaxPlusError::NoTransit { nodes }) => nodes,
            _ => return found,
        };
        nodes.retain(|&node| (node as usize) < self.transitions);
        found
    }

    /// A graph without parallel arcs: a place that stands beside another one gets a node in its midst.
    #[allow(clippy::type_complexity)] // a graph and the tokens of its arcs
    fn expanded(&self) -> Result<(Graph<T>, std::collections::HashMap<(u32, u32), u32>), MaxPlusError> {
        let mut tokens = std::collections::HashMap::new();
        let (mut arcs, mut nodes) = (Vec::new(), self.transitions as u32);
        for &(from, to, time, count) in &self.places {
            if let std::collections::hash_map::Entry::Vacant(free) = tokens.entry((from, to)) {
                free.insert(count);
                arcs.push((from, to, time));
            } else {
                tokens.insert((from, nodes), count);
                tokens.insert((nodes, to), 0);
                arcs.extend([(from, nodes, time), (nodes, to, T::ZERO)]);
                nodes += 1;
            }
        }
        Ok((Graph::from_arcs(nodes as usize, &arcs)?, tokens))
    }

    /// The linear system of the graph: its states are the firings of the transitions, and those of the steps before that tokens past
    /// the first ask for. Inputs and outputs are those of `B` and `C`, by transitions.
    ///
    /// # Errors
    /// [`MaxPlusError::NoTransit`] with the transitions of a circuit without tokens, which never fire; as [`LinearSystem::implicit`].
    #[inline(never)]
    pub fn system(&self, b: &[(u32, u32, T)], c: &[(u32, u32, T)]) -> Result<LinearSystem<T>, MaxPlusError> {
        let (mut now, mut before, mut nodes) = (Vec::new(), Vec::new(), self.transitions as u32);
        for &(from, to, time, tokens) in &self.places {
            if tokens == 0 {
                now.push((from, to, time));
                continue;
            }
            // Each token past the first is a step of waiting.
            let mut last = from;
            for _ in 1..tokens {
                before.push((last, nodes, T::ZERO));
                last = nodes;
                nodes += 1;
            }
            before.push((last, to, time));
        }
        let nodes = nodes as usize;
        let count = |of: &[(u32, u32, T)], row: bool| {
            of.iter().map(|entry| if row { entry.0 } else { entry.1 }).max().map_or(0, |last| last as usize + 1)
        };
        let (b, c) = (LinearMap::new(nodes, count(b, false), b)?, LinearMap::new(count(c, true), nodes, c)?);
        let now = Graph::from_arcs(nodes, &now)?;
        if let Err(MaxPlusError::Cycle { nodes }) = now.topological_order() {
            return Err(MaxPlusError::NoTransit { nodes: turned(nodes) });
        }
        LinearSystem::implicit(&now, &Graph::from_arcs(nodes, &before)?, &b, c)
    }
}
