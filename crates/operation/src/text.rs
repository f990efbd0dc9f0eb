//! Forms of texts that options of several operations have.

use std::ops::Range;

/// Reads a range `A..B`, from A to before B.
///
/// ```
/// assert_eq!(manycore_operation::range("3..9"), Ok(3..9));
/// assert_eq!(manycore_operation::range("3"), Err("\"3\" is no range such as 3..9".to_owned()));
/// ```
///
/// # Errors
/// That a text is none.
pub fn range(text: &str) -> Result<Range<u64>, String> {
    let ends =
        text.split_once("..").and_then(|(start, end)| Some(start.trim().parse().ok()?..end.trim().parse().ok()?));
    ends.ok_or_else(|| format!("\"{text}\" is no range such as 3..9"))
}
