//! Operations on an S-box that have its figures: a list of facts, a page.

use std::marker::PhantomData;

use manycore_device::DeviceSet;
use manycore_operation::{
    Answer, Arguments, Declaration, DeclaredOption, Files, Input, Job, Operation, OperationError, OptionKind, Range,
    Value, unmade,
};
use manycore_verify::sbox::Facts;
use manycore_verify::{Outcome, Passed};

use super::facts::shown;
use super::sbox_text::Names;
use super::{sbox_facts, sbox_page, sbox_text};
use crate::context::Boolean;
use crate::error::BooleanError;
use crate::sbox::SBox;

const SBOX: &[Input] = &[Input::new(
    "file",
    "FILE",
    "The outputs as text, S(0) first: decimal numbers, or hexadecimal ones that begin with 0x, with white space, commas or brackets between them; # begins a comment; - is standard input",
)
.such_as(&["12 5 6 11 9 0 10 13 3 14 15 8 4 7 1 2", "0 1 3 2", "0x1 0x0"])];

pub(super) const HEX: DeclaredOption = DeclaredOption::flag("hex", "All numbers are hexadecimal");

const OUTPUT_BITS: DeclaredOption = DeclaredOption {
    value: OptionKind::Count { value_name: "N", range: Range::Short, is_required: false, default: None },
    ..DeclaredOption::flag("output-bits", "Number of output bits. Default: the bits of the largest output")
};

const ROWS: DeclaredOption = DeclaredOption {
    value: OptionKind::Text { value_name: "A..B", check: is_range, default: None, is_required: false },
    ..DeclaredOption::flag("rows", "Only the rows A to before B")
};

fn is_range(text: &str) -> Result<(), String> {
    manycore_operation::range(text).map(drop)
}

const HELP: &str = "\
A table is written as one line of text a row. Entries of lat are sums of signs, W(a, b) = sum of (-1)^(a . x + b . S(x)): \
twice the bias #{x : a . x = b . S(x)} - 2^(m-1) that other programs have (Sage: scale absolute_bias); linearity is the \
largest |W(a, b)| with b other than 0. The degree of constant components is 0.

--verify computes every row that is written once more on the host, by plain loops, and compares every entry; for info both \
whole tables and every figure. No wrong result passes.

Examples:
  echo c 5 6 b 9 0 a d 3 e f 8 4 7 1 2 | manycore sbox info - --hex
  manycore sbox lat aes.txt --rows 1..2
  manycore sbox ddt aes.txt --json";

/// What all of them have.
pub(super) const BASE: Declaration = Declaration {
    help: HELP,
    inputs: SBOX,
    options: &[HEX, OUTPUT_BITS],
    no_array: Some("a table or a list of facts"),
    is_seedless: true,
    ..Declaration::BASE
};

/// The options of a table.
pub(super) const OF_TABLES: &[DeclaredOption] = &[HEX, OUTPUT_BITS, ROWS];

/// An operation on an S-box.
pub(super) trait Work: 'static {
    /// What it is.
    const DECLARATION: &'static Declaration;
    /// What a device makes.
    type Found;

    /// Refuses an S-box that the result has no room for.
    fn fits(_: &SBox, _file: &str) -> Result<(), OperationError> {
        Ok(())
    }

    fn compute(boolean: &Boolean, sbox: &SBox) -> Result<Self::Found, BooleanError>;

    fn check(found: &Self::Found, sbox: &SBox) -> Outcome;

    fn value(found: Self::Found, sbox: &SBox, names: Names) -> Value;
}

/// Its figures.
pub(super) struct Info;

impl Work for Info {
    const DECLARATION: &'static Declaration = &Declaration {
        name: "sbox info",
        title: "Linearity, differential uniformity, degrees, branch numbers, and histograms of the linear and difference tables",
        ..BASE
    };
    type Found = Facts;

    fn compute(boolean: &Boolean, sbox: &SBox) -> Result<Facts, BooleanError> {
        sbox_facts::of(boolean, sbox)
    }

    fn check(found: &Facts, sbox: &SBox) -> Outcome {
        found.check(sbox.output_bits(), sbox.values(), sbox_facts::BOOMERANG_BITS)
    }

    fn value(found: Facts, _: &SBox, names: Names) -> Value {
        shown(&sbox_facts::lines(&found, names.hex), sbox_facts::json(&found))
    }
}

/// A page.
pub(super) struct Report;

impl Work for Report {
    const DECLARATION: &'static Declaration = &Declaration {
        name: "sbox report",
        title: "A page to look at: both tables as heat maps, components, histograms, and known S-boxes beside it",
        about: "\
Write a page to look at: both tables as heat maps, components, histograms, and known S-boxes beside it

One HTML file that loads nothing. Known S-boxes of as many bits are inversion in the field, a random permutation, an affine map, and \
that of the AES or of PRESENT; they are computed in place.",
        help: "\
--verify computes both tables once more on the host, by plain loops, and compares every entry, and every figure of the S-box. No \
wrong table passes.

Examples:
  manycore sbox report aes.txt -o aes.html
  echo c 5 6 b 9 0 a d 3 e f 8 4 7 1 2 | manycore sbox report - --hex --verify -o present.html",
        is_page: true,
        ..BASE
    };
    type Found = sbox_page::Found;

    fn fits(sbox: &SBox, file: &str) -> Result<(), OperationError> {
        let (bits, output_bits, most) = (sbox.input_bits(), sbox.output_bits(), sbox_page::MOST_BITS);
        if bits.max(output_bits) > most {
            return Err(OperationError::usage(format!(
                "{file}: {bits} input and {output_bits} output bits: a page has room for {most}"
            )));
        }
        Ok(())
    }

    fn compute(boolean: &Boolean, sbox: &SBox) -> Result<sbox_page::Found, BooleanError> {
        sbox_page::Found::of(boolean, sbox)
    }

    fn check(found: &sbox_page::Found, sbox: &SBox) -> Outcome {
        found.check(sbox)
    }

    fn value(found: sbox_page::Found, sbox: &SBox, names: Names) -> Value {
        Value::Page(found.page(sbox, names))
    }
}

/// An operation on the S-box of a file.
pub(super) struct OfSBox<W>(PhantomData<fn() -> W>);

impl<W> OfSBox<W> {
    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<W: Work> Operation for OfSBox<W> {
    fn declaration(&self) -> &'static Declaration {
        W::DECLARATION
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        let sbox = sbox_text::read(arguments, files)?;
        let names = Names { file: files.name(0), hex: arguments.is_given("hex") };
        W::fits(&sbox, &names.file)?;
        Ok(Box::new(Task::<W> { sbox, names, found: None }))
    }
}

/// A call.
struct Task<W: Work> {
    sbox: SBox,
    names: Names,
    found: Option<W::Found>,
}

impl<W: Work> Job for Task<W> {
    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        self.found = Some(W::compute(&Boolean::new(&devices.devices()[0]), &self.sbox)?);
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        Ok(W::check(self.found.as_ref().ok_or_else(unmade)?, &self.sbox)?)
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { sbox, names, found } = *self;
        let value = found.map_or(Value::None, |found| W::value(found, &sbox, names));
        with_bits(Answer::of(value), &sbox, &(0..sbox.inputs()))
    }
}

/// An answer with the bits of an S-box and the rows that it is about.
pub(super) fn with_bits(answer: Answer, sbox: &SBox, rows: &std::ops::Range<usize>) -> Answer {
    let answer = answer.with("input_bits", sbox.input_bits()).with("output_bits", sbox.output_bits());
    answer.with("rows", vec![rows.start, rows.end])
}
