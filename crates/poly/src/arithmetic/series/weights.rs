//! Tables of factorials, of their inverses and of the inverses of integers, which the ring keeps on its device.

use std::sync::{Arc, Mutex, PoisonError};

use manycore_device::{Buffer, Device, Word};
use manycore_field::ModularField;

use crate::error::PolyError;

/// The tables that were needed so far, each as long as the longest use and at most as long as the prime.
#[derive(Debug, Default)]
pub(crate) struct Weights<E: Word> {
    factorials: Mutex<Option<Arc<[Buffer<E>; 2]>>>,
    inverses: Mutex<Option<Arc<Buffer<E>>>>,
}

impl<E: Word> Weights<E> {
    pub(crate) fn new() -> Self {
        Self { factorials: Mutex::new(None), inverses: Mutex::new(None) }
    }

    /// `i!` and `1 / i!` for `i < n` at least, where `n` is at most the prime.
    pub(crate) fn factorials<F: ModularField<Element = E>>(
        &self,
        (device, field): (&Device, &F),
        n: usize,
    ) -> Result<Arc<[Buffer<E>; 2]>, PolyError> {
        kept(
            &self.factorials,
            |[up, _]| up.len() >= n,
            || {
                let (up, down) = factorials(field, table_len(field, n));
                Ok([device.upload(&up)?, device.upload(&down)?])
            },
        )
    }

    /// `1 / (i + 1)` for `i < n` at least, where `n` is below the prime.
    pub(crate) fn inverses<F: ModularField<Element = E>>(
        &self,
        (device, field): (&Device, &F),
        n: usize,
    ) -> Result<Arc<Buffer<E>>, PolyError> {
        kept(
            &self.inverses,
            |inverses| inverses.len() >= n,
            || {
                let (up, down) = factorials(field, table_len(field, n + 1));
                let inverses: Vec<E> = up.iter().zip(&down[1..]).map(|(&up, &down)| field.mul(up, down)).collect();
                Ok(device.upload(&inverses)?)
            },
        )
    }
}

/// The table in its slot if it is long enough, else a new one. Nothing is locked meanwhile: two threads may make it.
fn kept<T>(
    slot: &Mutex<Option<Arc<T>>>,
    enough: impl Fn(&T) -> bool,
    make: impl FnOnce() -> Result<T, PolyError>,
) -> Result<Arc<T>, PolyError> {
    let known = slot.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some(known) = known.filter(|known| enough(known)) {
        return Ok(known);
    }
    let made = Arc::new(make()?);
    *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&made));
    Ok(made)
}

/// The entries of a table for `n` of them: a power of two, unless the prime is less, so that growing lengths make few tables.
fn table_len<F: ModularField>(field: &F, n: usize) -> usize {
    let most = usize::try_from(field.order()).unwrap_or(usize::MAX);
    n.checked_next_power_of_two().unwrap_or(n).min(most)
}

/// `i!` and `1 / i!` for `i < n`, where `n` is at most the prime: one inverse, and two products for each.
fn factorials<F: ModularField>(field: &F, n: usize) -> (Vec<F::Element>, Vec<F::Element>) {
    let mut up = Vec::with_capacity(n);
    let (mut factorial, mut i) = (field.one(), field.zero());
    for _ in 0..n {
        up.push(factorial);
        i = field.add(i, field.one());
        factorial = field.mul(factorial, i);
    }
    let mut down = vec![field.one(); n];
    // Factorials below the prime are units.
    let mut inverse = up.last().and_then(|&last| field.inverse(last)).unwrap_or(field.one());
    for entry in down.iter_mut().rev() {
        // Here i is one more than the place.
        *entry = inverse;
        i = field.sub(i, field.one());
        inverse = field.mul(inverse, i);
    }
    (up, down)
}

#[cfg(test)]
mod tests {
    use manycore_field::{Field as _, PrimeField, Semiring as _};

    use super::*;

    #[test]
    fn tables_hold_factorials_and_their_inverses() {
        let field = PrimeField::<u32>::new(7).unwrap();
        assert_eq!(factorials(&field, 7).0, [1, 1, 2, 6, 3, 1, 6]);
        for n in 0..=7 {
            let (up, down) = factorials(&field, n);
            assert_eq!((up.len(), down.len()), (n, n));
            assert!(up.iter().zip(&down).all(|(&a, &b)| field.mul(a, b) == 1), "{n}");
        }
        assert_eq!((table_len(&field, 3), table_len(&field, 5), table_len(&field, 0)), (4, 7, 1));
        assert_eq!(field.inverse(3), Some(5));
    }
}
