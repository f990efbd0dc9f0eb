//! Bytes as text: UTF-8 without its byte order mark, and bytes of Latin-1 (ISO 8859-1) where no number stands: in comments, and on
//! the first line, which is the title of some formats.

use std::borrow::Cow;

use crate::error::FileError;
use crate::memory::reserve;

/// The byte order mark of UTF-8 as a character.
const MARK: char = '\u{feff}';

/// The text of bytes, which errors call `file`: UTF-8, of which a byte order mark at the beginning is left. A line with other bytes
/// is taken as Latin-1 where the first of them stands behind `#`, on a line that begins with `%`, or on the first line.
///
/// ```
/// use manycore_files::decode;
/// assert_eq!(decode("\u{feff}1 2".as_bytes(), "x")?, "1 2");
/// assert_eq!(decode(b"1 2 # M\xfcller", "x")?, "1 2 # Müller");
/// assert!(decode(b"1\n\xfc", "x").is_err());
/// # Ok::<(), manycore_files::FileError>(())
/// ```
///
/// # Errors
/// [`FileError::Packed`] for files that are compressed; [`FileError::NotText`] with the line; [`FileError::Memory`].
pub fn decode<'a>(bytes: &'a [u8], file: &str) -> Result<Cow<'a, str>, FileError> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Cow::Borrowed(text.trim_start_matches(MARK))),
        Err(_) => latin(bytes, file).map(Cow::Owned),
    }
}

/// [`decode`] for bytes that are consumed.
pub(crate) fn decode_owned(bytes: Vec<u8>, file: &str) -> Result<String, FileError> {
    match String::from_utf8(bytes) {
        Ok(mut text) => {
            leave_marks(&mut text);
            Ok(text)
        }
        Err(error) => latin(error.as_bytes(), file),
    }
}

/// The text of bytes that are no UTF-8.
fn latin(bytes: &[u8], file: &str) -> Result<String, FileError> {
    let packed =
        [(&b"\x1f\x8b"[..], "gzip"), (b"PK\x03\x04", "zip, as .npz is"), (b"BZh", "bzip2"), (b"\xfd7zXZ", "xz")];
    if let Some((_, form)) = packed.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Err(FileError::Packed { file: file.to_owned(), form });
    }
    // The mark's bytes are no Latin-1.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut text = Vec::new();
    // A byte past ASCII takes two in UTF-8.
    let len = bytes.len() + bytes.iter().filter(|byte| !byte.is_ascii()).count();
    reserve(&mut text, len, || format!("the text of {file}"))?;
    for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        match std::str::from_utf8(line) {
            Ok(line) => text.extend_from_slice(line.as_bytes()),
            Err(error) if is_prose(index, &line[..error.valid_up_to()]) && !line.iter().copied().any(is_binary) => {
                for &byte in line {
                    text.extend_from_slice(char::from(byte).encode_utf8(&mut [0; 2]).as_bytes());
                }
            }
            Err(_) => return Err(FileError::NotText { file: file.to_owned(), line: index + 1 }),
        }
    }
    // Of parts that are UTF-8.
    let mut text = String::from_utf8(text).unwrap_or_default();
    leave_marks(&mut text);
    Ok(text)
}

fn leave_marks(text: &mut String) {
    text.drain(..text.len() - text.trim_start_matches(MARK).len());
}

/// Whether what follows these bytes of a line is no number.
fn is_prose(line: usize, before: &[u8]) -> bool {
    line == 0 || before.contains(&b'#') || before.trim_ascii_start().starts_with(b"%")
}

/// Whether a byte is a control character that no line of a text has.
fn is_binary(byte: u8) -> bool {
    byte.is_ascii_control() && !byte.is_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(bytes: &[u8]) -> String {
        decode(bytes, "x").unwrap_err().to_string()
    }

    #[test]
    fn byte_order_marks_are_left() {
        for owned in [false, true] {
            let text = |bytes: &[u8]| {
                if owned {
                    decode_owned(bytes.to_vec(), "x").unwrap()
                } else {
                    decode(bytes, "x").unwrap().into_owned()
                }
            };
            assert_eq!(text("\u{feff}%%MatrixMarket".as_bytes()), "%%MatrixMarket");
            assert_eq!(text("\u{feff}".as_bytes()), "");
            assert_eq!(text("\u{feff}\u{feff}1".as_bytes()), "1");
            assert_eq!(text("1 \u{feff}".as_bytes()), "1 \u{feff}");
            assert_eq!(text(b"\xef\xbb\xbf%%MatrixMarket\n% \xfc\n"), "%%MatrixMarket\n% ü\n");
            assert_eq!(text(b"\xef\xbb\xbf1 # \xfc\n2"), "1 # ü\n2");
        }
    }

    #[test]
    fn latin_1_is_taken_where_no_number_stands() {
        assert_eq!(decode(b"t\xeft\n1 2 # \xe9\n  % \xff\n", "x").unwrap(), "tït\n1 2 # é\n  % ÿ\n");
        // A line of both encodings is Latin-1.
        assert_eq!(
            decode("1\n# é".as_bytes().iter().chain(b"\xe9").copied().collect::<Vec<_>>().as_slice(), "x").unwrap(),
            "1\n# Ã©é"
        );
        assert_eq!(message(b"1\n2\n\xff"), "x:3: neither text nor a .npy file");
        assert_eq!(message(b"1\n2 \xff # 3"), "x:2: neither text nor a .npy file");
        assert_eq!(message(b"\x7fELF\x01\xff"), "x:1: neither text nor a .npy file");
    }

    #[test]
    fn files_that_are_compressed_are_told() {
        assert_eq!(message(b"\x1f\x8b\x08\0"), "x: compressed by gzip: unpack it first");
        assert_eq!(message(b"PK\x03\x04\xff"), "x: compressed by zip, as .npz is: unpack it first");
    }
}
