//! Condensation of determinants: cache misses beside the thesis' formula, and the errors of the rules that choose pivots (paper 002,
//! formula 7.2 and sections 7.4 to 7.6).

use manycore::Device;
use manycore::linalg::condense::cache::{misses, misses_bound};
use manycore::linalg::exact::{self, Certainty};
use manycore::linalg::real::{Pivoting, RealOptions, Scaled, determinant, product};
use manycore::model::cache::Geometry;
use manycore::verify::SplitMix;

use crate::plot::Plot;
use crate::svg::{Anchor, BLUE, INK, ORANGE, Svg};

/// Words of a line of the caches that are drawn.
const LINE: u64 = 4;
/// Matrices of each order, of which the worst error is drawn.
const MATRICES: u64 = 3;
/// Bits behind the point of the entries, so that they are integers times a power of two.
const SHIFT: u32 = 40;

/// Simulated misses and the formula, by order, for a cache of ten lines and one of four.
pub(crate) fn draw_misses() -> String {
    let mut svg = Svg::new(760, 320, "Cache misses of condensation by order, simulated and by the thesis' formula");
    for (left, words, most_order, most) in [(80, 40, 80, 120_000), (450, 16, 40, 30_000)] {
        let plot = Plot {
            at: (left, 40),
            size: (280, 210),
            x: (words as f64, f64::from(most_order)),
            y: (0.0, f64::from(most)),
        };
        let orders: Vec<i32> =
            (words as i32..=most_order).step_by((most_order as usize - words as usize) / 8).collect();
        let ticks: Vec<i32> = orders.iter().copied().step_by(2).collect();
        let heights: Vec<(f64, String)> =
            (0..=3).map(|part| part * most / 3).map(|tick| (f64::from(tick), tick.to_string())).collect();
        plot.frame(&mut svg, &format!("{} lines of {LINE} words", words / LINE), &ticks, &heights);
        let Ok(geometry) = Geometry::new(words, LINE) else { continue };
        let bound: Vec<(f64, f64)> = orders.iter().map(|&n| (f64::from(n), misses_bound(n as u64, geometry))).collect();
        plot.line(&mut svg, &bound, ORANGE, false);
        for &order in &orders {
            svg.dot(plot.point(f64::from(order), misses(order as u64, geometry) as f64));
        }
        svg.text((left + 140, 284), Anchor::Middle, "order");
    }
    svg.dot((250, 306));
    svg.text((260, 310), Anchor::Start, "simulated");
    svg.line((380, 306), (410, 306), ORANGE, false);
    svg.text((418, 310), Anchor::Start, "formula 7.2");
    svg.finish()
}

/// A matrix of integers over `2^40`.
type Entries = Vec<i64>;

/// Uniform entries between -1 and 1.
fn uniform(order: usize, random: &mut SplitMix) -> Entries {
    (0..order * order).map(|_| random.next_word() as i64 >> (63 - SHIFT)).collect()
}

/// A fifth of the entries `2^-40` in size, the others from 3 to 8.
fn uneven(order: usize, random: &mut SplitMix) -> Entries {
    let entry = |random: &mut SplitMix| {
        let large = (3 << SHIFT) + (((random.next_word() >> 32) * 5) << (SHIFT - 32)) as i64;
        let size = if random.next_word().is_multiple_of(5) { 1 } else { large };
        if random.next_word().is_multiple_of(2) { size } else { -size }
    };
    (0..order * order).map(|_| entry(random)).collect()
}

/// The determinant of a matrix of integers over `2^40`, rounded.
fn exactly(order: usize, entries: &[i64]) -> Option<Scaled> {
    let value = exact::determinant(&Device::host(), order, entries, Certainty::Proved).ok()?.value;
    let shift = value.bits().saturating_sub(64);
    let top = u64::try_from(value.magnitude() >> shift).ok()? as f64;
    let sign = if value.to_string().starts_with('-') { -1.0 } else { 1.0 };
    Some(Scaled::new(sign * top, shift as i64 - i64::from(SHIFT) * order as i64))
}

/// The determinant of the Hilbert matrix: 1 over the product of `(2 k + 1) binomial(2 k, k)^2` for `k < order`.
fn hilbert(order: usize) -> Scaled {
    let binomial = |k: usize| (1..=k).fold(1.0, |b, i| b * (k + i) as f64 / i as f64);
    let factors = (1..order).flat_map(|k| [1.0 / (2 * k + 1) as f64, 1.0 / binomial(k), 1.0 / binomial(k)]);
    product(&factors.collect::<Vec<f64>>())
}

/// The common logarithm of the relative error of a rule; `None` where nothing is computed.
fn error(order: usize, words: &[f64], pivoting: Pivoting, expected: Scaled) -> Option<f64> {
    let options = RealOptions { pivoting, bound: false };
    let found = determinant(&Device::host(), order, words, options).ok()?.value;
    let difference = found.plus(Scaled { mantissa: -expected.mantissa, ..expected });
    Some((difference.log_abs() - expected.log_abs()) / std::f64::consts::LN_10)
}

/// The worst error of a rule on some matrices of a family.
fn worst(order: usize, pivoting: Pivoting, family: fn(usize, &mut SplitMix) -> Entries) -> Option<f64> {
    let mut random = SplitMix::new(order as u64);
    let mut worst = f64::NEG_INFINITY;
    for _ in 0..MATRICES {
        let entries = family(order, &mut random);
        let words: Vec<f64> = entries.iter().map(|&e| e as f64 / (1u64 << SHIFT) as f64).collect();
        worst = worst.max(error(order, &words, pivoting, exactly(order, &entries)?)?);
    }
    Some(worst)
}

/// The error of a rule on the Hilbert matrix, against the determinant before its entries are rounded.
fn on_hilbert(order: usize, pivoting: Pivoting) -> Option<f64> {
    let words: Vec<f64> = (0..order * order).map(|e| 1.0 / (e / order + e % order + 1) as f64).collect();
    error(order, &words, pivoting, hilbert(order))
}

/// The error of a rule at an order, as [`error`] gives it.
type Error = fn(usize, Pivoting) -> Option<f64>;

/// The rules' relative errors by order, for three families of matrices.
pub(crate) fn draw_errors() -> String {
    let mut svg =
        Svg::new(860, 330, "Relative errors of determinants in double precision by order, for four rules of pivots");
    let rules = [
        (Pivoting::First, "first", INK, false),
        (Pivoting::ClosestToOne, "closest to 1.0", ORANGE, false),
        (Pivoting::Partial, "largest of the row", BLUE, false),
        (Pivoting::Complete, "largest of the matrix", BLUE, true),
    ];
    let heights: Vec<(f64, String)> = (-4..=0).map(|tick| (f64::from(4 * tick), format!("1e{}", 4 * tick))).collect();
    let families: [(&str, &[i32], Error); 3] = [
        ("uniform between -1 and 1", &[5, 10, 15, 20, 25, 30, 35, 40], |n, rule| worst(n, rule, uniform)),
        ("a fifth 1e-12, others 3 to 8", &[5, 10, 15, 20, 25, 30, 35, 40], |n, rule| worst(n, rule, uneven)),
        ("Hilbert", &[2, 4, 6, 8, 10, 12, 14], on_hilbert),
    ];
    for (left, (title, orders, of)) in [60, 335, 610].into_iter().zip(families) {
        let (low, high) = (f64::from(orders[0]), f64::from(orders[orders.len() - 1]));
        let plot = Plot { at: (left, 40), size: (225, 210), x: (low, high), y: (-17.0, 3.0) };
        let ticks: Vec<i32> = orders.iter().copied().skip(1).step_by(2).collect();
        plot.frame(&mut svg, title, &ticks, &heights);
        for (rule, _, colour, dashed) in rules {
            let points: Vec<(f64, f64)> =
                orders.iter().filter_map(|&n| Some((f64::from(n), of(n as usize, rule)?))).collect();
            plot.line(&mut svg, &points, colour, dashed);
        }
        svg.text((left + 112, 284), Anchor::Middle, "order");
    }
    for (left, (_, name, colour, dashed)) in [70, 200, 390, 590].into_iter().zip(rules) {
        svg.line((left, 310), (left + 30, 310), colour, dashed);
        svg.text((left + 38, 314), Anchor::Start, name);
    }
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_entry_keeps_the_digits_that_the_closest_to_one_loses() {
        let of = |pivoting| worst(40, pivoting, uneven).unwrap();
        assert!(of(Pivoting::Partial) < -10.0 && of(Pivoting::Complete) < -10.0);
        assert!(of(Pivoting::ClosestToOne) > -3.0);
    }
}
