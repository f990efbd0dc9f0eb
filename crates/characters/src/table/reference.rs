//! The definition, entry by entry: specification and oracle.

use super::Tile;
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
