//! The field that a modulus names, whose type depends on the modulus.

/// Evaluates an expression with the field of a modulus, the one with the shortest words that hold the residues:
/// [`PrimeField<u32>`](crate::PrimeField), `PrimeField<u64>` or [`Goldilocks`](crate::Goldilocks). Gives `Result<_, NotPrime>`.
///
/// ```
/// use manycore_field::{ModularField as _, with_field};
/// let order = |p| with_field!(p, field => field.order());
/// assert_eq!((order(7), order(18_446_744_069_414_584_321)), (Ok(7), Ok(18_446_744_069_414_584_321)));
/// assert!(order(12).is_err() && order(0).is_err());
/// ```
#[macro_export]
macro_rules! with_field {
    ($modulus:expr, $field:ident => $work:expr) => {{
        let modulus: u64 = $modulus;
        match u32::try_from(modulus) {
            _ if modulus == $crate::Goldilocks::MODULUS => {
                let $field = $crate::Goldilocks;
                Ok::<_, $crate::NotPrime>($work)
            }
            Ok(short) if modulus < $crate::PrimeField::<u32>::LIMIT => {
                $crate::PrimeField::<u32>::new(short).map(|$field| $work)
            }
            _ => $crate::PrimeField::<u64>::new(modulus).map(|$field| $work),
        }
    }};
}

#[cfg(test)]
mod tests {
    use crate::ModularField;

    fn bytes<F: ModularField>(field: &F) -> (u64, usize) {
        (field.order(), size_of::<F::Element>())
    }

    #[test]
    fn words_are_as_short_as_the_modulus_lets_them() {
        for (p, of_word) in [(2, 4), (2_147_483_647, 4), (4_294_967_291, 8), (u64::MAX - (1 << 32) + 2, 8)] {
            assert_eq!(with_field!(p, field => bytes(&field)), Ok((p, of_word)));
        }
        for wrong in [0, 1, 12, 9003, u64::MAX] {
            assert!(with_field!(wrong, field => bytes(&field)).is_err(), "{wrong}");
        }
    }
}
