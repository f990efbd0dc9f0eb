//! Flow graphs of the Reed-Muller, arithmetic and Haar transforms for eight values, drawn from the algorithms' own indices.

use manycore::{BitOrder, HaarOrder};

use crate::flow::places;
use crate::svg::{Anchor, INK, Svg};

const LOG_LEN: u32 = 3;
const ROW: i32 = 34;
const STEP: i32 = 105;

/// A value that goes into a sum.
struct Edge {
    from: usize,
    to: usize,
    /// Whether the arithmetic and Haar transforms subtract it.
    subtracted: bool,
}

type Stage = Vec<Edge>;

/// `(u, v)` become `(u, v - u)`.
fn arithmetic([u, v]: [usize; 2], [first, second]: [usize; 2]) -> [Edge; 3] {
    [
        Edge { from: u, to: first, subtracted: false },
        Edge { from: u, to: second, subtracted: true },
        Edge { from: v, to: second, subtracted: false },
    ]
}

/// `(u, v)` become `(u + v, u - v)`.
fn haar([u, v]: [usize; 2], [sum, difference]: [usize; 2]) -> [Edge; 4] {
    [
        Edge { from: u, to: sum, subtracted: false },
        Edge { from: v, to: sum, subtracted: false },
        Edge { from: u, to: difference, subtracted: false },
        Edge { from: v, to: difference, subtracted: true },
    ]
}

/// Every index bit in turn, from the highest: in place, or from neighbours of one buffer to the other.
fn kronecker(log_len: u32, in_place: bool) -> Vec<Stage> {
    let stage = |step: u32| {
        (0..1 << (log_len - 1))
            .flat_map(|t| {
                let to = places(t, 1 << step);
                arithmetic(if in_place { to } else { [2 * t, 2 * t + 1] }, to)
            })
            .collect()
    };
    (0..log_len).rev().map(stage).collect()
}

/// Sums and differences of the sums that are left; values that are finished stay.
fn halving(log_len: u32, order: HaarOrder) -> Vec<Stage> {
    let stage = |level: u32| {
        let pairs = (0..1 << (log_len - 1 - level)).map(|t| match order {
            HaarOrder::InPlace => {
                let pair = [t << (level + 1), (2 * t + 1) << level];
                (pair, pair)
            }
            HaarOrder::Standard => ([2 * t, 2 * t + 1], [t, t + (1 << (log_len - 1 - level))]),
        });
        let finished = (0..1_usize << log_len).filter(|&i| match order {
            HaarOrder::InPlace => i & ((1 << level) - 1) != 0,
            HaarOrder::Standard => i >> (log_len - level) != 0,
        });
        let stay = finished.map(|i| Edge { from: i, to: i, subtracted: false });
        pairs.flat_map(|(from, to)| haar(from, to)).chain(stay).collect()
    };
    (0..log_len).map(stage).collect()
}

/// Draws one graph with its left edge at `left`; its row of values begins at `top`.
fn graph(svg: &mut Svg, (left, top): (i32, i32), stages: &[Stage], label: impl Fn(usize) -> String) {
    let point = |column: usize, row: usize| (left + STEP * column as i32, top + ROW * row as i32);
    for row in 0..1 << LOG_LEN {
        let (x, y) = point(0, row);
        svg.text((x - 9, y + 5), Anchor::End, &format!("x{row}"));
        let (x, y) = point(stages.len(), row);
        svg.text((x + 9, y + 5), Anchor::Start, &label(row));
        for column in 0..=stages.len() {
            svg.dot(point(column, row));
        }
    }
    for (column, stage) in stages.iter().enumerate() {
        for Edge { from, to, subtracted } in stage {
            svg.line(point(column, *from), point(column + 1, *to), INK, *subtracted);
        }
    }
}

/// Both algorithms of the Reed-Muller and arithmetic transforms.
pub(crate) fn draw_kronecker() -> String {
    let title =
        "Flow graphs of the Reed-Muller and arithmetic transforms of eight values, in place and in constant geometry";
    let mut svg = Svg::new(860, 345, title);
    for (left, name, order) in [(40, "in place", BitOrder::Natural), (470, "constant geometry", BitOrder::Reversed)] {
        svg.text((left + 3 * STEP / 2, 20), Anchor::Middle, &format!("{name}: {order} order"));
        let stages = kronecker(LOG_LEN, order == BitOrder::Natural);
        graph(&mut svg, (left, 50), &stages, |row| format!("c{}", order.natural_index(row, LOG_LEN)));
    }
    svg.text((40, 330), Anchor::Start, "arithmetic: solid added, dashed subtracted; Reed-Muller: all by exclusive or");
    svg.finish()
}

/// Both algorithms of the Haar transform.
pub(crate) fn draw_haar() -> String {
    let title = "Flow graphs of the Haar transform of eight values, in constant geometry and in place";
    let mut svg = Svg::new(860, 345, title);
    for (left, name, order) in [(40, "constant geometry", HaarOrder::Standard), (470, "in place", HaarOrder::InPlace)] {
        svg.text((left + 3 * STEP / 2, 20), Anchor::Middle, &format!("{name}: {order} order"));
        let at = |row| (0..1 << LOG_LEN).find(|&index| order.place(index, LOG_LEN) == row).unwrap_or(row);
        graph(&mut svg, (left, 50), &halving(LOG_LEN, order), |row| format!("h{}", at(row)));
    }
    svg.text((40, 330), Anchor::Start, "solid: added, dashed: subtracted; level lines alone: finished");
    svg.finish()
}

#[cfg(test)]
mod tests {
    use manycore::Normalization;
    use manycore::spectral::arithmetic::reference::arithmetic;
    use manycore::spectral::haar::reference::haar;

    use super::*;

    fn apply(stages: &[Stage], x: &[i64]) -> Vec<i64> {
        stages.iter().fold(x.to_vec(), |x, stage| {
            let mut y = vec![0; x.len()];
            for edge in stage {
                y[edge.to] += if edge.subtracted { -x[edge.from] } else { x[edge.from] };
            }
            y
        })
    }

    #[test]
    fn the_graphs_compute_the_orders_that_they_are_drawn_for() {
        for log_len in 1..=6 {
            let x: Vec<i64> = (0..1 << log_len).map(|i| (i * i * 7 + 3 * i) % 23 - 9).collect();
            for order in BitOrder::ALL {
                let y = apply(&kronecker(log_len, order == BitOrder::Natural), &x);
                assert_eq!(Some(y), arithmetic(&x, order, 0), "{order} {log_len}");
            }
            for order in HaarOrder::ALL {
                let y = apply(&halving(log_len, order), &x);
                assert_eq!(Some(y), haar(&x, order, Normalization::None), "{order} {log_len}");
            }
        }
    }
}
