//! Facts as lines of text and as JSON: a name and a value each.

use std::collections::BTreeMap;
use std::fmt::Display;

use manycore_operation::Value;
use serde_json::Value as Json;

/// A name and a value a line.
pub(super) type Lines = Vec<(&'static str, String)>;

/// Facts as a result.
pub(super) fn shown(lines: &[(&'static str, String)], json: Json) -> Value {
    let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0) + 2;
    let lines: Vec<String> = lines.iter().map(|(name, value)| format!("{name:<width$}{value}")).collect();
    Value::Shown { text: lines.join("\n") + "\n", json }
}

/// A truth as text.
pub(super) fn yes(is_so: bool) -> String {
    if is_so { "yes" } else { "no" }.to_owned()
}

/// Numbers with commas between them.
pub(super) fn join(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<String>>().join(", ")
}

/// Values with how often each stands: the first of many.
pub(super) fn counts<K: Display>(counts: &BTreeMap<K, u64>) -> String {
    const MOST: usize = 64;
    let more = if counts.len() > MOST { format!(" and {} more", counts.len() - MOST) } else { String::new() };
    let some = counts.iter().take(MOST).map(|(value, count)| format!("{value}: {count}"));
    some.collect::<Vec<String>>().join(", ") + &more
}
