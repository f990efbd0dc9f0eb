//! Linear operations on every OpenCL device against the host: `coefficients_combine`, `coefficients_highest`,
//! `coefficients_differ`, `coefficients_random`.

use crate::common::{Check, elements, every_ring, few_rings, poly, short, small};
use manycore_device::Device;
use manycore_poly::{PolyField, PolyRing};
use manycore_testkit::opencl_devices;

struct Linear {
    lengths: Vec<usize>,
}

impl Check for Linear {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let host = PolyRing::new(&Device::host(), ring.field().clone()).unwrap();
        let field = ring.field();
        for &n in &self.lengths {
            for m in [0, 1, n] {
                let (a, b) = (elements(field, n, 1), elements(field, m, 2));
                let (f, g) = (ring.poly(&a).unwrap(), ring.poly(&b).unwrap());
                let (hf, hg) = (host.poly(&a).unwrap(), host.poly(&b).unwrap());
                let same = |on_device: manycore_poly::Poly<F>, on_host: manycore_poly::Poly<F>, what: &str| {
                    let [got, expected] =
                        [ring.coefficients(&on_device).unwrap(), host.coefficients(&on_host).unwrap()];
                    assert!(got == expected, "{what} of {n} and {m} mod {}, {}", field.order(), ring.arithmetic());
                };
                same(ring.add(&f, &g).unwrap(), host.add(&hf, &hg).unwrap(), "sum");
                same(ring.sub(&f, &g).unwrap(), host.sub(&hf, &hg).unwrap(), "difference");
                same(ring.neg(&f).unwrap(), host.neg(&hf).unwrap(), "negative");
                let c = field.neg(field.one());
                same(ring.scale(&f, c).unwrap(), host.scale(&hf, c).unwrap(), "multiple");
                same(ring.derivative(&f).unwrap(), host.derivative(&hf).unwrap(), "derivative");
                same(ring.reverse(&f, n + m).unwrap(), host.reverse(&hf, n + m).unwrap(), "reversal");
                same(ring.shift_up(&f, m).unwrap(), host.shift_up(&hf, m).unwrap(), "shift up");
                same(ring.shift_down(&f, m).unwrap(), host.shift_down(&hf, m).unwrap(), "shift down");
                same(ring.truncate(&f, n / 2).unwrap(), host.truncate(&hf, n / 2).unwrap(), "truncation");
                assert!(ring.sub(&f, &f).unwrap().is_zero());
                assert!(ring.equal(&f, &ring.copy(&f).unwrap()).unwrap());
                assert_eq!(ring.equal(&f, &g).unwrap(), a == b);
            }
            let (f, hf) = (ring.random(n, 9).unwrap(), host.random(n, 9).unwrap());
            assert!(ring.coefficients(&f).unwrap() == host.coefficients(&hf).unwrap(), "random {n}");
        }
    }
}

#[test]
fn every_operation_equals_the_host_s() {
    for device in opencl_devices() {
        if small(&device) {
            few_rings(&device, &mut Linear { lengths: vec![0, 1, 257] });
        } else {
            every_ring(&device, &mut Linear { lengths: vec![0, 1, 2, 3, 255, 256, 257, 1000] });
        }
    }
}

/// Sums that cancel down to a coefficient far below the first window, and wholly.
#[test]
fn leading_coefficients_are_found_below_long_cancellation() {
    for device in opencl_devices() {
        let ring = PolyRing::new(&device, short(7)).unwrap();
        let len = if manycore_testkit::simulated(&device) { 20_000 } else { 300_000 };
        let f = ring.random(len, 3).unwrap();
        for place in [0, 17, len - 20_000 + 5] {
            let g = ring.add(&f, &ring.monomial(place).unwrap()).unwrap();
            let difference = ring.sub(&g, &f).unwrap();
            assert_eq!(difference.degree(), Some(place));
            assert!(!ring.equal(&f, &g).unwrap());
        }
        let zero = ring.add(&f, &ring.neg(&f).unwrap()).unwrap();
        assert!(zero.is_zero());
        let two = poly(&ring, 2, 1);
        assert_eq!(ring.add(&two, &ring.neg(&two).unwrap()).unwrap().degree(), None);
    }
}
