//! Assembled matrices of the Harwell-Boeing collection: compressed columns in fixed columns of characters.
//!
//! | line | what |
//! |---|---|
//! | 1 | title and key |
//! | 2 | numbers of lines: all, pointers, indices, values, right sides |
//! | 3 | type, rows, columns, entries, 0; the type has a letter for the values (R, C, I, P), one for the symmetry (U, S, Z, H, R) and A |
//! | 4 | formats of pointers, indices, values, right sides |
//! | 5 | only with right sides, which are not read |
//! | then | the pointer of each column among the entries, from 1, and one past the last; the row of each entry; its value |

use super::emit::{Emitter, MatrixEntry};
use super::fortran::{Fields, Section};
use super::head::{MatrixFormat, MatrixHead, MatrixKind, Symmetry};
use super::lines::Lines;
use super::value::EntryValue;
use crate::error::FileError;
use crate::fault::LineFault;
use crate::memory::push;
use crate::shown::shown;

/// The formats of the sections.
#[derive(Debug)]
pub(super) struct Cards {
    pointers: Fields,
    indices: Fields,
    /// `None` where there are places alone.
    values: Option<Fields>,
}

/// Reads the first four or five lines.
pub(super) fn head(lines: &mut Lines<'_>) -> Result<(MatrixHead, Cards), FileError> {
    lines.any();
    let counts = numbers(lines, 4, "numbers of all lines and of those of pointers, indices and values")?;
    let (value_lines, right_lines) = (counts[3], counts.get(4).copied().unwrap_or(0));
    let mut words = lines.any().unwrap_or_default().split_whitespace();
    let letters = words.next().unwrap_or_default();
    let (kind, symmetry) = kinds(letters, value_lines).map_err(|fault| lines.wrong(fault))?;
    let line = lines.line();
    let expected = "type, rows, columns and entries";
    let words: Vec<&str> = words.collect();
    let [rows, columns, stored] = *words.get(..3).unwrap_or_default() else {
        return Err(lines.wrong(LineFault::Words { given: words.len() + 1, expected }));
    };
    let (rows, columns, stored) = (lines.count(rows)?, lines.count(columns)?, lines.count(stored)?);
    let (whole_rows, whole_columns) = lines.sizes(rows, columns)?;
    if symmetry != Symmetry::General && rows != columns {
        return Err(lines.wrong(LineFault::NotSquare { rows, columns, symmetry: symmetry.name() }));
    }
    let cards = formats(lines, kind)?;
    if right_lines > 0 {
        lines.any();
    }
    let (format, stored) = (MatrixFormat::HarwellBoeing, Some(stored));
    let head = MatrixHead { format, rows: whole_rows, columns: whole_columns, stored, kind, symmetry, line };
    Ok((head, cards))
}

/// The numbers of the next line, at least `least` of them.
fn numbers(lines: &mut Lines<'_>, least: usize, expected: &'static str) -> Result<Vec<u64>, FileError> {
    let words = lines.any().unwrap_or_default().split_whitespace();
    let counts = words.map(|word| lines.count(word)).collect::<Result<Vec<_>, _>>()?;
    if counts.len() < least {
        return Err(lines.wrong(LineFault::Words { given: counts.len(), expected }));
    }
    Ok(counts)
}

/// Values and symmetry of a type. Real matrices without lines of values are patterns.
fn kinds(letters: &str, value_lines: u64) -> Result<(MatrixKind, Symmetry), LineFault> {
    let wrong = |expected| LineFault::Type { found: shown(letters), expected };
    let upper = letters.to_ascii_uppercase();
    let &[values, symmetry, assembled] = upper.as_bytes() else {
        return Err(wrong("a type has three letters"));
    };
    if assembled != b'A' {
        return Err(wrong("assembled matrices are, whose type ends with A"));
    }
    let kind = match values {
        _ if value_lines == 0 => MatrixKind::Pattern,
        b'R' => MatrixKind::Real,
        b'C' => MatrixKind::Complex,
        b'I' => MatrixKind::Integer,
        b'P' => MatrixKind::Pattern,
        _ => return Err(wrong("types begin with R, C, I or P")),
    };
    let symmetry = match (symmetry, kind) {
        (b'U' | b'R', _) => Symmetry::General,
        (b'S', _) => Symmetry::Symmetric,
        (b'Z', MatrixKind::Real | MatrixKind::Integer | MatrixKind::Complex) => Symmetry::SkewSymmetric,
        (b'H', MatrixKind::Complex) => Symmetry::Hermitian,
        (b'Z' | b'H', _) => return Err(wrong("patterns are general or symmetric, and Hermitian matrices complex")),
        _ => return Err(wrong("the second letter is U, S, Z, H or R")),
    };
    Ok((kind, symmetry))
}

/// The formats of line 4, each in its parentheses.
fn formats(lines: &mut Lines<'_>, kind: MatrixKind) -> Result<Cards, FileError> {
    let line = lines.any().unwrap_or_default();
    let mut rest = line;
    let mut next = |integers: bool| {
        let expected = if integers { "integers, such as (10I8)" } else { "numbers, such as (5E16.8) or (4D20.12)" };
        let begin = rest.find('(').unwrap_or(rest.len());
        let end = begin + closed(&rest[begin..]);
        let format = &rest[begin..end];
        rest = &rest[end..];
        let fields = Fields::parse(format).filter(|fields| fields.is_integer || !integers);
        fields
            .ok_or_else(|| LineFault::Format { found: shown(if format.is_empty() { line } else { format }), expected })
    };
    let mut all = || {
        let (pointers, indices) = (next(true)?, next(true)?);
        let values = if kind == MatrixKind::Pattern { None } else { Some(next(kind == MatrixKind::Integer)?) };
        Ok(Cards { pointers, indices, values })
    };
    all().map_err(|fault| lines.wrong(fault))
}

/// The bytes of a text up to the parenthesis that closes the first; all where none does.
fn closed(text: &str) -> usize {
    let mut open = 0usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => open += 1,
            ')' => open = open.saturating_sub(1),
            _ => {}
        }
        if letter == ')' && open == 0 {
            return at + 1;
        }
    }
    text.len()
}

/// Reads pointers, indices and values.
pub(super) fn entries<T: EntryValue, E: From<FileError>, F>(
    head: &MatrixHead,
    cards: &Cards,
    lines: &mut Lines<'_>,
    emitter: &mut Emitter<F>,
) -> Result<(), E>
where
    F: FnMut(MatrixEntry<T>) -> Result<(), E>,
{
    let stored = head.stored.unwrap_or_default();
    let starts = pointers(head, cards.pointers, lines)?;
    // Columns of the entries, one after the other.
    let columns =
        || starts.windows(2).enumerate().flat_map(|(column, pair)| (pair[0]..pair[1]).map(move |_| column as u32));
    let file = lines.file();
    let mut rows = Vec::new();
    let mut section = Section::new(lines, cards.indices, "row indices", stored);
    for column in columns() {
        let word = section.next()?;
        let row = section.lines().index(word, "row", head.rows)?;
        emitter.place(section.lines(), row, column)?;
        if cards.values.is_some() {
            push(&mut rows, row, || format!("the rows of {file}")).map_err(FileError::from)?;
        } else {
            emitter.entry(section.lines(), (row, column), &[])?;
        }
    }
    let Some(fields) = cards.values else { return Ok(()) };
    let words = if head.kind == MatrixKind::Complex { 2 } else { 1 };
    let mut section = Section::new(lines, fields, "values", stored.saturating_mul(words));
    for (row, column) in rows.into_iter().zip(columns()) {
        let first = section.next()?;
        let first = fields.word(first);
        if words == 1 {
            emitter.entry(section.lines(), (row, column), &[&first])?;
        } else {
            let second = section.next()?;
            emitter.entry(section.lines(), (row, column), &[&first, &fields.word(second)])?;
        }
    }
    Ok(())
}

/// Where each column begins among the entries, from 1, and one past the last.
fn pointers(head: &MatrixHead, fields: Fields, lines: &mut Lines<'_>) -> Result<Vec<u64>, FileError> {
    let most = head.stored.unwrap_or_default().saturating_add(1);
    let file = lines.file();
    let mut section = Section::new(lines, fields, "pointers", head.columns as u64 + 1);
    let mut starts = Vec::new();
    for index in 0..=head.columns {
        let word = section.next()?;
        let found = section.lines().count(word)?;
        let least = if index == head.columns { most } else { starts.last().copied().unwrap_or(1) };
        let most = if index == 0 { 1 } else { most };
        if !(least..=most).contains(&found) {
            let index = index as u64 + 1;
            return Err(section.lines().wrong(LineFault::Pointer { index, found, least, most }));
        }
        push(&mut starts, found, || format!("the pointers of {file}"))?;
    }
    Ok(starts)
}
