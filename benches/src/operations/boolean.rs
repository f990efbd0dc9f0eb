//! Walsh spectra of Boolean functions, tables of power functions, and figures of many S-boxes.

use anyhow::Result;
use manycore_boolean::{Boolean, SBox, SBoxes, Spectrum, TruthTable};

use super::case::{Case, Extent, work};
use crate::data;

pub(super) fn cases(extent: Extent) -> Vec<Case> {
    let mut cases = Vec::new();
    for variables in extent.of(&[12], &[16, 20], &[20, 28]) {
        cases.push(spectrum(variables));
    }
    for bits in extent.of(&[7], &[9, 11], &[11, 15]) {
        cases.push(linear(bits));
        cases.push(differences(bits));
    }
    for count in extent.of(&[16], &[1024], &[1 << 14, 1 << 18]) {
        cases.push(many(count));
    }
    cases
}

/// The spectrum of a function on a device, from packed bits.
fn spectrum(variables: u32) -> Case {
    let len = 1usize << variables;
    Case::new(
        ("boolean", "spectrum i32"),
        (len, format!("{variables} variables")),
        (len / 16 + 2 * len, len as f64 * f64::from(variables)),
        "Parseval's sum of squares, and 4 values equal to the definition",
        move |device| {
            let context = Boolean::new(device);
            let table = TruthTable::from_fn(variables, data::bit)?;
            let function = context.upload(&table)?;
            Ok(work(
                (context, function, None::<Spectrum>),
                |(context, function, spectrum)| {
                    *spectrum = Some(context.walsh(function)?);
                    Ok(())
                },
                move |(.., spectrum)| {
                    let Some(spectrum) = spectrum else { return Ok(false) };
                    let values = spectrum.download()?;
                    let squares: i128 = values.iter().map(|&w| i128::from(w) * i128::from(w)).sum();
                    let value = |mask: u64| -> i64 {
                        let odd = |x: u64| data::bit(x) ^ ((x & mask).count_ones() % 2 == 1);
                        (0..len as u64).map(|x| if odd(x) { -1 } else { 1 }).sum()
                    };
                    let masks = data::residues(4, len as u64, 2);
                    Ok(squares == 1 << (2 * variables)
                        && masks.into_iter().all(|mask| i64::from(values[mask as usize]) == value(mask)))
                },
            ))
        },
    )
}

/// The lower terms of irreducible polynomials over the field of two elements, for odd degrees.
const MODULI: [(u32, u32); 5] = [(7, 0b11), (9, 0b11), (11, 0b101), (13, 0b11011), (15, 0b11)];

/// `x^3` in the field of `2^bits` elements, `bits` odd: almost bent (Gold 1968), so almost perfectly nonlinear.
fn cube(bits: u32) -> Result<SBox> {
    let lower = MODULI.into_iter().find(|modulus| modulus.0 == bits).map_or(0b11, |modulus| modulus.1);
    let times = |a: u32, b: u32| {
        let product = (0..bits).filter(|k| b >> k & 1 == 1).fold(0, |sum, k| sum ^ (a << k));
        (bits..2 * bits)
            .rev()
            .fold(product, |rest, k| if rest >> k & 1 == 1 { rest ^ (lower | 1 << bits) << (k - bits) } else { rest })
    };
    Ok(SBox::new(bits, (0..1 << bits).map(|x| times(times(x, x), x) as u16).collect())?)
}

fn linear(bits: u32) -> Case {
    let entries = 1usize << (2 * bits);
    Case::new(
        ("sbox", "linear table"),
        (entries, format!("x^3 of {bits} bits")),
        (2 << bits, entries as f64 * f64::from(bits)),
        "the nonlinearity of an almost bent function",
        move |device| {
            Ok(work(
                (Boolean::new(device), cube(bits)?, None),
                |(context, sbox, found)| {
                    *found = Some(context.linear_summary(sbox)?.nonlinearity());
                    Ok(())
                },
                move |(.., found)| Ok(*found == Some((1 << (bits - 1)) - (1 << ((bits - 1) / 2)))),
            ))
        },
    )
}

fn differences(bits: u32) -> Case {
    let entries = 1usize << (2 * bits);
    Case::new(
        ("sbox", "difference table"),
        (entries, format!("x^3 of {bits} bits")),
        (2 << bits, entries as f64),
        "the uniformity 2 of an almost perfectly nonlinear function",
        move |device| {
            Ok(work(
                (Boolean::new(device), cube(bits)?, None),
                |(context, sbox, found)| {
                    *found = Some(context.difference_summary(sbox)?.uniformity);
                    Ok(())
                },
                |(.., found)| Ok(*found == Some(2)),
            ))
        },
    )
}

/// The nonlinearities of random maps of 8 bits.
fn many(count: usize) -> Case {
    Case::new(
        ("sbox", "nonlinearities"),
        (count, format!("{count} of 8 bits")),
        (256 * count / 2, (count * 65536 * 8 / 4) as f64),
        "the first 4 equal to those of the whole tables",
        move |device| {
            let outputs: Vec<u8> = data::residues(256 * count, 256, 12).into_iter().map(|x| x as u8).collect();
            let resident = device.upload(&outputs)?;
            Ok(work(
                (Boolean::new(device), resident, Vec::new()),
                |(context, outputs, found)| {
                    *found = context.nonlinearities(SBoxes::new(8, 8, &*outputs)?)?;
                    Ok(())
                },
                move |(context, _, found)| {
                    for (sbox, &found) in outputs.chunks_exact(256).zip(found.iter()).take(4) {
                        let sbox = SBox::new(8, sbox.iter().map(|&x| x.into()).collect())?;
                        if context.linear_summary(&sbox)?.nonlinearity() != u64::from(found) {
                            return Ok(false);
                        }
                    }
                    Ok(found.len() == count)
                },
            ))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::{MODULI, cube};

    #[test]
    fn cubes_are_permutations_where_three_divides_no_order() {
        // 3 does not divide 2^n - 1 for odd n.
        for (bits, _) in MODULI {
            let sbox = cube(bits).unwrap();
            assert!(sbox.is_permutation() && sbox.values()[..4] == [0, 1, 8, 15], "{bits}");
        }
    }
}
