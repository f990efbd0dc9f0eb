//! Programs of products, functions of entries and sums of lines as an operation.

use std::collections::HashMap;

use manycore_device::DeviceSet;
use manycore_operation::files::{FileError, without_comments};
use manycore_operation::json::Json;
use manycore_operation::verify::Passed;
use manycore_operation::{
    Answer, Arguments, Declaration, DeclaredOption, Files, Input, Job, Operation, OperationError, OptionKind, Value,
    unmade,
};
use serde_json::{Map, json};

use super::entries::{Infinities, of_source};
use super::faults::Past;
use super::kind::{WRAP, type_option};
use super::page;
use crate::computation::Explanation;
use crate::error::SemiringError;
use crate::language::{Compiled, Number, OutputEntries, ProgramText};
use crate::matrix::Matrix;
use crate::multiply::products::Products;
use crate::plan::{Plan, Representation};

/// Programs without files.
const PROGRAMS: &[&str] = &[
    "F = function 3 4: x + 2 * y\nT = transpose F\nC = product max-plus F T\noutput C\nS = sum rows C\noutput S\n",
    "F = function 4 4: if(x < y, 1, 0)\nG = map F: a * 3 - 1\nP = product plus-times F G\noutput P\n",
    "F = function 2 2: abs(x - y)\nM = max columns F\noutput M\n",
    "F = function 1 1: 7\noutput F\n",
];

const DECLARATION: Declaration = Declaration {
    name: "semiring plan",
    title: "Run a program of products, functions of entries and sums by its cheapest plan",
    about: "\
Run a program of products over semirings by its fastest plan

Intermediate results are stored, or computed where they are read, whichever takes the fewest estimated seconds on the device; every \
choice gives the same bits. Outputs are written as text, a row a line, with # and its name before each where there are several; with --json, as \
lists of rows by name.",
    help: "\
A program is text, a statement a line; # begins a comment. Files are matrices as those of semiring product, from the program's folder, without \
missing entries.

  A = matrix FILE                    a matrix
  F = function ROWS COLUMNS: f       a function of the column x and the row y, from 0
  C = product SEMIRING A B           plus-times, max-plus, min-plus, max-min, min-max, max-times or or-and
  D = map A: f                       a function of each entry a, of x and y
  D = map A B: f                     a function of the entries a and b of both
  T = transpose A
  S = sum|max|min rows|columns A     the sum of each row, a column, or of each column, a row
  output C                           what is written

Functions have numbers, inf, + - * / and parentheses, min(..), max(..), abs(.) and if(a < b, yes, no) with <, <=, ==, !=, >= or >, \
of 1000 values and 100 levels at most. Integers do not divide, and are exact: where one that an output is made of passes its type the output is an error, \
exit code 2. With --wrap they are modulo 2^bits. Programs with max-plus, min-plus, max-min, min-max, max, min or inf, without --wrap, have inf and -inf \
among their integers; inf - inf, 0 * inf in a function and products and sums of infinities in plus-times pass the type.

--verify computes every output once more on the host, by plain loops, of integers with 128 bits, and compares. No wrong result passes.

Examples:
  printf 'A = matrix a.txt\\nB = product min-plus A A\\nC = map A B: a - b\\noutput C\\n' | manycore semiring plan - --verify
  printf 'F = function 1000 1000: abs(x - y)\\nS = sum rows F\\noutput S\\n' | manycore semiring plan - --explain",
    step: "computing",
    inputs: &[Input::new("plan", "PLAN", "The program; - is standard input").such_as(PROGRAMS)],
    options: &[
        type_option("The type of all entries"),
        WRAP,
        DeclaredOption::flag(
            "stored",
            "Store all intermediate results, in place of the plan of the fewest estimated seconds",
        ),
        DeclaredOption {
            excludes: Some("stored"),
            ..DeclaredOption::flag(
                "accesses",
                "Take the plan of the fewest accesses to memory, in place of that of the fewest estimated seconds",
            )
        },
        DeclaredOption::flag(
            "explain",
            "Write the plan, with accesses, estimated seconds, alternatives and the time of each step, in place of the outputs",
        ),
        DeclaredOption {
            excludes: Some("explain"),
            ..DeclaredOption::flag("dot", "Write the graph of the plan in the language of Graphviz, in place of the outputs")
        },
        DeclaredOption {
            value: OptionKind::Written { value_name: "FILE", ends: &["html", "htm"] },
            ..DeclaredOption::flag(
                "html",
                "Write a page to look at to this file, too: the graph of the plan with the time of each step, and what other plans take",
            )
        },
    ],
    no_array: Some("outputs of a program over semirings"),
    of_device: &["explain", "dot"],
    is_seedless: true,
    ..Declaration::BASE
};

/// The operation.
pub(super) struct PlanOfProgram;

impl Operation for PlanOfProgram {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        let how = How::of(arguments);
        if how.wraps && matches!(arguments.word("type"), Some("f32" | "f64")) {
            return Err(OperationError::usage("--wrap is of integers: --type i32 or i64"));
        }
        match arguments.word("type") {
            Some("i32") => of_type::<i32>(how, files),
            Some("f32") => of_type::<f32>(how, files),
            Some("f64") => of_type::<f64>(how, files),
            _ => of_type::<i64>(how, files),
        }
    }
}

/// The options of the call.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::struct_excessive_bools)] // options without a value
struct How {
    wraps: bool,
    is_stored: bool,
    is_of_accesses: bool,
    is_explained: bool,
    is_graph: bool,
    has_page: bool,
}

impl How {
    fn of(arguments: &Arguments) -> Self {
        Self {
            wraps: arguments.is_given("wrap"),
            is_stored: arguments.is_given("stored"),
            is_of_accesses: arguments.is_given("accesses"),
            is_explained: arguments.is_given("explain"),
            is_graph: arguments.is_given("dot"),
            has_page: arguments.is_given("html"),
        }
    }
}

fn of_type<T: Number + 'static>(how: How, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
    let file = files.name(0);
    let text = without_comments(files.text(0)?, &file).map_err(FileError::from)?;
    let program = ProgramText::parse(&text, &file)?;
    program.fits::<T>(how.wraps)?;
    let infinities = program.infinities::<T>(how.wraps);
    let mut read: HashMap<String, usize> = HashMap::new();
    let mut matrices: Vec<Matrix<T>> = Vec::new();
    let names: Vec<String> = program.matrices().map(str::to_owned).collect();
    for name in names {
        // Standard input has no second time, and no file needs one.
        let matrix = match read.get(&name) {
            Some(&earlier) => matrices[earlier].clone(),
            None => of_source(files.named_matrix(0, &name)?, infinities, None)?,
        };
        read.entry(name).or_insert(matrices.len());
        matrices.push(matrix);
    }
    let compiled = program.compile(matrices, how.wraps)?;
    Ok(Box::new(Call { how, file, infinities, compiled, plan: None, made: None }))
}

/// A call.
struct Call<T> {
    how: How,
    file: String,
    infinities: Infinities,
    compiled: Compiled<T>,
    plan: Option<Plan>,
    made: Option<Outputs<T>>,
}

/// What was computed.
struct Outputs<T> {
    found: Vec<OutputEntries<T>>,
    explanation: Explanation,
    /// The device, as a page names it.
    device: String,
}

impl<T: Number> Call<T> {
    fn chosen(&self, products: &Products) -> Result<Plan, SemiringError> {
        let computation = self.compiled.computation();
        if self.how.is_stored {
            let all = vec![Representation::Stored; computation.program().nodes().len()];
            return Ok(Plan::new(computation.program(), &all)?);
        }
        if self.how.is_of_accesses { computation.cheapest() } else { computation.fastest(products) }
    }

    fn compared(&self) -> Result<Passed, OperationError> {
        let Outputs { found, .. } = self.made.as_ref().ok_or_else(unmade)?;
        Ok(self.compiled.check(found)?)
    }

    /// The first entry that passed its type.
    fn past(&self) -> Option<Past> {
        let past = |OutputEntries { name, columns, entries }: &OutputEntries<T>| {
            let at = entries.iter().position(Option::is_none)? as u64;
            let (row, column, file) = (at / columns.max(&1) + 1, at % columns.max(&1) + 1, &self.file);
            let what = "the entry, or an integer that it is made of,";
            let what = format!("{file}: output {name}, row {row}, column {column}: {what}");
            Some(Past { what, type_name: T::NAME })
        };
        self.made.as_ref()?.found.iter().find_map(past)
    }

    /// The outputs as they are written.
    fn outputs(&self, found: &[OutputEntries<T>]) -> Value {
        let (mut text, mut json) = (String::new(), Map::new());
        for output in found {
            if found.len() > 1 {
                text.extend(["# ", output.name.as_str(), "\n"]);
            }
            let rows = output.entries.chunks((output.columns as usize).max(1));
            let mut all: Vec<Json> = Vec::new();
            for row in rows {
                let row: Vec<T> = row.iter().filter_map(|entry| *entry).collect();
                for (column, &entry) in row.iter().enumerate() {
                    text.push_str(if column > 0 { " " } else { "" });
                    self.infinities.push(entry, &mut text);
                }
                text.push('\n');
                all.push(row.into_iter().map(|entry| self.infinities.json(entry)).collect());
            }
            json.insert(output.name.clone(), all.into());
        }
        Value::Shown { text, json: json.into() }
    }
}

impl<T: Number + 'static> Job for Call<T> {
    fn prepare(&mut self, devices: &DeviceSet) -> Result<(), OperationError> {
        self.plan = Some(self.chosen(&Products::new(&devices.devices()[0]))?);
        Ok(())
    }

    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        let device = &devices.devices()[0];
        let products = Products::new(device);
        let plan = match self.plan.take() {
            Some(plan) => plan,
            None => self.chosen(&products)?,
        };
        let computation = self.compiled.computation();
        let results = if self.how.is_explained || self.how.has_page {
            computation.run_timed(&products, &plan)?
        } else {
            computation.run(&products, &plan)?
        };
        let explanation = computation.explain_on(&products, &plan, Some(&results))?;
        let found = self.compiled.outputs(&results)?;
        self.made = Some(Outputs { found, explanation, device: device.info().label() });
        self.past().map_or(Ok(()), |past| Err(past.into()))
    }

    fn check(&self, _: u64, _: bool) -> Result<Passed, OperationError> {
        if self.past().is_some() {
            return Err(unmade().into());
        }
        self.compared()
    }

    fn check_refusal(&self, _: &OperationError, _: u64) -> Option<Result<Passed, OperationError>> {
        self.past().map(|_| self.compared())
    }

    fn answer(self: Box<Self>) -> Answer {
        let Some(Outputs { found, explanation, device }) = &self.made else { return Answer::of(Value::None) };
        let of_plan = if self.how.is_explained {
            Some(explanation.to_string())
        } else {
            self.how.is_graph.then(|| explanation.dot())
        };
        let value = match of_plan {
            Some(text) => Value::Shown { json: text.lines().collect::<Vec<_>>().into(), text },
            None => self.outputs(found),
        };
        let page = self.how.has_page.then(|| page::page(&self.file, device, explanation));
        let files = page.into_iter().map(|page| ("html", page.into_bytes())).collect();
        let answer = Answer { files, ..Answer::of(value) }.with("type", T::NAME).with("wrap", self.how.wraps);
        let answer = answer.with("stored", self.how.is_stored).with("accesses", explanation.accesses().to_string());
        answer.with("estimated_seconds", json!(explanation.seconds()))
    }
}
