//! `manycore semiring plan`: programs of products, functions of entries and sums of lines.
//!
//! | file | what |
//! |---|---|
//! | `text` | statements |
//! | `expression` | functions of entries |
//! | `numbers` | types of entries |
//! | `building` | programs as computations |
//! | `words`, `flags` | entries as words, or with whether they passed their type |
//! | `ranges` | where entries lie: whether words are exact |
//! | `second` | programs by plain loops |

mod building;
mod expression;
mod flags;
mod numbers;
mod ranges;
mod second;
mod text;
mod words;

use std::path::{Path, PathBuf};

use clap::Args;
use manycore::semiring::operations::{Infinities, Kind};
use manycore::semiring::plan::Representation;
use manycore::semiring::{Matrix, Plan, Products, SemiringError};
use serde_json::{Map, Value as Json, json};

use super::exact::Domain;
use super::product::past;
use super::read;
use crate::arguments::Global;
use crate::commands::label;
use crate::commands::several::one;
use crate::destination;
use crate::error::Error;
use crate::input;
use crate::output::{self, Report};
use crate::pages;
use crate::progress;
use crate::vector::{NumberType, entry_types};
use crate::verification::verified;
use building::Found;
use numbers::{At, Number};
use text::{Statement, What};

/// What `--help` says first.
pub(super) const ABOUT: &str = "\
Run a program of products over semirings by its fastest plan

Intermediate results are stored, or computed where they are read, whichever takes the fewest estimated seconds on the device; every \
choice gives the same bits. Outputs are written as text, a row a line, with # and its name before each where there are several; with --json, as \
lists of rows by name.";

/// What `--help` says last.
pub(super) const HELP: &str = "\
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

Example:
  printf 'A = matrix a.txt\\nB = product min-plus A A\\nC = map A B: a - b\\noutput C\\n' | manycore semiring plan - --verify";

/// The arguments.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // options without a value
pub struct Arguments {
    /// The program; - is standard input
    pub plan: PathBuf,

    /// The type of all entries
    #[arg(long = "type", value_name = "TYPE", default_value = "i64", value_parser = entry_types())]
    pub number: NumberType,

    /// Sums and products of integers are modulo 2^bits, and no integer is an infinity
    #[arg(long)]
    pub wrap: bool,

    /// Store all intermediate results, in place of the plan of the fewest estimated seconds
    #[arg(long)]
    pub stored: bool,

    /// Take the plan of the fewest accesses to memory, in place of that of the fewest estimated seconds
    #[arg(long, conflicts_with = "stored")]
    pub accesses: bool,

    /// Write the plan, with accesses, estimated seconds, alternatives and the time of each step, in place of the outputs
    #[arg(long)]
    pub explain: bool,

    /// Write the graph of the plan in the language of Graphviz, in place of the outputs
    #[arg(long, conflicts_with = "explain")]
    pub dot: bool,

    /// Write a page to look at to this file, too: the graph of the plan with the time of each step, and what other plans take
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// The statements of a program's text as they were read.
pub(crate) fn shown(text: &str, file: &str) -> Result<String, Error> {
    let statements = text::parse(text, file)?;
    let lines: Vec<String> = statements.iter().map(|statement| format!("{statement:?}")).collect();
    Ok(lines.join("\n"))
}

/// Does what was asked for.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_text(global, "outputs of a program over semirings")?;
    let is_real = matches!(arguments.number, NumberType::F32 | NumberType::F64);
    if arguments.wrap && is_real {
        return Err(Error::Usage("--wrap is of integers: --type i32 or i64".to_owned()));
    }
    match arguments.number {
        NumberType::I32 => of::<i32>(arguments, global, "i32"),
        NumberType::I64 => of::<i64>(arguments, global, "i64"),
        NumberType::F32 => of::<f32>(arguments, global, "f32"),
        NumberType::F64 => of::<f64>(arguments, global, "f64"),
    }
}

/// Refuses what the type has not.
fn check_types<T: Number>(statements: &[Statement], domain: &Domain, file: &str, type_name: &str) -> Result<(), Error> {
    for statement in statements {
        let line = statement.line;
        if let What::Product(Kind::OrAnd, ..) = statement.what
            && !T::IS_INTEGER
        {
            return Err(Error::Usage(format!("{file}:{line}: or-and is of integers: --type i32 or i64")));
        }
        let (What::Function(_, expression) | What::Map(_, expression)) = &statement.what else { continue };
        if let Some(text) = expression.foreign(&At::<T>::origin(domain)) {
            return Err(Error::Usage(format!("{file}:{line}: {text:?} is no number of type {type_name}")));
        }
        if expression.divides() && T::IS_INTEGER {
            return Err(Error::Usage(format!("{file}:{line}: integers do not divide: --type f32 or f64")));
        }
    }
    Ok(())
}

fn of<T: Number>(arguments: &Arguments, global: &Global, type_name: &str) -> Result<(), Error> {
    let wrap = arguments.wrap;
    let device = one(global)?;
    let page = destination::page(arguments.html.as_deref(), global)?;
    let file = input::name(&arguments.plan);
    let statements = text::parse(&input::plain_text(&arguments.plan)?, &file)?;
    let is_infinite = !wrap && T::IS_INTEGER && statements.iter().any(Statement::has_infinities);
    // Numbers have infinities of their own.
    let infinities = if is_infinite || !T::IS_INTEGER { Infinities::Kept } else { Infinities::None };
    let domain = T::domain(is_infinite, wrap);
    check_types::<T>(&statements, &domain, &file, type_name)?;
    let folder = arguments.plan.parent().unwrap_or_else(|| Path::new(""));
    let names = statements.iter().filter_map(|statement| match &statement.what {
        What::Matrix(name) if name == "-" => Some(PathBuf::from("-")),
        What::Matrix(name) => Some(folder.join(name)),
        _ => None,
    });
    let paths: Vec<PathBuf> = names.collect();
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let matrices: Vec<Matrix<T>> = input::each_once(&paths, |path| {
        progress::step(format!("reading {}", input::name(path)));
        read::<T>(path, infinities, None)
    })?;
    let made = T::computation(&statements, &matrices, &domain).map_err(|error| match error {
        SemiringError::Program(error) => Error::Usage(format!("{file}: {error}")),
        error => error.into(),
    })?;
    let computation = &made.computation;
    let products = Products::new(&device);
    let plan = if arguments.stored {
        let all = vec![Representation::Stored; computation.program().nodes().len()];
        Plan::new(computation.program(), &all).map_err(SemiringError::from)?
    } else if arguments.accesses {
        computation.cheapest()?
    } else {
        computation.fastest(&products)?
    };
    progress::compute(format!("computing on {}", label(&device)));
    let (results, profile) = device.profile(|| {
        if arguments.explain || page.is_some() {
            computation.run_timed(&products, &plan)
        } else {
            computation.run(&products, &plan)
        }
    })?;
    let results = results?;
    let outputs = made.found(&results)?;
    let verification = if global.verify {
        progress::step("verifying");
        Some(verified(second::check(&statements, &matrices, &domain, &outputs), &device)?)
    } else {
        None
    };
    let outputs = outputs.into_iter().map(|found| held(found, &file, type_name)).collect::<Result<Vec<_>, _>>()?;
    let explanation = computation.explain_on(&products, &plan, Some(&results))?;
    if let Some(target) = &page {
        let page = pages::plan::page(&file, &label(&device), &explanation);
        target.write(|out| out.write_all(page.as_bytes())).map_err(destination::output_error)?;
    }
    let of_plan =
        if arguments.explain { Some(explanation.to_string()) } else { arguments.dot.then(|| explanation.dot()) };
    if global.json {
        let parameters = json!({
            "type": type_name, "wrap": wrap, "stored": arguments.stored,
            "accesses": explanation.accesses().to_string(), "estimated_seconds": explanation.seconds(),
        });
        let result = if let Some(text) = &of_plan {
            json!(text.lines().collect::<Vec<_>>())
        } else {
            let rows = |output: &Held<T>| -> Json {
                output.rows().map(|row| row.iter().map(|&entry| infinities.json(entry)).collect::<Json>()).collect()
            };
            Json::Object(outputs.iter().map(|output| (output.name.clone(), rows(output))).collect::<Map<_, _>>())
        };
        let report = Report::new("semiring plan", parameters, result).of_run(&device, (&profile).into(), verification);
        return output::write_report(global, &report);
    }
    output::write(global, |out| {
        if let Some(text) = &of_plan {
            return out.write_all(text.as_bytes());
        }
        for output in &outputs {
            if outputs.len() > 1 {
                writeln!(out, "# {}", output.name)?;
            }
            for row in output.rows() {
                let row: Vec<String> = row.iter().map(|&entry| infinities.text(entry)).collect();
                writeln!(out, "{}", row.join(" "))?;
            }
        }
        Ok(())
    })
}

/// An output whose entries its type holds.
struct Held<T> {
    name: String,
    columns: u64,
    entries: Vec<T>,
}

impl<T> Held<T> {
    fn rows(&self) -> impl Iterator<Item = &[T]> {
        self.entries.chunks((self.columns as usize).max(1))
    }
}

/// The entries of an output, or the error that names the first one that passed its type.
fn held<T: Number>(found: Found<T>, file: &str, type_name: &str) -> Result<Held<T>, Error> {
    let Found { name, columns, entries } = found;
    if let Some(at) = entries.iter().position(Option::is_none) {
        let (row, column) = (at as u64 / columns + 1, at as u64 % columns + 1);
        return Err(Error::Usage(format!(
            "{file}: output {name}, row {row}, column {column}: {}",
            past(type_name, "the entry, or an integer that it is made of,")
        )));
    }
    Ok(Held { name, columns, entries: entries.into_iter().flatten().collect() })
}
