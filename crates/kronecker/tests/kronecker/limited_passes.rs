//! Products in plans of one, two, three and four passes, by limits on their tiles, over every ring: on every OpenCL device against the
//! host, whose transforms other tests compare with the definition. A number of passes that no case reaches fails the test.

use std::collections::BTreeSet;

use crate::common::{Tested, assert_near, growth, on, prime32, prime64, random};
use manycore_device::Device;
use manycore_kronecker::transform::Limits;
use manycore_kronecker::{Complexes, Goldilocks, Integers, Kronecker, Reals, parse};
use manycore_testkit::{opencl_devices, simulated};

/// Of one, two, three and four passes.
const TEXTS: [&str; 5] =
    ["h12", "h12 x walsh^2", "walsh^4 x h12", "walsh^3 x h12 x h4", "arith x id3 x walsh^3 x rm^2 x h4 x h12"];

/// In tiles of 24 values; tells the passes.
fn in_small_tiles<V: Tested>(device: &Device, values: &V, text: &str) -> usize {
    let product = parse(values, text).unwrap().wrapping();
    let kronecker = Kronecker::with_machine(device, device.machine());
    let limits = Limits { tile: 24, columns: 2, registers: 12, rounds: 2, matrices: 2 };
    let plan = kronecker.plan_within(&product, &limits);
    let passes = plan.passes().len();
    let input = random(values, 2 * product.order(), 7);
    let mut data = device.upload::<V::Word>(bytemuck::cast_slice(&input)).unwrap();
    kronecker.transform_by(&product, 2, plan).unwrap().run(&mut data).unwrap();
    let mut found: Vec<V::Value> = bytemuck::zeroed_vec(input.len());
    data.read_into(bytemuck::cast_slice_mut(&mut found)).unwrap();
    let what = format!("{} {} {text} in {passes} passes", device.info().name, values.name());
    assert_near(values, &found, &on(&Device::host(), &product, &input).unwrap(), growth(&product), &what);
    passes
}

fn of_one_to_four_passes<V: Tested>(device: &Device, values: &V) {
    let seen: BTreeSet<usize> = TEXTS.iter().map(|text| in_small_tiles(device, values, text)).collect();
    assert!((1..=4).all(|passes| seen.contains(&passes)), "{}: passes {seen:?}", values.name());
}

#[test]
fn plans_of_one_to_four_passes_equal_the_host() {
    for device in opencl_devices() {
        if simulated(&device) {
            continue;
        }
        // Rings of one kind have the same passes: those of the longest text do for the second one.
        let longest = TEXTS[TEXTS.len() - 1];
        of_one_to_four_passes(&device, &Integers::<i32>::new());
        of_one_to_four_passes(&device, &Complexes::<f32>::new());
        of_one_to_four_passes(&device, &prime64(9_223_372_036_854_775_783));
        in_small_tiles(&device, &Integers::<i64>::new(), longest);
        in_small_tiles(&device, &Reals::<f32>::new(), longest);
        in_small_tiles(&device, &prime32(469_762_049), longest);
        in_small_tiles(&device, &Goldilocks, longest);
        if device.info().fp64 {
            in_small_tiles(&device, &Reals::<f64>::new(), longest);
        }
    }
}
