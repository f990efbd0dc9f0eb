//! Places of keys, and segments of them.

use manycore_device::zeroed_words;

use crate::error::SortError;

/// The places of so many keys, which have 32 bits.
pub(super) fn places(keys: usize) -> Result<Vec<u32>, SortError> {
    let last = last_place(keys)?;
    let mut places = zeroed_words::<u32>(keys)?;
    places.iter_mut().zip(0..=last).for_each(|(place, at)| *place = at);
    Ok(places)
}

/// The last place of so many keys; 0 of none.
fn last_place(keys: usize) -> Result<u32, SortError> {
    u32::try_from(keys.saturating_sub(1)).map_err(|_| SortError::Places { keys })
}

/// Whether segments follow each other from the first key to the last.
pub(crate) fn segments(offsets: &[usize], keys: usize) -> Result<(), SortError> {
    let wrong = |index: usize| {
        Err(SortError::Segments { index, offset: offsets.get(index).copied().unwrap_or_default(), keys })
    };
    if offsets.first() != Some(&0) {
        return wrong(0);
    }
    if let Some(index) = offsets.windows(2).position(|pair| pair[0] > pair[1]) {
        return wrong(index + 1);
    }
    if offsets.last() != Some(&keys) {
        return wrong(offsets.len() - 1);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_end_at_two_to_the_thirty_two() {
        assert_eq!([0, 1, (1 << 31) + 1].map(|keys| last_place(keys).unwrap()), [0, 0, 1 << 31]);
        assert_eq!(last_place(1 << 32).unwrap(), u32::MAX);
        for keys in [(1 << 32) + 1, usize::MAX] {
            assert_eq!(last_place(keys).unwrap_err(), SortError::Places { keys });
        }
        assert_eq!(places(3).unwrap(), [0, 1, 2]);
        assert!(places(0).unwrap().is_empty());
    }
}
