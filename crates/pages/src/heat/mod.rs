//! Heat maps: a table of numbers as a picture that zooms, with a read-out of row, column and value, and a legend of colours.

mod encode;
mod spy;

use maud::{Markup, html};
use serde_json::json;

use crate::format::{significant, title};
use encode::Encoded;
pub use spy::Counts;

/// Different values that a legend names one by one, at the most; more of them have a ramp.
const MOST_SQUARES: usize = 6;

/// How values become colours. In all but [`Colours::Diverging`] up to six different values have a square each in the legend; more of them
/// have a ramp from the least one above 0 to the greatest, and 0 has a square of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Colours {
    /// From 0, which has the page's colour, up to this value, or the greatest there is; what is above has the last colour.
    Sequential(Option<f64>),
    /// A scale by the logarithm of 1 + value.
    Logarithmic(Option<f64>),
    /// From minus to plus this size, or the greatest there is, with the page's colour at 0.
    Diverging(Option<f64>),
    /// Classes 0, 1, 2 and 3 of these names, each of its own colour, 0 of the page's; other values have no colour.
    Classes([&'static str; 4]),
}

/// What the rows or the columns of a heat map are.
#[derive(Debug, Clone, PartialEq)]
pub struct Places {
    name: String,
    step: u64,
    first: i64,
    last: Option<i64>,
    radix: u8,
}

impl Places {
    /// Rows or columns 0, 1, 2 and so on of this name, such as `row`.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), step: 1, first: 0, last: None, radix: 10 }
    }

    /// The first of them has this number.
    #[must_use]
    pub fn from(mut self, first: i64) -> Self {
        self.first = first;
        self
    }

    /// Each row or column of the map stands for `step` of the matrix; `last` is the number of the matrix's last one.
    #[must_use]
    pub fn each(mut self, step: u64, last: i64) -> Self {
        (self.step, self.last) = (step.max(1), Some(last));
        self
    }

    /// Their numbers are written in hexadecimal.
    #[must_use]
    pub fn hexadecimal(mut self) -> Self {
        self.radix = 16;
        self
    }
}

/// A heat map of `rows` by `columns` values.
#[derive(Debug, Clone)]
pub struct HeatMap {
    title: String,
    columns: usize,
    values: Vec<f64>,
    colours: Colours,
    rows: Places,
    across: Places,
    value: String,
    upwards: bool,
    marks: Vec<(usize, usize)>,
}

impl HeatMap {
    /// A heat map of these values, row after row. A last row that is not whole is left out; values that are not finite have no colour.
    pub fn new(title: impl Into<String>, columns: usize, values: impl IntoIterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        let columns = columns.max(1);
        values.truncate(values.len() / columns * columns);
        Self {
            title: title.into(),
            columns,
            values,
            colours: Colours::Sequential(None),
            rows: Places::new("row"),
            across: Places::new("column"),
            value: "value".to_owned(),
            upwards: false,
            marks: Vec::new(),
        }
    }

    /// How values become colours.
    #[must_use]
    pub fn colours(mut self, colours: Colours) -> Self {
        self.colours = colours;
        self
    }

    /// What rows, columns and values are.
    #[must_use]
    pub fn names(mut self, rows: Places, columns: Places, value: impl Into<String>) -> Self {
        (self.rows, self.across, self.value) = (rows, columns, value.into());
        self
    }

    /// Row 0 stands at the bottom, as on the axis of a plane.
    #[must_use]
    pub fn upwards(mut self) -> Self {
        self.upwards = true;
        self
    }

    /// Rings around these rows and columns.
    #[must_use]
    pub fn marks(mut self, marks: impl IntoIterator<Item = (usize, usize)>) -> Self {
        self.marks.extend(marks);
        self
    }

    pub(crate) fn markup(&self) -> Markup {
        if self.values.is_empty() {
            return Markup::default();
        }
        let rows = self.values.len() / self.columns;
        let finite = || self.values.iter().copied().filter(|value| value.is_finite());
        let greatest = finite().fold(0.0, |most: f64, value| most.max(value.abs()));
        let (kind, asked) = match self.colours {
            Colours::Sequential(most) => ("sequential", most),
            Colours::Logarithmic(most) => ("logarithmic", most),
            Colours::Diverging(most) => ("diverging", most),
            Colours::Classes(_) => ("classes", None),
        };
        let least = finite().filter(|&value| value > 0.0).fold(greatest, f64::min);
        let most = asked.filter(|most| most.is_finite() && *most > 0.0).unwrap_or(greatest);
        let most = if most > 0.0 { most } else { 1.0 };
        let squares = self.squares(most);
        let Encoded { form, dictionary, text } = encode::encode(&self.values);
        let places = |of: &Places, count: usize| {
            json!({ "name": of.name, "step": of.step, "first": of.first, "radix": of.radix,
                "last": of.last.unwrap_or(of.first + (count as i64) * of.step as i64 - 1) })
        };
        let described = json!({
            "rows": rows, "columns": self.columns, "form": form, "dictionary": dictionary, "colours": kind, "least": least, "most": most,
            "squares": squares, "beyond": greatest > most, "down": places(&self.rows, rows), "across": places(&self.across, self.columns),
            "value": self.value, "upwards": self.upwards, "marks": self.marks,
        });
        let label = format!(
            "{}: {rows} by {} values. Arrows move, plus and minus zoom, 0 shows all.",
            self.title, self.columns
        );
        html! {
            figure.heat data-map=(described.to_string()) data-values=(text) {
                figcaption { (title(&self.title)) }
                div.tools {
                    button type="button" data-zoom="in" aria-label="Zoom in" { "+" }
                    button type="button" data-zoom="out" aria-label="Zoom out" { "−" }
                    button type="button" data-zoom="all" { "All" }
                    @if squares.is_empty() {
                        @if kind != "diverging" { span.square { span.key data-value="0" {} "0" } }
                        canvas.colours width="256" height="34" aria-hidden="true" {}
                    } @else {
                        ul.legend aria-label=(self.value) {
                            li { (self.value) ":" }
                            @for (value, name) in &squares { li.square { span.key data-value=(value) {} (name) } }
                        }
                    }
                }
                canvas.map tabindex="0" role="img" aria-label=(label) {}
                p.readout aria-live="polite" { "Point at a cell; zoom by wheel, pinch or buttons, drag to move." }
                noscript { p.note { "The picture is drawn by a script, which this browser does not run." } }
            }
        }
    }
}

impl HeatMap {
    /// Values that the legend names, each with a square of its colour, those from `most` on with one; none where there are too many for
    /// that.
    fn squares(&self, most: f64) -> Vec<(f64, String)> {
        match self.colours {
            Colours::Diverging(_) => Vec::new(),
            Colours::Classes(names) => {
                names.iter().zip(0..).map(|(&name, at)| (f64::from(at), name.to_owned())).collect()
            }
            Colours::Sequential(_) | Colours::Logarithmic(_) => {
                let mut seen: Vec<f64> = Vec::new();
                for value in self.values.iter().filter(|value| value.is_finite()).map(|value| value.min(most)) {
                    if !seen.contains(&value) {
                        if seen.len() == MOST_SQUARES {
                            return Vec::new();
                        }
                        seen.push(value);
                    }
                }
                seen.sort_by(f64::total_cmp);
                let is_beyond = self.values.iter().any(|&value| value.is_finite() && value > most);
                let sign = |value: f64| if is_beyond && value >= most { "≥ " } else { "" };
                seen.into_iter().map(|value| (value, format!("{}{}", sign(value), significant(value)))).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Colours, HeatMap, Places};

    /// Values and names of the squares of a legend.
    fn squares(map: &HeatMap) -> Vec<(String, String)> {
        let text = map.markup().0;
        let parts = text.split("data-value=\"").skip(1).map(|rest| {
            let (value, rest) = rest.split_once('"').unwrap();
            let (_, name) = rest.split_once("</span>").unwrap();
            (value.to_owned(), name.split_once('<').unwrap().0.to_owned())
        });
        parts.collect()
    }

    fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|&(value, name)| (value.to_owned(), name.to_owned())).collect()
    }

    #[test]
    fn legends_name_few_values_and_0() {
        let few = HeatMap::new("t", 2, [1.0, 0.0, 0.0, 1.0]);
        assert_eq!(squares(&few), owned(&[("0", "0"), ("1", "1")]));
        let cut = HeatMap::new("t", 2, [16.0, 0.0, 2.0, 4.0]).colours(Colours::Sequential(Some(4.0)));
        assert_eq!(squares(&cut), owned(&[("0", "0"), ("2", "2"), ("4", "≥ 4")]), "what has one colour has one square");
        let many = HeatMap::new("t", 8, (0..8).map(f64::from)).colours(Colours::Logarithmic(None));
        assert_eq!(squares(&many), owned(&[("0", "0")]), "a ramp, and 0 beside it");
        assert!(many.markup().0.contains("&quot;least&quot;:1.0"));
        assert_eq!(squares(&few.colours(Colours::Diverging(None))), owned(&[]), "0 is in the middle of the ramp");
        let classes = HeatMap::new("t", 1, [3.0]).colours(Colours::Classes(["none", "first", "second", "both"]));
        assert_eq!(squares(&classes), owned(&[("0", "none"), ("1", "first"), ("2", "second"), ("3", "both")]));
    }

    #[test]
    fn nothing_gives_nothing_and_part_rows_are_left_out() {
        assert_eq!(HeatMap::new("t", 3, [1.0, 2.0]).markup().0, "");
        let text = HeatMap::new("t", 2, [1.0, 2.0, 3.0]).markup().0;
        assert!(text.contains("&quot;rows&quot;:1,"), "{text}");
    }

    #[test]
    fn scales_are_told() {
        let map = HeatMap::new("t", 2, [0.0, -4.0, 2.0, f64::NAN]).colours(Colours::Diverging(Some(2.0)));
        let text = map.names(Places::new("a"), Places::new("b").each(8, 12), "W").markup().0;
        for part in ["&quot;most&quot;:2.0", "&quot;beyond&quot;:true", "&quot;step&quot;:8", "&quot;last&quot;:12"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
