//! Products of sparse matrices by several devices, beside those of one.

use manycore_device::{Control, Device, DeviceError, DeviceSet};
use manycore_field::{PrimeField, Reals};
use manycore_sparse::{ProductOptions, SparseError, SparseProduct, SparseRing};
use manycore_testkit::{opencl_devices, simulated};

fn host() -> Device {
    Device::host_with(1).unwrap()
}

/// One device, two and three: of the host, of OpenCL, and of both.
fn sets() -> Vec<DeviceSet> {
    let others: Vec<Device> = opencl_devices().into_iter().filter(|device| !simulated(device)).collect();
    let mut sets = vec![vec![host()], vec![host(), host()], vec![Device::host(), host(), host()]];
    for device in &others {
        sets.extend([vec![device.clone()], device.lanes(2).unwrap(), vec![device.clone(), host(), host()]]);
    }
    sets.into_iter().map(|devices| DeviceSet::equal(devices).unwrap()).collect()
}

/// Rows of 0 to 40 non-zeros, a long one among them.
fn matrix<V: Copy>(rows: usize, columns: usize, value: impl Fn(usize) -> V) -> sprs::CsMat<V> {
    let (mut offsets, mut indices) = (vec![0], Vec::new());
    for row in 0..rows {
        let count = if row == rows / 2 { columns } else { (row * 7919 % 41).min(columns) };
        indices.extend((0..count).map(|at| at * columns / count));
        offsets.push(indices.len());
    }
    let values = (0..indices.len()).map(value).collect();
    sprs::CsMat::new((rows, columns), offsets, indices, values)
}

fn multiply<R: SparseRing>(
    set: &DeviceSet,
    ring: &R,
    matrix: &sprs::CsMat<R::Value>,
    x: &[R::Value],
    width: usize,
) -> Result<Vec<R::Value>, SparseError> {
    SparseProduct::multiply_on(set, ring, matrix.view(), x, width, ProductOptions::default())
}

#[test]
fn several_devices_give_the_product_of_one() {
    let ring = PrimeField::<u32>::new(2_147_483_647).unwrap();
    for (rows, columns) in [(0, 3), (1, 1), (2, 1), (3, 0), (1000, 300), (5000, 77)] {
        let residues = matrix(rows, columns, |at| (at as u32).wrapping_mul(2_654_435_761) % 2_147_483_647);
        let numbers = matrix(rows, columns, |at| (at as f64).sin());
        for width in [0, 1, 3] {
            let x: Vec<u32> = (0..(columns * width) as u32).map(|i| i.wrapping_mul(40_503) % 2_147_483_647).collect();
            let real: Vec<f64> = x.iter().map(|&x| f64::from(x) / 1e9 - 1.0).collect();
            let alone = SparseProduct::new(&host(), ring, residues.view(), ProductOptions::default()).unwrap();
            let wished = alone.multiply_dense(&x, width).unwrap();
            let alone =
                SparseProduct::new(&host(), Reals::<f64>::new(), numbers.view(), ProductOptions::default()).unwrap();
            let near = alone.multiply_dense(&real, width).unwrap();
            for set in sets() {
                let what = || format!("{rows} x {columns} by {width} on {set:?}");
                assert!(multiply(&set, &ring, &residues, &x, width).unwrap() == wished, "{}", what());
                assert!(multiply(&set, &ring, &residues.to_csc(), &x, width).unwrap() == wished, "{}", what());
                let sums = multiply(&set, &Reals::<f64>::new(), &numbers, &real, width).unwrap();
                let is_near = |(x, y): (&f64, &f64)| (x - y).abs() < 1e-11;
                assert!(sums.len() == near.len() && sums.iter().zip(&near).all(is_near), "{}", what());
                assert_eq!(set.failures(), [], "{}", what());
            }
        }
    }
}

/// A limit of memory stands for a larger matrix: blocks of it are copied anew.
#[test]
fn limits_of_memory_are_kept() {
    let ring = PrimeField::<u32>::new(469_762_049).unwrap();
    let matrix = matrix(20_000, 500, |at| at as u32);
    let x: Vec<u32> = (0..500).collect();
    let wished = multiply(&host().into(), &ring, &matrix, &x, 1).unwrap();
    for set in sets() {
        let made = Control::new().with_limit_bytes(1_500_000).run(|| multiply(&set, &ring, &matrix, &x, 1));
        assert!(made.unwrap() == wished, "{set:?}");
    }
    for device in opencl_devices().into_iter().filter(|device| !simulated(device)) {
        let made = Control::new().with_limit_bytes(1_000_000).run(|| {
            let product = SparseProduct::new(&device, ring, matrix.view(), ProductOptions::default())?;
            assert!(product.is_streamed());
            product.multiply(&x)
        });
        assert!(made.unwrap() == wished, "{device:?}");
    }
}

#[test]
fn what_fails_is_told() {
    let ring = PrimeField::<u32>::new(7).unwrap();
    let matrix = matrix(900, 20, |at| at as u32 % 7);
    let x = vec![3; 20];
    let wished = multiply(&host().into(), &ring, &matrix, &x, 1).unwrap();
    for device in opencl_devices() {
        let broken = device.with_broken("32-bit mul_hi");
        let set = DeviceSet::equal(vec![broken.clone(), host()]).unwrap();
        assert_eq!(multiply(&set, &ring, &matrix, &x, 1).unwrap(), wished);
        let failures = set.failures();
        assert!(!failures.is_empty() && failures.iter().all(|failure| failure.device == broken.info().label()));
    }
    for set in sets() {
        let told = multiply(&set, &ring, &matrix, &[3; 19], 1).unwrap_err();
        assert_eq!(told, SparseError::Length { what: "x", given: 19, expected: 20 });
        let told = multiply(&set, &ring, &matrix, &[7; 20], 1).unwrap_err();
        assert_eq!(told, SparseError::Value { what: "x", index: 0 });
        let control = Control::new();
        control.cancel();
        let told = control.run(|| multiply(&set, &ring, &matrix, &x, 1)).unwrap_err();
        assert_eq!(told, SparseError::Device(DeviceError::Cancelled), "{set:?}");
    }
}
