//! The check that polynomials over prime fields are irreducible: Rabin's test, for many of one degree at once, with products that
//! are checked at a random point of an extension of the field ([`Oracle`]).
//!
//! Let `g` be a product of monic polynomials of degree `d`, and `h_i = x^(p^i) mod g`. If `h_d = x`, every irreducible factor of
//! `g` has a degree that divides `d`. If `h_(d/q) - x` has no factor in common with `g` for any prime `q` that divides `d`, none has
//! a lower one. So all have the degree `d`, as has each of the polynomials: they are irreducible (M. O. Rabin, Probabilistic
//! Algorithms in Finite Fields, 1980).
//!
//! `h_1` takes `log2(p)` squares, and `h_(i+j) = h_i(h_j)` a composition of about `2 sqrt(deg g)` products instead of the
//! `j log2(p)` of powers (J. von zur Gathen, V. Shoup, Computing Frobenius Maps and Factoring Polynomials, 1992); whichever is
//! less is taken. A factorization takes powers for each degree up to that of its second largest factor, so that its check is a
//! fraction of it.

use std::collections::BTreeMap;

use manycore_field::ResidueWord;

use super::extension::{Extension, extension_degree};
use super::modulo::{Modulo, Oracle, Residue, block_len};
use super::value::Point;
use crate::modulus::Modulus;
use crate::residues::primes_of;
use crate::{Chance, CheckError, Passed, SplitMix};

/// How irreducible polynomials are checked, as reports name it.
pub const METHOD: &str = "Rabin's test, its products at a random point of an extension of the field";

/// Coefficients up to which polynomials of one degree are tested together: shorter ones are not worth a test each, and
/// compositions modulo longer ones cost more than those modulo the parts.
const TOGETHER: usize = 256;

/// Whether these polynomials modulo the prime `p` are irreducible: monic ones, by degree. Irreducible ones always pass; others
/// do with a chance below `2^-64`. The products that the test needs come from the oracle, which need not be trusted.
///
/// # Errors
/// [`CheckError::Relation`] for a polynomial that is not irreducible, and [`CheckError::OutOfRange`], [`CheckError::Length`] and
/// [`CheckError::Relation`] for wrong answers of the oracle; [`CheckError::Shape`] for a `p` that is no prime; those of the oracle.
pub fn check<T: ResidueWord, O: Oracle<T>>(
    p: u64,
    polynomials: &[&[T]],
    oracle: &mut O,
    random: &mut SplitMix,
) -> Result<Passed, O::Error> {
    let modulus = Modulus::new(p)?;
    for (index, f) in polynomials.iter().enumerate() {
        modulus.check_result(f, f.len())?;
        let in_order = index == 0 || polynomials[index - 1].len() <= f.len();
        if f.len() < 2 || f.last().is_none_or(|c| c.as_u64() != 1) || !in_order {
            return Err(wrong(format!("that polynomial {index} is monic, not constant and in order")).into());
        }
    }
    let longest = polynomials.last().map_or(0, |f| f.len());
    // Identities have fewer than twice the coefficients of the longest modulus.
    let degree = 2 * longest.max(TOGETHER);
    let extension = Extension::new(modulus, extension_degree(p, degree));
    let point = Point::new(&extension, extension.random(random), longest.max(TOGETHER));
    let mut index = polynomials.partition_point(|f| f.len() == 2);
    while let Some(&first) = polynomials.get(index) {
        let d = first.len() - 1;
        let same = polynomials[index..].iter().take_while(|f| f.len() == first.len()).count();
        let count = same.min((TOGETHER / d).max(1));
        let group = &polynomials[index..index + count];
        let product = product(&point, group, oracle)?;
        let mut modulo = Modulo::new(&point, oracle, &product)?;
        if !has_degree(p, d, &mut modulo)? {
            let which = if count == 1 {
                format!("factor {index} is")
            } else {
                format!("factors {index} to {} are", index + count - 1)
            };
            return Err(wrong(format!("that {which} irreducible")).into());
        }
        index += count;
    }
    let log2 = (degree as f64).log2() - extension.degree() as f64 * (p as f64).log2();
    Ok(Passed { method: METHOD, chance: Chance::Below { log2 } })
}

/// The product of polynomials, checked at the point.
fn product<T: ResidueWord, O: Oracle<T>>(
    point: &Point<'_>,
    group: &[&[T]],
    oracle: &mut O,
) -> Result<Vec<T>, O::Error> {
    let extension = point.extension();
    let (mut words, mut value) = (vec![T::from_u64(1)], extension.one());
    for f in group {
        words = if words.len() == 1 { f.to_vec() } else { oracle.product(&words, f)? };
        value = extension.mul(&value, &point.value(f));
    }
    let len = group.iter().map(|f| f.len() - 1).sum::<usize>() + 1;
    extension.modulus().check_result(&words, words.len())?;
    if words.len() != len || words[len - 1].as_u64() != 1 || point.value(&words) != value {
        return Err(wrong("that a product of factors has the product of their values".to_owned()).into());
    }
    Ok(words)
}

/// Whether all irreducible factors of the modulus have this degree, 2 or more.
fn has_degree<T: ResidueWord, O: Oracle<T>>(p: u64, d: usize, modulo: &mut Modulo<'_, T, O>) -> Result<bool, O::Error> {
    let x = modulo.x();
    let mut powers = Powers { p, known: BTreeMap::new() };
    let mut primes = primes_of(d as u64);
    primes.dedup();
    let mut differences: Option<Residue<T>> = None;
    for q in primes {
        let power = powers.of(d / q as usize, modulo)?;
        let difference = modulo.sub(&power, &x);
        differences = Some(match differences {
            None => difference,
            Some(product) => modulo.mul(&product, &difference)?,
        });
    }
    if let Some(product) = differences
        && !modulo.is_unit(&product)?
    {
        return Ok(false);
    }
    let last = powers.of(d, modulo)?;
    let zero = modulo.sub(&last, &x);
    Ok(zero.words().is_empty())
}

/// The powers `x^(p^i)` modulo a polynomial that are known.
struct Powers<T> {
    p: u64,
    known: BTreeMap<usize, Residue<T>>,
}

impl<T: ResidueWord> Powers<T> {
    /// `x^(p^i)`, for `i` of 1 or more.
    fn of<O: Oracle<T>>(&mut self, i: usize, modulo: &mut Modulo<'_, T, O>) -> Result<Residue<T>, O::Error> {
        // The products of a power, and those of a composition with the time of its sums of multiples.
        let by_power = (self.p.ilog2() + self.p.count_ones() - 1) as usize;
        let by_composition = 2 * block_len(modulo.degree()) + modulo.degree() / 64;
        let (mut at, mut power) = match self.known.range(..=i).next_back() {
            Some((&known, power)) => (known, power.clone()),
            None => (0, modulo.x()),
        };
        if (i - at).min(i / 2).saturating_mul(by_power) > by_composition && at < i / 2 * 2 {
            let half = self.of(i / 2, modulo)?;
            power = modulo.compose(&half, &half)?;
            at = i / 2 * 2;
        }
        while at < i {
            power = match self.known.get(&1) {
                Some(first) if at > 0 && by_composition < by_power => modulo.compose(&power, first)?,
                _ => modulo.power(&power, self.p)?,
            };
            at += 1;
            if at == 1 {
                self.known.insert(1, power.clone());
            }
        }
        self.known.insert(i, power.clone());
        Ok(power)
    }
}

fn wrong(relation: String) -> CheckError {
    CheckError::Relation { relation }
}

#[cfg(test)]
mod tests;
