//! The kernels of subproduct trees and of geometric progressions on every OpenCL device, against the definitions: `tree_leaves`,
//! `tree_join`, `tree_descend` and `tree_values` evaluate, `tree_rows` and `tree_horner` do so by remainders, `tree_invert`,
//! `tree_scale` and `tree_leaf_sums` interpolate, `progression_factors` serves progressions.

use crate::common::{elements, short, stripped};
use manycore_field::Semiring as _;
use manycore_poly::PolyRing;
use manycore_poly::tree::reference;
use manycore_testkit::opencl_devices;

/// The fewest points with nodes on two levels above the lowest.
const POINTS: u32 = 70;

#[test]
fn trees_equal_the_definitions() {
    for device in opencl_devices() {
        let field = short(9001);
        let ring = PolyRing::new(&device, field).unwrap();
        let points: Vec<u32> = (0..POINTS).map(|i| 3 * i + 1).collect();
        let f = elements(&field, POINTS as usize, 1);
        let expected = reference::values(&field, &f, &points);
        let tree = ring.tree(&points).unwrap();
        let poly = ring.poly(&f).unwrap();
        let values = ring.evaluate_at(&poly, &tree).unwrap();
        assert_eq!(values.download().unwrap(), expected, "{device:?}");
        let inverses = ring.subinverse_tree(&tree).unwrap();
        let by_remainders = ring.evaluate_by_remainders(&poly, &tree, &inverses).unwrap();
        assert_eq!(by_remainders.download().unwrap(), expected, "{device:?}");
        let back = ring.interpolate(&tree, &values).unwrap();
        assert_eq!(ring.coefficients(&back).unwrap(), stripped(&field, f), "{device:?}");
    }
}

#[test]
fn progressions_equal_the_definition() {
    for device in opencl_devices() {
        let field = short(9001);
        let ring = PolyRing::new(&device, field).unwrap();
        let f = elements(&field, 20, 2);
        let points: Vec<u32> = (0..33).map(|i| field.mul(5, field.power(7, i))).collect();
        let values = ring.evaluate_progression(&ring.poly(&f).unwrap(), 5, 7, 33).unwrap();
        assert_eq!(values.download().unwrap(), reference::values(&field, &f, &points), "{device:?}");
    }
}
