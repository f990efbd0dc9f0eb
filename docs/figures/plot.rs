//! Plots of numbers by order: a frame with ticks, and lines of points.

use crate::svg::{Anchor, INK, Svg};

/// A frame: its place in the drawing, and the numbers at its ends.
pub(crate) struct Plot {
    /// The upper left corner.
    pub(crate) at: (i32, i32),
    pub(crate) size: (i32, i32),
    /// The numbers at the left and the right side.
    pub(crate) x: (f64, f64),
    /// The numbers at the lower and the upper side.
    pub(crate) y: (f64, f64),
}

impl Plot {
    /// The frame with its title and ticks: of each the number and its text.
    pub(crate) fn frame(&self, svg: &mut Svg, title: &str, x_ticks: &[i32], y_ticks: &[(f64, String)]) {
        let (left, top) = self.at;
        let (width, height) = self.size;
        svg.rectangle(self.at, self.size, INK, 0);
        svg.text((left + width / 2, top - 10), Anchor::Middle, title);
        for &tick in x_ticks {
            let (x, _) = self.point(f64::from(tick), self.y.0);
            svg.line((x, top + height), (x, top + height + 4), INK, false);
            svg.text((x, top + height + 18), Anchor::Middle, &tick.to_string());
        }
        for (tick, text) in y_ticks {
            let (_, y) = self.point(self.x.0, *tick);
            svg.line((left - 4, y), (left, y), INK, false);
            svg.text((left - 7, y + 4), Anchor::End, text);
        }
    }

    /// The pixel of a point, at the frame's end where it is beyond.
    pub(crate) fn point(&self, x: f64, y: f64) -> (i32, i32) {
        let part = |value: f64, (low, high): (f64, f64)| ((value - low) / (high - low)).clamp(0.0, 1.0);
        let across = part(x, self.x) * f64::from(self.size.0);
        let up = part(y, self.y) * f64::from(self.size.1);
        (self.at.0 + across.round() as i32, self.at.1 + self.size.1 - up.round() as i32)
    }

    /// A line through points.
    pub(crate) fn line(&self, svg: &mut Svg, points: &[(f64, f64)], colour: &str, dashed: bool) {
        for pair in points.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|(x, y)| self.point(x, y));
            svg.line(from, to, colour, dashed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stand_where_their_numbers_are() {
        let plot = Plot { at: (10, 20), size: (100, 50), x: (0.0, 10.0), y: (-1.0, 1.0) };
        assert_eq!(plot.point(0.0, -1.0), (10, 70));
        assert_eq!(plot.point(10.0, 1.0), (110, 20));
        assert_eq!(plot.point(5.0, 0.0), (60, 45));
        assert_eq!(plot.point(-5.0, f64::INFINITY), (10, 20));
    }
}
