//! Primes with roots of unity, and products modulo several of them.

use std::convert::Infallible;
use std::sync::Arc;

use manycore_device::{Cache, ViewMut};
use manycore_field::{NotPrime, PrimeField, ResidueWord, SliceWord, primes};
use manycore_ntt::NttField;
use manycore_tuning::Planner;

use super::component::Component;
use super::crt::Crt;
use super::error::ProductError;
use super::primitives;
use super::route::MOST_PRIMES;
use super::rows::{Operands, Wanted};

/// What is kept for each of the primes of one word size.
#[derive(Debug)]
pub(super) struct Family<W: ResidueWord>
where
    PrimeField<W>: NttField<Element = W>,
{
    components: Cache<u64, Component<PrimeField<W>>>,
    crts: Cache<Vec<u64>, Crt<W>>,
    found: Cache<(u32, u32), Vec<u64>>,
}

/// Primes for shorter transforms have roots of this order too, so that they are the same ones for all lengths up to it and
/// their tables are shared.
const fn least_log_order(bits: u32) -> u32 {
    match bits {
        // There are too few for longer ones.
        ..=30 => 20,
        31 => 24,
        _ => 32,
    }
}

impl<W: SliceWord> Family<W>
where
    PrimeField<W>: NttField<Element = W>,
{
    pub(super) fn new() -> Self {
        Self { components: Cache::default(), crts: Cache::default(), found: Cache::default() }
    }

    /// The largest primes below `2^bits` with roots of unity of order `2^log_order`, descending: at most [`MOST_PRIMES`].
    pub(super) fn largest(&self, bits: u32, log_order: u32) -> Arc<Vec<u64>> {
        let make = |&(bits, log_order): &(u32, u32)| -> Result<_, Infallible> {
            Ok(primes::ntt_primes(bits, log_order).take(MOST_PRIMES).collect())
        };
        let Ok(found) = self.found.get((bits, log_order.max(least_log_order(bits))), make);
        found
    }

    /// What is kept for a prime.
    pub(super) fn component(&self, q: u64) -> Result<Arc<Component<PrimeField<W>>>, ProductError> {
        let make = |&q: &u64| {
            let refused = |error: NotPrime| ProductError::NoRoute { log_order: 0, reason: error.to_string() };
            let field = PrimeField::new(W::from_u64(q)).map_err(refused)?;
            Ok(Component::new(&field))
        };
        self.components.get(q, make)
    }

    /// The product modulo the `count` largest of the primes, one after the other, so that each one's spectra stay in the
    /// caches; then what the residues say modulo the field's prime.
    pub(super) fn multiply<F: NttField>(
        &self,
        cx: &Arc<Planner>,
        by: &Component<F>,
        (bits, count): (u32, usize),
        operands: &Operands<'_, F::Element>,
        wanted: &Wanted<'_, F::Element>,
        out: ViewMut<'_, F::Element>,
    ) -> Result<(), ProductError> {
        let largest = self.largest(bits, operands.length.log_order());
        let mut ascending = largest[..count.min(largest.len())].to_vec();
        ascending.reverse();
        let p = by.field.order();
        let word_bits = <F::Element as ResidueWord>::BITS;
        let crt = self.crts.get(ascending.clone(), |primes| Crt::new(cx.device(), primes, p, word_bits))?;
        let components = ascending.iter().map(|&q| self.component(q)).collect::<Result<Vec<_>, _>>()?;
        let mut rows = Vec::with_capacity(count);
        for (component, &q) in components.iter().zip(&ascending) {
            rows.push(component.convolve(cx, operands, p > q)?);
        }
        primitives::store_combined(cx, by, &rows.iter().collect::<Vec<_>>(), &crt, wanted, out)?;
        Ok(())
    }
}
