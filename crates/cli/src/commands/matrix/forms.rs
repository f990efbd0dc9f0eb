//! `manycore matrix hermite` and `smith`: normal forms of matrices of integers.

use std::path::PathBuf;

use clap::Args;
use manycore::linalg::exact::{self, HermiteForm, SmithForm};
use manycore::linalg::file::Dense;
use manycore::verify::{Outcome, SplitMix};
use manycore::{Device, LinalgError};
use num_bigint::BigInt;
use serde_json::json;

use super::exact::checked;
use super::job::{self, Made};
use super::value::{Part, Value};
use crate::arguments::Global;
use crate::commands::label;
use crate::commands::several::one;
use crate::error::Error;
use crate::input;
use crate::output::{self, JsonInteger};
use crate::progress;
use crate::verification::verified;

/// One matrix of integers.
#[derive(Debug, Args)]
pub struct Integral {
    /// The matrix of integers: text (a row a line, # begins a comment), Matrix Market, SMS or .npy; - is standard input
    pub m: PathBuf,

    /// Write the transforms too
    #[arg(long)]
    pub transforms: bool,
}

/// What `--help` of `matrix hermite` says first.
pub(super) const HERMITE_ABOUT: &str = "\
The Hermite form H = U M of a matrix of integers, by rows

Any shape and rank. H has pivots above 0, each to the right of those above it, entries above pivots from 0 to below them, and rows of \
zeros last; U has integers and the determinant 1 or -1. H is written as a Matrix Market array; with --json, as a list of rows. With \
--transforms two parts, H and U, each behind a line with # and its name, a row a line; with --json, an object of `form` and `left`.";

/// What `--help` of `matrix hermite` says last.
pub(super) const HERMITE_HELP: &str = "\
--verify looks at the places and sizes of the entries, divides each row of M by those of H on the host, exactly, and compares the \
determinant of the quotients with 1 and -1 modulo random primes of 61 bits; with --transforms, U M = H and det(U)^2 = 1 modulo such \
primes. A wrong form passes with a chance below 2^-64.

Examples:
  printf '2 4 1\\n3 5 0\\n' | manycore matrix hermite -
  manycore matrix hermite m.txt --transforms --verify --json";

/// What `--help` of `matrix smith` says first.
pub(super) const SMITH_ABOUT: &str = "\
The invariant factors of a matrix of integers: its Smith form S = U M V

Any shape and rank. The factors are above 0, as many as the rank, each a divisor of the next, one a line; with --json, a list. With \
--transforms three parts, S (the factors), U and V, each behind a line with # and its name, a row a line; with --json, an object of \
`factors`, `left` and `right`. U and V have integers and the determinant 1 or -1.";

/// What `--help` of `matrix smith` says last.
pub(super) const SMITH_HELP: &str = "\
--verify compares, on the host, the product of the factors with the determinant modulo random primes of 61 bits, the last factor \
with the denominators of solutions, and the others by elimination modulo powers of their primes; of a matrix that is not square or \
regular, it does so with two Hermite forms, which it checks. With --transforms it compares U M V = S, det(U)^2 = 1 and det(V)^2 = 1 \
modulo such primes. Wrong factors pass with a chance below 2^-64.

Examples:
  printf '2 4 4\\n-6 6 12\\n10 4 16\\n' | manycore matrix smith -
  manycore matrix smith m.txt --transforms --verify --json";

/// A form, and what belongs to it.
pub(super) trait Form {
    const COMMAND: &'static str;
    const STEP: &'static str;
    const ALGORITHM: &'static str;

    /// The form, with or without its transforms.
    type Found: Send;

    fn compute(device: &Device, a: &Dense<BigInt>, transforms: bool) -> Result<Self::Found, LinalgError>;

    /// Whether a form, with or without its transforms, is one of the matrix.
    fn check(a: &Dense<BigInt>, found: &Self::Found, transforms: bool, seed: u64) -> Result<Outcome, LinalgError>;

    fn value(a: &Dense<BigInt>, found: Self::Found, transforms: bool) -> Value;
}

fn text(words: &[BigInt]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

pub(super) struct Hermite;

impl Form for Hermite {
    const COMMAND: &'static str = "matrix hermite";
    const STEP: &'static str = "computing the Hermite form";
    const ALGORITHM: &'static str = "modulo-determinant";

    type Found = (HermiteForm, Vec<BigInt>);

    fn compute(device: &Device, a: &Dense<BigInt>, transforms: bool) -> Result<Self::Found, LinalgError> {
        let shape = (a.rows, a.columns);
        if transforms {
            return exact::hermite_form_with_transform(device, shape, &a.entries);
        }
        Ok((exact::hermite_form(device, shape, &a.entries)?, Vec::new()))
    }

    fn check(
        a: &Dense<BigInt>,
        (form, transform): &Self::Found,
        transforms: bool,
        seed: u64,
    ) -> Result<Outcome, LinalgError> {
        let shape = (a.rows, a.columns);
        checked(if transforms {
            exact::check_hermite_form(shape, &a.entries, form, transform, seed)
        } else {
            exact::check_hermite_form_alone(shape, &a.entries, form, seed)
        })
    }

    fn value(a: &Dense<BigInt>, (form, transform): Self::Found, transforms: bool) -> Value {
        let words = text(&form.entries);
        if !transforms {
            return Value::Integers { rows: a.rows, columns: a.columns, words };
        }
        Value::Parts(vec![
            Part { name: "H", key: "form", columns: Some(a.columns), words },
            Part { name: "U", key: "left", columns: Some(a.rows), words: text(&transform) },
        ])
    }
}

pub(super) struct Smith;

impl Form for Smith {
    const COMMAND: &'static str = "matrix smith";
    const STEP: &'static str = "computing the Smith form";
    const ALGORITHM: &'static str = "modulo-determinant";

    type Found = SmithForm;

    fn compute(device: &Device, a: &Dense<BigInt>, transforms: bool) -> Result<Self::Found, LinalgError> {
        let shape = (a.rows, a.columns);
        if transforms {
            return exact::smith_form(device, shape, &a.entries);
        }
        let factors = exact::invariant_factors(device, shape, &a.entries)?;
        Ok(SmithForm { factors, left: Vec::new(), right: Vec::new() })
    }

    fn check(a: &Dense<BigInt>, found: &Self::Found, transforms: bool, seed: u64) -> Result<Outcome, LinalgError> {
        let shape = (a.rows, a.columns);
        checked(if transforms {
            exact::check_smith_form(shape, &a.entries, found, seed)
        } else {
            exact::check_invariant_factors(shape, &a.entries, &found.factors, seed)
        })
    }

    fn value(a: &Dense<BigInt>, found: Self::Found, transforms: bool) -> Value {
        let words = text(&found.factors);
        if !transforms {
            return Value::Decimals(words);
        }
        Value::Parts(vec![
            Part { name: "S", key: "factors", columns: None, words },
            Part { name: "U", key: "left", columns: Some(a.rows), words: text(&found.left) },
            Part { name: "V", key: "right", columns: Some(a.columns), words: text(&found.right) },
        ])
    }
}

/// Reads the matrix, computes its form, checks and writes it.
///
/// # Errors
/// Everything that [`Error`] lists.
pub(super) fn run<F: Form>(arguments: &Integral, global: &Global) -> Result<(), Error> {
    output::check_form(global)?;
    let device = one(global)?;
    let files = [arguments.m.as_path()];
    progress::step(format!("reading {}", input::name(&arguments.m)));
    let read: Dense<BigInt> = input::matrix(&arguments.m)?;
    progress::compute(format!("{} on {}", F::STEP, label(&device)));
    let (outcome, profile) = device.profile(|| F::compute(&device, &read, arguments.transforms))?;
    let found = outcome.map_err(|error| job::of_files(error, &files))?;
    let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
    let verification = if global.verify {
        progress::step("verifying");
        Some(verified(F::check(&read, &found, arguments.transforms, seed)?, &device)?)
    } else {
        None
    };
    let parameters = json!({
        "shapes": [[read.rows, read.columns]],
        "seed": global.verify.then_some(JsonInteger(seed.into())),
    });
    let made = Made {
        command: F::COMMAND,
        device: label(&device),
        algorithm: Some(F::ALGORITHM),
        spent: (&profile).into(),
        verification,
        modulus: None,
    };
    let value = F::value(&read, found, arguments.transforms);
    job::write(global, made, parameters, value)
}
