//! Copies between arrays of one shape and any strides: blocked transposition by tiles that fit the first cache.
//!
//! The fastest axis of either array spans the tiles. Where one axis is the fastest of both, runs along it are copied.

use manycore_device::{Device, Executor, Team};
use ndarray::{ArrayD, ArrayRef, ArrayView2, ArrayViewD, ArrayViewMut2, ArrayViewMutD, Axis, Dimension, Ix2, IxDyn, s};

/// Values on a side of a tile.
const TILE: usize = 32;
/// Values of a part that one thread copies; fewer are copied by the calling thread alone.
const PART_VALUES: usize = 1 << 16;

/// Copies `from` to `to` by the threads of `device`, where it is the host, or by the calling thread. Takes one read and one write
/// a value.
///
/// ```
/// use manycore_arrays::copy;
/// use manycore_device::Device;
/// use ndarray::array;
/// let (a, mut b) = (array![[1, 2, 3], [4, 5, 6]], ndarray::Array2::zeros([2, 3]));
/// copy(&Device::host(), a.view().into_dyn(), b.view_mut().into_dyn());
/// assert_eq!(a, b);
/// ```
///
/// # Panics
/// Where the shapes differ.
pub fn copy<A: Copy + Send + Sync>(device: &Device, from: ArrayViewD<'_, A>, to: ArrayViewMutD<'_, A>) {
    assert_eq!(from.shape(), to.shape(), "copies are between arrays of one shape");
    if from.is_empty() {
        return;
    }
    let team = match device.executor() {
        Executor::Host(pool) => pool.team().only_if(from.len() > PART_VALUES),
        Executor::OpenCl(_) => Team::ALONE,
    };
    let order = order(&from, &to);
    let (from, to) = (from.permuted_axes(IxDyn(&order)), to.permuted_axes(IxDyn(&order)));
    if team.is_alone() {
        return copy_part(from, to);
    }
    let mut parts = Vec::new();
    split(from, to, &mut parts);
    team.each(parts, |(from, to)| copy_part(from, to));
}

/// An array of the values of `x` in standard layout, copied as [`copy`] does.
pub fn copied<A: Copy + Default + Send + Sync, D: Dimension>(device: &Device, x: &ArrayRef<A, D>) -> ArrayD<A> {
    let mut to = ArrayD::from_elem(x.shape(), A::default());
    copy(device, x.view().into_dyn(), to.view_mut());
    to
}

/// The axes from slow to fast: by the strides in `to`, the fastest of `from` being the last but one if it is another.
fn order<A>(from: &ArrayViewD<'_, A>, to: &ArrayViewMutD<'_, A>) -> Vec<usize> {
    let key = |strides: &[isize], axis: usize| (from.len_of(Axis(axis)) > 1, strides[axis].unsigned_abs());
    let mut order: Vec<usize> = (0..from.ndim()).collect();
    // Axes of length 1 come first; of the others the largest stride.
    order.sort_by_key(|&axis| {
        let (long, stride) = key(to.strides(), axis);
        (long, std::cmp::Reverse(stride))
    });
    let fastest = order.iter().copied().filter(|&axis| from.len_of(Axis(axis)) > 1);
    let fastest = fastest.min_by_key(|&axis| from.strides()[axis].unsigned_abs());
    if let (Some(fastest), Some(&last)) = (fastest, order.last())
        && fastest != last
    {
        order.retain(|&axis| axis != fastest);
        order.insert(order.len() - 1, fastest);
    }
    order
}

/// Parts of equal shape of both arrays, cut along the longest axes.
fn split<'a, A>(
    from: ArrayViewD<'a, A>,
    to: ArrayViewMutD<'a, A>,
    parts: &mut Vec<(ArrayViewD<'a, A>, ArrayViewMutD<'a, A>)>,
) {
    let longest = (0..from.ndim()).max_by_key(|&axis| from.len_of(Axis(axis))).map(Axis);
    match longest {
        Some(axis) if from.len() > PART_VALUES => {
            let middle = from.len_of(axis) / 2;
            let (from, to) = (from.split_at(axis, middle), to.split_at(axis, middle));
            split(from.0, to.0, parts);
            split(from.1, to.1, parts);
        }
        _ => parts.push((from, to)),
    }
}

/// A part by the calling thread.
fn copy_part<A: Copy>(from: ArrayViewD<'_, A>, mut to: ArrayViewMutD<'_, A>) {
    let lengths = from.shape();
    let inner = lengths.len().saturating_sub(2);
    // Matrices of few values cost more by themselves than their values do.
    if lengths.len() < 2 || lengths[inner] == 1 || lengths[inner..].iter().product::<usize>() < TILE {
        return to.assign(&from);
    }
    if lengths.len() > 2 {
        for (from, to) in from.outer_iter().zip(to.outer_iter_mut()) {
            copy_part(from, to);
        }
    } else if let (Ok(from), Ok(to)) = (from.into_dimensionality::<Ix2>(), to.into_dimensionality::<Ix2>()) {
        copy_matrix(&from, to);
    }
}

fn copy_matrix<A: Copy>(from: &ArrayView2<'_, A>, mut to: ArrayViewMut2<'_, A>) {
    let (rows, columns) = from.dim();
    if from.strides()[1].unsigned_abs() <= from.strides()[0].unsigned_abs() {
        return to.assign(from);
    }
    for top in (0..rows).step_by(TILE) {
        let rows = top..rows.min(top + TILE);
        for left in (0..columns).step_by(TILE) {
            let columns = left..columns.min(left + TILE);
            to.slice_mut(s![rows.clone(), columns.clone()]).assign(&from.slice(s![rows.clone(), columns]));
        }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array, Slice};
    use proptest::prelude::*;

    use super::*;

    /// A view of an array of this shape whose memory has the axes in this order, every `step`-th value of each, some backwards.
    fn strided(shape: &[usize], order: &[usize], steps: &[isize], test: impl FnOnce(ArrayViewMutD<'_, u32>)) {
        let lengths: Vec<usize> = order.iter().map(|&axis| shape[axis] * steps[axis].unsigned_abs()).collect();
        let values: usize = lengths.iter().product();
        let mut memory = Array::from_iter(0..values as u32).into_shape_with_order(lengths).unwrap();
        let mut back = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &axis)| back[axis] = place);
        let mut view = memory.view_mut().permuted_axes(IxDyn(&back));
        steps
            .iter()
            .enumerate()
            .for_each(|(axis, &step)| view.slice_axis_inplace(Axis(axis), Slice::new(0, None, step)));
        assert_eq!(view.shape(), shape);
        test(view);
    }

    /// The order of the axes in memory, and the step of each.
    type Layout = (Vec<usize>, Vec<isize>);

    /// A shape, and for either array its layout.
    fn layouts() -> impl Strategy<Value = (Vec<usize>, [Layout; 2])> {
        (0usize..5).prop_flat_map(|dimensions| {
            let axes: Vec<usize> = (0..dimensions).collect();
            let step = prop_oneof![Just(1isize), Just(-1), Just(2), Just(-3)];
            let layout = (Just(axes).prop_shuffle(), prop::collection::vec(step, dimensions));
            let length = prop_oneof![0usize..4, 1usize..9, Just(40usize)];
            (prop::collection::vec(length, dimensions), [layout.clone(), layout])
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn copies_are_assignments((shape, [left, right]) in layouts()) {
            prop_assume!(shape.iter().product::<usize>() <= 1 << 17);
            let mut equal = false;
            strided(&shape, &left.0, &left.1, |from| strided(&shape, &right.0, &right.1, |mut to| {
                copy(&Device::host(), from.view(), to.view_mut());
                equal = to == from && copied(&Device::host(), &from) == from;
            }));
            prop_assert!(equal);
        }
    }

    #[test]
    fn long_copies_are_shared() {
        for shape in [[1, 3, 70_001], [300, 401, 3], [2, 1024, 1024]] {
            let from = Array::from_shape_fn(shape, |(i, j, k)| (i * 31 + j * 17 + k) as u64).into_dyn();
            let mut to = ArrayD::zeros(&[shape[2], shape[1], shape[0]][..]);
            copy(&Device::host(), from.view(), to.view_mut().reversed_axes());
            assert_eq!(to.reversed_axes(), from);
        }
    }
}
