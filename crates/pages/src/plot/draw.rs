//! The drawing of a line plot, by the crate `plotters` with its SVG backend, which needs no font.

use maud::html;
use plotters::prelude::{
    ChartBuilder, Circle, IntoDrawingArea, IntoFont, LineSeries, PathElement, Rectangle, SVGBackend, Text,
};
use plotters::style::{Color, IntoTextStyle, ShapeStyle, TextStyle};

use super::data::{Plot, Point, Series, Style};
use super::style::{BACK, GRID, INK, MINOR, colour};

/// A size of the drawing, in pixels, and of its letters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    class: &'static str,
    width: u32,
    height: u32,
    letters: u32,
    labels: (usize, usize),
}

/// For a desk.
pub(super) const WIDE: Size = Size { class: "wide", width: 720, height: 380, letters: 17, labels: (10, 8) };
/// For a phone.
pub(super) const NARROW: Size = Size { class: "narrow", width: 360, height: 290, letters: 14, labels: (5, 6) };

/// Radius of a dot, half the side of a square, and radius of what a pointer must meet, in pixels.
const DOT: i32 = 3;
const TIP: i32 = 9;

/// The drawing as an `<svg>` element.
pub(super) fn svg(plot: &Plot, size: Size) -> String {
    let mut text = String::new();
    let tips = draw(plot, size, &mut text).unwrap_or_default();
    // The name of SVG's namespace, which HTML does not need, looks like an address.
    let inside = text.split_once('>').map_or("", |(_, inside)| inside);
    let Size { class, width, height, .. } = size;
    let tips = html! {
        @for (x, y, tip) in tips { circle.tip cx=(x) cy=(y) r=(TIP) fill="transparent" { title { (tip) } } }
    };
    let label = html! { (plot.title) };
    format!(
        "<svg class=\"{class}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">{}{}</svg>",
        label.0.replace('"', "&quot;"),
        inside.trim_end().trim_end_matches("</svg>"),
        tips.0
    )
}

type Failed = Box<dyn std::error::Error>;
/// Tips with their places in pixels.
type Tips = Vec<(i32, i32, String)>;

fn draw(plot: &Plot, size: Size, text: &mut String) -> Result<Tips, Failed> {
    let Size { width, height, letters, labels, .. } = size;
    let points = || plot.series.iter().flat_map(|series| &series.points);
    let x = plot.x.ticks(points().map(|point| point.x), labels.0);
    let values = points().flat_map(|point| {
        let (low, high) = point.range.unwrap_or((point.y, point.y));
        [point.y, low, high]
    });
    let y = plot.y.ticks(values, labels.1);
    let longest = y.bold.iter().map(|&at| plot.y.text(plot.y.value(at)).chars().count()).max().unwrap_or(0) as u32;
    let area = SVGBackend::with_string(text, (width, height)).into_drawing_area();
    let font = |size: u32| -> TextStyle<'static> { ("sans-serif", size).into_font().color(&INK) };
    let mut chart = ChartBuilder::on(&area)
        .margin_top(letters + 8)
        .margin_right(16)
        .x_label_area_size(3 * letters)
        .y_label_area_size((longest * letters * 11 / 20).max(letters) + 10)
        .build_cartesian_2d(x.clone(), y.clone())?;
    chart
        .configure_mesh()
        .label_style(font(letters))
        .axis_desc_style(font(letters))
        .axis_style(GRID)
        .bold_line_style(GRID)
        .light_line_style(MINOR)
        .x_label_formatter(&|&at| plot.x.text(plot.x.value(at)))
        .y_label_formatter(&|&at| plot.y.text(plot.y.value(at)))
        .x_desc(&plot.x.title)
        .x_labels(x.bold.len().max(1))
        .y_labels(y.bold.len().max(1))
        .draw()?;
    // The title of the vertical axis stands above it, where it can be read.
    let title = font(letters).into_text_style(&area);
    area.draw(&Text::new(plot.y.title.clone(), (6, 2), title))?;
    let mut tips = Tips::new();
    for series in &plot.series {
        let place = |point: &Point| (plot.x.place(point.x), plot.y.place(point.y));
        let colour = colour(series);
        if series.style != Style::Points {
            chart.draw_series(LineSeries::new(series.points.iter().map(place), colour.stroke_width(2)))?;
        }
        for point in &series.points {
            let at = place(point);
            if let Some((low, high)) = point.range {
                let ends = vec![(at.0, plot.y.place(low)), (at.0, plot.y.place(high))];
                chart.draw_series([PathElement::new(ends, colour.stroke_width(1))])?;
            }
            let (x, y) = chart.backend_coord(&at);
            mark(&area, series, (x, y))?;
            let tip = format!("{}, {}: {}", series.name, plot.x.text(point.x), plot.y.text(point.y));
            tips.push((x, y, tip));
        }
    }
    area.present()?;
    drop(chart);
    drop(area);
    Ok(tips)
}

fn mark<B: plotters::prelude::DrawingBackend>(
    area: &plotters::drawing::DrawingArea<B, plotters::coord::Shift>,
    series: &Series,
    (x, y): (i32, i32),
) -> Result<(), Failed>
where
    B::ErrorType: 'static,
{
    let colour = colour(series);
    match series.style {
        Style::Measured | Style::Points => area.draw(&Circle::new((x, y), DOT, colour.filled()))?,
        Style::Peer => {
            let corners = [(x - DOT, y - DOT), (x + DOT, y + DOT)];
            area.draw(&Rectangle::new(corners, ShapeStyle::from(&BACK).filled()))?;
            area.draw(&Rectangle::new(corners, colour.stroke_width(1)))?;
        }
        Style::Floor => {}
    }
    Ok(())
}
