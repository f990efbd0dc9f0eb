//! Number-theoretic transforms and products of polynomials, over fields whose type depends on the modulus.

use clap::Args;
use manycore::poly::{self, Shape};
use manycore::transform::Kind;
use manycore::{Device, Ntt, PolyField, PolyRing};
use serde_json::json;

use super::{Explained, room_to_measure, size, total};
use crate::arguments::modulus;
use crate::commands::poly::{Modulus, WithField};
use crate::error::Error;
use crate::output::JsonInteger;

/// The sizes of a number-theoretic transform.
#[derive(Debug, Clone, Args)]
pub struct NttArguments {
    /// Values of one transform: a power of two, also as 2^K
    #[arg(long, value_name = "N", value_parser = size)]
    pub n: usize,

    /// Transforms side by side
    #[arg(long, default_value_t = 1, value_parser = size)]
    pub batch: usize,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", value_parser = modulus, default_value_t = 469_762_049)]
    pub modulus: u64,
}

/// The sizes of a product of polynomials.
#[derive(Debug, Clone, Args)]
pub struct PolyMulArguments {
    /// Coefficients of one factor, also as 2^K
    #[arg(long, value_name = "N", value_parser = size)]
    pub n: usize,

    /// Coefficients of the other factor; without it, as many
    #[arg(long, value_name = "M", value_parser = size)]
    pub m: Option<usize>,

    /// Products side by side
    #[arg(long, default_value_t = 1, value_parser = size)]
    pub batch: usize,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", value_parser = modulus, default_value_t = 469_762_049)]
    pub modulus: u64,
}

/// The number-theoretic transform.
pub(super) fn ntt(arguments: &NttArguments, device: &Device) -> Result<Explained, Error> {
    Modulus(arguments.modulus).with(Transform { arguments, device })
}

struct Transform<'a> {
    arguments: &'a NttArguments,
    device: &'a Device,
}

impl WithField for Transform<'_> {
    type Output = Explained;

    fn run<F: PolyField>(self, field: F) -> Result<Explained, Error> {
        let &NttArguments { n, batch, modulus } = self.arguments;
        let total = total(n, batch)?;
        let ntt = Ntt::new(self.device, &field, n, Kind::Cyclic)?;
        let (choice, shape) =
            (ntt.explain(total)?, json!({ "n": n, "batch": batch, "modulus": JsonInteger(modulus.into()) }));
        Ok(Explained::new(&choice, &shape).in_blocks(ntt.blocks(total)?))
    }
}

/// The product of two polynomials.
pub(super) fn poly_mul(arguments: &PolyMulArguments, device: &Device) -> Result<Explained, Error> {
    Modulus(arguments.modulus).with(Product { arguments, device })
}

struct Product<'a> {
    arguments: &'a PolyMulArguments,
    device: &'a Device,
}

impl WithField for Product<'_> {
    type Output = Explained;

    fn run<F: PolyField>(self, field: F) -> Result<Explained, Error> {
        let &PolyMulArguments { n, m, batch: count, modulus } = self.arguments;
        let m = m.unwrap_or(n);
        let fits = |words: Option<usize>| words.and_then(|words| words.checked_mul(count)).is_some();
        if n == 0 || m == 0 || count == 0 {
            return Err(Error::Usage("--n, --m and --batch must be at least 1".to_owned()));
        }
        if !fits(n.checked_add(m)) {
            return Err(Error::Usage(format!("--n {n} --m {m} --batch {count}: too large")));
        }
        room_to_measure::<F::Element>(self.device, 2 * (n as u128 + m as u128) * count as u128)?;
        let ring = PolyRing::new(self.device, field)?;
        let choice = ring.explain(poly::Operation::Products(Shape { count, ..Shape::full(n, m) }))?;
        let modulus = JsonInteger(modulus.into());
        Ok(Explained::new(&choice, &json!({ "n": n, "m": m, "batch": count, "modulus": modulus })))
    }
}
