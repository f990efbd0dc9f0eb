//! The kernels of resultants, `bivariate_images` and `bivariate_chain`, on every OpenCL device against determinants and against the
//! host: around groups and blocks, in every arithmetic, with leading coefficients that vanish.

use manycore_bivariate::chain::reference;
use manycore_bivariate::{Bivariate, BivariateField, BivariateRing, Variable};
use manycore_device::Device;
use manycore_field::{Goldilocks, PrimeField};
use manycore_testkit::{opencl_devices, simulated};

fn check<F: BivariateField>(device: &Device, field: &F, f: &Bivariate<F>, g: &Bivariate<F>) {
    let ring = BivariateRing::new(device, field.clone()).unwrap();
    let host = BivariateRing::new(&Device::host(), field.clone()).unwrap();
    let count = f.degree_y().unwrap().min(g.degree_y().unwrap());
    for k in 0..count {
        let found = ring.subresultant(f, g, Variable::Y, k).unwrap();
        assert_eq!(found, host.subresultant(f, g, Variable::Y, k).unwrap(), "S_{k} of {f:?} and {g:?} on {device:?}");
        if count <= 4 {
            assert_eq!(found, reference::subresultant(field, f, g, k), "S_{k} of {f:?} and {g:?} on {device:?}");
        }
    }
}

fn dense<F: BivariateField>(device: &Device, field: &F, degrees: &[[(usize, usize); 2]]) {
    for (seed, &[(a, m), (b, n)]) in degrees.iter().enumerate() {
        let f = Bivariate::random_rectangle(field, a, m, 2 * seed as u64).unwrap();
        let g = Bivariate::random_rectangle(field, b, n, 2 * seed as u64 + 1).unwrap();
        check(device, field, &f, &g);
    }
}

#[test]
fn chains_equal_the_definition_and_the_host() {
    for device in opencl_devices() {
        let few = [[(1, 2), (1, 1)], [(2, 3), (3, 3)]];
        let many = [[(1, 1), (1, 1)], [(3, 4), (2, 3)], [(5, 6), (5, 6)], [(7, 2), (1, 5)], [(4, 9), (4, 8)]];
        let degrees: &[_] = if simulated(&device) { &few } else { &many };
        dense(&device, &PrimeField::<u32>::new(469_762_049).unwrap(), degrees);
        dense(&device, &PrimeField::<u64>::new(4_611_686_018_326_724_609).unwrap(), degrees);
        dense(&device, &Goldilocks, degrees);
        if device.info().fp64 {
            // Below 2^50, where a device may compute in double precision.
            dense(&device, &PrimeField::<u64>::new(1_125_899_903_827_969).unwrap_or_else(|_| small()), degrees);
        }
        if simulated(&device) {
            continue;
        }
        dense(&device, &PrimeField::<u32>::new(2_013_265_921).unwrap(), degrees);
        // The whole group: leading coefficients of positive degree vanish at some points.
        dense(&device, &PrimeField::<u32>::new(257).unwrap(), &[[(2, 3), (2, 3)], [(3, 3), (3, 4)]]);
        dense(&device, &PrimeField::<u32>::new(97).unwrap(), &[[(1, 3), (1, 2)]]);
    }
}

/// A prime of 40 bits with roots of unity.
fn small() -> PrimeField<u64> {
    PrimeField::new(manycore_field::primes::ntt_primes(40, 20).next().unwrap()).unwrap()
}

/// Sparse inputs leave the generic degrees everywhere, and multiples end early.
#[test]
fn degrees_that_drop_are_done_again() {
    for device in opencl_devices() {
        let field = PrimeField::<u32>::new(469_762_049).unwrap();
        let parse = |text: &str| Bivariate::parse(&field, text).unwrap();
        let systems =
            [("y^4 + x", "y^2 + x*y + 1"), ("(y - x)*(y^2 + 1)", "(y - x)*(x*y + 2)"), ("x*y^3 + 1", "x*y^2 + y")];
        let count = if simulated(&device) { 1 } else { systems.len() };
        for (f, g) in &systems[..count] {
            check(&device, &field, &parse(f), &parse(g));
        }
    }
}
