//! Figures of many S-boxes against the definitions and the whole tables, on the host and on every OpenCL device.

use crate::common::{aes, kasumi_s7, power, random_permutation, random_sbox};
use manycore_boolean::sbox::reference;
use manycore_boolean::{Boolean, BooleanError, SBox, SBoxes, linearities_over, nonlinearities_over, uniformities_over};
use manycore_device::{Device, DeviceError, DeviceSet};
use manycore_testkit::{devices, simulated};
use proptest::prelude::*;

fn linearity(sbox: &SBox) -> u32 {
    reference::component_linearities(sbox).into_iter().max().unwrap()
}

/// Constants, linear and random ones of these bits.
fn boxes(m: u32, n: u32) -> Vec<SBox> {
    let mut boxes = vec![
        random_sbox(m, n, u64::from(m * 17 + n)),
        SBox::new(n, vec![0; 1 << m]).unwrap(),
        SBox::new(n, vec![((1u32 << n) - 1) as u16; 1 << m]).unwrap(),
        SBox::new(n, (0..1u32 << m).map(|x| (x & ((1 << n) - 1)) as u16).collect()).unwrap(),
        // One input away from a constant: the largest counts but one.
        SBox::new(n, (0..1u32 << m).map(|x| u16::from(x == 1)).collect()).unwrap(),
    ];
    boxes.extend((m == n).then(|| random_permutation(m, 3)));
    boxes
}

fn check(boolean: &Boolean, boxes: &[SBox]) {
    let what = format!("{:?}", boolean.device());
    let linearities: Vec<u32> = boxes.iter().map(linearity).collect();
    let uniformities: Vec<u32> = boxes.iter().map(reference::differential_uniformity).collect();
    let nonlinearities: Vec<u32> = boxes.iter().map(|s| (s.inputs() as u32 - linearity(s)) / 2).collect();
    assert_eq!(boolean.linearities(boxes).unwrap(), linearities, "{what}");
    assert_eq!(boolean.uniformities(boxes).unwrap(), uniformities, "{what}");
    assert_eq!(boolean.nonlinearities(boxes).unwrap(), nonlinearities, "{what}");
    for sbox in boxes {
        let expected = reference::component_linearities(sbox);
        let most = expected.iter().max().unwrap();
        let worst: Vec<u16> = (1..).zip(&expected).filter(|(_, v)| *v == most).map(|(mask, _)| mask).collect();
        assert_eq!(boolean.component_linearities(sbox).unwrap(), expected, "{what} {sbox}");
        assert_eq!(boolean.worst_components(sbox).unwrap(), worst, "{what} {sbox}");
    }
}

/// All shapes in one batch, in their order.
#[test]
fn shapes_stand_in_one_batch() {
    for device in devices() {
        let most = if simulated(&device) { 4 } else { 7 };
        let shapes = [(7, 7), (1, 1), (1, 3), (2, 2), (3, 1), (2, 5), (4, 4), (6, 4), (4, 7), (5, 6), (1, 7), (7, 1)];
        let shapes = shapes.into_iter().filter(|&(m, n)| m <= most && n <= most);
        let mut all: Vec<SBox> = shapes.flat_map(|(m, n)| boxes(m, n)).collect();
        // Shapes come back again and again.
        all.extend(all.iter().rev().step_by(3).cloned().collect::<Vec<_>>());
        check(&Boolean::new(&device), &all);
    }
}

/// Words of two lanes, several tiles, and S-boxes that no group has room for, against the whole tables.
#[test]
fn wider_sboxes_equal_their_summaries() {
    let host = Boolean::new(&Device::host());
    let wide = [
        random_permutation(8, 1),
        random_sbox(8, 11, 2),
        random_permutation(9, 3),
        random_sbox(9, 2, 4),
        random_sbox(11, 12, 5),
        random_sbox(12, 5, 6),
        random_sbox(3, 16, 7),
        random_sbox(13, 3, 8),
        random_permutation(13, 9),
        power(11, 0b1000_0000_0101, 3),
        SBox::new(12, (0..1 << 12).collect()).unwrap(),
        SBox::new(9, vec![7; 1 << 9]).unwrap(),
    ];
    let linear: Vec<u32> = wide.iter().map(|s| host.linear_summary(s).unwrap().linearity as u32).collect();
    let uniform: Vec<u32> = wide.iter().map(|s| host.difference_summary(s).unwrap().uniformity as u32).collect();
    for device in devices() {
        if simulated(&device) {
            continue;
        }
        let boolean = Boolean::new(&device);
        assert_eq!(boolean.linearities(&wide).unwrap(), linear, "{device:?}");
        assert_eq!(boolean.uniformities(&wide).unwrap(), uniform, "{device:?}");
        for (sbox, &linearity) in wide.iter().zip(&linear) {
            let components = boolean.component_linearities(sbox).unwrap();
            assert_eq!(components, host.component_linearities(sbox).unwrap(), "{device:?}");
            assert_eq!(components.len(), sbox.outputs() - 1);
            assert_eq!(components.into_iter().max(), Some(linearity), "{device:?}");
        }
    }
    // The cube is almost bent: every component has the same linearity.
    assert_eq!(host.component_linearities(&wide[9]).unwrap(), vec![64; 2047]);
}

#[test]
fn known_figures() {
    for device in devices() {
        if simulated(&device) {
            continue;
        }
        let boolean = Boolean::new(&device);
        let known = [aes(), kasumi_s7(), power(8, 0x11b, 254)];
        assert_eq!(boolean.nonlinearities(&known).unwrap(), [112, 56, 112], "{device:?}");
        assert_eq!(boolean.uniformities(&known).unwrap(), [4, 2, 4], "{device:?}");
        assert_eq!(boolean.worst_components(&known[0]).unwrap().len(), 255, "{device:?}");
    }
}

/// One array of bytes, of words, on the host and on the device, and by other numbers of threads.
#[test]
fn every_form_of_a_batch_gives_the_same() {
    let (m, n) = (6, 7);
    let list: Vec<SBox> = (0..500).map(|seed| random_sbox(m, n, seed)).collect();
    let words: Vec<u16> = list.iter().flat_map(SBox::values).copied().collect();
    let bytes: Vec<u8> = words.iter().map(|&y| y as u8).collect();
    let expected: Vec<u32> = list.iter().map(linearity).collect();
    let uniform: Vec<u32> = list.iter().map(reference::differential_uniformity).collect();
    let threads = [1, 3].map(|threads| Device::host_with(threads).unwrap());
    for device in devices().into_iter().chain(threads) {
        if simulated(&device) {
            continue;
        }
        let boolean = Boolean::new(&device);
        let (on_device, wide) = (device.upload(&bytes).unwrap(), device.upload(&words).unwrap());
        let forms = [
            SBoxes::from(&list),
            SBoxes::new(m, n, &bytes).unwrap(),
            SBoxes::new(m, n, &words).unwrap(),
            SBoxes::new(m, n, &on_device).unwrap(),
            SBoxes::new(m, n, &wide).unwrap(),
        ];
        for form in forms {
            assert_eq!(form.len(), 500);
            assert_eq!(boolean.linearities(form).unwrap(), expected, "{device:?} {form:?}");
            assert_eq!(boolean.uniformities(form).unwrap(), uniform, "{device:?} {form:?}");
        }
    }
}

/// What lies in a buffer may have more bits than outputs do.
#[test]
fn bits_past_the_outputs_are_left_out() {
    let sbox = random_sbox(5, 3, 4);
    let spoiled: Vec<u16> = sbox.values().iter().enumerate().map(|(x, y)| y | (x as u16) << 3).collect();
    for device in devices() {
        let boolean = Boolean::new(&device);
        let buffer = device.upload(&spoiled).unwrap();
        let batch = SBoxes::new(5, 3, &buffer).unwrap();
        assert_eq!(boolean.linearities(batch).unwrap(), [linearity(&sbox)], "{device:?}");
        assert_eq!(boolean.uniformities(batch).unwrap(), [reference::differential_uniformity(&sbox)], "{device:?}");
    }
}

#[test]
fn empty_batches_and_buffers_of_other_devices() {
    let host = Device::host();
    for device in devices() {
        let boolean = Boolean::new(&device);
        assert_eq!(boolean.linearities(&[] as &[SBox]).unwrap(), [0u32; 0]);
        assert_eq!(boolean.uniformities(SBoxes::new(8, 8, &[0u8; 0]).unwrap()).unwrap(), [0u32; 0]);
        let elsewhere = host.upload(&[0u8, 1]).unwrap();
        let found = boolean.linearities(SBoxes::new(1, 1, &elsewhere).unwrap());
        if device.same_as(&host).is_ok() {
            assert_eq!(found.unwrap(), [2]);
        } else {
            assert!(matches!(found, Err(BooleanError::Device(DeviceError::MixedDevices { .. }))), "{found:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn random_batches_equal_the_definition(shapes in prop::collection::vec((1..7u32, 1..7u32, any::<u64>()), 0..20)) {
        let boxes: Vec<SBox> = shapes.into_iter().map(|(m, n, seed)| random_sbox(m, n, seed)).collect();
        check(&Boolean::new(&Device::host()), &boxes);
    }

    /// Affine maps before and after keep both figures.
    #[test]
    fn affine_equivalent_sboxes_are_alike(seed in any::<u64>(), shift in 0..256u16, added in 0..256u16) {
        let sbox = random_permutation(8, seed);
        let values = (0..256u16).map(|x| sbox.values()[usize::from(x ^ (x >> 1) ^ shift)] ^ added).map(|y| y ^ (y >> 3));
        let other = SBox::new(8, values.collect()).unwrap();
        let boolean = Boolean::new(&Device::host());
        let linear = boolean.linearities(&[sbox.clone(), other.clone(), sbox.inverse().unwrap()]).unwrap();
        let uniform = boolean.uniformities(&[sbox.clone(), other, sbox.inverse().unwrap()]).unwrap();
        prop_assert!(linear.iter().all(|v| *v == linear[0]) && uniform.iter().all(|v| *v == uniform[0]));
    }
}

/// Devices together give what one gives, of lists, arrays and buffers.
#[test]
fn devices_share_a_batch() {
    let sets = [
        DeviceSet::from(Device::host()),
        DeviceSet::equal(vec![Device::host_with(1).unwrap(); 2]).unwrap(),
        DeviceSet::equal([devices(), vec![Device::host_with(2).unwrap()]].concat()).unwrap(),
    ];
    let boxes: Vec<SBox> = (0..1200).map(|seed| random_sbox(4, 4, seed)).chain(boxes(3, 2)).collect();
    let flat: Vec<u8> = boxes[..1200].iter().flat_map(SBox::values).map(|&y| y as u8).collect();
    let wide: Vec<u16> = flat.iter().map(|&y| y.into()).collect();
    let one = Boolean::new(&Device::host());
    for set in sets {
        for list in [&boxes[..], &boxes[..1], &[]] {
            assert_eq!(linearities_over(&set, list).unwrap(), one.linearities(list).unwrap());
            assert_eq!(uniformities_over(&set, list).unwrap(), one.uniformities(list).unwrap());
            assert_eq!(nonlinearities_over(&set, list).unwrap(), one.nonlinearities(list).unwrap());
        }
        let expected = one.uniformities(&boxes[..1200]).unwrap();
        assert_eq!(uniformities_over(&set, SBoxes::new(4, 4, &flat).unwrap()).unwrap(), expected);
        assert_eq!(uniformities_over(&set, SBoxes::new(4, 4, &wide).unwrap()).unwrap(), expected);
        let last = set.devices().last().unwrap().upload(&flat).unwrap();
        assert_eq!(uniformities_over(&set, SBoxes::new(4, 4, &last).unwrap()).unwrap(), expected);
        assert_eq!(set.failures(), []);
    }
}
