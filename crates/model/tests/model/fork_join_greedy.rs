//! The bounds on greedy schedules (paper 002, (2.2) and (2.3)) on explicit graphs: the graph of a random fork-join
//! computation is built beside its `ForkJoin`, and scheduled.

use manycore_model::fork_join::ForkJoin;
use rand::{Rng, SeedableRng, rngs::StdRng};

/// A graph of operations of one unit of time each.
#[derive(Default)]
struct Graph {
    /// By operation: those that wait for it.
    next: Vec<Vec<usize>>,
}

/// A part of the graph, by the operations that nothing in it comes before and after.
#[derive(Clone, Default)]
struct Part {
    first: Vec<usize>,
    last: Vec<usize>,
}

impl Graph {
    fn step(&mut self, operations: u64) -> Part {
        (0..operations).fold(Part::default(), |before, _| {
            let operation = self.next.len();
            self.next.push(vec![]);
            self.then(before, Part { first: vec![operation], last: vec![operation] })
        })
    }

    fn then(&mut self, before: Part, after: Part) -> Part {
        if before.first.is_empty() {
            return after;
        }
        if after.first.is_empty() {
            return before;
        }
        for &last in &before.last {
            self.next[last].extend(&after.first);
        }
        Part { first: before.first, last: after.last }
    }

    fn beside(mut one: Part, other: Part) -> Part {
        one.first.extend(other.first);
        one.last.extend(other.last);
        one
    }

    /// One fork, then the halves side by side.
    fn parallel_for(&mut self, operations: u64, count: u64) -> Part {
        match count {
            0 => Part::default(),
            1 => self.step(operations),
            _ => {
                let fork = self.step(1);
                let (low, high) = (count / 2, count - count / 2);
                let halves = Self::beside(self.parallel_for(operations, low), self.parallel_for(operations, high));
                self.then(fork, halves)
            }
        }
    }

    /// A random computation of some operations, and its work and span by the model.
    fn random(&mut self, depth: u32, random: &mut StdRng) -> (Part, ForkJoin) {
        match if depth == 0 { random.random_range(0..2) } else { random.random_range(0..6) } {
            0 => {
                let operations = random.random_range(0..5);
                (self.step(operations), ForkJoin::step(operations))
            }
            1 => {
                let (operations, count) = (random.random_range(1..4), random.random_range(0..9));
                let cost = ForkJoin::step(operations).parallel_for(count).unwrap();
                (self.parallel_for(operations, count), cost)
            }
            2 | 3 => {
                let (before, after) = (self.random(depth - 1, random), self.random(depth - 1, random));
                (self.then(before.0, after.0), before.1.then(after.1).unwrap())
            }
            _ => {
                let (one, other) = (self.random(depth - 1, random), self.random(depth - 1, random));
                (Self::beside(one.0, other.0), one.1.beside(other.1).unwrap())
            }
        }
    }

    fn waiting(&self) -> Vec<usize> {
        let mut waiting = vec![0; self.next.len()];
        self.next.iter().flatten().for_each(|&operation| waiting[operation] += 1);
        waiting
    }

    /// Steps that a greedy schedule takes, which picks at random among the ready operations.
    fn schedule(&self, processors: usize, random: &mut StdRng) -> u64 {
        let mut waiting = self.waiting();
        let mut ready: Vec<usize> = (0..self.next.len()).filter(|&operation| waiting[operation] == 0).collect();
        let mut steps = 0;
        while !ready.is_empty() {
            steps += 1;
            let mut running = vec![];
            while running.len() < processors && !ready.is_empty() {
                running.push(ready.swap_remove(random.random_range(0..ready.len())));
            }
            for &after in running.iter().flat_map(|&operation| &self.next[operation]) {
                waiting[after] -= 1;
                if waiting[after] == 0 {
                    ready.push(after);
                }
            }
        }
        steps
    }
}

#[test]
fn greedy_schedules_are_within_the_bounds() {
    let mut random = StdRng::seed_from_u64(25);
    let mut longer_than_either = 0;
    for _ in 0..1000 {
        let mut graph = Graph::default();
        let (_, cost) = graph.random(5, &mut random);
        // One processor takes the work, and as many as there are operations the span.
        assert_eq!(u128::from(graph.schedule(1, &mut random)), cost.work);
        assert_eq!(u128::from(graph.schedule(graph.next.len().max(1), &mut random)), cost.span);
        for processors in 1..7_u32 {
            let steps = graph.schedule(processors as usize, &mut random) as f64;
            let time = cost.time(processors).unwrap();
            assert!(time.contains(&steps), "{steps} steps on {processors} processors, {cost:?}");
            if steps > 0.0 {
                assert!(cost.work as f64 / steps <= cost.speedup_limit(processors) + 1e-12);
            }
            longer_than_either += u32::from(steps > *time.start() + 1.0);
        }
    }
    // The lower bound alone would be wrong often.
    assert!(longer_than_either > 100, "{longer_than_either}");
}

/// The printed `T1/TP <= T1/Tinf <= P` fails for every computation that can use more than the processors there are: with
/// the parallelism 2 of the paper's example, on one processor.
#[test]
fn parallelism_may_exceed_the_processors() {
    let cost = ForkJoin::step(9).beside(ForkJoin::step(9)).unwrap();
    assert_eq!(cost, ForkJoin { work: 18, span: 9 });
    let (processors, parallelism) = (1, cost.parallelism());
    assert!(parallelism > f64::from(processors));
    assert_eq!(cost.speedup_limit(processors).to_bits(), 1_f64.to_bits());
    assert_eq!(cost.speedup_limit(4).to_bits(), 2_f64.to_bits());
}
