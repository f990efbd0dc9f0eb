//! The check of resultants of polynomials over prime fields: by Euclid's quotients, which one random point proves.
//!
//! With `r_0 = f`, `r_1 = g` and `r_(i-1) = q_i r_i + r_(i+1)` down to the last remainder `r_k` other than zero, the quotients and
//! `r_k` determine the polynomials: `s_k = r_k`, `s_(k+1) = 0` and `s_(i-1) = q_i s_i + s_(i+1)`. Where each quotient from the second
//! on has a degree of at least 1, the degrees and leading coefficients of all `s_i` are sums and products of those of the quotients, and
//! `s_0 = f`, `s_1 = g` at a random point of an extension of the field shows that the quotients are Euclid's, whoever computed
//! them. The resultant is a product of leading coefficients then (G. E. Collins, Journal of the ACM 14 (1967)):
//!
//! ```text
//! Res(r_(i-1), r_i) = (-1)^(d_(i-1) d_i) lc(r_i)^(d_(i-1) - d_(i+1)) Res(r_i, r_(i+1))        Res(r_(k-1), c) = c^(d_(k-1))
//! ```

use manycore_field::ResidueWord;

use super::extension::{Extension, extension_degree};
use super::stripped;
use super::value::Point;
use crate::modulus::Modulus;
use crate::{Chance, CheckError, Outcome, Passed, SplitMix};

/// How resultants are checked, as reports name it.
pub const METHOD: &str = "Euclid's quotients at a random point of an extension of the field";

/// Whether `value` is the resultant of `f` and `g` modulo the prime `p`, neither of which is zero: coefficients, the constant term
/// first. `quotients` are those of the divisions of `f` by `g`, of `g` by the remainder, and so on, and `last` the last remainder other
/// than zero; they need not be right, and a wrong resultant passes with a chance below `2^-64`. Takes `k` products for each
/// coefficient of all of them, with `k` the degree of the extension, and as many for each power of a leading coefficient as its
/// exponent has bits.
///
/// ```
/// use manycore_verify::{SplitMix, product::resultant};
/// let mut random = SplitMix::new(1);
/// // x^2 + 1 = (x - 1)(x + 1) + 2
/// let (f, g) = ([1u32, 0, 1], [1u32, 1]);
/// let quotients: [&[u32]; 2] = [&[6, 1], &[4, 4]];
/// assert!(resultant::check(7, &f, &g, 2, &quotients, &[2], &mut random).is_ok());
/// assert!(resultant::check(7, &f, &g, 3, &quotients, &[2], &mut random).is_err());
/// ```
///
/// # Errors
/// [`CheckError::OutOfRange`] and [`CheckError::Relation`] for a wrong resultant, or quotients that are not Euclid's;
/// [`CheckError::Input`] for polynomials with other values than residues; [`CheckError::Shape`] for a `p` that is no prime, and for
/// zero.
pub fn check<T: ResidueWord, Q: AsRef<[T]>>(
    p: u64,
    f: &[T],
    g: &[T],
    value: u64,
    quotients: &[Q],
    last: &[T],
    random: &mut SplitMix,
) -> Outcome {
    let modulus = Modulus::new(p)?;
    modulus.check_input(f)?;
    modulus.check_input(g)?;
    modulus.check_result(&[value], 1)?;
    let (f, g, last) = (stripped(f), stripped(g), stripped(last));
    let (Some(m), Some(n)) = (f.len().checked_sub(1), g.len().checked_sub(1)) else {
        return Err(CheckError::Shape { what: "the resultant of a polynomial and zero".to_owned() });
    };
    let wrong = |what: &str| CheckError::Relation { relation: format!("that {what}") };
    let quotients: Vec<&[T]> = quotients.iter().map(|quotient| stripped(quotient.as_ref())).collect();
    for words in quotients.iter().chain([&last]) {
        modulus.check_result(words, words.len())?;
    }
    let Some(degree) = last.len().checked_sub(1) else { return Err(wrong("the last remainder is other than zero")) };
    if quotients.iter().skip(1).any(|quotient| quotient.len() < 2) || quotients.is_empty() {
        return Err(wrong("quotients after the first have a degree of 1 at least"));
    }
    // The degree and the leading coefficient of s_k, s_(k-1), ..., s_0.
    let leading = |words: &[T]| words.last().map_or(0, |c| c.as_u64());
    let mut chain = vec![(degree, leading(last))];
    for (at, quotient) in quotients.iter().rev().enumerate() {
        let (degree, lead) = chain[at];
        chain.push(match quotient.len().checked_sub(1) {
            Some(more) => (degree + more, modulus.mul(lead, leading(quotient))),
            // A first quotient of zero: f is shorter than g, and the second remainder.
            None if at > 0 => chain[at - 1],
            None => return Err(wrong("a first quotient of zero has a remainder")),
        });
    }
    chain.reverse();
    if (chain[0].0, chain[1].0) != (m, n) {
        return Err(wrong("the degrees of the quotients add up to those of the polynomials"));
    }
    let extension = Extension::new(modulus, extension_degree(p, m.max(n)));
    let point = Point::new(&extension, extension.random(random), m.max(n) + 1);
    let (mut below, mut at) = (extension.zero(), point.value(last));
    for quotient in quotients.iter().rev() {
        let above = extension.add(&extension.mul(&point.value(quotient), &at), &below);
        (below, at) = (at, above);
    }
    if at != point.value(f) || below != point.value(g) {
        return Err(wrong("the quotients give the polynomials back at a random point"));
    }
    if value != of_chain(modulus, &chain) {
        return Err(wrong(&format!("the leading coefficients of the remainders give {value}")));
    }
    let log2 = (m.max(n).max(1) as f64).log2() - extension.degree() as f64 * (p as f64).log2();
    Ok(Passed { method: METHOD, chance: Chance::Below { log2 } })
}

/// The resultant from the degrees and leading coefficients of the remainders.
fn of_chain(modulus: Modulus, chain: &[(usize, u64)]) -> u64 {
    let k = chain.len() - 1;
    if chain[k].0 > 0 {
        return 0;
    }
    let mut product = modulus.power(chain[k].1, chain[k - 1].0 as u64);
    for i in 1..k {
        let (above, own, below) = (chain[i - 1].0, chain[i], chain[i + 1].0);
        product = modulus.mul(product, modulus.power(own.1, (above - below) as u64));
        if above % 2 == 1 && own.0 % 2 == 1 {
            product = modulus.sub(0, product);
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::super::plain;
    use super::*;

    const P: u64 = 101;

    /// Euclid's quotients and last remainder.
    fn euclid(f: &[u64], g: &[u64]) -> (Vec<Vec<u64>>, Vec<u64>) {
        let (mut a, mut b, mut quotients) = (stripped(f).to_vec(), stripped(g).to_vec(), Vec::new());
        while !b.is_empty() {
            let (quotient, remainder) = plain::divide(Modulus::new(P).unwrap(), &a, &b);
            quotients.push(quotient);
            (a, b) = (b, remainder);
        }
        (quotients, a)
    }

    /// The determinant of Sylvester's matrix.
    fn sylvester(f: &[u64], g: &[u64]) -> u64 {
        let (m, n) = (f.len() - 1, g.len() - 1);
        let row = |words: &[u64], shift: usize| {
            let mut row = vec![0; m + n];
            words.iter().rev().enumerate().for_each(|(at, &c)| row[shift + at] = c);
            row
        };
        let mut rows: Vec<Vec<u64>> = (0..n).map(|i| row(f, i)).chain((0..m).map(|i| row(g, i))).collect();
        let modulus = Modulus::new(P).unwrap();
        let mut determinant = 1;
        for column in 0..m + n {
            let Some(pivot) = (column..m + n).find(|&row| rows[row][column] != 0) else { return 0 };
            if pivot != column {
                rows.swap(pivot, column);
                determinant = modulus.sub(0, determinant);
            }
            determinant = modulus.mul(determinant, rows[column][column]);
            let inverse = modulus.inverse(rows[column][column]);
            let (upper, lower) = rows.split_at_mut(column + 1);
            for row in lower {
                let factor = modulus.mul(row[column], inverse);
                let less = |(at, above): (&mut u64, &u64)| *at = modulus.sub(*at, modulus.mul(factor, *above));
                row.iter_mut().zip(&upper[column]).for_each(less);
            }
        }
        determinant
    }

    fn polynomials() -> Vec<[Vec<u64>; 2]> {
        let mut random = SplitMix::new(3);
        let mut draw = |len: usize| {
            (0..len)
                .map(|i| if i + 1 == len { 1 + random.next_word() % 100 } else { random.next_word() % P })
                .collect::<Vec<u64>>()
        };
        let mut all: Vec<[Vec<u64>; 2]> =
            [(1, 1), (1, 4), (4, 1), (2, 2), (5, 3), (3, 5), (6, 6), (9, 4)].map(|(m, n)| [draw(m), draw(n)]).into();
        // A common factor; remainders that fall by more than one; and a divisor.
        all.push([vec![2, 3, 1], vec![1, 0, 100]]);
        all.push([vec![1, 0, 0, 0, 1], vec![3, 0, 0, 1]]);
        all.push([vec![100, 0, 1], vec![1, 1]]);
        all
    }

    #[test]
    fn resultants_are_those_of_sylvester_s_matrix_and_others_fail() {
        for [f, g] in polynomials() {
            let (quotients, last) = euclid(&f, &g);
            let value = sylvester(&f, &g);
            let of = |value, quotients: &[Vec<u64>], last: &[u64]| {
                check(P, &f, &g, value, quotients, last, &mut SplitMix::new(5)).map(drop)
            };
            assert_eq!(of(value, &quotients, &last), Ok(()), "{f:?} {g:?}");
            assert!(of((value + 1) % P, &quotients, &last).is_err_and(|error| error.is_wrong()));
            assert!(of(P, &quotients, &last).is_err_and(|error| error.is_wrong()));
            for place in 0..quotients.len() {
                for at in 0..quotients[place].len() {
                    let mut wrong = quotients.clone();
                    wrong[place][at] = (wrong[place][at] + 1) % P;
                    assert!(of(value, &wrong, &last).is_err_and(|error| error.is_wrong()), "{f:?} {g:?} {wrong:?}");
                }
            }
            assert!(of(value, &quotients[1..], &last).is_err_and(|error| error.is_wrong()));
            assert!(of(value, &quotients, &[]).is_err_and(|error| error.is_wrong()));
        }
        let none: [&[u64]; 0] = [];
        assert!(check(P, &[], &[1], 0, &none, &[1u64], &mut SplitMix::new(1)).is_err_and(|error| !error.is_wrong()));
    }
}
