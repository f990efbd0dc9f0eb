//! Colours and lines of series. A drawing has a colour for each pair of palette entry and style; the page's style sheet gives it the
//! scheme's colour and its dashes.

use std::fmt::Write as _;

use plotters::style::RGBColor;

use super::data::{Series, Style};

/// The palette in a light and in a dark scheme.
const PALETTE: [(&str, &str); 8] = [
    ("#0b62a8", "#5cb0f2"),
    ("#c2410c", "#fb9a5b"),
    ("#15803d", "#5fd38a"),
    ("#7c3aed", "#b79bf8"),
    ("#b0215a", "#f483ae"),
    ("#0f766e", "#4fd1c5"),
    ("#8a5a00", "#e3b341"),
    ("#525a66", "#aab4c2"),
];

/// Axes, grid and text, which the style sheet names too.
pub(super) const GRID: RGBColor = RGBColor(1, 2, 3);
pub(super) const MINOR: RGBColor = RGBColor(1, 2, 4);
pub(super) const INK: RGBColor = RGBColor(1, 2, 5);
/// The page behind.
pub(super) const BACK: RGBColor = RGBColor(1, 2, 6);

/// The colour of a series in a drawing.
pub(super) fn colour(series: &Series) -> RGBColor {
    let style = match series.style {
        Style::Measured | Style::Points => 1,
        Style::Peer => 2,
        Style::Floor => 3,
    };
    RGBColor(2, style, (series.colour.unwrap_or(0) % PALETTE.len()) as u8)
}

fn hexadecimal(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

/// The rules of the style sheet for the colours of drawings.
pub(crate) fn palette() -> String {
    let mut rules = String::new();
    // Writing to a string does not fail.
    for (name, dark) in [(":root{", false), ("@media (prefers-color-scheme:dark){:root{", true)] {
        rules.push_str(name);
        for (at, (of_light, of_dark)) in PALETTE.iter().enumerate() {
            let _ = write!(rules, "--c{at}:{};", if dark { of_dark } else { of_light });
        }
        rules.push_str(if dark { "}}\n" } else { "}\n" });
    }
    for (colour, name) in [(GRID, "grid"), (MINOR, "minor"), (INK, "soft"), (BACK, "back")] {
        paint(&mut rules, &hexadecimal(colour), name);
    }
    for style in 1..=3 {
        for at in 0..PALETTE.len() {
            let colour = hexadecimal(RGBColor(2, style, at as u8));
            paint(&mut rules, &colour, &format!("c{at}"));
            let dashes = match style {
                2 => "7 4",
                3 => "1.5 4",
                _ => continue,
            };
            let _ = writeln!(
                rules,
                ".plot polyline[stroke=\"{colour}\"],.plot polyline.sample[stroke=\"{colour}\"]{{stroke-dasharray:{dashes}}}"
            );
        }
    }
    rules
}

fn paint(rules: &mut String, colour: &str, name: &str) {
    let _ = writeln!(
        rules,
        ".plot [stroke=\"{colour}\"]{{stroke:var(--{name})}}.plot [fill=\"{colour}\"]{{fill:var(--{name})}}"
    );
}

/// The sample of a series in the legend.
pub(super) fn sample(series: &Series) -> String {
    let colour = hexadecimal(colour(series));
    let line =
        format!("<polyline points=\"1,7 31,7\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"></polyline>");
    let dot = format!("<circle cx=\"16\" cy=\"7\" r=\"3.5\" fill=\"{colour}\"></circle>");
    let square = format!(
        "<rect x=\"12.5\" y=\"3.5\" width=\"7\" height=\"7\" fill=\"{}\" stroke=\"{colour}\" stroke-width=\"1.5\"></rect>",
        hexadecimal(BACK)
    );
    let marks = match series.style {
        Style::Measured => line + &dot,
        Style::Peer => line + &square,
        Style::Floor => line,
        Style::Points => dot,
    };
    format!("<svg class=\"sample\" width=\"32\" height=\"14\" viewBox=\"0 0 32 14\" aria-hidden=\"true\">{marks}</svg>")
}
