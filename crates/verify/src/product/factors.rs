//! The check of factorizations of polynomials over prime fields: the product at a random point of an extension of the field.
//! [`irreducible`](super::irreducible) checks that the factors are irreducible.

use manycore_field::ResidueWord;

use super::extension::{Element, Extension, extension_degree};
use super::value::Point;
use super::{METHOD, stripped};
use crate::modulus::Modulus;
use crate::{Chance, CheckError, Outcome, Passed, SplitMix};

/// Whether `f` modulo the prime `p` is `leading` times the product of the powers of these monic polynomials, each with its
/// multiplicity: not constant, each once, by length and then by coefficients from the constant term on. A wrong product passes
/// with a chance below `2^-64`. Takes `k` products for each coefficient, with `k` the degree of the extension.
///
/// ```
/// use manycore_verify::{SplitMix, product::factors};
/// let mut random = SplitMix::new(1);
/// let factors = [(vec![0u32, 1], 2), (vec![1, 0, 1], 1)];
/// assert!(factors::check(7, &[0, 0, 3, 0, 3], 3, &factors, &mut random).is_ok()); // 3 x^2 (x^2 + 1)
/// assert!(factors::check(7, &[0, 0, 3, 0, 3], 3, &factors[1..], &mut random).is_err());
/// ```
///
/// # Errors
/// [`CheckError::Length`], [`CheckError::OutOfRange`] and [`CheckError::Relation`] for wrong factors; [`CheckError::Input`] for
/// a polynomial with other values than residues and [`CheckError::Shape`] for zero, or a `p` that is no prime.
pub fn check<T: ResidueWord>(
    p: u64,
    f: &[T],
    leading: T,
    factors: &[(Vec<T>, usize)],
    random: &mut SplitMix,
) -> Outcome {
    let modulus = Modulus::new(p)?;
    modulus.check_input(f)?;
    modulus.check_result(&[leading], 1)?;
    let f = stripped(f);
    if f.is_empty() {
        return Err(CheckError::Shape { what: "the factors of the zero polynomial".to_owned() });
    }
    let wrong = |relation: String| Err(CheckError::Relation { relation });
    let mut degree = 0_usize;
    for (index, (factor, multiplicity)) in factors.iter().enumerate() {
        modulus.check_result(factor, factor.len())?;
        if factor.len() < 2 || factor.last().is_none_or(|c| c.as_u64() != 1) || *multiplicity == 0 {
            return wrong(format!("that factor {index} is monic, not constant, and there at least once"));
        }
        degree = degree.saturating_add((factor.len() - 1).saturating_mul(*multiplicity));
    }
    let key = |f: &[T]| (f.len(), f.iter().map(|c| c.as_u64()).collect::<Vec<_>>());
    if let Some(at) = factors.windows(2).position(|pair| key(&pair[0].0) >= key(&pair[1].0)) {
        return wrong(format!("that factor {at} comes before factor {}", at + 1));
    }
    if degree != f.len() - 1 {
        return Err(CheckError::Length { found: degree.saturating_add(1), expected: f.len() });
    }
    let extension = Extension::new(modulus, extension_degree(p, degree));
    let point = Point::new(&extension, extension.random(random), f.len());
    let mut value: Element = extension.one();
    value[0] = leading.as_u64();
    for (factor, multiplicity) in factors {
        value = extension.mul(&value, &extension.power(&point.value(factor), *multiplicity as u64));
    }
    let k = extension.degree();
    if value != point.value(f) {
        return wrong(format!(
            "f(z) = c f_1(z)^m_1 f_2(z)^m_2 ... at a random point z of the field with {p}^{k} elements"
        ));
    }
    let log2 = (degree.max(1) as f64).log2() - k as f64 * (p as f64).log2();
    Ok(Passed { method: METHOD, chance: Chance::Below { log2 } })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Polynomials with multiplicities.
    type Factors<'a> = &'a [(&'a [u64], usize)];

    fn outcome(p: u64, f: &[u64], leading: u64, factors: Factors<'_>) -> Outcome {
        let factors: Vec<_> = factors.iter().map(|(factor, multiplicity)| (factor.to_vec(), *multiplicity)).collect();
        check(p, f, leading, &factors, &mut SplitMix::new(2))
    }

    #[test]
    fn each_part_of_a_factorization_counts() {
        // 3 x^2 (x + 1) (x^2 + 1) modulo 7.
        let f = [0, 0, 3, 3, 3, 3, 0];
        assert!(outcome(7, &f, 3, &[(&[0, 1], 2), (&[1, 1], 1), (&[1, 0, 1], 1)]).is_ok());
        let wrong: [(u64, Factors<'_>); 9] = [
            (2, &[(&[0, 1], 2), (&[1, 1], 1), (&[1, 0, 1], 1)]),
            (9, &[(&[0, 1], 2), (&[1, 1], 1), (&[1, 0, 1], 1)]),
            (3, &[(&[1, 1], 1), (&[0, 1], 2), (&[1, 0, 1], 1)]),
            (3, &[(&[0, 1], 1), (&[0, 1], 1), (&[1, 1], 1), (&[1, 0, 1], 1)]),
            (3, &[(&[0, 1], 1), (&[1, 1], 2), (&[1, 0, 1], 1)]),
            (3, &[(&[0, 1], 2), (&[1, 1], 1), (&[2, 0, 1], 1)]),
            (3, &[(&[0, 1], 2), (&[8, 1], 1), (&[1, 0, 1], 1)]),
            (3, &[(&[1], 1), (&[0, 1], 2), (&[1, 1], 1), (&[1, 0, 1], 1)]),
            (3, &[(&[0, 1], 2), (&[1, 1], 1), (&[3, 0, 3], 1)]),
        ];
        for (leading, factors) in wrong {
            assert!(outcome(7, &f, leading, factors).is_err_and(|error| error.is_wrong()), "{leading} {factors:?}");
        }
        assert!(outcome(2, &[1], 1, &[]).is_ok());
        assert!(outcome(2, &[], 1, &[]).is_err_and(|error| !error.is_wrong()));
        assert!(outcome(9, &[1], 1, &[]).is_err_and(|error| !error.is_wrong()));
    }
}
