//! Text of others in messages: cut, and without what a terminal would obey.

use std::path::Path;

/// The most characters of a value, a word or a name that a message quotes.
pub const MOST_QUOTED: usize = 200;

/// A text as messages quote it: at most [`MOST_QUOTED`] characters and an ellipsis, escaped as [`escaped`] does.
///
/// ```
/// use manycore_files::shown;
///
/// assert_eq!(shown("1.5"), "1.5");
/// assert_eq!(shown("a\u{1b}[2J\n"), "a\\u{1b}[2J\\n");
/// assert_eq!(shown(&"7".repeat(1000)), format!("{}…", "7".repeat(200)));
/// ```
pub fn shown(text: &str) -> String {
    match text.char_indices().nth(MOST_QUOTED) {
        None => escaped(text),
        Some((end, _)) => escaped(&text[..end]) + "…",
    }
}

/// A path as messages quote it: escaped, and of a long one the last [`MOST_QUOTED`] characters behind an ellipsis.
pub fn shown_path(path: impl AsRef<Path>) -> String {
    let text = path.as_ref().to_string_lossy();
    match text.char_indices().rev().nth(MOST_QUOTED - 1) {
        Some((start, _)) if start > 0 => format!("…{}", escaped(&text[start..])),
        _ => escaped(&text),
    }
}

/// A text without characters that move the cursor, begin the commands of a terminal or change the order of others: control
/// characters, line separators and the marks of writing directions stand as escapes such as `\n` and `\u{1b}`.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        let obeyed = character.is_control()
            || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if obeyed {
            escaped.extend(character.escape_default());
        } else {
            escaped.push(character);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_at_characters() {
        assert_eq!(shown(&"é".repeat(200)), "é".repeat(200));
        assert_eq!(shown(&"é".repeat(201)), "é".repeat(200) + "…");
        assert_eq!(shown_path("a".repeat(200)), "a".repeat(200));
        assert_eq!(shown_path("b".to_owned() + &"a".repeat(200)), "…".to_owned() + &"a".repeat(200));
        assert_eq!(shown_path("x\ny"), "x\\ny");
    }

    #[test]
    fn what_terminals_obey_is_escaped_once() {
        for (text, expected) in [
            ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
            ("\u{9b}2J", "\\u{9b}2J"),
            ("a\u{202e}b\u{2066}", "a\\u{202e}b\\u{2066}"),
            ("tab\t\r\n", "tab\\t\\r\\n"),
            ("back\\slash and \"quotes\" ∑", "back\\slash and \"quotes\" ∑"),
        ] {
            assert_eq!(escaped(text), expected);
            assert_eq!(escaped(expected), expected);
        }
    }
}
