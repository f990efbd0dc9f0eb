//! Tables as text: comma-separated values (Shafranovich, RFC 4180, 2005), a row a line.
//!
//! Fields are separated by tabs where one stands outside of quotes in the first row, else by commas or semicolons, whichever stands first
//! there, of tables of numbers alone by semicolons where one stands there. A field may stand in
//! quotes, where a doubled quote is one; quotes do not go past the end of a line. Blanks around fields, a byte order mark and carriage
//! returns are no part of them. Empty lines and lines that begin with `#` are left out, and so is a header: a first row whose numeric
//! fields are no numbers.

use std::borrow::Cow;
use std::iter::Enumerate;
use std::str::Lines;

use crate::error::FileError;
use crate::fault::LineFault;
use crate::memory::reserve;
use crate::shown::shown;

/// A row: its line, from 1, and its fields.
type Row<'t, 'a> = (usize, &'t [Cow<'a, str>]);

/// A table that is read row after row.
///
/// ```
/// use manycore_files::Table;
/// let mut table = Table::new("name;days\n\"dig; deep\"; 3\n", "plan.csv", |field| field == 1);
/// let (line, fields) = table.next_row()?.unwrap();
/// assert_eq!((line, &fields[..]), (2, &["dig; deep".into(), "3".into()][..]));
/// assert!(table.next_row()?.is_none());
/// # Ok::<(), manycore_files::FileError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Table<'a> {
    file: &'a str,
    lines: Enumerate<Lines<'a>>,
    separator: char,
    /// Which fields, from 0, are numbers; of the first row alone, then nothing.
    is_numeric: Option<fn(usize) -> bool>,
    fields: Vec<Cow<'a, str>>,
}

impl<'a> Table<'a> {
    /// The table of a text, which errors call `file`; `is_numeric` says which fields, from 0, are numbers, by which a header is known.
    pub fn new(text: &'a str, file: &'a str, is_numeric: fn(usize) -> bool) -> Self {
        let text = text.trim_start_matches('\u{feff}');
        let first = text.lines().map(row).find(|row| !row.is_empty()).unwrap_or_default();
        let mut is_quoted = false;
        let separators = first.trim().chars().filter(|&c| {
            is_quoted ^= c == '"';
            !is_quoted && matches!(c, ',' | ';' | '\t')
        });
        let separators: Vec<char> = separators.collect();
        // A number has no semicolon, while a comma may be a decimal comma, for which there is an error.
        let preferred: &[char] = if is_numeric(0) { &['\t', ';'] } else { &['\t'] };
        let separator = preferred.iter().find(|separator| separators.contains(separator));
        let separator = separator.or(separators.first()).copied().unwrap_or(',');
        Self { file, lines: text.lines().enumerate(), separator, is_numeric: Some(is_numeric), fields: Vec::new() }
    }

    /// The next row: its line, from 1, and its fields.
    ///
    /// # Errors
    /// [`FileError::Line`] for a quote that does not end, or that text follows.
    pub fn next_row(&mut self) -> Result<Option<Row<'_, 'a>>, FileError> {
        while let Some((index, line)) = self.lines.next() {
            let row = row(line);
            if row.is_empty() {
                continue;
            }
            split(row, self.separator, &mut self.fields).map_err(|reason| self.wrong(index + 1, reason))?;
            if let Some(is_numeric) = self.is_numeric.take() {
                let numbers = self.fields.iter().enumerate().filter(|(at, field)| is_numeric(*at) && !field.is_empty());
                let mut are_numbers = numbers.map(|(_, field)| is_number(field)).peekable();
                if are_numbers.peek().is_some() && !are_numbers.any(|is_number| is_number) {
                    continue;
                }
            }
            return Ok(Some((index + 1, &self.fields)));
        }
        Ok(None)
    }

    /// The error of a line, from 1.
    fn wrong(&self, line: usize, reason: LineFault) -> FileError {
        FileError::Line { file: self.file.to_owned(), line, reason: Box::new(reason) }
    }
}

/// What a line has of a row: nothing where it is empty, or a comment. Tabs may be separators of empty fields.
fn row(line: &str) -> &str {
    let row = line.trim_matches([' ', '\r']);
    if row.starts_with('#') || row.trim().is_empty() { "" } else { row }
}

/// The text of a file's rows of numbers, which errors call `file`, each row on the line that it has in the file. Time linear in the
/// text.
pub(crate) fn text(csv: &str, file: &str) -> Result<String, FileError> {
    let mut table = Table::new(csv, file, |_| true);
    let mut rows = Vec::new();
    // A field has a separator of two characters here.
    reserve(&mut rows, csv.len().saturating_mul(2), || format!("the text of {file}"))?;
    let (mut last, mut columns) = (1, None);
    let wrong = |line: usize, reason| FileError::Line { file: file.to_owned(), line, reason: Box::new(reason) };
    while let Some((line, fields)) = table.next_row()? {
        rows.extend(std::iter::repeat_n(b'\n', line - last));
        last = line;
        let expected = *columns.get_or_insert(fields.len());
        if fields.len() != expected {
            return Err(wrong(line, LineFault::Fields { found: fields.len(), expected }));
        }
        for (index, field) in fields.iter().enumerate() {
            if field.is_empty() {
                return Err(wrong(line, LineFault::EmptyField { field: index + 1 }));
            }
            if field.contains(|c: char| c.is_whitespace() || matches!(c, ',' | '#' | '"')) {
                return Err(wrong(line, LineFault::Number { found: shown(field), expected: "number" }));
            }
            rows.extend(if index > 0 { &b", "[..] } else { b"" });
            rows.extend(field.as_bytes());
        }
    }
    // Of parts of a text.
    Ok(String::from_utf8(rows).unwrap_or_default())
}

/// The fields of a line, without blanks and quotes around them.
fn split<'a>(line: &'a str, separator: char, fields: &mut Vec<Cow<'a, str>>) -> Result<(), LineFault> {
    fields.clear();
    let mut rest = line;
    loop {
        rest = rest.trim_start_matches(' ');
        let (field, behind) = if let Some(quoted) = rest.strip_prefix('"') {
            let end = quote_end(quoted).ok_or(LineFault::Quote { field: fields.len() + 1 })?;
            let field = quoted[..end].trim();
            let field = if field.contains('"') { field.replace("\"\"", "\"").into() } else { field.into() };
            (field, quoted[end + 1..].trim_start_matches(' '))
        } else {
            let (field, behind) = rest.split_at(rest.find(separator).unwrap_or(rest.len()));
            (field.trim().into(), behind)
        };
        fields.push(field);
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

    fn rows(text: &str, is_numeric: fn(usize) -> bool) -> Vec<(usize, Vec<String>)> {
        let mut table = Table::new(text, "x.csv", is_numeric);
        let mut rows = Vec::new();
        while let Some((line, fields)) = table.next_row().unwrap() {
            rows.push((line, fields.iter().map(ToString::to_string).collect()));
        }
        rows
    }

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
        assert_eq!(of("\u{feff}\"a; b\",c\n1,2"), "\n1, 2");
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
        assert_eq!(error("1,5;2\n"), "x.csv:1: `1,5` is no number");
        assert_eq!(error("a\n\"1 2\"\n"), "x.csv:2: `1 2` is no number");
        assert_eq!(error("a,b\n\"1,2\n"), "x.csv:2: field 1 has a quote that does not end, or text behind it");
        assert_eq!(error("a,b\n1,\"2\"3\n"), "x.csv:2: field 2 has a quote that does not end, or text behind it");
    }

    #[test]
    fn the_first_separator_outside_of_quotes_counts() {
        let of = |text: &str| rows(text, |field| field == 1);
        let expected = vec![(1, vec!["dig, deep; wide".to_owned(), "3".into(), String::new()])];
        for text in
            ["\"dig, deep; wide\",3,", "\u{feff}\"dig, deep; wide\"; 3 ;\r\n", "# a;b\n\"dig, deep; wide\"\t3\t\r\n"]
        {
            let expected = if text.starts_with('#') { vec![(2, expected[0].1.clone())] } else { expected.clone() };
            assert_eq!(of(text), expected, "{text}");
        }
        assert_eq!(of("dig, deep; wide\t3\t"), expected);
        assert_eq!(of("a,3,b;c"), [(1, vec!["a".into(), "3".into(), "b;c".into()])]);
        assert_eq!(of("say \"\"hi\"\",3"), [(1, vec!["say \"\"hi\"\"".into(), "3".into()])]);
    }

    #[test]
    fn headers_have_no_numbers_in_numeric_fields() {
        let of = |text: &str| rows(text, |field| field == 1).len();
        assert_eq!(of("task,days\na,3\n"), 1);
        assert_eq!(of("task,3x\na,3\n"), 2);
        assert_eq!(of("7,days\na,3\n"), 1);
        assert_eq!(of("task\na,3\n"), 2);
        assert_eq!(of("task,\na,3\n"), 2);
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

        #[test]
        fn quoted_texts_are_read(
            fields in prop::collection::vec("[a-z\",;\t #]{0,8}", 2..5),
            separator in prop_oneof![Just(","), Just(";"), Just("\t")],
        ) {
            let quoted: Vec<String> = fields.iter().map(|field| format!("\"{}\"", field.replace('"', "\"\""))).collect();
            let expected: Vec<String> = fields.iter().map(|field| field.trim().to_owned()).collect();
            prop_assert_eq!(rows(&quoted.join(separator), |_| false), [(1, expected)]);
        }
    }
}
