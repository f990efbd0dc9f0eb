//! The report as Markdown: the tables without the plots.

use std::fmt::Write as _;

use super::data::Report;
use super::table::Table;
use super::tables;
use super::{glance, overview, sweeps, waits};

/// The whole report.
pub(crate) fn document(report: &Report) -> String {
    let mut out = String::from("# Measured figures\n\n");
    out.push_str(
        "Times are medians; transfers (up, down) are not part of them. The floor is one read and one write of all values\n",
    );
    out.push_str("at the rate that a copy of as many bytes reaches on the device.\n\n");
    write_table(&overview::overview(report), &mut out);
    write_table(&tables::environments(report), &mut out);
    if let Some(table) = overview::papers(report) {
        write_table(&table, &mut out);
    }
    for operation in report.operations() {
        let _ = writeln!(out, "## {operation}\n");
        if let Some(sentence) = overview::where_others_are_faster(report, operation) {
            let _ = writeln!(out, "{sentence}\n");
        }
        for table in glance::glance(report, operation) {
            write_table(&table, &mut out);
        }
        for table in tables::measurements(report, operation) {
            write_table(&table, &mut out);
        }
        for table in tables::after(report, operation) {
            write_table(&table, &mut out);
        }
    }
    if let Some(table) = sweeps::table(report) {
        out.push_str("## Choices beside the clock\n\n");
        write_table(&table, &mut out);
    }
    if let Some(table) = sweeps::launches(report) {
        out.push_str("## Launches\n\n");
        write_table(&table, &mut out);
    }
    if let Some(table) = waits::table(report) {
        out.push_str("## The wait\n\n");
        write_table(&table, &mut out);
    }
    out
}

fn write_table(table: &Table, out: &mut String) {
    let _ = writeln!(out, "### {}\n", table.title);
    let _ = writeln!(out, "| {} |", table.head.join(" | "));
    let rule = (0..table.head.len()).map(|column| if column < table.names { "---" } else { "---:" });
    let _ = writeln!(out, "|{}|", rule.collect::<Vec<_>>().join("|"));
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::super::data::sample;
    use super::document;

    #[test]
    fn every_row_has_its_columns() {
        let text = document(&sample());
        let mut columns = 0;
        for line in text.lines() {
            let bars = line.replace("\\|", "").matches('|').count();
            if columns == 0 {
                columns = bars;
            }
            assert!(bars == columns || bars == 0, "{line}");
            columns = bars;
        }
        assert!(text.contains("A \\| B"), "a bar in a cell is escaped");
        assert!(text.contains("### walsh f32 on NVIDIA H200"));
    }
}
