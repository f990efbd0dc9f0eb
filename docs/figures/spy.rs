//! Places of the non-zeros of two sparse matrices, as they are given, shuffled, and shuffled and put in order.

use std::fmt::Write as _;

use manycore::model::cache::Geometry;
use manycore::sparse::sprs::CsMat;
use manycore::sparse::{GrayOptions, OrderMethod, Pattern, Policy, misses, reorder};

use crate::svg::{Anchor, BLUE, INK, Svg};

/// Points of a side of the grid; rows and columns, a pixel each, are its square.
const SIDE: usize = 14;
const SIZE: usize = SIDE * SIDE;
/// Rows of a block on the diagonal.
const BLOCK: usize = 28;

/// The pattern whose row `i` has these columns.
fn pattern(columns: impl Fn(usize) -> Vec<usize>) -> Option<Pattern> {
    let (mut offsets, mut indices) = (vec![0], Vec::new());
    for row in 0..SIZE {
        let mut columns = columns(row);
        columns.sort_unstable();
        columns.dedup();
        indices.extend(columns);
        offsets.push(indices.len());
    }
    let values = vec![(); indices.len()];
    Pattern::of(CsMat::new((SIZE, SIZE), offsets, indices, values).view()).ok()
}

/// The five-point Laplacian.
fn laplacian() -> Option<Pattern> {
    pattern(|point| {
        let (y, x) = (point / SIDE, point % SIDE);
        let all = [
            Some(point),
            (y > 0).then(|| point - SIDE),
            (x > 0).then(|| point - 1),
            (x + 1 < SIDE).then(|| point + 1),
            (y + 1 < SIDE).then(|| point + SIDE),
        ];
        all.into_iter().flatten().collect()
    })
}

/// Blocks on the diagonal with five non-zeros a row, at places by a hash.
fn blocks() -> Option<Pattern> {
    let place = |row: usize, i: usize| (row * 5 + i).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    pattern(|row| (0..5).map(|i| row / BLOCK * BLOCK + place(row, i) % BLOCK).collect())
}

/// One panel.
fn panel(svg: &mut Svg, at: (i32, i32), title: &str, pattern: &Pattern, misses: u64) {
    let size = SIZE as i32;
    svg.rectangle((at.0 - 2, at.1 - 2), (size + 4, size + 4), INK, 0);
    // Moves from the end of one stroke to the begin of the next.
    let (mut path, mut end) = (format!("M{} {}", at.0, at.1), (0, 0));
    for (row, columns) in pattern.iter().enumerate() {
        for &column in columns {
            let begin = (column as i32 - 1, row as i32);
            let _ = write!(path, "m{} {}h2", begin.0 - end.0, begin.1 - end.1);
            end = (begin.0 + 2, begin.1);
        }
    }
    svg.path(&path, BLUE, 2);
    svg.text((at.0 + size / 2, at.1 - 10), Anchor::Middle, title);
    svg.text((at.0 + size / 2, at.1 + size + 20), Anchor::Middle, &format!("{misses} misses"));
}

pub(crate) fn draw() -> String {
    let title = "Non-zeros of a Laplacian and of a matrix of blocks as given, shuffled, and shuffled and put in order by the Gray \
                 code and by Cuthill and McKee";
    let mut svg = Svg::new(868, 530, title);
    // A small cache, as the matrices are small: sixteen lines of four words.
    let geometry = Geometry::with_lines(16, 4).ok();
    let gray = GrayOptions { line_words: 4, ..GrayOptions::DEFAULT };
    for (top, given) in [(34, laplacian()), (294, blocks())] {
        let Some((given, geometry)) = given.zip(geometry) else { continue };
        let ordered = |pattern: &Pattern, method: &OrderMethod| {
            reorder(pattern, method)
                .and_then(|order| order.apply_to_pattern(pattern))
                .unwrap_or_else(|_| pattern.clone())
        };
        let shuffled = ordered(&given, &OrderMethod::Random { seed: 1 });
        let panels = [
            ("given", given),
            ("shuffled", shuffled.clone()),
            ("shuffled, then brgc", ordered(&shuffled, &OrderMethod::GrayCode(gray))),
            ("shuffled, then rcm", ordered(&shuffled, &OrderMethod::ReverseCuthillMckee)),
        ];
        for (place, (title, pattern)) in panels.iter().enumerate() {
            let at = (12 + 216 * place as i32, top);
            panel(&mut svg, at, title, pattern, misses(pattern, geometry, Policy::Optimal).misses);
        }
    }
    svg.finish()
}
