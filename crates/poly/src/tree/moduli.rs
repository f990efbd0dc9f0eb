//! Remainders by many moduli at once, and Chinese remainders of polynomials, through a tree of the moduli's products (Borodin,
//! Moenck 1974).

use std::fmt;

use crate::arithmetic::divide::Divisor;
use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// The products of moduli of any degrees, two by two, each kept with its inverse: made once by [`PolyRing::moduli`].
pub struct Moduli<F: PolyField> {
    /// From the moduli to the product of all; a last one without a partner goes up as it is.
    levels: Vec<Vec<Divisor<F>>>,
}

impl<F: PolyField> fmt::Debug for Moduli<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} moduli", self.len())
    }
}

impl<F: PolyField> Moduli<F> {
    /// The number of moduli.
    pub fn len(&self) -> usize {
        self.levels.first().map_or(0, Vec::len)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A modulus; `None` past the last.
    pub fn modulus(&self, index: usize) -> Option<&Poly<F>> {
        self.levels.first()?.get(index).map(Divisor::poly)
    }

    /// The product of all; `None` where there are none.
    pub fn product(&self) -> Option<&Poly<F>> {
        self.levels.last()?.first().map(Divisor::poly)
    }
}

impl<F: PolyField> PolyRing<F> {
    /// A tree of moduli. `O(M(n) log k)` for `k` moduli with `n` coefficients in all.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(9001)?)?;
    /// let moduli = ring.moduli(vec![ring.poly(&[1, 0, 1])?, ring.poly(&[2, 1])?])?; // x^2 + 1 and x + 2
    /// let f = ring.poly(&[3, 4, 5])?;
    /// let remainders = ring.remainders(&f, &moduli)?;
    /// assert_eq!(ring.coefficients(&remainders[1])?, [15]); // the value at -2
    /// assert!(ring.equal(&ring.chinese_remainder(&remainders, &moduli)?, &f)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::ZeroDivisorAt`] with the index of a modulus that is zero; [`PolyError::MixedRings`]; as
    /// [`PolyRing::mul`].
    #[inline(never)]
    pub fn moduli(&self, moduli: Vec<Poly<F>>) -> Result<Moduli<F>, PolyError> {
        let mut level = Vec::with_capacity(moduli.len());
        for (index, modulus) in moduli.into_iter().enumerate() {
            level.push(match self.divisor(modulus) {
                Err(PolyError::ZeroDivisor) => return Err(PolyError::ZeroDivisorAt { index }),
                other => other?,
            });
        }
        let mut levels = vec![level];
        while let Some(below) = levels.last().filter(|level| level.len() > 1) {
            let mut above = Vec::with_capacity(below.len().div_ceil(2));
            for pair in below.chunks(2) {
                let product = match pair {
                    [left, right] => self.mul(left.poly(), right.poly())?,
                    [alone, ..] => self.copy(alone.poly())?,
                    [] => continue,
                };
                above.push(self.divisor(product)?);
            }
            levels.push(above);
        }
        Ok(Moduli { levels })
    }

    /// The remainders of `f` by each modulus. `O(M(n) log k)`.
    ///
    /// # Errors
    /// [`PolyError::MixedRings`]; as [`PolyRing::mul`].
    #[inline(never)]
    pub fn remainders(&self, f: &Poly<F>, moduli: &Moduli<F>) -> Result<Vec<Poly<F>>, PolyError> {
        self.own(f)?;
        let Some((root, below)) = moduli.levels.split_last() else { return Ok(Vec::new()) };
        let mut remainders = root.iter().map(|root| self.rem_with(f, root)).collect::<Result<Vec<_>, _>>()?;
        for level in below.iter().rev() {
            let of_parent = |(index, node): (usize, &Divisor<F>)| self.rem_with(&remainders[index / 2], node);
            remainders = level.iter().enumerate().map(of_parent).collect::<Result<_, _>>()?;
        }
        Ok(remainders)
    }

    /// The polynomial of degree below that of the product of the moduli with these remainders. `O(M(n) log n)`.
    ///
    /// # Errors
    /// [`PolyError::Remainders`] where there are not as many remainders as moduli; [`PolyError::NotCoprime`] with the index of
    /// a modulus that has a common factor with the others; [`PolyError::MixedRings`]; as [`PolyRing::mul`].
    #[inline(never)]
    pub fn chinese_remainder(&self, remainders: &[Poly<F>], moduli: &Moduli<F>) -> Result<Poly<F>, PolyError> {
        if remainders.len() != moduli.len() {
            return Err(PolyError::Remainders { moduli: moduli.len(), remainders: remainders.len() });
        }
        let (Some((_, below)), Some(leaves)) = (moduli.levels.split_last(), moduli.levels.first()) else {
            return self.zero();
        };
        if leaves.is_empty() {
            return self.zero();
        }
        // At each node the product of all other moduli, modulo the node.
        let mut others = vec![self.one()?];
        for level in below.iter().rev() {
            let mut next = Vec::with_capacity(level.len());
            for (index, node) in level.iter().enumerate() {
                let own = self.rem_with(&others[index / 2], node)?;
                next.push(match level.get(index ^ 1) {
                    Some(sibling) => self.rem_with(&self.mul(&own, &self.rem_with(sibling.poly(), node)?)?, node)?,
                    None => own,
                });
            }
            others = next;
        }
        let mut sums = Vec::with_capacity(leaves.len());
        for (index, ((modulus, others), remainder)) in leaves.iter().zip(&others).zip(remainders).enumerate() {
            self.own(remainder)?;
            if modulus.degree() == 0 {
                // Everything is 0 modulo a constant.
                sums.push(self.zero()?);
                continue;
            }
            let inverse = match self.inverse_mod(others, modulus.poly()) {
                Err(PolyError::NotInvertible { .. }) => return Err(PolyError::NotCoprime { index }),
                other => other?,
            };
            sums.push(self.rem_with(&self.mul(&self.rem_with(remainder, modulus)?, &inverse)?, modulus)?);
        }
        for level in below {
            let mut above = Vec::with_capacity(sums.len().div_ceil(2));
            for (sums, nodes) in sums.chunks(2).zip(level.chunks(2)) {
                above.push(match (sums, nodes) {
                    ([left, right], [m, n]) => self.add(&self.mul(left, n.poly())?, &self.mul(right, m.poly())?)?,
                    ([alone, ..], _) => self.copy(alone)?,
                    _ => continue,
                });
            }
            sums = above;
        }
        sums.into_iter().next().map_or_else(|| self.zero(), Ok)
    }
}
