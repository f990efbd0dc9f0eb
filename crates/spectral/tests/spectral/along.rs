//! Transforms along axes of arrays, against the definitions of each lane.

use manycore_device::Word;
use manycore_spectral::ndarray::{Array, Array2, ArrayD, ArrayViewMutD, Axis, IxDyn, Slice};
use manycore_spectral::{
    Arithmetic, AxesError, BitOrder, Haar, HaarOrder, Normalization, Order, ReedMuller, Spectral, SpectralError, Walsh,
    arithmetic, haar, reed_muller, walsh,
};
use proptest::prelude::*;

/// The definition of every lane along the axes, one after the other.
fn defined<T: Word>(x: &ArrayD<T>, axes: &[usize], definition: &dyn Fn(&[T]) -> Option<Vec<T>>) -> ArrayD<T> {
    let mut y = x.clone();
    for &axis in axes {
        for mut lane in y.lanes_mut(Axis(axis)) {
            let values = definition(&lane.to_vec()).unwrap();
            lane.iter_mut().zip(values).for_each(|(to, value)| *to = value);
        }
    }
    y
}

/// Checks a transform of strided views on every device, in place and to an output of another layout.
fn check<T: Word + PartialEq + Default>(
    x: &ArrayD<T>,
    axes: &[usize],
    step: isize,
    definition: &dyn Fn(&[T]) -> Option<Vec<T>>,
    run: impl Fn(&Spectral, ArrayViewMutD<'_, T>, &[usize]) -> Result<(), SpectralError>,
    into: impl Fn(&Spectral, &ArrayD<T>, ArrayViewMutD<'_, T>) -> Result<(), SpectralError>,
) {
    let expected = defined(x, axes, definition);
    for device in manycore_testkit::devices() {
        let spectral = Spectral::with_machine(&device, device.machine());
        let doubled: Vec<usize> = x.shape().iter().rev().map(|length| 2 * length).collect();
        let mut memory = ArrayD::from_elem(doubled, T::default());
        let mut view = memory.view_mut().reversed_axes();
        (0..view.ndim()).for_each(|axis| view.slice_axis_inplace(Axis(axis), Slice::new(0, None, step)));
        view.assign(x);
        run(&spectral, view.view_mut(), axes).unwrap();
        assert!(view == expected, "{device:?}: shape {:?}, axes {axes:?}, step {step}", x.shape());
        let mut plain = x.clone();
        run(&spectral, plain.view_mut(), axes).unwrap();
        assert!(plain == expected, "{device:?}: shape {:?}, axes {axes:?}, as it lies", x.shape());
        into(&spectral, x, view.view_mut()).unwrap();
        assert!(view == expected, "{device:?}: shape {:?}, axes {axes:?}, to an output", x.shape());
        let between = memory.iter().filter(|&&value| value != T::default()).count();
        assert!(between <= x.len(), "{device:?}: values between those of the view are written");
    }
}

/// Shapes of powers of two, some of their axes in some order, and a step of a view.
fn cases() -> impl Strategy<Value = (Vec<usize>, Vec<usize>, isize, u64)> {
    prop::collection::vec(0u32..5, 1..5).prop_flat_map(|logs| {
        let shape: Vec<usize> = logs.iter().map(|log| 1 << log).collect();
        let axes: Vec<usize> = (0..shape.len()).collect();
        let chosen = (Just(axes).prop_shuffle(), 0..=shape.len()).prop_map(|(axes, count)| axes[..count].to_vec());
        (Just(shape), chosen, prop_oneof![Just(2isize), Just(-2)], any::<u64>())
    })
}

fn array<T>(shape: &[usize], seed: u64, value: impl Fn(u64) -> T) -> ArrayD<T> {
    let words = (0u64..).map(|i| (i + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40);
    let len = shape.iter().product();
    Array::from_iter(words.take(len)).into_shape_with_order(IxDyn(shape)).unwrap().map(|&word| value(word))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn walsh_is_the_definition_of_each_lane((shape, axes, step, seed) in cases()) {
        let x = array(&shape, seed, |word| word as i64 - (1 << 23));
        for order in Order::ALL {
            let how = Walsh::new().order(order);
            check(
                &x, &axes, step, &|lane| walsh::reference::walsh_hadamard(lane, order),
                |spectral, mut view, axes| spectral.walsh_along(&mut view, axes, &how),
                |spectral, x, mut out| spectral.walsh_into(x, &mut out, &*axes, &how),
            );
        }
    }

    #[test]
    fn reed_muller_is_the_definition_of_each_lane((shape, axes, step, seed) in cases()) {
        let x = array(&shape, seed, |word| word as u8);
        for (order, polarity) in [(BitOrder::Natural, 0), (BitOrder::Reversed, 0), (BitOrder::Natural, 1)] {
            let polarity = if axes.iter().all(|&axis| shape[axis] > 1) { polarity } else { 0 };
            let how = ReedMuller::new().order(order).polarity(polarity as u64);
            check(
                &x, &axes, step, &|lane| reed_muller::reference::reed_muller(lane, order, polarity),
                |spectral, mut view, axes| spectral.reed_muller_along(&mut view, axes, &how),
                |spectral, x, mut out| spectral.reed_muller_into(x, &mut out, &*axes, &how),
            );
        }
    }

    #[test]
    fn arithmetic_is_the_definition_of_each_lane((shape, axes, step, seed) in cases()) {
        let x = array(&shape, seed, |word| word as i32);
        for (order, polarity) in [(BitOrder::Natural, 0), (BitOrder::Reversed, 0), (BitOrder::Natural, 1)] {
            let polarity = if axes.iter().all(|&axis| shape[axis] > 1) { polarity } else { 0 };
            let how = Arithmetic::new().order(order).polarity(polarity as u64);
            check(
                &x, &axes, step, &|lane| arithmetic::reference::arithmetic(lane, order, polarity),
                |spectral, mut view, axes| spectral.arithmetic_along(&mut view, axes, &how),
                |spectral, x, mut out| spectral.arithmetic_into(x, &mut out, &*axes, &how),
            );
        }
    }

    #[test]
    fn haar_is_the_definition_of_each_lane((shape, axes, step, seed) in cases()) {
        let x = array(&shape, seed, |word| word as i64);
        for order in HaarOrder::ALL {
            let how = Haar::new().order(order);
            check(
                &x, &axes, step, &|lane| haar::reference::haar(lane, order, Normalization::None),
                |spectral, mut view, axes| spectral.haar_along(&mut view, axes, &how),
                |spectral, x, mut out| spectral.haar_into(x, &mut out, &*axes, &how),
            );
        }
    }
}

/// Arrays of several blocks; inverses give back what was.
#[test]
fn long_arrays_come_back() {
    for device in manycore_testkit::devices() {
        let spectral = Spectral::with_machine(&device, device.machine());
        let x = array(&[512, 1024], 1, |word| word as i32 >> 12)
            .into_dimensionality::<manycore_spectral::ndarray::Ix2>()
            .unwrap();
        let mut y = x.clone();
        spectral.walsh_along(&mut y, 0, &Walsh::new()).unwrap();
        for column in [0, 1, 700, 1023] {
            let lane = walsh::reference::walsh_hadamard(&x.column(column).to_vec(), Order::Hadamard).unwrap();
            assert_eq!(y.column(column).to_vec(), lane, "{device:?}");
        }
        spectral.walsh_along(&mut y, 1, &Walsh::new()).unwrap();
        let mut both = x.clone();
        spectral.walsh_along(&mut both, .., &Walsh::new()).unwrap();
        assert!(both == y, "{device:?}");
        let mut turned = both.view_mut().reversed_axes();
        spectral.walsh_along(&mut turned, [0, 1], &Walsh::new().inverse()).unwrap();
        assert!(both == x, "{device:?}");
        let sequency = Walsh::new().order(Order::Sequency);
        spectral.walsh_along(&mut both, [1, 0], &sequency).unwrap();
        spectral.walsh_along(&mut both, [0, 1], &sequency.inverse()).unwrap();
        assert!(both == x, "{device:?}");
    }
}

#[test]
fn lanes_are_cut_into_runs() {
    let spectral = Spectral::new(&manycore_device::Device::host());
    let x = array(&[8, 3], 5, |word| word as i32);
    let mut y = x.clone();
    spectral.walsh_along(&mut y, 0, &Walsh::new().batch(2)).unwrap();
    let expected = Array::from_shape_fn(IxDyn(&[8, 3]), |place| {
        let (row, column) = (place[0], place[1]);
        let (even, odd) = (x[[row & !1, column]], x[[row | 1, column]]);
        if row.is_multiple_of(2) { even + odd } else { even - odd }
    });
    assert_eq!(y, expected);
}

#[test]
fn what_is_wrong_is_named() {
    let spectral = Spectral::new(&manycore_device::Device::host());
    let mut x = Array2::<i32>::ones((4, 3));
    let wrong = |axis, dimensions| SpectralError::Axes(AxesError::OutOfRange { axis, dimensions });
    assert_eq!(spectral.walsh_along(&mut x, 2, &Walsh::new()), Err(wrong(2, 2)));
    assert_eq!(spectral.haar_along(&mut x, [0, 5], &Haar::new()), Err(wrong(5, 2)));
    let repeated = Err(SpectralError::Axes(AxesError::Repeated { axis: 0 }));
    assert_eq!(spectral.arithmetic_along(&mut x, [0, 0], &Arithmetic::new()), repeated);
    // Nothing is done before all axes are right.
    let error = spectral.walsh_along(&mut x, [0, 1], &Walsh::new());
    assert_eq!(error, Err(SpectralError::NotPowerOfTwo { len: 3 }));
    assert_eq!(x, Array2::<i32>::ones((4, 3)));
    let error = spectral.walsh_along(&mut x, 0, &Walsh::new().batch(8));
    assert_eq!(error, Err(SpectralError::Batch { buffer_len: 4, len: 8 }));
    let error = spectral.arithmetic_along(&mut x, 0, &Arithmetic::new().polarity(4));
    assert_eq!(error, Err(SpectralError::Shift { by: 4, log_len: 2 }));
    let error = spectral.haar_along(&mut x, 0, &Haar::new().normalization(Normalization::Orthonormal));
    assert!(matches!(error, Err(SpectralError::IntegerNormalization { .. })));
    let error = spectral.walsh_into(&x, &mut Array2::zeros((3, 4)), 0, &Walsh::new());
    assert_eq!(error, Err(SpectralError::Axes(AxesError::Shape { input: vec![4, 3], output: vec![3, 4] })));
    let mut none = Array2::<i32>::ones((4, 0));
    assert_eq!(spectral.walsh_along(&mut none, 0, &Walsh::new()), Ok(()));
    assert_eq!(spectral.walsh_along(&mut none, 1, &Walsh::new()), Err(SpectralError::NotPowerOfTwo { len: 0 }));
}
