//! Distinct-degree factorization (J. von zur Gathen, J. Gerhard, Modern Computer Algebra, algorithm 14.3): the monic
//! irreducible polynomials whose degree divides `d` are the factors of `x^(p^d) - x`, each once.

use manycore_device::Executor;

use super::frobenius::Powers;
use super::on_host::{self, Words};
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// Products of irreducible polynomials of the same degree, with that degree, ascending.
pub(super) type ByDegree<F> = Vec<(Poly<F>, usize)>;

impl<F: PolyField> PolyRing<F> {
    /// The distinct-degree factorization of a squarefree polynomial: for each degree `d` that its irreducible factors have,
    /// ascending, the monic product of those of degree `d`, and `d`. Empty for constants.
    ///
    /// On the host by baby steps and giant steps: `O(n^(1/2))` compositions and greatest common divisors, `O(n)` products modulo what is
    /// left. On OpenCL devices for each degree up to half of that of what is left a p-th power modulo what is left, by `log2(p)` squares
    /// or by a composition with kept powers of `x^p`, and a greatest common divisor: at most `n / 2` of both.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let f = ring.poly(&[6, 0, 0, 0, 1])?; // x^4 - 1 = (x - 1) (x + 1) (x^2 + 1)
    /// let products = ring.distinct_degree(&f)?;
    /// assert_eq!((ring.coefficients(&products[0].0)?, products[0].1), (vec![6, 0, 1], 1));
    /// assert_eq!((ring.coefficients(&products[1].0)?, products[1].1), (vec![1, 0, 1], 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::NotSquarefree`] for a factor that is there more than once; [`PolyError::ZeroHasNoFactors`]; as
    /// [`PolyRing::gcd`].
    #[inline(never)]
    pub fn distinct_degree(&self, f: &Poly<F>) -> Result<Vec<(Poly<F>, usize)>, PolyError> {
        let f = self.monic_squarefree(f)?;
        let (mut products, rest) = self.products_by_degree(f, usize::MAX)?;
        if let Some(degree) = rest.degree().filter(|&degree| degree > 0) {
            products.push((rest, degree));
        }
        Ok(products)
    }

    /// The polynomial over its leading coefficient.
    ///
    /// # Errors
    /// [`PolyError::NotSquarefree`] and [`PolyError::ZeroHasNoFactors`].
    pub(super) fn monic_squarefree(&self, f: &Poly<F>) -> Result<Poly<F>, PolyError> {
        if f.is_zero() {
            return Err(PolyError::ZeroHasNoFactors);
        }
        match self.gcd(f, &self.derivative(f)?)?.degree() {
            Some(degree) if degree > 0 => Err(PolyError::NotSquarefree { degree }),
            _ => self.monic(f),
        }
    }

    /// The products of the irreducible factors of the degrees up to `most` of a monic squarefree polynomial, and the product
    /// of the others. It ends as soon as what is left has no room for two factors: the rest is then 1 or irreducible.
    pub(super) fn products_by_degree(&self, f: Poly<F>, most: usize) -> Result<(ByDegree<F>, Poly<F>), PolyError> {
        if matches!(self.device().executor(), Executor::Host(_)) {
            let (products, rest) = on_host::products_by_degree(&mut Words::new(self), self.coefficients(&f)?, most)?;
            let product = |(words, degree): (Vec<_>, _)| Ok((self.poly(&words)?, degree));
            let products = products.into_iter().map(product).collect::<Result<_, PolyError>>()?;
            return Ok((products, self.poly(&rest)?));
        }
        let x = self.monomial(1)?;
        let mut products = Vec::new();
        let mut rest = self.divisor(f)?;
        // Modulo what is left, or a multiple of it of less than twice its degree.
        let mut powers = Powers::new(self, self.divisor(self.copy(rest.poly())?)?);
        let mut d = 1;
        while d <= most && 2 * d <= rest.degree() {
            let power = self.reduced(self.copy(powers.next(self)?)?, &rest)?;
            let product = self.gcd(rest.poly(), &self.sub(&power, &x)?)?;
            if product.degree() > Some(0) {
                rest = self.divisor(self.cofactor(rest.poly(), &product)?)?;
                powers.reduce(self, &rest)?;
                products.push((product, d));
            }
            d += 1;
        }
        let rest = self.copy(rest.poly())?;
        Ok((products, rest))
    }
}
