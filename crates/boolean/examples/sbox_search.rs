//! Searches random permutations of 8 bits for the best S-box: the largest nonlinearity, then the least differential uniformity.
//!
//! ```text
//! cargo run --release -p manycore-boolean --example sbox_search -- auto 100000
//! ```
//! The first argument is the device, the second one the number of permutations. Both figures of all of them come from the device in
//! one batch; the best one is checked against its definition.

use std::time::Instant;

use manycore_boolean::sbox::reference;
use manycore_boolean::{Boolean, SBox, SBoxes};
use manycore_device::Device;

type Failure = Box<dyn std::error::Error>;

/// The inputs of an S-box of 8 bits.
const INPUTS: usize = 256;

/// A random permutation (Fisher and Yates), from numbers of the generator `SplitMix64`.
fn permutation(state: &mut u64) -> [u8; INPUTS] {
    let mut values: [u8; INPUTS] = std::array::from_fn(|x| x as u8);
    for last in (1..INPUTS).rev() {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        values.swap(last, (mixed >> 33) as usize % (last + 1));
    }
    values
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let device = Device::select(&arguments.next().unwrap_or_else(|| "auto".into()))?;
    let count: usize = arguments.next().map_or(Ok(10_000), |count| count.parse())?;
    let boolean = Boolean::new(&device);
    let mut state = 1;
    let outputs: Vec<u8> = (0..count).flat_map(|_| permutation(&mut state)).collect();
    let sboxes = SBoxes::new(8, 8, &outputs)?;
    // Kernels are built by the first S-boxes.
    let first = SBoxes::new(8, 8, &outputs[..INPUTS.min(outputs.len())])?;
    drop((boolean.nonlinearities(first)?, boolean.uniformities(first)?));
    let begin = Instant::now();
    let nonlinearities = boolean.nonlinearities(sboxes)?;
    let between = Instant::now();
    let uniformities = boolean.uniformities(sboxes)?;
    let (linear, different) = ((between - begin).as_secs_f64(), between.elapsed().as_secs_f64());
    println!("{}: {count} S-boxes", device.info().label());
    let each = |seconds: f64| 1e6 * seconds / count.max(1) as f64;
    println!(
        "nonlinearities {linear:.3} s ({:.3} us each), uniformities {different:.3} s ({:.3} us)",
        each(linear),
        each(different)
    );
    let figures =
        nonlinearities.iter().zip(&uniformities).map(|(&nonlinearity, &uniformity)| (nonlinearity, uniformity));
    let best = figures
        .enumerate()
        .max_by_key(|&(_, (nonlinearity, uniformity))| (nonlinearity, std::cmp::Reverse(uniformity)));
    let Some((place, (nonlinearity, uniformity))) = best else { return Ok(()) };
    println!("the best one is number {place}: nonlinearity {nonlinearity}, differential uniformity {uniformity}");
    let sbox = SBox::try_from(&outputs[place * INPUTS..][..INPUTS])?;
    let table = reference::linear_table(&sbox);
    let largest = table.chunks(INPUTS).flat_map(|row| &row[1..]).map(|entry| entry.unsigned_abs()).max();
    let most = reference::difference_table(&sbox)[INPUTS..].iter().copied().max();
    if (largest, most) != (Some(256 - 2 * nonlinearity), Some(uniformity)) {
        return Err(format!("the definition gives {largest:?} and {most:?}").into());
    }
    println!("{sbox}");
    Ok(())
}
