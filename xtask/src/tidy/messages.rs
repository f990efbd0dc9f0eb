//! All messages of errors in the form of the book's tables, read from the attributes that declare them: `#[error("...")]`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::source::{Findings, SourceFile};

/// A message: where it is declared, and its text with places for values in braces.
#[derive(Debug, PartialEq, Eq)]
struct Message {
    /// The type, and the variant where it has one.
    name: String,
    text: String,
}

/// The messages of a file in their order.
fn of_file(text: &str) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut rest = text;
    let mut owner = String::new();
    while let Some(at) = rest.find("#[error(") {
        for line in rest[..at].lines() {
            if let Some(name) = declared(line) {
                name.clone_into(&mut owner);
            }
        }
        rest = &rest[at + "#[error(".len()..];
        let Some((text, after)) = literal(rest.trim_start()) else { continue };
        rest = after;
        let lines = || after.lines().skip(1).map(str::trim);
        let Some(line) =
            lines().find(|line| declared(line).is_some() || line.starts_with(|c: char| c.is_ascii_uppercase()))
        else {
            continue;
        };
        let end = line.find(|c: char| !c.is_alphanumeric()).unwrap_or(line.len());
        let name = declared(line).map_or_else(|| format!("{owner}::{}", &line[..end]), str::to_owned);
        messages.push(Message { name, text });
    }
    messages
}

/// The name of the type that a line declares.
fn declared(line: &str) -> Option<&str> {
    let line = line.trim();
    let at = ["enum ", "struct "].iter().find_map(|word| {
        let (before, after) = line.split_once(word)?;
        (before.is_empty() || before.starts_with("pub")).then_some(after)
    })?;
    let end = at.find(|c: char| !c.is_alphanumeric()).unwrap_or(at.len());
    (end > 0).then(|| &at[..end])
}

/// The string literal that a text begins with, and what follows it.
fn literal(text: &str) -> Option<(String, &str)> {
    let inside = text.strip_prefix('"')?;
    let mut value = String::new();
    let mut letters = inside.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((value, &inside[at + 1..])),
            '\\' => match letters.next()?.1 {
                '\n' => {
                    let indented = letters.as_str();
                    let skipped = indented.len() - indented.trim_start().len();
                    letters.by_ref().take(indented[..skipped].chars().count()).for_each(drop);
                }
                other => value.push(other),
            },
            letter => value.push(letter),
        }
    }
    None
}

/// Crates whose messages no user of the library or the program sees.
const INNER: [&str; 3] = ["soak", "opencl-faults", "model"];

fn of_crates(files: &[SourceFile]) -> BTreeMap<&str, Vec<Message>> {
    let mut all: BTreeMap<&str, Vec<Message>> = BTreeMap::new();
    for file in files.iter().filter(|file| Path::new(&file.path).extension().is_some_and(|extension| extension == "rs"))
    {
        let Some(name) = file.path.strip_prefix("crates/").and_then(|rest| rest.split_once("/src/")) else { continue };
        let messages = of_file(&file.text);
        if !messages.is_empty() && !INNER.contains(&name.0) {
            all.entry(name.0).or_default().extend(messages);
        }
    }
    all
}

/// The book's tables of messages, one for each crate.
pub(super) fn tables(files: &[SourceFile]) -> String {
    let mut text = String::new();
    for (name, messages) in of_crates(files) {
        // Writing to a string does not fail.
        let _ = writeln!(text, "\n## `{name}`\n\n| error | message |\n|---|---|");
        for Message { name, text: message } in messages {
            let _ = writeln!(text, "| `{name}` | `` {} `` |", message.replace('|', "\\|"));
        }
    }
    text + "\n"
}

/// A message is one line, a part of a sentence: without a full stop, which the program puts nothing behind.
pub(super) fn check(files: &[SourceFile], findings: &mut Findings) {
    for (name, messages) in of_crates(files) {
        for Message { name: error, text } in messages {
            if text.contains('\n') || text.ends_with('.') || text.starts_with(' ') || text.ends_with(' ') {
                findings
                    .faults
                    .push(format!("{name}: the message of {error} is no line without a full stop: {text:?}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Message, of_file};

    #[test]
    fn messages_are_read_from_their_attributes() {
        let text = "pub enum Wrong {\n    /// Short.\n    #[error(\"{n} is \\\"wrong\\\"\")]\n    Short { n: u32 },\n    #[error(transparent)]\n    \
                    Other(#[from] Error),\n    #[error(\n        \"long, \\\n         in two\", n + 1\n    )]\n    /// Long.\n    Long(u32),\n}\n\
                    #[error(\"one\")]\npub struct One;\n";
        let of = |name: &str, text: &str| Message { name: name.into(), text: text.into() };
        let expected = [of("Wrong::Short", "{n} is \"wrong\""), of("Wrong::Long", "long, in two"), of("One", "one")];
        assert_eq!(of_file(text), expected);
    }
}
