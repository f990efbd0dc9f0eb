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

/// A text without characters that move the cursor, begin the commands of a terminal, change the order of others or are not seen:
/// control characters, line separators, the marks of writing directions and characters of no width stand as escapes such as `\n`
/// and `\u{1b}`.
///
/// ```
/// assert_eq!(manycore_files::escaped("\u{200b}1"), "\\u{200b}1");
/// ```
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() || is_unseen(character) {
            escaped.extend(character.escape_default());
        } else {
            escaped.push(character);
        }
    }
    escaped
}

/// Whether a character is a separator of lines, a mark of a writing direction, or has no width and no form of its own: Unicode's
/// default ignorable characters.
fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// A number and what it counts, one or several of them: `1 part`, `0 parts`, `2 entries`, `3 matrices`.
pub fn counted(count: impl TryInto<u128>, noun: &str) -> String {
    // No count is negative.
    let count = count.try_into().unwrap_or(u128::MAX);
    if count == 1 {
        return format!("1 {noun}");
    }
    let many = match noun {
        _ if noun.ends_with("ix") => format!("{}ices", &noun[..noun.len() - 2]),
        _ if noun.ends_with('s') => format!("{noun}es"),
        _ if noun.ends_with('y') => format!("{}ies", &noun[..noun.len() - 1]),
        _ => format!("{noun}s"),
    };
    format!("{count} {many}")
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
            ("\u{200b}1\u{feff}2\u{ad}", "\\u{200b}1\\u{feff}2\\u{ad}"),
            ("tab\t\r\n", "tab\\t\\r\\n"),
            ("back\\slash and \"quotes\" ∑", "back\\slash and \"quotes\" ∑"),
        ] {
            assert_eq!(escaped(text), expected);
            assert_eq!(escaped(expected), expected);
        }
    }

    #[test]
    fn one_is_singular() {
        let told = ["part", "entry", "matrix", "miss"].map(|noun| [0usize, 1, 2].map(|count| counted(count, noun)));
        assert_eq!(told[0], ["0 parts", "1 part", "2 parts"]);
        assert_eq!(told[1], ["0 entries", "1 entry", "2 entries"]);
        assert_eq!(told[2], ["0 matrices", "1 matrix", "2 matrices"]);
        assert_eq!(told[3], ["0 misses", "1 miss", "2 misses"]);
    }
}
