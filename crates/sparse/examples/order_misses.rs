//! Misses on `x` of generated matrices in several orders, for the table of the book's page on sparse matrices:
//! `cargo run --release -p manycore-sparse --example order_misses`.

use manycore_model::cache::Geometry;
use manycore_sparse::{GrayOptions, GrayOrder, OrderMethod, Pattern, Policy, misses, reorder};
use sprs::CsMat;

/// Rows and columns of every matrix.
const SIZE: usize = 1 << 16;

/// Numbers without a pattern, the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(self.0 >> 1) * bound as u128) >> 63) as usize
    }
}

fn pattern(mut rows: Vec<Vec<usize>>) -> Result<Pattern, manycore_sparse::SparseError> {
    let (mut offsets, mut indices) = (vec![0], Vec::new());
    for row in &mut rows {
        row.sort_unstable();
        row.dedup();
        indices.append(row);
        offsets.push(indices.len());
    }
    let values = vec![(); indices.len()];
    Pattern::of(CsMat::new((SIZE, SIZE), offsets, indices, values).view())
}

/// The five-point Laplacian on a grid of 256 by 256 points.
fn laplacian() -> Vec<Vec<usize>> {
    let neighbours = |point: usize| {
        let (y, x) = (point / 256, point % 256);
        let all = [
            Some(point),
            (y > 0).then(|| point - 256),
            (x > 0).then(|| point - 1),
            (x < 255).then(|| point + 1),
            (y < 255).then(|| point + 256),
        ];
        all.into_iter().flatten().collect()
    };
    (0..SIZE).map(neighbours).collect()
}

/// Rows of so many columns, drawn uniformly.
fn uniform(drawn: usize) -> Vec<Vec<usize>> {
    let mut random = Random(drawn as u64);
    (0..SIZE).map(|_| (0..drawn).map(|_| random.below(SIZE)).collect()).collect()
}

/// The diagonal, and eight more non-zeros a row on average whose rows and columns are drawn with chances that fall as
/// `rank^-0.8`, ranks in random orders.
fn power_law() -> Vec<Vec<usize>> {
    let mut random = Random(8);
    let sums: Vec<f64> = (1..=SIZE)
        .scan(0.0, |sum, rank| {
            *sum += (rank as f64).powf(-0.8);
            Some(*sum)
        })
        .collect();
    let shuffled = |seed: u64| {
        let mut random = Random(seed);
        let mut order: Vec<usize> = (0..SIZE).collect();
        (1..SIZE).rev().for_each(|last| order.swap(last, random.below(last + 1)));
        order
    };
    let (rows, columns) = (shuffled(1), shuffled(2));
    let mut rank = || {
        let drawn = random.below(1 << 40) as f64 / (1u64 << 40) as f64 * sums[SIZE - 1];
        sums.partition_point(|&sum| sum <= drawn).min(SIZE - 1)
    };
    let mut lists: Vec<Vec<usize>> = (0..SIZE).map(|row| vec![row]).collect();
    for _ in 0..8 * SIZE {
        let (row, column) = (rows[rank()], columns[rank()]);
        lists[row].push(column);
    }
    lists
}

/// 512 blocks of 128 by 128, eight non-zeros a row in each.
fn blocks() -> Vec<Vec<usize>> {
    let mut random = Random(5);
    (0..SIZE).map(|row| (0..8).map(|_| row / 128 * 128 + random.below(128)).collect()).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let matrices = [
        ("Laplacian 256^2", laplacian()),
        ("uniform, 5 a row", uniform(5)),
        ("uniform, 16 a row", uniform(16)),
        ("power law", power_law()),
        ("block diagonal", blocks()),
    ];
    println!("misses on x of the ideal cache with 182, 512 and 2048 lines of 8 words");
    for (name, rows) in matrices {
        let given = pattern(rows)?;
        let order = |pattern: &Pattern, method: &OrderMethod| reorder(pattern, method)?.apply_to_pattern(pattern);
        let random = order(&given, &OrderMethod::Random { seed: 1 })?;
        println!("{name}, {} non-zeros", given.non_zeros());
        let gray = OrderMethod::GrayCode(GrayOptions::DEFAULT);
        for (name, pattern) in [("given", &given), ("random", &random)] {
            for method in [OrderMethod::Given, gray, OrderMethod::ReverseCuthillMckee, OrderMethod::Degree] {
                let ordered = order(pattern, &method)?;
                let mut counts = Vec::new();
                for lines in [182, 512, 2048] {
                    counts.push(misses(&ordered, Geometry::with_lines(lines, 8)?, Policy::Optimal).misses);
                }
                println!("  {name:6} {:6} {counts:?}", method.name());
            }
        }
        let found = GrayOrder::new(&random, &GrayOptions::DEFAULT)?;
        let classes = found.classify(&random)?;
        let part = |count: usize| count as f64 / SIZE as f64;
        println!(
            "  brgc of the random one: b {}, {} of {SIZE} rows participate, {} lists, {} classes after {} rounds; alpha {:.2}, beta \
             {:.2}, delta {:.2} a column, {:.0} % of the non-zeros in them",
            found.merged_rows,
            found.participating_rows,
            found.merged_lists,
            found.classes,
            found.rounds,
            part(classes.alpha),
            part(classes.beta),
            part(classes.delta),
            100.0 * classes.covered() as f64 / random.non_zeros() as f64
        );
    }
    Ok(())
}
