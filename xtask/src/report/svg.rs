//! A plot with two logarithmic axes as inline SVG. Colours come from the page's style sheet.

use std::fmt::Write as _;

use super::power_of_two;

/// A line of a plot.
#[derive(Debug, Clone)]
pub(crate) struct Series {
    /// Its name in the legend.
    pub(crate) name: String,
    /// How it is drawn.
    pub(crate) style: Style,
    /// Which colour of the page's palette.
    pub(crate) colour: usize,
    /// Its points, by ascending length.
    pub(crate) points: Vec<Point>,
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Our measurement: a full line with dots.
    Measured,
    /// What the hardware makes necessary: a dotted line.
    Floor,
    /// Another code: a dashed line with open squares.
    Peer,
}

/// A point of a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    /// The length as a power of two.
    pub(crate) log_len: u32,
    /// The value, above 0.
    pub(crate) value: f64,
    /// The least and greatest value seen.
    pub(crate) range: Option<(f64, f64)>,
}

/// What a plot's horizontal axis shows.
#[derive(Debug, Clone)]
pub(crate) enum Axis {
    /// Lengths, by their base-2 logarithms.
    Lengths,
    /// The candidates of a choice, by their index in this list of names.
    Candidates(Vec<String>),
}

impl Axis {
    fn title(&self) -> &'static str {
        match self {
            Self::Lengths => "length of one transform (values)",
            Self::Candidates(_) => "candidates, as the model ranks them",
        }
    }

    /// A short label for a tick.
    fn tick(&self, at: u32) -> String {
        match self {
            Self::Lengths => power_of_two(at),
            Self::Candidates(_) => (at + 1).to_string(),
        }
    }

    /// The whole name, for tips.
    fn name(&self, at: u32) -> String {
        match self {
            Self::Lengths => power_of_two(at),
            Self::Candidates(names) => names.get(at as usize).map_or(String::new(), |name| escape(name)),
        }
    }
}

/// A plot: values, logarithmic, over lengths or candidates.
pub(crate) struct Plot {
    /// What it shows.
    pub(crate) title: String,
    /// The horizontal axis.
    pub(crate) horizontal: Axis,
    /// The vertical axis with its unit.
    pub(crate) vertical: &'static str,
    /// A value of the vertical axis as text.
    pub(crate) format: fn(f64) -> String,
    /// The lines.
    pub(crate) series: Vec<Series>,
}

const WIDTH: f64 = 680.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 34.0;
const HEIGHT: f64 = 330.0;
const BOTTOM: f64 = 46.0;
const LEGEND_ROW: f64 = 18.0;
/// Colours of the palette in the page's style sheet.
pub(crate) const COLOURS: usize = 8;

/// The plot's coordinates.
struct Frame {
    first: u32,
    last: u32,
    low: f64,
    high: f64,
}

impl Frame {
    /// The smallest frame of whole powers of ten that holds every point; `None` where there is none.
    fn around(series: &[Series]) -> Option<Self> {
        let points = || series.iter().flat_map(|series| &series.points);
        let first = points().map(|point| point.log_len).min()?;
        let last = points().map(|point| point.log_len).max()?;
        let values = || {
            points().flat_map(|point| {
                let (low, high) = point.range.unwrap_or((point.value, point.value));
                [low, high, point.value]
            })
        };
        let low = values().fold(f64::INFINITY, f64::min).log10();
        let high = values().fold(f64::NEG_INFINITY, f64::max).log10();
        // Whole decades read well; within one decade they would leave the plot empty.
        let (low, high) = if high - low > 0.7 {
            (low.floor(), high.ceil().max(low.floor() + 1.0))
        } else {
            (low - 0.15, high + 0.15)
        };
        Some(Self {
            first: first.saturating_sub(u32::from(first == last)),
            last: last + u32::from(first == last),
            low,
            high,
        })
    }

    fn x(&self, log_len: u32) -> f64 {
        let part = f64::from(log_len - self.first) / f64::from(self.last - self.first);
        LEFT + 10.0 + part * (WIDTH - LEFT - RIGHT - 20.0)
    }

    fn y(&self, value: f64) -> f64 {
        let part = (value.log10() - self.low) / (self.high - self.low);
        HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - TOP)
    }
}

impl Plot {
    /// The plot as an `<svg>` element; empty where no series has a point.
    pub(crate) fn svg(&self) -> String {
        let Some(frame) = Frame::around(&self.series) else {
            return String::new();
        };
        let shown: Vec<&Series> = self.series.iter().filter(|series| !series.points.is_empty()).collect();
        let height = HEIGHT + LEGEND_ROW * shown.len() as f64 + 6.0;
        let mut out = format!(
            "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{0}\">\n<text class=\"title\" x=\"{LEFT}\" y=\"20\">{0}</text>\n",
            escape(&self.title)
        );
        self.axes(&frame, &mut out);
        for series in &shown {
            self.line(&frame, series, &mut out);
        }
        for (index, series) in shown.iter().enumerate() {
            legend(index, series, &mut out);
        }
        out.push_str("</svg>\n");
        out
    }

    fn axes(&self, frame: &Frame, out: &mut String) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for (value, labelled) in vertical_ticks(frame) {
            let y = frame.y(value);
            let class = if labelled { "grid" } else { "grid minor" };
            let _ = writeln!(out, "<line class=\"{class}\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\"/>");
            if labelled {
                let label = round((self.format)(value));
                let _ = writeln!(
                    out,
                    "<text class=\"tick\" text-anchor=\"end\" x=\"{:.1}\" y=\"{:.1}\">{label}</text>",
                    LEFT - 7.0,
                    y + 4.0
                );
            }
        }
        let step = [1, 2, 4, 8].into_iter().find(|step| (frame.last - frame.first) / step <= 14).unwrap_or(8);
        for log_len in (frame.first..=frame.last).filter(|log_len| log_len % step == 0) {
            let x = frame.x(log_len);
            let _ = writeln!(out, "<line class=\"grid\" x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{bottom}\"/>");
            let label = self.horizontal.tick(log_len);
            let _ = writeln!(
                out,
                "<text class=\"tick\" text-anchor=\"middle\" x=\"{x:.1}\" y=\"{:.1}\">{label}</text>",
                bottom + 17.0
            );
        }
        let _ = writeln!(
            out,
            "<rect class=\"frame\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{:.1}\" height=\"{:.1}\"/>",
            right - LEFT,
            bottom - TOP
        );
        let middle = f64::midpoint(LEFT, right);
        let _ = writeln!(
            out,
            "<text class=\"axis\" text-anchor=\"middle\" x=\"{middle:.1}\" y=\"{:.1}\">{}</text>",
            bottom + 36.0,
            self.horizontal.title()
        );
        let middle = f64::midpoint(TOP, bottom);
        let _ = writeln!(
            out,
            "<text class=\"axis\" text-anchor=\"middle\" transform=\"translate(15 {middle:.1}) rotate(-90)\">{}</text>",
            escape(self.vertical)
        );
    }

    fn line(&self, frame: &Frame, series: &Series, out: &mut String) {
        let class = match series.style {
            Style::Measured => "measured",
            Style::Floor => "floor",
            Style::Peer => "peer",
        };
        let _ = writeln!(out, "<g class=\"{class} c{}\">", series.colour % COLOURS);
        let path: Vec<String> = series
            .points
            .iter()
            .map(|point| format!("{:.1},{:.1}", frame.x(point.log_len), frame.y(point.value)))
            .collect();
        let _ = writeln!(out, "<polyline points=\"{}\"/>", path.join(" "));
        for point in &series.points {
            let (x, y) = (frame.x(point.log_len), frame.y(point.value));
            if let Some((low, high)) = point.range {
                let _ = writeln!(
                    out,
                    "<line class=\"range\" x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{x:.1}\" y2=\"{:.1}\"/>",
                    frame.y(low),
                    frame.y(high)
                );
            }
            let tip = format!(
                "{}, {}: {}",
                escape(&series.name),
                self.horizontal.name(point.log_len),
                (self.format)(point.value)
            );
            match series.style {
                Style::Measured => {
                    let _ =
                        writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.2\"><title>{tip}</title></circle>");
                }
                Style::Peer => {
                    let _ = writeln!(
                        out,
                        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"6.4\" height=\"6.4\"><title>{tip}</title></rect>",
                        x - 3.2,
                        y - 3.2
                    );
                }
                Style::Floor if series.points.len() == 1 => {
                    let _ = writeln!(
                        out,
                        "<line x1=\"{:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\"><title>{tip}</title></line>",
                        x - 8.0,
                        x + 8.0
                    );
                }
                Style::Floor => {}
            }
        }
        out.push_str("</g>\n");
    }
}

fn legend(index: usize, series: &Series, out: &mut String) {
    let y = HEIGHT + 4.0 + LEGEND_ROW * index as f64;
    let (class, mark) = match series.style {
        Style::Measured => ("measured", format!("<circle cx=\"{}\" cy=\"{y}\" r=\"3.2\"/>", LEFT + 24.0)),
        Style::Floor => ("floor", String::new()),
        Style::Peer => {
            ("peer", format!("<rect x=\"{}\" y=\"{}\" width=\"6.4\" height=\"6.4\"/>", LEFT + 20.8, y - 3.2))
        }
    };
    let _ = writeln!(
        out,
        "<g class=\"{class} c{}\"><polyline points=\"{},{y} {},{y}\"/>{mark}</g><text class=\"legend\" x=\"{}\" y=\"{}\">{}</text>",
        series.colour % COLOURS,
        LEFT + 8.0,
        LEFT + 40.0,
        LEFT + 48.0,
        y + 4.0,
        escape(&series.name)
    );
}

/// The horizontal grid lines, and whether each has a label.
fn vertical_ticks(frame: &Frame) -> Vec<(f64, bool)> {
    let narrow = frame.high - frame.low < 1.5;
    let mut ticks = Vec::new();
    for decade in frame.low.floor() as i32..=frame.high.ceil() as i32 {
        for digit in 1..=9 {
            let value = f64::from(digit) * 10f64.powi(decade);
            let place = value.log10();
            if place >= frame.low - 1e-9 && place <= frame.high + 1e-9 {
                ticks.push((value, digit == 1 || (narrow && [2, 3, 5, 7].contains(&digit))));
            }
        }
    }
    ticks
}

/// The label of a round number without the zeros after its point: `10 ms` for `10.0 ms`.
fn round(label: String) -> String {
    match label.split_once(' ') {
        Some((number, unit)) if number.contains('.') => {
            format!("{} {unit}", number.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => label,
    }
}

/// Text as HTML and XML want it.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::{Axis, Frame, Plot, Point, Series, Style, escape, round, vertical_ticks};

    fn series(points: &[(u32, f64)]) -> Series {
        let points = points.iter().map(|&(log_len, value)| Point { log_len, value, range: None }).collect();
        Series { name: "a <b>".into(), style: Style::Measured, colour: 0, points }
    }

    fn plot(series: Vec<Series>) -> String {
        Plot { title: "t".into(), horizontal: Axis::Lengths, vertical: "time", format: super::super::seconds, series }
            .svg()
    }

    #[test]
    fn points_lie_inside_the_frame_in_their_order() {
        let all = [series(&[(10, 2e-6), (20, 3e-4), (26, 0.5)])];
        let frame = Frame::around(&all).unwrap();
        assert!((frame.low - -6.0).abs() < 1e-12 && frame.high.abs() < 1e-12);
        assert!(frame.x(10) < frame.x(20) && frame.x(20) < frame.x(26));
        assert!(frame.y(2e-6) > frame.y(3e-4), "greater values stand higher");
        for point in &all[0].points {
            assert!((super::TOP..=super::HEIGHT - super::BOTTOM).contains(&frame.y(point.value)));
        }
    }

    #[test]
    fn one_point_and_equal_values_have_a_frame() {
        let svg = plot(vec![series(&[(12, 5e-6)])]);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert_eq!(svg.matches("<circle").count(), 2, "the point and its legend");
    }

    #[test]
    fn nothing_gives_nothing() {
        assert_eq!(plot(Vec::new()), "");
        assert_eq!(plot(vec![series(&[])]), "");
    }

    #[test]
    fn text_is_escaped_and_tags_are_closed() {
        let svg = plot(vec![series(&[(1, 1.0), (2, 10.0)])]);
        assert!(svg.contains("a &lt;b&gt;") && !svg.contains("<b>"));
        assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
        assert_eq!(escape("a\"&"), "a&quot;&amp;");
    }

    #[test]
    fn round_labels_are_short() {
        let labels = ["10.0 ms", "100 ns", "1.00 s", "0.500 ns"].map(|label| round(label.to_owned()));
        assert_eq!(labels, ["10 ms", "100 ns", "1 s", "0.5 ns"]);
    }

    #[test]
    fn a_narrow_frame_still_has_labels() {
        let frame = Frame { first: 1, last: 2, low: 2f64.log10(), high: 4f64.log10() };
        assert!(vertical_ticks(&frame).iter().any(|(_, labelled)| *labelled));
    }
}
