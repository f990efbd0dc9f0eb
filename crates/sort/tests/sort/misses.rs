//! Cache misses of counting sorts on an ideal cache against the bounds of paper 002 (Propositions 2 to 8, with their conditions as
//! corrected): traces of Algorithms 1, 2 and 3 in words.

use manycore_model::cache::{Array, Geometry, Layout, Optimal, Simulator as _};
use manycore_sort::counting;

/// Words of the cache, which has 16 lines: enough for those of 8 counters, of the keys read, and of 8 groups.
const WORDS: u64 = 128;
/// Words of a line.
const LINE: u64 = 8;
/// Groups of a step.
const GROUPS: u64 = 8;

fn keys(len: u64, range: u64) -> Vec<u64> {
    (0..len).map(|i| ((i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31) >> 20) % range).collect()
}

/// Algorithm 1: keys to `to`, and the addresses of all words that it takes.
fn count(from: &[u64], range: u64, (a, b, c): (Array, Array, Array), trace: &mut Vec<u64>) -> Vec<u64> {
    let mut counts = vec![0usize; range as usize];
    trace.extend((0..range).map(|i| c.at(i)));
    for (i, &key) in (0..).zip(from) {
        trace.extend([a.at(i), c.at(key)]);
        counts[key as usize] += 1;
    }
    let mut sum = 0;
    for (i, count) in (0..).zip(&mut counts) {
        trace.push(c.at(i));
        sum += std::mem::replace(count, sum);
    }
    let mut to = vec![0; from.len()];
    for (i, &key) in (0..).zip(from) {
        let at = &mut counts[key as usize];
        trace.extend([a.at(i), c.at(key), b.at(*at as u64)]);
        to[*at] = key;
        *at += 1;
    }
    to
}

/// Algorithm 3: keys that are grouped by parts of `width` numbers, grouped by parts of `width / GROUPS`.
fn share_out(from: &[u64], width: u64, (a, g, f): (Array, Array, Array), trace: &mut Vec<u64>) -> Vec<u64> {
    let mut to = vec![0; from.len()];
    let step = width / GROUPS;
    let mut begin = 0;
    for part in from.chunk_by(|x, y| x / width == y / width) {
        let mut counts = [0usize; GROUPS as usize];
        trace.extend((0..GROUPS).map(|i| f.at(i)));
        for (i, key) in (begin as u64..).zip(part) {
            trace.extend([a.at(i), f.at(key % width / step)]);
            counts[(key % width / step) as usize] += 1;
        }
        let mut sum = 0;
        for (i, count) in (0..).zip(&mut counts) {
            trace.push(f.at(i));
            sum += std::mem::replace(count, sum);
        }
        for (i, key) in (begin as u64..).zip(part) {
            let group = key % width / step;
            let at = &mut counts[group as usize];
            trace.extend([a.at(i), f.at(group), g.at((begin + *at) as u64)]);
            to[begin + *at] = *key;
            *at += 1;
        }
        begin += part.len();
    }
    to
}

struct Memory {
    geometry: Geometry,
    a: Array,
    b: Array,
    counters: Array,
    groups: Array,
}

impl Memory {
    fn new(len: u64, range: u64) -> Self {
        let geometry = Geometry::new(WORDS, LINE).unwrap();
        let mut layout = Layout::new(geometry);
        let [a, b, counters, groups] = [len, len, range, GROUPS].map(|words| layout.array(words));
        Self { geometry, a, b, counters, groups }
    }

    fn misses(&self, trace: &[u64]) -> u64 {
        Optimal::new(self.geometry).run(trace.iter().copied()).misses
    }
}

#[test]
fn one_counting_sort_keeps_its_bounds() {
    let len = 4000;
    for range in [GROUPS, 500, 3000] {
        let (memory, keys) = (Memory::new(len, range), keys(len, range));
        let mut trace = Vec::new();
        let sorted = count(&keys, range, (memory.a, memory.b, memory.counters), &mut trace);
        assert_eq!(sorted, counting::sort(&keys, range).unwrap().0);
        let misses = memory.misses(&trace);
        // Proposition 2, of any range.
        assert!(misses <= 3 * len + 2 * len / LINE + 2 * range / LINE + 4, "{range}: {misses}");
        // Proposition 3, of counters and a line for each number within the cache.
        if range.div_ceil(LINE) + range < WORDS / LINE {
            assert!(misses <= 3 * len / LINE + range + range / LINE + 3, "{range}: {misses}");
        } else {
            assert!(misses > len, "{range}: {misses}");
        }
    }
}

#[test]
fn sorts_by_groups_keep_their_bounds() {
    let len = 4000;
    // Steps before the last one, and the range that they are for.
    for (steps, range) in [(1u32, 64u64), (2, 512), (3, 4096)] {
        let (memory, keys) = (Memory::new(len, range), keys(len, range));
        let (mut trace, mut from, mut width) = (Vec::new(), keys.clone(), range);
        let (mut source, mut target) = (memory.a, memory.b);
        for step in 0..steps {
            let before = trace.len();
            from = share_out(&from, width, (source, target, memory.groups), &mut trace);
            // Proposition 6, of one step.
            let misses = memory.misses(&trace[before..]);
            let bound = 3 * len / LINE + GROUPS / LINE + range / width * (GROUPS + 2) + 1;
            assert!(misses <= bound, "step {step} of {steps}: {misses}, bound {bound}");
            (source, target) = (target, source);
            width /= GROUPS;
        }
        assert_eq!(from, counting::preprocess(&keys, range, GROUPS).unwrap().0);
        // Proposition 7, of all steps, which exchange their arrays.
        let u = u64::from(steps);
        let parts = (GROUPS.pow(steps) - 1) / (GROUPS - 1);
        let bound = 3 * len * u / LINE + GROUPS * u / LINE + (GROUPS + 2) * parts + u;
        let misses = memory.misses(&trace);
        assert!(misses <= bound, "{steps} steps: {misses}, bound {bound}");
        // Proposition 4, of the counting sort of what they give.
        let mut last = Vec::new();
        let sorted = count(&from, range, (source, target, memory.counters), &mut last);
        assert_eq!(sorted, counting::sort_by_groups(&keys, range, GROUPS).unwrap().0);
        let of_last = 3 * len / LINE + 4 * range / LINE + (GROUPS + 2) * range.div_ceil(GROUPS) + 4;
        let misses = memory.misses(&last);
        assert!(misses <= of_last, "counting after {steps} steps: {misses}, bound {of_last}");
        // Proposition 8, of both.
        trace.extend(last);
        let misses = memory.misses(&trace);
        assert!(misses <= bound + of_last, "{steps} steps and counting: {misses}, bound {}", bound + of_last);
    }
}
