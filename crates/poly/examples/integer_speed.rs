//! Times products of integers beside those of `num-bigint`, with the algorithm that is taken.
//!
//! ```text
//! cargo run --release -p manycore-poly --example integer_speed -- host 1000000 3000 10000
//! ```
//! The arguments are a device and numbers of decimal digits; `NxM` are those of two factors, of which `N` alone has twice. Times
//! are medians of 11 runs, in microseconds.

use std::time::Instant;

use manycore_device::Device;
use manycore_poly::integer::IntegerProduct;
use num_bigint::BigUint;

type Failure = Box<dyn std::error::Error>;

/// A pseudo-random integer of `bits` bits.
fn integer(bits: u64, salt: u64) -> BigUint {
    let word = |i: u64| ((i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) ^ salt) as u32;
    let words = BigUint::new((0..bits.div_ceil(32)).map(word).collect());
    (words >> (bits.next_multiple_of(32) - bits)) | (BigUint::from(1u32) << (bits - 1))
}

fn median(mut run: impl FnMut() -> Result<(), Failure>) -> Result<f64, Failure> {
    run()?;
    let mut seconds = Vec::new();
    for _ in 0..11 {
        let start = Instant::now();
        run()?;
        seconds.push(start.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    Ok(seconds[5])
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [device, sizes @ ..] = arguments.as_slice() else { return Err("device, digits".into()) };
    let integers = IntegerProduct::new(&Device::select(device)?);
    for size in sizes {
        let (n, m) = size.split_once('x').unwrap_or((size, size));
        let bits = |digits: &str| Ok::<u64, Failure>((digits.parse::<f64>()? * 10f64.log2()).ceil().max(1.0) as u64);
        let (n, m) = (bits(n)?, bits(m)?);
        let (a, b) = (integer(n, 1), integer(m, 2));
        let product = &a * &b;
        let own = median(|| if integers.mul(&a, &b)? == product { Ok(()) } else { Err("a wrong product".into()) })?;
        let square = median(|| integers.square(&a).map(drop).map_err(Into::into))?;
        let other = median(|| {
            std::hint::black_box(&a * &b);
            Ok(())
        })?;
        let algorithm = integers.algorithm(n, m)?;
        println!(
            "{size:>10} digits: {:>10.1}, the square of the first {:>10.1}, num-bigint {:>10.1}, {algorithm:?}",
            own * 1e6,
            square * 1e6,
            other * 1e6
        );
    }
    Ok(())
}
