//! Squarefree factorization by Yun's algorithm (D. Y. Y. Yun, On Square-Free Decomposition Algorithms, 1976), with p-th roots
//! for multiplicities from the characteristic on (P. Gianni, B. Trager, Square-Free Algorithms in Positive Characteristic, 1996).
//!
//! For `f = prod f_i^i` Yun's algorithm finds, modulo `p`, the products `h_k` of the `f_i` with `i = k mod p`, for `0 < k < p`.
//! What is left of `f` after division by all `h_k^k` is `g^p` for `g = prod f_i^(i div p)`, whose factors of multiplicity `j`
//! have with `h_k` the greatest common divisor `f_(p j + k)`.

use crate::error::PolyError;
use crate::poly::{Poly, PolyField};
use crate::ring::PolyRing;

/// Pairwise coprime squarefree polynomials with a number each: a multiplicity, or its remainder modulo the characteristic.
type Parts<F> = Vec<(Poly<F>, usize)>;

impl<F: PolyField> PolyRing<F> {
    /// The monic polynomial with the irreducible factors of `f`, each once: its radical. 1 for constants.
    ///
    /// # Errors
    /// As [`PolyRing::squarefree`].
    #[inline(never)]
    pub fn squarefree_part(&self, f: &Poly<F>) -> Result<Poly<F>, PolyError> {
        let mut part = self.one()?;
        for (factor, _) in self.squarefree(f)? {
            part = self.mul(&part, &factor)?;
        }
        Ok(part)
    }

    /// The squarefree factorization: monic, squarefree, pairwise coprime polynomials other than 1 with different
    /// multiplicities, ascending, such that `f` is its leading coefficient times the product of their powers. Empty for
    /// constants.
    ///
    /// Greatest common divisors and divisions of a total length of `O(n)`, except that small factors of high multiplicities
    /// take a step of their own length for each multiplicity.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_poly::PolyRing;
    /// let ring = PolyRing::new(&Device::from_env()?, PrimeField::<u32>::new(7)?)?;
    /// let f = ring.poly(&[0, 0, 0, 5, 5])?; // 5 x^3 (x + 1)
    /// let parts = ring.squarefree(&f)?;
    /// assert_eq!((ring.coefficients(&parts[0].0)?, parts[0].1), (vec![1, 1], 1));
    /// assert_eq!((ring.coefficients(&parts[1].0)?, parts[1].1), (vec![0, 1], 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::ZeroHasNoFactors`]; as [`PolyRing::gcd`].
    #[inline(never)]
    pub fn squarefree(&self, f: &Poly<F>) -> Result<Vec<(Poly<F>, usize)>, PolyError> {
        if f.is_zero() {
            return Err(PolyError::ZeroHasNoFactors);
        }
        // The parts by the remainder of the multiplicity, of f, of the p-th root of what they leave, and so on.
        let mut levels = Vec::new();
        let mut rest = self.monic(f)?;
        while rest.degree() > Some(0) {
            let parts = self.parts_by_remainder(&rest)?;
            rest = self.root_of_rest(rest, &parts)?;
            levels.push(parts);
        }
        let mut factors = Vec::new();
        for parts in levels.into_iter().rev() {
            factors = self.with_multiplicities(parts, factors)?;
        }
        Ok(factors)
    }

    /// The products of the factors whose multiplicity is `k` modulo the characteristic, for `k > 0`: Yun's algorithm.
    fn parts_by_remainder(&self, f: &Poly<F>) -> Result<Parts<F>, PolyError> {
        let degree = f.degree().unwrap_or(0);
        let derivative = self.derivative(f)?;
        let common = self.gcd(f, &derivative)?;
        if common.degree() == Some(0) {
            return Ok(vec![(self.copy(f)?, 1)]);
        }
        // The product of the factors that are left, and the sum over them of (i - k) times the derivative of f_i times the others.
        let mut product = self.cofactor(f, &common)?;
        let mut sum = self.cofactor(&derivative, &common)?;
        let mut parts = Vec::new();
        let mut k = 0;
        while product.degree() > Some(0) {
            // A multiplicity is at most the degree; without a bound a spoiled product would never become 1.
            k = self.within("a multiplicity", k + 1, 1..=degree)?;
            sum = self.sub(&sum, &self.derivative(&product)?)?;
            let part = self.gcd(&product, &sum)?;
            if part.degree() > Some(0) {
                product = self.cofactor(&product, &part)?;
                sum = self.cofactor(&sum, &part)?;
                parts.push((part, k));
            }
        }
        Ok(parts)
    }

    /// The p-th root of `f` over the powers of its parts.
    fn root_of_rest(&self, f: Poly<F>, parts: &Parts<F>) -> Result<Poly<F>, PolyError> {
        let Ok(p) = usize::try_from(self.field().order()) else { return self.one() };
        if f.degree() < Some(p) {
            return self.one();
        }
        let mut rest = f;
        for (part, k) in parts {
            rest = self.cofactor(&rest, &self.pow(part, *k as u64)?)?;
        }
        // The Frobenius map is the identity on a prime field: (sum c_i x^i)^p = sum c_i x^(p i).
        let words = self.coefficients(&rest)?;
        self.poly(&words.into_iter().step_by(p).collect::<Vec<_>>())
    }

    /// The parts of a polynomial by the remainders of their multiplicities, cut by the factors of its p-th root with theirs.
    fn with_multiplicities(&self, parts: Parts<F>, of_root: Parts<F>) -> Result<Parts<F>, PolyError> {
        let p = usize::try_from(self.field().order()).unwrap_or(usize::MAX);
        let mut factors = Vec::new();
        let mut root_factors = of_root;
        for (mut part, k) in parts {
            for (factor, j) in &mut root_factors {
                let common = self.gcd(&part, factor)?;
                if common.degree() > Some(0) {
                    part = self.cofactor(&part, &common)?;
                    *factor = self.cofactor(factor, &common)?;
                    factors.push((common, p.saturating_mul(*j).saturating_add(k)));
                }
            }
            factors.push((part, k));
        }
        factors.extend(root_factors.into_iter().map(|(factor, j)| (factor, p.saturating_mul(j))));
        factors.retain(|(factor, _)| factor.degree() > Some(0));
        factors.sort_by_key(|&(_, multiplicity)| multiplicity);
        Ok(factors)
    }
}
