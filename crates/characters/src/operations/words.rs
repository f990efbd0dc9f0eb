//! Tables as words: entries as integers, those of floating-point numbers by their bits, in which parts of a table are put together.

use manycore_operation::{Arguments, OperationError, Streamed, Value};

use super::entries::Entries;
use super::made::Made;
use super::tile::{OfEntries, with_entries};
use crate::group::AbelianGroup;
use crate::stream::Block;
use crate::table::{Construction, Tile};
use crate::values::Values;

/// The words of a block's entries.
pub(super) fn words<V: Values>(block: &Block<'_, V>) -> Vec<u64> {
    let bytes: &[u8] = bytemuck::cast_slice(block.entries);
    let word = |bytes: &[u8]| match *bytes {
        [a] => a.into(),
        [a, b] => u16::from_ne_bytes([a, b]).into(),
        [a, b, c, d] => u32::from_ne_bytes([a, b, c, d]).into(),
        _ => bytes.try_into().map_or(0, u64::from_ne_bytes),
    };
    bytes.chunks_exact(size_of::<V::Word>()).map(word).collect()
}

/// The entries of words; `None` where one is too large for its type.
fn entries<V: Values>(words: &[u64]) -> Option<Vec<V::Value>> {
    let mut entries: Vec<V::Value> = bytemuck::zeroed_vec(words.len() / V::WORDS);
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut entries);
    for (into, &word) in bytes.chunks_exact_mut(size_of::<V::Word>()).zip(words) {
        match into.len() {
            1 => into.copy_from_slice(&u8::try_from(word).ok()?.to_ne_bytes()),
            2 => into.copy_from_slice(&u16::try_from(word).ok()?.to_ne_bytes()),
            4 => into.copy_from_slice(&u32::try_from(word).ok()?.to_ne_bytes()),
            _ => into.copy_from_slice(&word.to_ne_bytes()),
        }
    }
    Some(entries)
}

/// The table that the arguments of a call ask for, of the words of all its entries; `None` where one is too large for its type.
///
/// # Errors
/// What is wrong with an argument.
pub fn of_words(arguments: &Arguments, words: &[u64]) -> Result<Option<Value>, OperationError> {
    struct Whole<'a>(&'a [u64]);

    impl OfEntries for Whole<'_> {
        type Output = Option<Value>;

        fn of<E: Entries>(self, values: E, group: AbelianGroup, tile: Tile) -> Result<Option<Value>, OperationError> {
            let (rows, columns) = tile.ranges(&group)?;
            // How complex numbers were rounded matters to a check alone.
            let construction = Construction::Direct;
            let made = |entries| Made { group, values, rows, columns, construction, entries };
            Ok(entries::<E>(self.0).map(|entries| Value::Streamed(Streamed::new(made(entries)))))
        }
    }

    with_entries(arguments, Whole(words))
}

#[cfg(test)]
mod tests {
    use manycore_device::DeviceSet;

    use super::*;
    use crate::several::table_over;
    use crate::values::{Complexes, Exponents, Residues};

    fn come_back<V: Values>(values: &V) {
        let group = AbelianGroup::new(&[4, 6]).unwrap();
        let set = DeviceSet::select("host:1").unwrap();
        let made = table_over(&set, &group, values, &Tile::whole().rows(3..20)).unwrap();
        let construction = Construction::Direct;
        let block =
            Block { group: &group, values, rows: 3..20, columns: 0..24, all: 3..20, construction, entries: &made };
        let words = words(&block);
        assert_eq!(words.len(), 17 * 24 * V::WORDS);
        let again = entries::<V>(&words).unwrap();
        assert_eq!(bytemuck::cast_slice::<_, u8>(&again), bytemuck::cast_slice::<_, u8>(&made), "{}", values.name());
    }

    #[test]
    fn entries_come_back_as_they_were() {
        come_back(&Exponents::<u8>::new());
        come_back(&Exponents::<u16>::new());
        come_back(&Exponents::<u32>::new());
        come_back(&Complexes::<f32>::new());
        come_back(&Complexes::<f64>::new());
        come_back(&Residues::new(manycore_field::PrimeField::<u64>::new(13).unwrap()));
    }

    #[test]
    fn words_that_are_too_large_are_refused() {
        assert_eq!(entries::<Exponents<u8>>(&[255, 0]), Some(vec![255, 0]));
        assert_eq!(entries::<Exponents<u8>>(&[256]), None);
        assert_eq!(entries::<Exponents<u16>>(&[1 << 16]), None);
        assert_eq!(entries::<Complexes<f32>>(&[0, 1 << 32]), None);
    }
}
