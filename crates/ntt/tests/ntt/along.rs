//! Transforms along axes of arrays, against the definition of each lane.

use manycore_device::Device;
use manycore_field::{Goldilocks, PrimeField};
use manycore_ntt::ndarray::{Array, Array2, Array3, ArrayD, Axis, Slice};
use manycore_ntt::reference;
use manycore_ntt::{AxesError, Kind, Ntt, NttError, NttField, SpectrumOrder};

/// Residues from a seed.
fn residues<F: NttField>(field: &F, shape: &[usize]) -> ArrayD<F::Element> {
    let words = (1u64..).map(|i| field.natural(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33));
    Array::from_iter(words.take(shape.iter().product())).into_shape_with_order(shape).unwrap()
}

/// The definition of every lane along the axes.
fn defined<F: NttField>(ntt: &Ntt<F>, kind: Kind, x: &ArrayD<F::Element>, axes: &[usize]) -> ArrayD<F::Element> {
    let mut y = x.clone();
    for &axis in axes {
        for mut lane in y.lanes_mut(Axis(axis)) {
            let runs = lane.to_vec();
            let values = runs.chunks(ntt.len()).flat_map(|run| reference::ntt(ntt.field(), run, ntt.root(), kind));
            lane.iter_mut().zip(values).for_each(|(to, value)| *to = value);
        }
    }
    y
}

fn check<F: NttField>(field: &F) {
    for device in manycore_testkit::devices() {
        for kind in [Kind::Cyclic, Kind::Negacyclic] {
            for (len, shape, axes) in [
                (1, &[2, 3][..], &[0, 1][..]),
                (4, &[4, 3], &[0]),
                (4, &[3, 4], &[1]),
                (8, &[8, 5, 16], &[2, 0]),
                (2, &[2, 2, 2, 2, 3], &[3, 1, 0]),
            ] {
                let ntt = Ntt::with_machine(&device, device.machine(), field, len, kind).unwrap();
                let ntt = ntt.with_order(SpectrumOrder::Natural);
                let x = residues(field, shape);
                let expected = defined(&ntt, kind, &x, axes);
                let mut y = x.clone();
                ntt.forward_along(&mut y, axes).unwrap();
                assert!(y == expected, "{device:?} {shape:?} {axes:?}");
                // Every second value of an array with the axes in reversed order.
                let doubled: Vec<usize> = shape.iter().rev().map(|length| 2 * length).collect();
                let mut memory = ArrayD::from_elem(doubled, field.zero());
                let mut view = memory.view_mut().reversed_axes();
                for axis in 0..shape.len() {
                    view.slice_axis_inplace(Axis(axis), Slice::new(0, None, 2));
                }
                ntt.forward_into(&x, &mut view, axes).unwrap();
                assert!(view == expected, "{device:?} {shape:?} {axes:?}, to an output");
                ntt.inverse_along(&mut view, axes).unwrap();
                assert!(view == x, "{device:?} {shape:?} {axes:?}, and back");
                ntt.inverse_into(&y, &mut view, axes).unwrap();
                assert!(view == x, "{device:?} {shape:?} {axes:?}, and back to an output");
            }
        }
    }
}

#[test]
fn lanes_are_transformed_by_their_definition() {
    check(&PrimeField::<u32>::new(469_762_049).unwrap());
    check(&PrimeField::<u64>::new(4_179_340_454_199_820_289).unwrap());
    check(&Goldilocks);
}

/// The product of polynomials in two variables modulo `x^4 - 1` and `y^4 - 1`, by products of values along both axes.
#[test]
fn two_axes_convolve_in_two_variables() {
    let field = PrimeField::<u32>::new(97).unwrap();
    let ntt = Ntt::new(&Device::host(), &field, 4, Kind::Cyclic).unwrap();
    let f = Array2::from_shape_fn((4, 4), |(i, j)| ((i * i + 3 * j) % 97) as u32);
    let g = Array2::from_shape_fn((4, 4), |(i, j)| ((5 * i + j * j + 1) % 97) as u32);
    let (mut a, mut b) = (f.clone(), g.clone());
    ntt.forward_along(&mut a, ..).unwrap();
    ntt.forward_along(&mut b, [1, 0]).unwrap();
    a.zip_mut_with(&b, |a, &b| *a = *a * b % 97);
    ntt.inverse_along(&mut a, [0, 1]).unwrap();
    let product = Array2::from_shape_fn((4, 4), |(i, j)| {
        let terms = (0..16).map(|k| (k / 4, k % 4)).map(|(s, t)| f[[s, t]] * g[[(i + 4 - s) % 4, (j + 4 - t) % 4]]);
        terms.sum::<u32>() % 97
    });
    assert_eq!(a, product);
}

#[test]
fn what_is_wrong_is_named() {
    let ntt = Ntt::new(&Device::host(), &PrimeField::<u32>::new(97).unwrap(), 4, Kind::Cyclic).unwrap();
    let mut x = Array3::<u32>::ones((4, 8, 6));
    let error = ntt.forward_along(&mut x, [0, 3]).unwrap_err();
    assert_eq!(error, NttError::Axes(AxesError::OutOfRange { axis: 3, dimensions: 3 }));
    assert_eq!(ntt.inverse_along(&mut x, [1, 1]), Err(NttError::Axes(AxesError::Repeated { axis: 1 })));
    assert_eq!(ntt.forward_along(&mut x, ..), Err(NttError::Batch { buffer_len: 6, len: 4 }));
    assert_eq!(x, Array3::<u32>::ones((4, 8, 6)));
    let error = ntt.forward_into(&x, &mut Array3::zeros((8, 4, 6)), 0).unwrap_err();
    assert_eq!(error.to_string(), "the output has the shape [8, 4, 6], and the input [4, 8, 6]");
}
