//! The page of a sparse matrix: spy plots as given and in each order, misses of a product, lengths of rows.

use std::collections::BTreeMap;

use manycore_pages::{Axis, Body, Cell, Counts, Page, Plot, Series, Style, Table, count};

use super::info::bandwidth;
use crate::pattern::Pattern;

/// The matrix in an order.
pub(super) struct Ordered {
    pub(super) name: &'static str,
    pub(super) pattern: Pattern,
    pub(super) misses: u64,
}

/// What the page shows.
pub(super) struct Shown {
    pub(super) name: String,
    /// As given first.
    pub(super) orders: Vec<Ordered>,
    pub(super) compulsory: u64,
    pub(super) accesses: u64,
    pub(super) cache: String,
}

/// The page.
pub(super) fn page(shown: &Shown) -> String {
    let mut body = Body::new();
    let number = |of: usize| count(of as f64);
    if let Some(Ordered { pattern, misses, .. }) = shown.orders.first() {
        body.figures([
            ("rows", number(pattern.rows())),
            ("columns", number(pattern.columns())),
            ("non-zeros", number(pattern.non_zeros())),
            ("misses as given", count(*misses as f64)),
        ]);
    }
    body.section("Cache misses");
    body.text(&format!(
        "Misses of a product with a vector on that vector: {}, {} accesses, {} misses that no order saves.",
        shown.cache,
        count(shown.accesses as f64),
        count(shown.compulsory as f64)
    ));
    let most = shown.orders.iter().map(|of| of.misses).max().unwrap_or(0).max(1) as f64;
    let least = shown.orders.iter().map(|of| of.misses).min().filter(|&least| least < most as u64);
    let given = shown.orders.first().map_or(1, |of| of.misses).max(1) as f64;
    let mut table = Table::new(["order", "misses", "of those as given", "bandwidth"]).names(1);
    for of in &shown.orders {
        let cells = [
            Cell::new(of.name),
            Cell::new(count(of.misses as f64)).bar(of.misses as f64 / most),
            Cell::new(format!("{:.1} %", 100.0 * of.misses as f64 / given)),
            Cell::new(number(bandwidth(&of.pattern))),
        ];
        table = if Some(of.misses) == least { table.best(cells) } else { table.row(cells) };
    }
    body.table(&table);
    if least.is_none() {
        body.note("All orders have the same misses in this cache: none is better than another.");
    }
    body.section("Spy plots");
    body.columns(shown.orders.iter().map(|of| {
        let mut counts = Counts::new(of.pattern.rows(), of.pattern.columns());
        for (row, columns) in of.pattern.iter().enumerate() {
            for &column in columns {
                counts.add(row, column as usize);
            }
        }
        let mut part = Body::new();
        part.heat_map(&counts.heat_map(format!(
            "{}: {} {}",
            of.name,
            count(of.misses as f64),
            if of.misses == 1 { "miss" } else { "misses" }
        )));
        part
    }));
    if let Some(Ordered { pattern, .. }) = shown.orders.first() {
        body.section("Lengths of rows and columns");
        let lengths = |pattern: &Pattern| {
            let mut lengths = BTreeMap::new();
            pattern.iter().for_each(|row| *lengths.entry(row.len()).or_insert(0u64) += 1);
            lengths
        };
        let points = |of: BTreeMap<usize, u64>| of.into_iter().map(|(length, times)| (length as f64, times as f64));
        let mut plot = Plot::new(
            "Rows and columns by their entries",
            Axis::linear("entries").format(count),
            Axis::log10("times").format(count),
        )
        .series(Series::new("rows", Style::Points, points(lengths(pattern))));
        // A transposed pattern has a list for each column.
        if pattern.columns() <= 1 << 24 {
            plot = plot.series(Series::new("columns", Style::Points, points(lengths(&pattern.transposed()))));
        }
        body.plot(&plot);
    }
    Page::new(format!("Sparse matrix {}", shown.name))
        .lead("Its entries as given and in each order of rows and columns.")
        .html(&body)
}
