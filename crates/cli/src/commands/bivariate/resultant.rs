//! `manycore bivariate resultant`.

use clap::Args;
use manycore::bivariate::{RationalBivariate, RationalRing, Variable};
use manycore::field::ResidueWord as _;
use manycore::files::shown as shown_text;
use manycore::verify::{Chance, Outcome, Passed};
use manycore::{Bivariate, BivariateError, BivariateField, BivariateRing};
use num_rational::BigRational;
use serde_json::{Map, json};

use super::job::{self, Work, wrong};
use super::shards;
use super::system::System;
use super::value::Value;
use crate::arguments::Global;
use crate::error::Error;
use crate::output::{self, Residues};
use crate::shard;

/// What `--help` says first.
pub(super) const ABOUT: &str = "\
The resultant of two polynomials in two variables with respect to one of them

A polynomial in the other variable: its coefficients, the constant term first. Its roots are the coordinates of the common zeros, and \
where both leading coefficients vanish. The text is 0 for zero, where the polynomials have a common factor with the variable.";

/// What `--help` says last.
pub(super) const HELP: &str = "\
A polynomial is a sum of products and powers, as Sage and PARI write it: x^2*y - 3*x + 1, (x + y)**2 - Mod(3, 7), or an equation, x*y = 2.

--verify computes the resultant of the images at random elements of the field on the host, at as many as make the chance that a wrong \
result passes less than 2^-64; over fields of few elements it computes the resultant a second time, by exact divisions. With --exact it does so modulo random primes.

Examples:
  printf 'x^2 + y^2 - 5\\nx*y - 2\\n' | manycore bivariate resultant - --modulus 9001
  manycore bivariate resultant system.txt --modulus 469762049 --eliminate first --verify
  manycore bivariate resultant system.txt --exact";

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The system.
    #[command(flatten)]
    pub system: System,

    /// The variable that the resultant has not: its name, first or second; without this, the second one
    #[arg(long, value_name = "VARIABLE")]
    pub eliminate: Option<String>,
}

/// A variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Eliminated {
    First,
    Second,
}

/// Does what was asked for.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    if arguments.system.exact {
        output::check_text(global, "a polynomial with coefficients of any size")?;
    }
    if let Some(turn) = shard::turn(global) {
        return shards::write(arguments, global, turn);
    }
    job::run(&arguments.eliminated()?, &arguments.system, global)
}

impl Arguments {
    /// The variable that is eliminated: a name of a variable comes before its place.
    ///
    /// # Errors
    /// [`Error::Usage`] for another name, and for names that are none.
    pub(super) fn eliminated(&self) -> Result<Eliminated, Error> {
        let [first, second] = self.system.names()?;
        match self.eliminate.as_deref() {
            Some(name) if name == first => Ok(Eliminated::First),
            Some(name) if name == second => Ok(Eliminated::Second),
            Some("first") => Ok(Eliminated::First),
            None | Some("second") => Ok(Eliminated::Second),
            Some(name) => {
                let name = shown_text(name);
                Err(Error::Usage(format!(
                    "--eliminate {name}: the variables are {first} and {second}, first and second"
                )))
            }
        }
    }
}

impl Eliminated {
    pub(super) fn variable(self) -> Variable {
        match self {
            Self::First => Variable::X,
            Self::Second => Variable::Y,
        }
    }
}

impl Work for Eliminated {
    const COMMAND: &'static str = "bivariate resultant";
    const STEP: &'static str = "computing a resultant";
    type Modular<F: BivariateField> = Vec<F::Element>;
    type Rational = Vec<BigRational>;

    fn parameters(&self) -> Map<String, serde_json::Value> {
        let name = match self {
            Self::First => "first",
            Self::Second => "second",
        };
        Map::from_iter([("eliminate".to_owned(), json!(name))])
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
    ) -> Result<Outcome, Error> {
        check(host, [f, g], self.variable(), words, seed)
    }

    fn value_of_modular<F: BivariateField>(&self, _: &F, words: Vec<F::Element>, _: [&str; 2]) -> Result<Value, Error> {
        Ok(Value::Residues(Residues(words.into_iter().map(F::Element::as_u64).collect())))
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

    fn value_of_rational(&self, found: Vec<BigRational>, _: [&str; 2]) -> Value {
        Value::Fractions(found.iter().map(ToString::to_string).collect())
    }
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
) -> Result<Outcome, Error> {
    let [x, y] = [f, g].map(|f| [f.degree_x().unwrap_or(0) as f64, f.degree_y().unwrap_or(0) as f64]);
    let bound = (x[0] * y[1] + y[0] * x[1]).max(words.len() as f64).max(1.0);
    // The difference of two polynomials vanishes at an element with a chance of at most degree / p.
    let bits = bound.log2() - (host.field().order() as f64).log2();
    if bits > -1.0 {
        let second = host.resultant_by_divisions(f, g, eliminated)?;
        if second != words {
            return Ok(Err(wrong("that a second computation by exact divisions gives the polynomial")));
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
        return Ok(Err(wrong("that the resultants of images are its values")));
    }
    Ok(Ok(Passed { method: "resultants of images at random elements", chance: Chance::Below { log2: points * bits } }))
}
