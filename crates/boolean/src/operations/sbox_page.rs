//! The page of an S-box: its figures beside known ones, both tables as heat maps, its components, histograms.

use std::collections::BTreeMap;

use manycore_device::Device;
use manycore_pages::{Axis, Body, Cell, Cells, Colours, HeatMap, Page, Plot, Series, Style, Table, facts, histogram};
use manycore_verify::Outcome;
use manycore_verify::sbox::{self as check, Facts};

use super::facts::Lines;
use super::sbox_text::Names;
use super::{known, sbox_facts};
use crate::context::Boolean;
use crate::error::BooleanError;
use crate::sbox::SBox;

/// Input and output bits of an S-box that a page has room for.
pub(super) const MOST_BITS: u32 = 12;

/// What a device makes of an S-box, and the facts of known ones of its bits.
pub(super) struct Found {
    linear: Vec<i32>,
    differences: Vec<i32>,
    facts: Facts,
    others: Vec<(&'static str, SBox, Facts)>,
}

impl Found {
    pub(super) fn of(boolean: &Boolean, sbox: &SBox) -> Result<Self, BooleanError> {
        let linear = boolean.linear_table(sbox, ..)?.download()?;
        let differences = sbox_facts::entries(boolean.difference_table(sbox, ..)?.download()?);
        let facts = sbox_facts::of(boolean, sbox)?;
        let mut others = Vec::new();
        if sbox.input_bits() == sbox.output_bits() {
            // On the host: the figures of known S-boxes are no result of the device.
            let host = Boolean::new(&Device::host());
            for (name, known) in known::of_bits(sbox.input_bits()) {
                let facts = sbox_facts::of(&host, &known)?;
                others.push((name, known, facts));
            }
        }
        Ok(Self { linear, differences, facts, others })
    }

    pub(super) fn check(&self, sbox: &SBox) -> Outcome {
        let (bits, rows) = (sbox.output_bits(), 0..sbox.inputs());
        check::check_linear_table(bits, sbox.values(), rows.clone(), &self.linear)?;
        check::check_difference_table(bits, sbox.values(), rows, &self.differences)?;
        for (_, known, facts) in &self.others {
            facts.check(bits, known.values(), sbox_facts::BOOMERANG_BITS)?;
        }
        self.facts.check(bits, sbox.values(), sbox_facts::BOOMERANG_BITS)
    }

    pub(super) fn page(self, sbox: &SBox, Names { file, hex }: Names) -> String {
        let Self { linear, differences, facts, others } = self;
        let mut verdicts = vec![Verdict::of("this one", sbox, &facts)];
        verdicts.extend(others.iter().map(|(name, known, facts)| Verdict::of(name, known, facts)));
        let lines = sbox_facts::lines(&facts, hex);
        let (walsh, counts) = (facts.walsh, facts.differences);
        page(&Shown { name: file, sbox, hex, lines, verdicts, linear, differences, walsh, counts })
    }
}

/// What the table beside known S-boxes has of one.
struct Verdict {
    name: String,
    nonlinearity: u64,
    uniformity: u64,
    degree: u32,
    fixed_points: usize,
}

impl Verdict {
    fn of(name: &str, sbox: &SBox, facts: &Facts) -> Self {
        Self {
            name: name.to_owned(),
            nonlinearity: facts.nonlinearity,
            uniformity: facts.differential_uniformity,
            degree: sbox.degree(),
            fixed_points: sbox.fixed_points().count(),
        }
    }
}

/// What the page shows.
struct Shown<'a> {
    name: String,
    sbox: &'a SBox,
    /// Whether inputs, outputs and masks are written in hexadecimal.
    hex: bool,
    lines: Lines,
    /// Of the S-box first.
    verdicts: Vec<Verdict>,
    linear: Vec<i32>,
    differences: Vec<i32>,
    walsh: BTreeMap<i64, u64>,
    counts: BTreeMap<i64, u64>,
}

impl Shown<'_> {
    /// An input, output or mask as text, by the base of the input.
    fn number(&self, number: usize) -> String {
        if self.hex { format!("{number:x}") } else { number.to_string() }
    }
}

/// Components that the table lists.
const MOST_COMPONENTS: usize = 256;

/// The page.
fn page(shown: &Shown<'_>) -> String {
    let Shown { sbox, .. } = shown;
    let mut body = Body::new();
    if let Some(own) = shown.verdicts.first() {
        let bits = |of: u32| of.to_string();
        body.figures([
            ("input bits", bits(sbox.input_bits())),
            ("output bits", bits(sbox.output_bits())),
            ("nonlinearity", own.nonlinearity.to_string()),
            ("differential uniformity", own.uniformity.to_string()),
            ("algebraic degree", own.degree.to_string()),
        ]);
    }
    verdicts(shown, &mut body);
    let (rows, columns) = (sbox.inputs(), sbox.outputs());
    let tables: [(&str, &[i32], &str, [&str; 3]); 2] = [
        (
            "Linear approximations",
            &shown.linear,
            "W(a, b) is the sum of (-1)^(a·x + b·S(x)) over x, twice the bias; row a, column b.",
            ["input mask a", "output mask b", "W"],
        ),
        (
            "Differences",
            &shown.differences,
            "The number of x with S(x) + S(x + a) = b; row a, column b.",
            ["input difference a", "output difference b", "count"],
        ),
    ];
    for (title, values, told, [row, column, value]) in tables {
        body.section(title).text(told);
        let cells = Cells::new(columns, rows, |at| f64::from(values[at]));
        // Row 0 and column 0 are trivial, and would hide all others.
        let most = (columns..values.len()).filter(|at| at % columns > 0).map(|at| values[at].unsigned_abs()).max();
        let most = most.filter(|&most| most > 0).map(f64::from);
        let signed = values.iter().any(|&value| value < 0);
        let colours = if signed { Colours::Diverging(most) } else { Colours::Sequential(most) };
        let places = |name, count| {
            let places = cells.places(name, count);
            if shown.hex { places.hexadecimal() } else { places }
        };
        let (rows, columns) = (places(row, rows), places(column, columns));
        let map = HeatMap::new(title, cells.columns(), cells.values().iter().copied()).colours(colours);
        body.heat_map(&map.names(rows, columns, value));
        cells.note(&mut body);
    }
    components(shown, &mut body);
    body.section("Histograms");
    let of =
        |counts: &BTreeMap<i64, u64>| counts.iter().map(|(&value, &times)| (value as f64, times)).collect::<Vec<_>>();
    body.columns(
        [("W(a, b) with b other than 0", "W(a, b)", of(&shown.walsh)), ("Differences", "count", of(&shown.counts))]
            .map(|(title, value, counts)| {
                let mut part = Body::new();
                part.plot(&histogram(title, value, counts.into_iter()));
                part
            }),
    );
    body.section("All figures").table(&facts(&shown.lines));
    let mut values = Body::new();
    values.code(
        &sbox
            .values()
            .chunks(16)
            .map(|row| row.iter().map(|&value| shown.number(value.into())).collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
            .join("\n"),
    );
    body.fold("The S-box", &values);
    Page::new(format!("S-box {}", shown.name))
        .lead("Linear and difference tables, components, and known S-boxes beside it.")
        .html(&body)
}

fn verdicts(shown: &Shown<'_>, body: &mut Body) {
    body.section("Beside known S-boxes");
    let most = shown.verdicts.iter().map(|of| of.nonlinearity).max().unwrap_or(0).max(1) as f64;
    let widest = shown.verdicts.iter().map(|of| of.uniformity).max().unwrap_or(0).max(1) as f64;
    let mut table =
        Table::new(["S-box", "nonlinearity", "differential uniformity", "algebraic degree", "fixed points"]).names(1);
    for (at, of) in shown.verdicts.iter().enumerate() {
        let cells = [
            Cell::new(&of.name),
            Cell::new(of.nonlinearity.to_string()).bar(of.nonlinearity as f64 / most),
            Cell::new(of.uniformity.to_string()).bar(of.uniformity as f64 / widest),
            Cell::new(of.degree.to_string()),
            Cell::new(of.fixed_points.to_string()),
        ];
        table = if at == 0 { table.best(cells) } else { table.row(cells) };
    }
    body.table(&table);
    let (Some(own), others) = (shown.verdicts.first(), shown.verdicts.get(1..).unwrap_or_default()) else { return };
    if others.is_empty() {
        body.note("Known S-boxes have as many output bits as input bits: none has the size of this one.");
    }
    for of in others {
        let linear = word(own.nonlinearity.cmp(&of.nonlinearity), ["less", "equally", "more"]);
        let differential = word(of.uniformity.cmp(&own.uniformity), ["less", "equally", "more"]);
        body.text(
            &format!("{linear} nonlinear than {}, {} resistant to differences.", of.name, differential.to_lowercase())
                .replace("Equally nonlinear than", "As nonlinear as"),
        );
    }
    body.note(
        "Greater nonlinearity and smaller differential uniformity resist linear and differential attacks better.",
    );
}

fn word(order: std::cmp::Ordering, [less, equal, more]: [&str; 3]) -> String {
    let word = match order {
        std::cmp::Ordering::Less => less,
        std::cmp::Ordering::Equal => equal,
        std::cmp::Ordering::Greater => more,
    };
    word[..1].to_uppercase() + &word[1..]
}

/// Nonlinearity and degree of each component b·S.
fn components(shown: &Shown<'_>, body: &mut Body) {
    let (sbox, columns) = (shown.sbox, shown.sbox.outputs());
    let half = 1u32 << sbox.input_bits() >> 1;
    let nonlinearity = |b: usize| {
        let most = shown.linear.iter().skip(b).step_by(columns).map(|value| value.unsigned_abs()).max().unwrap_or(0);
        half.saturating_sub(most / 2)
    };
    let forms = sbox.normal_forms();
    let degree = |b: usize| {
        let terms = forms.iter().enumerate().filter(|(_, form)| (**form & b as u16).count_ones() % 2 == 1);
        terms.map(|(monomial, _)| monomial.count_ones()).max().unwrap_or(0)
    };
    let own: Vec<(usize, u32, u32)> = (1..columns).map(|b| (b, nonlinearity(b), degree(b))).collect();
    body.section("Components")
        .text("Component b is the Boolean function b·S(x), the sum of the output bits that the mask b has.");
    body.plot(
        &Plot::new(
            "Nonlinearity of each component",
            if shown.hex { Axis::linear("mask b").hexadecimal() } else { Axis::linear("mask b") },
            Axis::linear("nonlinearity").range(0.0, f64::from(half)),
        )
        .series(Series::new(
            "nonlinearity",
            Style::Points,
            own.iter().map(|&(b, of, _)| (b as f64, f64::from(of))),
        )),
    );
    let rows =
        own.iter().take(MOST_COMPONENTS).map(|(b, of, degree)| [shown.number(*b), of.to_string(), degree.to_string()]);
    let mut all = Body::new();
    all.table(&Table::new(["mask b", "nonlinearity", "algebraic degree"]).rows(rows));
    if own.len() > MOST_COMPONENTS {
        all.note(&format!("The first {MOST_COMPONENTS} of {}.", own.len()));
    }
    body.fold("Figures of each component", &all);
}
