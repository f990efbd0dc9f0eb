//! The definition, entry by entry: specification and oracle.

use super::tile::Tile;
use crate::error::CharacterError;
use crate::group::AbelianGroup;
use crate::values::Values;

/// The exponent table `E(w, z) = sum_j w_j z_j (L / n_j) mod L`, rows one after the other: `N^2` entries.
///
/// ```
/// use manycore_characters::{AbelianGroup, table::reference};
/// let group = AbelianGroup::new(&[2, 2])?;
/// assert_eq!(reference::exponents(&group), [0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0]);
/// # Ok::<(), manycore_characters::GroupError>(())
/// ```
pub fn exponents(group: &AbelianGroup) -> Vec<u64> {
    let elements = || 0..group.order();
    // All indices are below the order.
    elements().flat_map(|w| elements().map(move |z| group.character_exponent(w, z).unwrap_or(0))).collect()
}

/// A tile of the table of `values`: the root of each entry's exponent. Quadratic, with `k` operations an entry.
///
/// # Errors
/// [`CharacterError::Range`], [`CharacterError::Exponent`], [`CharacterError::NoRoot`].
pub fn table<V: Values>(group: &AbelianGroup, values: &V, tile: &Tile) -> Result<Vec<V::Value>, CharacterError> {
    let (rows, columns) = tile.ranges(group)?;
    let base = values.base(group.exponent())?;
    let mut entries = Vec::new();
    for w in rows {
        for z in columns.clone() {
            entries.push(values.root(base, group.character_exponent(w, z)?));
        }
    }
    Ok(entries)
}

/// The whole table by algorithm 1 of paper 000, block by block on one thread, for any list of factors: a second route to it,
/// and the form that the paper's speedups are against. From the table `A` of the factors so far (`R` by `R`) and that of the
/// next, `C_q`, each entry of `A` makes a block of `q` by `q` entries, from the address `x R q^2 + y q` on:
///
/// `O[x R q^2 + y q + i R q + j] = A[x R + y] C_q[i q + j]`
///
/// which is the paper's equation 9 with `+ j` for `+ j q`.
///
/// # Errors
/// [`CharacterError::Exponent`], [`CharacterError::NoRoot`]; [`CharacterError::TooManyEntries`] for a table that memory cannot
/// address.
pub fn algorithm_1<V: Values>(group: &AbelianGroup, values: &V) -> Result<Vec<V::Value>, CharacterError> {
    super::words::<V>(&(0..group.order()), &(0..group.order()))?;
    let base = values.base(group.exponent())?;
    let mut table = vec![values.root(base, 0)];
    let mut rows = 1usize;
    for &n in group.factors() {
        let q = n as usize;
        let roots = values.roots(base, group.exponent() / n, q);
        let cyclic: Vec<V::Value> =
            (0..q).flat_map(|r| (0..q).map(move |c| (r, c))).map(|(r, c)| roots[r * c % q]).collect();
        let mut next = vec![values.root(base, 0); table.len() * q * q];
        for x in 0..rows {
            for y in 0..rows {
                let (entry, start) = (table[x * rows + y], x * rows * q * q + y * q);
                for i in 0..q {
                    for j in 0..q {
                        next[start + i * rows * q + j] = values.multiply(base, entry, cyclic[i * q + j]);
                    }
                }
            }
        }
        table = next;
        rows *= q;
    }
    Ok(table)
}
