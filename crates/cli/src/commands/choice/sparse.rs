//! Products of sparse matrices.

use clap::Args;
use manycore::Device;
use manycore::field::{Goldilocks, ModularField as _, PrimeField, Reals};
use manycore::sparse::sprs::CsMat;
use manycore::sparse::{ProductOptions, SparseProduct, SparseRing};
use manycore::verify::SplitMix;
use serde_json::json;

use super::{Explained, size};
use crate::arguments::modulus;
use crate::error::Error;
use crate::output::JsonInteger;

/// The sizes of a product of a sparse matrix.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// Rows, and columns of the matrix, also as 2^K
    #[arg(long, value_name = "N", value_parser = size)]
    pub rows: usize,

    /// Non-zeros of a row, at uniformly random columns
    #[arg(long, value_name = "K", default_value_t = 8)]
    pub non_zeros: usize,

    /// Non-zeros of the first row: one that is much longer than the others
    #[arg(long, value_name = "K")]
    pub longest: Option<usize>,

    /// Columns of the dense matrix; 1 for a vector
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub width: usize,

    /// Compute modulo a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1; without it, in double precision
    #[arg(long, value_name = "P", value_parser = modulus)]
    pub modulus: Option<u64>,
}

/// The non-zeros of a matrix that are generated, at most.
const MOST: usize = 1 << 30;

/// The product of a random matrix with a vector or a dense matrix.
pub(super) fn multiply(arguments: &Arguments, device: &Device) -> Result<Explained, Error> {
    let &Arguments { rows, non_zeros, longest, width, modulus } = arguments;
    let longest = longest.unwrap_or(non_zeros);
    let all = rows.checked_mul(non_zeros).and_then(|all| all.checked_add(longest));
    if rows == 0 || width == 0 || all.is_none_or(|all| all > MOST) || rows.checked_mul(width).is_none() {
        return Err(Error::Usage(format!("--rows {rows} --non-zeros {non_zeros} --width {width}: too large, or zero")));
    }
    match modulus {
        None => explain(arguments, Reals::<f64>::new(), |_| 1.0, device),
        Some(p) if p == Goldilocks.order() => explain(arguments, Goldilocks, |word| word % p, device),
        Some(p) => match u32::try_from(p) {
            Ok(short) if p < PrimeField::<u32>::LIMIT => {
                explain(arguments, PrimeField::<u32>::new(short)?, |word| (word % p) as u32, device)
            }
            _ => explain(arguments, PrimeField::<u64>::new(p)?, |word| word % p, device),
        },
    }
}

fn explain<R: SparseRing>(
    arguments: &Arguments,
    ring: R,
    value: impl Fn(u64) -> R::Value,
    device: &Device,
) -> Result<Explained, Error> {
    let &Arguments { rows, non_zeros, longest, width, modulus } = arguments;
    let lengths = |row: usize| if row == 0 { longest.unwrap_or(non_zeros) } else { non_zeros };
    let matrix = random(rows, lengths, value);
    let product = SparseProduct::new(device, ring, matrix.view(), ProductOptions::default())?;
    let choice = product.explain(width)?;
    let shape = json!({
        "rows": rows,
        "non_zeros": matrix.nnz(),
        "longest": longest.unwrap_or(non_zeros),
        "width": width,
        "modulus": modulus.map(|p| JsonInteger(p.into())),
    });
    let blocks =
        product.blocks().map(|blocks| format!("in {blocks} blocks of rows, which are copied at every product"));
    Ok(Explained::new(&choice, &shape).in_blocks(blocks))
}

/// A square matrix whose rows have so many columns, drawn uniformly; those that are drawn twice count once.
fn random<V: Copy>(rows: usize, lengths: impl Fn(usize) -> usize, value: impl Fn(u64) -> V) -> CsMat<V> {
    let mut random = SplitMix::new(1);
    let (mut offsets, mut indices) = (vec![0], Vec::new());
    let mut row_indices = Vec::new();
    for row in 0..rows {
        row_indices.clear();
        row_indices.extend((0..lengths(row)).map(|_| (random.next_word() % rows as u64) as usize));
        row_indices.sort_unstable();
        row_indices.dedup();
        indices.extend_from_slice(&row_indices);
        offsets.push(indices.len());
    }
    let values = (0..indices.len()).map(|_| value(random.next_word())).collect();
    CsMat::new((rows, rows), offsets, indices, values)
}

#[cfg(test)]
mod tests {
    use super::random;

    #[test]
    fn matrices_have_rows_of_the_lengths() {
        let matrix = random(100, |row| if row == 0 { 60 } else { 3 }, |word| word);
        assert_eq!(matrix.shape(), (100, 100));
        let lengths: Vec<usize> = matrix.outer_iterator().map(|row| row.nnz()).collect();
        assert!(lengths[0] > 30 && lengths[1..].iter().all(|length| (1..=3).contains(length)));
    }
}
