//! Transitions of Euclid's algorithm on every OpenCL device against the host: `gcd_transition`, `transition_arrange`,
//! `transition_add`, through extended greatest common divisors and resultants of polynomials at and around the largest transition.

use crate::common::{Check, elements, every_ring, few_rings, small};
use manycore_device::Device;
use manycore_poly::{PolyField, PolyRing};
use manycore_testkit::{opencl_devices, simulated};

struct Pairs(Vec<(usize, usize)>);

impl Check for Pairs {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let host = PolyRing::new(&Device::host(), ring.field().clone()).unwrap();
        let field = ring.field();
        for &(n, m) in &self.0 {
            // Long pairs take an interpreter minutes: one of them.
            let gaps: &[usize] = if simulated(ring.device()) && n > 100 { &[1] } else { &[1, 6] };
            for &gap in gaps {
                let make = |len: usize, salt: u64| {
                    let mut f = elements(field, len, salt);
                    let last = len.saturating_sub(1);
                    f.iter_mut().enumerate().filter(|(i, _)| i % gap != 0 && *i != last).for_each(|(_, c)| {
                        *c = field.zero();
                    });
                    f
                };
                let (a, b) = (make(n, 1), make(m, 2));
                let name = format!("{n} and {m}, {} mod {}", ring.arithmetic(), field.order());
                let of = |ring: &PolyRing<F>| {
                    let (f, g) = (ring.poly(&a).unwrap(), ring.poly(&b).unwrap());
                    let x = ring.xgcd(&f, &g).unwrap();
                    let bits = [&x.gcd, &x.s, &x.t].map(|f| ring.coefficients(f).unwrap());
                    (bits, ring.resultant(&f, &g).unwrap())
                };
                assert!(of(ring) == of(&host), "{name}");
            }
        }
    }
}

#[test]
fn transitions_equal_the_host_s() {
    for device in opencl_devices() {
        let mut pairs = Pairs(vec![(2, 1), (2, 2), (5, 3), (33, 32), (65, 64)]);
        if simulated(&device) {
            // Long ones in one ring, the longest by the test below.
            pairs.0.pop();
            pairs.check(&PolyRing::new(&device, crate::common::short(469_762_049)).unwrap());
            few_rings(&device, &mut Pairs(vec![(5, 3), (18, 17)]));
        } else if small(&device) {
            pairs.0.extend([(66, 65), (66, 2), (129, 128)]);
            few_rings(&device, &mut pairs);
        } else {
            pairs.0.extend([(257, 256), (513, 512), (514, 513), (1025, 1024)]);
            every_ring(&device, &mut pairs);
        }
    }
}

/// A matrix applied to a pair and multiplied by another: pairs past the largest transition, in one ring.
#[test]
fn matrices_equal_the_host_s() {
    for device in opencl_devices() {
        let ring = PolyRing::new(&device, crate::common::short(469_762_049)).unwrap();
        let lengths = if simulated(&device) { vec![(140, 139)] } else { vec![(140, 139), (300, 260), (520, 519)] };
        Pairs(lengths).check(&ring);
    }
}
