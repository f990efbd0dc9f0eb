//! The kernels of characteristic polynomials, `hessenberg_pivot`, `hessenberg_exchange`, `hessenberg_columns`, `hessenberg_rows`
//! and `hessenberg_combine`, and of batches, `determinants` and `determinants_panels`, on every OpenCL device, against the definitions.

use crate::common::{Check, elements, few_spaces, short, special};
use manycore_device::{Device, DeviceError, DeviceKind};
use manycore_field::Goldilocks;
use manycore_linalg::{LinalgError, LinearAlgebra, MatrixField, Together, characteristic, condense};
use manycore_testkit::{opencl_devices, simulated};

struct Polynomials(Vec<usize>);

impl Check for Polynomials {
    fn check<F: MatrixField>(&mut self, space: &LinearAlgebra<F>) {
        for &order in &self.0 {
            for words in special(space.field(), order, order) {
                let a = space.matrix(order, order, &words).unwrap();
                let expected = characteristic::reference::characteristic_polynomial(space.field(), order, &words);
                assert_eq!(space.characteristic_polynomial(&a).unwrap(), expected, "{order} {}", space.arithmetic());
            }
        }
    }
}

#[test]
fn characteristic_polynomials_equal_the_definition_in_every_arithmetic() {
    for device in opencl_devices() {
        few_spaces(&device, &mut Polynomials(vec![1, 4, 5]));
        for p in [2, 3] {
            Polynomials(vec![3, 5, 6]).check(&LinearAlgebra::new(&device, short(p)).unwrap());
        }
    }
}

struct Batches(Vec<usize>);

impl Check for Batches {
    fn check<F: MatrixField>(&mut self, space: &LinearAlgebra<F>) {
        for &order in &self.0 {
            let mut words = special(space.field(), order, order).concat();
            words.extend(elements(space.field(), 2 * order * order, 99));
            let batch = space.batch(words.len() / (order * order), order, &words).unwrap();
            let bareiss = |a| condense::reference::bareiss(space.field(), order, a).unwrap();
            let expected: Vec<F::Element> = words.chunks(order * order).map(bareiss).collect();
            assert_eq!(space.determinants(&batch).unwrap().download().unwrap(), expected, "{order}");
        }
    }
}

#[test]
fn batches_equal_the_definition_in_every_arithmetic() {
    for device in opencl_devices() {
        few_spaces(&device, &mut Batches(vec![1, 4, 7]));
        let orders = if simulated(&device) { vec![5] } else { vec![2, 3, 15, 16, 17, 31, 64] };
        for p in [2, 469_762_049] {
            Batches(orders.clone()).check(&LinearAlgebra::new(&device, short(p)).unwrap());
        }
    }
}

/// Batches by panels, which change rows, exchange them, and may have no pivot; of small matrices more than are taken at once.
struct ByPanels(Vec<usize>);

impl Check for ByPanels {
    fn check<F: MatrixField>(&mut self, space: &LinearAlgebra<F>) {
        for &order in &self.0 {
            let mut words = special(space.field(), order, order).concat();
            let more = if order < 20 { space.device().info().compute_units.min(8) as usize * 8 } else { 2 };
            words.extend(elements(space.field(), more * order * order, 99));
            let batch = space.batch(words.len() / (order * order), order, &words).unwrap();
            let host = LinearAlgebra::new(&Device::host(), space.field().clone()).unwrap();
            let same = host.batch(batch.count(), order, &words).unwrap();
            let expected = host.determinants(&same).unwrap().download().unwrap();
            for how in [Together::Panels, Together::Each] {
                let found = space.determinants_by(&batch, how).unwrap().download().unwrap();
                assert_eq!(found, expected, "{order} {how} {}", space.arithmetic());
            }
            assert_eq!(batch.buffer().download().unwrap(), words, "{order}: the batch is as it was");
        }
    }
}

#[test]
fn batches_by_panels_equal_those_of_the_host() {
    for device in opencl_devices() {
        let (few, orders) =
            if simulated(&device) { (vec![17], vec![18]) } else { (vec![1, 16, 50], vec![2, 15, 17, 33, 64, 65, 130]) };
        // Compilers for processors take long for each arithmetic, and the simulator sees all of them.
        let is_processor = !simulated(&device) && device.info().kind == DeviceKind::Cpu;
        if is_processor {
            ByPanels(few).check(&LinearAlgebra::new(&device, Goldilocks).unwrap());
        } else {
            few_spaces(&device, &mut ByPanels(few));
        }
        for p in [2, 469_762_049].into_iter().skip(usize::from(is_processor)) {
            ByPanels(orders.clone()).check(&LinearAlgebra::new(&device, short(p)).unwrap());
        }
    }
}

#[test]
fn ways_without_room_are_refused() {
    for device in opencl_devices().into_iter().filter(|device| !simulated(device)) {
        let space = LinearAlgebra::new(&device.limited(640, 256), short(7)).unwrap();
        let batch = space.batch(1, 13, &elements(space.field(), 169, 1)).unwrap();
        for how in [Together::Local, Together::Panels] {
            let error = space.determinants_by(&batch, how).unwrap_err();
            assert!(matches!(error, LinalgError::Device(DeviceError::Unsupported { .. })), "{error}");
            assert!(error.to_string().contains(&how.to_string()), "{error}");
        }
        assert!(space.determinants(&batch).is_ok());
    }
}

/// On a device with little local memory matrices are taken one by one.
#[test]
fn batches_past_local_memory_equal_the_definition() {
    for device in manycore_testkit::limited_devices() {
        Batches(vec![2, 13]).check(&LinearAlgebra::new(&device, short(65_537)).unwrap());
    }
}
