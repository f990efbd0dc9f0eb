//! Generic code compiled here, once, for the elements that semirings have most, instead of in each program that uses it: the
//! compiler shares an instance of a function that is never inlined with the programs that use the crate where the crate has one.

use manycore_expressions::{Integer, Real};

use crate::{Bounded, Checked, CheckedSemiring, DeviceMatrix, Matrix, Products, Semiring, SemiringError};

/// A product of stored matrices in the memory of a device.
type Product<T, R> =
    fn(&Products, &Semiring<T, T, T>, &DeviceMatrix<T>, &DeviceMatrix<T>) -> Result<DeviceMatrix<R>, SemiringError>;

/// A product that tells where a sum passes its type.
type CheckedProduct<T, R> =
    fn(&Products, &CheckedSemiring<T>, &DeviceMatrix<T>, &DeviceMatrix<T>) -> Result<DeviceMatrix<R>, SemiringError>;

/// The addresses of the semirings of a type of numbers.
fn operations<T: Bounded>() -> impl IntoIterator<Item = *const ()> {
    let product: Product<T, T> = Products::multiply;
    let placed: Product<T, (T, u32)> = Products::multiply_with_places;
    [
        Semiring::<T, T, T>::of_elements as *const (),
        Semiring::<T, T, T>::max_min as *const (),
        Semiring::<T, T, T>::min_max as *const (),
        Semiring::<T, T, T>::multiply as *const (),
        Semiring::<T, T, T>::multiply_on as *const (),
        Semiring::<T, T, T>::leaves_out_left as *const (),
        Semiring::<T, T, T>::leaves_out_right as *const (),
        Semiring::<T, T, T>::tiles as *const (),
        Products::upload::<T> as *const (),
        DeviceMatrix::<T>::download as *const (),
        DeviceMatrix::<(T, u32)>::download as *const (),
        Matrix::<T>::entries as *const (),
        product as *const (),
        placed as *const (),
    ]
}

/// The addresses of those that numbers alone have.
fn of_reals<T: Bounded + Real>() -> impl IntoIterator<Item = *const ()> {
    [
        Semiring::<T, T, T>::plus_times as *const (),
        Semiring::<T, T, T>::max_plus as *const (),
        Semiring::<T, T, T>::min_plus as *const (),
        Semiring::<T, T, T>::max_times as *const (),
    ]
}

/// The addresses of those that integers alone have.
fn of_integers<T: Bounded + Integer + Checked>() -> impl IntoIterator<Item = *const ()> {
    let checked: CheckedProduct<T, T> = Products::multiply_checked;
    let placed: CheckedProduct<T, (T, u32)> = Products::multiply_checked_with_places;
    [
        Semiring::<T, T, T>::wrapping_plus_times as *const (),
        Semiring::<T, T, T>::wrapping_max_plus as *const (),
        Semiring::<T, T, T>::wrapping_min_plus as *const (),
        Semiring::<T, T, T>::wrapping_max_times as *const (),
        CheckedSemiring::<T>::plus_times as *const (),
        CheckedSemiring::<T>::max_plus as *const (),
        CheckedSemiring::<T>::min_plus as *const (),
        CheckedSemiring::<T>::max_times as *const (),
        CheckedSemiring::<T>::max_min as *const (),
        CheckedSemiring::<T>::min_max as *const (),
        CheckedSemiring::<T>::or_and as *const (),
        CheckedSemiring::<T>::multiply as *const (),
        CheckedSemiring::<T>::multiply_on as *const (),
        Matrix::<T>::range as *const (),
        placed as *const (),
        Semiring::<T, T, T>::max_plus_saturating as *const (),
        Semiring::<T, T, T>::min_plus_saturating as *const (),
        checked as *const (),
    ]
}

/// The addresses of the operations of each type of numbers.
#[doc(hidden)]
pub fn instances() -> Vec<*const ()> {
    let mut all: Vec<*const ()> = operations::<i32>().into_iter().collect();
    all.extend(operations::<i64>());
    all.extend(operations::<f32>());
    all.extend(operations::<f64>());
    all.extend(of_reals::<f32>());
    all.extend(of_reals::<f64>());
    all.extend(of_integers::<i32>());
    all.extend(of_integers::<i64>());
    all
}
