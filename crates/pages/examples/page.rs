//! A page with tables, folds and plots: `cargo run -p manycore-pages --example page > page.html`.

use manycore_pages::{
    Axis, Bar, Body, Cell, Colours, Counts, Gantt, Graph, HeatMap, Page, Places, Plot, Point, Series, Style, Table,
    power_of_two, seconds,
};

fn main() {
    let lengths = (10..=26).map(|exponent| f64::from(1u32 << exponent));
    let time = |n: f64, factor: f64| 5e-6 + factor * 4.5e-12 * n * n.log2();
    let ours = lengths.clone().map(|n| Point::new(n, time(n, 1.0)).range(0.9 * time(n, 1.0), 1.3 * time(n, 1.0)));
    let peer = lengths.clone().map(|n| Point::new(n, time(n, 3.0)));
    let floor = lengths.clone().map(|n| Point::new(n, 4e-12 * n));
    let plot = Plot::new(
        "Walsh transform on one device",
        Axis::log2("length of one transform (values)").format(power_of_two),
        Axis::log10("time").format(seconds),
    )
    .series(Series::new("manycore", Style::Measured, ours))
    .series(Series::new("another code with a long name", Style::Peer, peer))
    .series(Series::new("floor: one read and one write", Style::Floor, floor));
    let linear = Plot::new("Squares", Axis::linear("x"), Axis::linear("x²")).series(Series::new(
        "points",
        Style::Points,
        (-10..=10).map(|x| (f64::from(x), f64::from(x * x))),
    ));

    let mut table = Table::new(["operation", "ours", "floor", "who won"]).names(1).caption("At a glance");
    table = table.best([Cell::new("walsh"), Cell::new("1.2 ms").bar(0.4), "1.0 ms".into(), "ours".into()]);
    table = table.row([Cell::new("ntt"), Cell::new("3.0 ms").bar(1.0), "2.1 ms".into(), "another".into()]);

    let mut body = Body::new();
    body.figures([("operations", "2"), ("devices", "1")]);
    body.section("Tables").table(&table);
    body.section("Plots").columns([&plot, &linear].map(|plot| {
        let mut part = Body::new();
        part.plot(plot);
        part
    }));
    let walsh = (0..64 * 64).map(|at: u32| {
        let (a, b) = (at / 64, at % 64);
        if (a & b).count_ones().is_multiple_of(2) { f64::from(64 - a) } else { -f64::from(b) }
    });
    let map = HeatMap::new("Signs", 64, walsh).colours(Colours::Diverging(None));
    let mut counts = Counts::new(3000, 2000);
    (0..3000).for_each(|row| [row, 7 * row, row * row].iter().for_each(|column| counts.add(row, column % 2000)));
    body.section("Heat maps").columns(
        [map.names(Places::new("mask a"), Places::new("mask b"), "W"), counts.heat_map("Spy plot")].map(|map| {
            let mut part = Body::new();
            part.heat_map(&map);
            part
        }),
    );
    let bars = (0..12).map(|task| {
        Bar::new(format!("task {task} of the plan"), 4 * task, 5).slack(task % 3 * 4).critical(task % 3 == 0)
    });
    let chart = Gantt::new("A plan", bars).links((0..11).map(|task| ((task, true), (task + 1, false))));
    body.section("Schedules").gantt(&chart);
    let graph = Graph::new("A program").node("A", "100 by 100", false, []).node("B = A A", "stored, 2 ms", true, [0]);
    body.section("Graphs").graph(&graph.node("C = map A B", "computed where it is read", false, [0, 1]).node(
        "D",
        "",
        true,
        [2],
    ));

    let mut inside = Body::new();
    inside.text("A fold may hold whatever a page holds.").table(&table);
    body.section("Folds").fold("More of it", &inside);
    println!("{}", Page::new("An example of a page").lead("Figures are made up.").html(&body));
}
