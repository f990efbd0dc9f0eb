//! Products by their definition on every OpenCL device: `product_tile` in several shapes and every arithmetic, and
//! `product_rows` with `product_add_rows`, the two phases of paper 002, all against the definition.

use std::sync::{Mutex, PoisonError};

use crate::common::{Check, elements, few_rings, long, poly, short, sparing};
use manycore_poly::multiply::{reference, two_phase};
use manycore_poly::{Algorithm, Plan, PolyError, PolyField, PolyRing, Shape, Tile};
use manycore_testkit::{opencl_devices, simulated};

const fn tile(outputs: u32, log_slots: u32, log_segments: u32, log_pack: u32, log_chunk: u32) -> Tile {
    Tile { outputs, log_slots, log_segments, log_pack, log_chunk }
}

/// Sizes at the edges of tiles of 16 and 32 coefficients and of chunks of 16 terms.
const SIZES: [(usize, usize); 9] = [(1, 1), (1, 2), (2, 2), (3, 14), (16, 17), (17, 16), (33, 4), (40, 41), (5, 100)];

struct Tiles(Vec<Tile>);

impl Check for Tiles {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        for &tile in &self.0 {
            for (n, m) in SIZES {
                let (a, b) = (elements(ring.field(), n, 1), elements(ring.field(), m, 2));
                let expected = reference::multiply(ring.field(), &a, &b);
                let (f, g) = (ring.poly(&a).unwrap(), ring.poly(&b).unwrap());
                let product = ring.mul_by(&f, &g, &Plan::PlainTile(tile)).unwrap();
                let name = format!("{n} by {m}, {tile}, {} mod {}", ring.arithmetic(), ring.field().order());
                assert!(ring.coefficients(&product).unwrap() == expected, "{name}");
            }
        }
    }
}

#[test]
fn tiles_equal_the_definition_in_every_arithmetic() {
    for device in opencl_devices() {
        // Several segments, terms in several chunks.
        let tiles = if sparing(&device) {
            vec![tile(4, 2, 2, 0, 4)]
        } else {
            vec![tile(4, 2, 2, 0, 4), tile(8, 1, 3, 0, 5), tile(8, 2, 0, 0, 4)]
        };
        few_rings(&device, &mut Tiles(tiles));
    }
}

#[test]
fn tiles_of_every_shape_equal_the_definition() {
    for device in opencl_devices() {
        for p in if sparing(&device) { vec![7] } else { vec![2, 7, 469_762_049] } {
            let ring = PolyRing::new(&device, short(p)).unwrap();
            Tiles(vec![tile(8, 2, 0, 0, 4), tile(4, 0, 4, 0, 6)]).check(&ring);
        }
    }
}

#[test]
fn ranges_and_batches_equal_the_definition() {
    for device in opencl_devices() {
        let field = short(998_244_353);
        let ring = PolyRing::new(&device, field).unwrap();
        // Several products in a group, of which the last is not full.
        for (tile, count) in [(tile(4, 1, 2, 1, 4), 5), (tile(8, 0, 0, 2, 2), 3), (tile(4, 1, 1, 3, 7), 9)] {
            for (n, m) in [(9, 7), (1, 20)] {
                let (a, b) = (elements(&field, count * n, 1), elements(&field, count * m, 2));
                let (f, g) = (ring.batch(&a, count, n).unwrap(), ring.batch(&b, count, m).unwrap());
                let products = ring.mul_batch_by(&f, &g, Some(&Plan::PlainTile(tile))).unwrap();
                let one = |(a, b): (&[u32], &[u32])| reference::multiply(&field, a, b);
                let expected: Vec<u32> = a.chunks(n).zip(b.chunks(m)).flat_map(one).collect();
                assert_eq!((products.count(), products.len()), (count, n + m - 1));
                assert!(products.buffer().download().unwrap() == expected, "{count} of {n} by {m}, {tile}");
            }
        }
        let (f, g) = (poly(&ring, 30, 3), poly(&ring, 41, 4));
        let whole = reference::multiply(&field, &ring.coefficients(&f).unwrap(), &ring.coefficients(&g).unwrap());
        for range in [0..5, 29..41, 3..70, 60..70, 69..90, 80..90] {
            let part = ring.mul_middle(&f, &g, range.clone()).unwrap();
            let expected = whole[range.start.min(70)..range.end.min(70)].to_vec();
            assert_eq!(ring.coefficients(&part).unwrap(), crate::common::stripped(&field, expected), "{range:?}");
        }
    }
}

/// A profile is of the whole device: tests that launch kernels of both phases do it one after the other.
static TWO_PHASES: Mutex<()> = Mutex::new(());

struct Phases;

impl Check for Phases {
    fn check<F: PolyField>(&mut self, ring: &PolyRing<F>) {
        let group = if sparing(ring.device()) { 8 } else { 64 };
        for (n, m) in [(1, 1), (7, 1), (15, 8), (16, 8), (8, 16), (13, 13), (30, 19)] {
            let (f, g) = (poly(ring, n, 1), poly(ring, m, 2));
            let (a, b) = (ring.coefficients(&f).unwrap(), ring.coefficients(&g).unwrap());
            let expected = reference::multiply(ring.field(), &a, &b);
            for x in if sparing(ring.device()) { vec![3, 4] } else { vec![1, 2, 3, 4, 8, 100] } {
                let product = ring.mul_by(&f, &g, &Plan::TwoPhase { x, group }).unwrap();
                let name = format!("{n} by {m}, x = {x}, {} mod {}", ring.arithmetic(), ring.field().order());
                let is = ring.coefficients(&product).unwrap();
                let short = |of: &[F::Element]| format!("{:?}", &of[..of.len().min(8)]);
                assert!(is == expected, "{name}: {} instead of {}", short(&is), short(&expected));
            }
        }
    }
}

#[test]
fn two_phases_equal_the_definition() {
    let _alone = TWO_PHASES.lock().unwrap_or_else(PoisonError::into_inner);
    for device in opencl_devices() {
        few_rings(&device, &mut Phases);
        let ring = PolyRing::new(&device, short(9001)).unwrap();
        let (f, g) = (ring.poly(&[1, 2, 3, 4]).unwrap(), ring.poly(&[5, 6, 7, 8]).unwrap());
        let product = ring.mul_with(&f, &g, Algorithm::TwoPhase { x: 2 }).unwrap();
        assert_eq!(ring.coefficients(&product).unwrap(), [5, 16, 34, 60, 61, 52, 32]);
    }
}

/// The launches of both phases are those that the corrected formulas (8.2) and (8.3) count.
#[test]
fn two_phases_launch_the_kernels_of_the_paper() {
    let _alone = TWO_PHASES.lock().unwrap_or_else(PoisonError::into_inner);
    for device in opencl_devices() {
        let ring = PolyRing::new(&device, short(469_762_049)).unwrap();
        let (f, g) = (poly(&ring, 16, 1), poly(&ring, 8, 2));
        let plan = Plan::TwoPhase { x: 2, group: 8 };
        ring.mul_by(&f, &g, &plan).unwrap();
        let (done, profile) = device.profile(|| ring.mul_by(&f, &g, &plan)).unwrap();
        done.unwrap();
        // Other tests launch other kernels meanwhile.
        let count = |name| profile.entries.iter().filter(|entry| entry.name == name).count();
        assert_eq!((count("product_rows"), count("product_add_rows")), (1, 3));
        let own = profile.entries.iter().filter(|entry| ["product_rows", "product_add_rows"].contains(&entry.name));
        assert_eq!(own.map(|entry| entry.operations).sum::<u64>(), 272);
    }
}

#[test]
fn ways_that_a_device_does_not_have_are_refused() {
    for device in opencl_devices() {
        let ring = PolyRing::new(&device, short(469_762_049)).unwrap();
        let (f, g) = (poly(&ring, 16, 1), poly(&ring, 8, 2));
        let plans = [
            Plan::Karatsuba { base: 4 },
            Plan::TwoPhase { x: 0, group: 8 },
            Plan::TwoPhase { x: 2, group: 0 },
            Plan::PlainTile(tile(5, 2, 2, 0, 4)),
            Plan::PlainTile(tile(4, 2, 4, 0, 4)),
            Plan::PlainTile(tile(4, 16, 0, 0, 4)),
            Plan::PlainTile(tile(4, 2, 2, 0, 19)),
        ];
        for plan in plans {
            let error = ring.mul_by(&f, &g, &plan).unwrap_err();
            assert!(matches!(error, PolyError::Algorithm { .. }), "{plan}: {error}");
        }
        // The rows of 2^21 by 2^21 coefficients with x = 1 are 2^42 words.
        if !simulated(&device) {
            let big = ring.random(1 << 21, 1).unwrap();
            let error = ring.mul_by(&big, &big, &Plan::TwoPhase { x: 1, group: 64 }).unwrap_err();
            assert!(matches!(error, PolyError::Rows { x: 1, .. }), "{error}");
        }
        assert_eq!(two_phase::Sizes::new(1 << 21, 1 << 21, 1).words(), Some(1 << 42));
    }
}

#[test]
fn the_model_s_choice_equals_the_definition() {
    fn one<F: PolyField>(ring: &PolyRing<F>, n: usize, m: usize) {
        let (f, g) = (poly(ring, n, 1), poly(ring, m, 2));
        let (a, b) = (ring.coefficients(&f).unwrap(), ring.coefficients(&g).unwrap());
        let plain = ring.mul_with(&f, &g, Algorithm::Plain).unwrap();
        assert!(ring.coefficients(&plain).unwrap() == reference::multiply(ring.field(), &a, &b), "{n} by {m}");
        let choice = ring.explain(manycore_poly::Operation::Products(Shape::full(n, m))).unwrap();
        assert!(choice.candidates().iter().any(|c| c.parameters.algorithm() == Algorithm::Plain), "{choice}");
    }
    for device in opencl_devices() {
        let most = if simulated(&device) { 40 } else { 300 };
        one(&PolyRing::new(&device, short(469_762_049)).unwrap(), most, most / 3);
        if !sparing(&device) {
            one(&PolyRing::new(&device, long(crate::common::LONG)).unwrap(), most, most);
            one(&PolyRing::new(&device, short(7)).unwrap(), 8 * most, 8 * most);
        }
    }
}
