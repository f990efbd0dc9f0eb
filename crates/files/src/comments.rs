//! Texts without their comments.

use crate::memory::{OutOfMemory, reserve};

/// The same text with a space for each character of a comment, and without white space at the end.
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
