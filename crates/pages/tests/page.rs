//! Pages are whole: tags are balanced, text is escaped, and nothing outside is named.

mod balance;

use balance::{assert_alone, assert_balanced};
use manycore_pages::{
    Axis, Bar, Body, Cell, Colours, Gantt, Graph, HeatMap, Page, Places, Plot, Point, Series, Style, Table,
};

const SHARP: &str = "<i>\"a\" & 'b'</i>";

fn page() -> String {
    let plot = Plot::new(SHARP, Axis::log2(SHARP), Axis::linear(SHARP).format(|_| SHARP.to_owned()))
        .series(Series::new(SHARP, Style::Measured, [Point::new(1.0, 2.0).range(1.0, 3.0), Point::new(2.0, 5.0)]))
        .series(Series::new("peer", Style::Peer, [(1.0, 1.0)]))
        .series(Series::new("floor", Style::Floor, [(1.0, 0.5), (2.0, 0.25)]))
        .series(Series::new("points", Style::Points, [(1.5, 0.5)]));
    let table = Table::new([SHARP, "b"]).names(1).caption(SHARP).row([SHARP]).best([Cell::new(SHARP).bar(2.0)]);
    let mut inside = Body::new();
    inside.heading(SHARP).table(&table);
    let mut body = Body::new();
    body.section(SHARP).text(SHARP).note(SHARP).code(SHARP).figures([(SHARP, SHARP)]);
    body.section("second").plot(&plot).columns([inside.clone(), inside.clone()]);
    body.section("third").fold(SHARP, &inside).open_fold(SHARP, &inside);
    let map = HeatMap::new(SHARP, 2, [1.0, -2.0, 0.0, 3.5]).colours(Colours::Diverging(None)).marks([(1, 1)]);
    body.section("fourth").heat_map(&map.names(Places::new(SHARP), Places::new(SHARP), SHARP));
    body.gantt(&Gantt::new(SHARP, [Bar::new(SHARP, 1, 2).slack(3)]).links([((0, true), (0, false))]));
    body.graph(&Graph::new(SHARP).node(SHARP, SHARP, true, []).node(SHARP, "", false, [0]));
    Page::new(SHARP).lead(SHARP).html(&body)
}

#[test]
fn tags_are_balanced_and_nothing_outside_is_named() {
    let page = page();
    assert_balanced(&page);
    assert_alone(&page);
}

#[test]
fn text_is_escaped_wherever_it_stands() {
    let page = page();
    assert!(!page.contains("<i>") && !page.contains("</i>"), "a tag came through");
    assert!(page.matches("&lt;i&gt;").count() > 20);
}

#[test]
fn sections_are_listed_and_found() {
    let page = page();
    for id in ["section-1", "section-2", "section-3"] {
        assert_eq!(page.matches(&format!("href=\"#{id}\"")).count(), 1, "{id}");
        assert_eq!(page.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
    }
}

#[test]
fn bars_and_folds_stand_as_asked_for() {
    let page = page();
    assert!(page.contains("width:100.0%"), "a part above 1 is cut");
    assert_eq!(page.matches("<details open>").count(), 1);
    assert!(page.contains("class=\"best\""));
}
