//! The page of a Boolean function: its figures, values, Walsh spectrum and autocorrelation as heat maps, histograms, normal form.

use std::collections::BTreeMap;

use manycore_pages::{Body, Cells, Colours, HeatMap, Page, facts, histogram};
use manycore_verify::Outcome;
use manycore_verify::boolean_function::{self as check, Facts};

use super::facts::Lines;
use super::properties;
use crate::context::Boolean;
use crate::error::BooleanError;
use crate::table::{Anf, TruthTable};

/// Variables of a function that a page has room for.
pub(super) const MOST_VARIABLES: u32 = 24;

/// What a device makes of a function.
pub(super) struct Found {
    facts: Facts,
    walsh: Vec<i32>,
    autocorrelation: Vec<i32>,
    anf: Anf,
}

impl Found {
    pub(super) fn of(boolean: &Boolean, f: &TruthTable) -> Result<Self, BooleanError> {
        let walsh = boolean.walsh(&boolean.upload(f)?)?;
        let autocorrelation = boolean.autocorrelation(&walsh)?;
        let facts = properties::of_spectra(boolean, f, &walsh, &autocorrelation)?;
        let (walsh, autocorrelation) = (walsh.download()?, autocorrelation.download()?);
        Ok(Self { facts, walsh, autocorrelation, anf: boolean.anf(&boolean.upload(f)?)? })
    }

    pub(super) fn check(&self, variables: u32, words: &[u64]) -> Outcome {
        check::check_walsh(variables, words, &self.walsh)?;
        check::check_autocorrelation(variables, words, &self.autocorrelation)?;
        properties::check_normal_form(&self.anf, variables, words)?;
        self.facts.check(variables, words)
    }

    pub(super) fn page(self, f: &TruthTable, file: &str) -> String {
        let Self { facts, walsh, autocorrelation, anf } = self;
        let (lines, normal_form) = (properties::lines(&facts), anf.to_string());
        let (variables, words) = (f.variables(), f.words());
        page(&Shown { name: file, variables, lines, words, walsh, autocorrelation, normal_form })
    }
}

/// What the page shows.
struct Shown<'a> {
    name: &'a str,
    variables: u32,
    lines: Lines,
    /// The values, a bit each, the lowest first.
    words: &'a [u64],
    walsh: Vec<i32>,
    autocorrelation: Vec<i32>,
    normal_form: String,
}

/// Letters of a normal form that are shown.
const MOST_LETTERS: usize = 4000;

/// The page.
fn page(shown: &Shown<'_>) -> String {
    let mut body = Body::new();
    let named = ["variables", "weight", "balanced", "algebraic degree", "nonlinearity", "bent"];
    body.figures(shown.lines.iter().filter(|(name, _)| named.contains(name)).map(|(name, value)| (*name, value)));
    // The high half of the variables numbers the row.
    let columns = 1usize << shown.variables.div_ceil(2);
    let rows = (1usize << shown.variables) / columns;
    let low = shown.variables.div_ceil(2);
    let told = format!("Row r and column c stand for {columns} r + c: the {low} lowest variables tell the column.");
    let mut show = |title: &str, what: &str, value: &str, colours, of: &dyn Fn(usize) -> f64| {
        body.section(title).text(&format!("{what} {told}"));
        let cells = Cells::new(columns, rows, of);
        let map = HeatMap::new(title, cells.columns(), cells.values().iter().copied()).colours(colours);
        body.heat_map(&map.names(cells.places("row", rows), cells.places("column", columns), value));
        cells.note(&mut body);
    };
    let bit = |x: usize| f64::from(u8::from(shown.words[x / 64] >> (x % 64) & 1 == 1));
    show("Values", "f(x) for every x.", "f", Colours::Sequential(None), &bit);
    let walsh = "W(w), the sum of (-1)^(f(x) + w·x) over x.";
    show("Walsh spectrum", walsh, "W", Colours::Diverging(None), &|w| f64::from(shown.walsh[w]));
    let r = "r(a), the sum of (-1)^(f(x) + f(x + a)) over x; r(0) is 2^n.";
    let most = shown.autocorrelation.iter().skip(1).map(|value| value.unsigned_abs()).max().filter(|&most| most > 0);
    let colours = Colours::Diverging(most.map(f64::from));
    show("Autocorrelation", r, "r", colours, &|a| f64::from(shown.autocorrelation[a]));
    body.section("Histograms");
    let counted = |values: &[i32]| {
        let mut counts = BTreeMap::new();
        for &value in values {
            *counts.entry(value).or_insert(0u64) += 1;
        }
        counts
    };
    body.columns([("Walsh spectrum", "W(w)", &shown.walsh), ("Autocorrelation", "r(a)", &shown.autocorrelation)].map(
        |(title, value, values)| {
            let mut part = Body::new();
            part.plot(&histogram(
                title,
                value,
                counted(values).into_iter().map(|(value, times)| (f64::from(value), times)),
            ));
            part
        },
    ));
    body.section("All figures").table(&facts(&shown.lines));
    let mut form = Body::new();
    let cut: String = shown.normal_form.chars().take(MOST_LETTERS).collect();
    form.text(&cut);
    if cut.len() < shown.normal_form.len() {
        form.note(&format!("The first {MOST_LETTERS} of {} letters.", shown.normal_form.chars().count()));
    }
    body.fold("Algebraic normal form", &form);
    Page::new(format!("Boolean function {}", shown.name)).lead("Values, spectra and figures.").html(&body)
}
