//! Texts of matrices, word by word.

use manycore_files::memory::{push, reserve};
use manycore_files::{FileError, Text, shown};

use super::entry::NoEntry;
use super::{Dense, FileEntry, MatrixFileError};
use crate::matrix::entries;

/// A line with words, and its number, from 1.
type Line<'a> = (usize, Vec<&'a str>);

/// The matrix of a text in any of the formats.
pub(super) fn matrix<T: FileEntry>(text: &Text) -> Result<Dense<T>, MatrixFileError> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    text.words(|number, word| {
        match lines.last_mut() {
            Some((last, words)) if *last == number => words.push(word),
            _ => push(&mut lines, (number, vec![word]), || format!("the lines of {}", text.file()))
                .map_err(FileError::from)?,
        }
        Ok::<(), MatrixFileError>(())
    })?;
    let reader = Reader { text };
    match lines.first() {
        Some((number, words)) if words[0].eq_ignore_ascii_case("%%MatrixMarket") => {
            let head = reader.head(*number, words)?;
            // Words of a comment begin with one that begins so.
            lines.retain(|(_, words)| !words[0].starts_with('%'));
            reader.market(&lines, head)
        }
        Some((_, words)) if words.len() == 3 && words[2].eq_ignore_ascii_case("m") => reader.sms(&lines),
        _ => reader.rows(&lines),
    }
}

/// What the first line of a Matrix Market file says.
#[derive(Debug, Clone, Copy)]
struct Head {
    is_coordinate: bool,
    is_pattern: bool,
    symmetry: Symmetry,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Symmetry {
    General,
    Symmetric,
    Skew,
}

/// Where an entry stands in a matrix, from 0.
type Place = (usize, usize);

struct Reader<'a> {
    text: &'a Text,
}

impl Reader<'_> {
    fn file(&self) -> String {
        self.text.file().to_owned()
    }

    fn wrong(&self, line: usize, reason: impl Into<String>) -> MatrixFileError {
        MatrixFileError::Format { file: self.file(), line, reason: reason.into() }
    }

    fn entry<T: FileEntry>(&self, line: usize, word: &str) -> Result<T, MatrixFileError> {
        T::parse(word).map_err(|why| match why {
            NoEntry::Range => self.wrong(line, format!("{} is no {}", shown(word), T::WHAT)),
            NoEntry::Other if word.parse::<f64>().is_ok() => self.text.no_integer(line, word).into(),
            NoEntry::Other => self.text.no_number(line, word).into(),
        })
    }

    fn count(&self, line: usize, word: &str) -> Result<usize, MatrixFileError> {
        word.parse().map_err(|_| self.wrong(line, format!("{} is no number of rows, columns or entries", shown(word))))
    }

    /// A matrix of zeros.
    fn zeros<T: FileEntry>(&self, rows: usize, columns: usize) -> Result<Vec<T>, MatrixFileError> {
        self.filled(rows, columns, T::zero())
    }

    fn filled<T: Clone>(&self, rows: usize, columns: usize, value: T) -> Result<Vec<T>, MatrixFileError> {
        let len = entries(rows, columns)?;
        let mut values = Vec::new();
        reserve(&mut values, len, || format!("the entries of {}", self.file())).map_err(FileError::from)?;
        values.resize(len, value);
        Ok(values)
    }

    /// Fails for a place that was given before: one of both entries would be lost.
    fn once(
        &self,
        line: usize,
        (row, column): Place,
        columns: usize,
        given: &mut [bool],
    ) -> Result<(), MatrixFileError> {
        if std::mem::replace(&mut given[row * columns + column], true) {
            return Err(self.wrong(line, format!("entry ({}, {}) is given twice", row + 1, column + 1)));
        }
        Ok(())
    }

    /// A row a line.
    fn rows<T: FileEntry>(&self, lines: &[Line<'_>]) -> Result<Dense<T>, MatrixFileError> {
        let columns = lines.first().map_or(0, |(_, words)| words.len());
        let mut entries = Vec::new();
        for (line, words) in lines {
            if words.len() != columns {
                let (file, line, found) = (self.file(), *line, words.len());
                return Err(MatrixFileError::Row { file, line, found, expected: columns });
            }
            for word in words {
                let entry = self.entry(*line, word)?;
                push(&mut entries, entry, || format!("the entries of {}", self.file())).map_err(FileError::from)?;
            }
        }
        Ok(Dense { rows: lines.len(), columns, entries })
    }

    /// Row, column and value from 1, closed by `0 0 0`.
    fn sms<T: FileEntry>(&self, lines: &[Line<'_>]) -> Result<Dense<T>, MatrixFileError> {
        let Some(((first, head), rest)) = lines.split_first() else { return self.rows(&[]) };
        let (rows, columns) = (self.count(*first, head[0])?, self.count(*first, head[1])?);
        let mut entries = self.zeros::<T>(rows, columns)?;
        let mut given = self.filled(rows, columns, false)?;
        for (number, (line, words)) in rest.iter().enumerate() {
            let [row, column, word] = words[..] else {
                return Err(self.wrong(*line, format!("{} words, where row, column and value stand", words.len())));
            };
            if words[..] == ["0"; 3] {
                return match rest.get(number + 1) {
                    None => Ok(Dense { rows, columns, entries }),
                    Some((line, _)) => Err(self.wrong(*line, "entries behind the end, 0 0 0")),
                };
            }
            let (row, column) = self.place(*line, (row, column), (rows, columns))?;
            self.once(*line, (row, column), columns, &mut given)?;
            entries[row * columns + column] = self.entry(*line, word)?;
        }
        Err(self.wrong(lines.last().map_or(1, |(line, _)| *line), "no end, 0 0 0"))
    }

    fn place(
        &self,
        line: usize,
        (row, column): (&str, &str),
        (rows, columns): (usize, usize),
    ) -> Result<Place, MatrixFileError> {
        let (row, column) = (self.count(line, row)?, self.count(line, column)?);
        if (1..=rows).contains(&row) && (1..=columns).contains(&column) {
            return Ok((row - 1, column - 1));
        }
        Err(MatrixFileError::Place { file: self.file(), line, row, column, rows, columns })
    }

    fn head(&self, line: usize, words: &[&str]) -> Result<Head, MatrixFileError> {
        let lower: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
        let word = |index: usize| lower.get(index).map_or("", String::as_str);
        if word(1) != "matrix" {
            return Err(self.wrong(line, format!("a Matrix Market file of `{}`, not of a matrix", shown(word(1)))));
        }
        let is_coordinate = match word(2) {
            "coordinate" => true,
            "array" => false,
            other => return Err(self.wrong(line, format!("no Matrix Market format `{}`", shown(other)))),
        };
        let is_pattern = match word(3) {
            "pattern" if is_coordinate => true,
            "real" | "integer" => false,
            other => return Err(self.wrong(line, format!("entries of `{}`, which are not read here", shown(other)))),
        };
        let symmetry = match word(4) {
            "general" => Symmetry::General,
            "symmetric" => Symmetry::Symmetric,
            "skew-symmetric" if !is_pattern => Symmetry::Skew,
            other => return Err(self.wrong(line, format!("symmetry `{}`, which is not read here", shown(other)))),
        };
        Ok(Head { is_coordinate, is_pattern, symmetry })
    }

    fn market<T: FileEntry>(&self, lines: &[Line<'_>], head: Head) -> Result<Dense<T>, MatrixFileError> {
        let Some(((first, sizes), rest)) = lines.split_first() else { return Err(self.wrong(1, "no line of sizes")) };
        let expected = if head.is_coordinate { 3 } else { 2 };
        if sizes.len() != expected {
            return Err(self.wrong(*first, format!("{} sizes, where {expected} stand", sizes.len())));
        }
        let (rows, columns) = (self.count(*first, sizes[0])?, self.count(*first, sizes[1])?);
        if head.symmetry != Symmetry::General && rows != columns {
            return Err(self.wrong(*first, format!("a symmetric matrix of {rows} rows and {columns} columns")));
        }
        let mut entries = self.zeros::<T>(rows, columns)?;
        let found = if head.is_coordinate {
            let expected = self.count(*first, sizes[2])?;
            let mut given = self.filled(rows, columns, false)?;
            for (line, words) in rest {
                let (row, column, word) = match words[..] {
                    [row, column] if head.is_pattern => (row, column, None),
                    [row, column, word] if !head.is_pattern => (row, column, Some(word)),
                    _ => return Err(self.wrong(*line, format!("{} words for an entry", words.len()))),
                };
                let place = self.place(*line, (row, column), (rows, columns))?;
                self.once(*line, place, columns, &mut given)?;
                if head.symmetry != Symmetry::General && place.0 != place.1 {
                    self.once(*line, (place.1, place.0), columns, &mut given)?;
                }
                let entry = word.map_or(Ok(T::one()), |word| self.entry(*line, word))?;
                self.set(&mut entries, columns, (*line, place), entry, head.symmetry)?;
            }
            (rest.len(), expected)
        } else {
            let stored = |column: usize| match head.symmetry {
                Symmetry::General => 0..rows,
                Symmetry::Symmetric => column..rows,
                Symmetry::Skew => column + 1..rows.max(column + 1),
            };
            let mut places = (0..columns).flat_map(|column| stored(column).map(move |row| (row, column)));
            let expected = (0..columns).map(|column| stored(column).len()).sum();
            let mut found = 0;
            for (line, word) in rest.iter().flat_map(|(line, words)| words.iter().map(move |word| (*line, *word))) {
                let entry: T = self.entry(line, word)?;
                if let Some(place) = places.next() {
                    self.set(&mut entries, columns, (line, place), entry, head.symmetry)?;
                }
                found += 1;
            }
            (found, expected)
        };
        match found {
            (found, expected) if found == expected => Ok(Dense { rows, columns, entries }),
            (found, expected) => Err(MatrixFileError::Count { file: self.file(), found, expected }),
        }
    }

    /// An entry, and the one that the symmetry makes of it.
    fn set<T: FileEntry>(
        &self,
        entries: &mut [T],
        columns: usize,
        (line, (row, column)): (usize, Place),
        entry: T,
        symmetry: Symmetry,
    ) -> Result<(), MatrixFileError> {
        let other = match symmetry {
            Symmetry::General => None,
            Symmetry::Symmetric => Some(entry.clone()),
            Symmetry::Skew if row == column => return Err(self.wrong(line, "an entry on a skew-symmetric diagonal")),
            Symmetry::Skew => {
                let what = || self.wrong(line, format!("an entry whose opposite is no {}", T::WHAT));
                Some(entry.negative().ok_or_else(what)?)
            }
        };
        if let Some(other) = other {
            entries[column * columns + row] = other;
        }
        entries[row * columns + column] = entry;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use manycore_files::Source;

    use super::*;

    fn read<T: FileEntry>(text: &str) -> Result<(usize, usize, Vec<T>), String> {
        let read = super::super::read(Source::new("a", text.as_bytes()).unwrap());
        read.map(|dense| (dense.rows, dense.columns, dense.entries)).map_err(|error| error.to_string())
    }

    #[test]
    fn rows_of_text() {
        assert_eq!(read::<i128>("1 2 3\n# two\n4, -5, 6 # end\n"), Ok((2, 3, vec![1, 2, 3, 4, -5, 6])));
        assert_eq!(read::<i128>(""), Ok((0, 0, vec![])));
        assert_eq!(read::<f64>("0.5 1e3"), Ok((1, 2, vec![0.5, 1000.0])));
        assert_eq!(read::<i128>("1 2\n\n3"), Err("a:3: a row of 1 entries, where the first has 2".into()));
        assert_eq!(read::<i128>("1 2\n3 x"), Err("a:2: `x` is no number".into()));
        assert_eq!(read::<i128>("1 2\n3 0.5"), Err("a:2: `0.5` is no integer".into()));
        assert_eq!(read::<f64>("1 nan"), Err("a:1: nan is no finite double".into()));
        let long = "1".repeat(50);
        assert!(read::<i128>(&long).unwrap_err().ends_with("is no integer of 128 bits"));
    }

    #[test]
    fn matrix_market() {
        let coordinate = |text: &str| read::<i128>(&format!("%%MatrixMarket matrix coordinate {text}"));
        assert_eq!(
            coordinate("integer general\n% a comment 1 2\n2 3 2\n1 3 5\n2 1 -4"),
            Ok((2, 3, vec![0, 0, 5, -4, 0, 0]))
        );
        assert_eq!(coordinate("pattern symmetric\n2 2 2\n1 1\n2 1\n"), Ok((2, 2, vec![1, 1, 1, 0])));
        assert_eq!(coordinate("integer skew-symmetric\n2 2 1\n2 1 3\n"), Ok((2, 2, vec![0, -3, 3, 0])));
        let array = |text: &str| read::<i128>(&format!("%%MatrixMarket matrix array {text}"));
        assert_eq!(array("integer general\n2 2\n1\n2\n3\n4"), Ok((2, 2, vec![1, 3, 2, 4])));
        assert_eq!(array("integer symmetric\n2 2\n1\n2\n3"), Ok((2, 2, vec![1, 2, 2, 3])));
        assert_eq!(array("integer skew-symmetric\n3 3\n1\n2\n3"), Ok((3, 3, vec![0, -1, -2, 1, 0, -3, 2, 3, 0])));
        assert_eq!(array("integer general\n0 2\n"), Ok((0, 2, vec![])));
        let real = read::<f64>("%%MatrixMarket matrix array real general\n1 1\n2.5e-1");
        assert_eq!(real, Ok((1, 1, vec![0.25])));
    }

    #[test]
    fn what_is_wrong_in_matrix_market_is_named() {
        let message = |text: &str| read::<i128>(&format!("%%MatrixMarket {text}")).unwrap_err();
        assert_eq!(message("vector"), "a:1: a Matrix Market file of `vector`, not of a matrix");
        assert_eq!(message("matrix list real general"), "a:1: no Matrix Market format `list`");
        assert!(message("matrix array complex general\n1 1\n1 1").contains("entries of `complex`"));
        assert!(message("matrix array integer hermitian\n1 1\n1").contains("symmetry `hermitian`"));
        assert_eq!(message("matrix array integer general"), "a:1: no line of sizes");
        assert_eq!(message("matrix array integer general\n2"), "a:2: 1 sizes, where 2 stand");
        assert_eq!(message("matrix array integer general\n2 2\n1 2 3"), "a: 3 entries, where its head says 4");
        assert_eq!(message("matrix array integer general\n1 1\n1 2"), "a: 2 entries, where its head says 1");
        assert!(message("matrix array integer symmetric\n1 2\n1 2").contains("a symmetric matrix of 1 rows"));
        let coordinate = "matrix coordinate integer general\n2 2 1\n";
        assert!(message(&format!("{coordinate}3 1 5")).starts_with("a:3: entry (3, 1) of a matrix of 2 rows"));
        assert!(message(&format!("{coordinate}0 1 5")).starts_with("a:3: entry (0, 1)"));
        assert_eq!(message(&format!("{coordinate}1 1")), "a:3: 2 words for an entry");
        let twice = message("matrix coordinate integer general\n2 2 2\n1 2 5\n1 2 6");
        assert_eq!(twice, "a:4: entry (1, 2) is given twice");
        let mirrored = message("matrix coordinate integer symmetric\n2 2 2\n2 1 5\n1 2 6");
        assert_eq!(mirrored, "a:4: entry (1, 2) is given twice");
        assert_eq!(message(coordinate), "a: 0 entries, where its head says 1");
        assert!(message("matrix coordinate integer skew-symmetric\n2 2 1\n1 1 5").contains("skew-symmetric diagonal"));
        assert!(message("matrix coordinate integer general\n99999999999 9 0").contains("too large"));
        assert!(message("matrix coordinate integer general\n-1 9 0").contains("-1 is no number of rows"));
    }

    #[test]
    fn sms() {
        assert_eq!(read::<i128>("2 3 M\n1 2 7\n2 3 -1\n0 0 0\n"), Ok((2, 3, vec![0, 7, 0, 0, 0, -1])));
        assert_eq!(read::<i128>("0 0 M\n0 0 0"), Ok((0, 0, vec![])));
        assert_eq!(read::<i128>("2 3 M\n1 2 7\n"), Err("a:2: no end, 0 0 0".into()));
        assert_eq!(read::<i128>("2 3 M\n0 0 0\n1 1 1"), Err("a:3: entries behind the end, 0 0 0".into()));
        assert_eq!(read::<i128>("2 3 M\n1 2\n0 0 0"), Err("a:2: 2 words, where row, column and value stand".into()));
        assert!(read::<i128>("2 3 M\n1 4 7\n0 0 0").unwrap_err().starts_with("a:2: entry (1, 4)"));
        assert_eq!(read::<i128>("2 3 M\n1 2 7\n1 2 1\n0 0 0"), Err("a:3: entry (1, 2) is given twice".into()));
        assert!(read::<i128>("2 3 M\n0 0 5\n0 0 0").unwrap_err().starts_with("a:2: entry (0, 0)"));
        assert_eq!(read::<i128>("1 2 x"), Err("a:1: `x` is no number".into()));
    }
}
