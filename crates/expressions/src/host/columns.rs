//! Columns of words of any type.

use manycore_device::{Word, WordType};

use crate::scalar::ScalarType;

/// Does `$body` with `$T` the type of a word.
macro_rules! with_word {
    ($word:expr, $T:ident => $body:expr) => {
        match $word {
            manycore_device::WordType::U8 => {
                type $T = u8;
                $body
            }
            manycore_device::WordType::I8 => {
                type $T = i8;
                $body
            }
            manycore_device::WordType::U16 => {
                type $T = u16;
                $body
            }
            manycore_device::WordType::I16 => {
                type $T = i16;
                $body
            }
            manycore_device::WordType::U32 => {
                type $T = u32;
                $body
            }
            manycore_device::WordType::I32 => {
                type $T = i32;
                $body
            }
            manycore_device::WordType::U64 => {
                type $T = u64;
                $body
            }
            manycore_device::WordType::I64 => {
                type $T = i64;
                $body
            }
            manycore_device::WordType::F32 => {
                type $T = f32;
                $body
            }
            manycore_device::WordType::F64 => {
                type $T = f64;
                $body
            }
        }
    };
}
pub(crate) use with_word;

macro_rules! columns {
    ($($name:ident $word:ty,)*) => {
        /// Words to read, of any type: made `from` a slice of them.
        #[derive(Debug, Clone, Copy)]
        #[allow(missing_docs)] // the names say it
        pub enum Column<'a> {
            $($name(&'a [$word]),)*
        }

        /// Words to write, of any type: made `from` a slice of them.
        #[derive(Debug)]
        #[allow(missing_docs)] // the names say it
        pub enum ColumnMut<'a> {
            $($name(&'a mut [$word]),)*
        }

        impl<'a> Column<'a> {
            /// No words of a type.
            pub fn empty(kind: ScalarType) -> Column<'a> {
                match kind.memory() {
                    $(WordType::$name => Self::$name(&[]),)*
                }
            }

            /// The type of its words.
            pub fn word(&self) -> WordType {
                match self {
                    $(Self::$name(_) => WordType::$name,)*
                }
            }

            /// The number of its words.
            pub fn len(&self) -> usize {
                match self {
                    $(Self::$name(words) => words.len(),)*
                }
            }

            /// Whether it has no words.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// The bits of a word; `None` past the end.
            pub fn bits(&self, at: usize) -> Option<u64> {
                match self {
                    $(Self::$name(words) => words.get(at).map(|&word| crate::scalar::Scalar::to_bits(word)),)*
                }
            }

            /// The words from `start` to before `end`, both at most their number.
            #[must_use]
            pub fn part(self, start: usize, end: usize) -> Self {
                match self {
                    $(Self::$name(words) => Self::$name(&words[start.min(end).min(words.len())..end.min(words.len())]),)*
                }
            }

            /// Copies the words at these places over the first ones of a column of the same type; nothing for places past an end.
            pub fn gather(self, places: &[u64], to: &mut Owned) {
                match (self, to) {
                    $((Self::$name(from), Owned::$name(to)) => {
                        for (to, &place) in to.iter_mut().zip(places) {
                            if let Some(&word) = usize::try_from(place).ok().and_then(|place| from.get(place)) {
                                *to = word;
                            }
                        }
                    })*
                    _ => {}
                }
            }

            /// The first `middle` words, of so many at least, and the others.
            #[must_use]
            pub fn split_at(self, middle: usize) -> (Self, Self) {
                match self {
                    $(Self::$name(words) => {
                        let (first, rest) = words.split_at(middle);
                        (Self::$name(first), Self::$name(rest))
                    })*
                }
            }
        }

        impl<'a> ColumnMut<'a> {
            /// The first `middle` words, of so many at least, and the others.
            #[must_use]
            pub fn split_at(self, middle: usize) -> (Self, Self) {
                match self {
                    $(Self::$name(words) => {
                        let (first, rest) = words.split_at_mut(middle);
                        (Self::$name(first), Self::$name(rest))
                    })*
                }
            }

            /// The type of its words.
            pub fn word(&self) -> WordType {
                match self {
                    $(Self::$name(_) => WordType::$name,)*
                }
            }

            /// The number of its words.
            pub fn len(&self) -> usize {
                match self {
                    $(Self::$name(words) => words.len(),)*
                }
            }

            /// Whether it has no words.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// The column, borrowed for a shorter time.
            pub fn reborrow(&mut self) -> ColumnMut<'_> {
                match self {
                    $(Self::$name(words) => ColumnMut::$name(words),)*
                }
            }

            /// Its words, to read from now on.
            pub fn into_column(self) -> Column<'a> {
                match self {
                    $(Self::$name(words) => Column::$name(words),)*
                }
            }

            /// The words from `start` to before `end`, both at most their number, to change.
            pub fn part_mut(&mut self, start: usize, end: usize) -> ColumnMut<'_> {
                match self {
                    $(Self::$name(words) => {
                        let end = end.min(words.len());
                        ColumnMut::$name(&mut words[start.min(end)..end])
                    })*
                }
            }

            /// Makes all words this value, by its bits.
            pub fn fill(&mut self, bits: u64) {
                match self {
                    $(Self::$name(words) => words.fill(crate::scalar::Scalar::from_bits(bits)),)*
                }
            }

            /// Copies words of the same type and number.
            pub fn copy_from(&mut self, from: Column<'_>) {
                match (self, from) {
                    $((Self::$name(words), Column::$name(from)) if words.len() == from.len() => words.copy_from_slice(from),)*
                    _ => {}
                }
            }

            /// Copies words of the same type from `rows` rows of `columns` words to `columns` rows of `rows`; those past the end of
            /// either stay.
            pub fn transpose_from(&mut self, from: Column<'_>, (rows, columns): (usize, usize)) {
                match (self, from) {
                    $((Self::$name(to), Column::$name(from)) => transpose(from, to, (rows, columns)),)*
                    _ => {}
                }
            }

            /// The memory of a block.
            pub(super) fn bytes_mut(&mut self, start: usize, len: usize) -> &mut [u8] {
                match self {
                    $(Self::$name(words) => bytemuck::cast_slice_mut(&mut words[start..][..len]),)*
                }
            }
        }

        $(
            impl<'a> From<&'a [$word]> for Column<'a> {
                fn from(words: &'a [$word]) -> Self {
                    Self::$name(words)
                }
            }

            impl<'a> From<&'a mut [$word]> for ColumnMut<'a> {
                fn from(words: &'a mut [$word]) -> Self {
                    Self::$name(words)
                }
            }

            impl InColumn for $word {
                fn of<'a>(column: &Column<'a>) -> &'a [Self] {
                    match column {
                        Column::$name(words) => words,
                        // The types of columns were compared before.
                        _ => &[],
                    }
                }
            }
        )*
    };
}

columns! { U8 u8, I8 i8, U16 u16, I16 i16, U32 u32, I32 i32, U64 u64, I64 i64, F32 f32, F64 f64, }

/// Words of a line of a cache, of most types: so many are written side by side.
const LINE: usize = 16;

fn transpose<T: Copy>(from: &[T], to: &mut [T], (rows, columns): (usize, usize)) {
    let whole = rows * columns;
    let is_whole = from.len() >= whole && to.len() >= whole;
    for first in (0..rows).step_by(LINE) {
        let last = rows.min(first + LINE);
        for column in 0..columns {
            if is_whole {
                let to = &mut to[column * rows + first..column * rows + last];
                let from = &from[first * columns + column..];
                for (to, from) in to.iter_mut().zip(from.iter().step_by(columns)) {
                    *to = *from;
                }
                continue;
            }
            for row in first..last {
                if let (Some(to), Some(from)) = (to.get_mut(column * rows + row), from.get(row * columns + column)) {
                    *to = *from;
                }
            }
        }
    }
}

/// A word of columns.
pub(super) trait InColumn: Word {
    /// The words of a column of this type.
    fn of<'a>(column: &Column<'a>) -> &'a [Self];
}

macro_rules! owned {
    ($($name:ident $word:ty,)*) => {
        /// A column that owns its words.
        #[derive(Debug, Clone)]
        #[allow(missing_docs)] // the names say it
        pub enum Owned {
            $($name(Vec<$word>),)*
        }

        impl Owned {
            /// The values of these bits.
            pub fn from_bits(word: WordType, bits: impl Iterator<Item = u64>) -> Self {
                match word {
                    $(WordType::$name => Self::$name(bits.map(<$word as crate::scalar::Scalar>::from_bits).collect()),)*
                }
            }

            /// The bits of a word.
            ///
            /// # Panics
            /// Past the end.
            pub fn bits(&self, at: usize) -> u64 {
                match self {
                    $(Self::$name(words) => crate::scalar::Scalar::to_bits(words[at]),)*
                }
            }

            /// Sets a word by its bits.
            ///
            /// # Panics
            /// Past the end.
            pub fn set_bits(&mut self, at: usize, bits: u64) {
                match self {
                    $(Self::$name(words) => words[at] = crate::scalar::Scalar::from_bits(bits),)*
                }
            }

            /// A copy of these words.
            pub fn copied(words: Column<'_>) -> Self {
                match words {
                    $(Column::$name(words) => Self::$name(words.to_vec()),)*
                }
            }

            /// Adds words of the same type behind its own; nothing of another type.
            pub fn extend(&mut self, words: Column<'_>) {
                match (self, words) {
                    $((Self::$name(own), Column::$name(words)) => own.extend_from_slice(words),)*
                    _ => {}
                }
            }

            /// Copies the words at these places over the first ones of a column of the same type; nothing for places past an end.
            pub fn gather(&self, places: &[u64], to: &mut Self) {
                self.column().gather(places, to);
            }

            /// Copies its first words to these places of a column of the same type; nothing for places past an end.
            pub fn scatter(&self, places: &[u64], to: &mut Self) {
                match (self, to) {
                    $((Self::$name(from), Self::$name(to)) => {
                        for (&word, &place) in from.iter().zip(places) {
                            if let Some(to) = usize::try_from(place).ok().and_then(|place| to.get_mut(place)) {
                                *to = word;
                            }
                        }
                    })*
                    _ => {}
                }
            }

            /// Its words, to read.
            pub fn column(&self) -> Column<'_> {
                match self {
                    $(Self::$name(words) => Column::$name(words),)*
                }
            }

            /// Its words, to change.
            pub fn column_mut(&mut self) -> ColumnMut<'_> {
                match self {
                    $(Self::$name(words) => ColumnMut::$name(words),)*
                }
            }
        }
    };
}

owned! { U8 u8, I8 i8, U16 u16, I16 i16, U32 u32, I32 i32, U64 u64, I64 i64, F32 f32, F64 f64, }

#[cfg(test)]
mod tests {
    use super::*;

    /// There and back, of whole and of cut matrices, against the places themselves.
    #[test]
    fn transposes() {
        for (rows, columns) in [(1, 1), (1, 7), (7, 1), (16, 16), (17, 5), (3, 40), (64, 33)] {
            for len in [rows * columns, rows * columns - 1, rows * columns / 2] {
                let from: Vec<u16> = (1..=len as u16).collect();
                let (mut to, mut back) = (vec![0u16; rows * columns], vec![0u16; len]);
                ColumnMut::from(&mut to[..]).transpose_from((&from[..]).into(), (rows, columns));
                for (at, &word) in to.iter().enumerate() {
                    let place = at % rows * columns + at / rows;
                    assert_eq!(word, from.get(place).copied().unwrap_or(0), "{rows} x {columns} at {at}");
                }
                ColumnMut::from(&mut back[..]).transpose_from((&to[..]).into(), (columns, rows));
                assert_eq!(back, from, "{rows} x {columns}");
            }
        }
    }
}
