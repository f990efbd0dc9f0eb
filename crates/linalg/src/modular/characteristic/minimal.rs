//! Minimal polynomials, certain for every matrix and prime: minimal polynomials of vectors from Krylov matrices (Keller-Gehrig, "Fast
//! algorithms for the characteristic polynomial", Theoretical Computer Science 36, 1985), and the value of the polynomial at the matrix
//! as the proof (Paterson and Stockmeyer, "On the number of nonscalar multiplications necessary to evaluate polynomials", SIAM Journal
//! on Computing 2, 1973).
//!
//! The minimal polynomial of a vector divides that of the matrix. Where it has the order as its degree, it is that of the matrix and its
//! characteristic polynomial. Else `m(A)` is computed: where it is 0 the polynomial is proved, and where it is not a vector of its image
//! has a minimal polynomial that `m` is multiplied by.

use manycore_device::checkpoint;
use manycore_verify::SplitMix;

use crate::block::Block;
use crate::error::LinalgError;
use crate::field::MatrixField;
use crate::modular::algebra::{LinearAlgebra, residue};
use crate::modular::matrix::Matrix;

/// Columns of the first part of a Krylov matrix, which powers of the matrix by squares make: those of a tile of a product on the host.
const FIRST: usize = 32;
/// Entries of the powers that are kept for the value at a matrix.
const MOST_KEPT: usize = 1 << 27;

impl<F: MatrixField> LinearAlgebra<F> {
    /// The minimal polynomial of a square matrix: the polynomial of least degree with leading coefficient 1 that is 0 at the matrix; its
    /// coefficients, the constant term first. It is certain. 1 for order 0.
    ///
    /// About `7 n^3` products for order `n` and an echelon form where the degree is the order; else `2 d^(1/2) n^3` more for the degree
    /// `d` each time that a polynomial is proved or refuted, which is once but for a chance of about `n / p`.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// use manycore_linalg::LinearAlgebra;
    /// let space = LinearAlgebra::new(&Device::from_env()?, PrimeField::<u32>::new(101)?)?;
    /// let a = space.matrix(3, 3, &[2, 0, 0, 0, 2, 0, 0, 0, 5])?;
    /// assert_eq!(space.minimal_polynomial(&a)?, [10, 94, 1]); // (x - 2) (x - 5)
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LinalgError::NotSquare`]; [`LinalgError::MixedFields`]; [`LinalgError::Device`]; [`LinalgError::Unproved`] when the device fails.
    #[inline(never)]
    pub fn minimal_polynomial(&self, a: &Matrix<F>) -> Result<Vec<F::Element>, LinalgError> {
        self.own(a)?;
        let order = a.order("minimal polynomial")?;
        let mut found = vec![self.field().one()];
        if order == 0 {
            return Ok(found);
        }
        let mut random = SplitMix::new(1);
        let mut vector = self.drawn(order, &mut random)?;
        // Each vector that is not 0 adds at least 1 to the degree.
        while found.len() <= order {
            let own = self.minimal_of_vector(a, &vector)?;
            found = product(self.field(), &found, &own);
            if found.len() == order + 1 {
                return Ok(found);
            }
            let value = self.value_at(&found, a)?;
            let image = self.mul(&value, &self.drawn(order, &mut random)?)?;
            vector = if self.is_zero(&image)? {
                let words = self.entries(&value)?;
                let Some(place) = words.iter().position(|&word| word != self.field().zero()) else { return Ok(found) };
                let column = self.pick(&value.buffer, Block::whole(order, order), &[(place % order) as u32])?;
                self.of(column, order, 1)
            } else {
                image
            };
        }
        Err(LinalgError::Unproved { device: self.device().info().label() })
    }

    /// The minimal polynomial of a vector other than 0 under a square matrix: the first of the vector, its image, the image of that and
    /// so on that is a combination of those before it gives the coefficients.
    fn minimal_of_vector(&self, a: &Matrix<F>, vector: &Matrix<F>) -> Result<Vec<F::Element>, LinalgError> {
        let order = a.rows;
        let count = order + 1;
        let whole = Block::whole(order, count);
        let mut krylov = self.scratch(order, count)?;
        // The first vectors, and the power of the matrix that moves them to the next.
        let mut columns = 1;
        self.copy_block(&vector.buffer, Block::whole(order, 1), &mut krylov.buffer, whole.part(0..order, 0..1))?;
        let mut power = self.of(self.block_of(&a.buffer, Block::whole(order, order))?, order, order);
        let step = |columns: usize| columns.min(FIRST);
        while columns < count {
            checkpoint()?;
            let width = step(columns);
            let from = whole.part(0..order, columns - width..columns);
            let part = self.of(self.block_of(&krylov.buffer, from)?, order, width);
            let next = self.mul(&power, &part)?;
            let taken = width.min(count - columns);
            let source = Block::whole(order, width).part(0..order, 0..taken);
            let target = whole.part(0..order, columns..columns + taken);
            self.copy_block(&next.buffer, source, &mut krylov.buffer, target)?;
            columns += taken;
            if step(columns) > width && columns < count {
                power = self.mul(&power, &power)?;
            }
        }
        let (form, pivots) = self.echelon(&krylov)?.into_parts();
        let degree = pivots.len();
        if degree == 0 || degree > order || pivots.last() != Some(&(degree - 1)) {
            return Err(LinalgError::Unproved { device: self.device().info().label() });
        }
        let last = self.pick(&form.buffer, whole.part(0..degree, 0..count), &[degree as u32])?.download()?;
        let coefficients = last.into_iter().map(|word| self.field().neg(word));
        Ok(coefficients.chain([self.field().one()]).collect())
    }

    /// The value of a polynomial at a square matrix: about `2 d^(1/2)` products for the degree `d`, of powers up to the root of the
    /// degree, and by Horner's rule in the last of them.
    fn value_at(&self, coefficients: &[F::Element], a: &Matrix<F>) -> Result<Matrix<F>, LinalgError> {
        let order = a.rows;
        let root = coefficients.len().isqrt() + 1;
        let step = root.min(MOST_KEPT / (order * order).max(1)).max(1);
        let mut powers = vec![self.identity(order)?];
        for k in 0..step {
            let next = self.mul(&powers[k], a)?;
            powers.push(next);
        }
        let mut value = self.zeros(order, order)?;
        for part in coefficients.chunks(step).rev() {
            checkpoint()?;
            value = self.mul(&value, &powers[step])?;
            for (power, &coefficient) in powers.iter().zip(part) {
                value = self.add(&value, &self.scale(power, coefficient)?)?;
            }
        }
        Ok(value)
    }

    /// A random vector other than 0.
    fn drawn(&self, order: usize, random: &mut SplitMix) -> Result<Matrix<F>, LinalgError> {
        let mut words: Vec<F::Element> = (0..order).map(|_| residue(self.field(), random)).collect();
        if words.iter().all(|&word| word == self.field().zero()) {
            words[0] = self.field().one();
        }
        self.matrix(order, 1, &words)
    }

    fn is_zero(&self, a: &Matrix<F>) -> Result<bool, LinalgError> {
        Ok(self.entries(a)?.iter().all(|&word| word == self.field().zero()))
    }
}

/// The product of two polynomials, the constant terms first.
fn product<F: MatrixField>(field: &F, x: &[F::Element], y: &[F::Element]) -> Vec<F::Element> {
    let mut out = vec![field.zero(); x.len() + y.len() - 1];
    for (k, &c) in x.iter().enumerate() {
        field.sub_scaled_slice(&mut out[k..k + y.len()], field.neg(c), y);
    }
    out
}
