//! Graphs that tests draw.

/// Numbers without a pattern (`SplitMix64`: Steele, Lea, Flood 2014).
#[derive(Debug, Clone)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub(crate) fn between(&mut self, least: i64, most: i64) -> i64 {
        least + self.below((most - least + 1) as u64) as i64
    }
}

/// The arcs of a graph without circuits: of each pair of nodes with a chance of `percent`, renamed at random.
pub(crate) fn acyclic(nodes: usize, percent: u64, chain: bool, seed: u64, weights: (i64, i64)) -> Vec<(u32, u32, i64)> {
    let mut random = Random(seed);
    let names = permutation(nodes, &mut random);
    let mut arcs = Vec::new();
    for to in 1..nodes {
        for from in 0..to {
            if (chain && from + 1 == to) || random.below(100) < percent {
                arcs.push((names[from], names[to], random.between(weights.0, weights.1)));
            }
        }
    }
    arcs
}

/// The arcs of any graph.
pub(crate) fn any(nodes: usize, percent: u64, seed: u64, weights: (i64, i64)) -> Vec<(u32, u32, i64)> {
    let mut random = Random(seed);
    let mut arcs = Vec::new();
    for to in 0..nodes as u32 {
        for from in 0..nodes as u32 {
            if random.below(100) < percent {
                arcs.push((from, to, random.between(weights.0, weights.1)));
            }
        }
    }
    arcs
}

/// Arcs whose circuits weigh 0 or less: differences of drawn heights, lowered.
pub(crate) fn without_positive_circuits(nodes: usize, percent: u64, seed: u64) -> Vec<(u32, u32, i64)> {
    let mut random = Random(seed ^ 0x5555);
    let heights: Vec<i64> = (0..nodes).map(|_| random.between(-50, 50)).collect();
    any(nodes, percent, seed, (0, 6))
        .into_iter()
        .map(|(from, to, lowered)| (from, to, heights[to as usize] - heights[from as usize] - lowered))
        .collect()
}

/// Numbers from 0 in a drawn order (Fisher, Yates 1938).
pub(crate) fn permutation(count: usize, random: &mut Random) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..count as u32).collect();
    for i in (1..count).rev() {
        numbers.swap(i, random.below(i as u64 + 1) as usize);
    }
    numbers
}
