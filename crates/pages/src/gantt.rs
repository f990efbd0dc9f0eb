//! Gantt charts (Gantt 1910): a bar for each task, critical ones apart, slack as a thin bar, links, zoom in time.

use std::fmt::Write as _;

use maud::{Markup, html};

use crate::format::title;

/// Links that are drawn at the most.
const MOST_LINKS: usize = 2000;
/// The height of a row in the style sheet, in pixels.
const ROW: usize = 22;

/// A task of a chart. Times are of one unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    name: String,
    start: i64,
    duration: i64,
    slack: i64,
    critical: bool,
}

impl Bar {
    /// A task from its start on, of a duration of at least 0; one of 0 is an event.
    pub fn new(name: impl Into<String>, start: i64, duration: i64) -> Self {
        Self { name: name.into(), start, duration: duration.max(0), slack: 0, critical: false }
    }

    /// The slack of its start; a negative number is the time by which it is late.
    #[must_use]
    pub fn slack(mut self, slack: i64) -> Self {
        self.slack = slack;
        self
    }

    /// Whether it is critical.
    #[must_use]
    pub fn critical(mut self, critical: bool) -> Self {
        self.critical = critical;
        self
    }

    fn end(&self) -> i64 {
        self.start.saturating_add(self.duration)
    }

    fn tip(&self) -> String {
        let slack = match self.slack {
            0 => "no slack".to_owned(),
            slack if slack < 0 => format!("late by {}", slack.unsigned_abs()),
            slack => format!("slack {slack}"),
        };
        let critical = if self.critical { ", critical" } else { "" };
        format!("{}: {} to {}, {slack}{critical}", self.name, self.start, self.end())
    }
}

/// A chart of tasks and links between them.
#[derive(Debug, Clone)]
pub struct Gantt {
    title: String,
    bars: Vec<Bar>,
    links: Vec<((usize, bool), (usize, bool))>,
}

impl Gantt {
    /// A chart of these tasks, one a row.
    pub fn new(title: impl Into<String>, bars: impl IntoIterator<Item = Bar>) -> Self {
        Self { title: title.into(), bars: bars.into_iter().collect(), links: Vec::new() }
    }

    /// Links from a task's end (`true`) or start to another's; links of missing tasks and those after the first 2000 are left out.
    #[must_use]
    pub fn links(mut self, links: impl IntoIterator<Item = ((usize, bool), (usize, bool))>) -> Self {
        let count = self.bars.len();
        let known = links.into_iter().filter(|(from, to)| from.0 < count && to.0 < count);
        self.links.extend(known.take(MOST_LINKS));
        self
    }

    pub(crate) fn markup(&self) -> Markup {
        let Some(begin) = self.bars.iter().map(|bar| bar.start).min() else { return Markup::default() };
        let begin = begin.min(0);
        let last = self.bars.iter().map(|bar| bar.end().saturating_add(bar.slack.max(0))).max().unwrap_or(begin);
        let length = (last.saturating_sub(begin)).max(1) as f64;
        let part = |time: i64| 100.0 * (time.saturating_sub(begin)) as f64 / length;
        let of = |time: i64, span: i64| format!("left:{:.3}%;width:{:.3}%", part(time), 100.0 * span as f64 / length);
        html! {
            figure.gantt data-begin=(begin) data-length=(length) {
                figcaption { (title(&self.title)) }
                div.tools {
                    button type="button" data-zoom="2" aria-label="Zoom in" { "+" }
                    button type="button" data-zoom="0.5" aria-label="Zoom out" { "−" }
                    button type="button" data-zoom="0" { "All" }
                }
                p.readout aria-live="polite" { "Point at a bar." }
                div.frame {
                    div.names { @for bar in &self.bars { div title=(bar.name) { (bar.name) } } }
                    div.time tabindex="0" role="region" aria-label=(self.title) {
                        div.track {
                            div.ticks {}
                            @for bar in &self.bars {
                                div.row {
                                    @if bar.slack > 0 { div.slack style=(of(bar.end(), bar.slack)) {} }
                                    div.task.critical[bar.critical].event[bar.duration == 0] style=(of(bar.start, bar.duration))
                                        title=(bar.tip()) {}
                                }
                            }
                            @if !self.links.is_empty() {
                                svg.links viewBox={ "0 0 100 " (ROW * self.bars.len()) } preserveAspectRatio="none"
                                    height=(ROW * self.bars.len()) aria-hidden="true" { path d=(self.path(&part)) {} }
                            }
                        }
                    }
                }
                ul.legend {
                    li { span.key style="background:var(--critical)" {} "critical" }
                    li { span.key style="background:var(--c0)" {} "other tasks" }
                    li { span.key style="background:var(--bar)" {} "slack" }
                }
            }
        }
    }

    /// All links as one path.
    fn path(&self, part: &dyn Fn(i64) -> f64) -> String {
        let place = |(task, at_end): (usize, bool)| {
            let bar = &self.bars[task];
            (part(if at_end { bar.end() } else { bar.start }), task * ROW + ROW / 2)
        };
        let mut path = String::new();
        for &(from, to) in &self.links {
            let ((x, y), (u, v)) = (place(from), place(to));
            // Down at the time of the link's beginning, then along the row of its end. Writing to a string does not fail.
            let _ = write!(path, "M{x:.3} {y}V{v}H{u:.3}");
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::{Bar, Gantt};

    #[test]
    fn bars_stand_at_their_times() {
        let bars = [Bar::new("a", 0, 3).critical(true), Bar::new("b", 3, 1).slack(6), Bar::new("end", 10, 0)];
        let chart = Gantt::new("t", bars).links([((0, true), (1, false)), ((0, true), (9, false))]);
        let text = chart.markup().0;
        for part in
            ["left:0.000%;width:30.000%", "left:40.000%;width:60.000%", "M30.000 11V33H30.000\"", "b: 3 to 4, slack 6"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!((text.matches("class=\"task critical\"").count(), text.matches("event").count()), (1, 1));
    }

    #[test]
    fn times_at_the_ends_of_integers_are_drawn() {
        assert_eq!(Gantt::new("t", []).markup().0, "");
        let text = Gantt::new("t", [Bar::new("a", i64::MIN, i64::MAX), Bar::new("b", i64::MAX, 5)]).markup().0;
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }
}
