//! The rings of products with vectors in jobs: integers, residues and other numbers.

use manycore_device::Word;
use manycore_field::ResidueWord;
use manycore_operation::files::{NotFinite, Number, OutOfMemory, memory};
use manycore_operation::vector::{Element, NumberType};
use manycore_operation::verify::{self, Outcome, kronecker as check};
use manycore_operation::{Arguments, OperationError, Task, Value, ValueError};
use num_complex::Complex;

use crate::error::{FactorError, KroneckerError};
use crate::product::KroneckerProduct;
use crate::values::{Complexes, Values};
use crate::{Integers, Reals};

/// Where vectors are in their file.
pub(super) struct Place {
    pub(super) file: String,
    /// The number of vectors before those that are computed, in other parts of the work.
    pub(super) first: usize,
    /// The number of all.
    pub(super) vectors: usize,
}

/// The numbers of vectors, as checks and results have them.
pub(super) trait Ring<V: Values>: 'static {
    /// Refuses a product that cannot be checked.
    ///
    /// # Errors
    /// What is wrong with the product.
    fn accepts(&self, _product: &KroneckerProduct<V>) -> Result<(), OperationError> {
        Ok(())
    }

    /// Refuses vectors whose results leave their type.
    ///
    /// # Errors
    /// [`ValueError::Overflow`].
    fn refuse(&self, _product: &KroneckerProduct<V>, _x: &[V::Word], _place: &Place) -> Result<(), OperationError> {
        Ok(())
    }

    /// The product that is computed.
    fn computed(&self, product: &KroneckerProduct<V>) -> KroneckerProduct<V> {
        product.clone()
    }

    /// Makes the results of what was computed.
    ///
    /// # Errors
    /// That vectors have no result of their type.
    fn finish(&self, _product: &KroneckerProduct<V>, _y: &mut [V::Word], _place: &Place) -> Result<(), OperationError> {
        Ok(())
    }

    /// Checks results.
    ///
    /// # Errors
    /// The difference of a wrong one; what the check fails with.
    fn check(
        &self,
        product: &KroneckerProduct<V>,
        x: &[V::Word],
        y: &[V::Word],
    ) -> Result<verify::Passed, OperationError>;

    /// Checks what was computed, of which [`Ring::finish`] made no results.
    fn check_unfinished(
        &self,
        _product: &KroneckerProduct<V>,
        _x: &[V::Word],
        _y: &[V::Word],
    ) -> Option<Result<verify::Passed, OperationError>> {
        None
    }

    /// Checks that there is memory for `len` words of the results in the form in which they are written, where that differs.
    ///
    /// # Errors
    /// Memory that is missing.
    fn room(&self, _len: usize) -> Result<(), OutOfMemory> {
        Ok(())
    }

    /// The results.
    fn value(&self, y: Vec<V::Word>) -> Value;

    /// The work as one whose time is estimated, of which the product and the batch are known.
    fn task(&self, task: Task) -> Task;
}

/// The product as checks take it.
fn checked<V: Values, E>(
    product: &KroneckerProduct<V>,
    entry: impl Fn(V::Value) -> E,
) -> Result<check::Product<E>, OperationError> {
    let mut factors = Vec::new();
    for factor in product.factors() {
        let entries = factor.entries().map(|entries| check::entries(entries, &entry)).transpose()?;
        factors.push(check::Factor { order: factor.order(), entries });
    }
    Ok(check::Product { factors, divisor: divisor(product)? })
}

/// What the results are divided by.
fn divisor<V: Values>(product: &KroneckerProduct<V>) -> Result<u64, KroneckerError> {
    product.divisor().ok_or_else(|| {
        let error = FactorError::Divisor { divisor: u64::MAX, ring: product.values().name() };
        KroneckerError::Factor { factor: product.factors().len().saturating_sub(1), error }
    })
}

/// Residues.
pub(super) struct Modular {
    modulus: u64,
}

impl Modular {
    pub(super) const fn new(modulus: u64) -> Self {
        Self { modulus }
    }
}

impl<V: Values<Word = W, Value = W>, W: ResidueWord> Ring<V> for Modular {
    fn check(&self, product: &KroneckerProduct<V>, x: &[W], y: &[W]) -> Result<verify::Passed, OperationError> {
        Ok(check::residues(x, y, &checked(product, W::as_u64)?, self.modulus)?)
    }

    fn room(&self, len: usize) -> Result<(), OutOfMemory> {
        memory::probe(len as u64 * size_of::<u64>() as u64, || "residues as words".to_owned())
    }

    fn value(&self, y: Vec<W>) -> Value {
        Value::Elements(y.into_iter().map(W::as_u64).collect())
    }

    fn task(&self, mut task: Task) -> Task {
        task.sizes.push(("modulus", self.modulus));
        task
    }
}

/// Floating-point numbers, also two each of complex ones.
pub(super) struct Numbers;

/// Makes the rings of floating-point numbers: of each its words, the form of an entry in a check, and the check.
macro_rules! numbers {
    ($($ring:ident<$word:ident>, $entry:expr, $check:path, $is_complex:literal;)*) => { $(
        impl Ring<$ring<$word>> for Numbers {
            fn check(
                &self,
                product: &KroneckerProduct<$ring<$word>>,
                x: &[$word],
                y: &[$word],
            ) -> Result<verify::Passed, OperationError> {
                Ok($check(x, y, &checked(product, $entry)?)?)
            }

            fn value(&self, y: Vec<$word>) -> Value {
                Value::Vector($word::vector(y))
            }

            fn task(&self, task: Task) -> Task {
                let task = task.with("type", $word::NUMBER_TYPE.name());
                if $is_complex { task.with("complex", "") } else { task }
            }
        }
    )* };
}

numbers! {
    Reals<f32>, f64::from, check::reals, false;
    Reals<f64>, |entry| entry, check::reals, false;
    Complexes<f32>, |entry: Complex<f32>| [entry.re, entry.im].map(f64::from), check::complex, true;
    Complexes<f64>, |entry: Complex<f64>| [entry.re, entry.im], check::complex, true;
}

/// Integers: exact, or refused, or wrapped. An inverse is computed without its divisors, which divide at the end, so that results that
/// are no integers are found instead of rounded.
pub(super) struct Whole {
    wrap: bool,
}

impl Whole {
    pub(super) fn new(arguments: &Arguments) -> Self {
        Self { wrap: arguments.is_given("wrap") }
    }
}

impl<T: Element + verify::Integer + Word> Ring<Integers<T>> for Whole
where
    Integers<T>: Values<Word = T, Value = T>,
{
    fn accepts(&self, product: &KroneckerProduct<Integers<T>>) -> Result<(), OperationError> {
        divisor(product)?;
        Ok(())
    }

    fn refuse(&self, product: &KroneckerProduct<Integers<T>>, x: &[T], place: &Place) -> Result<(), OperationError> {
        if self.wrap {
            return Ok(());
        }
        let limit = i128::from(<T as verify::Integer>::LARGEST);
        let (transform, bound) = check::largest(x, &checked(product, Into::into)?, limit)?;
        if bound <= limit {
            return Ok(());
        }
        let number_type: NumberType = T::NUMBER_TYPE;
        Err(ValueError::overflow(&place.file, place.first + transform, bound, number_type).into())
    }

    fn computed(&self, product: &KroneckerProduct<Integers<T>>) -> KroneckerProduct<Integers<T>> {
        product.undivided().wrapping()
    }

    fn finish(
        &self,
        product: &KroneckerProduct<Integers<T>>,
        y: &mut [T],
        place: &Place,
    ) -> Result<(), OperationError> {
        let divisor = divisor(product)?;
        if let Some(index) = check::first_fraction(y, divisor).filter(|_| !self.wrap) {
            let (file, numerator) = (place.file.clone(), i128::from(y[index].into()));
            let index = place.first * product.order() + index;
            return Err(ValueError::NotSpectrum { file, index, numerator, len: divisor as usize }.into());
        }
        for value in y.iter_mut().filter(|_| divisor > 1) {
            // A quotient by a number that is positive fits the type; it is rounded down where integers wrap.
            let quotient = i128::from((*value).into()).div_euclid(divisor.into());
            *value = T::of_number(Number::Integer(quotient), NotFinite::Refused).unwrap_or(*value);
        }
        Ok(())
    }

    fn check(
        &self,
        product: &KroneckerProduct<Integers<T>>,
        x: &[T],
        y: &[T],
    ) -> Result<verify::Passed, OperationError> {
        let by: fn(&[T], &[T], &check::Product<i64>) -> Outcome =
            if self.wrap { check::wrapping::<T> } else { check::exact::<T> };
        Ok(by(x, y, &checked(product, Into::into)?)?)
    }

    fn check_unfinished(
        &self,
        product: &KroneckerProduct<Integers<T>>,
        x: &[T],
        y: &[T],
    ) -> Option<Result<verify::Passed, OperationError>> {
        let undivided = checked(product, Into::into).map(|product| check::Product { divisor: 1, ..product });
        Some(undivided.and_then(|undivided| Ok(check::exact(x, y, &undivided)?)))
    }

    fn value(&self, y: Vec<T>) -> Value {
        Value::Vector(T::vector(y))
    }

    fn task(&self, task: Task) -> Task {
        task.with("type", T::NUMBER_TYPE.name())
    }
}
