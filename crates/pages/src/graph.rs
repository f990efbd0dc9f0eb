//! Directed graphs without circuits as boxes and arrows in layers: longest-path layers, and barycentres within a layer (Sugiyama,
//! Tagawa and Toda 1981).

use std::fmt::Write as _;

use maud::{Markup, html};

/// A character's width, a box's height, and the room between boxes, in pixels.
const CHARACTER: f64 = 7.4;
const HEIGHT: f64 = 44.0;
const GAP: (f64, f64) = (22.0, 42.0);
/// Rounds of ordering.
const ROUNDS: usize = 8;

/// A box of a graph.
#[derive(Debug, Clone, PartialEq)]
struct Node {
    name: String,
    cost: String,
    strong: bool,
}

/// A graph whose edges go from earlier boxes to later ones.
#[derive(Debug, Clone)]
pub struct Graph {
    title: String,
    nodes: Vec<Node>,
    edges: Vec<(usize, usize)>,
}

impl Graph {
    /// A graph without boxes.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), nodes: Vec::new(), edges: Vec::new() }
    }

    /// One more box with a name and a line on its cost, after the boxes with these numbers from 0; those that are not there yet are
    /// left out. `strong` boxes stand out.
    #[must_use]
    pub fn node(
        mut self,
        name: impl Into<String>,
        cost: impl Into<String>,
        strong: bool,
        after: impl IntoIterator<Item = usize>,
    ) -> Self {
        let at = self.nodes.len();
        let mut after: Vec<usize> = after.into_iter().filter(|&from| from < at).collect();
        after.sort_unstable();
        after.dedup();
        self.edges.extend(after.into_iter().map(|from| (from, at)));
        self.nodes.push(Node { name: name.into(), cost: cost.into(), strong });
        self
    }

    /// The boxes of each layer, from left to right.
    fn layers(&self) -> Vec<Vec<usize>> {
        let mut depth = vec![0; self.nodes.len()];
        for &(from, to) in &self.edges {
            // Edges stand by ascending ends.
            depth[to] = depth[to].max(depth[from] + 1);
        }
        let mut layers = vec![Vec::new(); depth.iter().max().map_or(0, |most| most + 1)];
        for (node, &layer) in depth.iter().enumerate() {
            layers[layer].push(node);
        }
        let mut place = vec![0.0; self.nodes.len()];
        for round in 0..ROUNDS {
            let mut order: Vec<usize> = (0..layers.len()).collect();
            if round % 2 == 1 {
                order.reverse();
            }
            for layer in order {
                let count = layers[layer].len();
                for (at, &node) in layers[layer].iter().enumerate() {
                    place[node] = (at as f64 + 0.5) / count as f64;
                }
                let mean = |node: usize| {
                    let near = self.edges.iter().filter_map(|&(from, to)| match round % 2 {
                        0 if to == node => Some(from),
                        1 if from == node => Some(to),
                        _ => None,
                    });
                    let (sum, count) = near.fold((0.0, 0), |(sum, count), other| (sum + place[other], count + 1));
                    if count == 0 { place[node] } else { sum / f64::from(count) }
                };
                let mut keyed: Vec<(f64, usize)> = layers[layer].iter().map(|&node| (mean(node), node)).collect();
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
                layers[layer] = keyed.into_iter().map(|(_, node)| node).collect();
                for (at, &node) in layers[layer].iter().enumerate() {
                    place[node] = (at as f64 + 0.5) / count as f64;
                }
            }
        }
        layers
    }

    pub(crate) fn markup(&self) -> Markup {
        if self.nodes.is_empty() {
            return Markup::default();
        }
        let letters = |node: &Node| node.name.chars().count().max(node.cost.chars().count());
        let width = |node: usize| (letters(&self.nodes[node]) as f64 * CHARACTER + 18.0).max(56.0);
        let layers = self.layers();
        let row = |layer: &[usize]| layer.iter().map(|&node| width(node) + GAP.0).sum::<f64>();
        let all = layers.iter().map(|layer| row(layer)).fold(0.0, f64::max) + GAP.0;
        let mut centre = vec![(0.0, 0.0); self.nodes.len()];
        for (depth, layer) in layers.iter().enumerate() {
            let mut x = f64::midpoint(all - row(layer), GAP.0);
            for &node in layer {
                centre[node] = (x + width(node) / 2.0, 14.0 + depth as f64 * (HEIGHT + GAP.1) + HEIGHT / 2.0);
                x += width(node) + GAP.0;
            }
        }
        let height = layers.len() as f64 * (HEIGHT + GAP.1) - GAP.1 + 28.0;
        let mut paths = String::new();
        for &(from, to) in &self.edges {
            let ((x, y), (u, v)) = (centre[from], centre[to]);
            let (y, v) = (y + HEIGHT / 2.0, v - HEIGHT / 2.0 - 6.0);
            let bend = (v - y) / 2.0;
            // An edge past other layers goes around what stands there.
            let aside = if v - y > HEIGHT + GAP.1 { 60.0 + 0.1 * (v - y) } else { 0.0 };
            // Writing to a string does not fail.
            let _ = write!(
                paths,
                "M{x:.1} {y:.1}C{:.1} {:.1} {:.1} {:.1} {u:.1} {v:.1}",
                x + aside,
                y + bend,
                u + aside,
                v - bend
            );
        }
        html! {
            figure.graph {
                figcaption { (self.title) }
                div.frame tabindex="0" role="region" aria-label=(self.title) {
                    svg width=(format!("{all:.0}")) height=(format!("{height:.0}")) viewBox=(format!("0 0 {all:.0} {height:.0}")) {
                        defs { marker id="arrow" markerWidth="8" markerHeight="8" refX="1" refY="4" orient="auto" {
                            path d="M0 0L8 4L0 8z" {}
                        } }
                        @for path in paths.split_inclusive('M').filter(|path| path.len() > 1) {
                            path d={ "M" (path.trim_end_matches('M')) } marker-end="url(#arrow)" {}
                        }
                        @for (node, (x, y)) in self.nodes.iter().zip(&centre) {
                            g.strong[node.strong] {
                                @let wide = (letters(node) as f64 * CHARACTER + 18.0).max(56.0);
                                rect x=(format!("{:.1}", x - wide / 2.0)) y=(format!("{:.1}", y - HEIGHT / 2.0))
                                    width=(format!("{wide:.1}")) height=(HEIGHT) rx="6" {}
                                text x=(format!("{x:.1}")) y=(format!("{:.1}", y - if node.cost.is_empty() { -4.0 } else { 3.0 })) { (node.name) }
                                text.cost x=(format!("{x:.1}")) y=(format!("{:.1}", y + 14.0)) { (node.cost) }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;

    #[test]
    fn layers_follow_the_longest_paths() {
        let graph =
            Graph::new("t").node("a", "", false, []).node("b", "", false, [0]).node("c", "1", true, [0, 1, 1, 9]);
        assert_eq!(graph.layers(), [[0], [1], [2]]);
        let text = graph.markup().0;
        assert_eq!((text.matches("<rect").count(), text.matches("marker-end").count()), (3, 3));
        assert_eq!(Graph::new("t").markup().0, "");
    }

    #[test]
    fn barycentres_undo_crossings() {
        let graph = Graph::new("t").node("a", "", false, []).node("b", "", false, []);
        let graph = graph.node("of b", "", false, [1]).node("of a", "", false, [0]);
        let layers = graph.layers();
        assert_eq!(layers[0][0] == 0, layers[1][0] == 3, "{layers:?}");
    }
}
