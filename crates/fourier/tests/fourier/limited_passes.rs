//! Transforms of one, two, three and four passes and more, by devices with small tiles: against the host, whose transforms other
//! tests compare with the definition. A number of passes that no case reaches fails the test.

use std::collections::BTreeSet;

use crate::common::{DIRECTIONS, Tested, functions, group, tolerance, transformed};
use manycore_device::Device;
use manycore_field::{Goldilocks, PrimeField};
use manycore_fourier::{Complexes, Fourier, Residues};
use manycore_testkit::limited_devices;

/// The passes of the chosen plan.
fn equals_the_host<N: Tested>(device: &Device, numbers: &N, factors: &[u64], count: usize) -> usize {
    let group = group(factors);
    let (fourier, host) = (Fourier::new(device), Fourier::new(&Device::host()));
    let f = functions(numbers, &group, count, 9);
    for direction in DIRECTIONS {
        let expected = transformed(&host, numbers, &group, direction, &f, None).unwrap();
        let found = transformed(&fourier, numbers, &group, direction, &f, None).unwrap();
        let error = numbers.error(&found, &expected);
        assert!(error <= tolerance(numbers, &group, 1.0), "{} {group} {direction:?}: {error:e}", device.info().name);
    }
    fourier.explain_transform(&group, numbers, count).unwrap().best().parameters.passes.len()
}

fn of_one_to_four_passes<N: Tested>(device: &Device, numbers: &N, groups: &[(&[u64], usize)]) {
    let seen: BTreeSet<usize> =
        groups.iter().map(|&(factors, count)| equals_the_host(device, numbers, factors, count)).collect();
    assert!((1..=4).all(|passes| seen.contains(&passes)), "{}: passes {seen:?}", numbers.name());
}

#[test]
fn transforms_of_one_to_four_passes_equal_the_host() {
    for device in limited_devices() {
        let groups: &[(&[u64], usize)] = &[
            (&[16], 3),
            (&[12, 5], 2),
            (&[1 << 8], 2),
            (&[360], 1),
            (&[1 << 11], 1),
            (&[1 << 13], 1),
            (&[1000, 27], 1),
        ];
        of_one_to_four_passes(&device, &Complexes::<f32>::new(), groups);
        if device.info().fp64 {
            of_one_to_four_passes(&device, &Complexes::<f64>::new(), groups);
        }
        let groups: &[(&[u64], usize)] =
            &[(&[16], 3), (&[32, 4], 2), (&[1 << 8], 2), (&[1 << 10], 1), (&[1 << 11], 1), (&[1 << 13], 1)];
        of_one_to_four_passes(&device, &Residues::new(PrimeField::<u32>::new(469_762_049).unwrap()), groups);
        of_one_to_four_passes(&device, &Residues::new(Goldilocks), groups);
    }
}
