//! Flow graphs of the two algorithms for eight values, drawn from the algorithms' own indices.

use manycore::Order;

use crate::svg::{Anchor, INK, ORANGE, Svg};

const LOG_LEN: u32 = 3;
const ROW: i32 = 34;
const STEP: i32 = 105;

/// Two values that become their sum and their difference.
struct Butterfly {
    from: [usize; 2],
    to: [usize; 2],
    /// Whether the difference is the second value less the first.
    turned: bool,
}

type Stage = Vec<Butterfly>;

/// The two places that work-item `t` serves in a step whose places lie `distance` apart.
pub(crate) fn places(t: usize, distance: usize) -> [usize; 2] {
    let first = (t & (distance - 1)) + 2 * distance * (t / distance);
    [first, first + distance]
}

/// In place: each step pairs values `2^step` apart, from the furthest to neighbours.
fn cooley_tukey(log_len: u32) -> Vec<Stage> {
    let stage = |step: u32| {
        let pairs = (0..1 << (log_len - 1)).map(|t| places(t, 1 << step));
        pairs.map(|pair| Butterfly { from: pair, to: pair, turned: false }).collect()
    };
    (0..log_len).rev().map(stage).collect()
}

/// Out of place: every step reads neighbours; odd work-items turn the difference for sequency order, but in the last
/// step.
fn constant_geometry(log_len: u32, sequency: bool) -> Vec<Stage> {
    let stage = |step: u32| {
        let butterfly = |t: usize| Butterfly {
            from: [2 * t, 2 * t + 1],
            to: places(t, 1 << step),
            turned: sequency && t % 2 == 1 && step != 0,
        };
        (0..1 << (log_len - 1)).map(butterfly).collect()
    };
    (0..log_len).rev().map(stage).collect()
}

/// Draws one graph with its left edge at `left`; its row of values begins at `top`.
fn graph(svg: &mut Svg, (left, top): (i32, i32), stages: &[Stage], order: Order) {
    let point = |column: usize, row: usize| (left + STEP * column as i32, top + ROW * row as i32);
    for row in 0..1 << LOG_LEN {
        let (x, y) = point(0, row);
        svg.text((x - 9, y + 5), Anchor::End, &format!("x{row}"));
        let (x, y) = point(stages.len(), row);
        svg.text((x + 9, y + 5), Anchor::Start, &format!("W{}", order.natural_index(row, LOG_LEN)));
        for column in 0..=stages.len() {
            svg.dot(point(column, row));
        }
    }
    for (column, stage) in stages.iter().enumerate() {
        for Butterfly { from: [u, v], to: [sum, difference], turned } in stage {
            let colour = if *turned { ORANGE } else { INK };
            svg.line(point(column, *u), point(column + 1, *sum), colour, false);
            svg.line(point(column, *v), point(column + 1, *sum), colour, false);
            svg.line(point(column, *u), point(column + 1, *difference), colour, *turned);
            svg.line(point(column, *v), point(column + 1, *difference), colour, !turned);
        }
        let (x, y) = point(column, 8);
        svg.text((x + STEP / 2, y), Anchor::Middle, &format!("step {}", stages.len() - 1 - column));
    }
}

pub(crate) fn draw_cooley_tukey() -> String {
    let mut svg = Svg::new(440, 345, "Flow graph of the Cooley-Tukey algorithm for eight values");
    graph(&mut svg, (60, 20), &cooley_tukey(LOG_LEN), Order::Hadamard);
    svg.text((60, 330), Anchor::Start, "solid: added, dashed: subtracted");
    svg.finish()
}

pub(crate) fn draw_constant_geometry() -> String {
    let mut svg = Svg::new(
        860,
        375,
        "Flow graphs of the constant-geometry algorithm for eight values, in dyadic and in sequency order",
    );
    for (left, sequency, order) in [(40, false, Order::Dyadic), (470, true, Order::Sequency)] {
        svg.text((left + 3 * STEP / 2, 20), Anchor::Middle, &format!("{order} order"));
        graph(&mut svg, (left, 50), &constant_geometry(LOG_LEN, sequency), order);
    }
    svg.text((40, 360), Anchor::Start, "solid: added, dashed: subtracted; orange: the difference turned round");
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::{Butterfly, Stage, constant_geometry, cooley_tukey};
    use manycore::Order;
    use manycore::spectral::walsh::reference::walsh_hadamard;

    fn apply(stages: &[Stage], x: &[i64]) -> Vec<i64> {
        stages.iter().fold(x.to_vec(), |x, stage| {
            let mut y = vec![0; x.len()];
            for Butterfly { from: [u, v], to: [sum, difference], turned } in stage {
                y[*sum] = x[*u] + x[*v];
                y[*difference] = if *turned { x[*v] - x[*u] } else { x[*u] - x[*v] };
            }
            y
        })
    }

    #[test]
    fn the_graphs_compute_the_orders_that_they_are_drawn_for() {
        for log_len in 1..=6 {
            let x: Vec<i64> = (0..1 << log_len).map(|i| (i * i * 7 + 3 * i) % 23 - 9).collect();
            let cases = [
                (cooley_tukey(log_len), Order::Hadamard),
                (constant_geometry(log_len, false), Order::Dyadic),
                (constant_geometry(log_len, true), Order::Sequency),
            ];
            for (stages, order) in cases {
                assert_eq!(Some(apply(&stages, &x)), walsh_hadamard(&x, order), "{order} {log_len}");
            }
        }
    }
}
