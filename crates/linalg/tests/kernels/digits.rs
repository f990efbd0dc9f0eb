//! Products by digits of 8 bits, kernel `product_digits`, on every OpenCL device: on tensor cores where it has them.

use crate::common::{Check, elements, long, random, short};
use manycore_device::Device;
use manycore_field::{Goldilocks, ResidueWord as _};
use manycore_linalg::{LinearAlgebra, MatrixField, ProductPlan, ProductTile, multiply};
use manycore_testkit::{opencl_devices, simulated};

struct Products {
    shapes: Vec<(usize, usize, usize)>,
}

impl Check for Products {
    fn check<F: MatrixField>(&mut self, space: &LinearAlgebra<F>) {
        for &(rows, inner, columns) in &self.shapes {
            let (a, b) = (random(space, rows, inner, 1), random(space, inner, columns, 2));
            let words = |len, salt| elements(space.field(), len, salt);
            let (x, y) = (words(rows * inner, 1), words(inner * columns, 2));
            let expected = multiply::reference::multiply(space.field(), &x, &y, (rows, inner, columns));
            let found = space.entries(&space.mul_with(&a, &b, ProductPlan::Digits).unwrap()).unwrap();
            assert!(found == expected, "{rows} {inner} {columns} mod {}", space.field().order());
        }
    }
}

/// The fields of residues of one digit to eight, and the shapes of groups that go with them.
fn every_field(device: &Device, check: &mut impl Check) {
    for p in [2, 251, 65_521, 65_537, 469_762_049, 2_147_483_647] {
        check.check(&LinearAlgebra::new(device, short(p)).unwrap());
    }
    for p in [3, 1_099_511_627_791, 1_125_897_625_141_249, 4_611_686_009_971_671_041, 9_223_372_036_854_775_783] {
        check.check(&LinearAlgebra::new(device, long(p)).unwrap());
    }
    check.check(&LinearAlgebra::new(device, Goldilocks).unwrap());
}

#[test]
fn products_by_digits_equal_the_definition() {
    for device in opencl_devices() {
        let shapes = if simulated(&device) {
            vec![(17, 33, 9)]
        } else {
            vec![(1, 1, 1), (5, 0, 3), (16, 32, 8), (17, 33, 9), (65, 31, 70), (130, 65, 33)]
        };
        let mut products = Products { shapes };
        if simulated(&device) {
            products.check(&LinearAlgebra::new(&device, short(469_762_049)).unwrap());
        } else {
            every_field(&device, &mut products);
        }
    }
}

/// The largest residues, and one round more than 32 bits hold.
struct Largest;

impl Check for Largest {
    fn check<F: MatrixField>(&mut self, space: &LinearAlgebra<F>) {
        let field = space.field();
        let bytes = (u64::BITS - (field.order() - 1).leading_zeros()).div_ceil(8).max(1) as usize;
        let inner = (1 << 32) / (bytes * 255 * 255) + 33;
        let largest = vec![F::Element::from_u64(field.order() - 1); 2 * inner];
        let (a, b) = (space.matrix(2, inner, &largest).unwrap(), space.matrix(inner, 2, &largest).unwrap());
        let found = space.entries(&space.mul_with(&a, &b, ProductPlan::Digits).unwrap()).unwrap();
        // (-1) (-1), so often.
        assert_eq!(found, vec![field.natural(inner as u64); 4], "mod {}", field.order());
    }
}

#[test]
fn sums_of_the_largest_digits_do_not_overflow() {
    for device in opencl_devices().into_iter().filter(|device| !simulated(device)) {
        every_field(&device, &mut Largest);
    }
}

/// Blocks of elimination take products from what there is: by digits, where the device has tensor cores, as by words.
#[test]
fn large_products_by_digits_equal_those_by_words() {
    for device in opencl_devices().into_iter().filter(|device| !simulated(device)) {
        let space = LinearAlgebra::new(&device, short(2_147_483_647)).unwrap();
        let (a, b) = (space.random(200, 150, 1).unwrap(), space.random(150, 170, 2).unwrap());
        let tile = ProductPlan::Words(ProductTile { side: 8, registers: 2, depth: 8 });
        let by_words = space.mul_with(&a, &b, tile).unwrap();
        let by_digits = space.mul_with(&a, &b, ProductPlan::Digits).unwrap();
        assert!(space.equal(&by_words, &by_digits).unwrap());
        assert!(space.equal(&by_words, &space.mul(&a, &b).unwrap()).unwrap());
    }
}
