//! Comma-separated values (Shafranovich, RFC 4180, 2005) as the text that vectors and matrices are read from: a row a line, each on
//! the line that it has in the file.
//!
//! Fields are separated by commas, or by semicolons or tabs where the first row has those. A first row without numbers is a header,
//! which is left out. Quotes do not go past the end of a line: no number has one within.

use crate::error::FileError;
use crate::matrix::LineFault;
use crate::memory::reserve;
use crate::shown::shown;

/// The text of a file's rows, which errors call `file`. Time linear in the text.
pub(crate) fn text(csv: &str, file: &str) -> Result<String, FileError> {
    let wrong =
        |line: usize, reason: LineFault| FileError::Line { file: file.to_owned(), line, reason: Box::new(reason) };
    let is_row = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let first = csv.lines().map(str::trim).find(is_row).unwrap_or_default();
    let separator = [';', '\t'].into_iter().find(|&separator| first.contains(separator)).unwrap_or(',');
    let mut rows = Vec::new();
    // A field has a separator of two characters here.
    reserve(&mut rows, csv.len().saturating_mul(2), || format!("the text of {file}"))?;
    let (mut columns, mut fields) = (None, Vec::new());
    for (number, line) in (1..).zip(csv.lines()) {
        rows.extend(if number > 1 { &b"\n"[..] } else { b"" });
        let line = line.trim();
        if !is_row(&line) {
            continue;
        }
        split(line, separator, &mut fields).map_err(|reason| wrong(number, reason))?;
        if columns.is_none() && !fields.iter().any(|field| is_number(field)) {
            columns = Some(fields.len());
            continue;
        }
        let expected = *columns.get_or_insert(fields.len());
        if fields.len() != expected {
            return Err(wrong(number, LineFault::Fields { found: fields.len(), expected }));
        }
        for (index, &field) in fields.iter().enumerate() {
            if field.is_empty() {
                return Err(wrong(number, LineFault::EmptyField { field: index + 1 }));
            }
            if field.contains(|c: char| c.is_whitespace() || matches!(c, ',' | '#' | '"')) {
                let value = shown(field);
                return Err(FileError::Number { file: file.to_owned(), line: number, value, expected: "number" });
            }
            rows.extend(if index > 0 { &b", "[..] } else { b"" });
            rows.extend(field.as_bytes());
        }
    }
    // Of parts of a text.
    Ok(String::from_utf8(rows).unwrap_or_default())
}

/// The fields of a line, without blanks and quotes around them. A doubled quote within quotes stays as it is: no number has one.
fn split<'a>(line: &'a str, separator: char, fields: &mut Vec<&'a str>) -> Result<(), LineFault> {
    fields.clear();
    let mut rest = line;
    loop {
        rest = rest.trim_start_matches(' ');
        let (field, behind) = if let Some(quoted) = rest.strip_prefix('"') {
            let end = quote_end(quoted).ok_or(LineFault::Quote { field: fields.len() + 1 })?;
            (&quoted[..end], quoted[end + 1..].trim_start_matches(' '))
        } else {
            rest.split_at(rest.find(separator).unwrap_or(rest.len()))
        };
        fields.push(field.trim());
        match behind.strip_prefix(separator) {
            Some(more) => rest = more,
            None if behind.is_empty() => return Ok(()),
            None => return Err(LineFault::Quote { field: fields.len() }),
        }
    }
}

/// Where the quote that closes a field stands.
fn quote_end(quoted: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let end = from + quoted[from..].find('"')?;
        if !quoted[end + 1..].starts_with('"') {
            return Some(end);
        }
        from = end + 2;
    }
}

/// Whether a field begins as a number does, infinities and NaN among them.
fn is_number(field: &str) -> bool {
    let digits = field.strip_prefix(['+', '-']).unwrap_or(field);
    digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') || field.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn rows_stay_on_their_lines() {
        let of = |csv: &str| text(csv, "x.csv").unwrap();
        assert_eq!(of("1,2\n3,4\n"), "1, 2\n3, 4");
        assert_eq!(of("a,b\n1,2\n\n-3,4.5e1"), "\n1, 2\n\n-3, 4.5e1");
        assert_eq!(of("\"x; y\";\"z\"\r\n\"1\"; 2 \r\n"), "\n1, 2");
        assert_eq!(of("1\t2\n"), "1, 2");
        assert_eq!(of("# made by hand\n\ntime,weight\n1,inf\n"), "\n\n\n1, inf");
        assert_eq!(of("value\n5\n6\n"), "\n5\n6");
        assert_eq!(of("\"a \"\"quoted\"\" name\",b\n1,2"), "\n1, 2");
        assert_eq!(of("time,weight\n"), "");
        assert_eq!(of(""), "");
        assert_eq!(of("nan,1\n"), "nan, 1");
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        let error = |csv: &str| text(csv, "x.csv").unwrap_err().to_string();
        assert_eq!(error("a,b\n1,2\n\n3\n"), "x.csv:4: 1 fields, where the line before has 2");
        assert_eq!(error("1,\n"), "x.csv:1: field 2 is empty");
        assert_eq!(error("1,2\n,4\n"), "x.csv:2: field 1 is empty");
        assert_eq!(error("1;2,5\n"), "x.csv:1: `2,5` is no number");
        assert_eq!(error("a\n\"1 2\"\n"), "x.csv:2: `1 2` is no number");
        assert_eq!(error("a,b\n\"1,2\n"), "x.csv:2: field 1 has a quote that does not end, or text behind it");
        assert_eq!(error("a,b\n1,\"2\"3\n"), "x.csv:2: field 2 has a quote that does not end, or text behind it");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            rows in prop::collection::vec(prop::collection::vec(any::<i64>(), 3), 1..6),
            separator in prop_oneof![Just(","), Just(";"), Just("\t")],
            quotes in any::<bool>(),
            header in any::<bool>(),
        ) {
            let quote = if quotes { "\"" } else { "" };
            let line = |row: &[String]| row.iter().map(|field| format!("{quote}{field}{quote}")).collect::<Vec<_>>().join(separator);
            let names = ["first", "second one", "third"].map(str::to_owned);
            let mut csv: Vec<String> = if header { vec![line(&names)] } else { Vec::new() };
            let words: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect();
            csv.extend(words.iter().map(|row| line(row)));
            let expected: Vec<String> = words.iter().map(|row| row.join(", ")).collect();
            let read = text(&csv.join("\r\n"), "x.csv").unwrap();
            prop_assert_eq!(read.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>(), expected);
        }
    }
}
