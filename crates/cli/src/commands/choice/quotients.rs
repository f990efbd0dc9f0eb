//! Divisions, greatest common divisors and values of polynomials, over fields whose type depends on the modulus.

use clap::Args;
use manycore::poly::GcdShape;
use manycore::{Device, PolyField, PolyRing};
use serde_json::json;

use super::{Explained, at_least_one, room_to_measure, size};
use crate::arguments::modulus;
use crate::commands::poly::{Modulus, WithField};
use crate::error::Error;
use crate::output::JsonInteger;

/// The sizes of a division with remainder.
#[derive(Debug, Clone, Args)]
pub struct PolyDivArguments {
    /// Coefficients of the dividend, also as 2^K
    #[arg(long, value_name = "N", value_parser = size)]
    pub n: usize,

    /// Coefficients of the divisor; without it, half as many
    #[arg(long, value_name = "M", value_parser = size)]
    pub m: Option<usize>,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", value_parser = modulus, default_value_t = 469_762_049)]
    pub modulus: u64,
}

/// The sizes of greatest common divisors.
#[derive(Debug, Clone, Args)]
pub struct PolyGcdArguments {
    /// Coefficients of one polynomial, also as 2^K
    #[arg(long, value_name = "N", value_parser = size)]
    pub n: usize,

    /// Coefficients of the other; without it, as many
    #[arg(long, value_name = "M", value_parser = size)]
    pub m: Option<usize>,

    /// Pairs side by side
    #[arg(long, default_value_t = 1, value_parser = size)]
    pub batch: usize,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", value_parser = modulus, default_value_t = 469_762_049)]
    pub modulus: u64,
}

/// The sizes of values of a polynomial.
#[derive(Debug, Clone, Args)]
pub struct PolyEvalArguments {
    /// Coefficients, also as 2^K
    #[arg(long, value_name = "N", value_parser = size)]
    pub n: usize,

    /// Points, also as 2^K: of more than one, also whether a subproduct tree is taken
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = size)]
    pub points: usize,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", value_parser = modulus, default_value_t = 469_762_049)]
    pub modulus: u64,
}

/// Division with remainder.
pub(super) fn poly_div(arguments: &PolyDivArguments, device: &Device) -> Result<Explained, Error> {
    Modulus(arguments.modulus).with(Division { arguments, device })
}

struct Division<'a> {
    arguments: &'a PolyDivArguments,
    device: &'a Device,
}

impl WithField for Division<'_> {
    type Output = Explained;

    fn run<F: PolyField>(self, field: F) -> Result<Explained, Error> {
        let &PolyDivArguments { n, m, modulus } = self.arguments;
        let m = m.unwrap_or(n.div_ceil(2));
        if n == 0 || m == 0 {
            return Err(Error::Usage("--n and --m must be at least 1".to_owned()));
        }
        if n.checked_add(m).is_none() {
            return Err(Error::Usage(format!("--n {n} --m {m}: too large")));
        }
        room_to_measure::<F::Element>(self.device, 3 * n as u128)?;
        let choice = PolyRing::new(self.device, field)?.explain_division(n, m)?;
        Ok(Explained::new(&choice, &json!({ "n": n, "m": m, "modulus": JsonInteger(modulus.into()) })))
    }
}

/// Greatest common divisors.
pub(super) fn poly_gcd(arguments: &PolyGcdArguments, device: &Device) -> Result<Explained, Error> {
    Modulus(arguments.modulus).with(Gcd { arguments, device })
}

struct Gcd<'a> {
    arguments: &'a PolyGcdArguments,
    device: &'a Device,
}

impl WithField for Gcd<'_> {
    type Output = Explained;

    fn run<F: PolyField>(self, field: F) -> Result<Explained, Error> {
        let &PolyGcdArguments { n, m, batch: count, modulus } = self.arguments;
        let m = m.unwrap_or(n);
        if n == 0 || m == 0 || count == 0 {
            return Err(Error::Usage("--n, --m and --batch must be at least 1".to_owned()));
        }
        if n.checked_add(m).and_then(|words| words.checked_mul(count)).is_none() {
            return Err(Error::Usage(format!("--n {n} --m {m} --batch {count}: too large")));
        }
        room_to_measure::<F::Element>(self.device, (n as u128 + m as u128) * count as u128)?;
        let choice = PolyRing::new(self.device, field)?.explain_gcd_batch(&GcdShape { count, n, m })?;
        let modulus = JsonInteger(modulus.into());
        Ok(Explained::new(&choice, &json!({ "n": n, "m": m, "batch": count, "modulus": modulus })))
    }
}

/// Values at points.
pub(super) fn poly_eval(arguments: &PolyEvalArguments, device: &Device) -> Result<Explained, Error> {
    Modulus(arguments.modulus).with(Evaluation { arguments, device })
}

struct Evaluation<'a> {
    arguments: &'a PolyEvalArguments,
    device: &'a Device,
}

impl WithField for Evaluation<'_> {
    type Output = Explained;

    fn run<F: PolyField>(self, field: F) -> Result<Explained, Error> {
        let &PolyEvalArguments { n, points, modulus } = self.arguments;
        at_least_one(&[("--n", n), ("--points", points)])?;
        if n.checked_add(points).and_then(usize::checked_next_power_of_two).is_none() {
            return Err(Error::Usage(format!("--n {n} --points {points}: too large")));
        }
        room_to_measure::<F::Element>(self.device, n as u128 + 3 * points as u128)?;
        let ring = PolyRing::new(self.device, field)?;
        let modulus = JsonInteger(modulus.into());
        let choice = ring.explain_evaluate(n)?;
        let explained = Explained::new(&choice, &json!({ "n": n, "points": points, "modulus": modulus }));
        if points == 1 {
            return Ok(explained);
        }
        Ok(explained.within(&format!("{points} points"), &ring.explain_evaluate_many(n, points)?))
    }
}
