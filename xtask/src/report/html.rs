//! The report as one page that needs no other file: style, tables and plots inside.

use std::fmt::Write as _;

use super::data::Report;
use super::svg::escape;
use super::tables::{self, Table};
use super::{glance, plots, sweeps};

const STYLE: &str = include_str!("page.css");

/// The whole page.
pub(crate) fn page(report: &Report) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Manycore: measured figures</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>Manycore: measured figures</h1>\n\
         <p>Times are medians, with the least and greatest time as a bar; transfers (up, down) are not part of them. \
         The floor is one read and one write of all values at the rate that a copy of as many bytes reaches on the device. \
         Ratios of ours to the floor are best near 1, ratios of others to ours best above 1. Both axes are logarithmic.</p>\n"
    );
    write_table(&tables::environments(report), &mut out);
    for operation in report.operations() {
        let _ = writeln!(out, "<section>\n<h2>{}</h2>", escape(operation));
        out.push_str("<div class=\"plots\">\n");
        for plot in plots::of_operation(report, operation) {
            let _ = writeln!(out, "<figure>{plot}</figure>");
        }
        out.push_str("</div>\n");
        for table in glance::glance(report, operation) {
            write_table(&table, &mut out);
        }
        for table in tables::after(report, operation) {
            write_table(&table, &mut out);
        }
        out.push_str("<details><summary>Every measurement</summary>\n");
        for table in tables::measurements(report, operation) {
            write_table(&table, &mut out);
        }
        out.push_str("</details>\n");
        out.push_str("</section>\n");
    }
    if let Some(table) = sweeps::table(report) {
        out.push_str("<section>\n<h2>Choices beside the clock</h2>\n");
        write_table(&table, &mut out);
        out.push_str("<div class=\"plots\">\n");
        for plot in sweeps::plots(report) {
            let _ = writeln!(out, "<figure>{plot}</figure>");
        }
        out.push_str("</div>\n</section>\n");
    }
    if let Some(table) = sweeps::launches(report) {
        out.push_str("<section>\n<h2>Launches</h2>\n");
        write_table(&table, &mut out);
        out.push_str("</section>\n");
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn write_table(table: &Table, out: &mut String) {
    let _ = writeln!(out, "<h3>{}</h3>\n<div class=\"table\"><table>\n<thead><tr>", escape(&table.title));
    for (column, head) in table.head.iter().enumerate() {
        let _ = write!(out, "<th{}>{}</th>", class(table, column), escape(head));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let _ = write!(out, "<td{}>{}</td>", class(table, column), escape(cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}

fn class(table: &Table, column: usize) -> &'static str {
    if column < table.names { " class=\"name\"" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::super::data::sample;
    use super::page;

    #[test]
    fn the_page_is_whole_and_needs_nothing_else() {
        let text = page(&sample());
        for tag in ["table", "tr", "section", "svg", "figure", "style", "body", "g"] {
            let opened = text.matches(&format!("<{tag}>")).count() + text.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, text.matches(&format!("</{tag}>")).count(), "{tag}");
            assert!(opened > 0, "{tag}");
        }
        for outside in ["http:", "https:", "<script", "<link", "src="] {
            assert!(!text.contains(outside), "{outside}");
        }
        assert!(text.contains("EPYC &lt;2 cores&gt;") && !text.contains("<2 cores>"));
    }
}
