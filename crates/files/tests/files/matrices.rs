//! Matrices as text: Harwell-Boeing files against the entries that they were written from, repeated places, and what is refused
//! with its line. Matrix Market and SMS are tested by crate `sparse`, which reads them by this crate.

use manycore_files::{EntryValue, FileError, MatrixFormat, MatrixText, RepeatedEntries};
use num_complex::Complex;
use proptest::prelude::*;

type Entries<T> = Vec<(u32, u32, T)>;

fn entries<T: EntryValue>(text: &str, repeated: RepeatedEntries) -> Result<Entries<T>, String> {
    let mut entries = Vec::new();
    let read = MatrixText::new(text.as_bytes(), "a").and_then(|text| {
        text.entries(repeated, |entry| {
            entries.push((entry.row, entry.column, entry.value));
            Ok::<(), FileError>(())
        })
    });
    read.map(|()| entries).map_err(|error| error.to_string())
}

fn read<T: EntryValue>(text: &str) -> Result<Entries<T>, String> {
    entries(text, RepeatedEntries::Keep)
}

/// A 3 x 3 matrix with entries at (1, 1), (3, 1) and (2, 3).
const RUA: &str = "\
Title of a matrix                                                       KEY
             5             1             1             3             0
RUA                        3             3             3             0
(4I4)           (3I4)           (1E12.4)            (1E12.4)
   1   3   3   4
   1   3   2
  1.5000E+00
 -2.5000E-01
  4.0000E+00
";

/// `RUA` with another text in place of one that it has.
fn with(old: &str, new: &str) -> String {
    assert!(RUA.contains(old));
    RUA.replacen(old, new, 1)
}

#[test]
fn harwell_boeing_files_are_read() {
    assert_eq!(MatrixFormat::of(RUA), Some(MatrixFormat::HarwellBoeing));
    assert_eq!(read::<f64>(RUA), Ok(vec![(0, 0, 1.5), (2, 0, -0.25), (1, 2, 4.0)]));
    let head = MatrixText::new(RUA.as_bytes(), "a").unwrap().head().clone();
    assert_eq!((head.rows, head.columns, head.stored), (3, 3, Some(3)));
    // Exponents with D and without a letter, several values on a line, a scale factor.
    let doubles = with("(1E12.4) ", "(2D12.4) ").replace("E+00\n -2.5000E-01", "D+00 -2.5000-001");
    assert_eq!(read::<f64>(&doubles), read::<f64>(RUA));
    assert_eq!(read::<f64>(&with("(1E12.4) ", "(1P,1E12.4)")), read::<f64>(RUA));
    assert_eq!(read::<f64>(&with("(1E12.4) ", "(1P,1(E12.4))")), read::<f64>(RUA));
    // Places alone, by the type or where there are no lines of values.
    let places = "1   3   3   4\n   1   3   2\n";
    let pattern = with("RUA", "PUA");
    let pattern = &pattern[..pattern.find(places).unwrap() + places.len()];
    assert_eq!(read::<i64>(pattern), Ok(vec![(0, 0, 1), (2, 0, 1), (1, 2, 1)]));
    let bare = with("             3             0\nRUA", "             0             0\nRUA");
    assert_eq!(read::<()>(&bare), Ok(vec![(0, 0, ()), (2, 0, ()), (1, 2, ())]));
    // A line about right sides is passed over.
    let right = with("             3             0\nRUA", "             3             1\nRUA");
    let right = right.replace("(1E12.4)\n", "(1E12.4)\nF                          1             0\n");
    assert_eq!(read::<f64>(&right), read::<f64>(RUA));
    let integers = with("RUA", "iua")
        .replace("(1E12.4) ", "(3I4)")
        .replace("  1.5000E+00\n -2.5000E-01\n  4.0000E+00", "   1  -2   4");
    assert_eq!(read::<i128>(&integers), Ok(vec![(0, 0, 1), (2, 0, -2), (1, 2, 4)]));
    let symmetric = with("RUA", "RSA").replace("   1   3   2\n", "   1   3   3\n");
    assert_eq!(read::<f64>(&symmetric), Ok(vec![(0, 0, 1.5), (2, 0, -0.25), (0, 2, -0.25), (2, 2, 4.0)]));
    let hermitian = "t\n4 1 1 2 0\nCHA 2 2 2 0\n(3I2) (2I2) (2F6.1)\n 1 3 3\n 1 2\n   1.0   0.0\n   2.0   3.0\n";
    let value = Complex::new(2.0, 3.0);
    assert_eq!(read(hermitian), Ok(vec![(0, 0, Complex::new(1.0, 0.0)), (1, 0, value), (0, 1, value.conj())]));
    let skew = "t\n4 1 1 1 0\nRZA 2 2 1 0\n(3I2) (2I2) (2F6.1)\n 1 2 2\n 2\n   3.0\n";
    assert_eq!(read::<f64>(skew), Ok(vec![(1, 0, 3.0), (0, 1, -3.0)]));
    let nothing = "t\n1 1 0 0 0\nPRA 3 0 0 0\n(3I2) (2I2)\n 1\n";
    assert_eq!(read::<f64>(nothing), Ok(vec![]));
}

#[test]
fn what_is_wrong_in_harwell_boeing_files_is_told_with_its_line() {
    let refused = |old: &str, new: &str| read::<f64>(&with(old, new)).unwrap_err();
    assert_eq!(refused("RUA", "RUE"), "a:3: `RUE` is not read: assembled matrices are, whose type ends with A");
    assert!(refused("RUA", "PZA").starts_with("a:3: `PZA` is not read: patterns are general or symmetric"));
    assert!(refused("RUA", "RHA").starts_with("a:3: `RHA` is not read: "));
    assert_eq!(
        refused("RUA", "CUA"),
        "a:3: `complex` is not read: a header takes real, integer or pattern where values are real"
    );
    assert_eq!(refused("             5 ", "             x "), "a:2: `x` is no whole number from 0");
    assert!(refused("             5             1 ", "").starts_with("a:2: 3 words, where numbers of all lines"));
    assert_eq!(
        refused("3             3             3", "3"),
        "a:3: 3 words, where type, rows, columns and entries are expected"
    );
    assert!(refused("3             3             3", "4294967295 3 3").starts_with("a:3: 4294967295 x 3: at most"));
    let symmetric = with("RUA                        3 ", "RSA                        2 ");
    assert_eq!(read::<f64>(&symmetric), Err("a:3: 2 x 3: a symmetric matrix is square".into()));
    assert_eq!(
        read::<f64>(&with("RUA", "RSA")),
        Err("a:6: entry (2, 3): a symmetric matrix has entries on and below the diagonal only".into())
    );
    assert_eq!(refused("(4I4)", "(4X4)"), "a:4: `(4X4)` is no Fortran format of integers, such as (10I8)");
    assert_eq!(refused("(3I4)", "(3F4.1)"), "a:4: `(3F4.1)` is no Fortran format of integers, such as (10I8)");
    assert_eq!(
        refused("(1E12.4)            (1E12.4)", "(1A12)"),
        "a:4: `(1A12)` is no Fortran format of numbers, such as (5E16.8) or (4D20.12)"
    );
    assert!(refused("(1E12.4)            (1E12.4)", "").starts_with("a:4: `(4I4)           (3I4)"));
    assert_eq!(refused("   1   3   3   4", "   0   3   3   4"), "a:5: pointer 1 is 0, where 1 to 1 are possible");
    assert_eq!(refused("   1   3   3   4", "   1   3   2   4"), "a:5: pointer 3 is 2, where 3 to 4 are possible");
    assert_eq!(refused("   1   3   3   4", "   1   3   3   3"), "a:5: pointer 4 is 3, where 4 to 4 are possible");
    assert_eq!(refused("   1   3   3   4", "   1   5   3   4"), "a:5: pointer 2 is 5, where 1 to 4 are possible");
    assert_eq!(refused("   1   3   3   4", "   1   3   3"), "a:5: no number in characters 13 to 16");
    assert_eq!(refused("   1   3   3   4", "   1   3   y   4"), "a:5: `y` is no whole number from 0");
    assert_eq!(refused("   1   3   2", "   1   4   2"), "a:6: row 4 is out of range: the matrix has rows 1 to 3");
    assert_eq!(refused("   1   3   2", "   1   0   2"), "a:6: row 0 is out of range: the matrix has rows 1 to 3");
    assert_eq!(refused("   1   3   2", "   1 é 3   2"), "a:6: `   1 é 3   2` is no line of numbers in ASCII");
    assert_eq!(refused(" -2.5000E-01", " -2.5x00E-01"), "a:8: `-2.5x00E-01` is no real number");
    assert_eq!(refused(" -2.5000E-01", "            "), "a:8: no number in characters 1 to 12");
    assert_eq!(refused("  4.0000E+00\n", ""), "a:9: the file ends after 2 of 3 values");
    let cut = |lines: usize| RUA.split_inclusive('\n').take(lines).collect::<String>();
    assert_eq!(read::<f64>(&cut(5)), Err("a:6: the file ends after 0 of 3 row indices".into()));
    assert_eq!(read::<f64>(&cut(4)), Err("a:5: the file ends after 0 of 4 pointers".into()));
    assert!(read::<f64>(&cut(3)).unwrap_err().starts_with("a:3: `` is no Fortran format"));
    let large = with("  4.0000E+00", "  4.0000E+999");
    assert!(read::<f64>(&large.replace("E12.4", "E13.4")).unwrap_err().starts_with("a:9: `4.0000E+999` is past"));
}

#[test]
fn repeated_places_are_kept_or_refused() {
    let market = "%%MatrixMarket matrix coordinate integer general\n2 2 4\n1 2 5\n2 1 1\n2 1 7\n1 2 6\n";
    assert_eq!(read(market), Ok(vec![(0, 1, 5i64), (1, 0, 1), (1, 0, 7), (0, 1, 6)]));
    // The first line that gives a place again, whatever the place.
    assert_eq!(entries::<i64>(market, RepeatedEntries::Refuse), Err("a:5: entry (2, 1) is given twice".into()));
    let sms = "2 3 M # sizes\n1 2 7\n1 2 1\n0 0 0\n";
    assert_eq!(entries::<i64>(sms, RepeatedEntries::Refuse), Err("a:3: entry (1, 2) is given twice".into()));
    let columns = with("   1   3   2", "   3   3   2");
    assert_eq!(entries::<f64>(&columns, RepeatedEntries::Refuse), Err("a:6: entry (3, 1) is given twice".into()));
    assert_eq!(entries::<f64>(&columns, RepeatedEntries::Keep).unwrap().len(), 3);
}

/// A file of these entries, column after column, `on_line` numbers on a line.
fn harwell_boeing((rows, columns): (usize, usize), all: &[(u32, u32, f64)], on_line: usize) -> String {
    let mut pointers = vec![1];
    for column in 0..columns {
        pointers.push(1 + all.iter().filter(|entry| entry.1 as usize <= column).count());
    }
    let section = |words: Vec<String>| words.chunks(on_line).map(|line| line.concat() + "\n").collect::<String>();
    let values = section(all.iter().map(|entry| format!("{:>26}", format!("{:.17e}", entry.2))).collect());
    format!(
        "title\n{} 1 1 {} 0\nRUA {rows} {columns} {} 0\n({on_line}I9) ({on_line}I9) ({on_line}E26.17)\n{}{}{values}",
        0,
        values.lines().count(),
        all.len(),
        section(pointers.iter().map(|pointer| format!("{pointer:9}")).collect()),
        section(all.iter().map(|entry| format!("{:9}", entry.0 + 1)).collect()),
    )
}

proptest! {
    #[test]
    fn what_is_written_as_harwell_boeing_reads_back(
        (rows, columns) in (1usize..8, 0usize..8),
        seeds in proptest::collection::btree_map((0u32..8, 0u32..8), -1e300f64..1e300, 0..30),
        on_line in 1usize..6,
    ) {
        let fits = |&(&(column, row), _): &(&(u32, u32), &f64)| (row as usize) < rows && (column as usize) < columns;
        let all: Entries<f64> = seeds.iter().filter(fits).map(|(&(column, row), &value)| (row, column, value)).collect();
        let text = harwell_boeing((rows, columns), &all, on_line);
        prop_assert_eq!(entries(&text, RepeatedEntries::Refuse), Ok(all.clone()));
        // The same entries as Matrix Market.
        let line = |&(row, column, value): &(u32, u32, f64)| format!("{} {} {value:?}", row + 1, column + 1);
        let lines = all.iter().map(line).collect::<Vec<_>>().join("\n");
        let market = format!("%%MatrixMarket matrix coordinate real general\n{rows} {columns} {}\n{lines}", all.len());
        prop_assert_eq!(entries(&market, RepeatedEntries::Refuse), Ok(all));
    }

    #[test]
    fn no_text_panics(noise in "[RUAPSI()0-9 .eED+\n-]{0,120}", cut in 0usize..RUA.len(), at in 0usize..RUA.len()) {
        let _ = read::<f64>(&(RUA[..cut].to_owned() + &noise));
        let end = (at + noise.len()).min(RUA.len());
        let _ = read::<f64>(&(RUA[..at].to_owned() + &noise + &RUA[end..]));
        let _ = read::<Complex<f64>>(&noise);
    }
}
