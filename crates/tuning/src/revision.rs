//! Revisions of source texts: kept choices hold for the code that was measured, and for no other.

/// A number that every change of the texts changes, by FNV-1a of 64 bits, at compile time through
/// [`revision!`](crate::revision).
#[must_use]
pub const fn revision_of(texts: &[&str]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut i = 0;
    while i < texts.len() {
        let bytes = texts[i].as_bytes();
        let mut j = 0;
        while j < bytes.len() {
            hash = (hash ^ bytes[j] as u64).wrapping_mul(0x0100_0000_01b3);
            j += 1;
        }
        // The end of a text counts: what moves from one text to the next is a change.
        hash = (hash ^ 0x1_00).wrapping_mul(0x0100_0000_01b3);
        i += 1;
    }
    hash
}

/// The revision of source files, whose paths are relative to the calling file as those of [`include_str!`] are: a constant
/// `u64` for [`Sources::Host`](crate::Sources::Host). The texts themselves do not enter the program.
///
/// ```ignore
/// Sources::Host(manycore_tuning::revision!("host/block.rs", "host/avx512.rs"))
/// ```
#[macro_export]
macro_rules! revision {
    ($($path:literal),+ $(,)?) => {{
        const REVISION: u64 = $crate::revision_of(&[$(include_str!($path)),+]);
        REVISION
    }};
}

#[cfg(test)]
mod tests {
    use super::revision_of;

    #[test]
    fn every_change_of_a_text_counts() {
        let texts: [&[&str]; 6] = [&[], &[""], &["a"], &["ab"], &["a", "b"], &["b", "a"]];
        let mut revisions: Vec<u64> = texts.iter().map(|texts| revision_of(texts)).collect();
        assert_eq!(revision_of(&["a", "b"]), revisions[4]);
        revisions.sort_unstable();
        revisions.dedup();
        assert_eq!(revisions.len(), texts.len());
    }

    #[test]
    fn files_are_found_beside_the_calling_one() {
        assert_eq!(crate::revision!("revision.rs"), revision_of(&[include_str!("revision.rs")]));
    }
}
