//! Products by transforms on the host and every OpenCL device: against the definition, and at random points.

use manycore_device::{Device, DeviceKind, Executor, View, ViewMut};
use manycore_field::{Goldilocks, PrimeField, ResidueWord};
use manycore_ntt::NttField;
use manycore_poly::multiply::transform::shape::{Cut, Length, Shape};
use manycore_poly::multiply::transform::{ProductError, Residues, Route, TransformProduct};
use manycore_testkit::{devices, simulated};
use manycore_tuning::Costed;

const NTT: u64 = 469_762_049;
/// `2^31 - 1`: no roots of unity but of order 2.
const MERSENNE: u64 = 2_147_483_647;
/// Of 62 bits, with roots of unity.
const LONG: u64 = 4_611_686_009_971_671_041;
/// The largest below `2^63`.
const LARGEST: u64 = 9_223_372_036_854_775_783;

fn short(p: u64) -> PrimeField<u32> {
    PrimeField::new(p as u32).unwrap()
}

fn long(p: u64) -> PrimeField<u64> {
    PrimeField::new(p).unwrap()
}

/// Whether a CPU compiles the kernels, which takes it about a second each, or simulates them: fewer shapes are tried.
fn sparing(device: &Device) -> bool {
    simulated(device) || !matches!(device.executor(), Executor::Host(_)) && device.info().kind != DeviceKind::Gpu
}

/// Residues that look random, with the ends of the range among them.
fn elements<F: NttField>(field: &F, len: usize, salt: u64) -> Vec<F::Element> {
    let p = field.order();
    let value = |i: usize| match i % 11 {
        0 => p - 1,
        7 => 0,
        _ => (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(salt).rotate_left(29) % p,
    };
    (0..len).map(|i| F::Element::from_u64(value(i))).collect()
}

/// The definition.
fn schoolbook<F: NttField>(field: &F, a: &[F::Element], b: &[F::Element], low: usize, len: usize) -> Vec<F::Element> {
    let mut all = vec![field.zero(); (a.len() + b.len()).max(low + len)];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            all[i + j] = field.add(all[i + j], field.mul(x, y));
        }
    }
    all[low..low + len].to_vec()
}

fn each_schoolbook<F: NttField>(field: &F, (a, b): (&[F::Element], &[F::Element]), shape: &Shape) -> Vec<F::Element> {
    let one = |i: usize| {
        let (a, b) = (&a[i * shape.n..(i + 1) * shape.n], &b[i * shape.m..(i + 1) * shape.m]);
        schoolbook(field, a, b, shape.low, shape.len)
    };
    (0..shape.count).flat_map(one).collect()
}

/// The value at `x`, by Horner's rule.
fn value<F: NttField>(field: &F, f: &[F::Element], x: F::Element) -> F::Element {
    f.iter().rev().fold(field.zero(), |sum, &c| field.add(field.mul(sum, x), c))
}

struct Case<'a, F: NttField> {
    product: &'a TransformProduct<F>,
    a: Vec<F::Element>,
    b: Vec<F::Element>,
    shape: Shape,
}

impl<'a, F: NttField> Case<'a, F> {
    fn new(product: &'a TransformProduct<F>, shape: Shape) -> Self {
        let field = product.field();
        let a = elements(field, shape.count * shape.n, 1);
        let b = if shape.square { a.clone() } else { elements(field, shape.count * shape.m, 2) };
        Self { product, a, b, shape }
    }

    fn run(&self, route: Option<&Route>) -> Result<Vec<F::Element>, ProductError> {
        let device = self.product.device();
        let (a, b) = (device.upload(&self.a)?, device.upload(&self.b)?);
        // What was there must be overwritten.
        let mut out = device.upload(&vec![F::Element::from_u64(1); self.shape.count * self.shape.len])?;
        let right: View<'_, F::Element> = if self.shape.square { (&a).into() } else { (&b).into() };
        let (count, low, to) = (self.shape.count, self.shape.low, ViewMut::from(&mut out));
        match route {
            None => self.product.multiply((&a).into(), right, count, low, to)?,
            Some(route) => self.product.multiply_by((&a).into(), right, count, low, to, route)?,
        }
        Ok(out.download()?)
    }

    fn name(&self, route: Option<&Route>) -> String {
        let by = route.map_or("the best estimate".to_owned(), ToString::to_string);
        format!("{:?}: {} mod {}, {by}", self.product.device(), self.shape, self.product.field().order())
    }

    /// By the best estimate against the definition.
    fn check(&self) {
        let expected = each_schoolbook(self.product.field(), (&self.a, &self.b), &self.shape);
        assert!(self.run(None).unwrap() == expected, "{}", self.name(None));
    }

    /// By every route.
    fn check_routes(&self, takes: impl Fn(&Route) -> bool) {
        let expected = each_schoolbook(self.product.field(), (&self.a, &self.b), &self.shape);
        for route in self.product.candidates(&self.shape, self.product.machine()) {
            if takes(&route) {
                assert!(self.run(Some(&route)).unwrap() == expected, "{}", self.name(Some(&route)));
            }
        }
    }
}

fn context<F: NttField>(device: &Device, field: &F) -> TransformProduct<F> {
    TransformProduct::with_machine(device, device.machine(), field).unwrap()
}

const SIZES: [usize; 11] = [1, 2, 3, 7, 8, 9, 63, 64, 65, 200, 1000];

fn products_of_all_sizes<F: NttField>(device: &Device, field: &F) {
    let product = context(device, field);
    let sizes: &[usize] = match () {
        () if simulated(device) => &[1, 9],
        () if sparing(device) => &[1, 9, 65],
        () => &SIZES,
    };
    for &n in sizes {
        for &m in sizes {
            Case::new(&product, Shape::full(n, m)).check();
        }
    }
}

#[test]
fn full_products_of_all_sizes_equal_the_definition() {
    for device in devices() {
        for p in [2, 3, 7, 9001, NTT, 998_244_353, 2_013_265_921, MERSENNE] {
            if !sparing(&device) || p == MERSENNE {
                products_of_all_sizes(&device, &short(p));
            }
        }
        for p in [2, 7, NTT, LONG, LARGEST] {
            if !sparing(&device) {
                products_of_all_sizes(&device, &long(p));
            }
        }
        if !sparing(&device) {
            products_of_all_sizes(&device, &Goldilocks);
        }
    }
}

fn ranges<F: NttField>(device: &Device, field: &F) {
    let product = context(device, field);
    let small = simulated(device);
    let (n, m) = if small { (9, 5) } else { (150, 70) };
    let all = n + m - 1;
    let ranges =
        [(0, m), (m - 1, n - m + 1), (n, m), (3, 1), (all - 1, 1), (all - 2, 5), (all, 3), (0, 0), (n / 2, all)];
    for (low, len) in ranges {
        if sparing(device) && ![m - 1, all - 2].contains(&low) {
            continue;
        }
        Case::new(&product, Shape { count: 1, n, m, low, len, square: false }).check();
        Case::new(&product, Shape { count: 3, n: m, m: n, low, len, square: false }).check();
        Case::new(&product, Shape { count: 2, n, m: n, low, len, square: true }).check();
    }
}

#[test]
fn short_and_middle_products_and_squares_equal_the_definition() {
    for device in devices() {
        for p in [2, 9001, NTT, MERSENNE] {
            if !sparing(&device) || p == NTT {
                ranges(&device, &short(p));
            }
        }
        if !sparing(&device) {
            ranges(&device, &long(LONG));
            ranges(&device, &long(LARGEST));
            ranges(&device, &Goldilocks);
        }
    }
}

/// Every set of primes, whole and half lengths, blocks.
fn routes<F: NttField>(device: &Device, field: &F) {
    let product = context(device, field);
    let shapes = if simulated(device) {
        vec![Shape::full(6, 6), Shape::full(20, 3)]
    } else {
        vec![
            Shape::full(96, 96),
            Shape::full(65, 65),
            Shape::full(1000, 9),
            Shape::full(3, 700),
            Shape { count: 3, ..Shape::full(90, 100) },
            Shape { count: 2, low: 30, len: 300, ..Shape::full(500, 20) },
            Shape { square: true, ..Shape::full(96, 96) },
            Shape { count: 2, square: true, ..Shape::full(65, 65) },
        ]
    };
    let last = shapes.len() - 1;
    for (i, shape) in shapes.into_iter().enumerate() {
        if sparing(device) && ![0, 2, 5, last].contains(&i) {
            continue;
        }
        let case = Case::new(&product, shape);
        case.check_routes(|route| {
            !sparing(device) || i == 0 || matches!(route.residues, Residues::Direct) || route.cut.blocks > 1
        });
    }
}

#[test]
fn every_route_equals_the_definition() {
    for device in devices() {
        for p in [3, 9001, NTT, MERSENNE] {
            if !sparing(&device) || p == MERSENNE {
                routes(&device, &short(p));
            }
        }
        for p in [NTT, LONG, LARGEST] {
            if !sparing(&device) || p == LARGEST {
                routes(&device, &long(p));
            }
        }
        routes(&device, &Goldilocks);
    }
}

/// Loads, transforms and products of short rows as one launch, in every arithmetic; CPUs are not offered it.
#[test]
fn products_in_one_launch_equal_the_definition() {
    fn one<F: NttField>(device: &Device, field: &F, shape: Shape, residues: Residues, length: u32) {
        let product = context(device, field);
        let case = Case::new(&product, shape);
        let expected = each_schoolbook(field, (&case.a, &case.b), &shape);
        let (block, blocks) = if shape.n > 1 << length { ((1 << length) - shape.m + 1, 0) } else { (shape.n, 1) };
        let blocks = if blocks == 0 { shape.n.div_ceil(block) } else { blocks };
        let route = Route { residues, cut: Cut { length: Length::Power(length), block, blocks }, tiled: true };
        assert!(case.run(Some(&route)).unwrap() == expected, "{}", case.name(Some(&route)));
    }
    let words = |bits, count| Residues::Primes { bits, count };
    for device in devices() {
        if matches!(device.executor(), Executor::Host(_)) {
            continue;
        }
        let wide = if simulated(&device) { 5 } else { 9 };
        let half = 1 << (wide - 1);
        one(&device, &short(NTT), Shape::full(half, half), Residues::Direct, wide);
        one(&device, &short(NTT), Shape::full(half + 1, half + 1), Residues::Direct, wide);
        // Rows that share a tile, the coefficients of a middle product.
        let middle = Shape { count: 5, low: 3, len: 4, ..Shape::full(7, 4) };
        one(&device, &short(NTT), middle, Residues::Direct, 3);
        one(&device, &short(NTT), Shape { count: 3, square: true, ..Shape::full(4, 4) }, Residues::Direct, 3);
        one(&device, &short(MERSENNE), Shape::full(40, 3), words(31, 3), 4);
        one(&device, &long(LONG), Shape::full(8, 8), Residues::Direct, 4);
        one(&device, &long(LARGEST), Shape { count: 2, ..Shape::full(8, 8) }, words(31, 5), 4);
        if device.info().fp64 {
            one(&device, &long(LARGEST), Shape::full(8, 8), words(50, 3), 4);
        }
        one(&device, &Goldilocks, Shape::full(half, half), Residues::Direct, wide);
    }
}

/// All coefficients `p - 1`: the bound of the reconstruction is reached.
#[test]
fn the_largest_coefficients_are_told_apart() {
    fn one<F: NttField>(device: &Device, field: &F, n: usize) {
        let product = context(device, field);
        let mut case = Case::new(&product, Shape::full(n, n));
        case.a = vec![F::Element::from_u64(field.order() - 1); n];
        case.b = case.a.clone();
        // (p - 1)^2 = 1: the coefficients are the numbers of their terms.
        let expected: Vec<F::Element> =
            (0..2 * n - 1).map(|i| field.natural((i + 1).min(2 * n - 1 - i) as u64)).collect();
        for route in product.candidates(&case.shape, product.machine()) {
            let few =
                matches!((route.residues, route.cut.length), (Residues::Primes { bits: 31, .. }, Length::Power(_)));
            if sparing(device) && !few {
                continue;
            }
            assert!(case.run(Some(&route)).unwrap() == expected, "{}", case.name(Some(&route)));
        }
    }
    for device in devices() {
        let n = if sparing(&device) { 8 } else { 700 };
        for p in [2, 3, 7, 9001, NTT, MERSENNE] {
            if !sparing(&device) || p == MERSENNE {
                one(&device, &short(p), n);
            }
        }
        one(&device, &long(LARGEST), n);
    }
}

/// Long products at random points: both sides computed by Horner's rule.
#[test]
fn long_products_have_the_values_of_their_factors_products() {
    fn one<F: NttField>(device: &Device, field: &F, n: usize, m: usize) {
        let product = context(device, field);
        let case = Case::new(&product, Shape::full(n, m));
        let f = case.run(None).unwrap();
        for i in 0..3u64 {
            let x = F::Element::from_u64(0x1234_5678_9abc_def1u64.wrapping_mul(2 * i + 1) % field.order());
            let expected = field.mul(value(field, &case.a, x), value(field, &case.b, x));
            assert!(value(field, &f, x) == expected, "{}", case.name(None));
        }
    }
    for device in devices() {
        if simulated(&device) {
            continue;
        }
        let sizes: &[(usize, usize)] = match device.info().kind {
            DeviceKind::Gpu => &[(1 << 20, 1 << 20), (1 << 16, 1 << 12), (3, 5000), (100_000, 777), (49_000, 49_000)],
            DeviceKind::Host => &[(1 << 15, 1 << 15), (3, 5000), (40_000, 777), (49_000, 49_000)],
            // Of several passes.
            _ => &[(3, 5000), (12_000, 12_000)],
        };
        for &(n, m) in sizes {
            for p in [2, NTT, MERSENNE] {
                if !sparing(&device) || (p == MERSENNE) == (n == 3) {
                    one(&device, &short(p), n, m);
                }
            }
            for p in [LONG, LARGEST] {
                if !sparing(&device) || (p == LARGEST) == (n == 3) {
                    one(&device, &long(p), n, m);
                }
            }
            if !sparing(&device) {
                one(&device, &Goldilocks, n, m);
            }
        }
    }
}

/// Parts of larger buffers, at places that no kernel can be given.
#[test]
fn operands_and_results_are_parts_of_buffers() {
    for device in devices() {
        let field = short(MERSENNE);
        let product = context(&device, &field);
        let (a, b) = (elements(&field, 50, 1), elements(&field, 40, 2));
        let (x, y) = (device.upload(&a).unwrap(), device.upload(&b).unwrap());
        let mut out = device.upload(&vec![5u32; 100]).unwrap();
        let to = out.view_mut(7..7 + 38).unwrap();
        product.multiply(x.view(3..33).unwrap(), y.view(5..14).unwrap(), 1, 0, to).unwrap();
        let out = out.download().unwrap();
        assert_eq!(out[7..45], schoolbook(&field, &a[3..33], &b[5..14], 0, 38), "{device:?}");
        assert!(out[..7].iter().chain(&out[45..]).all(|&x| x == 5), "{device:?}");
    }
}

#[test]
fn each_step_launches_its_kernel() {
    for device in devices() {
        if matches!(device.executor(), Executor::Host(_)) {
            continue;
        }
        let product = context(&device, &short(NTT));
        let case = Case::new(&product, Shape::full(6, 6));
        let cut = |length| Cut { length, block: 6, blocks: 1 };
        let mut names = Vec::new();
        for length in [Length::Power(4), Length::ThreeQuarters(2)] {
            let route = Route { residues: Residues::Direct, cut: cut(length), tiled: false };
            case.run(Some(&route)).unwrap();
            let (done, profile) = device.profile(|| case.run(Some(&route))).unwrap();
            done.unwrap();
            names.extend(profile.entries.iter().map(|entry| entry.name));
        }
        let route = Route { residues: Residues::Direct, cut: cut(Length::Power(4)), tiled: true };
        case.run(Some(&route)).unwrap();
        let (done, profile) = device.profile(|| case.run(Some(&route))).unwrap();
        done.unwrap();
        names.extend(profile.entries.iter().map(|entry| entry.name));
        // Longer than any tile.
        if !simulated(&device) {
            let case = Case::new(&product, Shape::full(1 << 15, 1 << 15));
            case.run(None).unwrap();
            let (done, profile) = device.profile(|| case.run(None)).unwrap();
            done.unwrap();
            names.extend(profile.entries.iter().map(|entry| entry.name));
            for kernel in ["transform_load_columns", "transform_middle", "transform_store_columns"] {
                assert!(names.contains(&kernel), "{device:?}: {names:?}");
            }
        }
        // A profile is of the whole device: other tests of this program may have launches of their own in it.
        for kernel in [
            "transform_load",
            "transform_product",
            "transform_store",
            "transform_load_twisted",
            "transform_combine",
            "transform_tile",
        ] {
            assert!(names.contains(&kernel), "{device:?}: {names:?}");
        }
    }
}
