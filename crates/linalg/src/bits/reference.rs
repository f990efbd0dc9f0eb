//! Products and echelon forms of matrices of bits by their definition, bit by bit.

/// Bit `j` of row `i` of a matrix whose rows have `stride` words; 0 past the words.
pub fn bit(words: &[u64], stride: usize, i: usize, j: usize) -> bool {
    words.get(i * stride + j / 64).is_some_and(|word| word >> (j % 64) & 1 == 1)
}

/// The product of a matrix of `rows` by `inner` bits and one of `inner` by `columns`, rows of whole words: `rows inner columns`
/// products of bits.
///
/// ```
/// use manycore_linalg::bits::reference::multiply;
/// assert_eq!(multiply(&[0b11, 0b10], &[0b01, 0b11], (2, 2, 2)), [0b10, 0b11]);
/// ```
pub fn multiply(a: &[u64], b: &[u64], (rows, inner, columns): (usize, usize, usize)) -> Vec<u64> {
    let (left, right) = (inner.div_ceil(64), columns.div_ceil(64));
    let mut out = vec![0; rows * right];
    for i in 0..rows {
        for j in 0..columns {
            let is_odd = (0..inner).filter(|&k| bit(a, left, i, k) && bit(b, right, k, j)).count() % 2 == 1;
            out[i * right + j / 64] |= u64::from(is_odd) << (j % 64);
        }
    }
    out
}

/// The reduced echelon form of a matrix of rows of whole words, and the columns of its pivots: Gauss-Jordan elimination, column by
/// column.
///
/// ```
/// use manycore_linalg::bits::reference::echelon;
/// assert_eq!(echelon(&[0b110, 0b111], 3), (vec![0b001, 0b110], vec![0, 1])); // the lowest bit is the first entry
/// ```
pub fn echelon(words: &[u64], columns: usize) -> (Vec<u64>, Vec<usize>) {
    let stride = columns.div_ceil(64);
    let rows = words.len().checked_div(stride).unwrap_or(0);
    let (mut form, mut pivots) = (words.to_vec(), Vec::new());
    for column in 0..columns {
        let row = pivots.len();
        let Some(source) = (row..rows).find(|&i| bit(&form, stride, i, column)) else { continue };
        for w in 0..stride {
            form.swap(row * stride + w, source * stride + w);
        }
        for i in (0..rows).filter(|&i| i != row) {
            if bit(&form, stride, i, column) {
                (0..stride).for_each(|w| form[i * stride + w] ^= form[row * stride + w]);
            }
        }
        pivots.push(column);
    }
    (form, pivots)
}
