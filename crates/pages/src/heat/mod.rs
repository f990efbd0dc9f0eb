//! Heat maps: a table of numbers as a picture that zooms, with a read-out of row, column and value, and a legend of colours.

mod encode;
mod spy;

use maud::{Markup, html};
use serde_json::json;

use encode::Encoded;
pub use spy::Counts;

/// How values become colours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Colours {
    /// From 0, which has the page's colour, up to this value, or the greatest there is; what is above has the last colour.
    Sequential(Option<f64>),
    /// The same by the logarithm of 1 + value.
    Logarithmic(Option<f64>),
    /// From minus to plus this size, or the greatest there is, with the page's colour at 0.
    Diverging(Option<f64>),
}

/// What the rows or the columns of a heat map are.
#[derive(Debug, Clone, PartialEq)]
pub struct Places {
    name: String,
    step: u64,
    first: i64,
    last: Option<i64>,
}

impl Places {
    /// Rows or columns 0, 1, 2 and so on of this name, such as `row`.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), step: 1, first: 0, last: None }
    }

    /// The first of them has this number.
    #[must_use]
    pub fn from(mut self, first: i64) -> Self {
        self.first = first;
        self
    }

    /// Each of them stands for so many, of which `last` is the last number.
    #[must_use]
    pub fn each(mut self, step: u64, last: i64) -> Self {
        (self.step, self.last) = (step.max(1), Some(last));
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

    /// Row 0 stands at the bottom, as the axis of a plane has it.
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
        let sizes = self.values.iter().copied().filter(|value| value.is_finite());
        let greatest = sizes.fold(0.0, |most: f64, value| most.max(value.abs()));
        let (kind, asked) = match self.colours {
            Colours::Sequential(most) => ("sequential", most),
            Colours::Logarithmic(most) => ("logarithmic", most),
            Colours::Diverging(most) => ("diverging", most),
        };
        let most = asked.filter(|most| most.is_finite() && *most > 0.0).unwrap_or(greatest);
        let most = if most > 0.0 { most } else { 1.0 };
        let Encoded { form, dictionary, text } = encode::encode(&self.values);
        let places = |of: &Places, count: usize| {
            json!({ "name": of.name, "step": of.step, "first": of.first,
                "last": of.last.unwrap_or(of.first + (count as i64) * of.step as i64 - 1) })
        };
        let described = json!({
            "rows": rows, "columns": self.columns, "form": form, "dictionary": dictionary, "colours": kind, "most": most,
            "beyond": greatest > most, "down": places(&self.rows, rows), "across": places(&self.across, self.columns),
            "value": self.value, "upwards": self.upwards, "marks": self.marks,
        });
        let label = format!(
            "{}: {rows} by {} values. Arrows move, plus and minus zoom, 0 shows all.",
            self.title, self.columns
        );
        html! {
            figure.heat data-map=(described.to_string()) data-values=(text) {
                figcaption { (self.title) }
                div.tools {
                    button type="button" data-zoom="in" aria-label="Zoom in" { "+" }
                    button type="button" data-zoom="out" aria-label="Zoom out" { "−" }
                    button type="button" data-zoom="all" { "All" }
                    canvas.colours width="256" height="34" aria-hidden="true" {}
                }
                canvas.map tabindex="0" role="img" aria-label=(label) {}
                p.readout aria-live="polite" { "Point at a cell; zoom by wheel, pinch or buttons, drag to move." }
                noscript { p.note { "The picture is drawn by a script, which this browser does not run." } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Colours, HeatMap, Places};

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
