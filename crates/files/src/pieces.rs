//! Values of the words of a text, read by all threads: the text is cut at ends of lines into pieces, which threads read in turn, and whose
//! values are put together in their order.
//!
//! A line of plain words is read in one pass over its bytes. Every other line, which may be wrong, is read as [`Text::words`] reads it, so
//! that values and errors are the same.
//!
//! [`Text::words`]: crate::Text::words

use std::io;
use std::ops::Range;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, Builder};

use crate::digits;
use crate::error::FileError;
use crate::fault::LineFault;
use crate::memory::{self, OutOfMemory};
use crate::words::line_words;

/// Bytes of a piece, about. A shorter text than two of them is read by the calling thread.
const PIECE_BYTES: usize = 1 << 20;

/// What words are taken as.
#[derive(Debug)]
pub(crate) struct Values<'a, I, W> {
    /// What errors call the text.
    pub(crate) file: &'a str,
    /// The value of an integer, where that is the one of its words.
    pub(crate) of_integer: I,
    /// The value of a word.
    pub(crate) of_word: W,
}

/// Values of lines.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lines<T> {
    pub(crate) values: Vec<T>,
    /// Lines, those without values among them.
    count: usize,
    /// Lines with values.
    pub(crate) rows: usize,
    /// Values of each of these, where they have as many.
    columns: Option<usize>,
}

impl<T> Lines<T> {
    fn new(values: Vec<T>) -> Self {
        Self { values, count: 0, rows: 0, columns: None }
    }

    /// Whether each line that has values has as many.
    pub(crate) fn is_even(&self) -> bool {
        self.rows == 0 || self.columns.is_some()
    }

    /// Counts `rows` rows of `columns` values each; `None` stands for rows of different lengths.
    #[inline]
    fn add_rows(&mut self, rows: usize, columns: Option<usize>) {
        if rows > 0 {
            self.columns = if self.rows == 0 || self.columns == columns { columns } else { None };
            self.rows += rows;
        }
    }

    /// Appends the lines that follow, and returns the list that had their values.
    fn append(&mut self, mut other: Self) -> Result<Vec<T>, OutOfMemory> {
        memory::room(&mut self.values, other.values.len(), String::new)?;
        self.values.append(&mut other.values);
        self.add_rows(other.rows, other.columns);
        self.count += other.count;
        Ok(other.values)
    }
}

/// A thread that reads pieces.
struct Reader<T> {
    read: Receiver<Result<Lines<T>, FileError>>,
    /// Takes lists back, whose memory is then used again.
    back: Sender<Vec<T>>,
}

impl<T: Send, I: Fn(i128) -> Option<T> + Sync, W: Fn(&str) -> Result<T, LineFault> + Sync> Values<'_, I, W> {
    /// The values of a text without a head and brackets.
    ///
    /// # Errors
    /// The first one of the text, as [`Text::words`](crate::Text::words) gives it; [`FileError::Memory`], whose text says nothing.
    pub(crate) fn read(&self, text: &str) -> Result<Lines<T>, FileError> {
        if text.len() < 2 * PIECE_BYTES {
            return self.piece(text, Vec::new());
        }
        self.cut(text, PIECE_BYTES, thread::available_parallelism().map_or(1, usize::from))
    }

    /// The lines of a text, read by `threads` threads in pieces of about `piece_bytes` bytes.
    fn cut(&self, text: &str, piece_bytes: usize, threads: usize) -> Result<Lines<T>, FileError> {
        let pieces = cuts(text.as_bytes(), piece_bytes);
        let threads = threads.clamp(1, pieces.len().max(1));
        thread::scope(|scope| {
            let pieces = &pieces;
            let start = |first: usize| -> io::Result<Reader<T>> {
                // A thread is a piece ahead, and no more: memory stays that of the values.
                let (sender, read) = mpsc::sync_channel(1);
                let (back, emptied) = mpsc::channel();
                let work = move || {
                    for piece in pieces.iter().skip(first).step_by(threads) {
                        let room = emptied.try_recv().unwrap_or_default();
                        let read = self.piece(text.get(piece.clone()).unwrap_or_default(), room);
                        // Nobody waits for what follows an error.
                        if read.is_err() | sender.send(read).is_err() {
                            return;
                        }
                    }
                };
                Builder::new().spawn_scoped(scope, work)?;
                Ok(Reader { read, back })
            };
            // The system may have no more threads.
            let Ok(readers) = (0..threads).map(start).collect::<io::Result<Vec<_>>>() else {
                return self.piece(text, Vec::new());
            };
            let mut all = Lines::new(Vec::new());
            for reader in (0..pieces.len()).filter_map(|piece| readers.get(piece % threads)) {
                // A thread that panics makes the scope panic.
                let Ok(read) = reader.read.recv() else { break };
                let lines = all.count;
                let room = all.append(read.map_err(|error| moved(error, lines))?)?;
                // A thread that is done needs none.
                let _ = reader.back.send(room);
            }
            Ok(all)
        })
    }

    /// The values of a piece, in a list that is empty.
    fn piece(&self, text: &str, values: Vec<T>) -> Result<Lines<T>, FileError> {
        let mut piece = Lines::new(values);
        let (bytes, mut at) = (text.as_bytes(), 0);
        while at < bytes.len() {
            let (begin, first) = (at, piece.values.len());
            at = if let Some(end) = self.plain_line(text, begin, &mut piece.values) {
                end
            } else {
                piece.values.truncate(first);
                let end = line_end(bytes, begin);
                let line = text.get(begin..end).and_then(|line| line.lines().next()).unwrap_or_default();
                self.line(line, piece.count + 1, &mut piece.values)?;
                end
            };
            piece.count += 1;
            let columns = piece.values.len() - first;
            piece.add_rows(usize::from(columns > 0), Some(columns));
        }
        Ok(piece)
    }

    /// Appends the values of any line.
    fn line(&self, line: &str, number: usize, values: &mut Vec<T>) -> Result<(), FileError> {
        line_words(line, number, self.file, &mut |number, word: &str| {
            let value = (self.of_word)(word).map_err(|reason| {
                let reason = Box::new(reason);
                FileError::Line { file: self.file.to_owned(), line: number, reason }
            })?;
            Ok(memory::push(values, value, String::new)?)
        })
    }

    /// Appends the values of the line that begins there, and returns where the next one begins. None for a line that is wrong, or that
    /// has other characters than those of ASCII before its comment: some of its values are appended then.
    #[inline]
    fn plain_line(&self, text: &str, begin: usize, values: &mut Vec<T>) -> Option<usize> {
        let (bytes, mut at, mut has_word) = (text.as_bytes(), begin, false);
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'\n' => return Some(at + 1),
                b'#' => return Some(line_end(bytes, at)),
                b',' if has_word => (at, has_word) = (at + 1, false),
                b',' => return None,
                byte if is_separator(*byte) => at += 1,
                _ => {
                    let (value, end) = self.plain_word(text, at)?;
                    memory::push(values, value, String::new).ok()?;
                    (at, has_word) = (end, true);
                }
            }
        }
        Some(at)
    }

    /// The value of the word that begins there, and its end.
    #[inline]
    fn plain_word(&self, text: &str, begin: usize) -> Option<(T, usize)> {
        let rest = text.as_bytes().get(begin..)?;
        if let Some((integer, len)) = digits::integer(rest)
            && rest.get(len).is_none_or(|&byte| is_separator(byte))
            && let Some(value) = (self.of_integer)(integer)
        {
            return Some((value, begin + len));
        }
        let len = rest.iter().position(|&byte| ENDS[usize::from(byte)]).unwrap_or(rest.len());
        if rest.get(len).is_some_and(|byte| !byte.is_ascii()) {
            return None;
        }
        let value = (self.of_word)(text.get(begin..begin + len)?).ok()?;
        Some((value, begin + len))
    }
}

/// Whether a byte ends a word: white space, a comma, or the beginning of a comment.
#[inline]
const fn is_separator(byte: u8) -> bool {
    matches!(byte, b'\n' | b' ' | b',' | b'\t' | b'\r' | b'#' | 0x0b | 0x0c)
}

/// Whether a byte stands in no plain word.
static ENDS: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0u8;
    while byte < u8::MAX {
        ends[byte as usize] = is_separator(byte) || !byte.is_ascii();
        byte += 1;
    }
    ends[u8::MAX as usize] = true;
    ends
};

/// Where the line that a byte is in ends, with its line feed.
fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes.iter().skip(at).position(|&byte| byte == b'\n').map_or(bytes.len(), |len| at + len + 1)
}

/// Pieces of whole lines, each of at least `piece_bytes` bytes except the last.
fn cuts(bytes: &[u8], piece_bytes: usize) -> Vec<Range<usize>> {
    let (mut pieces, mut begin) = (Vec::new(), 0);
    while begin < bytes.len() {
        let least = begin.saturating_add(piece_bytes.max(1));
        let end = if least < bytes.len() { line_end(bytes, least - 1) } else { bytes.len() };
        pieces.push(begin..end);
        begin = end;
    }
    pieces
}

/// The error with its line number raised by `lines`, the lines before the piece.
fn moved(mut error: FileError, lines: usize) -> FileError {
    if let FileError::Line { line, .. } | FileError::Comma { line, .. } = &mut error {
        *line += lines;
    }
    error
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{NotFinite, Number, Numeral};

    /// The values of a text, its number of rows, and whether rows have equal lengths, as read line by line.
    type Read<T> = Result<(Vec<T>, usize, bool), String>;

    fn of_integer<T: Numeral>(integer: i128) -> Option<T> {
        T::of_number(Number::Integer(integer), NotFinite::Taken).ok()
    }

    fn of_word<T: Numeral>(word: &str) -> Result<T, LineFault> {
        T::of_word(word, NotFinite::Taken)
    }

    fn in_pieces<T: Numeral>(text: &str, piece_bytes: usize, threads: usize) -> Read<T> {
        let values = Values { file: "x", of_integer: of_integer::<T>, of_word: of_word::<T> };
        let read = if threads == 0 { values.piece(text, Vec::new()) } else { values.cut(text, piece_bytes, threads) };
        match read {
            Ok(lines) => {
                assert_eq!(lines.count, text.lines().count());
                let is_even = lines.is_even();
                Ok((lines.values, lines.rows, is_even))
            }
            Err(error) => Err(error.to_string()),
        }
    }

    fn by_lines<T: Numeral>(text: &str) -> Read<T> {
        let (mut values, mut rows) = (Vec::new(), Vec::new());
        for (index, line) in text.lines().enumerate() {
            let first = values.len();
            let taken = line_words(line, index + 1, "x", &mut |line, word: &str| {
                let value = of_word(word).map_err(|reason| {
                    let (file, reason) = ("x".to_owned(), Box::new(reason));
                    FileError::Line { file, line, reason }
                })?;
                values.push(value);
                Ok::<(), FileError>(())
            });
            taken.map_err(|error| error.to_string())?;
            rows.extend((values.len() > first).then(|| values.len() - first));
        }
        let is_even = rows.iter().all(|&row| row == rows[0]);
        Ok((values, rows.len(), is_even))
    }

    /// Both readings have the same text: of floating point bits count, and NaN is no number of its own.
    fn agrees<T: Numeral>(text: &str, piece_bytes: usize, threads: usize) -> Result<(), TestCaseError> {
        let (read, expected) = (in_pieces::<T>(text, piece_bytes, threads), by_lines::<T>(text));
        prop_assert_eq!(format!("{read:?}"), format!("{expected:?}"), "{:?} as {}", text, T::NAME);
        Ok(())
    }

    /// Texts of lines with few values or many, most of them plain.
    fn texts(wrong: bool) -> impl Strategy<Value = String> {
        let plain = prop_oneof![
            6 => "-?[0-9]{1,9}",
            2 => "-?[0-9]{7,22}",
            2 => "[+-]?[0-9]{0,3}[.][0-9]{1,17}",
            1 => "[+-]?[0-9]{1,3}([.][0-9]?)?[eEdD][+-]?[0-9]{1,3}",
            1 => prop::sample::select(vec!["-0", "0", "00", "+7", "3.0", "inf", "-nan", "1e400", "18446744073709551615"])
                .prop_map(str::to_owned),
        ];
        let word = if wrong { prop_oneof![20 => plain, 1 => "[x.,+#é\u{a0}-]{1,3}"].boxed() } else { plain.boxed() };
        let separator = prop_oneof![
            8 => Just(" "), 4 => Just(","), 4 => Just("\n"), 2 => Just("\r\n"), 1 => Just(" , "), 1 => Just("\t"), 1 => Just("\n\n"),
            1 => Just(",\n"), 1 => Just("\r"), 1 => Just("\u{a0}"), 1 => Just("\u{2003}\u{b}\u{c}"), 1 => Just("# é, 1\n"), 1 => Just(" #\n"),
            1 => Just("\n#\r\n"),
        ];
        let words = prop::collection::vec((word, separator), 0..40);
        (prop_oneof![3 => Just(""), 1 => Just("\n"), 1 => Just("# a\n"), 1 => Just(" ")], words, any::<bool>())
            .prop_map(|(head, words, ends)| {
                let mut text = head.to_owned();
                for (index, (word, separator)) in words.iter().enumerate() {
                    text += word;
                    text += if ends || index + 1 < words.len() { separator } else { "" };
                }
                text
            })
    }

    proptest! {
        #[test]
        fn pieces_of_any_size_are_the_text(
            text in any::<bool>().prop_flat_map(texts),
            piece_bytes in 1usize..60,
            threads in 0usize..5,
        ) {
            agrees::<i32>(&text, piece_bytes, threads)?;
            agrees::<u32>(&text, piece_bytes, threads)?;
            agrees::<i64>(&text, piece_bytes, threads)?;
            agrees::<u64>(&text, piece_bytes, threads)?;
            agrees::<f32>(&text, piece_bytes, threads)?;
            agrees::<f64>(&text, piece_bytes, threads)?;
        }

        #[test]
        fn rows_are_even_or_not(
            rows in prop::collection::vec(1usize..4, 0..12),
            even in any::<bool>(),
            piece_bytes in 1usize..20,
            threads in 0usize..4,
        ) {
            let line = |&len: &usize| vec!["12"; if even { 2 } else { len }].join(" ") + "\n";
            let text: String = rows.iter().map(line).collect();
            agrees::<i64>(&text, piece_bytes, threads)?;
        }

        #[test]
        fn any_characters(text in "[0-9 ,#.\r\n\t\u{85}\u{feff}é+-]{0,60}|\\PC{0,40}", piece_bytes in 1usize..10) {
            agrees::<i64>(&text, piece_bytes, 3)?;
            agrees::<f64>(&text, piece_bytes, 2)?;
        }
    }

    #[test]
    fn pieces_end_with_lines() {
        let cut = |text: &str, piece_bytes| cuts(text.as_bytes(), piece_bytes);
        assert_eq!(cut("1\n2\n33\n4", 2), [0..2, 2..4, 4..7, 7..8]);
        assert_eq!(cut("1\n2\n33\n4", 3), [0..4, 4..7, 7..8]);
        assert_eq!(cut("\n\n", 0), [0..1, 1..2]);
        assert_eq!(cut("11111\n2", 2), [0..6, 6..7]);
        assert!(cut("", 1).is_empty());
    }

    #[test]
    fn the_first_fault_of_a_long_text_is_told() {
        let mut text = "12345678901\n".repeat(3 * PIECE_BYTES / 12);
        let lines = text.lines().count();
        let values = Values { file: "x", of_integer: of_integer::<u64>, of_word: of_word::<u64> };
        assert_eq!(values.read(&text).unwrap().values, vec![12_345_678_901; lines]);
        text += "1,,2\n-1\n";
        assert_eq!(values.read(&text).unwrap_err().to_string(), format!("x:{}: no number before comma 2", lines + 1));
        text.insert_str(12 * (lines / 2), "-7\n");
        let message = format!("x:{}: -7 is out of the range of u64", lines / 2 + 1);
        assert_eq!(values.read(&text).unwrap_err().to_string(), message);
    }
}
