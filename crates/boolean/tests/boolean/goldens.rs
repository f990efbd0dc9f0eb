//! Known values of functions and S-boxes, on the host and on every OpenCL device.

use std::collections::BTreeMap;

use crate::common::{aes, kasumi_s7, power};
use manycore_boolean::{Boolean, HexOrder, SBox, TruthTable};
use manycore_device::Device;
use manycore_testkit::{devices, simulated};

/// The host, and every device that is no simulator.
fn quick_devices() -> Vec<Device> {
    devices().into_iter().filter(|device| !simulated(device)).collect()
}

fn counts<K: Ord + Copy, const N: usize>(pairs: [(K, u64); N]) -> BTreeMap<K, u64> {
    pairs.into_iter().collect()
}

#[test]
fn a_function_of_three_variables() {
    for device in devices() {
        let boolean = Boolean::new(&device);
        let f = TruthTable::from_values(&[1, 0, 0, 1, 0, 1, 1, 1]).unwrap();
        let on_device = boolean.upload(&f).unwrap();
        let walsh = boolean.walsh(&on_device).unwrap().download().unwrap();
        // Of the values as 0 and 1 the spectrum is half of 2^n at 0, less that of the signs.
        let of_values: Vec<i32> = (0i32..).zip(&walsh).map(|(w, v)| (8 * i32::from(w == 0) - v) / 2).collect();
        assert_eq!(of_values, [5, -1, -1, 1, -1, 1, 1, 3]);
        let anf = boolean.anf(&on_device).unwrap();
        let coefficients: Vec<u8> = anf.coefficients().values().map(u8::from).collect();
        assert_eq!(coefficients, [1, 1, 1, 0, 1, 0, 0, 1]);
        assert_eq!(anf.to_string(), "x1 x2 x3 + x1 + x2 + x3 + 1");
        assert_eq!(f.numerical_normal_form().unwrap(), [1, -1, -1, 2, -1, 2, 2, -3]);

        let f = boolean.upload(&TruthTable::from_values(&[0, 0, 1, 0, 0, 1, 0, 0]).unwrap()).unwrap();
        let walsh = boolean.walsh(&f).unwrap();
        assert_eq!(walsh.download().unwrap(), [4, 0, 0, 4, 0, -4, 4, 0]);
        assert_eq!(boolean.walsh_summary(&walsh).unwrap().correlation_immunity(), 1);
    }
}

#[test]
fn a_bent_function_of_six_variables() {
    for device in devices() {
        let boolean = Boolean::new(&device);
        // In either order of the digits.
        for order in [HexOrder::Integer, HexOrder::Listing] {
            let f = TruthTable::from_hex(6, "0113077C165E76A8", order).unwrap();
            let properties = boolean.properties(&f).unwrap();
            assert!(properties.walsh.is_bent());
            assert_eq!((properties.degree, properties.walsh.nonlinearity()), (3, 28));
            let walsh = boolean.walsh(&boolean.upload(&f).unwrap()).unwrap();
            assert_eq!(boolean.histogram(&walsh).unwrap().absolute(), counts([(8, 64)]));
            // The dual's dual is the function.
            let dual = boolean.dual(&walsh).unwrap().unwrap();
            let back = boolean.dual(&boolean.walsh(&dual).unwrap()).unwrap().unwrap();
            assert_eq!(back.download().unwrap(), f);
        }
    }
}

#[test]
fn every_component_of_the_aes_sbox() {
    let sbox = aes();
    let expected = counts([(0, 17), (4, 48), (8, 36), (12, 40), (16, 34), (20, 24), (24, 36), (28, 16), (32, 5)]);
    for device in quick_devices() {
        let boolean = Boolean::new(&device);
        let sparing = device != Device::host();
        for mask in (1..=255).step_by(if sparing { 50 } else { 1 }) {
            let f = sbox.component(mask).unwrap();
            let properties = boolean.properties(&f).unwrap();
            assert_eq!((properties.walsh.nonlinearity(), properties.degree), (112, 7), "{mask}");
            assert_eq!(properties.autocorrelation.absolute_indicator(), 32, "{mask}");
            assert_eq!(properties.autocorrelation.sum_of_squares(), 133_120, "{mask}");
            let walsh = boolean.walsh(&boolean.upload(&f).unwrap()).unwrap();
            assert_eq!(boolean.histogram(&walsh).unwrap().absolute(), expected, "{mask}");
        }
        let terms = (0..8).map(|i| boolean.properties(&sbox.component(1 << i).unwrap()).unwrap().terms);
        assert_eq!(terms.collect::<Vec<u64>>(), [132, 133, 145, 136, 131, 114, 112, 110]);
    }
    let arithmetic = sbox.component(1).unwrap().numerical_normal_form().unwrap();
    assert_eq!((arithmetic.iter().min(), arithmetic.iter().max()), (Some(&-10), Some(&7)));
    assert_eq!(arithmetic.iter().filter(|c| **c != 0).count(), 205);
    assert_eq!(arithmetic.iter().sum::<i32>(), 0);
}

#[test]
fn the_aes_sbox() {
    let sbox = aes();
    assert_eq!((sbox.values()[0], sbox.values()[0x53]), (0x63, 0xed));
    assert_eq!(sbox.component_degrees(), counts([(7, 255)]));
    assert!(sbox.is_permutation() && sbox.fixed_points().next().is_none());
    assert_eq!(sbox.boomerang_uniformity(), Ok(6));
    for device in quick_devices() {
        let boolean = Boolean::new(&device);
        let linear = boolean.linear_summary(&sbox).unwrap();
        let each = [(0, 17), (4, 48), (8, 36), (12, 40), (16, 34), (20, 24), (24, 36), (28, 16), (32, 5)];
        assert_eq!(linear.components().absolute(), counts(each.map(|(value, count)| (value, 255 * count))));
        assert_eq!((linear.nonlinearity(), linear.linearity), (112, 32));
        let differences = boolean.difference_summary(&sbox).unwrap();
        assert_eq!(differences.nontrivial().counts, counts([(0, 32_895), (2, 32_130), (4, 255)]));
        assert_eq!(differences.histogram.total(), 1 << 16);
        assert_eq!(differences.uniformity, 4);
    }
}

#[test]
fn other_sboxes() {
    for device in quick_devices() {
        let boolean = Boolean::new(&device);
        let s7 = boolean.linear_summary(&kasumi_s7()).unwrap();
        assert_eq!(s7.histogram.absolute(), counts([(0, 8255), (16, 8128), (128, 1)]));
        assert_eq!(s7.nonlinearity(), 56);
        let cube = boolean.linear_summary(&power(5, 0b10_0101, 3)).unwrap();
        assert_eq!(cube.components().counts, counts([(-8, 186), (0, 496), (8, 310)]));
        let inverse = boolean.linear_summary(&power(5, 0b10_0101, 30)).unwrap();
        let expected = counts([(-8, 155), (-4, 155), (0, 186), (4, 310), (8, 155), (12, 31)]);
        assert_eq!(inverse.components().counts, expected);
        // Both are almost perfect nonlinear.
        for exponent in [3, 30] {
            assert_eq!(boolean.difference_summary(&power(5, 0b10_0101, exponent)).unwrap().uniformity, 2);
        }
        // PRESENT: differential branch number 3, linear 2.
        let present = SBox::parse("c 5 6 b 9 0 a d 3 e f 8 4 7 1 2", 16).unwrap();
        let linear = boolean.linear_summary(&present).unwrap();
        let differences = boolean.difference_summary(&present).unwrap();
        assert_eq!((linear.branch_number, differences.branch_number), (2, 3));
        assert_eq!((linear.linearity, differences.uniformity), (8, 4));
    }
}
