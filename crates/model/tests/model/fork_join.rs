//! Work, span and parallelism of well-known fork-join algorithms, as a check of the model (paper 002, section 2.5).
//!
//! The rows of the paper's Table 2.1 are not at hand. The rows here are those that the literature on fork-join
//! parallelism lists for such a table: merge sort, matrix product and Strassen's, of Cormen, Leiserson, Rivest and
//! Stein, *Introduction to Algorithms* (3rd edition, chapter 27), and Leiserson and Prokop, *A minicourse on
//! multithreaded programming* (1998); LU decomposition, tableau construction, FFT and breadth-first search of the
//! lectures on Cilk. With `d` the levels of the search, `V` and `E` the graph's vertices and edges:
//!
//! | algorithm | work | span | parallelism |
//! |---|---|---|---|
//! | merge sort, serial merge | `n lg n` | `n` | `lg n` |
//! | merge sort, parallel merge | `n lg n` | `lg^3 n` | `n / lg^2 n` |
//! | matrix product by loops and sums as trees | `n^3` | `lg n` | `n^3 / lg n` |
//! | matrix product by halving, with temporaries | `n^3` | `lg^2 n` | `n^3 / lg^2 n` |
//! | matrix product by halving, in place | `n^3` | `n` | `n^2` |
//! | Strassen | `n^(lg 7)` | `lg^2 n` | `n^(lg 7) / lg^2 n` |
//! | LU decomposition | `n^3` | `n lg n` | `n^2 / lg n` |
//! | tableau construction | `n^2` | `n^(lg 3)` | `n^(2 - lg 3)` |
//! | FFT | `n lg n` | `lg^2 n` | `n / lg n` |
//! | breadth-first search | `E` | `d lg V` | `E / (d lg V)` |
//!
//! Each row is a recurrence on `ForkJoin`, evaluated exactly on `n = 2^k`; where it has a closed form that is compared
//! too. A search depends on its data, and is counted on two families of graphs whose levels are known.

use std::collections::HashMap;
use std::ops::Range;

use manycore_model::fork_join::ForkJoin;

/// Work and span of `n = 2^k`, and the orders they should have, as functions of `n` and `lg n`.
struct Row<'r> {
    name: &'r str,
    cost: &'r dyn Fn(u32) -> ForkJoin,
    levels: Range<u32>,
    work: &'r dyn Fn(f64, f64) -> f64,
    span: &'r dyn Fn(f64, f64) -> f64,
}

impl Row<'_> {
    /// Fails unless work, span and parallelism grow with each doubling of `n` as their orders do. The growths may differ
    /// by less than half of what one factor `lg n` more or less would make, so that neighbouring orders are told apart.
    fn check(&self) {
        let order = |f: &dyn Fn(f64, f64) -> f64, k: u32| f(f64::from(k).exp2(), f64::from(k));
        for k in self.levels.clone() {
            let (small, large) = ((self.cost)(k), (self.cost)(k + 1));
            let work = order(self.work, k + 1) / order(self.work, k);
            let span = order(self.span, k + 1) / order(self.span, k);
            let factor_of_log = (f64::from(k + 1) / f64::from(k)).ln();
            for (what, found, expected) in [
                ("work", large.work as f64 / small.work as f64, work),
                ("span", large.span as f64 / small.span as f64, span),
                ("parallelism", large.parallelism() / small.parallelism(), work / span),
            ] {
                let off = (found / expected).ln() / factor_of_log;
                assert!(off.abs() < 0.5, "{}, {what} at n = 2^{k}: grows by {found}, not {expected}", self.name);
            }
            greedy_schedules_are_within_twice_the_best(large);
        }
    }
}

/// With no more processors than the parallelism the speedup is at least half of them; with as many or more, the time is
/// at most twice the span.
fn greedy_schedules_are_within_twice_the_best(cost: ForkJoin) {
    for processors in [1, 2, 64, 1000, u32::MAX] {
        let time = cost.time(processors).unwrap();
        let even = cost.work as f64 / f64::from(processors);
        let best = if f64::from(processors) <= cost.parallelism() { even } else { cost.span as f64 };
        assert!(*time.start() >= best * (1.0 - 1e-12) && *time.end() <= 2.0 * best * (1.0 + 1e-12));
        assert!(cost.speedup_limit(processors) <= f64::from(processors).min(cost.parallelism()));
    }
}

fn then(first: ForkJoin, next: ForkJoin) -> ForkJoin {
    first.then(next).unwrap()
}

/// `count` of the same side by side.
fn beside(one: ForkJoin, count: u32) -> ForkJoin {
    (1..count).try_fold(one, |all, _| all.beside(one)).unwrap()
}

fn parallel_for(body: ForkJoin, count: u64) -> ForkJoin {
    body.parallel_for(count).unwrap()
}

/// Merge sort that merges serially in `n` steps.
fn merge_sort_with_serial_merge(k: u32) -> ForkJoin {
    if k == 0 {
        return ForkJoin::step(1);
    }
    then(beside(merge_sort_with_serial_merge(k - 1), 2), ForkJoin::step(1 << k))
}

/// A merge of `n` numbers in all: the middle of the longer half is found in the other by bisection, which leaves at
/// worst three quarters and one quarter to be merged side by side.
fn parallel_merge(n: u64, known: &mut HashMap<u64, ForkJoin>) -> ForkJoin {
    if n < 4 {
        return ForkJoin::step(n);
    }
    if let Some(&cost) = known.get(&n) {
        return cost;
    }
    let (large, small) = (parallel_merge(3 * n / 4, known), parallel_merge(n - 3 * n / 4, known));
    let cost = then(ForkJoin::step(u64::from(n.ilog2())), large.beside(small).unwrap());
    known.insert(n, cost);
    cost
}

fn merge_sort_with_parallel_merge(k: u32, known: &mut HashMap<u64, ForkJoin>) -> ForkJoin {
    if k == 0 {
        return ForkJoin::step(1);
    }
    then(beside(merge_sort_with_parallel_merge(k - 1, known), 2), parallel_merge(1 << k, known))
}

#[test]
fn merge_sort() {
    for k in 0..40 {
        let cost = merge_sort_with_serial_merge(k);
        assert_eq!(cost, ForkJoin { work: u128::from(k + 1) << k, span: (2 << k) - 1 });
    }
    Row {
        name: "merge sort, serial merge",
        cost: &merge_sort_with_serial_merge,
        levels: 30..50,
        work: &|n, lg| n * lg,
        span: &|n, _| n,
    }
    .check();
    // lg n for bisection in each level, of which there are log_(4/3) n: the span of a merge is of order lg^2 n.
    Row {
        name: "parallel merge",
        cost: &|k| parallel_merge(1 << k, &mut HashMap::new()),
        levels: 20..40,
        work: &|n, _| n,
        span: &|_, lg| lg * lg,
    }
    .check();
    Row {
        name: "merge sort, parallel merge",
        cost: &|k| merge_sort_with_parallel_merge(k, &mut HashMap::new()),
        levels: 20..40,
        work: &|n, lg| n * lg,
        span: &|_, lg| lg.powi(3),
    }
    .check();
}

/// For all entries side by side: `n` products side by side, and their sum as a tree.
fn product_by_loops(k: u32) -> ForkJoin {
    let n = 1 << k;
    let tree = parallel_for(ForkJoin::step(0), n); // n - 1 additions, lg n deep
    let entry = then(parallel_for(ForkJoin::step(1), n), tree);
    parallel_for(parallel_for(entry, n), n)
}

/// Eight products of half the order side by side, four of them into temporaries, then one addition for each entry.
fn product_with_temporaries(k: u32) -> ForkJoin {
    if k == 0 {
        return ForkJoin::step(1);
    }
    then(beside(product_with_temporaries(k - 1), 8), parallel_for(ForkJoin::step(1), 1 << (2 * k)))
}

/// Four products side by side, then the other four, added to the result: a product and an addition for one entry.
fn product_in_place(k: u32) -> ForkJoin {
    if k == 0 {
        return ForkJoin::step(2);
    }
    let four = beside(product_in_place(k - 1), 4);
    then(four, four)
}

/// Ten sums of quarters, seven products, and eight more additions: three deep for two quarters, one for two.
fn strassen(k: u32) -> ForkJoin {
    if k == 0 {
        return ForkJoin::step(1);
    }
    let additions = |depth| parallel_for(ForkJoin::step(depth), 1 << (2 * (k - 1)));
    let results = beside(additions(3), 2).beside(beside(additions(1), 2)).unwrap();
    then(then(beside(additions(1), 10), beside(strassen(k - 1), 7)), results)
}

#[test]
fn matrix_products() {
    for k in 0..20 {
        let (n, lg) = (1_u128 << k, u128::from(k));
        let loops = product_by_loops(k);
        // Each entry 3 n - 2, and n^2 - 1 forks to reach the entries.
        assert_eq!(loops, ForkJoin { work: n * n * (3 * n - 2) + n * n - 1, span: 4 * lg + 1 });
        assert_eq!(product_in_place(k), ForkJoin { work: 2 * n * n * n, span: 2 * n });
        // The span is 1 and then the sum of 2 i + 1 over the levels i = 1 .. lg n.
        assert_eq!(product_with_temporaries(k).span, (lg + 1).pow(2));
        // 7 * 7^k - 6 * 4^k operations, known of Strassen's product, and the forks of 14 loops a level.
        let (seven, four) = (7_u128.pow(k), 4_u128.pow(k));
        assert_eq!(strassen(k).work, 7 * seven - 6 * four + (7 * seven + 7 - 14 * four) / 3);
        assert_eq!(strassen(k).span, 1 + (1..=lg).map(|i| 4 + 4 * (i - 1)).sum::<u128>());
    }
    let cube: &dyn Fn(f64, f64) -> f64 = &|n, _| n.powi(3);
    let square_of_log: &dyn Fn(f64, f64) -> f64 = &|_, lg| lg * lg;
    let row = |name, cost, work, span| Row { name, cost, levels: 20..30, work, span }.check();
    row("matrix product by loops", &product_by_loops, cube, &|_, lg| lg);
    row("matrix product with temporaries", &product_with_temporaries, cube, square_of_log);
    row("matrix product in place", &product_in_place, cube, &|n, _| n);
    row("Strassen", &strassen, &|n, _| n.powf(7_f64.log2()), square_of_log);
}

/// Solves `L X = B` for a triangular `L`, by halves of the columns side by side and halves of the rows in turn.
fn triangular_solve(k: u32) -> ForkJoin {
    if k == 0 {
        return ForkJoin::step(1);
    }
    let half = triangular_solve(k - 1);
    beside(then(then(half, product_by_loops(k - 1)), half), 2)
}

/// Without pivoting: the first quarter, two triangular systems side by side, a product that updates the last quarter, and
/// the last quarter.
fn lu_decomposition(k: u32) -> ForkJoin {
    if k == 0 {
        return ForkJoin::step(1);
    }
    let quarter = lu_decomposition(k - 1);
    let rest = then(beside(triangular_solve(k - 1), 2), product_by_loops(k - 1));
    then(then(quarter, rest), quarter)
}

#[test]
fn lu_decompositions() {
    for k in 0..20 {
        // Unrolled, with 4 i + 1 for a product of order 2^i.
        let product = |i: u32| 4 * u128::from(i) + 1;
        let solve = |k: u32| (1_u128 << k) + (0..k).map(|i| product(i) << (k - 1 - i)).sum::<u128>();
        let lu = (1_u128 << k) + (0..k).map(|i| (solve(i) + product(i)) << (k - 1 - i)).sum::<u128>();
        assert_eq!((triangular_solve(k).span, lu_decomposition(k).span), (solve(k), lu));
    }
    Row { name: "triangular solve", cost: &triangular_solve, levels: 20..30, work: &|n, _| n.powi(3), span: &|n, _| n }
        .check();
    Row {
        name: "LU decomposition",
        cost: &lu_decomposition,
        levels: 20..30,
        work: &|n, _| n.powi(3),
        span: &|n, lg| n * lg,
    }
    .check();
}

/// A table in which each entry needs its upper and left neighbours: one quarter, two side by side, and one.
fn tableau(k: u32) -> ForkJoin {
    if k == 0 {
        return ForkJoin::step(1);
    }
    let quarter = tableau(k - 1);
    then(then(quarter, beside(quarter, 2)), quarter)
}

#[test]
fn tableau_construction() {
    for k in 0..50 {
        assert_eq!(tableau(k), ForkJoin { work: 4_u128.pow(k), span: 3_u128.pow(k) });
    }
    let power = 3_f64.log2();
    Row { name: "tableau", cost: &tableau, levels: 20..50, work: &|n, _| n * n, span: &|n, _| n.powf(power) }.check();
    // n^0.415: a million entries a side still keep few processors busy.
    assert!(tableau(20).parallelism() < 316.0);
}

/// Two transforms of half the length side by side, then all butterflies of ten real operations.
fn fft(k: u32) -> ForkJoin {
    if k == 0 {
        return ForkJoin::default();
    }
    then(beside(fft(k - 1), 2), parallel_for(ForkJoin::step(10), 1 << (k - 1)))
}

#[test]
fn fast_fourier_transform() {
    for k in 0..60_u32 {
        let (n, lg) = (1_u128 << k, u128::from(k));
        // n / 2 butterflies in each of lg n levels, and the forks: n / 2 less one for each of the transforms.
        let work = 10 * lg * n / 2 + (lg * n / 2).saturating_sub(n - 1);
        assert_eq!(fft(k), ForkJoin { work, span: 10 * lg + lg * lg.saturating_sub(1) / 2 });
    }
    Row { name: "FFT", cost: &fft, levels: 40..60, work: &|n, lg| n * lg, span: &|_, lg| lg * lg }.check();
}

/// Level by level: the vertices of a level side by side, their neighbours side by side, and those found for the first
/// time packed by a prefix sum, up and down a tree.
fn breadth_first_search(levels: impl Iterator<Item = u64>, degree: u64) -> ForkJoin {
    let vertex = then(ForkJoin::step(1), parallel_for(ForkJoin::step(1), degree));
    let level = |vertices: u64| {
        let tree = parallel_for(ForkJoin::step(0), vertices * degree);
        then(parallel_for(vertex, vertices), then(tree, tree))
    };
    levels.fold(ForkJoin::default(), |all, vertices| then(all, level(vertices)))
}

/// From a corner of a grid of `n` by `n`: the diagonals. `d = 2 n - 2`, `V = n^2`, `E < 2 n^2`.
fn search_of_a_grid(k: u32) -> ForkJoin {
    let n = 1_u64 << k;
    breadth_first_search((1..=n).chain((1..n).rev()), 4)
}

/// From a vertex of a cube of `m` dimensions: `d = m`, `V = 2^m`, `E = m 2^(m - 1)`, and `m` over `i` vertices on
/// level `i`.
fn search_of_a_cube(m: u32) -> ForkJoin {
    let m = u64::from(m);
    let levels = (0..=m).scan(1_u128, |vertices, i| {
        let now = *vertices;
        *vertices = now * u128::from(m - i) / u128::from(i + 1);
        u64::try_from(now).ok()
    });
    breadth_first_search(levels, m)
}

#[test]
fn breadth_first_searches() {
    // 1 + m vertices in the first two levels, and all 2^m in the end: one operation for each, m for its edges, m - 1
    // and 1 forks, and twice the prefix sum.
    for m in 1..20_u32 {
        let (vertices, degree, levels) = (1_u128 << m, u128::from(m), u128::from(m + 1));
        let work = vertices * (1 + degree + degree - 1) + vertices - levels + 2 * (vertices * degree - levels);
        assert_eq!(search_of_a_cube(m).work, work);
    }
    Row {
        name: "search of a grid",
        cost: &search_of_a_grid,
        levels: 9..14,
        work: &|n, _| n * n,
        span: &|n, lg| n * lg,
    }
    .check();
    // Here n = 2^m is the number of vertices. With m between 32 and 64 its logarithm, rounded up, is 6 throughout.
    Row {
        name: "search of a cube",
        cost: &search_of_a_cube,
        levels: 33..56,
        work: &|n, lg| n * lg,
        span: &|_, lg| lg * lg,
    }
    .check();
}
