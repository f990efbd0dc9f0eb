//! Longest paths in graphs with circuits and without, by any algorithm, of integers and of whole numbers.

use manycore::maxplus::{Graph, MaxPlus, PushShape, StarAlgorithm, StarOptions, Weight};
use serde::Serialize;

use super::case::{candidate, draw_candidate};
use crate::compare::Found;
use crate::failure::Failure;
use crate::random::Random;
use crate::site::Site;

/// The weight of the operation in the random draw.
pub(crate) const WEIGHT: u64 = 2;

/// Nodes, at most.
const MOST: usize = 400;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Type {
    I32,
    I64,
    F32,
    F64,
}

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    weight: Type,
    nodes: usize,
    /// Arcs of a hundred pairs of nodes.
    percent: u64,
    has_circuits: bool,
    /// Where columns begin and end.
    columns: (usize, usize),
    pushes: bool,
    candidate: Option<u64>,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, _: &Site) -> Self {
        let nodes = random.length(MOST);
        let (one, other) = (random.below(nodes as u64 + 1) as usize, random.below(nodes as u64 + 1) as usize);
        let has_all = random.once_in(2);
        Self {
            weight: random.pick(&[Type::I32, Type::I64, Type::F32, Type::F64]),
            nodes,
            percent: random.pick(&[0, 1, 5, 50, 100]),
            has_circuits: random.once_in(3),
            columns: if has_all { (0, nodes) } else { (one.min(other), one.max(other)) },
            pushes: random.once_in(4),
            candidate: draw_candidate(random),
        }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        match self.weight {
            Type::I32 => self.of(random, site, |x| x as i32),
            Type::I64 => self.of(random, site, |x| x),
            Type::F32 => self.of(random, site, |x| x as f32),
            Type::F64 => self.of(random, site, |x| x as f64),
        }
    }
}

impl Case {
    /// Arcs between nodes by drawn names. Heights make circuits weigh 0 or less.
    fn arcs(&self, random: &mut Random) -> Vec<(u32, u32, i64)> {
        let mut names: Vec<u32> = (0..self.nodes as u32).collect();
        for i in (1..self.nodes).rev() {
            names.swap(i, random.below(i as u64 + 1) as usize);
        }
        let heights: Vec<i64> = names.iter().map(|_| random.below(100) as i64).collect();
        let mut arcs = Vec::new();
        for to in 0..self.nodes {
            for from in 0..if self.has_circuits { self.nodes } else { to } {
                if random.below(100) < self.percent {
                    let lowered = if self.has_circuits { random.below(9) as i64 } else { 0 };
                    arcs.push((names[from], names[to], heights[to] - heights[from] - lowered));
                }
            }
        }
        arcs
    }

    fn of<T: Weight>(&self, random: &mut Random, site: &Site, number: impl Fn(i64) -> T) -> Result<Found, Failure> {
        let arcs = self.arcs(random);
        let columns = self.columns.0..self.columns.1;
        let weighted: Vec<(u32, u32, T)> = arcs.iter().map(|&(from, to, weight)| (from, to, number(weight))).collect();
        let graph = Graph::from_arcs(self.nodes, &weighted)?;
        let max_plus = MaxPlus::<T>::new(&site.device);
        let mut options = StarOptions::new();
        if !self.has_circuits && self.nodes > 0 && !columns.is_empty() {
            if self.pushes {
                options = options.algorithm(StarAlgorithm::Push(PushShape::default()));
            } else if let Some(&algorithm) =
                candidate(&max_plus.explain(&graph, columns.clone(), &options)?, self.candidate, site)
            {
                options = options.algorithm(algorithm);
            }
        }
        let star = max_plus.star_columns(&graph, columns.clone(), &options)?;
        let found = site.result(star.entries().to_vec());
        let paths: Vec<Vec<Option<i64>>> = columns.map(|from| longest(self.nodes, &arcs, from)).collect();
        let entry = |path: Option<i64>| path.map_or(T::LOWEST, &number);
        let expected: Vec<T> =
            (0..self.nodes).flat_map(|to| paths.iter().map(move |paths| paths[to])).map(entry).collect();
        Ok(Found::equal("the arcs in rounds", &found, &expected))
    }
}

/// The longest paths from a node by rounds over all arcs (Bellman 1958) until none is longer.
fn longest(nodes: usize, arcs: &[(u32, u32, i64)], from: usize) -> Vec<Option<i64>> {
    let mut paths = vec![None; nodes];
    paths[from] = Some(0);
    loop {
        let mut is_longer = false;
        for &(from, to, weight) in arcs {
            let Some(path) = paths[from as usize].map(|path: i64| path + weight) else { continue };
            let entry = &mut paths[to as usize];
            if entry.is_none_or(|entry| path > entry) {
                *entry = Some(path);
                is_longer = true;
            }
        }
        if !is_longer {
            return paths;
        }
    }
}
