//! Bivariate polynomials, resultants and systems against determinants and exhaustive search.

mod bad_input;
mod decomposition;
mod examples;
mod field_of_squares;
#[cfg(feature = "bigint")]
mod operations;
#[cfg(feature = "bigint")]
mod rational;
mod representation;
mod subresultants;
mod text;

use manycore_bivariate::{Bivariate, BivariateField, BivariateRing};
use manycore_device::Device;
use manycore_field::PrimeField;
use manycore_testkit::devices;

type Prime = PrimeField<u32>;

fn prime(p: u32) -> Prime {
    PrimeField::new(p).unwrap()
}

fn on_host<F: BivariateField>(field: F) -> BivariateRing<F> {
    BivariateRing::new(&Device::host(), field).unwrap()
}

fn parse(field: &Prime, text: &str) -> Bivariate<Prime> {
    Bivariate::parse(field, text).unwrap()
}

/// Rows by powers of `y` of coefficients of any size.
fn rows(field: &Prime, words: &[Vec<u64>]) -> Bivariate<Prime> {
    let p = u64::from(field.modulus());
    let rows = words.iter().map(|row| row.iter().map(|&c| (c % p) as u32).collect()).collect();
    Bivariate::from_rows(field, rows).unwrap()
}

/// Runs a check on the host and every OpenCL device.
fn everywhere(field: Prime, check: impl Fn(&BivariateRing<Prime>)) {
    for device in devices() {
        check(&BivariateRing::new(&device, field).unwrap());
    }
}
