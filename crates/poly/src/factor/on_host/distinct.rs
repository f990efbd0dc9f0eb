//! Distinct-degree factorization by baby steps and giant steps (E. Kaltofen, V. Shoup, Subquadratic-time factoring of polynomials
//! over finite fields, 1998; V. Shoup, A new polynomial factorization algorithm and its implementation, 1995).
//!
//! An irreducible factor of degree `d = l j - i` divides `x^(p^(l j)) - x^(p^i)`. With the baby steps `x^(p^i)`, `i <= l`, and the giant
//! steps `x^(p^(l j))`, the product over `i < l` of these differences has all factors of degrees above `l (j - 1)` up to `l j`: one
//! greatest common divisor for `l` degrees, and further ones only where a factor was found. The first degrees, with most factors,
//! come in shorter groups.

use std::collections::VecDeque;

use manycore_device::checkpoint;

use super::frobenius::{Rows, Table, power_of_x};
use super::modulus::Modulus;
use super::words::Words;
use crate::error::PolyError;
use crate::poly::PolyField;

/// Products of irreducible polynomials of the same degree, with that degree.
type ByDegree<E> = Vec<(Vec<E>, usize)>;

/// Such products, and what is left of the polynomial.
type Divided<E> = (ByDegree<E>, Vec<E>);

/// Polynomials that have the irreducible factors of one degree each, among those of lower degrees, ascending.
type Group<E> = VecDeque<(usize, Vec<E>)>;

/// The products of the irreducible factors of the degrees up to `most` of a monic squarefree polynomial, and the product of the
/// others. It ends as soon as what is left has no room for two factors: the rest is then 1 or irreducible.
pub(in crate::factor) fn products_by_degree<F: PolyField>(
    words: &mut Words<'_, F>,
    f: Vec<F::Element>,
    most: usize,
) -> Result<Divided<F::Element>, PolyError> {
    let mut products = Vec::new();
    if f.len() <= 2 || most == 0 {
        return Ok((products, f));
    }
    let mut rest = f.clone();
    let mut steps = Steps::new(words, f)?;
    while rest.len() > 1 {
        let last = most.min((rest.len() - 1) / 2);
        if steps.next > last {
            break;
        }
        checkpoint()?;
        let group = steps.group(words, last)?;
        let product = steps.product(words, &group)?;
        let found = words.gcd(&rest, &product)?;
        if found.len() > 1 {
            rest = words.cofactor(&rest, &found)?;
            separate(words, found, group, &mut products)?;
            if rest.len() > 1 {
                steps.reduce(words, &rest)?;
            }
        }
    }
    Ok((products, rest))
}

/// Cuts a product of irreducible factors of the degrees of a group.
fn separate<F: PolyField>(
    words: &Words<'_, F>,
    mut found: Vec<F::Element>,
    mut group: Group<F::Element>,
    products: &mut ByDegree<F::Element>,
) -> Result<(), PolyError> {
    while let Some((degree, difference)) = group.pop_front() {
        let len = found.len();
        if len <= 1 {
            return Ok(());
        }
        if len - 1 < 2 * degree {
            // No room for two factors.
            products.push((found, len - 1));
            return Ok(());
        }
        if group.is_empty() {
            products.push((found, degree));
            return Ok(());
        }
        let part = words.gcd(&found, &words.remainder(&difference, &found)?)?;
        if part.len() > 1 {
            found = words.cofactor(&found, &part)?;
            products.push((part, degree));
        }
    }
    Ok(())
}

/// The powers `x^(p^d)` modulo a polynomial.
struct Steps<F: PolyField> {
    m: Modulus<F>,
    /// The least degree that no group had.
    next: usize,
    /// The number of baby steps, and of degrees of a giant step.
    length: usize,
    /// `x^(p^i)` from `i = 0` on.
    babies: Vec<Vec<F::Element>>,
    /// The last giant step.
    giant: Option<Vec<F::Element>>,
    /// Compositions with `x^p`, and with the last baby step.
    first: Option<Table<F>>,
    last: Option<Table<F>>,
}

impl<F: PolyField> Steps<F> {
    fn new(words: &mut Words<'_, F>, f: Vec<F::Element>) -> Result<Self, PolyError> {
        let n = f.len() - 1;
        let mut m = Modulus::new(words, f)?;
        let mut x = words.zeros(n);
        // The degree is 2 at least.
        x[1] = words.field().one();
        let first = power_of_x(words, &mut m)?;
        let length = balanced(n);
        Ok(Self { m, next: 1, length, babies: vec![x, first], giant: None, first: None, last: None })
    }

    /// The differences of the next degrees, up to `last` at most.
    fn group(&mut self, words: &mut Words<'_, F>, last: usize) -> Result<Group<F::Element>, PolyError> {
        let mut group = VecDeque::new();
        if self.next <= self.length {
            // As many degrees as came before.
            let end = last.min(self.length).min((2 * (self.next - 1)).max(1));
            for degree in self.next..=end {
                self.prepare(words, degree)?;
                group.push_back((degree, words.difference(&self.babies[degree], &self.babies[0])));
            }
            self.next = end + 1;
            return Ok(group);
        }
        self.prepare(words, self.length)?;
        let giant = match &self.giant {
            None => self.babies[self.length].clone(),
            Some(giant) => giant.clone(),
        };
        let table = if let Some(table) = self.last.take() {
            table
        } else {
            let n = self.m.degree();
            let rows = Rows::fewest(n, (n / 2).div_ceil(self.length).max(1), None);
            Table::new(words, &mut self.m, &self.babies[self.length], rows.count, None)?
        };
        let giant = table.compose(words, &mut self.m, &giant)?;
        self.last = Some(table);
        let end = self.next + self.length - 1;
        for degree in self.next..=end.min(last) {
            group.push_back((degree, words.difference(&giant, &self.babies[end - degree])));
        }
        self.giant = Some(giant);
        self.next = end + 1;
        Ok(group)
    }

    /// The baby steps up to one.
    fn prepare(&mut self, words: &mut Words<'_, F>, to: usize) -> Result<(), PolyError> {
        if self.babies.len() > to {
            return Ok(());
        }
        let n = self.m.degree();
        let p = words.field().order();
        let shift = (p < n as u64).then_some(p);
        let table = if let Some(table) = self.first.take() {
            table
        } else {
            let rows = Rows::fewest(n, self.length.max(to) - 1, shift);
            Table::new(words, &mut self.m, &self.babies[1], rows.count, shift)?
        };
        while self.babies.len() <= to {
            let next = table.compose(words, &mut self.m, &self.babies[self.babies.len() - 1])?;
            self.babies.push(next);
        }
        self.first = Some(table);
        Ok(())
    }

    /// The product of the polynomials of a group.
    fn product(&mut self, words: &mut Words<'_, F>, group: &Group<F::Element>) -> Result<Vec<F::Element>, PolyError> {
        let mut factors = group.iter().map(|(_, factor)| factor);
        let mut product = factors.next().cloned().unwrap_or_default();
        let mut times = words.zeros(self.m.degree());
        for factor in factors {
            self.m.multiply(words, &product, factor, &mut times)?;
            std::mem::swap(&mut product, &mut times);
        }
        Ok(product)
    }

    /// Goes on modulo a divisor of the polynomial, where that pays: before there are tables, or where its degree is at most half.
    fn reduce(&mut self, words: &mut Words<'_, F>, to: &[F::Element]) -> Result<(), PolyError> {
        let (degree, from) = (to.len() - 1, self.m.degree());
        if degree < 2 || (self.first.is_some() && 2 * degree > from) {
            return Ok(());
        }
        let smaller = |words: &Words<'_, F>, power: &[F::Element]| -> Result<Vec<F::Element>, PolyError> {
            let mut power = words.remainder(power, to)?;
            power.resize(degree, words.field().zero());
            Ok(power)
        };
        for baby in &mut self.babies {
            *baby = smaller(words, baby)?;
        }
        if let Some(giant) = &mut self.giant {
            *giant = smaller(words, giant)?;
        } else if self.next <= self.length {
            self.length = balanced(degree).max(self.next - 1).max(1);
        }
        self.m = Modulus::new(words, to.to_vec())?;
        (self.first, self.last) = (None, None);
        Ok(())
    }
}

/// As many baby steps as giant steps to half of the degree.
fn balanced(n: usize) -> usize {
    (n / 2).isqrt().max(1)
}
