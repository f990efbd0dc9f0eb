//! Values on every OpenCL device: project.

use crate::common::{Check, elements, every_ring, few_rings, poly, small};
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
