//! The Hermite form and the invariant factors of matrices of integers.

use manycore_device::DeviceSet;
use manycore_operation::{
    Answer, Arguments, Declaration, DeclaredOption, Files, Input, Job, Operation, OperationError, Part, Value, unmade,
};
use manycore_verify::Passed;
use num_bigint::BigInt;

use super::common::{Boxed, read};
use crate::exact::{self, HermiteForm, SmithForm};
use crate::file::Dense;

/// The Hermite form.
pub(super) static HERMITE: Form =
    Form { declaration: &HERMITE_DECLARATION, job: |a, transforms| Box::new(Hermite { a, transforms, found: None }) };
/// The invariant factors.
pub(super) static SMITH: Form =
    Form { declaration: &SMITH_DECLARATION, job: |a, transforms| Box::new(Smith { a, transforms, found: None }) };

const M: &[Input] = &[Input::matrix(
    "m",
    "M",
    "The matrix of integers: text (a row a line, # begins a comment), Matrix Market, SMS or .npy; - is standard input",
)];

/// What both forms are, and other operations are on demand.
const EXACT: DeclaredOption = DeclaredOption::flag("exact", "Over the integers, as without it");

const HERMITE_DECLARATION: Declaration = Declaration {
    name: "matrix hermite",
    title: "The Hermite form of a matrix of integers",
    about: "\
The Hermite form H = U M of a matrix of integers, by rows

Any shape and rank. H has pivots above 0, each to the right of those above it, entries above pivots from 0 to below them, and rows of \
zeros last; U has integers and the determinant 1 or -1. H is written a row a line, as a Matrix Market array with -o NAME.mtx; with --json, as a list of \
rows. With --transforms two parts, H and U, each behind a line with # and its name, a row a line; with --json, an object of `form` and `left`.",
    help: "\
--verify looks at the places and sizes of the entries, divides each row of M by those of H on the host, exactly, and compares the \
determinant of the quotients with 1 and -1 modulo random primes of 61 bits; with --transforms, U M = H and det(U)^2 = 1 modulo such \
primes. A wrong form passes with a chance below 2^-64.

Examples:
  printf '2 4 1\\n3 5 0\\n' | manycore matrix hermite -
  manycore matrix hermite m.txt --transforms --verify --json",
    step: "computing the Hermite form",
    inputs: M,
    options: &[EXACT, DeclaredOption::flag("transforms", "Write the transforms too")],
    no_array: Some("a Hermite form"),
    ..Declaration::BASE
};

const SMITH_DECLARATION: Declaration = Declaration {
    name: "matrix smith",
    title: "The invariant factors of a matrix of integers",
    about: "\
The invariant factors of a matrix of integers: its Smith form S = U M V

Any shape and rank. The factors are above 0, as many as the rank, each a divisor of the next, one a line; with --json, a list. With \
--transforms three parts, S (the factors), U and V, each behind a line with # and its name, a row a line; with --json, an object of \
`factors`, `left` and `right`. U and V have integers and the determinant 1 or -1.",
    help: "\
--verify compares, on the host, the product of the factors with the determinant modulo random primes of 61 bits, the last factor \
with the denominators of solutions, and the others by elimination modulo powers of their primes; of a matrix that is not square or \
regular, it does so with two Hermite forms, which it checks. With --transforms it compares U M V = S, det(U)^2 = 1 and det(V)^2 = 1 \
modulo such primes. Wrong factors pass with a chance below 2^-64.

Examples:
  printf '2 4 4\\n-6 6 12\\n10 4 16\\n' | manycore matrix smith -
  manycore matrix smith m.txt --transforms --verify --json",
    step: "computing the Smith form",
    inputs: M,
    options: &[EXACT, DeclaredOption::flag("transforms", "Write the transforms too")],
    no_array: Some("a Smith form"),
    ..Declaration::BASE
};

/// A form of a matrix of integers, with or without its transforms.
pub(super) struct Form {
    declaration: &'static Declaration,
    job: fn(Dense<BigInt>, bool) -> Boxed,
}

impl Operation for Form {
    fn declaration(&self) -> &'static Declaration {
        self.declaration
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Boxed, OperationError> {
        Ok((self.job)(read(files, 0, &[])?, arguments.is_given("transforms")))
    }
}

struct Hermite {
    a: Dense<BigInt>,
    transforms: bool,
    found: Option<(HermiteForm, Vec<BigInt>)>,
}

/// How both forms are computed, as reports name it.
const ALGORITHM: &str = "modulo-determinant";

fn answered(value: Value, a: &Dense<BigInt>) -> Answer {
    Answer::of(value).by(ALGORITHM).with("shapes", vec![vec![a.rows, a.columns]])
}

impl Job for Hermite {
    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        let (device, shape) = (&devices.devices()[0], (self.a.rows, self.a.columns));
        self.found = Some(if self.transforms {
            exact::hermite_form_with_transform(device, shape, &self.a.entries)?
        } else {
            (exact::hermite_form(device, shape, &self.a.entries)?, Vec::new())
        });
        Ok(())
    }

    fn check(&self, seed: u64, _: bool) -> Result<Passed, OperationError> {
        let (shape, (form, transform)) = ((self.a.rows, self.a.columns), self.found.as_ref().ok_or_else(unmade)?);
        Ok(if self.transforms {
            exact::check_hermite_form(shape, &self.a.entries, form, transform, seed)?
        } else {
            exact::check_hermite_form_alone(shape, &self.a.entries, form, seed)?
        })
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { a, transforms, found } = *self;
        let value = found.map_or(Value::None, |(form, transform)| {
            if !transforms {
                return Value::Integers { rows: a.rows, columns: a.columns, entries: form.entries };
            }
            Value::Parts(vec![
                Part { name: "H", key: "form", columns: Some(a.columns), entries: form.entries },
                Part { name: "U", key: "left", columns: Some(a.rows), entries: transform },
            ])
        });
        answered(value, &a)
    }
}

struct Smith {
    a: Dense<BigInt>,
    transforms: bool,
    found: Option<SmithForm>,
}

impl Job for Smith {
    fn compute(&mut self, devices: &DeviceSet, _: u64) -> Result<(), OperationError> {
        let (device, shape) = (&devices.devices()[0], (self.a.rows, self.a.columns));
        self.found = Some(if self.transforms {
            exact::smith_form(device, shape, &self.a.entries)?
        } else {
            let factors = exact::invariant_factors(device, shape, &self.a.entries)?;
            SmithForm { factors, left: Vec::new(), right: Vec::new() }
        });
        Ok(())
    }

    fn check(&self, seed: u64, _: bool) -> Result<Passed, OperationError> {
        let (shape, found) = ((self.a.rows, self.a.columns), self.found.as_ref().ok_or_else(unmade)?);
        Ok(if self.transforms {
            exact::check_smith_form(shape, &self.a.entries, found, seed)?
        } else {
            exact::check_invariant_factors(shape, &self.a.entries, &found.factors, seed)?
        })
    }

    fn answer(self: Box<Self>) -> Answer {
        let Self { a, transforms, found } = *self;
        let value = found.map_or(Value::None, |SmithForm { factors, left, right }| {
            if !transforms {
                return Value::Rationals(factors.into_iter().map(Into::into).collect());
            }
            Value::Parts(vec![
                Part { name: "S", key: "factors", columns: None, entries: factors },
                Part { name: "U", key: "left", columns: Some(a.rows), entries: left },
                Part { name: "V", key: "right", columns: Some(a.columns), entries: right },
            ])
        });
        answered(value, &a)
    }
}
