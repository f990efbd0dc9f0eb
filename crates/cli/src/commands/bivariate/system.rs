//! Systems in files: two polynomials, one a line.

use std::path::{Path, PathBuf};

use clap::Args;
use manycore::BivariateError;
use manycore::files::counted;

use crate::arguments::modulus;
use crate::error::Error;
use crate::input;

/// A system and its field.
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("kind").required(true).args(["modulus", "exact"])))]
pub struct System {
    /// The two polynomials, one a line, such as x^2*y - 3*x + 1; # begins a comment; - is standard input
    #[arg(value_name = "SYSTEM")]
    pub file: PathBuf,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", value_parser = modulus)]
    pub modulus: Option<u64>,

    /// Over the rationals: coefficients are integers and fractions of any size
    #[arg(long)]
    pub exact: bool,

    /// The names of the two variables
    #[arg(long, value_name = "NAMES", default_value = "x,y", value_delimiter = ',')]
    pub variables: Vec<String>,
}

impl System {
    /// The names of the variables.
    ///
    /// # Errors
    /// [`Error::Usage`] for other than two different ones.
    pub(super) fn names(&self) -> Result<[&str; 2], Error> {
        let is_name = |name: &str| {
            name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        };
        match &self.variables[..] {
            [x, y] if x != y && is_name(x) && is_name(y) => Ok([x, y]),
            names => {
                let message = format!("--variables: two different names, such as x,y, and not {:?}", names.join(","));
                Err(Error::Usage(message))
            }
        }
    }

    /// Reads the system, each polynomial from its line by `parse`.
    ///
    /// # Errors
    /// [`Error::Input`]; [`Error::Usage`] with the line and the column, and for other than two polynomials.
    pub(super) fn read<T>(&self, parse: impl Fn(&str) -> Result<T, BivariateError>) -> Result<[T; 2], Error> {
        Ok(self.read_with_texts(parse)?.map(|(_, polynomial)| polynomial))
    }

    /// Reads the system as [`System::read`] does; each polynomial with its line as it was written.
    ///
    /// # Errors
    /// As [`System::read`].
    pub(super) fn read_with_texts<T>(
        &self,
        parse: impl Fn(&str) -> Result<T, BivariateError>,
    ) -> Result<[(String, T); 2], Error> {
        let text = input::plain_text(&self.file)?;
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let read = lines.map(|(index, line)| {
            let parsed = parse(line).map_err(|error| of_line(&self.file, index + 1, &error));
            Ok((line.trim().to_owned(), parsed?))
        });
        let polynomials = read.collect::<Result<Vec<_>, Error>>()?;
        let count = polynomials.len();
        <[_; 2]>::try_from(polynomials).map_err(|_| {
            Error::Usage(format!(
                "{}: {}, where a system has two, one a line",
                input::name(&self.file),
                counted(count, "polynomial")
            ))
        })
    }
}

fn of_line(path: &Path, line: usize, error: &BivariateError) -> Error {
    Error::Usage(format!("{}:{line}: {error}", input::name(path)))
}
