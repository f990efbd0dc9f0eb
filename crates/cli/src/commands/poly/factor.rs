//! `manycore poly factor`.

use manycore::field::ResidueWord as _;
use manycore::poly::Factorization;
use manycore::verify::Passed;
use manycore::{Poly, PolyError, PolyField, PolyRing};

use super::Single;
use super::job::{self, Computed, Done, Work, residues};
use super::value::Value;
use crate::arguments::Global;
use crate::error::Error;

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
The factorization of a polynomial over a prime field

The first line is the leading coefficient; each other line is the multiplicity of an irreducible monic polynomial, a colon and \
its coefficients, the constant term first: by degree, then in the order of the coefficients. With --json, leading and factors, \
a list of objects with factor and multiplicity. The zero polynomial is refused.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify compares the product of the powers of the factors with the polynomial at a random point of an extension of the field, \
and tests the factors by Rabin's irreducibility test, each product of which is compared at such a point too, both on the host: a \
wrong factorization passes with a chance below 2^-64. The test takes a fraction of the time of the factorization on the host.

Examples:
  echo 0 0 3 0 3 | manycore poly factor - --modulus 7
  manycore poly factor f.npy --modulus 469762049 --verify --json";

/// Factors a polynomial.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Single, global: &Global) -> Result<(), Error> {
    job::run(&Factors, &[&arguments.f], arguments.modulus, global)
}

struct Factors;

impl Work for Factors {
    const COMMAND: &'static str = "poly factor";
    const STEP: &'static str = "factoring";

    fn compute<F: PolyField>(&self, ring: &PolyRing<F>, polys: &[Poly<F>]) -> Result<Computed, PolyError> {
        let Factorization { leading, factors } = ring.factor(&polys[0])?;
        let words = |(factor, multiplicity): &(Poly<F>, usize)| Ok((residues(ring, factor)?, *multiplicity));
        let factors = factors.iter().map(words).collect::<Result<_, PolyError>>()?;
        Ok(Value::Factors(leading.as_u64(), factors).into())
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let ring = done.on_host()?;
        let mut factorization = Factorization { leading: ring.field().zero(), factors: Vec::new() };
        if let Value::Factors(leading, factors) = done.value {
            factorization.leading = F::Element::from_u64(*leading);
            for (factor, multiplicity) in factors {
                let words: Vec<_> = factor.0.iter().map(|&c| F::Element::from_u64(c)).collect();
                factorization.factors.push((ring.poly(&words)?, *multiplicity));
            }
        }
        ring.check_factors(&ring.poly(&done.words[0])?, &factorization, done.seed)
    }
}
