//! The small matrices that Kronecker products are made of.

mod hadamard;
mod ready;

use std::sync::Arc;

use manycore_tuning::proof;

use crate::error::FactorError;
use crate::values::Values;

/// The largest order of a matrix with any entries.
pub const LARGEST_ORDER: usize = 16;

/// The largest order of a matrix whose entries are 0, 1 and -1.
pub const LARGEST_SIGN_ORDER: usize = 32;

/// One factor of a Kronecker product: a square matrix over a ring, over a divisor that is 1 unless the factor is an inverse.
///
/// Matrices have 1 to 16 rows, or up to 32 where all entries are 0, 1 and -1; an identity may have any order and costs
/// nothing.
///
/// ```
/// use manycore_kronecker::{Factor, FactorError, PrimeField};
/// let field = PrimeField::<u32>::new(7)?;
/// let factor = Factor::new(&field, &[[1, 2], [3, 4]])?;
/// assert_eq!(factor.order(), 2);
/// let inverse = factor.inverse(&field)?;
/// assert_eq!(inverse.entry(&field, 0, 0), 5); // the inverse is [[-2, 1], [3/2, -1/2]]
/// let error = Factor::new(&field, &[[1, 2], [7, 4]]).unwrap_err();
/// assert_eq!(error.to_string(), "entry 7 in row 1, column 0 is none of the residues mod 7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Factor<V: Values> {
    order: usize,
    /// Row after row; `None` for the identity.
    entries: Option<Arc<[V::Value]>>,
    divisor: u64,
    /// `A conj(A)^t = n I` is known.
    norm: Option<u64>,
}

impl<V: Values> Factor<V> {
    /// The matrix with these rows.
    ///
    /// # Errors
    /// [`FactorError::Empty`], [`FactorError::NotSquare`], [`FactorError::TooLarge`], and [`FactorError::Entry`] with the place
    /// of the first entry that is no element of the ring.
    pub fn new<R: AsRef<[V::Value]>>(values: &V, rows: &[R]) -> Result<Self, FactorError> {
        let order = rows.len();
        if order == 0 {
            return Err(FactorError::Empty);
        }
        let mut entries = Vec::new();
        for (row, found) in rows.iter().map(AsRef::as_ref).enumerate() {
            if found.len() != order {
                return Err(FactorError::NotSquare { row, rows: order, entries: found.len() });
            }
            entries.extend_from_slice(found);
        }
        Self::from_entries(values, order, entries)
    }

    /// The matrix whose entries are the images of these integers in the ring: of residues every integer is allowed.
    ///
    /// # Errors
    /// As [`Factor::new`], with [`FactorError::Entry`] for an integer that a ring of shorter ones does not have.
    pub fn from_integers<R: AsRef<[i64]>>(values: &V, rows: &[R]) -> Result<Self, FactorError> {
        let mut places = rows.iter().enumerate().flat_map(|(row, entries)| {
            entries.as_ref().iter().enumerate().map(move |(column, &entry)| (row, column, entry))
        });
        if let Some((row, column, entry)) = places.find(|place| !values.has(place.2)) {
            return Err(FactorError::Entry { row, column, value: entry.to_string(), ring: values.name() });
        }
        let image = |row: &R| row.as_ref().iter().map(|&n| values.integer(n)).collect::<Vec<_>>();
        Self::new(values, &rows.iter().map(image).collect::<Vec<_>>())
    }

    /// The identity of any order: variables that are left alone.
    ///
    /// # Errors
    /// [`FactorError::Empty`] for the order 0.
    #[inline(never)]
    pub fn identity(order: usize) -> Result<Self, FactorError> {
        if order == 0 {
            return Err(FactorError::Empty);
        }
        Ok(Self { order, entries: None, divisor: 1, norm: Some(1) })
    }

    /// A square matrix, checked.
    fn from_entries(values: &V, order: usize, entries: Vec<V::Value>) -> Result<Self, FactorError> {
        let (limit, sign_limit) = (LARGEST_ORDER, LARGEST_SIGN_ORDER);
        let signs: Option<Vec<i64>> = entries.iter().map(|&x| Self::sign(values, x)).collect();
        if order > sign_limit || (order > limit && signs.is_none()) {
            return Err(FactorError::TooLarge { order, limit, sign_limit });
        }
        if let Some(i) = entries.iter().position(|&x| !values.contains(x)) {
            let value = format!("{:?}", entries[i]);
            return Err(FactorError::Entry { row: i / order, column: i % order, value, ring: values.name() });
        }
        let norm = signs.and_then(|signs| norm(order, &signs));
        Ok(Self { order, entries: Some(entries.into()), divisor: 1, norm })
    }

    /// 0, 1 or -1, where the value is one of them; mod 2 it is 0 or 1.
    pub(crate) fn sign(values: &V, x: V::Value) -> Option<i64> {
        [0, 1, -1].into_iter().find(|&n| values.integer(n) == x)
    }

    /// The number of rows.
    pub fn order(&self) -> usize {
        self.order
    }

    /// Whether it is an identity that costs nothing.
    pub fn is_identity(&self) -> bool {
        self.entries.is_none()
    }

    /// What the entries are to be divided by: 1, except for inverses.
    pub fn divisor(&self) -> u64 {
        self.divisor
    }

    /// The factor with its entries and divisor 1.
    #[must_use]
    #[inline(never)]
    pub fn undivided(&self) -> Self {
        Self { divisor: 1, ..self.clone() }
    }

    /// The entries, row after row; `None` for an identity.
    pub fn entries(&self) -> Option<&[V::Value]> {
        self.entries.as_deref()
    }

    /// The largest sum of a row's entries by their absolute values, before the division; of residues by their words.
    pub(crate) fn largest_row_sum(&self) -> f64 {
        let Some(entries) = &self.entries else { return 1.0 };
        let size = |entry: &V::Value| -> f64 {
            let words: &[V::Word] = bytemuck::cast_slice(std::slice::from_ref(entry));
            words.iter().map(|&word| proof::number(word).abs()).sum()
        };
        let sums = entries.chunks(self.order).map(|row| row.iter().map(size).sum::<f64>());
        sums.fold(0.0, f64::max)
    }

    /// The entry of a row and a column below the order, before the division; 0 elsewhere.
    #[inline(never)]
    pub fn entry(&self, values: &V, row: usize, column: usize) -> V::Value {
        match &self.entries {
            Some(entries) if row < self.order && column < self.order => entries[row * self.order + column],
            None if row == column => values.integer(1),
            _ => values.zero(),
        }
    }

    /// The transposed matrix.
    #[must_use]
    #[inline(never)]
    pub fn transposed(&self) -> Self {
        let q = self.order;
        let transposed =
            self.entries.as_ref().map(|entries| (0..q * q).map(|i| entries[i % q * q + i / q]).collect::<Arc<[_]>>());
        Self { entries: transposed, ..self.clone() }
    }

    /// The inverse: over fields of residues exact; for floating point by elimination in double precision; over the integers
    /// an integer matrix over the least divisor, so that inverse transforms divide exactly what a forward transform gave.
    ///
    /// Where `A conj(A)^t = n I` is known, as for Hadamard and Fourier matrices, it is `conj(A)^t / n`.
    ///
    /// # Errors
    /// [`FactorError::Singular`]; [`FactorError::Divisor`] where `n` is 0 modulo the prime; [`FactorError::InverseTooLarge`].
    #[inline(never)]
    pub fn inverse(&self, values: &V) -> Result<Self, FactorError> {
        let Some(entries) = &self.entries else { return Ok(self.clone()) };
        let (inverse, by) = match self.norm {
            Some(n) => {
                let entries = self.transposed().entries;
                let conjugate = |x: &V::Value| values.conjugate(*x);
                (entries.iter().flat_map(|entries| entries.iter()).map(conjugate).collect(), n)
            }
            None => values.inverse(self.order, entries)?,
        };
        // (A / d)^-1 = d A^-1.
        let common = num_integer::gcd(by, self.divisor);
        let (times, divisor) = (self.divisor / common, by / common);
        if values.divisor(divisor).is_none() {
            return Err(FactorError::Divisor { divisor, ring: values.name() });
        }
        let scaled = |&x: &V::Value| {
            let large = || FactorError::InverseTooLarge { value: format!("{x:?} * {times}"), ring: values.name() };
            values.multiple(x, times).ok_or_else(large)
        };
        let scaled = if times == 1 { inverse } else { inverse.iter().map(scaled).collect::<Result<_, _>>()? };
        let norm = self.norm.filter(|_| times == 1);
        Ok(Self { order: self.order, entries: Some(scaled.into()), divisor, norm })
    }
}

/// The `n` with `A A^t = n I`, if there is one.
fn norm(q: usize, entries: &[i64]) -> Option<u64> {
    let product = |i: usize, j: usize| (0..q).map(|k| entries[i * q + k] * entries[j * q + k]).sum::<i64>();
    let n = product(0, 0);
    let is = |i: usize, j: usize| product(i, j) == if i == j { n } else { 0 };
    (n > 0 && (0..q).all(|i| (0..q).all(|j| is(i, j)))).then_some(n as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use manycore_field::{Integers, PrimeField, Reals};

    #[test]
    fn what_is_no_factor_is_refused() {
        let ring = Integers::<i64>::new();
        let none: &[[i64; 0]] = &[];
        assert_eq!(Factor::new(&ring, none).unwrap_err(), FactorError::Empty);
        assert_eq!(Factor::<Integers<i64>>::identity(0).unwrap_err(), FactorError::Empty);
        let error = Factor::new(&ring, &[vec![1, 2], vec![3]]).unwrap_err();
        assert_eq!(error, FactorError::NotSquare { row: 1, rows: 2, entries: 1 });
        let rows = |q: usize, n: i64| vec![vec![n; q]; q];
        assert!(Factor::new(&ring, &rows(16, 3)).is_ok() && Factor::new(&ring, &rows(32, -1)).is_ok());
        let limits = |order| FactorError::TooLarge { order, limit: 16, sign_limit: 32 };
        assert_eq!(Factor::new(&ring, &rows(17, 3)).unwrap_err(), limits(17));
        assert_eq!(Factor::new(&ring, &rows(33, 1)).unwrap_err(), limits(33));
        let error = Factor::new(&Reals::<f32>::new(), &[[0.0, 1.0], [f32::NAN, 1.0]]).unwrap_err();
        assert!(matches!(error, FactorError::Entry { row: 1, column: 0, .. }), "{error}");
    }

    #[test]
    fn inverses_undo_each_other() {
        let ring = Integers::<i32>::new();
        let factor = Factor::new(&ring, &[[3, 1], [1, 1]]).unwrap();
        let inverse = factor.inverse(&ring).unwrap();
        assert_eq!((inverse.entries().unwrap(), inverse.divisor()), (&[1, -1, -1, 3][..], 2));
        assert_eq!(inverse.inverse(&ring).unwrap(), factor);
        let twice = Factor::new(&ring, &[[2]]).unwrap().inverse(&ring).unwrap();
        assert_eq!((twice.entries().unwrap(), twice.divisor()), (&[1][..], 2));
        assert_eq!(twice.inverse(&ring).unwrap().entries().unwrap(), [2]);
        let identity = Factor::<Integers<i32>>::identity(1000).unwrap();
        assert_eq!(identity.inverse(&ring).unwrap(), identity);
    }

    #[test]
    fn a_hadamard_matrix_has_no_inverse_modulo_a_divisor_of_its_order() {
        let three = PrimeField::<u32>::new(3).unwrap();
        let factor = Factor::hadamard(&three, 12).unwrap();
        let error = factor.inverse(&three).unwrap_err();
        assert_eq!(error.to_string(), "the inverse is a matrix divided by 12, which the residues mod 3 cannot do");
        let two = PrimeField::<u32>::new(2).unwrap();
        assert!(Factor::walsh(&two).inverse(&two).is_err() && Factor::reed_muller(&two).inverse(&two).is_ok());
    }
}
