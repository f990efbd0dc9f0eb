//! The kernels of greatest common divisors on every OpenCL device: `gcd_steps` and
//! `gcd_steps_persistent` by both rules with segments of several sizes, `gcd_batch` with one pair and several in a group, half-gcd, all against the definition.

use crate::common::{Check, elements, few_rings, short, small, sparing};
use manycore_poly::gcd::{Packing, Segments, reference};
use manycore_poly::multiply::reference::multiply;
use manycore_poly::{GcdPlan, PolyError, PolyField, PolyRing};
use manycore_testkit::{opencl_devices, simulated};

/// Pairs of polynomials: dense and sparse, degrees that drop by more than one, common factors, lengths around segments.
#[expect(clippy::type_complexity, reason = "pairs of lists")]
fn pairs<F: PolyField>(field: &F, few: bool) -> Vec<(Vec<F::Element>, Vec<F::Element>)> {
    let random = |len: usize, salt: u64| elements(field, len, salt);
    let sparse = |len: usize, gap: usize, salt: u64| -> Vec<F::Element> {
        let word = |(i, c): (usize, F::Element)| if i % gap == 0 || i + 1 == len { c } else { field.zero() };
        random(len, salt).into_iter().enumerate().map(word).collect()
    };
    let common = random(6, 7);
    let mut pairs = vec![
        (random(2, 1), random(2, 2)),
        (random(3, 1), random(2, 2)),
        (random(17, 3), random(17, 3)),
        (sparse(31, 5, 1), sparse(26, 5, 2)),
        (multiply(field, &random(20, 1), &common), multiply(field, &random(19, 2), &common)),
        (multiply(field, &sparse(33, 16, 1), &common), multiply(field, &sparse(17, 8, 2), &common)),
    ];
    if !few {
        for (n, m) in [(16, 15), (33, 32), (48, 47), (49, 16), (100, 99), (129, 3), (200, 151)] {
            pairs.push((random(n, 1), random(m, 2)));
            pairs.push((sparse(n, 7, 3), sparse(m, 3, 4)));
        }
    }
    pairs
}

struct Plans(Vec<GcdPlan>);

impl Check for Plans {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        for plan in &self.0 {
            for (a, b) in pairs(ring.field(), small(ring.device())) {
                let expected = reference::gcd(ring.field(), &a, &b);
                let (f, g) = (ring.poly(&a).unwrap(), ring.poly(&b).unwrap());
                let gcd = ring.gcd_by(&f, &g, plan).unwrap();
                let name =
                    format!("{} and {}, {plan}, {} mod {}", a.len(), b.len(), ring.arithmetic(), ring.field().order());
                assert_eq!(ring.coefficients(&gcd).unwrap(), expected, "{name}");
            }
        }
    }
}

const fn segments(steps: u32, width: u32, group: u32) -> Segments {
    Segments { steps, width, group, persistent: false }
}

#[test]
fn both_rules_equal_the_definition_in_every_arithmetic() {
    for device in opencl_devices() {
        let one = segments(4, 12, 8);
        few_rings(&device, &mut Plans(vec![GcdPlan::Steps(one), GcdPlan::DivisionSteps(one)]));
    }
}

/// One step a launch, which is the naive algorithm; segments narrower than their halo, of one coefficient, of odd sizes, and
/// wider than the polynomials.
#[test]
fn segments_of_every_size_equal_the_definition() {
    for device in opencl_devices() {
        let sizes = if sparing(&device) {
            vec![segments(1, 3, 8), segments(5, 1, 9), segments(4, 12, 2), segments(5, 16, 4)]
        } else {
            vec![segments(1, 1, 1), segments(1, 16, 16), segments(5, 1, 3), segments(7, 3, 32), segments(64, 448, 64)]
        };
        let steps = sizes.iter().copied().map(GcdPlan::Steps);
        let plans: Vec<GcdPlan> = steps.chain(sizes.iter().copied().map(GcdPlan::DivisionSteps)).collect();
        for p in if sparing(&device) { vec![2, 7] } else { vec![2, 3, 7, 9001, 469_762_049] } {
            Plans(plans.clone()).check(&PolyRing::new(&device, short(p)).unwrap());
        }
    }
}

/// One group on any device; several where the device is known to run them at once.
#[test]
fn rounds_of_one_launch_equal_the_definition() {
    for device in opencl_devices() {
        let one = Segments { persistent: true, ..segments(9, 240, 16) };
        let mut plans = vec![GcdPlan::Steps(one), GcdPlan::DivisionSteps(one)];
        if device.info().features.iter().any(|feature| feature == "cl_nv_device_attribute_query") {
            for sizes in [segments(4, 12, 32), segments(16, 48, 64), segments(1, 8, 32)] {
                let several = Segments { persistent: true, ..sizes };
                plans.extend([GcdPlan::Steps(several), GcdPlan::DivisionSteps(several)]);
            }
        }
        for p in [2, 469_762_049] {
            Plans(plans.clone()).check(&PolyRing::new(&device, short(p)).unwrap());
        }
    }
}

#[test]
fn half_gcds_equal_the_definition() {
    for device in opencl_devices() {
        let plans = [2, 64].map(|base| GcdPlan::Half { base });
        for p in if small(&device) && !sparing(&device) { vec![7] } else { vec![2, 3, 7, 469_762_049] } {
            Plans(plans.to_vec()).check(&PolyRing::new(&device, short(p)).unwrap());
        }
    }
}

#[test]
fn pairs_in_local_memory_equal_the_definition() {
    for device in opencl_devices() {
        let packing = |log_group, log_pack| GcdPlan::Local(Packing { log_group, log_pack });
        let plans = if sparing(&device) {
            vec![packing(4, 2), packing(1, 0), packing(2, 0)]
        } else {
            vec![packing(0, 0), packing(4, 0), packing(6, 3), packing(8, 0)]
        };
        let few = if simulated(&device) { 1 } else { plans.len() };
        few_rings(&device, &mut Plans(plans[..few].to_vec()));
        for p in [2, 7] {
            Plans(plans.clone()).check(&PolyRing::new(&device, short(p)).unwrap());
        }
    }
}

#[test]
fn batches_in_local_memory_equal_the_definition() {
    for device in opencl_devices() {
        let field = short(7);
        let ring = PolyRing::new(&device, field).unwrap();
        let (count, n, m) = (21, 9, 8);
        let words = |len: usize, salt: u64| -> Vec<u32> {
            let ring = PolyRing::new(&manycore_device::Device::host(), field).unwrap();
            ring.random_batch(count, len, salt).unwrap().buffer().download().unwrap()
        };
        let (a, b) = (words(n, 1), words(m, 2));
        let (f, g) = (ring.batch(&a, count, n).unwrap(), ring.batch(&b, count, m).unwrap());
        for (log_group, log_pack) in if sparing(&device) { vec![(4, 2)] } else { vec![(3, 0), (4, 2), (6, 4), (5, 5)] }
        {
            let plan = GcdPlan::Local(Packing { log_group, log_pack });
            let gcds = ring.gcd_batch_by(&f, &g, Some(&plan)).unwrap();
            let divisors = gcds.divisors().buffer().download().unwrap();
            for (i, (a, b)) in a.chunks(n).zip(b.chunks(m)).enumerate() {
                let mut expected = reference::gcd(&field, a, b);
                assert_eq!(gcds.lens()[i], expected.len(), "{i}, {plan}");
                expected.resize(n, 0);
                assert_eq!(divisors[i * n..][..n], expected, "{i}, {plan}");
            }
        }
        // One by one, where a plan is for single pairs.
        let plan = GcdPlan::Steps(segments(4, 12, 8));
        let (first, second) = (ring.batch(&a[..2 * n], 2, n).unwrap(), ring.batch(&b[..2 * m], 2, m).unwrap());
        let gcds = ring.gcd_batch_by(&first, &second, Some(&plan)).unwrap();
        let lens: Vec<usize> = a.chunks(n).zip(b.chunks(m)).map(|(a, b)| reference::gcd(&field, a, b).len()).collect();
        assert_eq!(gcds.lens(), &lens[..2]);
    }
}

#[test]
fn plans_that_a_device_does_not_have_are_refused() {
    for device in opencl_devices() {
        let ring = PolyRing::new(&device, short(469_762_049)).unwrap();
        let (f, g) = (ring.random(40, 1).unwrap(), ring.random(30, 2).unwrap());
        let plans = [
            GcdPlan::Euclid,
            GcdPlan::Steps(segments(0, 4, 4)),
            GcdPlan::Steps(segments(4, 0, 4)),
            GcdPlan::Steps(segments(4, 4, 0)),
            GcdPlan::DivisionSteps(segments(4, 4, 1 << 20)),
            GcdPlan::Steps(segments(1 << 28, 1 << 28, 64)),
            GcdPlan::Steps(Segments { persistent: true, ..segments(1, 1, 1) }),
            GcdPlan::Local(Packing { log_group: 40, log_pack: 0 }),
            GcdPlan::Local(Packing { log_group: 2, log_pack: 3 }),
            GcdPlan::Local(Packing { log_group: 6, log_pack: 60 }),
        ];
        for plan in plans {
            let is_persistent = matches!(&plan, GcdPlan::Steps(segments) if segments.persistent);
            if is_persistent && device.info().compute_units >= 40 {
                continue;
            }
            let error = ring.gcd_by(&f, &g, &plan).unwrap_err();
            assert!(matches!(error, PolyError::Gcd { .. }), "{plan}: {error}");
        }
    }
}
