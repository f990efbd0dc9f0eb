//! Equal-degree factorization by traces (D. Cantor, H. Zassenhaus, A new algorithm for factoring polynomials over finite fields,
//! 1981; J. von zur Gathen, V. Shoup, 1992), one trace for many cuts.
//!
//! Modulo each irreducible factor of degree `d` the trace `t = a + a^p + ... + a^(p^(d-1))` of a random `a` is a random element of the
//! prime field; of linear factors `x` is one already. For a random shift `s` of the prime field and odd `p` the power
//! `(t + s)^((p-1)/2)` is 1 for about half of the elements, so that a greatest common divisor cuts the polynomial unless all elements
//! are equal: then the trace is a constant, and another `a` is drawn. Where `p = 2` the trace itself cuts.

use manycore_device::checkpoint;

use super::frobenius::{Rows, Table, power_of_x};
use super::modulus::Modulus;
use super::words::Words;
use crate::error::PolyError;
use crate::poly::PolyField;

/// Draws that may fail to cut a polynomial one after the other: all of them do with a chance of `(5/9)^128 < 2^-108`.
const MOST_DRAWS: u32 = 128;

/// A product of irreducible polynomials, and a polynomial that is an element of the prime field modulo each, if one is known.
type Part<E> = (Vec<E>, Option<Vec<E>>);

/// The irreducible factors of a monic squarefree polynomial all of whose irreducible factors have degree `d`, in any order.
pub(in crate::factor) fn irreducible_factors<F: PolyField>(
    words: &mut Words<'_, F>,
    f: Vec<F::Element>,
    d: usize,
) -> Result<Vec<Vec<F::Element>>, PolyError> {
    let mut factors = Vec::new();
    let mut parts: Vec<Part<F::Element>> = if f.len() > 1 { vec![(f, None)] } else { Vec::new() };
    while let Some((part, element)) = parts.pop() {
        if part.len() == d + 1 {
            factors.push(part);
        } else if let Some(linear) = quadratic(words, &part, d) {
            factors.extend(linear);
        } else {
            checkpoint()?;
            parts.extend(two_parts(words, part, element, d)?);
        }
    }
    Ok(factors)
}

/// Two parts of a product of two or more irreducible factors.
fn two_parts<F: PolyField>(
    words: &mut Words<'_, F>,
    f: Vec<F::Element>,
    element: Option<Vec<F::Element>>,
    d: usize,
) -> Result<[Part<F::Element>; 2], PolyError> {
    let n = f.len() - 1;
    let not_split = |draws| PolyError::NotSplit { degree: n, of_each: d, draws };
    if n < 2 * d || !n.is_multiple_of(d) {
        return Err(not_split(0));
    }
    let mut m = Modulus::new(words, f)?;
    let mut traces = None;
    let mut element = element.filter(|element| element.len() > 1);
    for _ in 0..MOST_DRAWS {
        let value = match element.take() {
            Some(value) => value,
            None if d == 1 => {
                // Each root itself.
                vec![words.field().zero(), words.field().one()]
            }
            None => {
                let traces = match &mut traces {
                    Some(traces) => traces,
                    None => traces.insert(Traces::new(words, &mut m, d)?),
                };
                let start = words.random(n);
                let trace = traces.trace(words, &mut m, &start)?;
                words.stripped(trace)
            }
        };
        if value.len() <= 1 {
            // All elements are equal.
            continue;
        }
        let cut = if words.field().order() == 2 { value.clone() } else { power_less_one(words, &mut m, &value)? };
        let part = words.gcd(m.f(), &cut)?;
        if part.len() > 1 && part.len() <= n {
            let other = words.cofactor(m.f(), &part)?;
            return if d == 1 {
                Ok([(part, None), (other, None)])
            } else {
                let [own, others] = [words.remainder(&value, &part)?, words.remainder(&value, &other)?];
                Ok([(part, Some(own)), (other, Some(others))])
            };
        }
        // Another shift of the same element may cut.
        element = Some(value);
    }
    Err(not_split(MOST_DRAWS))
}

/// `(value + s)^((p-1)/2) - 1` for a random `s` and an odd `p`.
fn power_less_one<F: PolyField>(
    words: &mut Words<'_, F>,
    m: &mut Modulus<F>,
    value: &[F::Element],
) -> Result<Vec<F::Element>, PolyError> {
    let field = words.field();
    let shift = words.random(1)[0];
    let mut base = value.to_vec();
    base.resize(m.degree(), field.zero());
    base[0] = field.add(base[0], shift);
    let is_linear = value.len() == 2 && value[1] == field.one();
    let exponent = field.order() / 2;
    let mut power = base.clone();
    let mut times = words.zeros(m.degree());
    for bit in (0..exponent.ilog2()).rev() {
        m.square(words, &mut power)?;
        if exponent >> bit & 1 == 1 {
            if is_linear {
                // x + s.
                times.copy_from_slice(&power);
                m.times_x(words, &mut power);
                words.subtract_multiple(&mut power, field.neg(base[0]), &times);
            } else {
                m.multiply(words, &power, &base, &mut times)?;
                std::mem::swap(&mut power, &mut times);
            }
        }
    }
    power[0] = field.sub(power[0], field.one());
    Ok(power)
}

/// Sums of `d` powers to the order of the field, each of the one before.
struct Traces<F: PolyField> {
    d: usize,
    /// Compositions with `x^p`; powers where these take fewer products.
    table: Option<Table<F>>,
}

impl<F: PolyField> Traces<F> {
    fn new(words: &mut Words<'_, F>, m: &mut Modulus<F>, d: usize) -> Result<Self, PolyError> {
        let (n, p) = (m.degree(), words.field().order());
        let shift = (p < n as u64).then_some(p);
        let rows = Rows::fewest(n, d - 1, shift);
        let squares = f64::from(p.ilog2());
        let products = squares + f64::from(p.count_ones() - 1);
        if (d - 1) as f64 * products <= squares + rows.products {
            return Ok(Self { d, table: None });
        }
        let first = power_of_x(words, m)?;
        Ok(Self { d, table: Some(Table::new(words, m, &first, rows.count, shift)?) })
    }

    /// The trace of a polynomial.
    fn trace(
        &self,
        words: &mut Words<'_, F>,
        m: &mut Modulus<F>,
        start: &[F::Element],
    ) -> Result<Vec<F::Element>, PolyError> {
        let (mut power, mut sum) = (start.to_vec(), start.to_vec());
        for _ in 1..self.d {
            power = match &self.table {
                Some(table) => table.compose(words, m, &power)?,
                None => to_the_order(words, m, &power)?,
            };
            words.field().add_slice(&mut sum, &power);
        }
        Ok(sum)
    }
}

/// `a^p`.
fn to_the_order<F: PolyField>(
    words: &mut Words<'_, F>,
    m: &mut Modulus<F>,
    a: &[F::Element],
) -> Result<Vec<F::Element>, PolyError> {
    let p = words.field().order();
    let mut power = a.to_vec();
    let mut times = words.zeros(m.degree());
    for bit in (0..p.ilog2()).rev() {
        m.square(words, &mut power)?;
        if p >> bit & 1 == 1 {
            m.multiply(words, &power, a, &mut times)?;
            std::mem::swap(&mut power, &mut times);
        }
    }
    Ok(power)
}

/// The two linear factors of a monic quadratic polynomial that has such, by its discriminant; `None` for other polynomials and
/// where 2 has no inverse.
fn quadratic<F: PolyField>(words: &Words<'_, F>, f: &[F::Element], d: usize) -> Option<[Vec<F::Element>; 2]> {
    let field = words.field();
    let (&[constant, linear, _], 1) = (f, d) else { return None };
    // x^2 + 2 m x + c = (x + m)^2 - (m^2 - c).
    let middle = field.mul(linear, field.inverse(field.natural(2))?);
    let root = field.square_root(field.sub(field.mul(middle, middle), constant))?;
    let factor = |c| vec![c, field.one()];
    Some([factor(field.add(middle, root)), factor(field.sub(middle, root))])
}
