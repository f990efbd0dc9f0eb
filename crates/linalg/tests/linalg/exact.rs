//! Determinants over the integers on the host and on every OpenCL device: published ones, the table of Hilbert matrices, and
//! Bareiss' elimination over the integers.

use manycore_device::{Device, DeviceSet};
use manycore_linalg::LinalgError;
use manycore_linalg::exact::{
    Certainty, IntegerEntry, RationalSolution, determinant, determinant_of, determinant_on, hadamard_bound,
    is_solution, solve, solve_columns,
};
use manycore_testkit::{devices, opencl_devices, simulated};
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;

fn proved<T: IntegerEntry>(device: &Device, order: usize, words: &[T]) -> BigInt {
    let found = determinant(device, order, words, Certainty::Proved).unwrap();
    assert!(found.is_proved);
    found.value
}

/// Bareiss' elimination over the integers, whose divisions are exact.
fn bareiss(order: usize, words: &[BigInt]) -> BigInt {
    let mut rows: Vec<Vec<BigInt>> = words.chunks(order.max(1)).map(<[BigInt]>::to_vec).collect();
    let (mut before, mut sign) = (BigInt::from(1), 1);
    for k in 0..order {
        let Some(source) = (k..order).find(|&row| rows[row][k] != BigInt::ZERO) else { return BigInt::ZERO };
        if source != k {
            rows.swap(k, source);
            sign = -sign;
        }
        let pivot = rows[k].clone();
        for row in &mut rows[k + 1..] {
            let factor = row[k].clone();
            for (x, y) in row.iter_mut().zip(&pivot).skip(k + 1) {
                *x = (&*x * &pivot[k] - &factor * y) / &before;
            }
        }
        before.clone_from(&pivot[k]);
    }
    before * sign
}

/// The determinant of the Hilbert matrix of order `n`, times the least common multiple of `1..2n` to the power `n`, is the
/// determinant of a matrix of integers; it is one over the product of `(2 k + 1) binomial(2 k, k)^2` (OEIS A005249).
#[test]
fn hilbert_matrices_have_the_published_determinants() {
    let inverse = |order: usize| -> BigInt {
        (1..order).fold(BigInt::from(1), |product, k| {
            let binomial = (1..=k).fold(BigInt::from(1), |b, i| b * (k + i) / i);
            product * (2 * k + 1) * &binomial * &binomial
        })
    };
    assert_eq!(inverse(5), BigInt::from(266_716_800_000_u64));
    assert_eq!(inverse(10).to_string(), "46206893947914691316295628839036278726983680000000000");
    for device in devices() {
        let orders: &[usize] = if simulated(&device) { &[3] } else { &[1, 2, 5, 8, 10, 20] };
        for &order in orders {
            let common = (1..2 * order).fold(1u128, |common, i| {
                let (mut a, mut b) = (common, i as u128);
                while b != 0 {
                    (a, b) = (b, a % b);
                }
                common / a * i as u128
            });
            let words: Vec<BigInt> =
                (0..order * order).map(|e| BigInt::from(common / (e / order + e % order + 1) as u128)).collect();
            let found = proved(&device, order, &words);
            assert_eq!(found * inverse(order), BigInt::from(common).pow(order as u32), "{order}");
        }
    }
}

/// Several devices share the primes: value, number of primes and certainty are those of one.
#[test]
fn device_sets_give_the_result_of_one_device() {
    let all: Vec<Device> = devices().into_iter().filter(|device| !simulated(device)).collect();
    let weights: Vec<f64> = (1..=all.len() + 2).map(|i| i as f64).collect();
    let more = [Device::host_with(1).unwrap(), Device::host_with(2).unwrap()];
    let set = DeviceSet::new(all.into_iter().chain(more).collect(), &weights).unwrap();
    let alone = DeviceSet::equal(vec![Device::host()]).unwrap();
    let twice = DeviceSet::equal(vec![Device::host(); 2]).unwrap();
    for order in [0usize, 1, 2, 7, 20] {
        let words: Vec<i64> = (0..order * order).map(|e| (e * e * 31 % 201) as i64 - 100).collect();
        for certainty in [Certainty::Proved, Certainty::Probable { bits: 40, seed: 3 }] {
            let expected = determinant(&Device::host(), order, &words, certainty).unwrap();
            assert_eq!(determinant_on(&set, order, &words, certainty).unwrap(), expected, "{order}");
            assert_eq!(determinant_on(&alone, order, &words, certainty).unwrap(), expected, "{order}");
            assert_eq!(determinant_on(&twice, order, &words, certainty).unwrap(), expected, "{order}");
        }
    }
    let error = determinant_on(&set, 2, &[1i64], Certainty::Proved).unwrap_err();
    assert_eq!(error, LinalgError::Entries { given: 1, rows: 2, columns: 2 });
}

/// What a device that fails had to do is done by another, and it is named.
#[test]
fn a_device_that_fails_leaves_its_primes_to_others() {
    for device in opencl_devices() {
        let broken = device.with_broken("32-bit mul_hi");
        let words: Vec<i64> = (0..400).map(|e| (e * e * 31 % 201) - 100).collect();
        assert!(determinant(&broken, 20, &words, Certainty::Proved).is_err());
        let set = DeviceSet::equal(vec![broken.clone(), Device::host_with(1).unwrap()]).unwrap();
        let expected = determinant(&Device::host(), 20, &words, Certainty::Proved).unwrap();
        assert_eq!(determinant_on(&set, 20, &words, Certainty::Proved).unwrap(), expected);
        assert!(set.failures().iter().all(|failure| failure.device == broken.info().label()));
    }
}

#[test]
fn columns_are_systems_of_their_own() {
    let (a, b) = ([2i64, 1, 1, 3], [1i64, 5, 0, 1, 10, 0]);
    let RationalSolution::Unique(x) = solve_columns(&Device::host(), (2, 2), &a, 3, &b).unwrap() else {
        panic!("singular")
    };
    assert_eq!(x.iter().map(ToString::to_string).collect::<Vec<_>>(), ["2/5", "1", "0", "1/5", "3", "0"]);
    assert_eq!(solve_columns(&Device::host(), (2, 2), &a, 0, &[]).unwrap(), RationalSolution::Unique(vec![]));
    let error = solve_columns(&Device::host(), (2, 2), &a, 2, &b).unwrap_err();
    assert_eq!(error, LinalgError::Entries { given: 6, rows: 2, columns: 2 });
}

#[test]
fn published_determinants() {
    for device in devices() {
        let order = if simulated(&device) { 6 } else { 60 };
        // Smith: the product of Euler's function.
        let gcd = |mut a: i64, mut b: i64| {
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        };
        let words: Vec<i64> = (0..order * order).map(|e| gcd((e / order + 1) as i64, (e % order + 1) as i64)).collect();
        let phi = |n: i64| (1..=n).filter(|&k| gcd(n, k) == 1).count();
        let expected = (1..=order as i64).fold(BigInt::from(1), |product, n| product * phi(n));
        assert_eq!(proved(&device, order, &words), expected);
        // A Hadamard matrix of Sylvester's, whose determinant is Hadamard's bound itself.
        let size: usize = if simulated(&device) { 4 } else { 16 };
        let sylvester: Vec<i32> =
            (0..size * size).map(|e| 1 - 2 * (((e / size) & (e % size)).count_ones() % 2) as i32).collect();
        let found = proved(&device, size, &sylvester);
        assert_eq!(*found.magnitude(), hadamard_bound(size, &sylvester));
    }
}

#[test]
fn edges() {
    let device = Device::host();
    assert_eq!(proved::<i64>(&device, 0, &[]), BigInt::from(1));
    assert_eq!(proved(&device, 1, &[i64::MIN]), BigInt::from(i64::MIN));
    assert_eq!(proved(&device, 2, &[0i64, 0, 3, 4]), BigInt::ZERO);
    assert_eq!(proved(&device, 2, &[2i64, 4, 3, 6]), BigInt::ZERO);
    let error = determinant(&device, 2, &[1i64, 2, 3], Certainty::Proved).unwrap_err();
    assert_eq!(error, LinalgError::Entries { given: 3, rows: 2, columns: 2 });
    let wide = ndarray::Array2::<i64>::zeros((2, 3));
    let error = determinant_of(&device, wide.view(), Certainty::Proved).unwrap_err();
    assert_eq!(error, LinalgError::NotSquare { operation: "determinant", rows: 2, columns: 3 });
    let square = ndarray::array![[3i64, 1], [5, 2]];
    assert_eq!(determinant_of(&device, square.t(), Certainty::Proved).unwrap().value, BigInt::from(1));
}

#[test]
fn early_termination_saves_primes_and_finds_the_same() {
    // Triangular with ones: Hadamard's bound is far off.
    let order = 30;
    let words: Vec<i64> = (0..order * order)
        .map(|e| match (e / order, e % order) {
            (i, j) if i == j => 1,
            (i, j) if i < j => 1_000_000_000 + (i * j) as i64,
            _ => 0,
        })
        .collect();
    let device = Device::host();
    let proved = determinant(&device, order, &words, Certainty::Proved).unwrap();
    let early = determinant(&device, order, &words, Certainty::Probable { bits: 64, seed: 3 }).unwrap();
    assert_eq!((&early.value, &proved.value), (&BigInt::from(1), &BigInt::from(1)));
    assert!(early.primes < 10 && proved.primes > 20 && !early.is_proved && proved.is_proved);
}

#[test]
fn hilbert_systems_have_the_published_inverse() {
    // The first column of the inverse of the Hilbert matrix of order 5, here times 2520, the common multiple of 1..9.
    for device in devices() {
        let order = 5;
        let words: Vec<i64> = (0..order * order).map(|e| (2520 / (e / order + e % order + 1)) as i64).collect();
        let right = [2520, 0, 0, 0, 0];
        let found = solve(&device, (order, order), &words, &right).unwrap();
        let expected = [25, -300, 1050, -1400, 630].map(|x| BigRational::from(BigInt::from(x)));
        assert_eq!(found, RationalSolution::Unique(expected.to_vec()));
    }
}

#[test]
fn singular_systems_are_told() {
    let device = Device::host();
    let point = [1, 0].map(|x| BigRational::from(BigInt::from(x))).to_vec();
    let family = RationalSolution::Affine { point, dimension: 1 };
    assert_eq!(solve(&device, (2, 2), &[1i64, 2, 2, 4], &[1, 2]).unwrap(), family);
    assert_eq!(solve(&device, (2, 2), &[1i64, 2, 2, 4], &[1, 3]).unwrap(), RationalSolution::None);
    assert_eq!(solve::<i64>(&device, (0, 0), &[], &[]).unwrap(), RationalSolution::Unique(Vec::new()));
    // Singular modulo the first prime, and the first two, but not over the rationals.
    for p in [2_147_483_647i64, 2_147_483_647 * 2_147_483_629] {
        let RationalSolution::Unique(x) = solve(&device, (1, 1), &[p], &[3]).unwrap() else { panic!("{p} is not 0") };
        assert_eq!(x, [BigRational::new(3.into(), p.into())]);
    }
    let error = solve(&device, (2, 2), &[1i64, 2, 3, 4], &[1]).unwrap_err();
    assert_eq!(error, LinalgError::Entries { given: 1, rows: 2, columns: 1 });
    let error = solve(&device, (2, 2), &[1i64, 2, 3], &[1, 1]).unwrap_err();
    assert_eq!(error, LinalgError::Entries { given: 3, rows: 2, columns: 2 });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn rational_solutions_solve(order in 0usize..7, bits in 1u32..100, seed: u64) {
        let mut random = manycore_verify::SplitMix::new(seed);
        let mut draw = |count: usize| -> Vec<BigInt> {
            (0..count).map(|_| BigInt::from(random.next_double_word() as i128 >> (128 - bits))).collect()
        };
        let (words, right) = (draw(order * order), draw(order));
        match solve(&Device::host(), (order, order), &words, &right).unwrap() {
            RationalSolution::Unique(x) => prop_assert!(is_solution(&words, &x, &right)),
            RationalSolution::Affine { .. } | RationalSolution::None => prop_assert_eq!(bareiss(order, &words), BigInt::ZERO),
        }
    }

    #[test]
    fn determinants_are_bareiss_s(order in 0usize..9, bits in 1u32..120, seed: u64, repeated: bool) {
        let mut random = manycore_verify::SplitMix::new(seed);
        let mut words: Vec<BigInt> = (0..order * order)
            .map(|_| BigInt::from(random.next_double_word() as i128 >> (128 - bits)))
            .collect();
        if repeated && order > 1 {
            let (first, rest) = words.split_at_mut(order);
            rest[..order].clone_from_slice(first);
        }
        let device = Device::host();
        let expected = bareiss(order, &words);
        prop_assert_eq!(&proved(&device, order, &words), &expected);
        let probable = Certainty::Probable { bits: 40, seed };
        prop_assert_eq!(&determinant(&device, order, &words, probable).unwrap().value, &expected);
        prop_assert!(*expected.magnitude() <= hadamard_bound(order, &words));
    }
}
