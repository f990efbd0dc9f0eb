//! Inverses, quotients, logarithms, exponentials and roots of power series.

use manycore_field::ResidueWord as _;
use manycore_operation::{Arguments, Declaration, DeclaredOption, Input, OptionKind, Range, When};
use manycore_verify::product::check_part;
use manycore_verify::{CheckError, Passed, SplitMix};

use super::job::{Done, Given, Made, Work, polynomial};
use crate::error::PolyError;
use crate::poly::PolyField;

const SERIES: Declaration = Declaration {
    name: "poly series",
    title: "Inverses, quotients, logarithms, exponentials and roots of power series",
    about: "\
Inverses, quotients, logarithms, exponentials, roots of power series over a prime field

The terms of the result below x^N, such as 3*x^2 + 1, or with --format coefficients its first N coefficients, the constant term first, \
one a line up to the last other than zero; a .npy file with -o NAME.npy; a list in the JSON object of --json. Logarithms and exponentials need a prime of at least N, roots an odd one.",
    help: "\
--verify compares the product that defines the result modulo a power of x, such as F / F times F for a quotient and F' times the \
result for the derivative of an exponential, at a random point of an extension of the field, on the host: a wrong result \
passes with a chance below 2^-63. A reversion is composed with F on the host.

Examples:
  echo 1 9000 9000 | manycore poly series inverse - --terms 20 --modulus 9001
  manycore poly series exp f.npy --terms 1000000 --modulus 469762049 --verify -o exp.npy",
    step: "computing a power series",
    inputs: &[Input::integers("f", "F", "The coefficients of F, the constant term first, those past the last being zero: text (numbers separated by white space or commas, # begins a comment) or .npy; - is standard input"),
        Input {
            when: Some(When { option: "operation", word: "quotient", reason: "a second series" }),
            ..Input::integers("g", "G", "The coefficients of the divisor G of a quotient")
        }],
    options: &[
        DeclaredOption {
            value: OptionKind::Word {
                value_name: "OPERATION",
                words: &[
                    ("inverse", "1 / F"),
                    ("quotient", "F / G"),
                    ("log", "The logarithm of an F with the constant term 1"),
                    ("exp", "The exponential of an F with the constant term 0"),
                    ("sqrt", "The square root; of the two roots that with the smaller lowest coefficient"),
                    ("inverse-sqrt", "The inverse of the square root"),
                    ("reversion", "The inverse for composition of an F with the constant term 0: F(H) = x"),
                ],
                default: None,
            },
            is_positional: true,
            ..DeclaredOption::flag("operation", "What is computed of the power series F")
        },
        DeclaredOption {
            value: OptionKind::Count { value_name: "N", range: Range::Positive, is_required: true, default: None },
            ..DeclaredOption::flag("terms", "Coefficients of the result, from the constant term on")
        },
        DeclaredOption::MODULUS,
    ],
    ..Declaration::BASE
};

/// An operation on power series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
    Inverse,
    Quotient,
    Log,
    Exp,
    Sqrt,
    InverseSqrt,
    Reversion,
}

pub(super) struct Series {
    operation: Name,
    terms: usize,
}

impl Work for Series {
    const DECLARATION: &'static Declaration = &SERIES;

    fn of(arguments: &Arguments) -> Self {
        let operation = match arguments.word("operation") {
            Some("quotient") => Name::Quotient,
            Some("log") => Name::Log,
            Some("exp") => Name::Exp,
            Some("sqrt") => Name::Sqrt,
            Some("inverse-sqrt") => Name::InverseSqrt,
            Some("reversion") => Name::Reversion,
            _ => Name::Inverse,
        };
        Self { operation, terms: arguments.number("terms").map_or(1, |n| usize::try_from(n).unwrap_or(usize::MAX)) }
    }

    fn terms(&self) -> usize {
        // Whether there is a root depends on the lowest term, wherever it is.
        if self.operation == Name::Sqrt { usize::MAX } else { self.terms }
    }

    fn compute<F: PolyField>(&self, given: &Given<'_, F>) -> Result<Made<F::Element>, PolyError> {
        let (ring, f, n) = (given.ring, &given.polys[0], self.terms);
        let result = match self.operation {
            Name::Inverse => ring.inverse_series(f, n),
            Name::Quotient => ring.div_series(f, &given.polys[given.polys.len() - 1], n),
            Name::Log => ring.log_series(f, n),
            Name::Exp => ring.exp_series(f, n),
            Name::Sqrt => ring.sqrt_series(f, n),
            Name::InverseSqrt => ring.inverse_sqrt_series(f, n),
            Name::Reversion => ring.reversion(f, n),
        }?;
        Ok(polynomial(ring, &result)?.with("terms", n))
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        self.relation(done).map_err(|error| match error {
            // The result is an operand of its relation.
            PolyError::Check(CheckError::Input { index, found, expected }) => {
                PolyError::Check(CheckError::OutOfRange { run: 0, index, found, expected })
            }
            error => error,
        })
    }
}

impl Series {
    /// Whether the product that defines the result is what it must be.
    fn relation<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let (ring, n, h) = (done.on_host()?, self.terms, done.part("series"));
        let (field, random) = (ring.field(), &mut SplitMix::new(done.seed));
        let (zero, p) = (field.zero(), field.order());
        let first = |words: &[F::Element], n: usize| words[..n.min(words.len())].to_vec();
        let (f, divisor) = (&done.words[0], &done.words[done.words.len() - 1]);
        if h.len() > n {
            return Err(CheckError::Length { found: h.len(), expected: n }.into());
        }
        if let Some(index) = h.iter().position(|&c| c.as_u64() >= p) {
            let (found, expected) = (h[index].to_string(), format!("residue modulo {p}"));
            return Err(CheckError::OutOfRange { run: 0, index, found, expected }.into());
        }
        let derivative = |words: &[F::Element]| -> Result<Vec<F::Element>, PolyError> {
            ring.coefficients(&ring.derivative(&ring.poly(words)?)?)
        };
        let begins = |expected: F::Element| match h.first().copied().unwrap_or(zero) {
            _ if n == 0 => Ok(()),
            given if given == expected => Ok(()),
            given => Err(PolyError::from(wrong(format!("the constant term {given}, which must be {expected},")))),
        };
        let lesser = |c: F::Element| match c.as_u64() {
            c if c <= p / 2 => Ok(()),
            c => Err(PolyError::from(wrong(format!("the choice of {c} of two roots")))),
        };
        let passed = match self.operation {
            Name::Inverse => check_part(p, f, &h, 0..n, &first(&[field.one()], n), random),
            Name::Quotient => check_part(p, divisor, &h, 0..n, &first(f, n), random),
            Name::Log => {
                begins(zero)?;
                let below = n.saturating_sub(1);
                check_part(p, f, &derivative(&h)?, 0..below, &first(&derivative(f)?, below), random)
            }
            Name::Exp => {
                begins(field.one())?;
                check_part(p, &derivative(f)?, &h, 0..n.saturating_sub(1), &derivative(&h)?, random)
            }
            Name::Sqrt => {
                // The lowest coefficients are zeros, and as many more of the square are known.
                let zeros = h.iter().position(|&c| c != zero).unwrap_or(n);
                lesser(h.get(zeros).copied().unwrap_or(zero))?;
                check_part(p, &h, &h, 0..n + zeros, &first(f, n + zeros), random)
            }
            Name::InverseSqrt => {
                lesser(h.first().and_then(|&c| field.inverse(c)).unwrap_or(zero))?;
                let square = ring.coefficients(&ring.square_short(&ring.poly(&h)?, n)?)?;
                let squared = check_part(p, &h, &h, 0..n, &square, random).map_err(PolyError::Check)?;
                let one = check_part(p, f, &square, 0..n, &first(&[field.one()], n), random);
                one.map(|one| Passed { chance: one.chance.or(squared.chance), ..one })
            }
            Name::Reversion => {
                let composed = ring.compose_short(&ring.poly(f)?, &ring.poly(&h)?, n)?;
                let x = ring.truncate(&ring.monomial(1)?, n)?;
                if ring.equal(&composed, &x)? {
                    Ok(Passed::by_second_computation("composition on the host"))
                } else {
                    Err(wrong("F(H) = x".to_owned()))
                }
            }
        };
        passed.map_err(PolyError::Check)
    }
}

/// What does not hold.
fn wrong(relation: String) -> CheckError {
    CheckError::Relation { relation }
}
