//! `manycore characters` in shards: rows of the table.

use manycore::PolyField;
use manycore::characters::{Block, Construction, Form, Residues, Values};
use serde::{Deserialize, Serialize};

use super::{Arguments, COMMAND, JsonValues, OfValues, RowLists, form, tile, with_values};
use crate::arguments::Global;
use crate::commands::poly::WithField;
use crate::error::Error;
use crate::output::{self, Report};
use crate::shard::{self, Shards, Split};

/// Rows of a table, as shards have them.
#[derive(Debug, Serialize, Deserialize)]
struct Part {
    columns: u64,
    /// The words of the entries as integers, those of floating-point numbers by their bits; of a complex number there are two.
    words: Vec<u64>,
}

/// The words of a block's entries.
fn words<V: Values>(block: &Block<'_, V>) -> Vec<u64> {
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

/// Writes rows as a shard.
///
/// # Errors
/// [`Error::Output`].
pub(super) fn write<R, V: Values>(global: &Global, report: &Report<R>, block: &Block<'_, V>) -> Result<(), Error> {
    shard::write(global, report, &Part { columns: block.columns.end - block.columns.start, words: words(block) })
}

impl Split for Arguments {
    fn merge(&self, shards: &Shards, global: &Global) -> Result<(), Error> {
        with_values(self, Merge { arguments: self, shards, global })
    }
}

/// Parts of a table that are put together.
struct Merge<'a> {
    arguments: &'a Arguments,
    shards: &'a Shards,
    global: &'a Global,
}

impl OfValues for Merge<'_> {
    fn values<V: JsonValues>(&self, values: &V) -> Result<(), Error> {
        let Self { arguments, shards, global } = self;
        let (rows, columns) = tile(arguments).ranges(&arguments.group)?;
        let damaged = |reason: &str| shards.damaged(reason.to_owned());
        let merged = shards.decode::<Part>()?;
        let width = columns.end - columns.start;
        let words: Vec<u64> = merged.parts.iter().flat_map(|part| part.words.iter().copied()).collect();
        let all = (rows.end - rows.start).saturating_mul(width).saturating_mul(V::WORDS as u64);
        if merged.parts.iter().any(|part| part.columns != width) || words.len() as u64 != all {
            return Err(damaged("the parts have not the rows that they tell").into());
        }
        let entries = entries::<V>(&words).ok_or_else(|| damaged("an entry is too large for its type"))?;
        // How complex numbers were rounded matters to a check alone.
        let construction = Construction::Direct;
        let block = Block {
            group: &arguments.group,
            values,
            all: rows.clone(),
            rows,
            columns,
            construction,
            entries: &entries,
        };
        let report = Report::new(COMMAND, merged.run.parameters.clone(), RowLists(&block));
        let report = merged.report(report, global.verify)?;
        if global.json {
            return output::write_report(global, &report);
        }
        output::write(global, |out| match form(global) {
            Form::Npy => block.write_npy(out),
            Form::Text => block.write_text(out),
        })
    }
}

impl WithField for Merge<'_> {
    type Output = ();

    fn run<F: PolyField>(self, field: F) -> Result<(), Error> {
        self.values(&Residues::new(field))
    }
}

#[cfg(test)]
mod tests {
    use manycore::AbelianGroup;
    use manycore::characters::{Complexes, Exponents, Tile, table_over};
    use manycore::device::DeviceSet;

    use super::*;

    fn come_back<V: Values>(values: &V) {
        let group = AbelianGroup::new(&[4, 6]).unwrap();
        let set = DeviceSet::select("host:1").unwrap();
        let made = table_over(&set, &group, values, &Tile::whole().rows(3..20)).unwrap();
        let construction = Construction::Direct;
        let block =
            Block { group: &group, values, rows: 3..20, columns: 0..24, all: 3..20, construction, entries: &made };
        let words = words(&block);
        assert_eq!(words.len(), 17 * 24 * V::WORDS);
        let text = serde_json::to_string(&Part { columns: 24, words }).unwrap();
        let Part { words, .. } = serde_json::from_str(&text).unwrap();
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
        come_back(&Residues::new(manycore::PrimeField::<u64>::new(13).unwrap()));
    }

    #[test]
    fn words_that_are_too_large_are_refused() {
        assert_eq!(entries::<Exponents<u8>>(&[255, 0]), Some(vec![255, 0]));
        assert_eq!(entries::<Exponents<u8>>(&[256]), None);
        assert_eq!(entries::<Exponents<u16>>(&[1 << 16]), None);
        assert_eq!(entries::<Complexes<f32>>(&[0, 1 << 32]), None);
    }
}
