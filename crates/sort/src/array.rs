//! Sorts along axes of arrays of `ndarray`, lane by lane in blocks ([`manycore_arrays::in_place_along`]).

use manycore_arrays::{Axes, in_place_along};
use ndarray::{ArrayRef, ArrayViewMutD, Axis, Dimension};

use crate::SortOrder;
use crate::error::SortError;
use crate::key::Key;
use crate::radix::sorter::Sorter;

impl Sorter {
    /// Sorts each lane of an array or a view along `axes`, of any dimensions and strides, in place. Axes are a number, several, or
    /// `..` for all ([`Axes`]): a lane along several axes has their values in the order of the list, the last axis being the
    /// fastest.
    ///
    /// Lanes that fill the array's memory one after the other are sorted where they lie; others go through memory of their own, in
    /// blocks. One lane is a sort, more are segments ([`Sorter::sort_segments`]).
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_sort::{SortOrder, Sorter, ndarray::array};
    /// let sorter = Sorter::new(&Device::from_env()?);
    /// let mut x = array![[3, 1, 2], [0, 5, 4]];
    /// sorter.sort_along(&mut x, 0, SortOrder::Descending)?;
    /// assert_eq!(x, array![[3, 5, 4], [0, 1, 2]]);
    /// sorter.sort_along(&mut x, .., SortOrder::Ascending)?;
    /// assert_eq!(x, array![[0, 1, 2], [3, 4, 5]]);
    /// sorter.sort_along(&mut x.column_mut(0), 0, SortOrder::Descending)?;
    /// assert_eq!(x, array![[3, 1, 2], [0, 4, 5]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SortError::Axes`] for an axis that the array does not have or that is listed twice; as [`Sorter::sort`].
    pub fn sort_along<K: Key, D: Dimension>(
        &self,
        array: &mut ArrayRef<K, D>,
        axes: impl Into<Axes>,
        order: SortOrder,
    ) -> Result<(), SortError> {
        self.sort_lanes(array.view_mut().into_dyn(), &axes.into(), order)
    }

    fn sort_lanes<K: Key>(&self, array: ArrayViewMutD<'_, K>, axes: &Axes, order: SortOrder) -> Result<(), SortError> {
        let axes = axes.of(array.ndim())?;
        let lane: usize = axes.iter().map(|&axis| array.len_of(Axis(axis))).product();
        if lane < 2 {
            return Ok(());
        }
        in_place_along(self.device(), array, &axes, |lanes: &mut [K]| {
            if lanes.len() == lane {
                return self.sort(lanes, order);
            }
            let offsets: Vec<usize> = (0..=lanes.len()).step_by(lane).collect();
            self.sort_segments(lanes, &offsets, order)
        })
    }
}

#[cfg(test)]
mod tests {
    use manycore_arrays::AxesError;
    use manycore_device::Device;
    use ndarray::{Array2, Array3, ArrayD, IxDyn, Slice};
    use proptest::prelude::*;

    use super::*;

    /// Each lane sorted by the standard library.
    fn expected(array: &ArrayD<i32>, axes: &[usize], order: SortOrder) -> ArrayD<i32> {
        let mut sorted = array.clone();
        let lane: usize = axes.iter().map(|&axis| array.shape()[axis]).product();
        let batch = (0..array.ndim()).filter(|axis| !axes.contains(axis));
        let places: Vec<usize> = batch.chain(axes.iter().copied()).collect();
        let mut view = sorted.view_mut().permuted_axes(IxDyn(&places));
        let mut all: Vec<i32> = view.iter().copied().collect();
        for lane in all.chunks_mut(lane.max(1)) {
            lane.sort_unstable();
            if order == SortOrder::Descending {
                lane.reverse();
            }
        }
        view.iter_mut().zip(all).for_each(|(to, value)| *to = value);
        sorted
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn lanes_are_sorted(
            shape in prop::collection::vec(0usize..7, 1..4),
            seed in any::<u32>(),
            step in prop_oneof![Just(1isize), Just(-1), Just(2)],
        ) {
            let doubled: Vec<usize> = shape.iter().rev().map(|length| 2 * length).collect();
            let mut next = seed;
            let mut memory = ArrayD::from_shape_fn(doubled, |_| {
                next = next.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (next >> 27) as i32 - 16
            });
            let mut view = memory.view_mut().reversed_axes();
            for axis in 0..shape.len() {
                view.slice_axis_inplace(Axis(axis), Slice::new(0, None, if axis == 0 { step } else { 2 }));
            }
            let mut axes: Vec<usize> = (0..shape.len()).collect();
            axes.rotate_left(seed as usize % shape.len());
            axes.truncate(1 + (seed >> 8) as usize % shape.len());
            let order = if seed & 1 == 0 { SortOrder::Ascending } else { SortOrder::Descending };
            for device in manycore_testkit::devices() {
                let mut sorted = view.to_owned();
                let expected = expected(&sorted, &axes, order);
                Sorter::new(&device).sort_along(&mut sorted, axes.clone(), order).unwrap();
                prop_assert_eq!(&sorted, &expected);
            }
            let expected = expected(&view.to_owned(), &axes, order);
            Sorter::new(&Device::host()).sort_along(&mut view, axes, order).unwrap();
            prop_assert_eq!(view, expected);
        }
    }

    #[test]
    fn wrong_axes_are_named() {
        let sorter = Sorter::new(&Device::host());
        let mut x = Array3::<u8>::zeros((2, 3, 4));
        let error = sorter.sort_along(&mut x, 3, SortOrder::Ascending).unwrap_err();
        assert_eq!(error, SortError::Axes(AxesError::OutOfRange { axis: 3, dimensions: 3 }));
        let error = sorter.sort_along(&mut x, [1, 1], SortOrder::Ascending).unwrap_err();
        assert_eq!(error, SortError::Axes(AxesError::Repeated { axis: 1 }));
        sorter.sort_along(&mut Array2::<f64>::zeros((0, 3)), 1, SortOrder::Ascending).unwrap();
    }
}
