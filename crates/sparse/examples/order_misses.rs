//! Misses on `x` of generated matrices in several orders, for the table of the book's page on sparse matrices:
//! `cargo run --release -p manycore-sparse --example order_misses`.

mod common;

use common::{blocks, laplacian, power_law, uniform};
use manycore_model::cache::Geometry;
use manycore_sparse::{GrayOptions, GrayOrder, OrderMethod, Pattern, Policy, misses, reorder};

/// Rows and columns of every matrix.
const SIZE: usize = 1 << 16;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let matrices = [
        ("Laplacian 256^2", laplacian(256)),
        ("uniform, 5 a row", uniform(SIZE, 5)),
        ("uniform, 16 a row", uniform(SIZE, 16)),
        ("power law", power_law(SIZE)),
        ("block diagonal", blocks(SIZE)),
    ];
    println!("misses on x of the ideal cache with 182, 512 and 2048 lines of 8 words");
    for (name, matrix) in matrices {
        let given = common::pattern(&matrix)?;
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
