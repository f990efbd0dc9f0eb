//! `manycore bivariate solve`.

use clap::Args;
use manycore::bivariate::{RationalBivariate, RationalRing, RationalSolutions, Solutions};
use manycore::field::ResidueWord as _;
use manycore::verify::{Outcome, Passed};
use manycore::{Bivariate, BivariateError, BivariateField, BivariateRing};

use super::job::{self, Work, wrong};
use super::system::System;
use super::value::{Value, shown};
use crate::arguments::Global;
use crate::error::Error;
use crate::output;

/// What `--help` says first.
pub(super) const ABOUT: &str = "\
The common zeros of two polynomials in two variables over a prime field or the rationals

Written as lines: `curve F` for every curve that both polynomials contain, `chain T ; H` for points over the algebraic closure, the roots \
of T(x) and above each those of H(x, y), and `point X Y` for every zero of the chains in the field itself. The sets of points of chains \
are disjoint; some may lie on a curve. Multiplicities are not computed.

With --exact over the rationals, by images modulo primes; T and H then have integer coefficients, and an H of degree 1 in the second \
variable says which fraction in the first one it is.";

/// What `--help` says last.
pub(super) const HELP: &str = "\
A polynomial is a sum of products and powers, as Sage and PARI write it: x^2*y - 3*x + 1, (x + y)**2 - Mod(3, 7), or an equation, x*y = 2. \
With --exact coefficients are integers, decimal numbers and fractions of any size, else integers.

--verify puts every chain and every point into the system, and decomposes it a second time on the host. No wrong result of a device \
passes. With --exact it does so modulo random primes, with a chance of a wrong result below 2^-62.

Examples:
  printf 'x^2 + y^2 - 5\\nx*y - 2\\n' | manycore bivariate solve - --modulus 9001
  manycore bivariate solve system.txt --modulus 469762049 --variables a,b --verify --json
  printf '2*x*y - 3\\nx + y - 7/2\\n' | manycore bivariate solve - --exact";

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The system.
    #[command(flatten)]
    pub system: System,
}

/// Does what was asked for.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_text(global, "a list of solutions")?;
    job::run(&Solve, &arguments.system, global)
}

pub(super) struct Solve;

impl Work for Solve {
    const COMMAND: &'static str = "bivariate solve";
    const STEP: &'static str = "solving";
    type Modular<F: BivariateField> = Solutions<F>;
    type Rational = RationalSolutions;

    fn modular<F: BivariateField>(
        &self,
        ring: &BivariateRing<F>,
        [f, g]: &[Bivariate<F>; 2],
    ) -> Result<Solutions<F>, BivariateError> {
        ring.solve(f, g)
    }

    fn check_modular<F: BivariateField>(
        &self,
        host: &BivariateRing<F>,
        [f, g]: &[Bivariate<F>; 2],
        found: &Solutions<F>,
        _: u64,
    ) -> Result<Outcome, Error> {
        if !host.verify_solutions(f, g, found)? {
            return Ok(Err(wrong("that chains and points are zeros of the system")));
        }
        if host.solve(f, g)? != *found {
            return Ok(Err(wrong("that a second decomposition gives the chains")));
        }
        // Another order of elimination: no point in the field is missing.
        let exchanged = host.solve(&f.exchanged(), &g.exchanged())?;
        let mut points: Vec<_> = exchanged.points.into_iter().map(|[y, x]| [x, y]).collect();
        points.sort_by_key(|point| point.map(F::Element::as_u64));
        if points != found.points {
            return Ok(Err(wrong("that the elimination of the other variable gives the points")));
        }
        Ok(Ok(Passed::by_second_computation(
            "substitution, second decomposition, and elimination of the other variable",
        )))
    }

    fn value_of_modular<F: BivariateField>(
        &self,
        field: &F,
        found: Solutions<F>,
        names: [&str; 2],
    ) -> Result<Value, Error> {
        let Solutions { points, decomposition } = found;
        let chain = |chain: &manycore::bivariate::Chain<F>| -> Result<[String; 2], BivariateError> {
            let t = Bivariate::from_rows(field, vec![chain.t.clone()])?;
            Ok([shown(&t, names), shown(&chain.h, names)])
        };
        Ok(Value::Solutions {
            curves: decomposition.curves.iter().map(|curve| shown(curve, names)).collect(),
            chains: decomposition.chains.iter().map(chain).collect::<Result<_, _>>()?,
            points: points.iter().map(|point| point.map(|c| c.as_u64().to_string())).collect(),
        })
    }

    fn rational(
        &self,
        ring: &RationalRing,
        [f, g]: &[RationalBivariate; 2],
    ) -> Result<RationalSolutions, BivariateError> {
        ring.solve(f, g)
    }

    fn holds(
        &self,
        host: &RationalRing,
        [f, g]: &[RationalBivariate; 2],
        found: &RationalSolutions,
        seed: u64,
    ) -> Result<bool, BivariateError> {
        host.verify_solutions(f, g, found, seed)
    }

    fn value_of_rational(&self, found: RationalSolutions, names: [&str; 2]) -> Value {
        let RationalSolutions { points, decomposition } = found;
        let chains = decomposition.chains.iter();
        Value::Solutions {
            curves: decomposition.curves.iter().map(|curve| shown(curve, names)).collect(),
            chains: chains.map(|chain| [shown(&chain.minimal_polynomial(), names), shown(&chain.h, names)]).collect(),
            points: points.iter().map(|point| point.each_ref().map(ToString::to_string)).collect(),
        }
    }
}
