//! The data of a line plot: axes, and series of points.

use std::fmt;
use std::rc::Rc;

use crate::format::{count, significant};

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
    pub(super) title: String,
    pub(super) scale: Scale,
    pub(super) format: Rc<dyn Fn(f64) -> String>,
    pub(super) range: Option<(f64, f64)>,
    pub(super) radix: u32,
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
    pub(super) fn has(&self, value: f64) -> bool {
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
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) range: Option<(f64, f64)>,
}

impl Point {
    /// A point.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, range: None }
    }

    /// The point with the least and the greatest observed value, drawn as a bar.
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
    pub(super) name: String,
    pub(super) style: Style,
    pub(super) colour: Option<usize>,
    pub(super) points: Vec<Point>,
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
    pub(super) title: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) series: Vec<Series>,
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
}
