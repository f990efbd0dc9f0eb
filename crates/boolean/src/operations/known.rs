//! S-boxes that others are compared with: inversion in the field of 2^n elements (Nyberg 1994), the AES' and PRESENT's ones, a random
//! permutation, and an affine map.

use manycore_verify::SplitMix;

use crate::sbox::SBox;

/// The S-box of PRESENT (Bogdanov and others 2007).
const PRESENT: [u16; 16] = [12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2];

/// Named S-boxes with `bits` input and output bits.
pub(super) fn of_bits(bits: u32) -> Vec<(&'static str, SBox)> {
    let mut found = Vec::new();
    let mut add = |name, values: Vec<u16>| found.extend(SBox::new(bits, values).ok().map(|sbox| (name, sbox)));
    if bits == 4 {
        add("PRESENT", PRESENT.to_vec());
    }
    if bits == 8 {
        add("AES", aes());
    }
    if bits >= 3 {
        add("inversion in the field", inversion(bits));
    }
    add("random permutation", permutation(bits));
    add("affine map", (0..1u32 << bits).map(|x| (x ^ (x >> 1) ^ 1) as u16).collect());
    found
}

/// The product of two elements modulo a polynomial of this degree, as bits.
fn product(mut a: u32, mut b: u32, modulus: u32, degree: u32) -> u32 {
    let mut sum = 0;
    while b != 0 {
        if b & 1 == 1 {
            sum ^= a;
        }
        a <<= 1;
        if a >> degree & 1 == 1 {
            a ^= modulus;
        }
        b >>= 1;
    }
    sum
}

/// The least irreducible polynomial over two elements of this degree, as bits.
fn irreducible(degree: u32) -> u32 {
    let divides = |divisor: u32, mut of: u32| {
        while of.checked_ilog2() >= divisor.checked_ilog2() {
            of ^= divisor << (of.ilog2() - divisor.ilog2());
        }
        of == 0
    };
    let is_irreducible = |&of: &u32| (2..1 << (degree / 2 + 1)).all(|divisor| !divides(divisor, of));
    ((1 << degree)..(2 << degree)).find(is_irreducible).unwrap_or(1 << degree)
}

/// x^(2^n - 2), the inverse of x, and 0 for 0.
fn inversion(bits: u32) -> Vec<u16> {
    let modulus = irreducible(bits);
    let inverse = |x: u32| {
        (1..bits).fold((1, x), |(power, square), _| {
            let square = product(square, square, modulus, bits);
            (product(power, square, modulus, bits), square)
        })
    };
    (0..1 << bits).map(|x| if x == 0 { 0 } else { inverse(x).0 as u16 }).collect()
}

/// The S-box of the AES (FIPS 197): inversion modulo x^8 + x^4 + x^3 + x + 1, and an affine map.
fn aes() -> Vec<u16> {
    let affine = |x: u16| {
        let x = x as u8;
        u16::from((1..5).fold(x, |sum, by| sum ^ x.rotate_left(by)) ^ 0x63)
    };
    inversion(8).into_iter().map(affine).collect()
}

/// A permutation by swaps (Fisher and Yates), always the same one.
fn permutation(bits: u32) -> Vec<u16> {
    let mut random = SplitMix::new(1);
    let mut values: Vec<u16> = (0..1u32 << bits).map(|x| x as u16).collect();
    for at in (1..values.len()).rev() {
        values.swap(at, random.index(at + 1));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::{aes, inversion, irreducible, of_bits, product};

    #[test]
    fn fields_have_inverses() {
        assert_eq!([2, 3, 4, 8].map(irreducible), [7, 11, 19, 0x11b]);
        for bits in [3, 4, 8] {
            let of = inversion(bits);
            let ones = (1..1 << bits).all(|x| product(x, u32::from(of[x as usize]), irreducible(bits), bits) == 1);
            assert!(ones, "{bits}");
        }
        assert_eq!(aes()[..4], [0x63, 0x7c, 0x77, 0x7b]);
        assert_eq!(aes()[0x53], 0xed);
    }

    #[test]
    fn all_but_the_affine_map_are_permutations_of_their_size() {
        for bits in 1..=10 {
            let known = of_bits(bits);
            assert!(known.len() >= 2);
            assert!(known.iter().all(|(_, sbox)| sbox.is_permutation() && sbox.input_bits() == bits), "{bits}");
        }
    }
}
