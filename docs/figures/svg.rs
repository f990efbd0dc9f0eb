//! A drawing in whole pixels, written as SVG without blank lines, as a page of Markdown takes it in.

use std::fmt::Write as _;

/// The page's own text colour.
pub(crate) const INK: &str = "currentColor";
/// Two colours that stand out on light and on dark pages.
pub(crate) const BLUE: &str = "#3f83c9";
pub(crate) const ORANGE: &str = "#d07a1e";

/// Where a text stands beside its point.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A drawing under construction.
pub(crate) struct Svg {
    text: String,
}

impl Svg {
    /// An empty drawing; `title` is its text for readers without the picture.
    pub(crate) fn new(width: i32, height: i32, title: &str) -> Self {
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             style=\"max-width: 100%; height: auto; display: block; margin: 1em auto\" role=\"img\" \
             aria-label=\"{title}\" font-family=\"sans-serif\" font-size=\"13\" fill=\"none\" stroke=\"{INK}\">\n"
        );
        Self { text }
    }

    pub(crate) fn line(&mut self, from: (i32, i32), to: (i32, i32), colour: &str, dashed: bool) {
        let dashes = if dashed { " stroke-dasharray=\"5 4\"" } else { "" };
        let _ = writeln!(
            self.text,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{colour}\"{dashes}/>",
            from.0, from.1, to.0, to.1
        );
    }

    /// A horizontal line with a head at its end, to the right or, with a negative length, to the left.
    pub(crate) fn arrow(&mut self, from: (i32, i32), length: i32) {
        let to = (from.0 + length, from.1);
        self.line(from, to, INK, false);
        let _ = writeln!(
            self.text,
            "<path d=\"M{} {} l{} -4 v8 z\" fill=\"{INK}\" stroke=\"none\"/>",
            to.0,
            to.1,
            -8 * length.signum()
        );
    }

    /// A box; `opacity` of its filling in percent.
    pub(crate) fn rectangle(&mut self, at: (i32, i32), size: (i32, i32), colour: &str, opacity: u32) {
        let _ = writeln!(
            self.text,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" stroke=\"{colour}\" fill=\"{colour}\" \
             fill-opacity=\"{}.{:02}\"/>",
            at.0,
            at.1,
            size.0,
            size.1,
            opacity / 100,
            opacity % 100
        );
    }

    /// A stroke of `width` pixels along a path.
    pub(crate) fn path(&mut self, path: &str, colour: &str, width: u32) {
        let _ = writeln!(self.text, "<path d=\"{path}\" stroke=\"{colour}\" stroke-width=\"{width}\"/>");
    }

    pub(crate) fn dot(&mut self, at: (i32, i32)) {
        let _ = writeln!(self.text, "<circle cx=\"{}\" cy=\"{}\" r=\"3\" fill=\"{INK}\" stroke=\"none\"/>", at.0, at.1);
    }

    pub(crate) fn text(&mut self, at: (i32, i32), anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let _ = writeln!(
            self.text,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\" fill=\"{INK}\" stroke=\"none\">{text}</text>",
            at.0, at.1
        );
    }

    /// The whole file.
    pub(crate) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

/// `2` with the exponent raised.
pub(crate) fn power_of_two(exponent: u32) -> String {
    let raised = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = exponent.to_string();
    let digits = digits.chars().filter_map(|digit| digit.to_digit(10));
    std::iter::once('2').chain(digits.map(|digit| raised[digit as usize])).collect()
}
