//! The report as one page that needs no other file: the overview first, plots and every figure folded by operation.

use manycore_pages::{Body, Page};

use super::data::Report;
use super::table::Table;
use super::tables;
use super::{glance, overview, plots, sweeps, waits};

/// The whole page.
pub(crate) fn page(report: &Report) -> String {
    let mut body = Body::new();
    body.section("Overview").table(&table(&overview::overview(report)));
    body.section("Devices").table(&table(&tables::environments(report)));
    if let Some(papers) = overview::papers(report) {
        let mut inside = Body::new();
        inside.table(&table(&papers));
        body.section("Papers").fold("What the papers state, and the commands that compute it", &inside);
    }
    body.section("Operations");
    for operation in report.operations() {
        body.fold(operation, &of_operation(report, operation));
    }
    if let Some(verdicts) = sweeps::table(report) {
        let mut inside = Body::new();
        inside.table(&table(&verdicts));
        let mut all = Body::new();
        for plot in sweeps::plots(report) {
            all.plot(&plot);
        }
        inside.fold("A plot for each choice", &all);
        body.section("Choices beside the clock").fold(&verdicts.title, &inside);
    }
    if let Some(launches) = sweeps::launches(report) {
        body.section("Launches").table(&table(&launches));
    }
    if let Some(waits) = waits::table(report) {
        body.section("The wait").table(&table(&waits));
    }
    Page::new("Manycore: measured figures")
        .lead(
            "Times are medians, with the least and greatest time as a bar; transfers (up, down) are not part of them. The floor is one \
             read and one write of all values at the rate that a copy of as many bytes reaches on the device: operations with more \
             arithmetic than that stay above it. Ratios of ours to the floor are best near 1, ratios of others to ours best above 1.",
        )
        .html(&body)
}

fn of_operation(report: &Report, operation: &str) -> Body {
    let mut body = Body::new();
    if let Some(sentence) = overview::where_others_are_faster(report, operation) {
        body.text(&sentence);
    }
    for glance in glance::glance(report, operation) {
        body.table(&table(&glance));
    }
    for after in tables::after(report, operation) {
        body.table(&table(&after));
    }
    let plots = plots::of_operation(report, operation);
    if !plots.is_empty() {
        let mut inside = Body::new();
        for plot in &plots {
            inside.plot(plot);
        }
        body.fold(&format!("Plots: {}", plots.len()), &inside);
    }
    let mut every = Body::new();
    for one in tables::measurements(report, operation) {
        every.table(&table(&one));
    }
    body.fold("Every measurement", &every);
    body
}

/// A table of the report as one of the page.
fn table(table: &Table) -> manycore_pages::Table {
    let of_page =
        manycore_pages::Table::new(table.head.iter().copied()).names(table.names).caption(table.title.as_str());
    of_page.rows(table.rows.iter().map(|row| row.iter().map(String::as_str)))
}

#[cfg(test)]
mod tests {
    use super::super::data::sample;
    use super::page;

    #[test]
    fn the_page_opens_with_the_overview_and_folds_the_rest() {
        let text = page(&sample());
        for tag in ["table", "tr", "section", "svg", "figure", "style", "body", "details"] {
            let opened = text.matches(&format!("<{tag}>")).count() + text.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, text.matches(&format!("</{tag}>")).count(), "{tag}");
        }
        for outside in ["http:", "https:", "<link", "src="] {
            assert!(!text.contains(outside), "{outside}");
        }
        assert!(text.contains("EPYC &lt;2 cores&gt;") && !text.contains("<2 cores>"));
        let place = |text: &str, what: &str| text.find(what).unwrap_or_else(|| panic!("{what}"));
        assert!(place(&text, "Every operation at a glance") < place(&text, "<details"));
        assert!(place(&text, "<details") < place(&text, "<figure"), "plots are folded");
    }
}
