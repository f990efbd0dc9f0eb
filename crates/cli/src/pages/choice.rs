//! The page of a choice: all candidates with estimate, floor and measurement, the chosen one first, as a table and as a plot.

use manycore_pages::{Axis, Body, Cell, Page, Plot, Series, Style, Table, seconds};

use crate::commands::choice::Row;

/// The page. `text` is what a reader is told without a page, `shape` the operation and its sizes.
pub(crate) fn page(device: &str, shape: &[(String, String)], rows: &[Row], text: &str) -> String {
    let mut body = Body::new();
    body.figures(shape.iter().map(|(name, value)| (name, value)));
    let longest = rows.iter().map(|row| row.measured_seconds.unwrap_or(row.estimate_seconds)).fold(0.0, f64::max);
    let mut table = Table::new([
        "candidate",
        "estimate",
        "floor",
        "over the floor",
        "measured",
        "launches",
        "bound by",
        "chosen by",
    ])
    .names(1);
    for (at, row) in rows.iter().enumerate() {
        let time = row.measured_seconds.unwrap_or(row.estimate_seconds);
        let cells = [
            Cell::new(&row.parameters),
            Cell::new(seconds(row.estimate_seconds)).bar(time / longest),
            Cell::new(seconds(row.floor_seconds)),
            Cell::new(if row.floor_seconds > 0.0 {
                format!("{:.2}", row.estimate_seconds / row.floor_seconds)
            } else {
                String::new()
            }),
            Cell::new(row.measured_seconds.map_or_else(String::new, seconds)),
            Cell::new(row.launches.to_string()),
            Cell::new(&row.bound_by),
            Cell::new(row.chosen_by.clone().unwrap_or_default()),
        ];
        table = if at == 0 { table.best(cells) } else { table.row(cells) };
    }
    body.section("Candidates");
    if rows.is_empty() {
        body.text("There is one algorithm, without an estimate.");
    } else {
        body.table(&table);
    }
    let line = |name: &str, style, of: &dyn Fn(&Row) -> Option<f64>| {
        let points = rows.iter().enumerate().filter_map(|(at, row)| Some((at as f64 + 1.0, of(row)?)));
        Series::new(name, style, points.collect::<Vec<_>>())
    };
    let axis = Axis::linear("candidates, the chosen one first")
        .format(|at| if at.fract() == 0.0 { at.to_string() } else { String::new() });
    body.plot(
        &Plot::new("Time of each candidate", axis, Axis::log10("time").format(seconds))
            .series(line("estimate", Style::Peer, &|row| Some(row.estimate_seconds)))
            .series(line("measured", Style::Measured, &|row| row.measured_seconds))
            .series(line("floor", Style::Floor, &|row| Some(row.floor_seconds))),
    );
    let mut all = Body::new();
    all.code(text);
    body.fold("As text", &all);
    Page::new("A choice and its candidates").lead(format!("On {device}.")).html(&body)
}
