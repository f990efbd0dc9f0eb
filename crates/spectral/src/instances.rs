//! Generic code compiled here, once, for the types of values that there are, instead of in each program that uses it.
//!
//! The compiler shares an instance of a generic function with the programs that use the crate where the crate has one: of
//! every function at low levels of optimization, of those that are never inlined at high ones. So the operations are never
//! inlined, and are named here for each type.

use crate::reed_muller::Bits;
use crate::scalar::Scalar;
use crate::{Spectral, Word, arithmetic, polarity, reed_muller, walsh};

/// The addresses of the transforms of numbers.
fn of_numbers<T: Scalar>() -> impl IntoIterator<Item = *const ()> {
    [
        Spectral::walsh_in_place::<T> as *const (),
        Spectral::transform::<T> as *const (),
        Spectral::walsh_of::<T> as *const (),
        Spectral::explain_walsh::<T> as *const (),
        Spectral::time_walsh::<T> as *const (),
        Spectral::walsh_blocks::<T> as *const (),
        walsh::walsh_over::<T> as *const (),
        arithmetic::arithmetic_over::<T> as *const (),
        Spectral::arithmetic_in_place::<T> as *const (),
        Spectral::arithmetic_as_it_is::<T> as *const (),
        Spectral::arithmetic_of::<T> as *const (),
        Spectral::explain_arithmetic::<T> as *const (),
        Spectral::time_arithmetic::<T> as *const (),
        polarity::arithmetic::<T> as *const (),
        Spectral::haar_in_place::<T> as *const (),
        Spectral::haar_as_it_is::<T> as *const (),
        Spectral::haar_of::<T> as *const (),
        Spectral::explain_haar::<T> as *const (),
        Spectral::time_haar::<T> as *const (),
    ]
}

/// The addresses of the transforms of bits.
fn of_bits<T: Bits>() -> impl IntoIterator<Item = *const ()> {
    [
        Spectral::reed_muller_in_place::<T> as *const (),
        Spectral::reed_muller_of::<T> as *const (),
        Spectral::explain_reed_muller::<T> as *const (),
        reed_muller::reed_muller_over::<T> as *const (),
    ]
}

/// The addresses of what moves words.
fn of_words<T: Word>() -> impl IntoIterator<Item = *const ()> {
    [Spectral::dyadic_shift_in_place::<T> as *const ()]
}

/// The addresses of the transforms of arrays of numbers.
#[cfg(feature = "ndarray")]
fn of_arrays<T: Scalar>() -> impl IntoIterator<Item = *const ()> {
    [
        Spectral::walsh_of_lanes::<T> as *const (),
        Spectral::arithmetic_of_lanes::<T> as *const (),
        Spectral::haar_of_lanes::<T> as *const (),
    ]
}

/// The addresses of the operations on each type.
#[doc(hidden)]
pub fn instances() -> Vec<*const ()> {
    let mut all: Vec<*const ()> = of_numbers::<i32>().into_iter().collect();
    all.extend(of_numbers::<f32>());
    all.extend(of_numbers::<i64>());
    all.extend(of_numbers::<f64>());
    all.extend(of_bits::<u8>());
    all.extend(of_bits::<u32>());
    all.extend(of_bits::<i32>());
    all.extend(of_bits::<u64>());
    all.extend(of_bits::<i64>());
    all.extend(of_words::<u8>());
    all.extend(of_words::<u32>());
    all.extend(of_words::<i32>());
    all.extend(of_words::<u64>());
    all.extend(of_words::<i64>());
    all.extend(of_words::<f32>());
    all.extend(of_words::<f64>());
    #[cfg(feature = "ndarray")]
    {
        all.extend(of_arrays::<i32>());
        all.extend(of_arrays::<f32>());
        all.extend(of_arrays::<i64>());
        all.extend(of_arrays::<f64>());
        all.push(Spectral::reed_muller_of_lanes::<u8> as *const ());
        all.push(Spectral::reed_muller_of_lanes::<u32> as *const ());
        all.push(Spectral::reed_muller_of_lanes::<i32> as *const ());
        all.push(Spectral::reed_muller_of_lanes::<u64> as *const ());
        all.push(Spectral::reed_muller_of_lanes::<i64> as *const ());
    }
    all
}
