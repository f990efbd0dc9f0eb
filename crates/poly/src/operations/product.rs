//! Products, powers, compositions and Taylor shifts.

use manycore_field::ResidueWord as _;
use manycore_operation::{Arguments, Declaration, DeclaredOption, Input, OptionKind, Range, Task, When};
use manycore_verify::product::{self, composition};
use manycore_verify::{Passed, SplitMix};

use super::job::{Done, Found, Given, Made, Work, pair, polynomial};
use crate::arithmetic::multiply::{Algorithm, Operation};
use crate::error::PolyError;
use crate::poly::PolyField;

const MUL: Declaration = Declaration {
    name: "poly mul",
    title: "The product of two polynomials",
    about: "\
The product of two polynomials over a prime field

A polynomial is a sum of terms such as x^2 + 3*x, or the list of its coefficients, the constant term first: integers that are taken \
modulo the prime; no coefficients are the zero polynomial. The result is written as terms, with --format coefficients one coefficient \
a line up to the leading one; a .npy file with -o NAME.npy; a list in the JSON object of --json. Any prime will do, also one without roots of unity such as 2, 7 or 9001.",
    help: "\
--verify compares the value of the coefficients that are written with the product of the values of those that were read, on \
the host, at a random point of an extension of the field, large enough that a wrong product passes with a chance below \
2^-64; and their number with that of the product. It takes two or three products for each coefficient for large primes, 85 \
modulo 2.

--algorithm karatsuba needs 32 coefficients or more of each factor: shorter products are those of the definition.

Examples:
  echo 2 6 | manycore poly mul - f.txt --modulus 7
  manycore poly mul f.npy g.npy --modulus 469762049 --verify -o product.npy
  manycore poly mul f.txt f.txt --modulus 9001 --algorithm karatsuba --device host --json",
    step: "multiplying",
    inputs: &[Input::integers("a", "A", "The coefficients of one factor, the constant term first: text (numbers separated by white space or commas, or a sum of terms such as x^2 - 1; # begins a comment) or .npy; - is standard input"),
        Input::integers("b", "B", "Coefficients of the other factor; with one file for both factors the product is a square")],
    options: &[DeclaredOption::MODULUS,
        DeclaredOption {
            value: OptionKind::Word {
                value_name: "ALGORITHM",
                words: &[
                    ("plain", "By the definition"),
                    ("two-phase", "By the definition in two phases with the parameter --x; on OpenCL devices"),
                    ("karatsuba", "Three products of half the length instead of four; on the host"),
                    ("transform", "By number-theoretic transforms"),
                ],
                default: None,
            },
            ..DeclaredOption::flag("algorithm", "Algorithm. Default: the planner's choice (`manycore explain poly-mul`)")
        },
        DeclaredOption {
            value: OptionKind::Count { value_name: "X", range: Range::Positive, is_required: false, default: None },
            when: Some(When { option: "algorithm", word: "two-phase", reason: "no other algorithm has rows" }),
            ..DeclaredOption::flag("x", "Coefficients of the shorter factor for each row, with --algorithm two-phase; 16 without it")
        },
    ],
    ..Declaration::BASE
};

const POW: Declaration = Declaration {
    name: "poly pow",
    title: "A power",
    about: "\
A power of a polynomial over a prime field

F^K as terms such as x^2 + 3*x, or with --format coefficients as its coefficients, the constant term first, one a line up to the leading \
one; a .npy file with -o NAME.npy; a list in the JSON object of --json. By squares and products.",
    help: "\
--verify compares the value of the coefficients that are written with the power of the value of those that were read, on the \
host, at a random point of an extension of the field: a wrong power passes with a chance below 2^-64.

Examples:
  echo 1 1 | manycore poly pow - --exponent 4 --modulus 7
  manycore poly pow f.npy --exponent 100 --modulus 469762049 --verify -o power.npy",
    step: "computing a power",
    inputs: &[Input::integers("f", "F", "The coefficients, the constant term first: text (numbers separated by white space or commas, or a sum of terms such as x^2 - 1; # begins a comment) or .npy; - is standard input")],
    options: &[DeclaredOption::MODULUS,
        DeclaredOption {
            value: OptionKind::Count { value_name: "K", range: Range::Long, is_required: true, default: None },
            ..DeclaredOption::flag("exponent", "The exponent; the power 0 is 1, also of zero")
        },
    ],
    ..Declaration::BASE
};

const COMPOSE: Declaration = Declaration {
    name: "poly compose",
    title: "The composition of two polynomials",
    about: "\
The composition of two polynomials over a prime field

F(G(x)) as terms such as x^2 + 3*x, or with --format coefficients as its coefficients, the constant term first, one a line up to the \
leading one; a .npy file with -o NAME.npy; a list in the JSON object of --json. By divide and conquer.",
    help: "\
--verify compares the value H(Z) of the coefficients that are written with F(G(Z)) of those that were read, on the host, at a \
random point Z of an extension of the field: a wrong composition passes with a chance below 2^-64.

Examples:
  echo 5 0 1 | manycore poly compose - g.txt --modulus 9001
  manycore poly compose f.npy g.npy --modulus 469762049 --verify -o composed.npy",
    step: "composing",
    inputs: &[Input::integers("f", "F", "The coefficients of the outer polynomial F, the constant term first: text (numbers separated by white space or commas, or a sum of terms such as x^2 - 1; # begins a comment) or .npy; - is standard input"),
        Input::integers("g", "G", "The coefficients of the inner polynomial G")],
    options: &[DeclaredOption::MODULUS],
    ..Declaration::BASE
};

const SHIFT: Declaration = Declaration {
    name: "poly shift",
    title: "The Taylor shift: the polynomial at x + C",
    about: "\
The Taylor shift of a polynomial over a prime field

F(x + C) as terms such as x^2 + 3*x, or with --format coefficients as its coefficients, the constant term first, one a line up to the \
leading one; a .npy file with -o NAME.npy; a list in the JSON object of --json. By one product where the prime is above the degree.",
    help: "\
--verify compares the value H(Z) of the coefficients that are written with F(Z + C) of those that were read, on the host, at a \
random point Z of an extension of the field: a wrong shift passes with a chance below 2^-64.

Examples:
  echo 0 0 0 1 | manycore poly shift - --by 2 --modulus 9001
  manycore poly shift f.npy --by 1 --modulus 469762049 --verify -o shifted.npy",
    step: "shifting",
    inputs: &[Input::integers("f", "F", "The coefficients, the constant term first: text (numbers separated by white space or commas, or a sum of terms such as x^2 - 1; # begins a comment) or .npy; - is standard input")],
    options: &[DeclaredOption::MODULUS,
        DeclaredOption {
            value: OptionKind::Count { value_name: "C", range: Range::Long, is_required: true, default: None },
            ..DeclaredOption::flag("by", "The constant C, taken modulo the prime")
        },
    ],
    ..Declaration::BASE
};

/// The default number of the shorter factor's coefficients for each row of the two-phase algorithm.
const ROW: usize = 16;

pub(super) struct Product {
    /// `None` for the planner's choice.
    algorithm: Option<Algorithm>,
}

impl Work for Product {
    const DECLARATION: &'static Declaration = &MUL;
    const TAKES_ONE_FOR_BOTH: bool = true;

    fn of(arguments: &Arguments) -> Self {
        let x = arguments.number("x").map_or(ROW, |x| usize::try_from(x).unwrap_or(usize::MAX));
        let algorithm = arguments.word("algorithm").map(|word| match word {
            "two-phase" => Algorithm::TwoPhase { x },
            "karatsuba" => Algorithm::Karatsuba,
            "transform" => Algorithm::Transform,
            _ => Algorithm::Plain,
        });
        Self { algorithm }
    }

    fn task(&self, lengths: &[usize], modulus: u64) -> Option<Task> {
        pair("poly-mul", lengths, ["n", "m"], modulus)
    }

    fn compute<F: PolyField>(&self, given: &Given<'_, F>) -> Result<Made<F::Element>, PolyError> {
        let (ring, polys) = (given.ring, given.polys);
        let [f, g] = [&polys[0], &polys[polys.len() - 1]];
        let (n, m, is_square) = (f.len(), g.len(), polys.len() == 1);
        let told = |made: Made<F::Element>, way: Option<String>| {
            made.with("lengths", vec![n, m]).with("square", is_square).with("way", way)
        };
        if n == 0 || m == 0 {
            return Ok(told(Found::Polynomial(Vec::new()).into(), None));
        }
        let operation = if is_square { Operation::Square { n } } else { Operation::Multiply { n, m } };
        let (plan, predicted_seconds) = match self.algorithm {
            None => ring.mul_plan(operation).map(|(plan, seconds)| (plan, Some(seconds)))?,
            Some(algorithm) => ring.plan(operation, algorithm)?,
        };
        let made = told(polynomial(ring, &ring.mul_by(f, g, &plan)?)?, Some(plan.to_string()));
        Ok(Made { algorithm: Some(plan.algorithm().name()), predicted_seconds, ..made })
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let [a, b] = [&done.words[0], &done.words[done.words.len() - 1]];
        let words: Vec<u64> = done.part("product").into_iter().map(F::Element::as_u64).collect();
        let random = &mut SplitMix::new(done.seed);
        product::check(done.ring.field().order(), a, b, &words, random).map_err(PolyError::Check)
    }
}

pub(super) struct Power {
    exponent: u64,
}

impl Work for Power {
    const DECLARATION: &'static Declaration = &POW;

    fn of(arguments: &Arguments) -> Self {
        Self { exponent: arguments.number("exponent").unwrap_or(1) }
    }

    fn compute<F: PolyField>(&self, given: &Given<'_, F>) -> Result<Made<F::Element>, PolyError> {
        polynomial(given.ring, &given.ring.pow(&given.polys[0], self.exponent)?)
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let (p, random) = (done.ring.field().order(), &mut SplitMix::new(done.seed));
        composition::check_power(p, &done.words[0], self.exponent, &done.part("power"), random)
            .map_err(PolyError::Check)
    }
}

pub(super) struct Composition;

impl Work for Composition {
    const DECLARATION: &'static Declaration = &COMPOSE;

    fn of(_: &Arguments) -> Self {
        Self
    }

    fn compute<F: PolyField>(&self, given: &Given<'_, F>) -> Result<Made<F::Element>, PolyError> {
        polynomial(given.ring, &given.ring.compose(&given.polys[0], &given.polys[1])?)
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let (p, [f, g]) = (done.ring.field().order(), [&done.words[0], &done.words[done.words.len() - 1]]);
        let random = &mut SplitMix::new(done.seed);
        composition::check(p, f, g, &done.part("composition"), random).map_err(PolyError::Check)
    }
}

pub(super) struct Shift {
    by: u64,
}

impl Shift {
    /// The constant as a residue.
    fn residue<F: PolyField>(&self, field: &F) -> F::Element {
        F::Element::from_u64(self.by % field.order())
    }
}

impl Work for Shift {
    const DECLARATION: &'static Declaration = &SHIFT;

    fn of(arguments: &Arguments) -> Self {
        Self { by: arguments.number("by").unwrap_or(0) }
    }

    fn compute<F: PolyField>(&self, given: &Given<'_, F>) -> Result<Made<F::Element>, PolyError> {
        let ring = given.ring;
        polynomial(ring, &ring.taylor_shift(&given.polys[0], self.residue(ring.field()))?)
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let field = done.ring.field();
        let (inner, random) = ([self.residue(field), field.one()], &mut SplitMix::new(done.seed));
        composition::check(field.order(), &done.words[0], &inner, &done.part("shifted"), random)
            .map_err(PolyError::Check)
    }
}
