//! Transforms along axes of arrays, against the definition of each lane.

use manycore_device::Device;
use manycore_field::{Goldilocks, PrimeField};
use manycore_fourier::ndarray::{Array, Array2, ArrayD, ArrayViewD, ArrayViewMutD, Axis, IxDyn, Slice};
use manycore_fourier::num_complex::Complex;
use manycore_fourier::{AxesError, Complexes, Direction, Fourier, FourierError, Residues};
use proptest::prelude::*;

use crate::common::{Tested, group, tolerance};

fn values<N: Tested>(numbers: &N, shape: &[usize]) -> ArrayD<N::Value> {
    Array::from_iter((0..shape.iter().product::<usize>() as u64).map(|i| numbers.some(i)))
        .into_shape_with_order(shape)
        .unwrap()
}

/// The array with the batch axes first, then those of lanes in their order.
fn lanes_last<'a, T>(array: ArrayViewMutD<'a, T>, axes: &[usize]) -> ArrayViewMutD<'a, T> {
    let batch = (0..array.ndim()).filter(|axis| !axes.contains(axis));
    let order: Vec<usize> = batch.chain(axes.iter().copied()).collect();
    array.permuted_axes(IxDyn(&order))
}

/// The definition of every function along the axes.
fn defined<N: Tested>(
    numbers: &N,
    factors: &[u64],
    direction: Direction,
    x: &ArrayD<N::Value>,
    axes: &[usize],
) -> ArrayD<N::Value> {
    let (group, mut y) = (group(factors), x.clone());
    let mut lanes = lanes_last(y.view_mut(), axes);
    let order = group.order() as usize;
    let all: Vec<N::Value> = lanes.iter().copied().collect();
    let done = all.chunks(order).flat_map(|function| numbers.defined(&group, direction, function));
    lanes.iter_mut().zip(done.collect::<Vec<_>>()).for_each(|(to, value)| *to = value);
    y
}

fn equal<N: Tested>(numbers: &N, factors: &[u64], found: &ArrayViewMutD<'_, N::Value>, expected: &ArrayD<N::Value>) {
    assert_eq!(found.shape(), expected.shape());
    let list = |array: ArrayViewD<'_, N::Value>| array.iter().copied().collect::<Vec<_>>();
    let error = numbers.error(&list(found.view()), &list(expected.view()));
    let bound = tolerance(numbers, &group(factors), 2.0);
    assert!(error <= bound, "{factors:?}: error {error:e} of {bound:e}");
}

fn check<N: Tested>(numbers: &N, cases: &[(&[u64], &[usize], &[usize])]) {
    for device in manycore_testkit::devices() {
        if !device.info().fp64 && numbers.name().contains("f64") {
            continue;
        }
        let fourier = Fourier::with_machine(&device, device.machine());
        for &(factors, shape, axes) in cases {
            let (group, x) = (group(factors), values(numbers, shape));
            let expected = defined(numbers, factors, Direction::Forward, &x, axes);
            let mut y = x.clone();
            fourier.forward_along(&group, numbers, &mut y, axes).unwrap();
            equal(numbers, factors, &y.view_mut(), &expected);
            // Every second value of an array with the axes in reversed order.
            let doubled: Vec<usize> = shape.iter().rev().map(|length| 2 * length).collect();
            let mut memory = ArrayD::from_elem(doubled, numbers.some(0));
            let mut view = memory.view_mut().reversed_axes();
            for axis in 0..shape.len() {
                view.slice_axis_inplace(Axis(axis), Slice::new(0, None, 2));
            }
            fourier.forward_into(&group, numbers, &x, &mut view, axes).unwrap();
            equal(numbers, factors, &view, &expected);
            fourier.inverse_along(&group, numbers, &mut view, axes).unwrap();
            equal(numbers, factors, &view, &x);
            fourier.inverse_into(&group, numbers, &x, &mut view, axes).unwrap();
            equal(numbers, factors, &view, &defined(numbers, factors, Direction::Inverse, &x, axes));
        }
    }
}

#[test]
fn lanes_are_transformed_by_their_definition() {
    let cases: [(&[u64], &[usize], &[usize]); 8] = [
        (&[], &[2, 3], &[0, 1]),
        (&[4], &[4, 3], &[0]),
        (&[3], &[4, 3], &[1]),
        (&[3], &[4, 6], &[1]),
        (&[4, 3], &[4, 3, 2], &[0, 1]),
        (&[3, 4], &[4, 3, 2], &[1, 0]),
        (&[2, 2, 3], &[5, 12], &[1]),
        (&[2, 3, 5], &[5, 3, 2], &[2, 1, 0]),
    ];
    check(&Complexes::<f32>::new(), &cases);
    check(&Complexes::<f64>::new(), &cases);
    check(&Residues::new(PrimeField::<u32>::new(61).unwrap()), &cases);
    check(&Residues::new(PrimeField::<u64>::new((1 << 61) - 1).unwrap()), &cases[2..3]);
    check(&Residues::new(Goldilocks), &cases);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The transform on a product of groups is that on each factor, one after the other.
    #[test]
    fn axes_one_by_one_are_axes_together(rows in 1usize..13, columns in 1usize..13, batch in 1usize..4) {
        let (fourier, numbers) = (Fourier::new(&Device::host()), Complexes::<f64>::new());
        let x = values(&numbers, &[rows, batch, columns]);
        let (mut together, mut by_one) = (x.clone(), x);
        let both = group(&[rows as u64, columns as u64]);
        fourier.forward_along(&both, &numbers, &mut together, [0, 2]).unwrap();
        fourier.forward_along(&group(&[columns as u64]), &numbers, &mut by_one, 2).unwrap();
        fourier.forward_along(&group(&[rows as u64]), &numbers, &mut by_one, 0).unwrap();
        let error = numbers.error(
            &together.iter().copied().collect::<Vec<_>>(),
            &by_one.iter().copied().collect::<Vec<_>>(),
        );
        prop_assert!(error <= tolerance(&numbers, &both, 4.0), "{}", error);
    }
}

#[test]
fn what_is_wrong_is_named() {
    let (fourier, numbers) = (Fourier::new(&Device::host()), Complexes::<f64>::new());
    let ones = Array2::from_elem((4, 6), Complex::new(1.0, 0.0));
    let mut x = ones.clone();
    let error = fourier.forward_along(&group(&[4]), &numbers, &mut x, 2).unwrap_err();
    assert_eq!(error, FourierError::Axes(AxesError::OutOfRange { axis: 2, dimensions: 2 }));
    let error = fourier.inverse_along(&group(&[4]), &numbers, &mut x, [1, 1]).unwrap_err();
    assert_eq!(error, FourierError::Axes(AxesError::Repeated { axis: 1 }));
    let error = fourier.forward_along(&group(&[4]), &numbers, &mut x, 1).unwrap_err();
    assert_eq!(error, FourierError::Length { order: 4, words: 8, given: 12 });
    let error = fourier.forward_into(&group(&[4]), &numbers, &ones, &mut x.view_mut().reversed_axes(), 0).unwrap_err();
    assert_eq!(error.to_string(), "the output has the shape [6, 4], and the input [4, 6]");
    assert_eq!(x, ones);
    // An array without values has no functions.
    let mut none = Array2::from_elem((0, 4), Complex::new(1.0, 0.0));
    fourier.forward_along(&group(&[4]), &numbers, &mut none, 1).unwrap();
    let residues = Residues::new(PrimeField::<u32>::new(7).unwrap());
    let error = fourier.forward_along(&group(&[4]), &residues, &mut Array2::ones((4, 4)), 0).unwrap_err();
    assert!(matches!(error, FourierError::NoRoot(_)), "{error}");
}
