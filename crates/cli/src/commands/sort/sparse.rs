//! `manycore sort sparse`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use manycore::files::{FileError, NotFinite, Numeral};
use manycore::sort::{Lists, ListsError, SortError, Sorted, SparseSorter, compare_by_gray_rank, compare_by_value};
use serde_json::json;

use super::{check_places, order, report};
use crate::arguments::Global;
use crate::commands::auto::Wanted;
use crate::commands::choice::Operation;
use crate::commands::label;
use crate::error::Error;
use crate::input::{self, InputError};
use crate::output;
use crate::progress;
use crate::vector::Vector;
use crate::verification::verified;

/// The arguments of `sort sparse`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The words: a line each with the ascending positions of its ones, 0 the most significant bit; # begins a comment; - is
    /// standard input
    pub file: PathBuf,

    /// What words are compared by
    #[arg(long, value_enum, default_value = "value")]
    pub by: Rank,

    /// Bits of a word; without it, one more than the largest position
    #[arg(long, value_name = "BITS")]
    pub width: Option<u32>,

    /// The largest first
    #[arg(long)]
    pub descending: bool,
}

/// What words are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Rank {
    /// Their value as binary numbers
    Value,
    /// Their rank in the binary reflected Gray code
    Gray,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
Sparse binary words by value or by rank in the Gray code

The place of each word of the order, from 0, in the given ones: equal words keep their order. Words are sorted one position a round, \
in time linear in their ones. An empty line is the word of zeros. The result is one number a line; a .npy file with -o NAME.npy; one \
JSON object with --json.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify sorts again by comparisons and compares every place. No wrong result passes.

Examples:
  printf '4 5 8\\n6 7\\n\\n' | manycore sort sparse -
  manycore sort sparse words.txt --by gray --descending --width 1000";

/// Reads the words, sorts them, checks the order where asked to, and writes it.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_form(global)?;
    progress::step(format!("reading {}", input::name(&arguments.file)));
    let Words { offsets, positions, lines } = read(&arguments.file)?;
    let width = match arguments.width {
        Some(width) => width,
        None => positions.iter().max().map_or(Ok(0), |&most| {
            most.checked_add(1)
                .ok_or_else(|| Error::Usage(format!("position {most}: words have 2^32 - 1 bits at most")))
        })?,
    };
    let lists = Lists::new(&offsets, &positions, width).map_err(|error| wrong(arguments, &lines, &error))?;
    let device = Wanted::new(global)?.device(None::<&Operation>);
    progress::compute(format!("sorting {} words on {}", lists.len(), label(&device)));
    let direction = order(arguments.descending);
    let (made, profile) = device.profile(|| -> Result<Sorted, SortError> {
        let sorter = SparseSorter::new(&device)?;
        match arguments.by {
            Rank::Value => sorter.sort_by_value(&lists, direction),
            Rank::Gray => sorter.sort_by_gray_rank(&lists, direction),
        }
    })?;
    let Sorted { order: places, classes, rounds } = made?;
    let mut verification = None;
    if global.verify {
        progress::step("verifying");
        let words: Vec<&[u32]> = (0..lists.len()).map(|list| lists.list(list)).collect();
        let compare = |a: &&[u32], b: &&[u32]| {
            let (a, b) = if arguments.descending { (b, a) } else { (a, b) };
            match arguments.by {
                Rank::Value => compare_by_value(a, b),
                Rank::Gray => compare_by_gray_rank(a, b),
            }
        };
        verification = Some(verified(check_places(&words, &places, compare), &device)?);
    }
    let parameters = json!({
        "words": lists.len(),
        "width": width,
        "by": match arguments.by { Rank::Value => "value", Rank::Gray => "gray" },
        "order": if arguments.descending { "descending" } else { "ascending" },
        "different": classes,
        "rounds": rounds,
    });
    let result = Vector::I64(places.into_iter().map(i64::from).collect());
    output::write_vector(global, &report("sort sparse", parameters, result, &device, (&profile).into(), verification))
}

/// The words of a text, and the line of each.
pub(crate) struct Words {
    pub(crate) offsets: Vec<usize>,
    pub(crate) positions: Vec<u32>,
    lines: Vec<usize>,
}

pub(crate) fn read(path: &Path) -> Result<Words, Error> {
    let text = input::lines_of_text(path)?;
    let mut words = Words { offsets: vec![0], positions: Vec::new(), lines: Vec::new() };
    for (line, content) in (1..).zip(text.lines()) {
        // A line of a comment alone is no word.
        let (content, comment) = content.split_at(content.find('#').unwrap_or(content.len()));
        if content.trim().is_empty() && !comment.is_empty() {
            continue;
        }
        for word in content.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
            let position = u32::of_word(word, NotFinite::Refused).map_err(|reason| {
                InputError::from(FileError::Line { file: input::name(path), line, reason: Box::new(reason) })
            });
            words.positions.push(position?);
        }
        words.offsets.push(words.positions.len());
        words.lines.push(line);
    }
    Ok(words)
}

/// The error of a word, with its line.
fn wrong(arguments: &Arguments, lines: &[usize], error: &ListsError) -> Error {
    let list = match error {
        ListsError::Position { list, .. } | ListsError::Order { list, .. } => Some(*list),
        _ => None,
    };
    let file = input::name(&arguments.file);
    let place = match list.and_then(|list| lines.get(list)) {
        Some(line) => format!("{file}:{line}"),
        None => file,
    };
    Error::Usage(format!("{place}: {error}"))
}
