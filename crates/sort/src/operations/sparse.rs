//! Sparse binary words, sorted by value or by rank in the Gray code, as an operation.

use manycore_device::DeviceSet;
use manycore_operation::files::{FileError, NotFinite, Numeral as _};
use manycore_operation::vector::Vector;
use manycore_operation::verify::Passed;
use manycore_operation::{
    Answer, Arguments, Declaration, DeclaredOption, Files, Holds, Input, Job, Operation, OperationError, OptionKind,
    Range, Value, unmade,
};

use super::check;
use super::options::{descending, order, order_name};
use crate::gray::{compare_by_gray_rank, compare_by_value};
use crate::lists::{Lists, ListsError};
use crate::sort_order::SortOrder;
use crate::sorted::Sorted;
use crate::sparse::SparseSorter;

const DECLARATION: Declaration = Declaration {
    name: "sort sparse",
    title: "Sparse binary words by value or by rank in the Gray code",
    about: "\
Sparse binary words by value or by rank in the Gray code

The place of each word of the order, from 0, in the given ones: equal words keep their order. Words are sorted one position a round, \
in time linear in their ones. An empty line is the word of zeros. The result is one number a line; a .npy file with -o NAME.npy; one \
JSON object with --json.",
    help: "\
--verify sorts again by comparisons and compares every place. No wrong result passes.

Examples:
  printf '4 5 8\\n6 7\\n\\n' | manycore sort sparse -
  manycore sort sparse words.txt --by gray --descending --width 1000",
    step: "sorting the words",
    inputs: &[Input {
        holds: Holds::Text(&["4 5 8\n6 7\n\n", "# two\n0,1\n0,1\n", "\n", ""]),
        ..Input::new(
            "file",
            "FILE",
            "The words: a line each with the ascending positions of its ones, 0 the most significant bit; # begins a comment; - is standard input",
        )
    }],
    options: &[
        DeclaredOption {
            value: OptionKind::Word {
                value_name: "BY",
                words: &[
                    ("value", "Their value as binary numbers"),
                    ("gray", "Their rank in the binary reflected Gray code"),
                ],
                default: Some("value"),
            },
            ..DeclaredOption::flag("by", "What words are compared by")
        },
        DeclaredOption {
            value: OptionKind::Count { value_name: "BITS", range: Range::Short, is_required: false, default: None },
            ..DeclaredOption::flag("width", "Bits of a word; without it, one more than the largest position")
        },
        descending("The largest first"),
    ],
    is_seedless: true,
    ..Declaration::BASE
};

/// The operation.
pub(super) struct SortSparse;

impl Operation for SortSparse {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        let (text, file) = (files.text(0)?, files.name(0));
        let words = words(&text, &file)?;
        let width = match arguments.number("width") {
            Some(width) => u32::try_from(width).unwrap_or(u32::MAX),
            None => words.positions.iter().max().map_or(Ok(0), |&most| {
                let past = || OperationError::usage(format!("position {most}: words have 2^32 - 1 bits at most"));
                most.checked_add(1).ok_or_else(past)
            })?,
        };
        Lists::new(&words.offsets, &words.positions, width).map_err(|error| wrong(&file, &words.lines, &error))?;
        let is_by_gray_rank = arguments.word("by") == Some("gray");
        Ok(Box::new(Sort { words, width, is_by_gray_rank, order: order(arguments), made: None }))
    }
}

/// The words of a text, and the line of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// Where the positions of each word begin, and where those of the last one end.
    pub offsets: Vec<usize>,
    /// The positions of the ones of all words.
    pub positions: Vec<u32>,
    lines: Vec<usize>,
}

/// The words of a text, a line each.
///
/// # Errors
/// The first word that is no position, with its line.
pub fn words(text: &str, file: &str) -> Result<Words, FileError> {
    let mut words = Words { offsets: vec![0], positions: Vec::new(), lines: Vec::new() };
    for (line, content) in (1..).zip(text.lines()) {
        // A line of a comment alone is no word.
        let (content, comment) = content.split_at(content.find('#').unwrap_or(content.len()));
        if content.trim().is_empty() && !comment.is_empty() {
            continue;
        }
        for word in content.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
            let position = u32::of_word(word, NotFinite::Refused).map_err(|reason| {
                let (file, reason) = (file.to_owned(), Box::new(reason));
                FileError::Line { file, line, reason }
            });
            words.positions.push(position?);
        }
        words.offsets.push(words.positions.len());
        words.lines.push(line);
    }
    Ok(words)
}

/// The error of a word, with its line.
fn wrong(file: &str, lines: &[usize], error: &ListsError) -> OperationError {
    let list = match error {
        ListsError::Position { list, .. } | ListsError::Order { list, .. } => Some(*list),
        _ => None,
    };
    OperationError::usage(match list.and_then(|list| lines.get(list)) {
        Some(line) => format!("{file}:{line}: {error}"),
        None => format!("{file}: {error}"),
    })
}

/// A sort of words.
struct Sort {
    words: Words,
    width: u32,
    is_by_gray_rank: bool,
    order: SortOrder,
    made: Option<Sorted>,
}

impl Sort {
    fn lists(&self) -> Result<Lists<'_>, OperationError> {
        let Words { offsets, positions, lines } = &self.words;
        Lists::new(offsets, positions, self.width).map_err(|error| wrong("the words", lines, &error))
    }
}

impl Job for Sort {
    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        let (sorter, lists) = (SparseSorter::new(&devices.devices()[0])?, self.lists()?);
        self.made = Some(if self.is_by_gray_rank {
            sorter.sort_by_gray_rank(&lists, self.order)?
        } else {
            sorter.sort_by_value(&lists, self.order)?
        });
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        let (made, lists) = (self.made.as_ref().ok_or_else(unmade)?, self.lists()?);
        let words: Vec<&[u32]> = (0..lists.len()).map(|list| lists.list(list)).collect();
        let compare = |a: &&[u32], b: &&[u32]| {
            let (a, b) = if self.order == SortOrder::Descending { (b, a) } else { (a, b) };
            if self.is_by_gray_rank { compare_by_gray_rank(a, b) } else { compare_by_value(a, b) }
        };
        Ok(check::places(&words, &made.order, compare)?)
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { words, width, is_by_gray_rank, order, made } = *self;
        let Some(Sorted { order: places, classes, rounds }) = made else { return Answer::of(Value::None) };
        let value = Value::Vector(Vector::I64(places.into_iter().map(i64::from).collect()));
        let answer = Answer::of(value).with("words", words.lines.len()).with("width", width);
        let answer = answer.with("by", if is_by_gray_rank { "gray" } else { "value" });
        answer.with("order", order_name(order)).with("different", classes).with("rounds", rounds)
    }
}
