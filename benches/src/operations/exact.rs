//! Integers of any size, and matrices of integers, of doubles and of bits.

use manycore_linalg::bits::{BitAlgebra, BitMatrix};
use manycore_linalg::exact::{self, Certainty, RationalSolution};
use manycore_linalg::num_bigint::{BigInt, BigUint};
use manycore_linalg::real::{self, RealDeterminant, RealOptions};
use manycore_poly::integer::IntegerProduct;

use super::case::{Case, Extent, work};
use crate::data;

pub(super) fn cases(extent: Extent) -> Vec<Case> {
    let mut cases = Vec::new();
    for bits in extent.of(&[1 << 14, 1 << 20], &[1 << 14, 1 << 20, 1 << 26], &[1 << 20, 1 << 28]) {
        cases.push(integers(bits));
    }
    for order in extent.of(&[40], &[100, 200], &[100, 500]) {
        cases.push(determinant(order));
    }
    for order in extent.of(&[30], &[50, 100], &[100, 300]) {
        cases.push(solution(order));
    }
    for order in extent.of(&[100], &[200, 1000], &[1000, 4000]) {
        cases.push(doubles(order));
    }
    for order in extent.of(&[256], &[1024, 4096], &[4096, 16384]) {
        cases.push(bits(order));
    }
    cases
}

fn integer(bits: usize, seed: u64) -> BigUint {
    BigUint::new(data::residues(bits / 32, 1 << 32, seed).into_iter().map(|word| word as u32).collect())
}

/// Whether a product is right modulo the prime `2^61 - 1`.
fn is_product(a: &BigUint, b: &BigUint, product: &BigUint) -> bool {
    let p = BigUint::from((1u64 << 61) - 1);
    (a % &p) * (b % &p) % &p == product % &p
}

/// The product of two numbers of as many bits, from the host's memory into it.
fn integers(bits: usize) -> Case {
    let case = Case::new(
        ("integer-mul", "integers"),
        (bits, format!("2^{} bits each", bits.ilog2())),
        (bits / 4, 0.0),
        "equal modulo 2^61 - 1",
        move |device| {
            Ok(work(
                (IntegerProduct::new(device), integer(bits, 1), integer(bits, 2), BigUint::ZERO),
                |(products, a, b, product)| {
                    *product = products.mul(a, b)?;
                    Ok(())
                },
                |(_, a, b, product)| Ok(is_product(a, b, product)),
            ))
        },
    );
    let case = beside_flint_integers(case, bits);
    // Its products of more bits take minutes.
    if bits > 1 << 22 {
        return case;
    }
    case.beside("num-bigint", false, move || {
        Ok(work(
            (integer(bits, 1), integer(bits, 2), BigUint::ZERO),
            |(a, b, product)| {
                *product = &*a * &*b;
                Ok(())
            },
            |(a, b, product)| Ok(is_product(a, b, product)),
        ))
    })
}

#[cfg(feature = "flint")]
fn beside_flint_integers(case: Case, bits: usize) -> Case {
    use crate::peers::flint_integers::{Integer, name, product};

    case.beside(name(), false, move || {
        let (a, b) = (integer(bits, 1), integer(bits, 2));
        let numbers = (Integer::new(&a), Integer::new(&b), Integer::new(&BigUint::ZERO));
        Ok(work(
            numbers,
            |(a, b, c)| {
                product(a, b, c);
                Ok(())
            },
            move |(_, _, c)| Ok(is_product(&a, &b, &c.value())),
        ))
    })
}

#[cfg(not(feature = "flint"))]
fn beside_flint_integers(case: Case, _bits: usize) -> Case {
    case
}

/// Entries of `bits` bits with a sign.
fn entries(count: usize, bits: u32, seed: u64) -> Vec<i64> {
    let half = 1i64 << (bits - 1);
    data::residues(count, 1 << bits, seed).into_iter().map(|word| word as i64 - half).collect()
}

fn determinant(order: usize) -> Case {
    let case = Case::new(
        ("det-integer", "integers"),
        (order, format!("order {order}, 63 bits")),
        (order * order * 8, 0.0),
        "by another elimination modulo random primes",
        move |device| {
            Ok(work(
                (device.clone(), entries(order * order, 63, 1), BigInt::ZERO),
                move |(device, a, value)| {
                    *value = exact::determinant(device, order, a, Certainty::Proved)?.value;
                    Ok(())
                },
                move |(_, a, value)| Ok(exact::check(order, a, value, 1).is_ok()),
            ))
        },
    );
    beside_flint_determinant(case, order)
}

#[cfg(feature = "flint")]
fn beside_flint_determinant(case: Case, order: usize) -> Case {
    use crate::peers::flint_integers::{IntegerMatrix, name};

    case.beside(name(), false, move || {
        let a = entries(order * order, 63, 1);
        Ok(work(
            (IntegerMatrix::new(order, order, &a), BigInt::ZERO),
            |(matrix, value)| {
                *value = matrix.determinant();
                Ok(())
            },
            move |(_, value)| Ok(exact::check(order, &a, value, 1).is_ok()),
        ))
    })
}

#[cfg(not(feature = "flint"))]
fn beside_flint_determinant(case: Case, _order: usize) -> Case {
    case
}

fn solution(order: usize) -> Case {
    let case = Case::new(
        ("solve-rational", "rationals"),
        (order, format!("order {order}, 20 bits")),
        (order * order * 8, 0.0),
        "by the equations, over the integers",
        move |device| {
            Ok(work(
                (device.clone(), entries(order * order, 20, 1), entries(order, 20, 2), None),
                move |(device, a, b, found)| {
                    *found = Some(exact::solve(device, (order, order), a, b)?);
                    Ok(())
                },
                |(_, a, b, found)| match found {
                    Some(RationalSolution::Unique(x)) => Ok(exact::is_solution(a, x, b)),
                    _ => Ok(false),
                },
            ))
        },
    );
    beside_flint_solution(case, order)
}

#[cfg(feature = "flint")]
fn beside_flint_solution(case: Case, order: usize) -> Case {
    use crate::peers::flint_integers::{IntegerMatrix, Solution, name};

    case.beside(name(), false, move || {
        let (a, b) = (entries(order * order, 20, 1), entries(order, 20, 2));
        let solution = Solution::new(IntegerMatrix::new(order, order, &a), IntegerMatrix::new(order, 1, &b));
        Ok(work(
            solution,
            |solution| {
                solution.run();
                Ok(())
            },
            move |solution| Ok(exact::is_solution(&a, &solution.values(), &b)),
        ))
    })
}

#[cfg(not(feature = "flint"))]
fn beside_flint_solution(case: Case, _order: usize) -> Case {
    case
}

/// Doubles between -1 and 1.
fn reals(order: usize) -> Vec<f64> {
    entries(order * order, 40, 3).into_iter().map(|x| x as f64 / f64::from(1 << 30) / 512.0).collect()
}

fn doubles(order: usize) -> Case {
    let case = Case::new(
        ("det-real", "f64"),
        (order, format!("order {order}")),
        (order * order * 8, 2.0 / 3.0 * (order as f64).powi(3)),
        "within its bound, by another elimination",
        move |device| {
            let words = reals(order);
            let resident = device.upload(&words)?;
            Ok(work(
                (device.clone(), resident, None::<RealDeterminant>),
                move |(device, a, found)| {
                    *found = Some(real::determinant_in(device, order, a, RealOptions::default())?);
                    Ok(())
                },
                move |(.., found)| Ok(found.as_ref().is_some_and(|found| real::check(order, &words, found, 1).is_ok())),
            ))
        },
    );
    beside_faer(case, order)
}

#[cfg(feature = "faer")]
fn beside_faer(case: Case, order: usize) -> Case {
    case.beside("faer 0.24 determinant", true, move || {
        let words = reals(order);
        let matrix = faer::Mat::<f64>::from_fn(order, order, |i, j| words[i * order + j]);
        let ours = real::determinant(&manycore_device::Device::host(), order, &words, RealOptions::default())?;
        Ok(work(
            (matrix, 0.0),
            |(matrix, value)| {
                *value = matrix.determinant();
                Ok(())
            },
            move |(_, value)| {
                // Past the range of doubles it gives infinity, which is no wrong sign.
                let expected = ours.value.to_f64();
                Ok(*value == expected || (*value / expected - 1.0).abs() < 1e-6)
            },
        ))
    })
}

#[cfg(not(feature = "faer"))]
fn beside_faer(case: Case, _order: usize) -> Case {
    case
}

/// Products of matrices of bits, 64 entries a word.
fn bits(order: usize) -> Case {
    let words = order / 64;
    let case = Case::new(
        ("matrix-mul-2", "bit"),
        (order, format!("order {order}")),
        (3 * order * words * 4, 2.0 * (order as f64).powi(3) / 64.0),
        "equal on a random vector (Freivalds), 64 at a time",
        move |device| {
            let space = BitAlgebra::new(device);
            let (a, b) = (space.random(order, order, 1)?, space.random(order, order, 2)?);
            let (left, right) = (space.words(&a)?, space.words(&b)?);
            Ok(work(
                (space, a, b, None::<BitMatrix>),
                |(space, a, b, product)| {
                    *product = Some(space.mul(a, b)?);
                    Ok(())
                },
                move |(space, _, _, product)| {
                    let Some(product) = product else { return Ok(false) };
                    Ok(is_bit_product(order, (&left, &right), &space.words(product)?))
                },
            ))
        },
    );
    beside_flint_bits(case, order)
}

/// Whether `product` is that of two matrices, tried with 64 random vectors at once.
fn is_bit_product(order: usize, (a, b): (&[u64], &[u64]), product: &[u64]) -> bool {
    let words = order / 64;
    let vectors: Vec<u64> = (0..order as u64).map(data::word).collect();
    let times = |matrix: &[u64], x: &[u64]| -> Vec<u64> {
        let row = |row: &[u64]| (0..order).filter(|&j| row[j / 64] >> (j % 64) & 1 == 1).fold(0, |sum, j| sum ^ x[j]);
        matrix.chunks_exact(words).map(row).collect()
    };
    product.len() == order * words && times(product, &vectors) == times(a, &times(b, &vectors))
}

#[cfg(feature = "flint")]
fn beside_flint_bits(case: Case, order: usize) -> Case {
    use crate::peers::flint_integers::{BitProduct, name};

    // FLINT has no packed matrices of bits; its products of residues modulo 2 take a word an entry.
    if order > 1024 {
        return case;
    }
    case.beside(format!("{}, a word an entry", name()), false, move || {
        let space = BitAlgebra::new(&manycore_device::Device::host());
        let words = |seed| -> anyhow::Result<Vec<u64>> { Ok(space.words(&space.random(order, order, seed)?)?) };
        let (a, b) = (words(1)?, words(2)?);
        Ok(work(
            BitProduct::new(order, &a, &b),
            |product| {
                product.run();
                Ok(())
            },
            move |product| Ok(is_bit_product(order, (&a, &b), &product.words())),
        ))
    })
}

#[cfg(not(feature = "flint"))]
fn beside_flint_bits(case: Case, _order: usize) -> Case {
    case
}
