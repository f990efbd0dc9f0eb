//! Matrices in files: every form that is read, what is refused with its line, and what is written reads back.

use crate::common::any_matrix;
use manycore_field::PrimeField;
use manycore_sparse::{MatrixEntries, MatrixValues, SparseFileError, Symmetry, write_matrix_market};
use num_complex::Complex;
use proptest::prelude::*;
use sprs::CsMat;

fn parse(text: &str) -> Result<MatrixEntries, SparseFileError> {
    MatrixEntries::parse(text.as_bytes(), "a.mtx")
}

/// What is said of a text, with `\n` for the ends of lines and the header's words behind `%%MatrixMarket matrix`.
fn refused(header: &str, body: &str) -> String {
    match parse(&format!("%%MatrixMarket matrix {header}\n{body}")) {
        Err(error) => error.to_string(),
        Ok(entries) => panic!("{header}, {body} is read: {entries:?}"),
    }
}

fn rows(matrix: &CsMat<f64>) -> Vec<Vec<f64>> {
    matrix.to_dense().rows().into_iter().map(|row| row.to_vec()).collect()
}

#[test]
fn every_form_is_read() {
    let read = |header: &str, body: &str| parse(&format!("%%MatrixMarket matrix {header}\n{body}")).unwrap();
    let general = read("coordinate real general", "%c\n\n2 3 3\n1 1 1.5\n\n% x\n2 3 -2e3\n2 1 1d1\n");
    assert_eq!(rows(&general.reals().unwrap()), [[1.5, 0.0, 0.0], [10.0, 0.0, -2000.0]]);
    assert_eq!((general.rows(), general.columns(), general.len()), (2, 3, 3));
    let pattern = read("coordinate pattern symmetric", "3 3 2\n2 1\n3 3");
    assert_eq!(rows(&pattern.reals().unwrap()), [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
    assert_eq!((pattern.symmetry(), pattern.values()), (Symmetry::Symmetric, &MatrixValues::Pattern));
    let skew = read("coordinate integer skew-symmetric", "2 2 1\n2 1 5");
    assert_eq!(rows(&skew.reals().unwrap()), [[0.0, -5.0], [5.0, 0.0]]);
    assert_eq!(skew.residues(&PrimeField::<u32>::new(7).unwrap()).unwrap().data(), [2, 5]);
    let hermitian = read("coordinate complex hermitian", "2 2 2\n1 1 3 0\n2 1 1 2");
    let expected = [Complex::new(3.0, 0.0), Complex::new(1.0, -2.0), Complex::new(1.0, 2.0)];
    assert_eq!(hermitian.complexes().unwrap().data(), expected);
    // Arrays go column after column; of a symmetric one the lower triangle.
    let array = read("array real general", "2 2\n1\n2\n3\n4");
    assert_eq!(rows(&array.reals().unwrap()), [[1.0, 3.0], [2.0, 4.0]]);
    let array = read("array integer symmetric", "2 2\n1\n2\n3");
    assert_eq!(rows(&array.reals().unwrap()), [[1.0, 2.0], [2.0, 3.0]]);
    let array = read("array real skew-symmetric", "3 3\n1\n2\n3");
    assert_eq!(rows(&array.reals().unwrap()), [[0.0, -1.0, -2.0], [1.0, 0.0, -3.0], [2.0, 3.0, 0.0]]);
    let sms = parse("2 3 M\n1 1 5\n2 3 -1\n0 0 0\n").unwrap();
    assert_eq!(rows(&sms.reals().unwrap()), [[5.0, 0.0, 0.0], [0.0, 0.0, -1.0]]);
    // Nothing, in every form.
    assert!(read("coordinate real general", "0 0 0").reals().unwrap().data().is_empty());
    assert!(read("array real skew-symmetric", "1 1").is_empty());
    assert!(parse("0 4 M\n0 0 0").unwrap().is_empty());
}

#[test]
fn repeated_entries_are_added_in_the_order_of_the_file() {
    let text = "%%MatrixMarket matrix coordinate real general\n1 2 4\n1 2 1e16\n1 1 NaN\n1 2 1\n1 2 -1e16";
    let matrix = parse(text).unwrap().reals().unwrap();
    assert_eq!(matrix.indices(), [0, 1]);
    assert!(matrix.data()[0].is_nan(), "NaN is kept");
    // (1e16 + 1) - 1e16, where 1e16 + 1 is rounded to 1e16.
    assert_eq!(matrix.data()[1].to_bits(), 0.0f64.to_bits());
    let zeros = parse("1 1 M\n1 1 3\n1 1 -3\n0 0 0").unwrap().reals().unwrap();
    assert_eq!(zeros.data(), [0.0], "a zero is kept");
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let real = "coordinate real general";
    assert_eq!(refused(real, "2 2 1\n3 1 5"), "a.mtx:3: row 3 is out of range: the matrix has rows 1 to 2");
    assert_eq!(refused(real, "2 2 1\n1 0 5"), "a.mtx:3: column 0 is out of range: the matrix has columns 1 to 2");
    assert_eq!(refused(real, "2 2 1\n1 -1 5"), "a.mtx:3: `-1` is no whole number from 0");
    assert_eq!(refused(real, "2 2 1\n1 1 x"), "a.mtx:3: `x` is no real number");
    assert_eq!(refused(real, "2 2 1\n1 1 1e999"), "a.mtx:3: `1e999` is past the largest number of double precision");
    assert_eq!(refused(real, "2 2 1\n1 1"), "a.mtx:3: 2 words, where row, column and value are expected");
    assert_eq!(refused(real, "2 2 1\n1"), "a.mtx:3: 1 words, where row, column and value are expected");
    assert_eq!(refused(real, "2 2 1\n1 1 5 6"), "a.mtx:3: 4 words, where row, column and value are expected");
    assert_eq!(refused(real, "2 2 2\n1 1 5\n"), "a.mtx:4: the file ends after 1 of 2 entries");
    assert_eq!(refused(real, "2 2 1\n1 1 5\n\n2 2 1\n"), "a.mtx:5: more follows the last of 1 entries");
    assert_eq!(refused(real, "2 2"), "a.mtx:2: 2 words, where rows, columns and entries are expected");
    assert_eq!(refused(real, ""), "a.mtx:2: 0 words, where rows, columns and entries are expected");
    assert_eq!(refused(real, "4294967295 1 0"), "a.mtx:2: 4294967295 x 1: at most 2^32 - 2 rows and columns are taken");
    assert_eq!(
        refused(real, "99999999999999999999 1 0"),
        "a.mtx:2: `99999999999999999999` is past the largest integer of 64 bits"
    );
    let integer = "coordinate integer general";
    assert_eq!(refused(integer, "1 1 1\n1 1 1.5"), "a.mtx:3: `1.5` is no integer");
    assert_eq!(
        refused(integer, "1 1 1\n9223372036854775808 1 1"),
        "a.mtx:3: row 9223372036854775808 is out of range: the matrix has rows 1 to 1"
    );
    let symmetric = "coordinate real symmetric";
    assert_eq!(
        refused(symmetric, "2 2 1\n1 2 5"),
        "a.mtx:3: entry (1, 2): a symmetric matrix has entries on and below the diagonal only"
    );
    assert_eq!(refused(symmetric, "2 3 0"), "a.mtx:2: 2 x 3: a symmetric matrix is square");
    assert_eq!(
        refused("coordinate real skew-symmetric", "2 2 1\n1 1 5"),
        "a.mtx:3: entry (1, 1): a skew-symmetric matrix has entries below the diagonal only"
    );
    assert_eq!(
        refused("coordinate complex hermitian", "1 1 1\n1 1 1 2"),
        "a.mtx:3: entry (1, 1): the diagonal of a Hermitian matrix is real"
    );
    assert_eq!(refused("array real general", "1 2\n1\n2 3"), "a.mtx:4: 2 words, where one value are expected");
    assert_eq!(
        refused("array pattern general", "1 2"),
        "a.mtx:1: `pattern` is not read: a header takes real, integer or complex for an array"
    );
    assert_eq!(
        refused("elements real general", ""),
        "a.mtx:1: `elements` is not read: a header takes coordinate or array"
    );
    assert_eq!(
        refused("coordinate real hermitian", ""),
        "a.mtx:1: `hermitian` is not read: a header takes general, symmetric or skew-symmetric for real numbers"
    );
    assert_eq!(
        refused("coordinate real", ""),
        "a.mtx:1: 4 words, where %%MatrixMarket matrix, form, field and symmetry are expected"
    );
    let header = "is no header of a matrix: Matrix Market begins with %%MatrixMarket matrix, SMS with ROWS COLUMNS M";
    for text in ["", "1 2", "%%Matrix x\n", "1 2 3\n0 0 0", "a 2 M"] {
        let error = parse(text).unwrap_err().to_string();
        assert!(error.starts_with("a.mtx:1: `") && error.ends_with(header), "{error}");
    }
    let sms = |text| parse(text).unwrap_err().to_string();
    assert_eq!(sms("2 2 M\n1 1 1\n"), "a.mtx:3: the file ends without the line 0 0 0");
    assert_eq!(sms("2 2 M\n0 1 1\n0 0 0"), "a.mtx:2: row 0 is out of range: the matrix has rows 1 to 2");
    assert_eq!(sms("2 2 M\n0 0 0\n1 1 1"), "a.mtx:3: more follows the last of 0 entries");
    let error = MatrixEntries::parse(b"%%MatrixMarket\n\xff", "a.mtx").unwrap_err();
    assert_eq!(error.to_string(), "a.mtx:2: neither text nor a .npy file");
    assert!(MatrixEntries::open("no/such/file").unwrap_err().to_string().starts_with("no/such/file: "));
    let complex = parse("%%MatrixMarket matrix coordinate complex general\n0 0 0").unwrap();
    assert_eq!(complex.reals().unwrap_err().to_string(), "a.mtx: the matrix has complex values, where real are wanted");
    let field = PrimeField::<u32>::new(7).unwrap();
    let error = parse("%%MatrixMarket matrix array complex general\n0 0").unwrap().residues(&field);
    assert_eq!(error.unwrap_err().to_string(), "a.mtx: the matrix has complex values, where integer are wanted");
    for (value, shown) in [("0.5", "0.5"), ("9007199254740993.0", "9007199254740992"), ("NaN", "NaN")] {
        let real = parse(&format!("%%MatrixMarket matrix coordinate real general\n2 3 1\n2 3 {value}")).unwrap();
        let message = format!("a.mtx: entry (2, 3) is {shown}, which is no integer below 2^53");
        assert_eq!(real.residues(&field).unwrap_err().to_string(), message);
        assert_eq!(real.integers().unwrap_err().to_string(), message);
    }
}

#[test]
fn integers_of_any_size_are_exact_or_refused() {
    let field = PrimeField::<u32>::new(7).unwrap();
    let read = |entries: &str, form: &str| {
        let count = entries.lines().count();
        parse(&format!("%%MatrixMarket matrix coordinate integer {form}\n2 2 {count}\n{entries}")).unwrap()
    };
    // 2^53 + 1 and 2^64 + 1 are no doubles; 2^53 + 2, -2^63 and 2^64 are.
    for (value, residue) in [("9007199254740993", 5), ("18446744073709551617", 3), ("9223372036854775807", 0)] {
        let matrix = read(&format!("1 1 1\n2 1 {value}"), "general");
        let error = matrix.reals().unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("a.mtx: entry (2, 1) is {value}, which double precision does not hold")),
            "{error}"
        );
        assert!(matrix.complexes().is_err());
        assert_eq!(matrix.residues(&field).unwrap().data(), [1, residue]);
    }
    let exact = read("1 1 9007199254740994\n2 1 -9223372036854775808\n2 2 18446744073709551616", "general");
    assert_eq!(exact.reals().unwrap().data(), [9_007_199_254_740_994.0, -(2f64.powi(63)), 2f64.powi(64)]);
    assert_eq!(exact.residues(&field).unwrap().data(), [6, 6, 2]);
    assert!(exact.integers().unwrap_err().to_string().ends_with("is past 64 bits"));
    // Messages quote no more than the beginning of digits by thousands.
    let long = read("1 1 1e9999", "general");
    for error in [long.reals().unwrap_err(), long.integers().unwrap_err()] {
        assert!(error.to_string().len() < 500, "{error}");
    }
    let skew = read("2 1 -9223372036854775808", "skew-symmetric");
    assert_eq!(skew.residues(&field).unwrap().data(), [1, 6]);
    let whole = parse("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 3.0\n2 2 -2e0\n").unwrap();
    assert_eq!(whole.integers().unwrap().data(), [3, -2]);
    assert_eq!(whole.residues(&field).unwrap().data(), [3, 5]);
}

#[test]
fn marks_blanks_and_latin_1_are_no_hindrance() {
    let right = parse("%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 2\n3 2 5\n").unwrap();
    let read = |bytes: &[u8]| MatrixEntries::parse(bytes, "a.mtx").unwrap();
    assert_eq!(read("  %%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 2\n3 2 5\n".as_bytes()), right);
    assert_eq!(read("\n \n%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 2\n3 2 5\n".as_bytes()), right);
    assert_eq!(read("\u{feff}%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 2\n3 2 5\n".as_bytes()), right);
    assert_eq!(read(b"%%MatrixMarket matrix coordinate real general\n% M\xfcller\n3 3 2\n1 1 2\n3 2 5\n"), right);
    let title = b"M\xfcller\n4 1 1 2 0\nRUA 3 3 2 0\n(4I2) (2I2) (1P,2(E6.1))\n 1 2 3 3\n 1 3\n2.0E+05.0E+0\n";
    assert_eq!(read(title).reals().unwrap(), right.reals().unwrap());
}

#[test]
fn integers_and_patterns_are_made() {
    let text = "%%MatrixMarket matrix coordinate integer general\n1 2 2\n1 2 9223372036854775807\n1 2 -7";
    assert_eq!(parse(text).unwrap().integers().unwrap().data(), [i64::MAX - 7]);
    let error = parse(&text.replace("-7", "1")).unwrap().integers().unwrap_err();
    assert_eq!(error.to_string(), "a.mtx: no sparse matrix: an integer or a sum of repeated entries is past 64 bits");
    assert_eq!(parse(text).unwrap().pattern().unwrap().indices(), [1]);
    let pattern = "%%MatrixMarket matrix coordinate pattern general\n1 2 1\n1 2\n";
    let entries = parse(pattern).unwrap();
    assert_eq!(entries.integers().unwrap().data(), [1]);
    let mut text = Vec::new();
    write_matrix_market(&mut text, entries.structure().unwrap().view()).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), pattern);
}

/// Files of the test data, which is no part of the project: `MANYCORE_DATA` names its folder.
#[test]
fn matrices_of_linbox_are_read() {
    let Some(folder) = std::env::var_os("MANYCORE_DATA") else {
        return println!("MANYCORE_DATA names no folder: files of LinBox are not read");
    };
    for (name, shape, entries) in [("bibd_12_5_66x792.sms", (66, 792), 7920), ("fib25.sms", (25, 25), 0)] {
        let matrix = MatrixEntries::open(std::path::Path::new(&folder).join(name)).unwrap();
        assert_eq!((matrix.rows(), matrix.columns()), shape);
        // A block design: every block has as many points, and every pair of points as many blocks.
        assert!(entries == 0 || matrix.len() == entries, "{name}: {}", matrix.len());
    }
}

proptest! {
    #[test]
    fn what_is_written_reads_back(matrix in any_matrix(), seed in any::<u64>()) {
        let matrix = matrix.map(|value| f64::from_bits(seed.wrapping_mul(*value as u64 | 1)));
        let mut text = Vec::new();
        write_matrix_market(&mut text, matrix.view()).unwrap();
        let entries = MatrixEntries::parse(&text, "x").unwrap();
        let read = if entries.is_empty() { CsMat::zero(matrix.shape()) } else { entries.reals().unwrap() };
        prop_assert_eq!(read.shape(), matrix.shape());
        prop_assert_eq!(read.indices(), matrix.indices());
        let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
        prop_assert!(read.data().iter().zip(matrix.data()).all(|(&a, &b)| same(a, b)));
        let mut again = Vec::new();
        write_matrix_market(&mut again, matrix.to_csc().to_csr().view()).unwrap();
        prop_assert_eq!(again, text);
    }

    #[test]
    fn no_text_panics(text in "[%MatrixMke 0-9\n.aeiou-]{0,200}", cut in 0usize..60) {
        let whole = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n2 2 2.0\n";
        let _ = parse(&text).map(|entries| entries.reals().is_ok());
        let _ = parse(&(whole[..cut].to_owned() + &text)).map(|entries| entries.len());
    }
}
