//! The kernels `boolean_signs` (`SIGNS`), `boolean_negative` (`NEGATIVE`), `boolean_squares` (`SQUARES`), `boolean_shifted`
//! (`SHIFTED`), `boolean_weigh` (`WEIGH`), `boolean_classes` (`CLASSES`), `boolean_tally` (`TALLY`), `boolean_components`
//! (`COMPONENTS`), `boolean_preimages` (`PREIMAGES`), `boolean_differences` (`DIFFERENCES`), `boolean_boomerangs`
//! (`BOOMERANGS`), `boolean_linearities` (`LINEARITIES`), `boolean_component_linearities` (`COMPONENTS`) and `boolean_uniformities` (`UNIFORMITIES`) on every OpenCL
//! device, at sizes around those of words and groups, against the definitions.

mod common;

use common::{functions, random_permutation, random_sbox};
use manycore_boolean::function::reference;
use manycore_boolean::sbox::reference as of_sbox;
use manycore_boolean::{Boolean, SBox, SBoxes, TruthTable};
use manycore_device::Device;
use manycore_testkit::{opencl_devices, simulated};

#[test]
fn spectra_equal_the_definition() {
    for device in opencl_devices() {
        let boolean = Boolean::new(&device);
        let sizes: &[u32] = if simulated(&device) { &[0, 1, 2, 6, 7] } else { &[0, 1, 2, 5, 6, 7, 8, 10] };
        for &n in sizes {
            for f in functions(n).into_iter().skip(if simulated(&device) { 6 } else { 0 }) {
                let walsh = boolean.walsh(&boolean.upload(&f).unwrap()).unwrap();
                let r = boolean.autocorrelation(&walsh).unwrap();
                let wide = |values: Vec<i32>| values.into_iter().map(i64::from).collect::<Vec<i64>>();
                assert_eq!(wide(walsh.download().unwrap()), reference::walsh(&f), "{n}");
                assert_eq!(wide(r.download().unwrap()), reference::autocorrelation(&f), "{n}");
            }
        }
    }
}

#[test]
fn sums_over_spectra_equal_the_definition() {
    for device in opencl_devices() {
        let boolean = Boolean::new(&device);
        let sizes: &[u32] = if simulated(&device) { &[0, 1, 6, 7] } else { &[0, 1, 5, 6, 7, 8, 9] };
        for &n in sizes {
            for f in functions(n).into_iter().skip(if simulated(&device) { 6 } else { 0 }) {
                let on_device = boolean.upload(&f).unwrap();
                let walsh = boolean.walsh(&on_device).unwrap();
                let summary = boolean.walsh_summary(&walsh).unwrap();
                assert_eq!(summary.nonlinearity(), reference::nonlinearity(&f));
                assert_eq!(summary.sum_of_squares(), 1 << (2 * n));
                let r = boolean.autocorrelation_summary(&boolean.autocorrelation(&walsh).unwrap()).unwrap();
                let structures = 1 << r.linear_structures().len();
                assert_eq!(reference::linear_structures(&f).len(), structures);
                let anf = reference::anf(&f);
                let degree = anf.minterms().map(u64::count_ones).max().unwrap_or(0);
                assert_eq!(boolean.weigh(&boolean.upload(&anf).unwrap()).unwrap(), (anf.weight(), degree));
                let histogram = boolean.histogram(&walsh).unwrap();
                let values = reference::walsh(&f);
                let right =
                    |(value, count): (&i64, &u64)| values.iter().filter(|v| *v == value).count() as u64 == *count;
                assert!(histogram.total() == 1 << n && histogram.counts.iter().all(right), "{n}");
                if let Some(dual) = boolean.dual(&walsh).unwrap() {
                    assert!(dual.download().unwrap().values().zip(values).all(|(sign, v)| sign == (v < 0)), "{n}");
                }
            }
        }
    }
}

/// More blocks than groups, so that groups take several.
#[test]
fn long_tables_are_summed_whole() {
    for device in opencl_devices() {
        if simulated(&device) {
            continue;
        }
        let boolean = Boolean::new(&device);
        let n = 24;
        let f = TruthTable::affine(n, 0b1010_0000_0000_0000_0000_0110, true).unwrap();
        let on_device = boolean.upload(&f).unwrap();
        assert_eq!(boolean.weigh(&on_device).unwrap().0, 1 << 23);
        let summary = boolean.walsh_summary(&boolean.walsh(&on_device).unwrap()).unwrap();
        assert_eq!((summary.sum_of_squares(), summary.linearity()), (1 << 48, 1 << 24));
        assert_eq!((summary.correlation_immunity(), summary.zeros()), (3, (1 << 24) - 1));
    }
}

#[test]
fn tables_of_sboxes_equal_the_definition() {
    for device in opencl_devices() {
        let boolean = Boolean::new(&device);
        let sizes: &[(u32, u32)] = if simulated(&device) {
            &[(1, 1), (3, 4), (4, 2)]
        } else {
            &[(1, 1), (2, 3), (3, 1), (6, 5), (7, 8), (5, 14)]
        };
        for &(m, n) in sizes {
            let mut boxes = vec![random_sbox(m, n, 17)];
            boxes.extend((m == n).then(|| random_permutation(m, 3)));
            for sbox in boxes {
                let (linear, differences) = (of_sbox::linear_table(&sbox), of_sbox::difference_table(&sbox));
                let all = 0..sbox.inputs();
                assert!(boolean.linear_table(&sbox, all.clone()).unwrap().download().unwrap() == linear, "{m} {n}");
                assert!(boolean.difference_table(&sbox, all).unwrap().download().unwrap() == differences, "{m} {n}");
                let summary = boolean.linear_summary(&sbox).unwrap();
                assert_eq!(summary.branch_number, of_sbox::linear_branch_number(&sbox));
                let count = |v: i64| linear.iter().filter(|w| i64::from(**w) == v).count() as u64;
                assert!(summary.histogram.counts.iter().all(|(&v, &c)| count(v) == c), "{m} {n}");
                let summary = boolean.difference_summary(&sbox).unwrap();
                assert_eq!(summary.branch_number, of_sbox::differential_branch_number(&sbox));
                let count = |v: i64| differences.iter().filter(|w| i64::from(**w) == v).count() as u64;
                assert!(summary.histogram.counts.iter().all(|(&v, &c)| count(v) == c), "{m} {n}");
            }
        }
    }
}

/// Rows from any place on; of a linear permutation every boomerang returns.
#[test]
fn boomerangs_equal_the_definition() {
    for device in opencl_devices() {
        let boolean = Boolean::new(&device);
        for n in if simulated(&device) { 1..=4 } else { 1..=8 } {
            let linear = SBox::new(n, (0..1u32 << n).map(|x| (x ^ (x >> 1)) as u16).collect()).unwrap();
            for sbox in [random_permutation(n, 5), linear] {
                let table = of_sbox::boomerang_table(&sbox).unwrap();
                assert!(boolean.boomerang_table(&sbox, ..).unwrap().download().unwrap() == table, "{n}");
                let rows = sbox.inputs() / 3..sbox.inputs() - 1;
                let part = table[rows.start * sbox.outputs()..rows.end.max(rows.start) * sbox.outputs()].to_vec();
                if rows.start <= rows.end {
                    assert_eq!(boolean.boomerang_table(&sbox, rows).unwrap().download().unwrap(), part, "{n}");
                }
            }
        }
    }
}

/// Lanes of 8 and of 16 bits, one tile and several, more S-boxes than groups.
#[test]
fn figures_of_batches_equal_the_definition() {
    for device in opencl_devices() {
        let boolean = Boolean::new(&device);
        let shapes: &[(u32, u32, u64)] = if simulated(&device) {
            &[(1, 1, 3), (2, 3, 2), (4, 4, 2), (3, 1, 2), (3, 13, 1)]
        } else {
            &[(1, 1, 300), (2, 3, 40), (4, 4, 1000), (6, 5, 5), (8, 7, 3), (5, 14, 2), (9, 4, 2), (10, 3, 2)]
        };
        for &(m, n, count) in shapes {
            let boxes: Vec<SBox> = (0..count).map(|seed| random_sbox(m, n, seed)).collect();
            let flat: Vec<u16> = boxes.iter().flat_map(SBox::values).copied().collect();
            let batch = SBoxes::new(m, n, &flat).unwrap();
            let components: Vec<Vec<u32>> = boxes.iter().map(of_sbox::component_linearities).collect();
            let linear: Vec<u32> = components.iter().filter_map(|all| all.iter().copied().max()).collect();
            let uniform: Vec<u32> = boxes.iter().map(of_sbox::differential_uniformity).collect();
            assert_eq!(boolean.linearities(batch).unwrap(), linear, "{m} {n}");
            assert_eq!(boolean.uniformities(batch).unwrap(), uniform, "{m} {n}");
            assert_eq!(boolean.component_linearities(&boxes[0]).unwrap(), components[0], "{m} {n}");
            if n <= 8 {
                let bytes = device.upload(&flat.iter().map(|&y| y as u8).collect::<Vec<_>>()).unwrap();
                let batch = SBoxes::new(m, n, &bytes).unwrap();
                assert_eq!(boolean.linearities(batch).unwrap(), linear, "{m} {n}");
                assert_eq!(boolean.uniformities(batch).unwrap(), uniform, "{m} {n}");
            }
        }
    }
}

/// Several launches, of which the second begins at any place.
#[test]
fn batches_of_several_launches_equal_the_host() {
    let host = Boolean::new(&Device::host());
    for device in opencl_devices().into_iter().filter(|device| !simulated(device)) {
        let flat: Vec<u16> = (0..11).flat_map(|seed| random_sbox(12, 12, seed).values().to_vec()).collect();
        let batch = SBoxes::new(12, 12, &flat).unwrap();
        let boolean = Boolean::new(&device);
        assert_eq!(boolean.linearities(batch).unwrap(), host.linearities(batch).unwrap());
        assert_eq!(boolean.uniformities(batch).unwrap(), host.uniformities(batch).unwrap());
    }
}
