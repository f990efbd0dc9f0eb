//! Number-theoretic transforms over ranks: columns, twiddles, rows (Bailey, FFTs in External or Hierarchical Memory, 1990).

use bytemuck::Pod;
use manycore_device::Device;
use manycore_ntt::{Kind, Ntt, NttField};

use crate::error::ClusterError;
use crate::ranks::Ranks;
use crate::slabs::Slabs;

/// Transforms data that ranks have in [slabs](Slabs::words) in place: the spectrum in bit-reversed order, as
/// [`Ntt::forward`] of one device leaves it, of a cyclic transform.
///
/// With `j = j1 c + j2` for rows `j1` and `c` columns, the columns are transformed, multiplied by `w^(j2 k1)`, and then the rows. `X[k1 +
/// r k2]` of `r` rows comes to row `reversed(k1)`, column `reversed(k2)`, which is its bit-reversed place. `n 2^(n-1)`
/// butterflies for `2^n` words in all, and each rank sends its words twice.
///
/// # Errors
/// [`ClusterError::Length`] where a rank has other words than its part; [`ClusterError::Ranks`]; [`ClusterError::Lost`];
/// [`ClusterError::Ntt`], also where the field has no root of that order.
pub fn ntt_forward<F: NttField>(
    ranks: &dyn Ranks,
    device: &Device,
    field: &F,
    slabs: &Slabs,
    words: &mut [F::Element],
) -> Result<(), ClusterError>
where
    F::Element: Pod,
{
    slabs.check(ranks, words.len())?;
    let whole = Ntt::new(device, field, slabs.rows() * slabs.columns(), Kind::Cyclic)?;
    let mut columns = slabs.columns_of(ranks, words)?;
    Ntt::new(device, field, slabs.rows(), Kind::Cyclic)?.forward(&mut columns)?;
    twiddle(field, whole.root(), slabs, ranks.rank(), &mut columns);
    words.copy_from_slice(&slabs.rows_of(ranks, &columns)?);
    Ntt::new(device, field, slabs.columns(), Kind::Cyclic)?.forward(words)?;
    Ok(())
}

/// The inverse of [`ntt_forward`], divided by the length.
///
/// # Errors
/// As [`ntt_forward`].
pub fn ntt_inverse<F: NttField>(
    ranks: &dyn Ranks,
    device: &Device,
    field: &F,
    slabs: &Slabs,
    words: &mut [F::Element],
) -> Result<(), ClusterError>
where
    F::Element: Pod,
{
    slabs.check(ranks, words.len())?;
    let whole = Ntt::new(device, field, slabs.rows() * slabs.columns(), Kind::Cyclic)?;
    Ntt::new(device, field, slabs.columns(), Kind::Cyclic)?.inverse(&mut *words)?;
    let mut columns = slabs.columns_of(ranks, words)?;
    // The root's inverse is its power of the order less one.
    let inverse = field.power(whole.root(), (whole.len() - 1) as u64);
    twiddle(field, inverse, slabs, ranks.rank(), &mut columns);
    Ntt::new(device, field, slabs.rows(), Kind::Cyclic)?.inverse(&mut columns)?;
    words.copy_from_slice(&slabs.rows_of(ranks, &columns)?);
    Ok(())
}

/// Multiplies word `reversed(k1)` of each column `j2` by `root^(j2 k1)`.
fn twiddle<F: NttField>(field: &F, root: F::Element, slabs: &Slabs, rank: usize, columns: &mut [F::Element]) {
    let (rows, log_rows) = (slabs.rows(), slabs.rows().ilog2());
    for (column, words) in slabs.own_columns(rank).zip(columns.chunks_exact_mut(rows)) {
        let step = field.power(root, column as u64);
        let mut power = field.one();
        for k in 0..rows {
            let place = if log_rows == 0 { 0 } else { k.reverse_bits() >> (usize::BITS - log_rows) };
            words[place] = field.mul(words[place], power);
            power = field.mul(power, step);
        }
    }
}
