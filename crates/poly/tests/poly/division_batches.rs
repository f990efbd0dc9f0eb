//! Divisions of many pairs at once, on the host and every OpenCL device: against the definition, with divisors of their own
//! degrees.

use crate::common::{Check, LONG, elements, few_rings, long, poly, short, small};
use manycore_device::Device;
use manycore_field::{Goldilocks, ResidueWord as _};
use manycore_poly::divide::reference;
use manycore_poly::{PolyError, PolyField, PolyRing};
use manycore_testkit::{devices, opencl_devices, simulated};

/// The formal quotient and remainder of a pair by the definition.
fn expected<F: PolyField>(field: &F, a: &[F::Element], b: &[F::Element]) -> (Vec<F::Element>, Vec<F::Element>) {
    let own = &b[..manycore_poly::linear::reference::stripped_len(field, b)];
    let (mut q, mut r) = reference::divide(field, a, own).unwrap();
    q.resize(a.len(), field.zero());
    r.resize(b.len() - 1, field.zero());
    (q, r)
}

/// `count` polynomials, of which each second one has leading zeros.
fn formal<F: PolyField>(field: &F, count: usize, len: usize, salt: u64) -> Vec<F::Element> {
    let one = |i: usize| {
        let own = if i % 2 == 1 { 1 + i % len } else { len };
        let mut words = elements(field, own, salt + i as u64);
        words.resize(len, field.zero());
        words
    };
    (0..count).flat_map(one).collect()
}

struct Pairs(Vec<(usize, usize, usize)>);

impl Check for Pairs {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let field = ring.field();
        for &(count, n, m) in &self.0 {
            let (a, b) = (formal(field, count, n, 1), formal(field, count, m, 2));
            let (f, g) = (ring.batch(&a, count, n).unwrap(), ring.batch(&b, count, m).unwrap());
            let (q, r) = ring.div_rem_batch(&f, &g).unwrap();
            let name = format!("{count} of {n} by {m}, {} mod {}", ring.arithmetic(), field.order());
            assert_eq!((q.count(), q.len(), r.count(), r.len()), (count, n, count, m - 1), "{name}");
            let pairs = a.chunks(n).zip(b.chunks(m)).map(|(a, b)| expected(field, a, b));
            let (quotients, remainders): (Vec<_>, Vec<_>) = pairs.unzip();
            assert!(q.buffer().download().unwrap() == quotients.concat(), "quotients of {name}");
            assert!(r.buffer().download().unwrap() == remainders.concat(), "remainders of {name}");

            let divisor = ring.divisor(poly(ring, m, 9)).unwrap();
            let (q, r) = ring.div_rem_batch_with(&f, &divisor).unwrap();
            let b = elements(field, m, 9);
            let (quotients, remainders): (Vec<_>, Vec<_>) = a.chunks(n).map(|a| expected(field, a, &b)).unzip();
            assert!(q.buffer().download().unwrap() == quotients.concat(), "quotients by one of {name}");
            assert!(r.buffer().download().unwrap() == remainders.concat(), "remainders by one of {name}");
        }
    }
}

#[test]
fn pairs_equal_the_definition() {
    for device in devices() {
        let all = vec![(1, 1, 1), (3, 5, 2), (4, 2, 5), (5, 33, 8), (7, 40, 20), (2, 64, 64), (9, 17, 16)];
        let sizes = if small(&device) { all[2..5].to_vec() } else { all };
        few_rings(&device, &mut Pairs(sizes.clone()));
        if !small(&device) {
            for p in [2, 3, 7, 9001] {
                Pairs(sizes.clone()).check(&PolyRing::new(&device, short(p)).unwrap());
            }
            Pairs(sizes).check(&PolyRing::new(&device, long(LONG)).unwrap());
        }
    }
}

/// Pairs that no local memory holds, or that Newton's division suits better, one after the other.
#[test]
fn long_pairs_equal_the_definition() {
    Pairs(vec![(3, 4000, 1500)]).check(&PolyRing::new(&Device::host(), short(469_762_049)).unwrap());
    Pairs(vec![(2, 3000, 1000)]).check(&PolyRing::new(&Device::host(), Goldilocks).unwrap());
    for device in opencl_devices().into_iter().filter(|device| !simulated(device)) {
        let device = device.limited(8 << 10, 64);
        Pairs(vec![(3, 1500, 700)]).check(&PolyRing::new(&device, short(469_762_049)).unwrap());
    }
}

#[test]
fn bad_batches_are_errors() {
    for device in devices() {
        let ring = PolyRing::new(&device, short(7)).unwrap();
        let words = |len: usize| (0..len).map(|i| u32::from_u64(i as u64 % 7)).collect::<Vec<u32>>();
        let a = ring.batch(&words(12), 4, 3).unwrap();
        // Divisor 2 is zero, and 3 too.
        let b = ring.batch(&[1, 2, 3, 0, 0, 0, 0, 0], 4, 2).unwrap();
        assert_eq!(ring.div_rem_batch(&a, &b).unwrap_err(), PolyError::ZeroDivisorAt { index: 2 });
        let three = ring.batch(&words(6), 3, 2).unwrap();
        assert!(matches!(ring.div_rem_batch(&a, &three).unwrap_err(), PolyError::Batch { count: 4, .. }));
        let empty = ring.batch(&[], 4, 0).unwrap();
        assert_eq!(ring.div_rem_batch(&a, &empty).unwrap_err(), PolyError::ZeroDivisorAt { index: 0 });
        let (q, r) = ring.div_rem_batch(&empty, &ring.batch(&[1; 8], 4, 2).unwrap()).unwrap();
        assert_eq!((q.len(), r.buffer().download().unwrap()), (0, vec![0; 4]));
        assert_eq!(ring.div_rem_batch(&empty, &b).unwrap_err(), PolyError::ZeroDivisorAt { index: 2 });
        let none = ring.batch(&[], 0, 5).unwrap();
        let (q, r) = ring.div_rem_batch(&none, &none).unwrap();
        assert_eq!((q.count(), q.len(), r.count(), r.len()), (0, 5, 0, 4));
        let other = PolyRing::new(&device, short(3)).unwrap();
        let foreign = other.batch(&[1, 1, 1, 1], 4, 1).unwrap();
        let mixed = PolyError::MixedRings { expected: 7, given: 3 };
        assert_eq!(ring.div_rem_batch(&a, &foreign).unwrap_err(), mixed);
        assert_eq!(ring.div_rem_batch(&foreign, &a).unwrap_err(), mixed);
        let divisor = other.divisor(other.one().unwrap()).unwrap();
        assert_eq!(ring.div_rem_batch_with(&a, &divisor).unwrap_err(), mixed);
    }
}
