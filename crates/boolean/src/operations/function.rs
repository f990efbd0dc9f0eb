//! Operations on Boolean functions: figures, spectra, normal forms, pages.

use std::fmt;
use std::io::{self, Write};
use std::marker::PhantomData;

use manycore_device::DeviceSet;
use manycore_operation::vector::Vector;
use manycore_operation::{
    Answer, Arguments, Declaration, DeclaredOption, Files, Input, Job, JsonForm, Operation, OperationError, OptionKind,
    Range, Stream, Streamed, Value, unmade,
};
use manycore_verify::boolean_function::{self as check, Facts};
use manycore_verify::{Outcome, Passed};
use serde_json::json;

use super::facts::shown;
use super::{function_page, function_text, properties};
use crate::context::Boolean;
use crate::error::BooleanError;
use crate::table::{Anf, TruthTable};

const FUNCTION: &[Input] =
    &[Input::new("file", "FILE", "The function as text, # begins a comment; - is standard input").such_as(&[
        "00010111",
        "0110 1001 1001 0110",
        "01",
        "x1 x2 + x3 + 1",
    ])];

const OPTIONS: &[DeclaredOption] = &[
    DeclaredOption {
        value: OptionKind::Word {
            value_name: "FORMAT",
            words: &[
                (
                    "auto",
                    "binary where there are only digits 0 and 1, anf where there is a variable or +, else hex; not several decimal numbers",
                ),
                ("binary", "The values as digits 0 and 1, f(0) first; x1 is the lowest bit of x"),
                ("hex", "Hexadecimal digits of the sum of f(x) 2^x, the most significant first, as Sage writes them"),
                ("hex-listing", "Hexadecimal digits of the values as they are listed, f(0) first"),
                ("anf", "An algebraic normal form such as x1 x2 + x3 + 1"),
                ("minterms", "The x with f(x) = 1, with white space or commas between them"),
            ],
            default: Some("auto"),
        },
        ..DeclaredOption::flag(
            "format",
            "How the text is read. auto takes digits 0 and 1 alone for binary, a text with x or + for anf, and other digits for hex; several decimal numbers, which could be hex or minterms, are refused",
        )
    },
    DeclaredOption {
        value: OptionKind::Count { value_name: "N", range: Range::Short, is_required: false, default: None },
        ..DeclaredOption::flag(
            "variables",
            "Number of variables, for normal forms, minterms and single hexadecimal digits",
        )
    },
];

const HELP: &str = "\
Conventions of info: correlation immunity is the largest t with W(w) = 0 for all w of 1 to t ones, also where the function is \
not balanced (Sage says -1 there); resiliency is that of a balanced function, else none. The degree of a constant is 0, also \
of the zero function. |r(a)| counts a = 0 too, the absolute indicator does not. Coefficients W(w) are sums of signs, not \
halved.

--verify computes both spectra or the normal form once more on the host, by plain loops from the function as it was read, and \
compares every value that is written, and every figure of info. No wrong result passes. It takes up to 8 bytes a value.

Examples:
  echo 00010111 | manycore boolean info -
  echo 0113077C165E76A8 | manycore boolean info - --json
  echo 'x1 x2 + x3 x4 + x5' | manycore boolean spectrum -
  echo 01101001 | manycore boolean anf -";

/// What all of them have.
const BASE: Declaration =
    Declaration { help: HELP, inputs: FUNCTION, options: OPTIONS, is_seedless: true, ..Declaration::BASE };

/// An operation on a function.
pub(super) trait Work: 'static {
    /// What it is.
    const DECLARATION: &'static Declaration;
    /// What a device makes.
    type Found;

    /// Refuses a function that the result has no room for.
    fn fits(_: &TruthTable, _file: &str) -> Result<(), OperationError> {
        Ok(())
    }

    fn compute(boolean: &Boolean, f: &TruthTable) -> Result<Self::Found, BooleanError>;

    fn check(found: &Self::Found, variables: u32, words: &[u64]) -> Outcome;

    fn value(found: Self::Found, f: &TruthTable, file: String) -> Value;
}

/// Its figures.
pub(super) struct Info;

impl Work for Info {
    const DECLARATION: &'static Declaration = &Declaration {
        name: "boolean info",
        title: "Weight, degree, nonlinearity, correlation immunity, autocorrelation and more",
        no_array: Some("a list of facts"),
        ..BASE
    };
    type Found = Facts;

    fn compute(boolean: &Boolean, f: &TruthTable) -> Result<Facts, BooleanError> {
        properties::of(boolean, f)
    }

    fn check(found: &Facts, variables: u32, words: &[u64]) -> Outcome {
        found.check(variables, words)
    }

    fn value(found: Facts, _: &TruthTable, _: String) -> Value {
        shown(&properties::lines(&found), properties::json(&found))
    }
}

/// Its Walsh spectrum.
pub(super) struct Walsh;

impl Work for Walsh {
    const DECLARATION: &'static Declaration = &Declaration {
        name: "boolean spectrum",
        title: "The Walsh spectrum: W(w), the sum of (-1)^(f(x) + w . x) over x",
        ..BASE
    };
    type Found = Vec<i32>;

    fn compute(boolean: &Boolean, f: &TruthTable) -> Result<Vec<i32>, BooleanError> {
        boolean.walsh(&boolean.upload(f)?)?.download()
    }

    fn check(found: &Vec<i32>, variables: u32, words: &[u64]) -> Outcome {
        check::check_walsh(variables, words, found)
    }

    fn value(found: Vec<i32>, _: &TruthTable, _: String) -> Value {
        Value::Vector(Vector::I32(found))
    }
}

/// Its normal form.
pub(super) struct NormalForm;

impl Work for NormalForm {
    const DECLARATION: &'static Declaration = &Declaration {
        name: "boolean anf",
        title: "The algebraic normal form",
        no_array: Some("a normal form"),
        ..BASE
    };
    type Found = Anf;

    fn compute(boolean: &Boolean, f: &TruthTable) -> Result<Anf, BooleanError> {
        boolean.anf(&boolean.upload(f)?)
    }

    fn check(found: &Anf, variables: u32, words: &[u64]) -> Outcome {
        properties::check_normal_form(found, variables, words)
    }

    fn value(found: Anf, _: &TruthTable, _: String) -> Value {
        Value::Streamed(Streamed::new(Form(found)))
    }
}

/// A normal form, which is longer as text than as coefficients.
struct Form(Anf);

impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl Stream for Form {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.0)
    }

    fn json(&self) -> JsonForm<'_> {
        let Self(anf) = self;
        JsonForm::Whole(json!({ "anf": anf.to_string(), "degree": anf.degree(), "terms": anf.terms() }))
    }
}

/// Its autocorrelation.
pub(super) struct Autocorrelation;

impl Work for Autocorrelation {
    const DECLARATION: &'static Declaration = &Declaration {
        name: "boolean autocorrelation",
        title: "The autocorrelation: r(a), the sum of (-1)^(f(x) + f(x + a)) over x",
        ..BASE
    };
    type Found = Vec<i32>;

    fn compute(boolean: &Boolean, f: &TruthTable) -> Result<Vec<i32>, BooleanError> {
        boolean.autocorrelation(&boolean.walsh(&boolean.upload(f)?)?)?.download()
    }

    fn check(found: &Vec<i32>, variables: u32, words: &[u64]) -> Outcome {
        check::check_autocorrelation(variables, words, found)
    }

    fn value(found: Vec<i32>, _: &TruthTable, _: String) -> Value {
        Value::Vector(Vector::I32(found))
    }
}

/// A page.
pub(super) struct Report;

impl Work for Report {
    const DECLARATION: &'static Declaration = &Declaration {
        name: "boolean report",
        title: "A page to look at: values, Walsh spectrum and autocorrelation as heat maps, histograms and figures",
        about: "\
Write a page to look at: values, Walsh spectrum and autocorrelation as heat maps, histograms and figures

One HTML file that loads nothing. Pictures have up to 1024 by 1024 cells; a cell of more values has the one of the greatest size.",
        help: "\
--verify computes both spectra, the normal form and every figure once more on the host, by plain loops, and compares them. No wrong \
value passes.

Examples:
  echo 'x1 x2 + x3 x4 + x5 x6' | manycore boolean report - -o bent.html
  manycore boolean report function.txt --verify -o function.html",
        is_page: true,
        ..BASE
    };
    type Found = function_page::Found;

    fn fits(f: &TruthTable, file: &str) -> Result<(), OperationError> {
        let (variables, most) = (f.variables(), function_page::MOST_VARIABLES);
        if variables > most {
            return Err(OperationError::usage(format!("{file}: {variables} variables: a page has room for {most}")));
        }
        Ok(())
    }

    fn compute(boolean: &Boolean, f: &TruthTable) -> Result<function_page::Found, BooleanError> {
        function_page::Found::of(boolean, f)
    }

    fn check(found: &function_page::Found, variables: u32, words: &[u64]) -> Outcome {
        found.check(variables, words)
    }

    fn value(found: function_page::Found, f: &TruthTable, file: String) -> Value {
        Value::Page(found.page(f, &file))
    }
}

/// An operation on the function of a file.
pub(super) struct OfFunction<W>(PhantomData<fn() -> W>);

impl<W> OfFunction<W> {
    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<W: Work> Operation for OfFunction<W> {
    fn declaration(&self) -> &'static Declaration {
        W::DECLARATION
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        let (f, file) = (function_text::read(arguments, files)?, files.name(0));
        W::fits(&f, &file)?;
        Ok(Box::new(Task::<W> { f, file, found: None }))
    }
}

/// A call.
struct Task<W: Work> {
    f: TruthTable,
    file: String,
    found: Option<W::Found>,
}

impl<W: Work> Job for Task<W> {
    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        self.found = Some(W::compute(&Boolean::new(&devices.devices()[0]), &self.f)?);
        Ok(())
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        let found = self.found.as_ref().ok_or_else(unmade)?;
        Ok(W::check(found, self.f.variables(), self.f.words())?)
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { f, file, found } = *self;
        let variables = f.variables();
        Answer::of(found.map_or(Value::None, |found| W::value(found, &f, file))).with("variables", variables)
    }
}
