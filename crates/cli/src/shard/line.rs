//! A shard as a line of JSON: what was computed of what, the part, how it was computed, and a checksum of the line.
//!
//! ```text
//! {"manycore_shard":1,"program":"0.1.0","command":"matrix det","arguments":["--exact","--",{"input":0}],
//!  "inputs":[{"file":"m.txt","blake3":"9f…"}],"seed":null,"shard":[1,3],"items":5,"range":[0,5,3],
//!  "part_blake3":"1c…","part":{…},"run":{…},"blake3":"e0…"}
//! ```
//!
//! `items` is the number of items of the whole work, and `range` has those of the shard: first, end, step. `blake3` is the hash of the
//! line before it, with a closing brace; `part_blake3` that of the text of the part, by which two results of one shard are compared.

use std::io;

use manycore::files::shown;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::ShardError;
use super::head::{FORMAT, Head, PROGRAM};
use super::run::Run;

/// Where a shard stands in the work.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Span {
    pub(super) items: u64,
    pub(super) range: [u64; 3],
    pub(super) part_blake3: String,
}

/// The part, and how it was computed.
#[derive(Debug, Deserialize)]
pub(super) struct Body<P> {
    pub(super) part: Option<P>,
    pub(super) run: Run,
}

/// What stands before a line's own hash.
const CHECKSUM: &str = r#","blake3":""#;

/// The line of a shard, without the end.
pub(super) fn text<P: Serialize>(
    head: &Head,
    items: u64,
    range: [u64; 3],
    run: &Run,
    part: Option<&P>,
) -> io::Result<String> {
    let part = serde_json::to_string(&part)?;
    let part_blake3 = blake3::hash(part.as_bytes()).to_hex().to_string();
    let span = serde_json::to_string(&Span { items, range, part_blake3 })?;
    let mut line = serde_json::to_string(head)?;
    // Both are objects: the braces between them become a comma.
    line.pop();
    line.push(',');
    line.push_str(&span[1..span.len() - 1]);
    line.push_str(r#","part":"#);
    line.push_str(&part);
    line.push_str(r#","run":"#);
    line.push_str(&serde_json::to_string(run)?);
    line.push('}');
    let checksum = blake3::hash(line.as_bytes());
    line.pop();
    line.push_str(CHECKSUM);
    line.push_str(&checksum.to_hex());
    line.push_str("\"}");
    Ok(line)
}

/// Reads fields as a line of this program, of which they are all behind the version, with a checksum that is made here.
///
/// # Errors
/// [`ShardError::Damaged`].
pub(crate) fn looked_at(fields: &str, place: &str) -> Result<(), ShardError> {
    let line = format!("{{\"manycore_shard\":{FORMAT},\"program\":\"{PROGRAM}\",{fields}");
    let checksum = blake3::hash(format!("{line}}}").as_bytes()).to_hex();
    read(&format!("{line}{CHECKSUM}{checksum}\"}}"), place).map(drop)
}

/// Reads what a line is of; `place` is its file and line.
///
/// # Errors
/// [`ShardError::Damaged`].
pub(super) fn read(line: &str, place: &str) -> Result<(Head, Span), ShardError> {
    #[derive(Deserialize)]
    struct Version {
        manycore_shard: u32,
    }
    let damaged = |reason: String| ShardError::Damaged { place: place.to_owned(), reason };
    let none = || damaged("no line of a shard".to_owned());
    if !line.starts_with(r#"{"manycore_shard":"#) {
        return Err(none());
    }
    let hashed = line.rfind(CHECKSUM).and_then(|end| {
        let hash = line[end + CHECKSUM.len()..].strip_suffix("\"}")?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&line.as_bytes()[..end]).update(b"}");
        (hasher.finalize().to_hex().as_str() == hash).then_some(())
    });
    if hashed.is_none() {
        return Err(damaged("damaged: its checksum is not that of the line".to_owned()));
    }
    let Version { manycore_shard } = serde_json::from_str(line).map_err(|_| none())?;
    if manycore_shard != FORMAT {
        return Err(damaged(format!("its form is version {manycore_shard}, and this program reads version {FORMAT}")));
    }
    let head: Head = fields(line, place)?;
    if head.program != PROGRAM {
        let program = shown(&head.program);
        return Err(damaged(format!("written by version {program} of the program, and this is {PROGRAM}")));
    }
    Ok((head, fields(line, place)?))
}

/// Reads fields of a line.
///
/// # Errors
/// [`ShardError::Damaged`].
pub(super) fn fields<T: DeserializeOwned>(line: &str, place: &str) -> Result<T, ShardError> {
    serde_json::from_str(line).map_err(|error| {
        let reason = format!("not the fields of a shard of this command: {}", shown(&error.to_string()));
        ShardError::Damaged { place: place.to_owned(), reason }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_back_and_every_change_is_noticed() {
        let run = Run { seconds: Some(0.125), ..Run::default() };
        let line = text(&Head::sample(), 5, [2, 4, 1], &run, Some(&vec![1, -2])).unwrap();
        let (found, span) = read(&line, "f:1").unwrap();
        assert_eq!(found, Head::sample());
        assert_eq!((span.items, span.range), (5, [2, 4, 1]));
        let body: Body<Vec<i64>> = fields(&line, "f:1").unwrap();
        assert_eq!((body.part, body.run), (Some(vec![1, -2]), run));
        for place in 0..line.len() {
            let mut bytes = line.clone().into_bytes();
            bytes[place] = if bytes[place] == b'7' { b'8' } else { b'7' };
            assert!(read(&String::from_utf8(bytes).unwrap(), "f:1").is_err(), "byte {place}");
            assert!(read(&line[..place], "f:1").is_err(), "cut at {place}");
        }
        assert!(matches!(fields::<Body<String>>(&line, "f:1"), Err(ShardError::Damaged { .. })));
    }
}
