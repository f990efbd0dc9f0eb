//! Common zeros: curves, chains, points.

use manycore_field::ResidueWord as _;
use manycore_operation::json::integer;
use manycore_operation::{Arguments, Declaration, OperationError, Value};
use manycore_verify::{Outcome, Passed};
use serde_json::{Value as Json, json};

use super::job::{Work, wrong};
use super::system::{EXACT, KIND, MODULUS, SYSTEM, VARIABLES, shown};
use crate::error::BivariateError;
use crate::polynomial::Bivariate;
use crate::rational::{RationalBivariate, RationalRing, RationalSolutions};
use crate::ring::{BivariateField, BivariateRing};
use crate::solve::{Chain, Solutions};

const SOLVE: Declaration = Declaration {
    name: "bivariate solve",
    title: "The common zeros of two polynomials",
    about: "\
The common zeros of two polynomials in two variables over a prime field or the rationals

Written as lines: `curve F` for every curve that both polynomials contain, `chain T ; H` for points over the algebraic closure, the roots \
of T(x) and above each those of H(x, y), and `point X Y` for every zero of the chains in the field itself. The sets of points of chains \
are disjoint; some may lie on a curve. Multiplicities are not computed.

With --exact over the rationals, by images modulo primes; T and H then have integer coefficients, and an H of degree 1 in the second \
variable says which fraction in the first one it is.",
    help: "\
A polynomial is a sum of products and powers, as Sage and PARI write it: x^2*y - 3*x + 1, (x + y)**2 - Mod(3, 7), or an equation, x*y = 2. \
With --exact coefficients are integers, decimal numbers and fractions of any size, else integers.

--verify puts every chain and every point into the system, and decomposes it a second time on the host. No wrong result of a device \
passes. With --exact it does so modulo random primes, with a chance of a wrong result below 2^-62.

Examples:
  printf 'x^2 + y^2 - 5\\nx*y - 2\\n' | manycore bivariate solve - --modulus 9001
  manycore bivariate solve system.txt --modulus 469762049 --variables a,b --verify --json
  printf '2*x*y - 3\\nx + y - 7/2\\n' | manycore bivariate solve - --exact",
    step: "solving",
    inputs: SYSTEM,
    options: &[MODULUS, EXACT, VARIABLES],
    one_of: KIND,
    no_array: Some("a list of solutions"),
    ..Declaration::BASE
};

/// Solutions as texts.
pub(super) struct Found {
    /// Curves that both polynomials contain.
    pub(super) curves: Vec<String>,
    /// Chains `T ; H`.
    pub(super) chains: Vec<[String; 2]>,
    /// Coordinates of points.
    pub(super) points: Vec<[String; 2]>,
}

/// The JSON form of a number: an integer up to 2^53 is a number, others are strings.
fn number(text: &str) -> Json {
    text.parse::<i128>().map_or_else(|_| text.into(), integer)
}

impl Found {
    /// Solutions modulo a prime.
    pub(super) fn of<F: BivariateField>(
        field: &F,
        found: &Solutions<F>,
        names: [&str; 2],
    ) -> Result<Self, BivariateError> {
        let Solutions { points, decomposition } = found;
        let chain = |chain: &Chain<F>| -> Result<[String; 2], BivariateError> {
            let t = Bivariate::from_rows(field, vec![chain.t.clone()])?;
            Ok([shown(&t, names), shown(&chain.h, names)])
        };
        Ok(Self {
            curves: decomposition.curves.iter().map(|curve| shown(curve, names)).collect(),
            chains: decomposition.chains.iter().map(chain).collect::<Result<_, _>>()?,
            points: points.iter().map(|point| point.map(|c| c.as_u64().to_string())).collect(),
        })
    }

    fn text(&self) -> String {
        let Self { curves, chains, points } = self;
        if curves.is_empty() && chains.is_empty() && points.is_empty() {
            return "no solutions\n".to_owned();
        }
        let lines = curves.iter().map(|curve| format!("curve {curve}\n"));
        let lines = lines.chain(chains.iter().map(|[t, h]| format!("chain {t} ; {h}\n")));
        lines.chain(points.iter().map(|[x, y]| format!("point {x} {y}\n"))).collect()
    }

    fn value(&self) -> Value {
        let chains: Vec<Json> = self.chains.iter().map(|[t, h]| json!({ "t": t, "h": h })).collect();
        let points: Vec<_> = self.points.iter().map(|point| point.each_ref().map(|c| number(c))).collect();
        Value::Shown { text: self.text(), json: json!({ "curves": self.curves, "chains": chains, "points": points }) }
    }
}

pub(super) struct Solve;

impl Work for Solve {
    const DECLARATION: &'static Declaration = &SOLVE;
    type Modular<F: BivariateField> = Solutions<F>;
    type Rational = RationalSolutions;

    fn of(_: &Arguments, _: [&str; 2]) -> Result<Self, OperationError> {
        Ok(Self)
    }

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
    ) -> Result<Outcome, BivariateError> {
        if !host.verify_solutions(f, g, found)? {
            return Ok(wrong("that chains and points are zeros of the system"));
        }
        if host.solve(f, g)? != *found {
            return Ok(wrong("that a second decomposition gives the chains"));
        }
        // Another order of elimination: no point in the field is missing.
        let exchanged = host.solve(&f.exchanged(), &g.exchanged())?;
        let mut points: Vec<_> = exchanged.points.into_iter().map(|[y, x]| [x, y]).collect();
        points.sort_by_key(|point| point.map(F::Element::as_u64));
        if points != found.points {
            return Ok(wrong("that the elimination of the other variable gives the points"));
        }
        Ok(Ok(Passed::by_second_computation(
            "substitution, second decomposition, and elimination of the other variable",
        )))
    }

    fn value_of_modular<F: BivariateField>(
        &self,
        field: &F,
        found: &Solutions<F>,
        names: [&str; 2],
    ) -> Result<Value, BivariateError> {
        Ok(Found::of(field, found, names)?.value())
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
        let found = Found {
            curves: decomposition.curves.iter().map(|curve| shown(curve, names)).collect(),
            chains: chains.map(|chain| [shown(&chain.minimal_polynomial(), names), shown(&chain.h, names)]).collect(),
            points: points.iter().map(|point| point.each_ref().map(ToString::to_string)).collect(),
        };
        found.value()
    }
}
