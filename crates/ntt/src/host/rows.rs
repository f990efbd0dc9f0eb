//! Butterflies between rows of vectors. They are written out: loops that the compiler does not unroll would keep the rows in
//! memory.

use super::residues::Residues;

/// Whether a place in `w` is that of a first block of a level, whose factor is 1 in cyclic transforms.
const fn is_first(place: usize) -> bool {
    matches!(place, 0 | 1 | 3)
}

/// The levels from `FROM` to `LOG` between `2^LOG` rows, with the factors of the blocks of level after level in `w`; level
/// 0 is number `level` of a step. `ONES`: the rows are those of a whole cyclic transform, canonical at level `FROM`.
#[inline(always)]
pub(super) fn forward_rows<A: Residues, const FROM: usize, const LOG: usize, const ONES: bool>(
    a: A,
    row: &mut [A::Vector],
    w: &[A::Factor; 8],
    level: usize,
) {
    macro_rules! butterflies {
        ($level:literal: $($u:literal $v:literal by $w:literal),*) => {
            if FROM <= $level {
                $((row[$u], row[$v]) = if ONES && $level == 0 {
                    a.forward_first(row[$u], row[$v])
                } else if ONES && is_first($w) {
                    a.forward_by_one(row[$u], row[$v])
                } else {
                    a.forward(row[$u], row[$v], w[$w], level + $level)
                };)*
            }
        };
    }
    match LOG {
        1 => butterflies!(0: 0 1 by 0),
        2 => {
            butterflies!(0: 0 2 by 0, 1 3 by 0);
            butterflies!(1: 0 1 by 1, 2 3 by 2);
        }
        _ => {
            butterflies!(0: 0 4 by 0, 1 5 by 0, 2 6 by 0, 3 7 by 0);
            butterflies!(1: 0 2 by 1, 1 3 by 1, 4 6 by 2, 5 7 by 2);
            butterflies!(2: 0 1 by 3, 2 3 by 4, 4 5 by 5, 6 7 by 6);
        }
    }
}

/// The inverse of [`forward_rows`]; with `SCALED` the factors of level 0 are `last`, for sums and for differences. `ONES`:
/// the rows are those of a whole cyclic transform.
#[inline(always)]
pub(super) fn backward_rows<A: Residues, const FROM: usize, const LOG: usize, const SCALED: bool, const ONES: bool>(
    a: A,
    row: &mut [A::Vector],
    w: &[A::Factor; 8],
    last: (A::Factor, A::Factor),
) {
    macro_rules! butterflies {
        ($level:literal: $($u:literal $v:literal by $w:literal),*) => {
            if FROM <= $level {
                $((row[$u], row[$v]) = if SCALED && $level == 0 {
                    a.backward_scaled(row[$u], row[$v], last.1, last.0)
                } else if ONES && is_first($w) {
                    a.backward_by_one(row[$u], row[$v])
                } else {
                    a.backward(row[$u], row[$v], w[$w])
                };)*
            }
        };
    }
    match LOG {
        1 => butterflies!(0: 0 1 by 0),
        2 => {
            butterflies!(1: 0 1 by 1, 2 3 by 2);
            butterflies!(0: 0 2 by 0, 1 3 by 0);
        }
        _ => {
            butterflies!(2: 0 1 by 3, 2 3 by 4, 4 5 by 5, 6 7 by 6);
            butterflies!(1: 0 2 by 1, 1 3 by 1, 4 6 by 2, 5 7 by 2);
            butterflies!(0: 0 4 by 0, 1 5 by 0, 2 6 by 0, 3 7 by 0);
        }
    }
}

/// The level of 16 rows above two halves of 8.
#[inline(always)]
pub(super) fn forward_halves<A: Residues>(a: A, row: &mut [A::Vector; 16], w: A::Factor, level: usize) {
    let (low, high) = row.split_at_mut(8);
    for (u, v) in low.iter_mut().zip(high) {
        (*u, *v) = a.forward(*u, *v, w, level);
    }
}

/// The inverse of [`forward_halves`].
#[inline(always)]
pub(super) fn backward_halves<A: Residues>(a: A, row: &mut [A::Vector; 16], w: A::Factor) {
    let (low, high) = row.split_at_mut(8);
    for (u, v) in low.iter_mut().zip(high) {
        (*u, *v) = a.backward(*u, *v, w);
    }
}
