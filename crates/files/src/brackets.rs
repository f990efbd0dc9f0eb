//! Vectors and matrices as Sage and PARI/GP print them, and as they are written in their languages.
//!
//! ```text
//!   [1, 2, 3]    [1 2 3]    (1, 2, 3)    [1, 2, 3]~        vectors
//!   [1, 2; 3, 4]                                            PARI's matrices
//!   [[1, 2], [3, 4]]                                        lists of rows
//!   [1 2]⏎[3 4]                                             Sage's printed matrices
//!   Mat([1, 2])    matrix(GF(7), [[1, 2], [3, 4]])    matrix(ZZ, 2, 2, [1, 2, 3, 4])    vector(GF(7), [1, 2])
//! ```
//!
//! An entry is a number, or PARI's `Mod(3, 7)`. `#` begins a comment.

use crate::fault::LineFault;
use crate::shown::shown;

/// An entry with its row, from 0, and its line, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry<'a> {
    pub(crate) row: usize,
    pub(crate) line: usize,
    pub(crate) word: &'a str,
}

/// What stands in a text with brackets.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Bracketed<'a> {
    pub(crate) rows: usize,
    pub(crate) entries: Vec<Entry<'a>>,
    /// The modulus that a ring or all `Mod` name, with the line.
    pub(crate) modulus: Option<(u64, usize)>,
}

/// A fault with its line, from 1.
type Fault = (usize, LineFault);

/// Whether a text begins as one with brackets does.
pub(crate) fn is_bracketed(text: &str) -> bool {
    let mut words = Words { text, at: 0, line: 1 };
    match words.next() {
        "[" | "(" => true,
        word => is_call(word) && words.next() == "(",
    }
}

fn is_call(word: &str) -> bool {
    matches!(word, "matrix" | "Matrix" | "Mat" | "vector")
}

/// The entries of a text with brackets.
pub(crate) fn read(text: &str) -> Result<Bracketed<'_>, Fault> {
    let mut reader = Reader { words: Words { text, at: 0, line: 1 }, found: Bracketed::default() };
    if is_call(reader.words.peek()) {
        reader.call()?;
    } else {
        while matches!(reader.words.peek(), "[" | "(") {
            reader.list(true)?;
        }
    }
    match reader.words.peek() {
        "" => {}
        _ => return Err(reader.fault("the end of the text")),
    }
    let mut found = reader.found;
    if found.entries.is_empty() {
        found.rows = 0;
    }
    Ok(found)
}

/// Brackets, commas and semicolons, and what stands between them and blanks; the empty word at the end.
struct Words<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Words<'a> {
    /// The line and the place of the next word, past blanks and comments, and where the word ends.
    fn ahead(&self) -> (usize, usize, usize) {
        let (mut line, mut start) = (self.line, self.at);
        let bytes = self.text.as_bytes();
        let mut comment = false;
        while let Some(&byte) = bytes.get(start) {
            match byte {
                b'\n' => (line, comment) = (line + 1, false),
                b'#' => comment = true,
                _ if comment || byte.is_ascii_whitespace() => {}
                _ => break,
            }
            start += 1;
        }
        let is_mark = |byte: u8| matches!(byte, b'[' | b']' | b'(' | b')' | b',' | b';' | b'~');
        let rest = &bytes[start..];
        let ends = |&byte: &u8| is_mark(byte) || byte == b'#' || byte.is_ascii_whitespace();
        let len = match rest.first() {
            None => 0,
            Some(&byte) if is_mark(byte) => 1,
            Some(_) => rest.iter().position(ends).unwrap_or(rest.len()),
        };
        (line, start, start + len)
    }

    fn peek(&self) -> &'a str {
        let (_, start, end) = self.ahead();
        &self.text[start..end]
    }

    fn next(&mut self) -> &'a str {
        let (line, start, end) = self.ahead();
        (self.line, self.at) = (line, end);
        &self.text[start..end]
    }
}

struct Reader<'a> {
    words: Words<'a>,
    found: Bracketed<'a>,
}

impl Reader<'_> {
    fn fault(&self, expected: &'static str) -> Fault {
        let (line, start, end) = self.words.ahead();
        let word = &self.words.text[start..end];
        let found = if word.is_empty() { "the end".to_owned() } else { format!("`{}`", shown(word)) };
        (line, LineFault::Bracket { found, expected })
    }

    fn expect(&mut self, word: &str, expected: &'static str) -> Result<(), Fault> {
        if self.words.peek() != word {
            return Err(self.fault(expected));
        }
        self.words.next();
        Ok(())
    }

    /// A list in brackets or parentheses: of entries, of rows between semicolons, or, outside, of lists of entries.
    fn list(&mut self, outside: bool) -> Result<(), Fault> {
        let close = if self.words.next() == "(" { ")" } else { "]" };
        if !(outside && self.words.peek() == "[") {
            self.found.rows += 1;
        }
        let mut has_item = false;
        loop {
            match self.words.peek() {
                "," if has_item => {
                    self.words.next();
                    has_item = false;
                }
                ";" if outside => {
                    self.words.next();
                    self.found.rows += 1;
                    has_item = false;
                }
                "[" if outside => {
                    self.list(false)?;
                    has_item = true;
                }
                "," => return Err(self.fault("a number before the comma")),
                word if word == close => {
                    self.words.next();
                    if self.words.peek() == "~" {
                        self.words.next();
                    }
                    return Ok(());
                }
                "" | "[" | "]" | "(" | ")" | ";" | "~" => return Err(self.fault("a number, or the end of a list")),
                _ => {
                    self.entry()?;
                    has_item = true;
                }
            }
        }
    }

    fn entry(&mut self) -> Result<(), Fault> {
        let word = self.words.next();
        let line = self.words.line;
        let row = self.found.rows.saturating_sub(1);
        if word != "Mod" {
            self.found.entries.push(Entry { row, line, word });
            return Ok(());
        }
        self.expect("(", "( after Mod")?;
        let word = self.words.next();
        self.found.entries.push(Entry { row, line: self.words.line, word });
        self.expect(",", "a comma, and the modulus")?;
        self.modulus()?;
        self.expect(")", ") after the modulus")
    }

    /// A modulus, which is that of all entries.
    fn modulus(&mut self) -> Result<(), Fault> {
        let Ok(modulus) = self.words.peek().parse::<u64>() else { return Err(self.fault("a modulus below 2^64")) };
        self.words.next();
        let line = self.words.line;
        match self.found.modulus {
            Some((expected, _)) if expected != modulus => {
                Err((line, LineFault::Modulus { given: modulus, expected: Some(expected) }))
            }
            Some(_) => Ok(()),
            None => {
                self.found.modulus = Some((modulus, line));
                Ok(())
            }
        }
    }

    /// `matrix(ring, rows, columns, list)` with any of the first three left out.
    fn call(&mut self) -> Result<(), Fault> {
        self.words.next();
        self.expect("(", "(")?;
        let mut sizes = Vec::new();
        loop {
            match self.words.peek() {
                "[" | "(" => break,
                "ZZ" | "QQ" | "RR" | "RDF" => {
                    self.words.next();
                }
                "GF" | "FiniteField" | "Zmod" | "Integers" | "IntegerModRing" => {
                    self.words.next();
                    self.expect("(", "( and the number of elements")?;
                    self.modulus()?;
                    self.expect(")", ") after the number of elements")?;
                }
                word => match word.parse::<usize>() {
                    Ok(size) if sizes.len() < 2 => {
                        self.words.next();
                        sizes.push(size);
                    }
                    _ => return Err(self.fault("a ring such as GF(7) or ZZ, rows and columns, or a list")),
                },
            }
            self.expect(",", "a comma")?;
        }
        self.list(true)?;
        let line = self.words.line;
        self.expect(")", ") after the list")?;
        let len = self.found.entries.len();
        if let (Some(&rows), true) = (sizes.first(), self.found.rows == 1) {
            let columns = sizes.get(1).copied().unwrap_or(len / rows.max(1));
            if rows.checked_mul(columns) != Some(len) {
                return Err((line, LineFault::Entries { given: len, rows, columns }));
            }
            self.found.entries.iter_mut().enumerate().for_each(|(i, entry)| entry.row = i / columns.max(1));
            self.found.rows = rows;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of words joined by blanks, and the modulus.
    fn rows(text: &str) -> Result<(Vec<String>, Option<u64>), String> {
        assert!(is_bracketed(text), "{text}");
        let found = read(text).map_err(|(line, fault)| format!("{line}: {fault}"))?;
        let mut rows = vec![Vec::new(); found.rows];
        found.entries.iter().for_each(|entry| rows[entry.row].push(entry.word));
        Ok((rows.into_iter().map(|row| row.join(" ")).collect(), found.modulus.map(|(modulus, _)| modulus)))
    }

    fn of(expected: &[&str], modulus: Option<u64>) -> (Vec<String>, Option<u64>) {
        (expected.iter().map(|row| (*row).to_owned()).collect(), modulus)
    }

    #[test]
    fn forms_of_sage_and_pari() {
        assert_eq!(rows("[1, 2, 3]"), Ok(of(&["1 2 3"], None)));
        assert_eq!(rows("[1, -2, 3]~\n"), Ok(of(&["1 -2 3"], None)));
        assert_eq!(rows("(1, 2, 3)"), Ok(of(&["1 2 3"], None)));
        assert_eq!(rows("[1, 2; 3, 4]"), Ok(of(&["1 2", "3 4"], None)));
        assert_eq!(rows("# two\n[[1,2],\n [3,4]]"), Ok(of(&["1 2", "3 4"], None)));
        assert_eq!(rows("[ 1  2]\n[-3 40]\n"), Ok(of(&["1 2", "-3 40"], None)));
        assert_eq!(rows("[]"), Ok(of(&[], None)));
        assert_eq!(rows("[;]"), Ok(of(&[], None)));
        let modulo = |expected: &[&str], modulus| Ok(of(expected, Some(modulus)));
        assert_eq!(rows("[Mod(3, 7), Mod(0, 7); Mod(1,7), Mod(2,7)]"), modulo(&["3 0", "1 2"], 7));
        assert_eq!(rows("matrix(GF(7), [[1,2],[3,4]])"), modulo(&["1 2", "3 4"], 7));
        assert_eq!(rows("matrix(ZZ, 2, 3, [1,2,3,4,5,6])"), Ok(of(&["1 2 3", "4 5 6"], None)));
        assert_eq!(rows("matrix(2, [1,2,3,4])"), Ok(of(&["1 2", "3 4"], None)));
        assert_eq!(rows("vector(Zmod(9001), [1, 2])"), modulo(&["1 2"], 9001));
        assert!(!is_bracketed("1 2 3") && !is_bracketed("") && !is_bracketed("%%MatrixMarket matrix"));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let error = |text: &str| rows(text).unwrap_err();
        assert_eq!(error("[1, 2\n"), "2: the end: expected a number, or the end of a list");
        assert_eq!(error("[1,\n, 2]"), "2: `,`: expected a number before the comma");
        assert_eq!(error("[1] 2"), "1: `2`: expected the end of the text");
        assert_eq!(error("[Mod(1, 7),\nMod(1, 5)]"), "2: numbers modulo 5, where numbers modulo 7 are read");
        assert_eq!(error("[Mod(1; 7)]"), "1: `;`: expected a comma, and the modulus");
        assert_eq!(error("[Mod(1, x)]"), "1: `x`: expected a modulus below 2^64");
        assert_eq!(error("matrix(2, 2, [1,2,3])"), "1: 3 entries of a matrix of 2 rows and 2 columns");
        assert_eq!(error("matrix(GF(7))"), "1: `)`: expected a comma");
        assert_eq!(
            error("matrix(PP, [1])"),
            "1: `PP`: expected a ring such as GF(7) or ZZ, rows and columns, or a list"
        );
        assert_eq!(error("[[1, [2]]]"), "1: `[`: expected a number, or the end of a list");
    }
}
