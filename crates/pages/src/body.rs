//! The body of a page: sections, text, folds, columns, and the figures.

use std::fmt;

use maud::{Markup, PreEscaped, html};

use crate::format::title as shown;
use crate::gantt::Gantt;
use crate::graph::Graph;
use crate::heat::HeatMap;
use crate::plot::Plot;
use crate::table::Table;

/// Parts of a page in their order. Every method adds one at the end; text is escaped.
#[derive(Debug, Clone, Default)]
pub struct Body {
    html: String,
    sections: Vec<(String, String)>,
}

impl Body {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nothing was added.
    pub fn is_empty(&self) -> bool {
        self.html.is_empty()
    }

    /// The heading of a section, which the page lists above.
    pub fn section(&mut self, title: &str) -> &mut Self {
        let id = format!("section-{}", self.sections.len() + 1);
        self.push(&html! { h2 id=(id) { (shown(title)) } });
        self.sections.push((id, title.to_owned()));
        self
    }

    /// The heading of a part of a section.
    pub fn heading(&mut self, title: &str) -> &mut Self {
        self.push(&html! { h3 { (shown(title)) } })
    }

    /// A paragraph.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.push(&html! { p { (text) } })
    }

    /// A remark: what was left out, where a figure comes from.
    pub fn note(&mut self, text: &str) -> &mut Self {
        self.push(&html! { p.note { (text) } })
    }

    /// Text as it is written, with its line ends, in letters of one width.
    pub fn code(&mut self, text: &str) -> &mut Self {
        self.push(&html! { pre tabindex="0" { code { (text) } } })
    }

    /// The figures that say most, large, in a row: each a name and a value.
    pub fn figures<N: AsRef<str>, V: AsRef<str>>(&mut self, figures: impl IntoIterator<Item = (N, V)>) -> &mut Self {
        self.push(&html! {
            dl.figures { @for (name, value) in figures { div { dt { (name.as_ref()) } dd { (value.as_ref()) } } } }
        })
    }

    /// A table.
    pub fn table(&mut self, table: &Table) -> &mut Self {
        self.push(&table.markup())
    }

    /// A line plot; nothing where no series has a point.
    pub fn plot(&mut self, plot: &Plot) -> &mut Self {
        self.push(&plot.markup())
    }

    /// A heat map; nothing where it has no value.
    pub fn heat_map(&mut self, map: &HeatMap) -> &mut Self {
        self.push(&map.markup())
    }

    /// A Gantt chart; nothing where it has no task.
    pub fn gantt(&mut self, chart: &Gantt) -> &mut Self {
        self.push(&chart.markup())
    }

    /// A graph; nothing where it has no box.
    pub fn graph(&mut self, graph: &Graph) -> &mut Self {
        self.push(&graph.markup())
    }

    /// A fold, closed at first, with its summary. Sections of `inside` are not listed above.
    pub fn fold(&mut self, summary: &str, inside: &Self) -> &mut Self {
        self.folded(summary, inside, false)
    }

    /// A fold that is open at first.
    pub fn open_fold(&mut self, summary: &str, inside: &Self) -> &mut Self {
        self.folded(summary, inside, true)
    }

    fn folded(&mut self, summary: &str, inside: &Self, open: bool) -> &mut Self {
        self.push(&html! { details open[open] { summary { (summary) } (inside.markup()) } })
    }

    /// Parts beside each other where the page is wide enough, else one under another.
    pub fn columns(&mut self, parts: impl IntoIterator<Item = Self>) -> &mut Self {
        self.push(&html! { div.columns { @for part in parts { div { (part.markup()) } } } })
    }

    /// The parts of another body, without its list of sections.
    pub fn append(&mut self, other: &Self) -> &mut Self {
        self.html.push_str(&other.html);
        self
    }

    /// Identifiers and titles of the sections.
    pub(crate) fn sections(&self) -> &[(String, String)] {
        &self.sections
    }

    pub(crate) fn markup(&self) -> PreEscaped<&str> {
        PreEscaped(&self.html)
    }

    pub(crate) fn push(&mut self, markup: &Markup) -> &mut Self {
        self.html.push_str(&markup.0);
        self.html.push('\n');
        self
    }
}

/// The parts as HTML, as they stand in a page.
impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.html)
    }
}
