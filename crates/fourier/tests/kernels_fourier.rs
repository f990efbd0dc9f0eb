//! The kernels `fourier_tile`, `fourier_tile_in_place` (`FOURIER_TILE`), `fourier_dense` (`FOURIER_DENSE`), `fourier_multiply_along`,
//! `fourier_multiply_along_in_place` and `fourier_multiply` (`FOURIER_MULTIPLY`) and those of residues (`FOURIER_TILE_RESIDUES`,
//! `FOURIER_DENSE_RESIDUES`, `FOURIER_MULTIPLY_RESIDUES`) on every OpenCL device, against the definition and against the host.

mod common;

use common::{DIRECTIONS, Tested, check, functions, group, tolerance, transformed};
use manycore_device::{Device, DeviceKind};
use manycore_field::{Goldilocks, PrimeField};
use manycore_fourier::transform::cost::{Shape, Transforms};
use manycore_fourier::transform::reference;
use manycore_fourier::{Complexes, Direction, Fourier, Plan, Residues};
use manycore_testkit::{opencl_devices, simulated};
use manycore_tuning::Costed as _;

/// A CPU compiles each variant for a second: it takes fewer groups.
fn sparing(device: &Device) -> bool {
    device.info().kind != DeviceKind::Gpu
}

#[test]
fn complex_transforms_equal_the_definition() {
    for device in opencl_devices() {
        let lists: &[(&[u64], usize)] = match (simulated(&device), sparing(&device)) {
            (true, _) => &[(&[], 2), (&[12], 3), (&[17], 1), (&[4, 3], 2)],
            (false, true) => &[
                (&[], 2),
                (&[1], 3),
                (&[2], 3),
                (&[240], 1),
                (&[3, 7, 4], 5),
                (&[17], 2),
                (&[67, 2], 1),
                (&[11, 13], 3),
                (&[2; 7], 1),
            ],
            (false, false) => &[
                (&[], 2),
                (&[2], 100),
                (&[3], 1000),
                (&[16], 1000),
                (&[17], 5),
                (&[97], 3),
                (&[1009], 1),
                (&[512, 3], 2),
                (&[2048], 3),
                (&[3; 6], 2),
                (&[2; 10], 3),
                (&[7, 11, 13], 2),
                (&[30, 30], 1),
                (&[121], 40),
                (&[625], 7),
                (&[67, 2], 9),
            ],
        };
        for &(factors, count) in lists {
            check(&device, &Complexes::<f32>::new(), factors, count, !sparing(&device));
        }
        check(&device, &Complexes::<f64>::new(), &[12, 5], 2, false);
    }
}

#[test]
fn residues_equal_the_definition() {
    for device in opencl_devices() {
        let short = Residues::new(PrimeField::<u32>::new(2_147_483_647).unwrap());
        check(&device, &short, &[6, 7], 3, false);
        if simulated(&device) {
            check(&device, &Residues::new(Goldilocks), &[16], 1, false);
            continue;
        }
        // 331 divides 2^31 - 2, which has no roots for chirps.
        check(&device, &short, &[331, 2], 2, false);
        check(&device, &Residues::new(PrimeField::<u64>::new((1 << 61) - 1).unwrap()), &[10, 9], 2, false);
        check(&device, &Residues::new(PrimeField::<u64>::new(9_223_372_035_915_251_713).unwrap()), &[8], 5, false);
        check(&device, &Residues::new(Goldilocks), &[64, 3], 2, false);
        check(&device, &Residues::new(Goldilocks), &[257], 2, false);
    }
}

/// A prime length by a convolution with a chirp, and a convolution of functions.
#[test]
fn chirps_and_products_equal_their_definitions() {
    for device in opencl_devices() {
        let numbers = Complexes::<f32>::new();
        let (fourier, group) = (Fourier::new(&device), group(&[67])); // past the primes done by the definition
        let choice = fourier.explain_transform(&group, &numbers, 2).unwrap();
        let chirps = |plan: &Plan| plan.passes.iter().any(|pass| pass == "chirp");
        let found = choice.candidates().iter().find(|candidate| chirps(&candidate.parameters));
        let f = functions(&numbers, &group, 2, 3);
        if let Some(candidate) = found {
            for direction in DIRECTIONS {
                let found =
                    transformed(&fourier, &numbers, &group, direction, &f, Some(&candidate.parameters)).unwrap();
                let order = group.order() as usize;
                let expected: Vec<manycore_fourier::num_complex::Complex<f32>> =
                    f.chunks(order).flat_map(|f| numbers.defined(&group, direction, f)).collect();
                assert!(numbers.error(&found, &expected) <= tolerance(&numbers, &group, 2.0));
            }
        }
        assert!(found.is_some());
        let seven = common::group(&[2, 3]);
        let numbers = Residues::new(PrimeField::<u32>::new(7).unwrap());
        let (f, g) = (functions(&numbers, &seven, 2, 1), functions(&numbers, &seven, 1, 2));
        let (x, y) = (fourier.upload(&numbers, &f).unwrap(), fourier.upload(&numbers, &g).unwrap());
        let found = fourier.download(&numbers, &fourier.convolve(&seven, &numbers, &x, &y).unwrap()).unwrap();
        let sums = |f: &[u32]| reference::convolution(&seven, &numbers, f, &g).unwrap();
        assert_eq!(found, f.chunks(6).flat_map(sums).collect::<Vec<u32>>());
    }
}

fn equals_host<N: Tested>(device: &Device, numbers: &N, factors: &[u64], count: usize) {
    let group = group(factors);
    let f = functions(numbers, &group, count, 9);
    for direction in DIRECTIONS {
        let host = transformed(&Fourier::new(&Device::host()), numbers, &group, direction, &f, None).unwrap();
        let Some(found) = transformed(&Fourier::new(device), numbers, &group, direction, &f, None) else { return };
        let error = numbers.error(&found, &host);
        assert!(error <= tolerance(numbers, &group, 1.0), "{} {group} {direction:?}: {error:e}", device.info().name);
    }
}

/// Several passes with twiddle factors of one and two tables, tiles cut at their edges, runs of neighbours.
#[test]
fn longer_transforms_equal_the_host_s() {
    for device in opencl_devices() {
        if simulated(&device) {
            equals_host(&device, &Complexes::<f32>::new(), &[128, 9], 1);
            continue;
        }
        let single = Complexes::<f32>::new();
        equals_host(&device, &single, &[1 << 16], 1);
        equals_host(&device, &single, &[1000, 27], 2);
        equals_host(&device, &single, &[2, 5000], 3);
        equals_host(&device, &Residues::new(PrimeField::<u32>::new(469_762_049).unwrap()), &[1 << 14], 2);
        equals_host(&device, &Residues::new(Goldilocks), &[1 << 13], 1);
        if !sparing(&device) {
            for factors in [
                &[1 << 20][..],
                &[1 << 22],
                &[1_000_000],
                &[3; 12],
                &[2; 20],
                &[30, 7, 11, 13],
                &[4096, 4096],
                &[100_003],
                &[59_049],
            ] {
                equals_host(&device, &single, factors, 1);
            }
            equals_host(&device, &Complexes::<f64>::new(), &[1 << 18], 2);
            equals_host(&device, &single, &[4096], 300);
        }
    }
}

/// Candidates that are said to give the same bits do: a pass in larger tiles adds and multiplies in the same order.
#[test]
fn plans_of_one_arithmetic_give_the_same_bits() {
    for device in opencl_devices() {
        if simulated(&device) {
            continue;
        }
        let (fourier, numbers) = (Fourier::new(&device), Complexes::<f32>::new());
        let lists: &[&[u64]] =
            if sparing(&device) { &[&[1 << 12]] } else { &[&[1 << 12], &[1 << 20], &[1000, 27], &[2; 14], &[1009, 2]] };
        for factors in lists {
            let group = group(factors);
            let choice = fourier.explain_transform(&group, &numbers, 3).unwrap();
            let plans: Vec<&Plan> = choice.candidates().iter().map(|candidate| &candidate.parameters).collect();
            let info = device.info();
            let operation = Transforms { local_bytes: info.local_memory_bytes as usize };
            let shape = Shape::new(group.factors(), 3, &numbers, (false, info.compute_units as usize));
            let f = functions(&numbers, &group, 3, 13);
            let bits = |plan: &Plan| -> Vec<[u32; 2]> {
                let found = transformed(&fourier, &numbers, &group, Direction::Inverse, &f, Some(plan)).unwrap();
                found.into_iter().map(|value| [value.re, value.im].map(f32::to_bits)).collect()
            };
            let mut seen: Vec<(&Plan, Vec<[u32; 2]>)> = Vec::new();
            for plan in plans {
                match seen.iter().find(|(other, _)| operation.gives_same_bits(&shape, other, plan)) {
                    Some((other, expected)) => {
                        assert!(bits(plan) == *expected, "{}: {group}: {plan}, {other}", info.name);
                    }
                    None => seen.push((plan, bits(plan))),
                }
            }
        }
    }
}
