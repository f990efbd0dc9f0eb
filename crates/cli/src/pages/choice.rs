//! The page of a choice: all candidates with estimate, floor and measurement, the chosen one first, with a bar for each time.

use manycore::operation::choice::Row;
use manycore_pages::{Body, Cell, Page, Table, seconds};

/// The shape's name of the operation.
const OPERATION: &str = "operation";

/// The page. `text` is the explanation as the terminal shows it, `shape` the operation and its sizes.
pub(crate) fn page(device: &str, shape: &[(String, String)], rows: &[Row], text: &str) -> String {
    let mut body = Body::new();
    let operation = shape.iter().find(|(name, _)| name == OPERATION).map_or("An operation", |(_, value)| value);
    body.figures(shape.iter().filter(|(name, _)| name != OPERATION).map(|(name, value)| (name, value)));
    let times =
        |row: &Row| [Some(row.estimate_seconds), row.measured_seconds].into_iter().flatten().fold(0.0, f64::max);
    let longest = rows.iter().map(times).fold(0.0, f64::max);
    let bar = |time: f64| Cell::new(seconds(time)).bar(if longest > 0.0 { time / longest } else { 0.0 });
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
        let cells = [
            Cell::new(&row.parameters),
            bar(row.estimate_seconds),
            Cell::new(seconds(row.floor_seconds)),
            Cell::new(if row.floor_seconds > 0.0 {
                format!("{:.2}", row.estimate_seconds / row.floor_seconds)
            } else {
                String::new()
            }),
            row.measured_seconds.map_or_else(Cell::default, bar),
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
        body.note("The chosen candidate stands first. Bars of estimates and of measurements have one scale.");
    }
    let mut all = Body::new();
    all.code(text);
    body.fold("As text", &all);
    Page::new(format!("Algorithms of {operation}")).lead(format!("On {device}.")).html(&body)
}
