//! The kernel `kronecker_pass` (`PASS`, `PASS_RESIDUES`) on every OpenCL device, against the definition and against the host.

mod common;

use common::{Tested, assert_near, check, check_text, growth, on, prime32, prime64, random, random_small};
use manycore_device::{Device, DeviceKind};
use manycore_kronecker::transform::Limits;
use manycore_kronecker::transform::cost::{Shape, Transforms};
use manycore_kronecker::{Complexes, Goldilocks, Integers, Kronecker, KroneckerError, Plan, Reals, parse};
use manycore_testkit::{opencl_devices, simulated};
use manycore_tuning::Costed as _;

/// A CPU compiles each variant for a second: it takes fewer.
fn sparing(device: &Device) -> bool {
    device.info().kind != DeviceKind::Gpu
}

fn texts(device: &Device) -> &'static [&'static str] {
    match (simulated(device), sparing(device)) {
        (true, _) => &["arith x h12", "walsh x h12 x id3", "walsh^5"],
        (false, true) => &["walsh x h12 x id3", "arith x rm"],
        (false, false) => &[
            "h20 x walsh",
            "rm x id x h12 x walsh x arith",
            "id7",
            "h1",
            "walsh",
            "h12",
            "h28",
            "h32 x h1",
            "walsh^3 x id^2",
            "walsh^9",
            "id3 x rm x id5 x arith^2",
            "h16 x h4 x id3",
        ],
    }
}

#[test]
fn signs_over_every_ring_equal_the_definition() {
    for device in opencl_devices() {
        for (i, text) in texts(&device).iter().enumerate() {
            check_text(&device, &Integers::<i32>::new(), text, 3);
            check_text(&device, &prime32(469_762_049), text, 3);
            // The texts differ in plans, the rings in arithmetic: all pairs would be many kernels.
            if simulated(&device) || i > 1 {
                continue;
            }
            check_text(&device, &Integers::<i64>::new(), text, 1);
            check_text(&device, &Reals::<f32>::new(), text, 3);
            check_text(&device, &Reals::<f64>::new(), text, 1);
            check_text(&device, &Complexes::<f32>::new(), text, 1);
            check_text(&device, &prime64(9001), text, 1);
            check_text(&device, &Goldilocks, text, 1);
        }
    }
}

#[test]
fn products_over_every_ring_equal_the_definition() {
    for device in opencl_devices() {
        check_text(&device, &Complexes::<f32>::new(), "dft3 x dft5", 2);
        check_text(&device, &prime32(31), "dft3 x dft5", 2);
        if simulated(&device) {
            continue;
        }
        check_text(&device, &Complexes::<f64>::new(), "dft3 x id2 x dft5", 2);
        check_text(&device, &prime64(2_305_843_009_213_693_951), "dft7 x dft5", 1);
        check_text(&device, &Goldilocks, "dft4 x dft3", 1);
        if !sparing(&device) {
            check_text(&device, &Complexes::<f32>::new(), "dft16 x dft13", 2);
            check_text(&device, &Complexes::<f64>::new(), "dft2 x dft3 x dft5 x dft7", 2);
            check_text(&device, &prime32(2), "rm^8", 2);
        }
    }
}

/// Matrices of any entries, and inverses that divide.
#[test]
fn integers_wrap_around_and_divide_as_on_the_host() {
    for device in opencl_devices() {
        let ring = Integers::<i64>::new();
        let odd = manycore_kronecker::Factor::new(&ring, &[[2, 1, 0], [0, -7, 1], [i64::MIN, 0, 3]]).unwrap();
        let product = manycore_kronecker::KroneckerProduct::power(&ring, &odd, 2).unwrap();
        check(&device, &product, 5);
        if !simulated(&device) {
            let ring = Integers::<i32>::new();
            let odd = manycore_kronecker::Factor::new(&ring, &[[2, 1], [-1, 1]]).unwrap();
            let product = manycore_kronecker::KroneckerProduct::power(&ring, &odd, 2).unwrap();
            check(&device, &product.inverse().unwrap(), 5);
        }
    }
}

fn longer<V: Tested>(device: &Device, values: &V, text: &str, batch: usize) {
    let product = parse(values, text).unwrap();
    let input = random(values, product.order() * batch, 11);
    let expected = on(&Device::host(), &product, &input).unwrap();
    let what = format!("{} {text} over {}", device.info().name, values.name());
    if let Some(found) = on(device, &product, &input) {
        assert_near(values, &found, &expected, growth(&product), &what);
    }
}

/// Several passes: tiles of columns, the last of them with fewer, and many groups.
#[test]
fn long_vectors_equal_the_host_s() {
    for device in opencl_devices() {
        if simulated(&device) {
            longer(&device, &Integers::<i32>::new(), "rm x id5 x id^4", 1);
            continue;
        }
        longer(&device, &Integers::<i32>::new(), "h12 x walsh^14", 1);
        longer(&device, &Reals::<f32>::new(), "rm^3 x id3 x h12^2 x id7 x walsh", 2);
        longer(&device, &prime32(469_762_049), "arith^3 x id^11 x walsh^2", 1);
        longer(&device, &Complexes::<f32>::new(), "dft3^9", 1);
        if !sparing(&device) {
            longer(&device, &Integers::<i64>::new(), "h20 x walsh^16", 1);
            longer(&device, &Reals::<f64>::new(), "h28 x walsh^12 x h12", 1);
            longer(&device, &Goldilocks, "dft3 x walsh^10 x dft5 x walsh^5", 1);
            longer(&device, &Complexes::<f64>::new(), "dft7^5 x dft5^2", 1);
            longer(&device, &Integers::<i32>::new(), "walsh^24", 1);
        }
    }
}

/// Small tiles: columns that do not divide the rest, pieces that do not fill the last tile, one round and four.
#[test]
fn plans_within_limits_give_the_same() {
    for device in opencl_devices() {
        let ring = Integers::<i32>::new();
        let product = parse(&ring, "walsh^3 x id5 x arith x h12 x rm x id3").unwrap().wrapping();
        let input = random(&ring, product.order() * 3, 5);
        let expected = on(&Device::host(), &product, &input).unwrap();
        let kronecker = Kronecker::with_machine(&device, device.machine());
        for (tile, columns, registers) in [(100, 7, 4), (250, 36, 16), (1600, 8, 8)] {
            let limits = Limits { tile, columns, registers, rounds: 4, matrices: 4 };
            let plan = kronecker.plan_within(&product, &limits);
            let transform = kronecker.transform_by(&product, 3, plan).unwrap();
            let mut data = device.upload(&input).unwrap();
            transform.run(&mut data).unwrap();
            assert!(data.download().unwrap() == expected, "{}: {}", device.info().name, transform.plan());
        }
    }
}

/// A measurement may take another plan than the best estimate; of floating-point numbers only one of the same passes.
#[test]
fn plans_of_the_same_passes_give_the_same_bits() {
    for device in opencl_devices().into_iter().filter(|device| !simulated(device)) {
        let ring = Reals::<f32>::new();
        let product = parse(&ring, "h28 x walsh^9 x arith^5").unwrap();
        let input = random(&ring, product.order() * 2, 9);
        let kronecker = Kronecker::with_machine(&device, device.machine());
        let transformed = |plan: &Plan| {
            let mut data = device.upload(&input).unwrap();
            kronecker.transform_by(&product, 2, plan.clone()).unwrap().run(&mut data).unwrap();
            data.download().unwrap().into_iter().map(f32::to_bits).collect::<Vec<_>>()
        };
        let choice = kronecker.explain(&product, 2).unwrap();
        let (shape, operation) = (Shape::of(&product, 2), Transforms { on_host: false });
        let plans: Vec<&Plan> = choice.candidates().iter().map(|candidate| &candidate.parameters).collect();
        let mut compared = 0;
        for (i, one) in plans.iter().enumerate() {
            let same = plans[i + 1..].iter().filter(|other| operation.gives_same_bits(&shape, one, other));
            for other in same.take(if sparing(&device) { 1 - compared.min(1) } else { usize::MAX }) {
                assert!(transformed(one) == transformed(other), "{}: {one}, {other}", device.info().name);
                compared += 1;
            }
        }
        assert!(compared > 0, "{choice}");
    }
}

/// `kronecker_divide`: quotients, and the first value that has none.
#[test]
fn exact_inverses_divide_at_the_end() {
    for device in opencl_devices() {
        let ring = Integers::<i64>::new();
        let product = parse(&ring, if simulated(&device) { "h12" } else { "h12 x walsh^8" }).unwrap();
        let kronecker = Kronecker::with_machine(&device, device.machine());
        let input = random_small(&ring, product.order());
        let mut data = device.upload(&input).unwrap();
        kronecker.forward(&product, &mut data).unwrap();
        kronecker.inverse(&product, &mut data).unwrap();
        assert_eq!(data.download().unwrap(), input);
        let mut one = vec![0; product.order()];
        one[0] = 1;
        let mut data = device.upload(&one).unwrap();
        let divisor = product.order() as u64;
        let refused = Err(KroneckerError::Fraction { index: Some(0), divisor });
        assert_eq!(kronecker.inverse(&product, &mut data), refused);
    }
}
