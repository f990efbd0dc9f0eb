//! Figures of many S-boxes, one a line: nonlinearity and differential uniformity.

use std::cmp::Reverse;
use std::io::{self, Write};

use manycore_device::DeviceSet;
use manycore_operation::{
    Answer, Arguments, Declaration, DeclaredOption, Fields, Files, Input, Job, JsonForm, Operation, OperationError,
    OptionKind, Range, Splits, Stream, Streamed, Value, unmade,
};
use manycore_verify::Passed;
use manycore_verify::sbox::check_figures;
use serde::Deserialize;

use super::sbox::{BASE, HEX};
use super::sbox_text;
use crate::sbox::{SBox, nonlinearities_over, uniformities_over};

const COMPARE: Declaration = Declaration {
    name: "sbox compare",
    title: "Nonlinearity and differential uniformity of many S-boxes, one a line, or the best of them",
    help: "\
Every S-box has a line: the line of the file where it stands, its input and output bits, whether it is a permutation, its \
nonlinearity (2^m - linearity) / 2, and its differential uniformity.

--verify computes both figures of every S-box once more on the host, by plain loops. No wrong result passes.

--shard splits the S-boxes of the file.

Examples:
  manycore sbox compare candidates.txt --best 10
  printf 'c 5 6 b 9 0 a d 3 e f 8 4 7 1 2\\n0 1 2 3\\n' | manycore sbox compare - --hex --json",
    inputs: &[Input::new("file", "FILE", "The S-boxes as text, each on a line of its own: its outputs, S(0) first, as decimal numbers, or hexadecimal ones that begin with 0x, with white space, commas or brackets between them; # begins a comment; - is standard input").such_as(&["12 5 6 11 9 0 10 13 3 14 15 8 4 7 1 2\n0 1 2 3", "1 0"])],
    options: &[
        HEX,
        DeclaredOption {
            value: OptionKind::Count { value_name: "N", range: Range::Short, is_required: false, default: None },
            ..DeclaredOption::flag("output-bits", "The output bits of every S-box; without it, as many as its largest output needs")
        },
        DeclaredOption {
            value: OptionKind::Count { value_name: "COUNT", range: Range::Positive, is_required: false, default: None },
            ..DeclaredOption::flag("best", "Print the COUNT best only: largest nonlinearity first; ties by least differential uniformity")
        },
    ],
    splits: Some(Splits::Own),
    ..BASE
};

/// Figures of one S-box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Figures {
    /// The line of the file where it stands, from 1.
    pub line: usize,
    /// Its input bits.
    pub input_bits: u32,
    /// Its output bits.
    pub output_bits: u32,
    /// Whether it is a permutation.
    pub permutation: bool,
    /// `(2^m - linearity) / 2`.
    pub nonlinearity: u32,
    /// The largest entry of its difference distribution table with an input difference other than 0.
    pub differential_uniformity: u32,
}

impl Figures {
    /// The figures with their names in JSON.
    fn fields(&self) -> Fields {
        vec![
            ("line", self.line.into()),
            ("input_bits", self.input_bits.into()),
            ("output_bits", self.output_bits.into()),
            ("permutation", self.permutation.into()),
            ("nonlinearity", self.nonlinearity.into()),
            ("differential_uniformity", self.differential_uniformity.into()),
        ]
    }
}

/// The figures of all S-boxes, or of the best, as a result.
pub fn ranked(mut rows: Vec<Figures>, best: Option<u64>) -> Value {
    if let Some(best) = best {
        rows.sort_by_key(|row| (Reverse(row.nonlinearity), row.differential_uniformity));
        rows.truncate(usize::try_from(best).unwrap_or(usize::MAX));
    }
    Value::Streamed(Streamed::new(Rows(rows)))
}

#[derive(Debug)]
struct Rows(Vec<Figures>);

impl Stream for Rows {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "line  bits   permutation  nonlinearity  differential uniformity")?;
        self.0.iter().try_for_each(|row| {
            let bits = format!("{}, {}", row.input_bits, row.output_bits);
            let permutation = if row.permutation { "yes" } else { "no" };
            writeln!(
                out,
                "{:>4}  {bits:<6} {permutation:<11}  {:>12}  {:>23}",
                row.line, row.nonlinearity, row.differential_uniformity
            )
        })
    }

    fn json(&self) -> JsonForm<'_> {
        JsonForm::Objects(Box::new(self.0.iter().map(Figures::fields)))
    }
}

/// The operation.
pub(super) struct Compare;

impl Operation for Compare {
    fn declaration(&self) -> &'static Declaration {
        &COMPARE
    }

    fn is_shared(&self, _: &Arguments) -> bool {
        true
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        let (mut sboxes, mut lines) = sbox_text::read_lines(arguments, files)?;
        let total = sboxes.len();
        let part = files.part(total);
        let within = |of: usize| part.contains(&of);
        let mut place = 0..total;
        sboxes.retain(|_| place.next().is_some_and(within));
        let mut place = 0..total;
        lines.retain(|_| place.next().is_some_and(within));
        let output_bits = sbox_text::output_bits(arguments);
        let (best, is_part) = (arguments.number("best"), files.is_part());
        Ok(Box::new(Task { sboxes, lines, total, output_bits, best, is_part, figures: None }))
    }
}

/// A call.
struct Task {
    sboxes: Vec<SBox>,
    lines: Vec<usize>,
    /// The S-boxes of the file.
    total: usize,
    output_bits: Option<u32>,
    best: Option<u64>,
    /// Whether the best are found once all figures are together.
    is_part: bool,
    /// Nonlinearities and uniformities.
    figures: Option<[Vec<u32>; 2]>,
}

impl Job for Task {
    fn is_shared(&self) -> bool {
        true
    }

    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        self.figures = Some([nonlinearities_over(devices, &self.sboxes)?, uniformities_over(devices, &self.sboxes)?]);
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        let [nonlinearities, uniformities] = self.figures.as_ref().ok_or_else(unmade)?;
        let outputs: Vec<(u32, &[u16])> = self.sboxes.iter().map(|sbox| (sbox.output_bits(), sbox.values())).collect();
        Ok(check_figures(&outputs, nonlinearities, uniformities)?)
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { sboxes, lines, total, output_bits, best, is_part, figures } = *self;
        let [nonlinearities, uniformities] = figures.unwrap_or_default();
        let figures = nonlinearities.iter().zip(&uniformities).zip(sboxes.iter().zip(lines));
        let rows = figures.map(|((&nonlinearity, &differential_uniformity), (sbox, line))| Figures {
            line,
            input_bits: sbox.input_bits(),
            output_bits: sbox.output_bits(),
            permutation: sbox.is_permutation(),
            nonlinearity,
            differential_uniformity,
        });
        let value = ranked(rows.collect(), best.filter(|_| !is_part));
        Answer::of(value).with("sboxes", total).with("output_bits", output_bits).with("best", best)
    }
}
