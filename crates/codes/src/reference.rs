//! The code by its definition: Lagrange's formula, word by word (Reed and Solomon, 1960; Lagrange, 1795).

use manycore_field::{BinaryField16, Field as _, Semiring as _};

/// The value at `point` of the polynomial of least degree that has these values at these points of the field of `2^16` elements:
/// the word of a row of a code from words of other rows, whose numbers are the points. `O(n^2)` products by definition for `n`
/// points; `None` where two points are equal.
///
/// ```
/// use manycore_codes::reference::interpolate;
///
/// // Through (0, 5) and (1, 7) goes 5 + 2 x.
/// assert_eq!(interpolate(&[(0, 5), (1, 7)], 3), Some(5 ^ 6));
/// assert_eq!(interpolate(&[(0, 5), (0, 7)], 3), None);
/// ```
pub fn interpolate(values: &[(u16, u16)], point: u16) -> Option<u16> {
    let field = BinaryField16;
    let mut sum = 0;
    for (i, &(a, value)) in values.iter().enumerate() {
        let (mut above, mut below) = (value, 1);
        for (_, &(b, _)) in values.iter().enumerate().filter(|&(j, _)| j != i) {
            above = BinaryField16::product_by_definition(above, field.add(point, b));
            below = BinaryField16::product_by_definition(below, field.add(a, b));
        }
        sum = field.add(sum, BinaryField16::product_by_definition(above, field.inverse(below)?));
    }
    Some(sum)
}
