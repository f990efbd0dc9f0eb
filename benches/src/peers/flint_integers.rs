//! FLINT's integers, matrices of integers, factors and power series, on one thread: `fmpz`, `fmpz_mat`, `nmod_poly`.

use flint3_sys as sys;
use manycore_linalg::num_bigint::{BigInt, BigUint, Sign};
use manycore_linalg::num_rational::BigRational;

use super::codes::Multiplier as _;
use super::flint::Flint;

/// FLINT's name and version on one thread.
pub fn name() -> String {
    Flint::new().name()
}

/// An integer of FLINT.
pub struct Integer(sys::fmpz);

impl Integer {
    /// The integer of this value.
    pub fn new(value: &BigUint) -> Self {
        let mut inner = 0;
        let words = value.to_u64_digits();
        // SAFETY: FLINT sets `inner` up, then reads as many words as there are; `Drop` clears it once.
        unsafe {
            sys::fmpz_init(&raw mut inner);
            sys::fmpz_set_ui_array(&raw mut inner, words.as_ptr(), words.len() as sys::slong);
        }
        Self(inner)
    }

    /// Its magnitude.
    pub fn value(&self) -> BigUint {
        value(&raw const self.0).into_parts().1
    }
}

impl Drop for Integer {
    fn drop(&mut self) {
        // SAFETY: it was set up by `new`, and is not used afterwards.
        unsafe { sys::fmpz_clear(&raw mut self.0) }
    }
}

/// The value of an integer that is set up.
fn value(integer: *const sys::fmpz) -> BigInt {
    // SAFETY: every caller's pointer is of an integer that is set up; as many words are written as there is room for.
    unsafe {
        let mut words = vec![0u64; sys::fmpz_size(integer) as usize];
        let mut magnitude = 0;
        sys::fmpz_init(&raw mut magnitude);
        sys::fmpz_abs(&raw mut magnitude, integer);
        sys::fmpz_get_ui_array(words.as_mut_ptr(), words.len() as sys::slong, &raw const magnitude);
        sys::fmpz_clear(&raw mut magnitude);
        let halves = words.into_iter().flat_map(|word| [word as u32, (word >> 32) as u32]).collect();
        let sign = if sys::fmpz_sgn(integer) < 0 { Sign::Minus } else { Sign::Plus };
        BigInt::from_biguint(sign, BigUint::new(halves))
    }
}

/// Sets `c` to the product of `a` and `b`: `fmpz_mul`.
pub fn product(a: &Integer, b: &Integer, c: &mut Integer) {
    Flint::new().alone(|| {
        // SAFETY: all three are set up and different.
        unsafe { sys::fmpz_mul(&raw mut c.0, &raw const a.0, &raw const b.0) };
    });
}

/// A matrix of integers of FLINT.
pub struct IntegerMatrix(sys::fmpz_mat_struct);

impl IntegerMatrix {
    /// The matrix with these entries, row after row.
    ///
    /// # Panics
    /// For another number of entries.
    pub fn new(rows: usize, columns: usize, entries: &[i64]) -> Self {
        assert_eq!(entries.len(), rows * columns, "the entries of a matrix");
        let mut inner = sys::fmpz_mat_struct::default();
        // SAFETY: FLINT sets up the whole of `inner`, which `Drop` clears once, and has each of its entries.
        unsafe {
            sys::fmpz_mat_init(&raw mut inner, rows as sys::slong, columns as sys::slong);
            for (place, &entry) in entries.iter().enumerate() {
                let (i, j) = ((place / columns) as sys::slong, (place % columns) as sys::slong);
                sys::fmpz_set_si(sys::fmpz_mat_entry(&raw const inner, i, j), entry);
            }
        }
        Self(inner)
    }

    /// The determinant of a square one: `fmpz_mat_det`.
    pub fn determinant(&self) -> BigInt {
        let mut found = 0;
        // SAFETY: the matrix is set up, and `found` is between its being set up and cleared.
        unsafe { sys::fmpz_init(&raw mut found) };
        Flint::new().alone(|| unsafe { sys::fmpz_mat_det(&raw mut found, &raw const self.0) });
        let determinant = value(&raw const found);
        // SAFETY: as above.
        unsafe { sys::fmpz_clear(&raw mut found) };
        determinant
    }
}

impl Drop for IntegerMatrix {
    fn drop(&mut self) {
        // SAFETY: it was set up by `new`, and is not used afterwards.
        unsafe { sys::fmpz_mat_clear(&raw mut self.0) }
    }
}

/// A system of linear equations of integers, and its solution of fractions.
pub struct Solution {
    a: IntegerMatrix,
    b: IntegerMatrix,
    x: sys::fmpq_mat_struct,
}

impl Solution {
    /// The system `a x = b` for a square and regular matrix `a` and one column `b`.
    pub fn new(a: IntegerMatrix, b: IntegerMatrix) -> Self {
        let mut x = sys::fmpq_mat_struct::default();
        // SAFETY: FLINT sets up the whole of `x`, which `Drop` clears once.
        unsafe { sys::fmpq_mat_init(&raw mut x, a.0.c, b.0.c) };
        Self { a, b, x }
    }

    /// Solves it: `fmpq_mat_solve_fmpz_mat`, which chooses among FLINT's algorithms.
    pub fn run(&mut self) {
        Flint::new().alone(|| {
            // SAFETY: all three are set up, with shapes that fit.
            unsafe { sys::fmpq_mat_solve_fmpz_mat(&raw mut self.x, &raw const self.a.0, &raw const self.b.0) };
        });
    }

    /// The solution.
    pub fn values(&self) -> Vec<BigRational> {
        let entry = |i: usize| {
            // SAFETY: the matrix is set up, and has row `i` and column 0.
            let entry = unsafe { sys::fmpq_mat_entry(&raw const self.x, i as sys::slong, 0) };
            // SAFETY: the entry is one of the matrix, set up.
            let (numerator, denominator) = unsafe { (&raw const (*entry).num, &raw const (*entry).den) };
            BigRational::new(value(numerator), value(denominator))
        };
        (0..self.x.r as usize).map(entry).collect()
    }
}

impl Drop for Solution {
    fn drop(&mut self) {
        // SAFETY: it was set up by `new`, and is not used afterwards.
        unsafe { sys::fmpq_mat_clear(&raw mut self.x) }
    }
}

/// A polynomial modulo a word of FLINT.
struct Polynomial(sys::nmod_poly_struct);

impl Polynomial {
    fn new(p: u64, coefficients: &[u64]) -> Self {
        let mut inner = sys::nmod_poly_struct::default();
        // SAFETY: FLINT sets up the whole of `inner`, which `Drop` clears once, and makes room for each coefficient.
        unsafe {
            sys::nmod_poly_init2(&raw mut inner, p, coefficients.len() as sys::slong);
            for (i, &c) in coefficients.iter().enumerate().rev() {
                sys::nmod_poly_set_coeff_ui(&raw mut inner, i as sys::slong, c);
            }
        }
        Self(inner)
    }
}

impl Drop for Polynomial {
    fn drop(&mut self) {
        // SAFETY: it was set up by `new`, and is not used afterwards.
        unsafe { sys::nmod_poly_clear(&raw mut self.0) }
    }
}

/// A polynomial and its factors: `nmod_poly_factor`.
pub struct Factors {
    f: Polynomial,
    count: usize,
}

impl Factors {
    /// Of the polynomial with these coefficients modulo a prime, the constant term first.
    pub fn new(p: u64, coefficients: &[u64]) -> Self {
        Self { f: Polynomial::new(p, coefficients), count: 0 }
    }

    /// Factors it.
    pub fn run(&mut self) {
        let mut found = sys::nmod_poly_factor_struct::default();
        Flint::new().alone(|| {
            // SAFETY: the polynomial is set up; the list of factors is set up, read and cleared here.
            unsafe {
                sys::nmod_poly_factor_init(&raw mut found);
                sys::nmod_poly_factor(&raw mut found, &raw const self.f.0);
                self.count = found.num as usize;
                sys::nmod_poly_factor_clear(&raw mut found);
            }
        });
    }

    /// Different factors found.
    pub fn count(&self) -> usize {
        self.count
    }
}

/// A power series and its exponential: `nmod_poly_exp_series`.
pub struct Exponential {
    f: Polynomial,
    exponential: Polynomial,
    len: usize,
}

impl Exponential {
    /// Of the series with these coefficients modulo a prime above their number, the first one 0.
    pub fn new(p: u64, coefficients: &[u64]) -> Self {
        Self { f: Polynomial::new(p, coefficients), exponential: Polynomial::new(p, &[]), len: coefficients.len() }
    }

    /// Computes as many coefficients as the series has.
    pub fn run(&mut self) {
        Flint::new().alone(|| {
            // SAFETY: both are set up with one modulus and are different.
            unsafe {
                sys::nmod_poly_exp_series(&raw mut self.exponential.0, &raw const self.f.0, self.len as sys::slong);
            }
        });
    }

    /// The coefficients.
    pub fn values(&self) -> Vec<u64> {
        // SAFETY: the polynomial is set up; FLINT only reads it.
        let coefficient = |i| unsafe { sys::nmod_poly_get_coeff_ui(&raw const self.exponential.0, i) };
        (0..self.len as sys::slong).map(coefficient).collect()
    }
}

/// Two square matrices of residues modulo 2 and their product: `nmod_mat_mul`.
pub struct BitProduct {
    matrices: [sys::nmod_mat_struct; 3],
    order: usize,
}

impl BitProduct {
    /// Of matrices packed 64 entries a word, their order a multiple of 64.
    pub fn new(order: usize, a: &[u64], b: &[u64]) -> Self {
        let side = order as sys::slong;
        let matrix = |words: Option<&[u64]>| {
            let mut inner = sys::nmod_mat_struct::default();
            // SAFETY: FLINT sets up the whole of `inner`, which `Drop` clears once, and has each of its entries.
            unsafe {
                sys::nmod_mat_init(&raw mut inner, side, side, 2);
                for place in 0..words.map_or(0, |words| 64 * words.len()) {
                    let bit = words.map_or(0, |words| words[place / 64] >> (place % 64) & 1);
                    let (i, j) = ((place / order) as sys::slong, (place % order) as sys::slong);
                    sys::nmod_mat_set_entry(&raw mut inner, i, j, bit);
                }
            }
            inner
        };
        Self { matrices: [matrix(None), matrix(Some(a)), matrix(Some(b))], order }
    }

    /// Multiplies.
    pub fn run(&mut self) {
        let [c, a, b] = &mut self.matrices;
        // SAFETY: all three are set up with one modulus and are different.
        Flint::new().alone(|| unsafe { sys::nmod_mat_mul(c, a, b) });
    }

    /// The product, packed.
    pub fn words(&self) -> Vec<u64> {
        let bit = |place: usize| {
            let (i, j) = ((place / self.order) as sys::slong, (place % self.order) as sys::slong);
            // SAFETY: the matrix is set up, and has row `i` and column `j`.
            unsafe { sys::nmod_mat_get_entry(&raw const self.matrices[0], i, j) }
        };
        let word = |first: usize| (0..64).fold(0, |word, k| word | bit(first + k) << k);
        (0..self.order * self.order / 64).map(|index| word(64 * index)).collect()
    }
}

impl Drop for BitProduct {
    fn drop(&mut self) {
        for matrix in &mut self.matrices {
            // SAFETY: it was set up by `new`, and is not used afterwards.
            unsafe { sys::nmod_mat_clear(matrix) }
        }
    }
}
