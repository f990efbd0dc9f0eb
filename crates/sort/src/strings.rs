//! Byte strings in their order by class refinement, three bytes a round: strings do not move. After paper 002, section 5.1.

use crate::refinement::Refinement;
use crate::{SortError, SortOrder};

/// Bytes of a key: the fourth byte of a word holds their number.
pub(crate) const BYTES: usize = 3;

/// The places of byte strings in their order, `strings[result[i]]`: by their first different byte, and of two of which one begins the
/// other the shorter first. Equal strings keep their order.
///
/// Time is linear in the bytes read: a string is read until no other string has the same beginning.
///
/// ```
/// use manycore_sort::{SortOrder, argsort_bytes};
/// let names = ["pear", "fig", "peach", "fig", "pea"];
/// assert_eq!(argsort_bytes(&names, SortOrder::Ascending)?, [1, 3, 4, 2, 0]);
/// assert_eq!(argsort_bytes(&names, SortOrder::Descending)?, [0, 2, 4, 1, 3]);
/// # Ok::<(), manycore_sort::SortError>(())
/// ```
///
/// # Errors
/// [`SortError::Places`] for `2^32` strings or more.
pub fn argsort_bytes<S: AsRef<[u8]>>(strings: &[S], order: SortOrder) -> Result<Vec<u32>, SortError> {
    let items = count(strings)?;
    let mut refinement = Refinement::new(items);
    let mut begin = 0;
    while refinement.is_active() {
        let rest = |item: u32| strings[item as usize].as_ref().get(begin..).unwrap_or_default();
        let key = |item: u32| {
            let bytes = rest(item);
            let byte = |at: usize| u32::from(bytes.get(at).copied().unwrap_or(0));
            byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | bytes.len().min(BYTES) as u32
        };
        refinement.refine(order, key, |item| rest(item).len() > BYTES);
        begin += BYTES;
    }
    Ok(refinement.into_order())
}

/// The number of strings, which places of 32 bits count.
pub(crate) fn count<S>(strings: &[S]) -> Result<u32, SortError> {
    u32::try_from(strings.len()).map_err(|_| SortError::Places { keys: strings.len() })
}
