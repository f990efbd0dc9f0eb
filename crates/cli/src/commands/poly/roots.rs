//! `manycore poly roots`.

use manycore::field::ResidueWord as _;
use manycore::verify::Passed;
use manycore::{Poly, PolyError, PolyField, PolyRing};

use super::Single;
use super::job::{self, Computed, Done, Work};
use super::value::Value;
use crate::arguments::Global;
use crate::error::Error;
use crate::output::Residues;

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
The roots of a polynomial in a prime field

The distinct roots in the field, ascending, one a line; a .npy file with -o NAME.npy; a list in the JSON object of --json. \
Constants have none; of the zero polynomial every element is a root, which is refused.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify shows that each root is one and that none is missing, by a certificate: the polynomial over the product of x - r, \
the squares on the way to x^P modulo it, and an extended greatest common divisor with x^P - x. Each of its identities is \
computed and checked on the host at a random point of an extension of the field; wrong roots pass with a chance below 2^-64.

Examples:
  echo 0 3 469762045 1 | manycore poly roots - --modulus 469762049
  manycore poly roots f.npy --modulus 18446744069414584321 --verify --json";

/// Finds the roots of a polynomial.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Single, global: &Global) -> Result<(), Error> {
    job::run(&Roots, &[&arguments.f], arguments.modulus, global)
}

struct Roots;

impl Work for Roots {
    const COMMAND: &'static str = "poly roots";
    const STEP: &'static str = "finding roots";
    const IS_POLYNOMIAL: bool = false;
    const NONE: Option<&'static str> = Some("no roots");

    fn compute<F: PolyField>(&self, ring: &PolyRing<F>, polys: &[Poly<F>]) -> Result<Computed, PolyError> {
        let roots = ring.roots(&polys[0])?;
        Ok(Value::List(Residues(roots.into_iter().map(F::Element::as_u64).collect())).into())
    }

    fn check<F: PolyField>(&self, done: &Done<'_, F>) -> Result<Passed, PolyError> {
        let ring = done.on_host()?;
        ring.check_roots(&ring.poly(&done.words[0])?, &done.part("roots"), done.seed)
    }
}
