//! Systems in files: two polynomials, one a line.

use std::fmt::Display;

use manycore_files::{counted, without_comments};
use manycore_operation::{Arguments, DeclaredOption, Files, Input, OperationError, OptionKind};

use crate::error::BivariateError;

/// The input of all operations.
pub(super) const SYSTEM: &[Input] = &[Input::new(
    "file",
    "SYSTEM",
    "The two polynomials, one a line, such as x^2*y - 3*x + 1; # begins a comment; - is standard input",
)
.such_as(&["x^2 + y^2 - 5\nx*y - 2", "x^2 - y\ny - 1", "x*y - 1\nx + y"])];

/// The modulus, or none.
pub(super) const MODULUS: DeclaredOption =
    DeclaredOption { value: OptionKind::Modulus { is_required: false }, ..DeclaredOption::MODULUS };

/// No modulus.
pub(super) const EXACT: DeclaredOption =
    DeclaredOption::flag("exact", "Over the rationals: coefficients are integers and fractions of any size");

/// The names of the variables.
pub(super) const VARIABLES: DeclaredOption = DeclaredOption {
    value: OptionKind::List { value_name: "NAMES", default: Some("x,y") },
    ..DeclaredOption::flag("variables", "The names of the two variables")
};

/// The options of a field, of which one is given.
pub(super) const KIND: &[&str] = &["modulus", "exact"];

/// The names of the variables.
pub(super) fn names(arguments: &Arguments) -> Result<[String; 2], OperationError> {
    let is_name = |name: &str| {
        name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let text = arguments.text("variables").unwrap_or("x,y");
    match text.split(',').collect::<Vec<_>>()[..] {
        [x, y] if x != y && is_name(x) && is_name(y) => Ok([x.to_owned(), y.to_owned()]),
        _ => {
            let message = format!("--variables: two different names, such as x,y, and not {text:?}");
            Err(OperationError::usage(message))
        }
    }
}

/// Reads the system, each polynomial from its line by `parse`; each with its line as it was written.
pub(super) fn read<T>(
    files: &mut dyn Files,
    parse: impl Fn(&str) -> Result<T, BivariateError>,
) -> Result<[(String, T); 2], OperationError> {
    let file = files.name(0);
    let text = without_comments(files.text(0)?, &file)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = lines.map(|(index, line)| {
        let parsed = parse(line).map_err(|error| OperationError::usage(format!("{file}:{}: {error}", index + 1)));
        Ok((line.trim().to_owned(), parsed?))
    });
    let polynomials = read.collect::<Result<Vec<_>, OperationError>>()?;
    let count = polynomials.len();
    <[_; 2]>::try_from(polynomials).map_err(|_| {
        let found = counted(count, "polynomial");
        OperationError::usage(format!("{file}: {found}, where a system has two, one a line"))
    })
}

/// A polynomial as text in variables of these names.
pub(super) fn shown(f: &impl Display, [x, y]: [&str; 2]) -> String {
    let mut text = String::new();
    for c in f.to_string().chars() {
        match c {
            'x' => text.push_str(x),
            'y' => text.push_str(y),
            c => text.push(c),
        }
    }
    text
}
