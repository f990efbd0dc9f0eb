//! Values on every OpenCL device: project, with one row for values at points and with several for verification.

mod common;

use common::{Check, elements, every_ring, few_rings, poly, short, small};
use manycore_poly::{PolyField, PolyRing, evaluate};
use manycore_testkit::opencl_devices;

struct Values(Vec<usize>);

impl Check for Values {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        for &n in &self.0 {
            let f = poly(ring, n, 1);
            let a = ring.coefficients(&f).unwrap();
            for x in [field.zero(), field.neg(field.one()), elements(field, 8, 3)[6]] {
                let expected = evaluate::reference::evaluate(field, &a, x);
                let name = format!("{n} at {x:?}, {} mod {}", ring.arithmetic(), field.order());
                assert_eq!(ring.evaluate(&f, x).unwrap(), expected, "{name}");
            }
        }
    }
}

#[test]
fn values_equal_horner_s_rule() {
    for device in opencl_devices() {
        if small(&device) {
            few_rings(&device, &mut Values(vec![0, 1, 65, 200]));
        } else {
            every_ring(&device, &mut Values(vec![0, 1, 2, 63, 64, 65, 1000, 100_000]));
        }
    }
}

#[test]
fn products_are_verified() {
    for device in opencl_devices() {
        for p in if small(&device) { vec![2] } else { vec![2, 7, 469_762_049] } {
            let ring = PolyRing::new(&device, short(p)).unwrap();
            let (f, g) = (ring.random(60, 1).unwrap(), ring.random(50, 2).unwrap());
            let h = ring.mul_with(&f, &g, manycore_poly::Algorithm::Plain).unwrap();
            assert!(ring.verify_product(&f, &g, &h, 3).unwrap());
            let wrong = ring.add(&h, &ring.monomial(17).unwrap()).unwrap();
            assert!(!ring.verify_product(&f, &g, &wrong, 3).unwrap());
        }
    }
}
