//! Shards from files: whether they are all shards of one work, each once.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use manycore::FileError;
use serde::de::DeserializeOwned;

use super::error::ShardError;
use super::head::{self, Head};
use super::line::{self, Body, Span};
use super::number::Deal;
use super::run::Run;
use crate::error::Error;
use crate::input::{self, InputError};
use crate::output::Report;

/// A line of a file.
struct Entry {
    place: String,
    line: String,
    head: Head,
    span: Span,
}

/// Shards of one work, some of which may be missing.
pub(crate) struct Set {
    /// By their numbers, each once.
    entries: Vec<Entry>,
}

/// All shards of one work, in order.
pub(crate) struct Shards {
    entries: Vec<Entry>,
}

/// What the parts have in common, put together.
pub(crate) struct Merged<P> {
    /// The parts of shards with items, and that of the first one.
    pub(crate) parts: Vec<P>,
    /// How they were computed.
    pub(crate) run: Run,
    /// The places of those whose parts were not checked.
    unchecked: Vec<String>,
}

impl Set {
    /// Reads the lines of these files.
    ///
    /// # Errors
    /// [`Error::Input`] for a file that cannot be read; [`Error::Shard`] for lines that are damaged or that disagree, and for none.
    pub(crate) fn read(files: &[PathBuf]) -> Result<Self, Error> {
        let mut entries: Vec<Entry> = Vec::new();
        for (index, path) in files.iter().enumerate() {
            // Standard input has no second time, and a file that is named twice nothing new.
            if files[..index].contains(path) {
                continue;
            }
            for_each_line(path, |number, line| {
                let place = place(path, number);
                let (head, span) = line::read(&line, &place)?;
                take(&mut entries, Entry { place, line, head, span })
            })?;
        }
        if entries.is_empty() {
            let files: Vec<String> = files.iter().map(|path| input::name(path)).collect();
            return Err(ShardError::None { files: files.join(", ") }.into());
        }
        entries.sort_by_key(|entry| entry.head.shard);
        Ok(Self { entries })
    }

    /// The words of the command line.
    pub(crate) fn words(&self) -> Vec<String> {
        self.entries.first().map(|entry| entry.head.words()).unwrap_or_default()
    }

    /// The error of a shard that is none of the command that it names.
    pub(crate) fn damaged(&self, reason: String) -> Error {
        let place = self.entries.first().map(|entry| entry.place.clone()).unwrap_or_default();
        ShardError::Damaged { place, reason }.into()
    }

    /// All shards, where none is missing.
    ///
    /// # Errors
    /// [`ShardError::Missing`] with their numbers; [`ShardError::Damaged`] for a shard whose items are not those of its number.
    pub(crate) fn complete(self, deal: Deal) -> Result<Shards, ShardError> {
        let Self { entries } = self;
        let count = entries.first().map_or(0, |entry| entry.head.shard.count);
        let mut missing = Vec::new();
        let mut next = 1;
        for index in entries.iter().map(|entry| entry.head.shard.index).chain([count + 1]) {
            match index - next {
                0 => {}
                1 => missing.push(next.to_string()),
                _ => missing.push(format!("{next}-{}", index - 1)),
            }
            next = index + 1;
        }
        if !missing.is_empty() {
            let is_one = missing.len() == 1 && !missing[0].contains('-');
            let missing = format!("shard{} {}", if is_one { "" } else { "s" }, missing.join(", "));
            return Err(ShardError::Missing { missing, count });
        }
        if let Some(wrong) =
            entries.iter().find(|entry| entry.span.range != deal.range(entry.head.shard, entry.span.items))
        {
            let (items, shard) = (wrong.span.items, wrong.head.shard);
            let reason = format!("its range is not that of shard {shard} of {items} items");
            return Err(ShardError::Damaged { place: wrong.place.clone(), reason });
        }
        Ok(Shards { entries })
    }
}

/// The place of a line in messages.
fn place(path: &Path, line: usize) -> String {
    format!("{}:{line}", input::name(path))
}

/// Takes a shard, unless it is there already.
fn take(entries: &mut Vec<Entry>, new: Entry) -> Result<(), ShardError> {
    if let Some(first) = entries.first() {
        let items = |entry: &Entry| ("number of items", entry.span.items.to_string());
        let of_items = || {
            let ((what, given), (_, expected)) = (items(&new), items(first));
            (given != expected).then_some((what, given, expected))
        };
        if let Some((what, given, expected)) = new.head.difference(&first.head).or_else(of_items) {
            let (place, other) = (new.place, first.place.clone());
            return Err(ShardError::Differs { place, what, given, other, expected });
        }
    }
    match entries.iter().find(|entry| entry.head.shard == new.head.shard) {
        Some(known) if known.span.part_blake3 == new.span.part_blake3 => {}
        Some(known) => {
            let (first, second) = (known.place.clone(), new.place);
            return Err(ShardError::Unequal { first, second, shard: new.head.shard });
        }
        None => entries.push(new),
    }
    Ok(())
}

/// Gives each line that is not empty, with its number from 1.
fn for_each_line(path: &Path, mut take: impl FnMut(usize, String) -> Result<(), ShardError>) -> Result<(), Error> {
    let wrong = |error| Error::from(InputError::from(FileError::Read { file: input::name(path), error }));
    let mut reader: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path).map_err(wrong)?))
    };
    for number in 1.. {
        let mut bytes = Vec::new();
        if reader.read_until(b'\n', &mut bytes).map_err(wrong)? == 0 {
            break;
        }
        let end = bytes.len() - bytes.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
        bytes.truncate(end);
        if bytes.is_empty() {
            continue;
        }
        let line = String::from_utf8(bytes).map_err(|_| ShardError::Damaged {
            place: place(path, number),
            reason: "no line of a shard: it is no text".to_owned(),
        })?;
        take(number, line)?;
    }
    Ok(())
}

impl Shards {
    /// The parts, as a command has them.
    ///
    /// # Errors
    /// [`ShardError::Damaged`] for a part that is none of the command's.
    pub(crate) fn decode<P: DeserializeOwned>(&self) -> Result<Merged<P>, ShardError> {
        let (mut parts, mut runs, mut unchecked) = (Vec::new(), Vec::new(), Vec::new());
        for entry in &self.entries {
            let Body { part, run } = line::fields::<Body<P>>(&entry.line, &entry.place)?;
            if let Some(part) = part {
                unchecked.extend(run.verification.is_none().then(|| entry.place.clone()));
                parts.push(part);
                runs.push(run);
            } else if entry.head.shard.index == 1 {
                return Err(self.damaged("the first shard has no part".to_owned()));
            }
        }
        Ok(Merged { parts, run: Run::of_all(runs.iter()), unchecked })
    }

    /// The error of parts that do not fit together.
    pub(crate) fn damaged(&self, reason: String) -> ShardError {
        let place = self.entries.first().map(|entry| entry.place.clone()).unwrap_or_default();
        ShardError::Damaged { place, reason }
    }

    /// The seed that the result depends on.
    pub(crate) fn seed(&self) -> Option<u64> {
        self.entries.first().and_then(|entry| entry.head.seed)
    }

    /// The number of items of the whole work.
    pub(crate) fn items(&self) -> u64 {
        self.entries.first().map_or(0, |entry| entry.span.items)
    }

    /// The command's files, as the command line names them, must still be those that the shards are of.
    ///
    /// # Errors
    /// [`ShardError::OtherInput`]; [`Error::Input`] for a file that cannot be read.
    pub(crate) fn check_inputs(&self) -> Result<(), Error> {
        for input in self.entries.first().iter().flat_map(|entry| &entry.head.inputs) {
            let path = Path::new(&input.file);
            let given = head::hash(path)?;
            if given != input.blake3 {
                let (file, expected) = (input::name(path), manycore::files::shown(&input.blake3));
                return Err(ShardError::OtherInput { file, given, expected }.into());
            }
        }
        Ok(())
    }
}

impl<P> Merged<P> {
    /// The report of the result of all parts. With `--verify` each part must have been checked as it was computed: what puts them
    /// together copies them.
    ///
    /// # Errors
    /// [`ShardError::Unchecked`] with the places of parts that were not.
    pub(crate) fn report<R>(&self, report: Report<R>, verify: bool) -> Result<Report<R>, ShardError> {
        if verify && !self.unchecked.is_empty() {
            return Err(ShardError::Unchecked { places: self.unchecked.join(", ") });
        }
        Ok(self.run.clone().report(report))
    }
}
