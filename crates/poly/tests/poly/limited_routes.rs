//! Every route of products by transforms with one, two, three and four passes, by devices with small tiles: against the host, whose
//! products other tests compare with the definition. A kind of route that no case reaches fails the test.

use std::collections::BTreeMap;

use manycore_device::{Device, View};
use manycore_field::{Goldilocks, PrimeField, ResidueWord};
use manycore_ntt::{Kind, Ntt, NttField};
use manycore_poly::multiply::transform::shape::{Cut, Length, Shape};
use manycore_poly::multiply::transform::{Residues, Route, TransformProduct};
use manycore_testkit::limited_devices;
use manycore_tuning::Costed;

/// With roots of order 2^26; without any of use; of 62 bits with roots of order 2^20; the largest below 2^63.
const NTT: u32 = 469_762_049;
const SMALL: u32 = 9001;
const LONG: u64 = 4_611_686_018_326_724_609;
const LARGEST: u64 = 9_223_372_036_854_775_783;

fn elements<F: NttField>(field: &F, len: usize, salt: u64) -> Vec<F::Element> {
    let value = |i: u64| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(salt).rotate_left(29);
    (0..len as u64).map(|i| F::Element::from_u64(value(i) % field.order())).collect()
}

/// The product, over memory that had other numbers before.
fn product<F: NttField>(by: &TransformProduct<F>, shape: &Shape, route: Option<&Route>) -> Vec<F::Element> {
    let (device, field) = (by.device(), by.field());
    let a = device.upload(&elements(field, shape.count * shape.n, 1)).unwrap();
    let b = device.upload(&elements(field, shape.count * shape.m, 2)).unwrap();
    let mut out = device.upload(&vec![F::Element::from_u64(1); shape.count * shape.len]).unwrap();
    let right: View<'_, F::Element> = if shape.square { (&a).into() } else { (&b).into() };
    match route {
        Some(route) => by.multiply_by((&a).into(), right, shape.count, shape.low, (&mut out).into(), route).unwrap(),
        None => by.multiply((&a).into(), right, shape.count, shape.low, (&mut out).into()).unwrap(),
    }
    out.download().unwrap()
}

/// The passes of the transforms of a route; `None` where the device has no plan of so long transforms.
fn passes<F: NttField>(by: &TransformProduct<F>, rows: usize, route: &Route) -> Option<usize> {
    fn of<G: NttField>(device: &Device, field: &G, length: Length, rows: usize) -> Option<usize> {
        // The longer one of both parts of a length of three quarters.
        let log_len = match length {
            Length::Power(log_len) => log_len,
            Length::ThreeQuarters(log_len) => log_len + 1,
        };
        let ntt = Ntt::with_machine(device, device.machine(), field, 1 << log_len, Kind::Cyclic).unwrap();
        Some(ntt.explain(rows << log_len).ok()?.best().parameters.passes.len())
    }
    let (device, length) = (by.device(), route.cut.length);
    let prime = |bits| {
        manycore_field::primes::ntt_primes(bits, if bits > 31 { 32 } else { 24 }).next().expect("there are such primes")
    };
    match route.residues {
        Residues::Direct => of(device, by.field(), length, rows),
        Residues::Primes { bits: bits @ ..=31, .. } => {
            of(device, &PrimeField::<u32>::new(prime(bits) as u32).unwrap(), length, rows)
        }
        Residues::Primes { bits, .. } => of(device, &PrimeField::<u64>::new(prime(bits)).unwrap(), length, rows),
    }
}

/// What tells the code of one route from that of another: the primes, how operands are cut, whether the last pass writes the
/// result, and the passes.
fn kind(shape: &Shape, route: &Route, passes: usize) -> String {
    let Route { residues, cut: Cut { length, blocks, .. }, tiled } = *route;
    let residues = match residues {
        Residues::Direct => "p itself".to_owned(),
        Residues::Primes { bits, .. } => format!("{bits} bits"),
    };
    let length = if matches!(length, Length::Power(_)) { "power" } else { "three quarters" };
    let cut = if blocks > 1 { "blocks" } else { "one row" };
    let terms = shape.n + shape.m - 1;
    let part = match () {
        () if shape.low != 0 || shape.len != terms => "part",
        // The last coefficients fall onto the first ones.
        () if blocks == 1 && terms > route.cut.length.values() => "folding",
        () => "whole",
    };
    let tiled = if tiled { ", in a tile" } else { "" };
    format!("{residues}, {length}, {cut}, {part}, {passes} passes{tiled}")
}

/// The first case of each kind of route on a device.
fn cover<F: NttField>(device: &Device, field: &F, seen: &mut BTreeMap<String, usize>) {
    let by = TransformProduct::with_machine(device, device.machine(), field).unwrap();
    let host = TransformProduct::with_machine(&Device::host(), Device::host().machine(), field).unwrap();
    for log_len in [6u32, 7, 8, 10, 13, 16, 19] {
        let half = 1usize << (log_len - 1);
        let full = Shape::full(half, half - 3);
        let shapes = [
            full,
            // A middle product; of three quarters; in blocks, whole and in part, several; by itself; with coefficients that fold.
            Shape { low: half - 4, len: half, ..full },
            Shape::full(half - half / 4, half - half / 4),
            Shape::full(4 * half, half / 2),
            Shape { count: 2, low: 5, len: 2 * half, ..Shape::full(4 * half, half / 2) },
            Shape { m: half, square: true, ..Shape::full(half, half) },
            Shape::full(half + 1, half + 1),
        ];
        for shape in &shapes {
            let mut expected = None;
            for route in by.candidates(shape, by.machine()) {
                let rows = shape.count * route.cut.blocks + if shape.square { 0 } else { shape.count };
                let Some(passes) = passes(&by, rows, &route) else { continue };
                let name = kind(shape, &route, passes);
                let count = seen.entry(name.clone()).or_default();
                *count += 1;
                if *count == 1 {
                    let expected = expected.get_or_insert_with(|| product(&host, shape, None));
                    let right = product(&by, shape, Some(&route)) == *expected;
                    assert!(right, "{device:?}: {shape} mod {}: {route} ({name})", field.order());
                }
            }
        }
    }
}

/// Kinds with `residues` that must be among those seen: every cut with one to four passes.
fn require(seen: &BTreeMap<String, usize>, residues: &str, lengths: &[&str]) {
    for length in lengths {
        for passes in 1..=4 {
            let has = |part: &str| seen.contains_key(&format!("{residues}, {length}, {part}, {passes} passes"));
            let enough = match *length {
                ONE_ROW => has("whole") && has("part") && has("folding"),
                BLOCKS => has("whole") && has("part"),
                // Short products take a shorter power of two, onto which coefficients fold.
                _ => has("whole") || has("part"),
            };
            assert!(enough, "no case has {residues}, {length}, {passes} passes: {seen:#?}");
        }
    }
}

const ONE_ROW: &str = "power, one row";
const BLOCKS: &str = "power, blocks";
const CUTS: [&str; 3] = [ONE_ROW, BLOCKS, "three quarters, one row"];

#[test]
fn every_route_of_one_to_four_passes_equals_the_host() {
    for device in limited_devices() {
        let mut seen = BTreeMap::new();
        cover(&device, &PrimeField::<u32>::new(SMALL).unwrap(), &mut seen);
        require(&seen, "31 bits", &CUTS);
        require(&seen, "62 bits", &CUTS);
        if device.info().fp64 {
            require(&seen, "50 bits", &CUTS);
        }
        let mut seen = BTreeMap::new();
        cover(&device, &PrimeField::<u32>::new(NTT).unwrap(), &mut seen);
        require(&seen, "p itself", &CUTS);
    }
}

#[test]
fn every_route_of_long_words_of_one_to_four_passes_equals_the_host() {
    for device in limited_devices() {
        let mut seen = BTreeMap::new();
        cover(&device, &PrimeField::<u64>::new(LONG).unwrap(), &mut seen);
        require(&seen, "p itself", &CUTS);
        let mut seen = BTreeMap::new();
        cover(&device, &PrimeField::<u64>::new(LARGEST).unwrap(), &mut seen);
        require(&seen, "31 bits", &CUTS);
        let mut seen = BTreeMap::new();
        cover(&device, &Goldilocks, &mut seen);
        require(&seen, "p itself", &CUTS);
    }
}
