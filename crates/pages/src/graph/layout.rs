//! Layout of a graph in layers (Sugiyama, Tagawa and Toda 1981): longest-path layers, bends for edges past other layers, barycentres
//! within a layer, and places by least squares.
//!
//! ```text
//!   ┌───┐  ┌───┐
//!   │ a │  │ b │    a layer: boxes and bends beside each other
//!   └─┬─┘  └─┬─┘
//!     ├──╮   │      a gap: curves, and no box
//!   ┌─┴─┐╎   │
//!   │ c │╎   │      an edge from a to d passes the layer of c as a straight line in a place of its own
//!   └───┘╎   │
//! ```

use super::boxes::Graph;

/// A character's width, a box's height, the room between boxes, and the room beside a bend, in pixels.
pub(super) const CHARACTER: f64 = 7.4;
pub(super) const HEIGHT: f64 = 44.0;
const GAP: (f64, f64) = (22.0, 42.0);
const BEND: f64 = 9.0;
/// Length of the head of an arrow with its line's width, and the margin around the drawing, in pixels.
const HEAD: f64 = 9.0;
const MARGIN: f64 = 14.0;
/// Rounds of ordering and of placing.
const ROUNDS: usize = 8;

/// What stands at a place of a layer: a box, or the bend of all edges of one box that go further down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    Node(usize),
    Bend(usize),
}

/// A point of an edge, and whether the edge comes to it by a curve or by a straight line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Step {
    pub(super) to: (f64, f64),
    pub(super) is_curve: bool,
}

/// The drawing's size, the middle of every box, and the points of every edge.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) size: (f64, f64),
    pub(super) centres: Vec<(f64, f64)>,
    /// The first point of each edge, and its further steps.
    pub(super) routes: Vec<((f64, f64), Vec<Step>)>,
}

/// Places of items in layers, and which items of neighbouring layers are joined.
struct Layers {
    items: Vec<Vec<Item>>,
    /// For each layer but the first, pairs of an item of the layer above and one of this layer, by their numbers before ordering.
    joined: Vec<Vec<(usize, usize)>>,
    /// For each layer, the numbers before ordering from left to right.
    order: Vec<Vec<usize>>,
}

impl Graph {
    /// The layer of each box: one below the lowest of those before it.
    pub(super) fn depths(&self) -> Vec<usize> {
        let mut depth = vec![0; self.nodes.len()];
        for &(from, to) in &self.edges {
            // Edges stand by ascending ends.
            depth[to] = depth[to].max(depth[from] + 1);
        }
        depth
    }

    /// The width of a box, by its longer line of text.
    pub(super) fn width(&self, node: usize) -> f64 {
        let node = &self.nodes[node];
        let letters = node.name.chars().count().max(node.cost.chars().count());
        (letters as f64 * CHARACTER + 18.0).max(56.0)
    }

    fn in_layers(&self) -> Layers {
        let depth = self.depths();
        let mut items = vec![Vec::new(); depth.iter().max().map_or(0, |most| most + 1)];
        for (node, &layer) in depth.iter().enumerate() {
            items[layer].push(Item::Node(node));
        }
        let mut lowest = depth.clone();
        for &(from, to) in &self.edges {
            lowest[from] = lowest[from].max(depth[to]);
        }
        for (node, (&own, &lowest)) in depth.iter().zip(&lowest).enumerate() {
            items[own + 1..lowest.max(own + 1)].iter_mut().for_each(|layer| layer.push(Item::Bend(node)));
        }
        let mut joined = vec![Vec::new(); items.len()];
        for (layer, pairs) in joined.iter_mut().enumerate().skip(1) {
            let place = |of: Item, layer: usize| items[layer].iter().position(|&item| item == of);
            // The end in the layer above of an edge from this box.
            let above = |node: usize| {
                place(if depth[node] + 1 == layer { Item::Node(node) } else { Item::Bend(node) }, layer - 1)
            };
            for (at, &item) in items[layer].iter().enumerate() {
                match item {
                    Item::Bend(node) => pairs.extend(above(node).map(|from| (from, at))),
                    Item::Node(node) => {
                        let from =
                            self.edges.iter().filter(|&&(_, to)| to == node).filter_map(|&(from, _)| above(from));
                        pairs.extend(from.map(|from| (from, at)));
                    }
                }
            }
        }
        let order = items.iter().map(|layer| (0..layer.len()).collect()).collect();
        Layers { items, joined, order }
    }

    /// The boxes of each layer, from left to right.
    #[cfg(test)]
    pub(super) fn layers(&self) -> Vec<Vec<usize>> {
        let mut layers = self.in_layers();
        layers.sort();
        let of = |(items, order): (&Vec<Item>, &Vec<usize>)| {
            let nodes = order.iter().filter_map(|&at| match items[at] {
                Item::Node(node) => Some(node),
                Item::Bend(_) => None,
            });
            nodes.collect()
        };
        layers.items.iter().zip(&layers.order).map(of).collect()
    }

    /// The layout. No edge meets a box that is not its end: between layers there is no box, and within a layer an edge has its own place.
    pub(super) fn layout(&self) -> Layout {
        let mut layers = self.in_layers();
        layers.sort();
        let half = |item: Item| match item {
            Item::Node(node) => f64::midpoint(self.width(node), GAP.0),
            Item::Bend(_) => BEND,
        };
        let mut middles = layers.place(&half);
        let edge = |by: &dyn Fn(f64, f64) -> f64, from: f64, sign: f64| {
            let ends = layers.items.iter().zip(&middles).flat_map(|(items, middles)| items.iter().zip(middles));
            ends.map(|(&item, middle)| middle + sign * half(item)).fold(from, by)
        };
        let (left, right) = (edge(&f64::min, f64::INFINITY, -1.0), edge(&f64::max, f64::NEG_INFINITY, 1.0));
        middles.iter_mut().flatten().for_each(|middle| *middle += MARGIN - left);
        let top = |layer: usize| MARGIN + layer as f64 * (HEIGHT + GAP.1);
        let depth = self.depths();
        let x = |item: Item, layer: usize| {
            let at = layers.items[layer].iter().position(|&other| other == item);
            at.map_or(0.0, |at| middles[layer][at])
        };
        let centre = |node: usize| (x(Item::Node(node), depth[node]), top(depth[node]) + HEIGHT / 2.0);
        let route = |&(from, to): &(usize, usize)| {
            let begin = centre(from);
            let mut steps = Vec::new();
            for layer in depth[from] + 1..depth[to] {
                let x = x(Item::Bend(from), layer);
                steps.push(Step { to: (x, top(layer)), is_curve: true });
                steps.push(Step { to: (x, top(layer) + HEIGHT), is_curve: false });
            }
            steps.push(Step { to: (centre(to).0, top(depth[to]) - HEAD), is_curve: true });
            ((begin.0, begin.1 + HEIGHT / 2.0), steps)
        };
        Layout {
            size: (right - left + 2.0 * MARGIN, top(layers.items.len()) - GAP.1 + MARGIN),
            centres: (0..self.nodes.len()).map(centre).collect(),
            routes: self.edges.iter().map(route).collect(),
        }
    }
}

impl Layers {
    /// What an item is joined with in the layer above, or in the one below.
    fn near(&self, layer: usize, at: usize, is_above: bool) -> Vec<usize> {
        let pairs =
            if is_above { &self.joined[layer] } else { self.joined.get(layer + 1).map_or(&[][..], Vec::as_slice) };
        let other = |&(from, to): &(usize, usize)| {
            let (own, other) = if is_above { (to, from) } else { (from, to) };
            (own == at).then_some(other)
        };
        pairs.iter().filter_map(other).collect()
    }

    /// Orders every layer by the barycentres of what its items are joined with, down and up in turn.
    fn sort(&mut self) {
        let even = |order: &[usize]| {
            let mut place = vec![0.0; order.len()];
            for (at, &item) in order.iter().enumerate() {
                place[item] = (at as f64 + 0.5) / order.len() as f64;
            }
            place
        };
        let mut places: Vec<Vec<f64>> = self.order.iter().map(|order| even(order)).collect();
        for round in 0..ROUNDS {
            let is_down = round % 2 == 0;
            for step in 0..self.order.len() {
                let layer = if is_down { step } else { self.order.len() - 1 - step };
                let mean = |at: usize| {
                    let near = self.near(layer, at, is_down);
                    let beside = if is_down { layer.wrapping_sub(1) } else { layer + 1 };
                    let sum: f64 = near.iter().map(|&other| places[beside][other]).sum();
                    if near.is_empty() { places[layer][at] } else { sum / near.len() as f64 }
                };
                let mut keyed: Vec<(f64, usize)> = self.order[layer].iter().map(|&at| (mean(at), at)).collect();
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
                self.order[layer] = keyed.into_iter().map(|(_, at)| at).collect();
                places[layer] = even(&self.order[layer]);
            }
        }
    }

    /// The middle of every item, by its number before ordering: near the mean of what it is joined with, and apart from its neighbours
    /// by their halves.
    fn place(&self, half: &dyn Fn(Item) -> f64) -> Vec<Vec<f64>> {
        let mut middles: Vec<Vec<f64>> = self.items.iter().map(|items| vec![0.0; items.len()]).collect();
        for round in 0..=ROUNDS {
            let is_down = round % 2 == 1;
            for step in 0..self.order.len() {
                let layer = if is_down { step } else { self.order.len() - 1 - step };
                let mut begin = 0.0;
                let mut offsets = Vec::with_capacity(self.order[layer].len());
                for &at in &self.order[layer] {
                    let half = half(self.items[layer][at]);
                    offsets.push(begin + half);
                    begin += 2.0 * half;
                }
                let wanted: Vec<f64> = self.order[layer]
                    .iter()
                    .zip(&offsets)
                    .map(|(&at, offset)| {
                        let near = self.near(layer, at, is_down);
                        let beside = if is_down { layer.wrapping_sub(1) } else { layer + 1 };
                        let sum: f64 = near.iter().map(|&other| middles[beside][other]).sum();
                        // The first round has a layer in the middle of the drawing.
                        let own = if round == 0 { offset - begin / 2.0 } else { middles[layer][at] };
                        (if near.is_empty() || round == 0 { own } else { sum / near.len() as f64 }) - offset
                    })
                    .collect();
                let least = ascending(&wanted);
                for ((&at, offset), least) in self.order[layer].iter().zip(&offsets).zip(least) {
                    middles[layer][at] = least + offset;
                }
            }
        }
        middles
    }
}

/// The ascending numbers nearest to these by least squares (pool adjacent violators, Ayer and others 1955).
fn ascending(wanted: &[f64]) -> Vec<f64> {
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for &value in wanted {
        let mut pool = (value, 1);
        while let Some(&(mean, count)) = pools.last().filter(|last| last.0 > pool.0) {
            pools.pop();
            let all = count + pool.1;
            pool = ((mean * count as f64 + pool.0 * pool.1 as f64) / all as f64, all);
        }
        pools.push(pool);
    }
    pools.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count)).collect()
}

#[cfg(test)]
mod tests {
    use super::ascending;

    #[test]
    fn ascending_numbers_are_the_nearest() {
        assert_eq!(ascending(&[1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
        assert_eq!(ascending(&[3.0, 1.0, 2.0, 9.0]), [2.0, 2.0, 2.0, 9.0]);
        assert_eq!(ascending(&[]), [0.0; 0]);
    }
}
