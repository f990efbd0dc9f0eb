//! Products on devices that compute residues in double precision wrong: no route uses these.

use manycore_device::Device;
use manycore_field::PrimeField;
use manycore_poly::PolyRing;
use manycore_testkit::{opencl_devices, simulated};

#[test]
fn products_of_a_device_without_floating_residues_are_right() {
    for device in opencl_devices().into_iter().filter(|device| device.info().fp64 && !simulated(device)) {
        let broken = device.with_broken("product by a constant modulo p in double precision");
        assert!(device.floating_residues() && !broken.floating_residues());
        // A prime without roots of unity, whose products take several primes, and one below 2^50 with roots.
        for p in [9_223_372_036_854_775_783, 1_125_897_625_141_249u64] {
            let product = |device: &Device| {
                let mut machine = device.typical_machine();
                machine.rates.f64 = 1e3 * machine.rates.int64;
                let ring = PolyRing::with_machine(device, machine, PrimeField::<u64>::new(p).unwrap()).unwrap();
                let words = |salt: u64| -> Vec<u64> {
                    (0..5000u64).map(|i| (i + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15) % p).collect()
                };
                let (f, g) = (ring.poly(&words(1)).unwrap(), ring.poly(&words(7)).unwrap());
                ring.coefficients(&ring.mul(&f, &g).unwrap()).unwrap()
            };
            assert!(product(&broken) == product(&Device::host()), "{device:?} mod {p}");
        }
    }
}
