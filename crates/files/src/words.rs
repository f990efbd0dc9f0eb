//! Words of lines, and texts without their comments.

use crate::error::FileError;
use crate::memory::{OutOfMemory, reserve};

/// The text with a space for each character of a comment, and without white space at the end.
///
/// # Errors
/// [`OutOfMemory`].
pub fn without_comments(text: String, file: &str) -> Result<String, OutOfMemory> {
    let mut text = if text.contains('#') {
        let mut plain = Vec::new();
        reserve(&mut plain, text.len(), || format!("the text of {file}"))?;
        for line in text.split_inclusive('\n') {
            let (values, comment) = line.split_at(line.find('#').unwrap_or(line.len()));
            plain.extend_from_slice(values.as_bytes());
            plain.extend(comment.chars().map(|c| if c == '\n' { b'\n' } else { b' ' }));
        }
        String::from_utf8(plain).unwrap_or_default()
    } else {
        text
    };
    text.truncate(text.trim_end().len());
    Ok(text)
}

/// Calls `take` for each word of a line with the line's number, from 1, for errors of `file`.
///
/// # Errors
/// [`FileError::Comma`]; those of `take`, which end the reading.
pub(crate) fn line_words<'a, E: From<FileError>>(
    line: &'a str,
    number: usize,
    file: &str,
    take: &mut impl FnMut(usize, &'a str) -> Result<(), E>,
) -> Result<(), E> {
    let values = line.split_once('#').map_or(line, |(values, _)| values);
    let commas = values.bytes().filter(|&byte| byte == b',').count();
    for (field, content) in values.split(',').enumerate() {
        let mut words = content.split_whitespace().peekable();
        // A comma may end a line, but a value left out would shift those after it.
        if words.peek().is_none() && field < commas {
            return Err(FileError::Comma { file: file.to_owned(), line: number, comma: field + 1 }.into());
        }
        words.try_for_each(|word| take(number, word))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_become_white_space() {
        let plain = |text: &str| without_comments(text.to_owned(), "x").unwrap();
        assert_eq!(plain("01 # é#\n1# end\n\n"), "01     \n1");
        assert_eq!(plain("# \n"), "");
        assert_eq!(plain("01\n10 \n"), "01\n10");
    }
}
