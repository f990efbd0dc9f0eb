//! Directed graphs without circuits as boxes and arrows in layers.

mod boxes;
mod layout;

use std::fmt::Write as _;

use maud::{Markup, html};

use crate::format::title;
pub use boxes::Graph;
use layout::{HEIGHT, Layout, Step};

impl Graph {
    pub(crate) fn markup(&self) -> Markup {
        if self.nodes.is_empty() {
            return Markup::default();
        }
        let Layout { size: (all, height), centres, routes } = self.layout();
        html! {
            figure.graph {
                figcaption { (title(&self.title)) }
                div.frame tabindex="0" role="region" aria-label=(self.title) {
                    svg width=(format!("{all:.0}")) height=(format!("{height:.0}")) viewBox=(format!("0 0 {all:.0} {height:.0}")) {
                        defs { marker id="arrow" markerWidth="8" markerHeight="8" refX="1" refY="4" orient="auto" {
                            path d="M0 0L8 4L0 8z" {}
                        } }
                        @for (begin, steps) in &routes { path d=(path(*begin, steps)) marker-end="url(#arrow)" {} }
                        @for (at, (node, (x, y))) in self.nodes.iter().zip(&centres).enumerate() {
                            g.strong[node.strong] {
                                @let wide = self.width(at);
                                rect x=(format!("{:.1}", x - wide / 2.0)) y=(format!("{:.1}", y - HEIGHT / 2.0))
                                    width=(format!("{wide:.1}")) height=(HEIGHT) rx="6" {}
                                text x=(format!("{x:.1}")) y=(format!("{:.1}", y - if node.cost.is_empty() { -4.0 } else { 3.0 })) { (node.name) }
                                text.cost x=(format!("{x:.1}")) y=(format!("{:.1}", y + 14.0)) { (node.cost) }
                            }
                        }
                    }
                }
                p.scrolls aria-hidden="true" { "↔ The graph goes on: scroll sideways." }
            }
        }
    }
}

/// An edge as the path of an SVG: curves that leave and arrive vertically, and straight lines.
fn path((mut x, mut y): (f64, f64), steps: &[Step]) -> String {
    let mut path = format!("M{x:.1} {y:.1}");
    for &Step { to: (u, v), is_curve } in steps {
        let bend = (v - y) / 2.0;
        // Writing to a string does not fail.
        let _ = if is_curve {
            write!(path, "C{x:.1} {:.1} {u:.1} {:.1} {u:.1} {v:.1}", y + bend, v - bend)
        } else {
            write!(path, "L{u:.1} {v:.1}")
        };
        (x, y) = (u, v);
    }
    path
}

#[cfg(test)]
mod tests;
