//! The three orders of the Walsh-Hadamard matrix of eight rows.

use manycore::Order;
use manycore::spectral::walsh::reference::is_negative;

use crate::svg::{Anchor, INK, Svg};

const LOG_LEN: u32 = 3;
const CELL: i32 = 20;

pub(crate) fn draw() -> String {
    let mut svg = Svg::new(
        740,
        232,
        "The Walsh-Hadamard matrices of eight rows in Hadamard, dyadic and sequency order, with the sign changes of each row",
    );
    for (panel, order) in [Order::Hadamard, Order::Dyadic, Order::Sequency].into_iter().enumerate() {
        let left = 40 + 245 * panel as i32;
        svg.text((left + 4 * CELL, 20), Anchor::Middle, &format!("{order}"));
        for row in 0..1usize << LOG_LEN {
            let top = 34 + CELL * row as i32;
            let negative: Vec<bool> = (0..8).map(|column| is_negative(row, column, LOG_LEN, order)).collect();
            for (column, &negative) in negative.iter().enumerate() {
                let at = (left + CELL * column as i32, top);
                svg.rectangle(at, (CELL, CELL), INK, if negative { 70 } else { 0 });
            }
            let changes = negative.windows(2).filter(|pair| pair[0] != pair[1]).count();
            svg.text((left - 8, top + 15), Anchor::End, &format!("{}", order.natural_index(row, LOG_LEN)));
            svg.text((left + 8 * CELL + 8, top + 15), Anchor::Start, &format!("{changes}"));
        }
    }
    let legend =
        "empty: +1, filled: -1; left of a row its index in Hadamard order, right of it its number of sign changes";
    svg.text((40, 220), Anchor::Start, legend);
    svg.finish()
}
