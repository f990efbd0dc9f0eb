//! Line plots: series of points over two axes, each linear or logarithmic, drawn as SVG for a wide and a narrow screen.

mod draw;
mod style;
mod ticks;

use std::fmt;
use std::rc::Rc;

use maud::{Markup, PreEscaped, html};

use crate::format::{count, significant, title};
use crate::table::Table;

pub(crate) use style::palette;

/// How an axis places its values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale {
    /// In proportion.
    Linear,
    /// By logarithms; ticks are powers of this base, which is above 1. Values that are not above 0 are left out.
    Logarithmic(f64),
}

/// An axis: its title with the unit, its scale, and how its values are written.
#[derive(Clone)]
pub struct Axis {
    title: String,
    scale: Scale,
    format: Rc<dyn Fn(f64) -> String>,
    range: Option<(f64, f64)>,
    radix: u32,
}

impl fmt::Debug for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Axis").field("title", &self.title).field("scale", &self.scale).finish_non_exhaustive()
    }
}

impl Axis {
    fn new(title: impl Into<String>, scale: Scale, format: fn(f64) -> String) -> Self {
        Self { title: title.into(), scale, format: Rc::new(format), range: None, radix: 10 }
    }

    /// A linear axis.
    pub fn linear(title: impl Into<String>) -> Self {
        Self::new(title, Scale::Linear, significant)
    }

    /// A logarithmic axis with ticks at powers of ten.
    pub fn log10(title: impl Into<String>) -> Self {
        Self::new(title, Scale::Logarithmic(10.0), significant)
    }

    /// A logarithmic axis with ticks at powers of two.
    pub fn log2(title: impl Into<String>) -> Self {
        Self::new(title, Scale::Logarithmic(2.0), count)
    }

    /// An axis of these names, at 0, 1, 2 and so on; ticks have the numbers from 1, tips the names.
    pub fn names<T: Into<String>>(title: impl Into<String>, names: impl IntoIterator<Item = T>) -> Self {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let last = names.len().saturating_sub(1) as f64;
        let format = move |at: f64| {
            let name = (at >= 0.0 && at.fract() == 0.0).then(|| names.get(at as usize)).flatten();
            name.cloned().unwrap_or_default()
        };
        Self::linear(title).format(format).range(0.0, last)
    }

    /// How its values are written, at ticks and in tips.
    #[must_use]
    pub fn format(mut self, format: impl Fn(f64) -> String + 'static) -> Self {
        self.format = Rc::new(format);
        self
    }

    /// Whole numbers are written in hexadecimal, and a linear axis has its ticks at round ones of them.
    #[must_use]
    pub fn hexadecimal(mut self) -> Self {
        self.radix = 16;
        self.format(|value| if value.fract() == 0.0 { format!("{:x}", value as i64) } else { String::new() })
    }

    /// The axis reaches at least from `low` to `high`.
    #[must_use]
    pub fn range(mut self, low: f64, high: f64) -> Self {
        self.range = Some((low, high));
        self
    }

    /// A value as text.
    pub(crate) fn text(&self, value: f64) -> String {
        (self.format)(value)
    }

    /// Whether the axis has a place for a value.
    fn has(&self, value: f64) -> bool {
        value.is_finite() && (self.scale == Scale::Linear || value > 0.0)
    }
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Our measurement: a full line with dots.
    Measured,
    /// Another code: a dashed line with open squares.
    Peer,
    /// What the hardware makes necessary, or another bound: a dotted line.
    Floor,
    /// Points without a line.
    Points,
}

/// A point of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    x: f64,
    y: f64,
    range: Option<(f64, f64)>,
}

impl Point {
    /// A point.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, range: None }
    }

    /// The same point with the least and greatest value that was seen, drawn as a bar.
    #[must_use]
    pub fn range(mut self, least: f64, greatest: f64) -> Self {
        self.range = Some((least, greatest));
        self
    }
}

impl From<(f64, f64)> for Point {
    fn from((x, y): (f64, f64)) -> Self {
        Self::new(x, y)
    }
}

/// Points with a name.
#[derive(Debug, Clone)]
pub struct Series {
    name: String,
    style: Style,
    colour: Option<usize>,
    points: Vec<Point>,
}

impl Series {
    /// Points by ascending x, named and drawn so.
    pub fn new<P: Into<Point>>(name: impl Into<String>, style: Style, points: impl IntoIterator<Item = P>) -> Self {
        let points = points.into_iter().map(Into::into).collect();
        Self { name: name.into(), style, colour: None, points }
    }

    /// Which colour of the palette, modulo its eight; without it, the series' place in the plot.
    #[must_use]
    pub fn colour(mut self, colour: usize) -> Self {
        self.colour = Some(colour);
        self
    }
}

/// A line plot.
#[derive(Debug, Clone)]
pub struct Plot {
    title: String,
    x: Axis,
    y: Axis,
    series: Vec<Series>,
}

impl Plot {
    /// A plot with these axes, and no series.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self { title: title.into(), x, y, series: Vec::new() }
    }

    /// One more series. Points that an axis has no place for are left out: not finite, or not above 0 by logarithms.
    #[must_use]
    pub fn series(mut self, mut series: Series) -> Self {
        let has = |point: &Point| self.x.has(point.x) && self.y.has(point.y);
        series.points.retain(has);
        for point in &mut series.points {
            point.range = point.range.filter(|&(low, high)| self.y.has(low) && self.y.has(high));
        }
        series.colour = series.colour.or(Some(self.series.len()));
        if !series.points.is_empty() {
            self.series.push(series);
        }
        self
    }

    /// Whether no series has a point.
    pub fn is_empty(&self) -> bool {
        self.series.is_empty()
    }

    /// The points as a table.
    fn table(&self) -> Table {
        let mut table = Table::new(["series", &self.x.title, &self.y.title, "least", "greatest"]).names(1);
        for series in &self.series {
            for point in &series.points {
                let (least, greatest) =
                    point.range.map_or_else(Default::default, |(low, high)| (self.y.text(low), self.y.text(high)));
                table = table.row([&series.name, &self.x.text(point.x), &self.y.text(point.y), &least, &greatest]);
            }
        }
        table
    }

    /// The figure: title, both drawings, legend, the points as a table in a fold.
    pub(crate) fn markup(&self) -> Markup {
        if self.is_empty() {
            return Markup::default();
        }
        html! {
            figure.plot {
                figcaption { (title(&self.title)) }
                (PreEscaped(draw::svg(self, draw::WIDE)))
                (PreEscaped(draw::svg(self, draw::NARROW)))
                p.readout aria-live="polite" {}
                ul.legend {
                    @for series in &self.series { li { (PreEscaped(style::sample(series))) (series.name) } }
                }
                details.points { summary { "Figures" } (self.table().markup()) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, Plot, Point, Series, Style};

    fn plot(points: &[(f64, f64)]) -> Plot {
        Plot::new("t <1>", Axis::log2("length"), Axis::log10("time").format(crate::seconds)).series(Series::new(
            "a <b>",
            Style::Measured,
            points.iter().copied(),
        ))
    }

    #[test]
    fn nothing_gives_nothing() {
        assert_eq!(plot(&[]).markup().0, "");
        assert_eq!(plot(&[(0.0, 1.0), (1.0, f64::NAN), (2.0, -1.0)]).markup().0, "", "no place by logarithms");
    }

    #[test]
    fn every_point_has_a_tip_in_both_drawings() {
        let text = plot(&[(1024.0, 2e-6), (4096.0, 5e-6)]).markup().0;
        assert_eq!(text.matches("<title>a &lt;b&gt;, 1024: 2 µs</title>").count(), 2, "{text}");
        assert!(!text.contains("<b>") && !text.contains("NaN") && !text.contains("http"), "{text}");
    }

    #[test]
    fn one_point_and_equal_values_have_a_frame() {
        for points in [&[(12.0, 5e-6)][..], &[(1.0, 7.0), (2.0, 7.0)]] {
            let text = plot(points).markup().0;
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        }
        let ranged = Series::new("r", Style::Peer, [Point::new(1.0, 0.0).range(-1.0, 1.0)]);
        assert!(Plot::new("t", Axis::linear("x"), Axis::linear("y")).series(ranged).markup().0.contains("−1"));
    }
}
