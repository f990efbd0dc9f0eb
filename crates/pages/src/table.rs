//! Tables: a head, rows of text and numbers, rows that stand out, and numbers as bars.

use maud::{Markup, html};

/// A cell of a table: text, and the length of a bar behind it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cell {
    text: String,
    bar: Option<f64>,
}

impl Cell {
    /// A cell with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), bar: None }
    }

    /// The cell with a bar under its text that fills the given part of the width, clamped to 0 to 1.
    #[must_use]
    pub fn bar(mut self, part: f64) -> Self {
        self.bar = part.is_finite().then(|| part.clamp(0.0, 1.0));
        self
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::new(text)
    }
}

/// A table. Rows may be shorter than the head, which leaves their last cells empty.
///
/// ```
/// use manycore_pages::{Body, Table};
///
/// let table = Table::new(["name", "figure"]).names(1).caption("Figures").row(["a < b", "7"]).best(["c", "8"]);
/// let mut body = Body::new();
/// body.table(&table);
/// assert!(body.to_string().contains("a &lt; b"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Table {
    caption: Option<String>,
    head: Vec<String>,
    names: usize,
    rows: Vec<(bool, Vec<Cell>)>,
}

impl Table {
    /// A table of columns with these titles, and no rows.
    pub fn new<T: Into<String>>(head: impl IntoIterator<Item = T>) -> Self {
        Self { head: head.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// The first `names` columns hold words, which stand left; all others hold numbers, which stand right.
    #[must_use]
    pub fn names(mut self, names: usize) -> Self {
        self.names = names;
        self
    }

    /// A line above the table.
    #[must_use]
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = Some(caption.into());
        self
    }

    /// One more row.
    #[must_use]
    pub fn row<T: Into<Cell>>(mut self, cells: impl IntoIterator<Item = T>) -> Self {
        self.rows.push((false, cells.into_iter().map(Into::into).collect()));
        self
    }

    /// One more row, which stands out.
    #[must_use]
    pub fn best<T: Into<Cell>>(mut self, cells: impl IntoIterator<Item = T>) -> Self {
        self.rows.push((true, cells.into_iter().map(Into::into).collect()));
        self
    }

    /// More rows.
    #[must_use]
    pub fn rows<T: Into<Cell>, R: IntoIterator<Item = T>>(mut self, rows: impl IntoIterator<Item = R>) -> Self {
        self.rows.extend(rows.into_iter().map(|row| (false, row.into_iter().map(Into::into).collect())));
        self
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(crate) fn markup(&self) -> Markup {
        let class = |column: usize| if column < self.names { "name" } else { "number" };
        html! {
            div.table tabindex="0" role="region" aria-label=[self.caption.as_ref()] {
                table {
                    @if let Some(caption) = &self.caption { caption { (caption) } }
                    @if !self.head.is_empty() {
                        thead { tr {
                            @for (column, head) in self.head.iter().enumerate() { th class=(class(column)) scope="col" { (head) } }
                        } }
                    }
                    tbody {
                        @for (stands_out, cells) in &self.rows {
                            tr.best[*stands_out] {
                                @for (column, cell) in cells.iter().enumerate() {
                                    td class=(class(column)) {
                                        (cell.text)
                                        @if let Some(part) = cell.bar {
                                            span.bar style=(format!("width:{:.1}%", 100.0 * part)) {}
                                        }
                                    }
                                }
                                @for _ in cells.len()..self.head.len() { td {} }
                            }
                        }
                    }
                }
            }
            p.scrolls aria-hidden="true" { "↔ The table goes on: scroll sideways." }
        }
    }
}
