//! The Walsh spectra of the AES S-box: how far the cipher's only non-linear part is from every linear function.
//!
//! ```console
//! $ cargo run --release -p manycore-spectral --example sbox_spectrum
//! ```
//!
//! A component function of the S-box S is a sum modulo 2 of some of its output bits, `f(x) = b . S(x)`; there are 255 of
//! them. Written as `(-1)^f(x)`, its Walsh coefficient at w is 256 minus twice its distance from the linear function
//! `w . x`, so the largest coefficient gives the distance from the nearest linear function or complement of one: the nonlinearity, `128 -
//! max |W| / 2`. The S-box and its affine map are those of FIPS 197, section 5.1.1.

use std::collections::BTreeMap;
use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use manycore_device::Device;
use manycore_spectral::walsh::reference;
use manycore_spectral::{Order, Spectral, Walsh};

/// The number of inputs of the S-box, and the length of one transform.
const INPUTS: usize = 256;

/// The S-box: the byte that stands for each byte.
#[rustfmt::skip]
const SBOX: [u8; INPUTS] = [
    0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5, 0x30, 0x01, 0x67, 0x2b, 0xfe, 0xd7, 0xab, 0x76,
    0xca, 0x82, 0xc9, 0x7d, 0xfa, 0x59, 0x47, 0xf0, 0xad, 0xd4, 0xa2, 0xaf, 0x9c, 0xa4, 0x72, 0xc0,
    0xb7, 0xfd, 0x93, 0x26, 0x36, 0x3f, 0xf7, 0xcc, 0x34, 0xa5, 0xe5, 0xf1, 0x71, 0xd8, 0x31, 0x15,
    0x04, 0xc7, 0x23, 0xc3, 0x18, 0x96, 0x05, 0x9a, 0x07, 0x12, 0x80, 0xe2, 0xeb, 0x27, 0xb2, 0x75,
    0x09, 0x83, 0x2c, 0x1a, 0x1b, 0x6e, 0x5a, 0xa0, 0x52, 0x3b, 0xd6, 0xb3, 0x29, 0xe3, 0x2f, 0x84,
    0x53, 0xd1, 0x00, 0xed, 0x20, 0xfc, 0xb1, 0x5b, 0x6a, 0xcb, 0xbe, 0x39, 0x4a, 0x4c, 0x58, 0xcf,
    0xd0, 0xef, 0xaa, 0xfb, 0x43, 0x4d, 0x33, 0x85, 0x45, 0xf9, 0x02, 0x7f, 0x50, 0x3c, 0x9f, 0xa8,
    0x51, 0xa3, 0x40, 0x8f, 0x92, 0x9d, 0x38, 0xf5, 0xbc, 0xb6, 0xda, 0x21, 0x10, 0xff, 0xf3, 0xd2,
    0xcd, 0x0c, 0x13, 0xec, 0x5f, 0x97, 0x44, 0x17, 0xc4, 0xa7, 0x7e, 0x3d, 0x64, 0x5d, 0x19, 0x73,
    0x60, 0x81, 0x4f, 0xdc, 0x22, 0x2a, 0x90, 0x88, 0x46, 0xee, 0xb8, 0x14, 0xde, 0x5e, 0x0b, 0xdb,
    0xe0, 0x32, 0x3a, 0x0a, 0x49, 0x06, 0x24, 0x5c, 0xc2, 0xd3, 0xac, 0x62, 0x91, 0x95, 0xe4, 0x79,
    0xe7, 0xc8, 0x37, 0x6d, 0x8d, 0xd5, 0x4e, 0xa9, 0x6c, 0x56, 0xf4, 0xea, 0x65, 0x7a, 0xae, 0x08,
    0xba, 0x78, 0x25, 0x2e, 0x1c, 0xa6, 0xb4, 0xc6, 0xe8, 0xdd, 0x74, 0x1f, 0x4b, 0xbd, 0x8b, 0x8a,
    0x70, 0x3e, 0xb5, 0x66, 0x48, 0x03, 0xf6, 0x0e, 0x61, 0x35, 0x57, 0xb9, 0x86, 0xc1, 0x1d, 0x9e,
    0xe1, 0xf8, 0x98, 0x11, 0x69, 0xd9, 0x8e, 0x94, 0x9b, 0x1e, 0x87, 0xe9, 0xce, 0x55, 0x28, 0xdf,
    0x8c, 0xa1, 0x89, 0x0d, 0xbf, 0xe6, 0x42, 0x68, 0x41, 0x99, 0x2d, 0x0f, 0xb0, 0x54, 0xbb, 0x16,
];

/// The component functions that the program also computes by the definition of the transform.
const CHECKED: [usize; 3] = [0x01, 0x8f, 0xff];

fn main() -> ExitCode {
    match Device::from_env().map_err(Into::into).and_then(|device| report(&device)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sbox_spectrum: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Computes the spectra on `device`, checks three of them by the definition and prints the nonlinearities.
fn report(device: &Device) -> Result<(), Box<dyn Error>> {
    let functions = component_functions();
    let spectral = Spectral::new(device);
    let start = Instant::now();
    let spectra = spectral.walsh_of(&functions, &Walsh::new().batch(INPUTS))?;
    let first_seconds = start.elapsed().as_secs_f64();
    // Once more, with the kernels built and the values there: the transform alone.
    let mut x = device.upload(&functions)?;
    let (done, seconds) = device.elapsed(|| spectral.walsh(&mut x, &Walsh::new().batch(INPUTS)))?;
    done?;

    println!("device        {}", device.info());
    println!("transforms    255 of 256 values, i32, in one batch");
    println!(
        "time          {:.3} ms on the device; {:.1} ms the first time, with preparation and transfers",
        seconds * 1e3,
        first_seconds * 1e3
    );
    let right = |mask: &usize| follows_definition(&functions, &spectra, *mask);
    let wrong: Vec<usize> = CHECKED.into_iter().filter(|mask| !right(mask)).collect();
    if !wrong.is_empty() {
        return Err(format!("wrong spectra of the component functions {wrong:?}").into());
    }
    if x.download()? != spectra {
        return Err("two runs gave different spectra".into());
    }
    println!("check         components 0x01, 0x8f and 0xff are as the definition has them");
    println!("nonlinearity  {}", nonlinearity(&spectra));
    println!();
    let histograms: Vec<Histogram> = spectra.chunks(INPUTS).map(histogram).collect();
    let same = histograms.iter().filter(|&other| *other == histograms[0]).count();
    println!("The sizes of the coefficients, the same in {same} of 255 component functions:");
    println!("   |W|  count");
    for (size, count) in &histograms[0] {
        println!("{size:>6} {count:>6}  {}", "#".repeat(*count));
    }
    Ok(())
}

/// The 255 component functions, one after the other, as values +1 (for 0) and -1 (for 1).
fn component_functions() -> Vec<i32> {
    let sign = |mask: u8, x: usize| 1 - 2 * ((mask & SBOX[x]).count_ones() % 2) as i32;
    (1..=255).flat_map(|mask| (0..INPUTS).map(move |x| sign(mask, x))).collect()
}

/// The spectrum of the component function of `mask` (1 to 255) among all.
fn of_mask(all: &[i32], mask: usize) -> &[i32] {
    &all[(mask - 1) * INPUTS..mask * INPUTS]
}

fn follows_definition(functions: &[i32], spectra: &[i32], mask: usize) -> bool {
    let expected = reference::walsh_hadamard(of_mask(functions, mask), Order::Hadamard);
    expected.as_deref() == Some(of_mask(spectra, mask))
}

/// The smallest distance of a component function from an affine function.
fn nonlinearity(spectra: &[i32]) -> u32 {
    let largest = spectra.iter().map(|w| w.unsigned_abs()).max().unwrap_or(0);
    INPUTS as u32 / 2 - largest / 2
}

/// The multiplicity of each absolute value of a coefficient.
type Histogram = BTreeMap<u32, usize>;

fn histogram(spectrum: &[i32]) -> Histogram {
    let mut counts = Histogram::new();
    for w in spectrum {
        *counts.entry(w.unsigned_abs()).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The product in GF(2^8) with x^8 + x^4 + x^3 + x + 1.
    fn product(a: u8, b: u8) -> u8 {
        let (mut power, mut sum) = (a, 0);
        for bit in 0..8 {
            if b >> bit & 1 == 1 {
                sum ^= power;
            }
            power = (power << 1) ^ if power & 0x80 == 0 { 0 } else { 0x1b };
        }
        sum
    }

    /// The S-box by its definition: the inverse in the field (0 for 0), then an affine map of its bits.
    fn substituted(x: u8) -> u8 {
        let inverse = (1..=255).find(|&y| product(x, y) == 1).unwrap_or(0);
        (1..5).fold(inverse ^ 0x63, |sum, turn| sum ^ u8::rotate_left(inverse, turn))
    }

    #[test]
    fn the_table_is_the_field_inverse_and_the_affine_map() {
        for x in 0..=255 {
            assert_eq!(SBOX[usize::from(x)], substituted(x), "{x:#04x}");
        }
    }

    #[test]
    fn spectra_on_every_device() {
        let functions = component_functions();
        for device in manycore_testkit::devices() {
            let spectra = Spectral::new(&device).walsh_of(&functions, &Walsh::new().batch(INPUTS)).unwrap();
            assert_eq!(nonlinearity(&spectra), 112, "{device:?}");
            let expected: Histogram =
                [(0, 17), (4, 48), (8, 36), (12, 40), (16, 34), (20, 24), (24, 36), (28, 16), (32, 5)].into();
            for (index, spectrum) in spectra.chunks(INPUTS).enumerate() {
                assert_eq!(histogram(spectrum), expected, "{device:?}, component {}", index + 1);
            }
            for mask in CHECKED {
                assert!(follows_definition(&functions, &spectra, mask), "{device:?}, component {mask}");
            }
        }
    }

    #[test]
    fn distances_counted_one_by_one_agree() {
        let functions = component_functions();
        let spectra = Spectral::new(&Device::host()).walsh_of(&functions, &Walsh::new().batch(INPUTS)).unwrap();
        for mask in [0x01, 0x40, 0xa5] {
            for w in [0, 1, 0x80, 0xff] {
                let differs = |x: usize| (mask as u8 & SBOX[x]).count_ones() % 2 != (w & x).count_ones() % 2;
                let distance = (0..INPUTS).filter(|&x| differs(x)).count();
                assert_eq!(of_mask(&spectra, mask)[w], 256 - 2 * distance as i32);
            }
        }
    }

    #[test]
    fn one_wrong_coefficient_is_seen() {
        let functions = component_functions();
        let mut spectra = Spectral::new(&Device::host()).walsh_of(&functions, &Walsh::new().batch(INPUTS)).unwrap();
        spectra[0x8e * INPUTS + 17] ^= 4;
        assert!(follows_definition(&functions, &spectra, 0x01));
        assert!(!follows_definition(&functions, &spectra, 0x8f));
    }
}
