//! Resultants.

use manycore_field::ResidueWord as _;
use manycore_files::shown as shown_text;
use manycore_operation::{
    Answer, Arguments, Declaration, DeclaredOption, Files, OperationError, OptionKind, Polynomial, Splits, Value,
};
use manycore_verify::{Chance, Outcome, Passed};
use num_rational::BigRational;

use super::job::{Work, parameters, wrong};
use super::system::{self, EXACT, KIND, MODULUS, SYSTEM, VARIABLES};
use crate::error::BivariateError;
use crate::polynomial::{Bivariate, Variable};
use crate::rational::{RationalBivariate, RationalRing};
use crate::ring::{BivariateField, BivariateRing};

const RESULTANT: Declaration = Declaration {
    name: "bivariate resultant",
    title: "The resultant of two polynomials with respect to one variable",
    about: "\
The resultant of two polynomials in two variables with respect to one of them

A polynomial in the other variable; in JSON its coefficients, the constant term first. Its roots are the coordinates of the common zeros, and \
where both leading coefficients vanish. The text is 0 for zero, where the polynomials have a common factor with the variable.",
    help: "\
A polynomial is a sum of products and powers, as Sage and PARI write it: x^2*y - 3*x + 1, (x + y)**2 - Mod(3, 7), or an equation, x*y = 2.

--verify computes the resultant of the images at random elements of the field on the host, at as many as make the chance that a wrong \
result passes less than 2^-64; over fields of few elements it computes the resultant a second time, by exact divisions. With --exact it does so modulo random primes.

Examples:
  printf 'x^2 + y^2 - 5\\nx*y - 2\\n' | manycore bivariate resultant - --modulus 9001
  manycore bivariate resultant system.txt --modulus 469762049 --eliminate first --verify
  manycore bivariate resultant system.txt --exact",
    step: "computing a resultant",
    inputs: SYSTEM,
    options: &[
        MODULUS,
        EXACT,
        VARIABLES,
        DeclaredOption {
            value: OptionKind::Text { value_name: "VARIABLE", check: any, default: None, is_required: false },
            ..DeclaredOption::flag("eliminate", "The variable that the resultant has not: its name, first or second; without this, the second one")
        },
    ],
    one_of: KIND,
    no_array: Some("a polynomial with coefficients of any size"),
    array_with: Some("modulus"),
    splits: Some(Splits::Own),
    ..Declaration::BASE
};

/// Any text: the names of the variables are known later.
#[allow(clippy::unnecessary_wraps)] // the form that texts ask for
fn any(_: &str) -> Result<(), String> {
    Ok(())
}

/// The variable that is eliminated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Eliminated {
    First,
    Second,
}

impl Eliminated {
    fn variable(self) -> Variable {
        match self {
            Self::First => Variable::X,
            Self::Second => Variable::Y,
        }
    }

    /// A polynomial in the other variable.
    fn polynomial<C>(self, coefficients: Vec<C>, [first, second]: [&str; 2]) -> Polynomial<C> {
        let variable = match self {
            Self::First => second,
            Self::Second => first,
        };
        Polynomial { variable: variable.to_owned(), coefficients }
    }
}

impl Work for Eliminated {
    const DECLARATION: &'static Declaration = &RESULTANT;
    type Modular<F: BivariateField> = Vec<F::Element>;
    type Rational = Vec<BigRational>;

    /// The variable that is eliminated: a name of a variable comes before its place.
    fn of(arguments: &Arguments, [first, second]: [&str; 2]) -> Result<Self, OperationError> {
        match arguments.text("eliminate") {
            Some(name) if name == first => Ok(Self::First),
            Some(name) if name == second => Ok(Self::Second),
            Some("first") => Ok(Self::First),
            None | Some("second") => Ok(Self::Second),
            Some(name) => {
                let name = shown_text(name);
                Err(OperationError::usage(format!(
                    "--eliminate {name}: the variables are {first} and {second}, first and second"
                )))
            }
        }
    }

    fn parameter(&self) -> Option<(&'static str, &'static str)> {
        let name = match self {
            Self::First => "first",
            Self::Second => "second",
        };
        Some(("eliminate", name))
    }

    fn modular<F: BivariateField>(
        &self,
        ring: &BivariateRing<F>,
        [f, g]: &[Bivariate<F>; 2],
    ) -> Result<Vec<F::Element>, BivariateError> {
        ring.resultant(f, g, self.variable())
    }

    fn check_modular<F: BivariateField>(
        &self,
        host: &BivariateRing<F>,
        [f, g]: &[Bivariate<F>; 2],
        words: &Vec<F::Element>,
        seed: u64,
    ) -> Result<Outcome, BivariateError> {
        check(host, [f, g], self.variable(), words, seed)
    }

    fn value_of_modular<F: BivariateField>(
        &self,
        _: &F,
        words: &Vec<F::Element>,
        names: [&str; 2],
    ) -> Result<Value, BivariateError> {
        Ok(Value::Polynomial(self.polynomial(words.iter().map(|word| word.as_u64()).collect(), names)))
    }

    fn rational(
        &self,
        ring: &RationalRing,
        [f, g]: &[RationalBivariate; 2],
    ) -> Result<Vec<BigRational>, BivariateError> {
        ring.resultant(f, g, self.variable())
    }

    fn holds(
        &self,
        host: &RationalRing,
        [f, g]: &[RationalBivariate; 2],
        found: &Vec<BigRational>,
        seed: u64,
    ) -> Result<bool, BivariateError> {
        host.verify_resultant(f, g, self.variable(), found, seed)
    }

    fn value_of_rational(&self, found: Vec<BigRational>, names: [&str; 2]) -> Value {
        Value::RationalPolynomial(self.polynomial(found, names))
    }
}

/// The system of a resultant over the rationals, and the variable that is eliminated.
///
/// # Errors
/// What is wrong with the options or the file.
pub fn system_of_resultant(
    arguments: &Arguments,
    files: &mut dyn Files,
) -> Result<([RationalBivariate; 2], Variable), OperationError> {
    let names = system::names(arguments)?;
    let [x, y] = names.each_ref().map(String::as_str);
    let read = system::read(files, |line| RationalBivariate::parse_in(line, [x, y]))?;
    Ok((read.map(|(_, polynomial)| polynomial), Eliminated::of(arguments, [x, y])?.variable()))
}

/// The answer of a resultant over the rationals, with the report's parameters.
///
/// # Errors
/// What is wrong with the options.
pub fn resultant_answer(found: Vec<BigRational>, arguments: &Arguments) -> Result<Answer, OperationError> {
    let names = system::names(arguments)?;
    let own = names.each_ref().map(String::as_str);
    let eliminated = Eliminated::of(arguments, own)?;
    Ok(parameters(Answer::of(eliminated.value_of_rational(found, own)), eliminated.parameter(), None, &names))
}

/// The chance that a wrong resultant passes, as a base-2 logarithm, is below this.
const CHANCE_LOG2: f64 = -64.0;

/// Checks a resultant on the host.
fn check<F: BivariateField>(
    host: &BivariateRing<F>,
    [f, g]: [&Bivariate<F>; 2],
    eliminated: Variable,
    words: &[F::Element],
    seed: u64,
) -> Result<Outcome, BivariateError> {
    let [x, y] = [f, g].map(|f| [f.degree_x().unwrap_or(0) as f64, f.degree_y().unwrap_or(0) as f64]);
    let bound = (x[0] * y[1] + y[0] * x[1]).max(words.len() as f64).max(1.0);
    // The difference of two polynomials vanishes at an element with a chance of at most degree / p.
    let bits = bound.log2() - (host.field().order() as f64).log2();
    if bits > -1.0 {
        let second = host.resultant_by_divisions(f, g, eliminated)?;
        if second != words {
            return Ok(wrong("that a second computation by exact divisions gives the polynomial"));
        }
        return Ok(Ok(Passed::by_second_computation("second computation by exact divisions")));
    }
    let points = (CHANCE_LOG2 / bits).ceil();
    let holds = match host.verify_resultant(f, g, eliminated, words, (points as usize, seed)) {
        // A word that is no residue is no result.
        Err(BivariateError::OutOfRange(_)) => false,
        other => other?,
    };
    if !holds {
        return Ok(wrong("that the resultants of images are its values"));
    }
    Ok(Ok(Passed { method: "resultants of images at random elements", chance: Chance::Below { log2: points * bits } }))
}
