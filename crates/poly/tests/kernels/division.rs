//! Divisions on every OpenCL device: `divide_heads` with `divide_head_inverse` in several shapes and every arithmetic,
//! `divide_subtract` between the products of Newton's division, and `divide_pairs`, all against the definition.

use crate::common::{Check, elements, few_rings, short, small, stripped};
use manycore_poly::divide::reference;
use manycore_poly::{DivisionPlan, PolyField, PolyRing};
use manycore_testkit::{opencl_devices, simulated};

/// Quotients of `s - 1`, `s`, `s + 1` and `2 s + 3` coefficients for `s = 4`, and remainders at the edges of groups of 8 and 16
/// coefficients.
const SIZES: [(usize, usize); 10] =
    [(1, 1), (5, 1), (3, 2), (5, 2), (12, 9), (13, 10), (20, 17), (27, 17), (28, 18), (44, 34)];

struct Heads {
    plans: Vec<DivisionPlan>,
    sizes: Vec<(usize, usize)>,
}

impl Check for Heads {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        for &plan in &self.plans {
            for &(n, m) in &self.sizes {
                let (a, b) = (elements(field, n, 1), elements(field, m, 2));
                let (quotient, remainder) = reference::divide(field, &a, &b).unwrap();
                let (q, r) = ring.div_rem_by(&ring.poly(&a).unwrap(), &ring.poly(&b).unwrap(), &plan).unwrap();
                let name = format!("{n} by {m}, {plan}, {} mod {}", ring.arithmetic(), field.order());
                assert!(ring.coefficients(&q).unwrap() == stripped(field, quotient), "quotient of {name}");
                assert!(ring.coefficients(&r).unwrap() == remainder, "remainder of {name}");
            }
        }
    }
}

const fn heads(s: usize, group: usize, each: usize) -> DivisionPlan {
    DivisionPlan::SHead { s, group, each }
}

#[test]
fn heads_equal_the_definition_in_every_arithmetic() {
    for device in opencl_devices() {
        let mut check = Heads { plans: vec![heads(4, 8, 2)], sizes: SIZES.to_vec() };
        if small(&device) {
            check.sizes.drain(..3);
        } else {
            check.plans.extend([heads(1, 8, 1), heads(5, 64, 4), heads(40, 8, 3), heads(300, 64, 1)]);
            check.sizes.extend([(100, 30), (700, 300)]);
        }
        few_rings(&device, &mut check);
    }
}

/// The naive division, heads longer than the divisor, and in small fields.
#[test]
fn heads_of_every_size_equal_the_definition() {
    for device in opencl_devices() {
        for p in if small(&device) { vec![2, 469_762_049] } else { vec![2, 3, 7, 9001, 469_762_049] } {
            let ring = PolyRing::new(&device, short(p)).unwrap();
            let plans = vec![heads(1, 8, 1), heads(2, 8, 1), heads(3, 8, 1), heads(32, 8, 1)];
            Heads { plans, sizes: vec![(9, 3), (17, 9), (18, 9), (40, 12), (70, 2)] }.check(&ring);
        }
    }
}

/// Zero coefficients of the quotient, and drops of the degree by more than one.
#[test]
fn sparse_divisions_equal_the_definition() {
    for device in opencl_devices() {
        let ring = PolyRing::new(&device, short(7)).unwrap();
        let plan = heads(4, 8, 1);
        for (n, m) in [(8, 4), (31, 7), (41, 21)] {
            let word = |len: usize, i: usize| u32::from(i == 0 || i + 1 == len);
            let [a, b] = [n, m].map(|len| (0..len).map(|i| word(len, i)).collect::<Vec<u32>>());
            let (quotient, remainder) = reference::divide(ring.field(), &a, &b).unwrap();
            let (q, r) = ring.div_rem_by(&ring.poly(&a).unwrap(), &ring.poly(&b).unwrap(), &plan).unwrap();
            assert_eq!(ring.coefficients(&q).unwrap(), quotient, "{n} by {m}");
            assert_eq!(ring.coefficients(&r).unwrap(), remainder, "{n} by {m}");
        }
    }
}

/// A launch for every `s` coefficients of the quotient.
#[test]
fn launches_are_those_of_the_paper() {
    for device in opencl_devices() {
        let ring = PolyRing::new(&device, short(469_762_049)).unwrap();
        let [a, b] = [41, 20].map(|len| ring.poly(&elements(ring.field(), len, 1)).unwrap());
        let plan = heads(9, 8, 1);
        ring.div_rem_by(&a, &b, &plan).unwrap();
        let (done, profile) = device.profile(|| ring.div_rem_by(&a, &b, &plan)).unwrap();
        done.unwrap();
        // Other tests divide meanwhile, with other heads.
        let own = profile.entries.iter().filter(|entry| entry.name == "divide_heads");
        assert_eq!(own.filter(|entry| [9 * 19, 4 * 19].contains(&entry.operations)).count(), 3);
    }
}

#[test]
fn newton_s_division_equals_the_definition() {
    for device in opencl_devices() {
        let ring = PolyRing::new(&device, short(469_762_049)).unwrap();
        let sizes = if simulated(&device) { vec![(140, 60)] } else { vec![(300, 150), (301, 10), (400, 129)] };
        let plans = [7, 80, 1000].map(|block| DivisionPlan::Newton { block }).to_vec();
        Heads { plans, sizes }.check(&ring);
    }
}

struct Pairs;

impl Check for Pairs {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        for (count, n, m) in [(3, 9, 4), (2, 4, 9), (1, 31, 17)] {
            let (a, mut b) = (elements(field, count * n, 1), elements(field, count * m, 2));
            // The second divisor is a constant.
            if count > 1 {
                b[m + 1..2 * m].fill(field.zero());
                b[m] = field.one();
            }
            let (f, g) = (ring.batch(&a, count, n).unwrap(), ring.batch(&b, count, m).unwrap());
            let (q, r) = ring.div_rem_batch(&f, &g).unwrap();
            let (q, r) = (q.buffer().download().unwrap(), r.buffer().download().unwrap());
            for i in 0..count {
                let b = stripped(field, b[i * m..][..m].to_vec());
                let (mut quotient, mut remainder) = reference::divide(field, &a[i * n..][..n], &b).unwrap();
                quotient.resize(n, field.zero());
                remainder.resize(m - 1, field.zero());
                let name = format!("pair {i} of {n} by {m}, {} mod {}", ring.arithmetic(), field.order());
                assert!(q[i * n..][..n] == quotient, "quotient of {name}");
                assert!(r[i * (m - 1)..][..m - 1] == remainder, "remainder of {name}");
            }
        }
    }
}

#[test]
fn pairs_equal_the_definition_in_every_arithmetic() {
    for device in opencl_devices() {
        few_rings(&device, &mut Pairs);
    }
}
