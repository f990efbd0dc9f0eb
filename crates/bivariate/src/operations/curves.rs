//! The page of a system of two polynomials over a small field: both curves as points of the plane, their common zeros marked.

use manycore_pages::{Body, Colours, HeatMap, Page, Places, Table};

/// What the page shows.
pub(super) struct Shown {
    pub(super) name: String,
    pub(super) names: [String; 2],
    pub(super) modulus: u64,
    /// The system as it was written.
    pub(super) given: [String; 2],
    /// The system with its residues from 0.
    pub(super) equations: [String; 2],
    /// For each y and then each x 0, 1 on the first curve, 2 on the second, 3 on both.
    pub(super) plane: Vec<u8>,
    /// Common zeros of the chains, in the form of `solve`.
    pub(super) points: Vec<[String; 2]>,
    pub(super) curves: Vec<String>,
    pub(super) chains: Vec<[String; 2]>,
}

/// Common zeros that are ringed and listed.
const MOST_POINTS: usize = 1000;

/// The page.
pub(super) fn page(shown: &Shown) -> String {
    let Shown { names: [x, y], modulus, .. } = shown;
    let number = |kind: u8| shown.plane.iter().filter(|&&of| of & kind == kind).count();
    let mut body = Body::new();
    body.figures([
        ("modulus", modulus.to_string()),
        ("points of the first", number(1).to_string()),
        ("points of the second", number(2).to_string()),
        ("common points", number(3).to_string()),
    ]);
    body.section("System");
    let system = |texts: &[String; 2]| {
        let [first, second] = texts.clone();
        Table::new(["polynomial", "value"]).names(2).rows([["first".to_owned(), first], ["second".to_owned(), second]])
    };
    body.table(&system(&shown.given));
    if shown.given != shown.equations {
        let mut reduced = Body::new();
        reduced.table(&system(&shown.equations));
        body.fold(&format!("Modulo {modulus}"), &reduced);
    }
    body.section("Plane");
    body.text(&format!(
        "Every point of the plane over the field of {modulus} elements, and the curves that it lies on. Rings are the common zeros \
         of the table below."
    ));
    let marks = shown.points.iter().take(MOST_POINTS).filter_map(|[x, y]| Some((y.parse().ok()?, x.parse().ok()?)));
    let map = HeatMap::new("Both curves", *modulus as usize, shown.plane.iter().copied().map(f64::from));
    let map = map.colours(Colours::Classes(["none", "first", "second", "both"])).names(
        Places::new(y),
        Places::new(x),
        "curve",
    );
    body.heat_map(&map.upwards().marks(marks));
    body.section("Common zeros");
    let points = shown.points.iter().take(MOST_POINTS).map(Clone::clone);
    body.table(&Table::new([x, y]).rows(points));
    if shown.points.len() > MOST_POINTS {
        body.note(&format!("The first {MOST_POINTS} of {}.", shown.points.len()));
    }
    for curve in &shown.curves {
        body.text(&format!("Both contain the curve {curve} = 0."));
    }
    let mut chains = Body::new();
    chains.text(&format!("Roots of T({x}), and above each those of H({x}, {y})."));
    chains.table(&Table::new(["T", "H"]).names(2).rows(shown.chains.iter().cloned()));
    body.fold("Chains", &chains);
    Page::new(format!("Curves of {}", shown.name)).lead(format!("Two curves modulo {modulus}.")).html(&body)
}
