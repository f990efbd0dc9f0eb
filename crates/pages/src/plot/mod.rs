//! Line plots: series of points over two axes, each linear or logarithmic, drawn as SVG for a wide and a narrow screen.

mod data;
mod draw;
mod style;
mod ticks;

use maud::{Markup, PreEscaped, html};

use crate::format::title;
use crate::table::Table;

pub use data::{Axis, Plot, Point, Scale, Series, Style};
pub(crate) use style::palette;

impl Plot {
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
