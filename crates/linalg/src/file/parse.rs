//! Dense matrices of texts and arrays: texts with a row a line are read here, the formats with a head by crate `files`.

use manycore_device::host_room;
use manycore_files::memory::{push, reserve};
use manycore_files::{Array, FileError, LineFault, MatrixFormat, MatrixText, Number, RepeatedEntries, Text};

use super::entry::{Dense, FileEntry};
use super::error::{MatrixFileError, of_matrix};
use crate::shape::entries;

/// The matrix of a text in any of the formats.
pub(super) fn matrix<T: FileEntry, U: Clone + Send>(
    text: &Text,
    modulus: Option<u64>,
    zero: &U,
    convert: impl Fn(T) -> U + Sync,
) -> Result<Dense<U>, MatrixFileError> {
    match MatrixFormat::of(text.as_str()) {
        None => rows(text, modulus, convert),
        Some(_) => with_head(text, zero, convert),
    }
}

/// A row a line, or rows in brackets.
fn rows<T: FileEntry, U: Send>(
    text: &Text,
    modulus: Option<u64>,
    convert: impl Fn(T) -> U + Sync,
) -> Result<Dense<U>, MatrixFileError> {
    let of_integer = |integer| T::of_number(Number::Integer(integer)).map(&convert);
    if let Some((rows, entries)) = text.rows(of_integer, |word| T::of_words(&[word]).and_then(taken).map(&convert)) {
        return Ok(Dense { rows, columns: entries.len().checked_div(rows).unwrap_or(0), entries });
    }
    // Brackets, or what is wrong.
    let file = text.file();
    let what = || format!("the entries of {file}");
    let mut all = Vec::new();
    // The rows so far, the last one's number or line, its last line and its entries; the entries of the first.
    let (mut rows, mut last, mut last_line, mut found, mut columns) = (0, 0, 0, 0, 0);
    let ended = |rows: usize, line: usize, found: usize, columns: usize| {
        if rows == 0 || found == columns {
            return Ok(());
        }
        Err(MatrixFileError::Row { file: file.to_owned(), line, found, expected: columns })
    };
    let mut take = |row: usize, line: usize, word: &str| {
        if rows == 0 || row != last {
            if rows == 1 {
                columns = found;
            }
            ended(rows, last_line, found, columns)?;
            (rows, last, found) = (rows + 1, row, 0);
        }
        last_line = line;
        let value = T::of_words(&[word]);
        let value = value.and_then(taken).map_err(|fault| wrong(file, line, fault))?;
        push(&mut all, convert(value), what).map_err(FileError::from)?;
        found += 1;
        Ok::<(), MatrixFileError>(())
    };
    if text.is_bracketed() {
        text.bracketed(modulus, take)?;
    } else {
        text.words(|line, word| take(line, line, word))?;
    }
    if rows <= 1 {
        columns = found;
    }
    ended(rows, last_line, found, columns)?;
    Ok(Dense { rows, columns, entries: all })
}

/// A format with a head; a place that is given twice is refused, as one of both entries would be lost.
fn with_head<T: FileEntry, U: Clone>(
    text: &Text,
    zero: &U,
    convert: impl Fn(T) -> U,
) -> Result<Dense<U>, MatrixFileError> {
    let file = text.file();
    let read = MatrixText::new(text.as_str().as_bytes(), file)?;
    let (rows, columns) = (read.head().rows, read.head().columns);
    let mut all = filled(rows, columns, zero, file)?;
    read.entries(RepeatedEntries::Refuse, |entry| {
        let value = taken(entry.value).map_err(|fault| wrong(file, entry.line, fault))?;
        all[entry.row as usize * columns + entry.column as usize] = convert(value);
        Ok::<(), MatrixFileError>(())
    })?;
    Ok(Dense { rows, columns, entries: all })
}

/// An array of two dimensions, in the order of rows or of columns.
pub(super) fn array<T: FileEntry, U: Clone>(
    array: Array<'_>,
    zero: &U,
    convert: impl Fn(T) -> U,
) -> Result<Dense<U>, MatrixFileError> {
    let file = array.file().to_owned();
    let (rows, columns) = array.shape();
    let by_columns = array.is_by_columns();
    let size = |size: u64| usize::try_from(size).unwrap_or(usize::MAX);
    let (rows, columns) = (size(rows), size(columns));
    entries(rows, columns).map_err(|error| of_matrix(&file, error))?;
    let mut all = Vec::new();
    array.each(|index, number| {
        let value = T::of_number(number).filter(T::is_taken).ok_or_else(|| {
            // No array of no rows or no columns has a value.
            let (run, within) =
                if by_columns { (index / rows, index % rows) } else { (index / columns, index % columns) };
            let (row, column) = if by_columns { (within + 1, run + 1) } else { (run + 1, within + 1) };
            MatrixFileError::Array { file: file.clone(), row, column, value: number.to_string(), expected: T::WHAT }
        })?;
        push(&mut all, convert(value), || format!("the entries of {file}")).map_err(FileError::from)?;
        Ok::<(), MatrixFileError>(())
    })?;
    if by_columns && rows > 1 && columns > 1 {
        let mut by_rows = filled(rows, columns, zero, &file)?;
        for (at, value) in all.into_iter().enumerate() {
            by_rows[at % rows * columns + at / rows] = value;
        }
        all = by_rows;
    }
    Ok(Dense { rows, columns, entries: all })
}

fn wrong(file: &str, line: usize, reason: LineFault) -> FileError {
    FileError::Line { file: file.to_owned(), line, reason: Box::new(reason) }
}

/// The number if a matrix may have it.
fn taken<T: FileEntry>(value: T) -> Result<T, LineFault> {
    if value.is_taken() {
        return Ok(value);
    }
    Err(LineFault::Number { found: format!("{value:?}"), expected: T::WHAT })
}

/// A matrix of equal entries.
fn filled<U: Clone>(rows: usize, columns: usize, entry: &U, file: &str) -> Result<Vec<U>, MatrixFileError> {
    let len = entries(rows, columns).map_err(|error| of_matrix(file, error))?;
    // A file of coordinates does not have all entries: they count as what is computed, under a limit of the control.
    host_room(len.saturating_mul(size_of::<U>()) as u64).map_err(|error| of_matrix(file, error))?;
    let mut values = Vec::new();
    reserve(&mut values, len, || format!("the entries of {file}")).map_err(FileError::from)?;
    values.resize(len, entry.clone());
    Ok(values)
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
        assert_eq!(read::<f64>("1 nan"), Err("a:1: `NaN` is no finite double".into()));
        let long = "1".repeat(50);
        assert!(read::<i128>(&long).unwrap_err().ends_with("is past the largest integer of 128 bits"));
    }

    #[test]
    fn brackets_of_sage_and_pari() {
        let forms = ["[1, 2; 3, -4]", "[[1, 2], [3, -4]]", "[1  2]\n[3 -4]\n", "matrix(ZZ, 2, 2, [1, 2, 3, -4])"];
        for text in forms {
            assert_eq!(read::<i128>(text), Ok((2, 2, vec![1, 2, 3, -4])), "{text}");
        }
        assert_eq!(read::<f64>("[0.5, 1]"), Ok((1, 2, vec![0.5, 1.0])));
        assert_eq!(read::<i128>("[1, 2;\n3]"), Err("a:2: a row of 1 entries, where the first has 2".into()));
        assert_eq!(read::<i128>("[1, x]"), Err("a:1: `x` is no number".into()));
        let modulo = "matrix(GF(7), [[1]])";
        assert_eq!(read::<i128>(modulo), Err("a:1: numbers modulo 7, where integers are read".into()));
        let field = manycore_field::PrimeField::<u32>::new(7).unwrap();
        let residues = |text: &str| super::super::residues(&field, Source::new("a", text.as_bytes()).unwrap());
        assert_eq!(residues(modulo).unwrap().entries, [1]);
        assert_eq!(residues("[Mod(3, 7), -1; 8, 0]").unwrap().entries, [3, 6, 1, 0]);
        let wrong = residues("[Mod(3, 5)]").unwrap_err().to_string();
        assert_eq!(wrong, "a:1: numbers modulo 5, where numbers modulo 7 are read");
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
        assert_eq!(
            message("vector"),
            "a:1: 2 words, where %%MatrixMarket matrix, form, field and symmetry are expected"
        );
        assert_eq!(message("matrix list real general"), "a:1: `list` is not read: a header takes coordinate or array");
        assert!(message("matrix array complex general\n1 1\n1 1").contains("`complex` is not read"));
        assert!(message("matrix array integer hermitian\n1 1\n1").contains("`hermitian` is not read"));
        assert_eq!(message("matrix array integer general"), "a:2: 0 words, where rows and columns are expected");
        assert_eq!(message("matrix array integer general\n2"), "a:2: 1 words, where rows and columns are expected");
        assert_eq!(message("matrix array integer general\n2 2\n1\n2\n3"), "a:6: the file ends after 3 of 4 entries");
        assert_eq!(message("matrix array integer general\n1 1\n1\n2"), "a:4: more follows the last of 1 entries");
        assert!(message("matrix array integer symmetric\n1 2\n1 2").contains("1 x 2: a symmetric matrix is square"));
        let coordinate = "matrix coordinate integer general\n2 2 1\n";
        assert!(message(&format!("{coordinate}3 1 5")).starts_with("a:3: row 3 is out of range"));
        assert!(message(&format!("{coordinate}0 1 5")).starts_with("a:3: row 0 is out of range"));
        assert_eq!(message(&format!("{coordinate}1 1")), "a:3: 2 words, where row, column and value are expected");
        let twice = message("matrix coordinate integer general\n2 2 2\n1 2 5\n1 2 6");
        assert_eq!(twice, "a:4: entry (1, 2) is given twice");
        let mirrored = message("matrix coordinate integer symmetric\n2 2 2\n2 1 5\n1 2 6");
        assert_eq!(mirrored, "a:4: entry (1, 2): a symmetric matrix has entries on and below the diagonal only");
        assert_eq!(message(coordinate), "a:3: the file ends after 0 of 1 entries");
        assert!(
            message("matrix coordinate integer skew-symmetric\n2 2 1\n1 1 5")
                .contains("entries below the diagonal only")
        );
        assert!(message("matrix coordinate integer general\n99999999999 9 0").contains("at most 2^32 - 2 rows"));
        assert!(message("matrix coordinate integer general\n-1 9 0").contains("`-1` is no whole number"));
    }

    #[test]
    fn harwell_boeing() {
        let text =
            "title\n4 1 1 2 0\nRSA 2 2 2 0\n(3I4) (2I4) (1D12.4)\n   1   3   3\n   1   2\n  1.5000D+00\n -0.5000D+00\n";
        assert_eq!(read::<f64>(text), Ok((2, 2, vec![1.5, -0.5, -0.5, 0.0])));
        assert_eq!(
            read::<f64>(&text.replace("   1   2\n", "   2   2\n")),
            Err("a:6: entry (2, 1) is given twice".into())
        );
        let pattern = text.replace("4 1 1 2 0\nRSA", "2 1 1 0 0\nPSA");
        assert_eq!(read::<i128>(&pattern), Ok((2, 2, vec![1, 1, 1, 0])));
    }

    fn array(descr: &str, by_columns: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let text = format!("{{'descr': '{descr}', 'fortran_order': {by_columns}, 'shape': ({shape}), }}\n");
        let mut bytes = b"\x93NUMPY\x01\0".to_vec();
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn read_array<T: FileEntry>(bytes: &[u8]) -> Result<(usize, usize, Vec<T>), String> {
        let read = Source::matrix("a", bytes).map_err(MatrixFileError::from).and_then(super::super::read);
        read.map(|dense| (dense.rows, dense.columns, dense.entries)).map_err(|error| error.to_string())
    }

    #[test]
    fn arrays_of_two_dimensions() {
        let integers = |order| array("|i1", order, "2, 3", &[1, 2, 3, 4, 5, 255]);
        assert_eq!(read_array::<i128>(&integers("False")), Ok((2, 3, vec![1, 2, 3, 4, 5, -1])));
        assert_eq!(read_array::<i128>(&integers("True")), Ok((2, 3, vec![1, 3, 5, 2, 4, -1])));
        assert_eq!(read_array::<f64>(&integers("True")), Ok((2, 3, vec![1.0, 3.0, 5.0, 2.0, 4.0, -1.0])));
        assert_eq!(read_array::<i128>(&array("|i1", "True", "0, 3", &[])), Ok((0, 3, vec![])));
        let reals = |values: [f64; 2]| array("<f8", "False", "2, 1", &values.map(f64::to_le_bytes).concat());
        assert_eq!(read_array::<f64>(&reals([0.5, 2.0])), Ok((2, 1, vec![0.5, 2.0])));
        let message = read_array::<i128>(&reals([2.0, 0.5]));
        assert_eq!(message, Err("a: entry (2, 1) is 0.5, which is no integer of 128 bits".into()));
        let by_columns = array("<f8", "True", "2, 2", &[1.0, 2.0, 0.5, 4.0f64].map(f64::to_le_bytes).concat());
        let message = read_array::<i128>(&by_columns);
        assert_eq!(message, Err("a: entry (1, 2) is 0.5, which is no integer of 128 bits".into()));
        let message = read_array::<f64>(&reals([f64::NAN, 0.5]));
        assert_eq!(message, Err("a: entry (1, 1) is NaN, which is no finite double".into()));
        assert!(read_array::<i128>(&array("|i1", "False", "3,", &[1, 2, 3])).unwrap_err().contains("two dimensions"));
        assert!(read_array::<i128>(&array("|i1", "False", "2, 2", &[1, 2, 3])).unwrap_err().contains("ends after 3"));
        let long = format!("{}, 0", u64::MAX);
        let message = read_array::<i128>(&array("|i1", "False", &long, &[]));
        assert_eq!(message, Err(format!("a: a matrix of {} rows and 0 columns is too large", u64::MAX)));
    }

    #[test]
    fn sms() {
        assert_eq!(read::<i128>("2 3 M\n1 2 7\n2 3 -1\n0 0 0\n"), Ok((2, 3, vec![0, 7, 0, 0, 0, -1])));
        assert_eq!(read::<i128>("0 0 M\n0 0 0"), Ok((0, 0, vec![])));
        assert_eq!(read::<i128>("2 3 M\n1 2 7\n"), Err("a:3: the file ends without the line 0 0 0".into()));
        assert_eq!(read::<i128>("2 3 M\n0 0 0\n1 1 1"), Err("a:3: more follows the last of 0 entries".into()));
        assert_eq!(
            read::<i128>("2 3 M\n1 2\n0 0 0"),
            Err("a:2: 2 words, where row, column and value are expected".into())
        );
        assert!(read::<i128>("2 3 M\n1 4 7\n0 0 0").unwrap_err().starts_with("a:2: column 4 is out of range"));
        assert_eq!(read::<i128>("2 3 M\n1 2 7\n1 2 1\n0 0 0"), Err("a:3: entry (1, 2) is given twice".into()));
        assert!(read::<i128>("2 3 M\n0 0 5\n0 0 0").unwrap_err().starts_with("a:2: row 0 is out of range"));
        assert_eq!(read::<i128>("1 2 x"), Err("a:1: `x` is no number".into()));
    }
}
