//! The kernels of matrices of integers on every OpenCL device, against the host: `integer_residues`, `determinants_modulo` and
//! `determinants_panels_modulo`.

use manycore_device::{Device, DeviceSet, Kind};
use manycore_linalg::exact::{
    Certainty, ExactDeterminant, IntegerEntry, RationalSolution, determinant, determinant_on, solve,
};
use manycore_testkit::{limited_devices, opencl_devices, simulated};
use num_bigint::BigInt;

/// Powers of two of every size around those of words, their neighbours, and their negatives.
fn extremes() -> Vec<BigInt> {
    let powers = [0u32, 1, 31, 32, 33, 63, 64, 65, 200].map(|k| BigInt::from(1) << k);
    let near = powers.iter().flat_map(|power| [power - 1, power.clone(), power + 1]);
    near.flat_map(|x| [-&x, x]).collect()
}

fn found<T: IntegerEntry>(device: &Device, order: usize, words: &[T], certainty: Certainty) -> ExactDeterminant {
    determinant(device, order, words, certainty).unwrap()
}

/// Determinants of matrices with such entries on their diagonals and random ones below `limit` above.
fn determinants(device: &Device, orders: &[usize]) {
    let mut random = manycore_verify::SplitMix::new(3);
    let integers = extremes();
    for &order in orders {
        for (shift, certainty) in [(0, Certainty::Proved), (5, Certainty::Probable { bits: 40, seed: 9 })] {
            let words: Vec<BigInt> = (0..order * order)
                .map(|e| match (e / order, e % order) {
                    (i, j) if i == j => integers[(i + shift) % integers.len()].clone(),
                    _ => BigInt::from(random.next_word() as i64),
                })
                .collect();
            assert_eq!(
                found(device, order, &words, certainty),
                found(&Device::host(), order, &words, certainty),
                "{order}"
            );
            let short: Vec<i64> = (0..order * order)
                .map(|e| [i64::MIN, i64::MAX, 0, -1, 1, 1 << 40, random.next_word() as i64][e % 7])
                .collect();
            assert_eq!(
                found(device, order, &short, certainty),
                found(&Device::host(), order, &short, certainty),
                "{order}"
            );
        }
    }
}

#[test]
fn determinants_equal_the_host_s() {
    for device in opencl_devices() {
        determinants(&device, if simulated(&device) { &[0, 1, 2, 9] } else { &[0, 1, 2, 17, 70] });
    }
    // Matrices of order 17 do not fit 640 bytes.
    for device in limited_devices() {
        determinants(&device, &[2, 17]);
    }
}

/// Matrices that local memory does not hold are taken by panels, with more primes than run at once, or one by one.
#[test]
fn determinants_past_local_memory_equal_the_host_s() {
    for device in opencl_devices().into_iter().filter(|device| !simulated(device)) {
        determinants(&device.limited(3600, 256), &[31, 40]);
    }
}

/// The determinant of order 1 is the entry itself, put together from its residues.
#[test]
fn integers_come_back_from_their_residues() {
    for device in opencl_devices() {
        let integers = if simulated(&device) { extremes().split_off(30) } else { extremes() };
        for x in integers {
            let matrix = [x.clone()];
            assert_eq!(found(&device, 1, &matrix, Certainty::Proved).value, x);
            assert_eq!(found(&device, 1, &matrix, Certainty::Probable { bits: 20, seed: 1 }).value, x);
        }
        for x in [i64::MIN, i64::MAX, 0, -1, 1] {
            assert_eq!(found(&device, 1, &[x], Certainty::Proved).value, BigInt::from(x));
            assert_eq!(found(&device, 1, &[i128::from(x) << 64], Certainty::Proved).value, BigInt::from(x) << 64);
        }
        for x in [i32::MIN, i32::MAX, 0, -1, 1] {
            assert_eq!(found(&device, 1, &[x], Certainty::Proved).value, BigInt::from(x));
        }
    }
}

#[test]
fn solutions_equal_the_host_s() {
    for device in opencl_devices() {
        let order = if simulated(&device) { 2 } else { 12 };
        let integers = extremes();
        let words: Vec<BigInt> =
            (0..order * order).map(|e| integers[(e * e + 7 * e) % integers.len()].clone()).collect();
        let right: Vec<BigInt> = integers[..order].to_vec();
        let expected = solve(&Device::host(), (order, order), &words, &right).unwrap();
        assert_eq!(solve(&device, (order, order), &words, &right).unwrap(), expected);
        // Of rank 1, where the right side is none of the columns' sums.
        let singular: Vec<i64> = (0..order * order).map(|e| ((e / order + 1) * (e % order + 2)) as i64).collect();
        assert_eq!(solve(&device, (order, order), &singular, &vec![1; order]).unwrap(), RationalSolution::None);
    }
}

/// The entries are uploaded once, and of each prime two words.
#[test]
fn uploads_do_not_grow_with_the_primes() {
    let order = 9;
    let words: Vec<i64> = (0..order * order).map(|e| i64::MAX / (e * e % 50 + 1) as i64).collect();
    for device in opencl_devices() {
        // A device of its own, on which other tests bring nothing; its first use tests it.
        let device = device.limited(16 << 10, 256);
        found(&device, order, &words, Certainty::Proved);
        // A device that is named twice has the entries once.
        let set = DeviceSet::equal(vec![device.clone(), device.clone()]).unwrap();
        for certainty in [Certainty::Proved, Certainty::Probable { bits: 100, seed: 4 }] {
            let (result, profile) = device.profile(|| determinant_on(&set, order, &words, certainty).unwrap()).unwrap();
            let uploads = profile.entries.iter().filter(|entry| entry.kind == Kind::Upload);
            let bytes: u64 = uploads.map(|entry| entry.bytes).sum();
            assert!(result.primes > 10, "{}", result.primes);
            // Residues would be half as many bytes for each prime.
            assert!((bytes as usize) < 2 * size_of_val(&words[..]) + 16 * result.primes, "{bytes}");
        }
    }
}
