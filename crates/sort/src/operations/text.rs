//! Lines of a text, sorted by their bytes, as an operation.

use std::io::{self, Write};

use manycore_device::DeviceSet;
use manycore_operation::vector::Vector;
use manycore_operation::verify::Passed;
use manycore_operation::{
    Answer, Arguments, Declaration, DeclaredOption, Files, Holds, Input, Job, JsonForm, Operation, OperationError, Row,
    Stream, Streamed, Value, unmade,
};

use super::check;
use super::options::{descending, order, order_name};
use crate::sort_order::SortOrder;
use crate::sparse::SparseSorter;

const DECLARATION: Declaration = Declaration {
    name: "sort text",
    title: "Lines of a text by their bytes",
    about: "\
Lines of a text by their bytes

The lines in the order of their bytes, a line that begins another before it: equal lines keep their order. Bytes are written as they are \
read, whatever they stand for, carriage returns, byte order marks and zeros too; a last line without its end is given one. With --places, and in the \
JSON object of --json, the place of each line, from 0, in the given ones.",
    help: "\
--verify sorts again by the standard library and compares every place. No wrong result passes.

Examples:
  manycore sort text names.txt
  manycore sort text names.txt --descending --places --json",
    step: "sorting the lines",
    inputs: &[Input {
        holds: Holds::Text(&["b\na\n\nab", "b\r\na\0\n", "\n", ""]),
        ..Input::new("file", "FILE", "The text; - is standard input")
    }],
    options: &[
        descending("The last line of the order first"),
        DeclaredOption::flag("places", "Write the places of the lines, from 0, in place of them"),
    ],
    no_array: Some("a sorted text"),
    array_with: Some("places"),
    is_seedless: true,
    ..Declaration::BASE
};

/// The operation.
pub(super) struct SortText;

impl Operation for SortText {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        let (text, order) = (files.bytes(0)?, order(arguments));
        Ok(Box::new(Sort { text, order, is_of_places: arguments.is_given("places"), places: None }))
    }
}

/// A sort of lines.
struct Sort {
    text: Vec<u8>,
    order: SortOrder,
    is_of_places: bool,
    places: Option<Vec<u32>>,
}

impl Job for Sort {
    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        let sorter = SparseSorter::new(&devices.devices()[0])?;
        self.places = Some(sorter.argsort_bytes(&lines(&self.text), self.order)?);
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        let places = self.places.as_ref().ok_or_else(unmade)?;
        let compare = |a: &&[u8], b: &&[u8]| if self.order == SortOrder::Descending { b.cmp(a) } else { a.cmp(b) };
        Ok(check::places(&lines(&self.text), places, compare)?)
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { text, order, is_of_places, places } = *self;
        let Some(places) = places else { return Answer::of(Value::None) };
        let len = places.len();
        let value = if is_of_places {
            Value::Vector(Vector::I64(places.into_iter().map(i64::from).collect()))
        } else {
            Value::Streamed(Streamed::new(Lines { text, places }))
        };
        Answer::of(value).with("lines", len).with("order", order_name(order))
    }
}

/// Lines in their order: as text they, as JSON their places.
#[derive(Debug)]
struct Lines {
    text: Vec<u8>,
    places: Vec<u32>,
}

impl Stream for Lines {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let lines = lines(&self.text);
        self.places.iter().filter_map(|&place| lines.get(place as usize)).try_for_each(|line| {
            out.write_all(line)?;
            out.write_all(b"\n")
        })
    }

    fn json(&self) -> JsonForm<'_> {
        JsonForm::Row(Row::Integers(self.places.iter().map(|&place| place.into()).collect()))
    }
}

/// The lines of a text without their ends; what follows the last end is a line where it is not empty.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    if text.is_empty() {
        return Vec::new();
    }
    text.strip_suffix(b"\n").unwrap_or(text).split(|&byte| byte == b'\n').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_newlines_alone() {
        let of = |text: &'static [u8]| lines(text);
        assert_eq!(of(b""), [&b""[..]; 0]);
        assert_eq!(of(b"\n"), [b""]);
        assert_eq!(of(b"b\r\na"), [&b"b\r"[..], b"a"]);
        assert_eq!(of(b"b\n\n\0\xe9\n"), [&b"b"[..], b"", b"\0\xe9"]);
    }
}
