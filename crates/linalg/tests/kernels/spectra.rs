//! The kernels of characteristic polynomials, `hessenberg_pivot`, `hessenberg_exchange`, `hessenberg_columns`, `hessenberg_rows`
//! and `hessenberg_combine`, and of batches, `determinants`, on every OpenCL device, against the definitions.

use crate::common::{Check, elements, few_spaces, short, special};
use manycore_linalg::{LinearAlgebra, MatrixField, characteristic, condense};
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

/// On a device with little local memory matrices are taken one by one.
#[test]
fn batches_past_local_memory_equal_the_definition() {
    for device in manycore_testkit::limited_devices() {
        Batches(vec![2, 13]).check(&LinearAlgebra::new(&device, short(65_537)).unwrap());
    }
}
