//! Systems against their recurrences; event graphs against a simulation of tokens.

use manycore_maxplus::{Bound, EventGraph, Graph, LinearMap, LinearSystem, MaxPlusError};
use proptest::prelude::*;

use crate::common::{Random, acyclic, any};

/// A flow shop of three machines and four jobs, by its recurrence: each job goes through the machines in turn.
#[test]
fn a_flow_shop_has_its_makespan() {
    let times = [[3i64, 2, 4], [1, 5, 2], [4, 1, 3], [2, 2, 2]];
    let mut done = [[0i64; 3]; 5];
    for (job, row) in times.iter().enumerate() {
        for machine in 0..3 {
            let before = if machine > 0 { done[job + 1][machine - 1] } else { 0 };
            done[job + 1][machine] = before.max(done[job][machine]) + row[machine];
        }
    }
    // The same by one implicit step a job: x(k) = now x(k) + before x(k - 1).
    let mut state = vec![Some(0), Some(0), Some(0)];
    for (job, row) in times.iter().enumerate() {
        let now = Graph::from_arcs(3, &[(0, 1, row[1]), (1, 2, row[2])]).unwrap();
        let before = Graph::from_arcs(3, &[(0, 0, row[0]), (1, 1, row[1]), (2, 2, row[2])]).unwrap();
        let b = LinearMap::new(3, 1, &[(0, 0, row[0])]).unwrap();
        let system = LinearSystem::implicit(&now, &before, &b, LinearMap::new(1, 3, &[(0, 2, 0)]).unwrap()).unwrap();
        let run = system.simulate(&state, &[vec![Some(0)]]).unwrap();
        state = run.states[0].clone();
        assert_eq!(state, done[job + 1].map(Some));
        assert_eq!(run.outputs[0], [Some(done[job + 1][2])]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn latest_inputs_keep_due_dates(n in 1usize..6, seed: u64) {
        let mut random = Random(seed);
        let a = Graph::from_arcs(n, &any(n, 50, seed, (0, 9))).unwrap();
        let b = LinearMap::new(n, 1, &[(0, 0, 1), (random.below(n as u64) as u32, 0, 4)]).unwrap();
        let c = LinearMap::new(1, n, &[(0, n as u32 - 1, 2)]).unwrap();
        let system = LinearSystem::new(a, b, c).unwrap();
        let inputs: Vec<Vec<Option<i64>>> = (0..5).map(|step| vec![Some(3 * step)]).collect();
        let earliest = system.simulate(&vec![None; n], &inputs).unwrap();
        let due: Vec<Vec<Bound<i64>>> = earliest
            .outputs
            .iter()
            .map(|y| y.iter().map(|y| y.map_or(Bound::Free, Bound::AtMost)).collect())
            .collect();
        let latest = system.latest(&due).unwrap();
        let mut held = Vec::new();
        for (input, most) in inputs.iter().zip(&latest.inputs) {
            match most[0] {
                Bound::AtMost(most) => {
                    prop_assert!(most >= input[0].unwrap());
                    held.push(vec![Some(most)]);
                }
                _ => held.push(vec![Some(10_000)]),
            }
        }
        // The latest inputs give outputs that are in time, and no later ones do.
        let again = system.simulate(&vec![None; n], &held).unwrap();
        for (y, due) in again.outputs.iter().zip(&due) {
            if let Bound::AtMost(due) = due[0] {
                prop_assert!(y[0].is_none_or(|y| y <= due));
            }
        }
    }

    #[test]
    fn event_graphs_fire_as_their_systems(n in 1usize..6, seed: u64) {
        // Places without tokens make no circuits.
        let mut random = Random(seed);
        let mut places: Vec<(u32, u32, i64, u32)> =
            acyclic(n, 50, false, seed, (0, 9)).into_iter().map(|(from, to, time)| (from, to, time, 0)).collect();
        places.extend(any(n, 60, seed ^ 3, (0, 9)).into_iter().map(|(from, to, time)| (from, to, time, 1 + random.below(3) as u32)));
        let graph = EventGraph::new(n, &places).unwrap();
        let system = graph.system(&[(0, 0, 0)], &[(0, 0, 0)]).unwrap();
        // Firings one after the other, by the definition; before the first one all tokens are there at 0.
        let steps = 40;
        let mut firings: Vec<Vec<i64>> = Vec::new();
        for k in 0..steps {
            let mut own: Vec<Option<i64>> = vec![None; n];
            while own.iter().any(Option::is_none) {
                for to in 0..n {
                    let mut time = Some(0);
                    for &(from, _, delay, tokens) in places.iter().filter(|place| place.1 as usize == to) {
                        let before = match (k as u32).checked_sub(tokens) {
                            Some(step) if tokens == 0 || step < k as u32 => if tokens == 0 { own[from as usize] } else { Some(firings[step as usize][from as usize]) },
                            _ => Some(i64::MIN / 2),
                        };
                        time = time.zip(before).map(|(time, before): (i64, i64)| time.max(before + delay));
                    }
                    own[to] = own[to].or(time);
                }
            }
            firings.push(own.into_iter().map(Option::unwrap).collect());
        }
        // Every transition may fire from 0 on.
        let b: Vec<(u32, u32, i64)> = (0..n as u32).map(|to| (to, 0, 0)).collect();
        let system_of_all = graph.system(&b, &[(0, 0, 0)]).unwrap();
        let run = system_of_all.simulate(&vec![None; system_of_all.graph().nodes()], &vec![vec![Some(0)]; steps]).unwrap();
        for (state, firing) in run.states.iter().zip(&firings) {
            prop_assert!(state[..n].iter().zip(firing).all(|(a, b)| *a == Some(*b)), "{:?} {:?}", state, firing);
        }
        // The cycle time is that of the system.
        let ratio = |found: Option<manycore_maxplus::spectral::CycleRatio<i128>>| found.map(|found| found.ratio);
        prop_assert_eq!(ratio(graph.cycle_time().unwrap()), ratio(system.cycle_time().unwrap()));
    }
}

#[test]
fn wrong_systems_are_refused() {
    let dead = EventGraph::new(3, &[(0, 1, 1, 0), (1, 0, 1, 0), (1, 2, 1, 1)]).unwrap();
    assert!(matches!(dead.cycle_time(), Err(MaxPlusError::NoTransit { nodes }) if nodes == [0, 1]));
    assert!(matches!(dead.system(&[], &[]), Err(MaxPlusError::NoTransit { nodes }) if nodes == [0, 1]));
    assert!(matches!(EventGraph::new(1, &[(0, 1, 1, 0)]), Err(MaxPlusError::Node { .. })));
    let graph = Graph::from_arcs(2, &[(0, 1, 1)]).unwrap();
    let (b, c) = (LinearMap::new(3, 1, &[]).unwrap(), LinearMap::new(1, 2, &[]).unwrap());
    assert!(matches!(LinearSystem::new(graph, b, c), Err(MaxPlusError::Length { what: "rows of B", .. })));
}
