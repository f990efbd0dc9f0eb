//! Lanes of an array as runs of memory: where they lie, or gathered and scattered in blocks.
//!
//! ```text
//! array, axes permuted:     batch axes, by falling strides | axes of a lane
//! lanes fill the memory:    run(the whole memory)
//! else, block after block:  gather -> run(lanes of the block, one after the other) -> scatter
//! ```

use bytemuck::Pod;
use manycore_device::{Device, DeviceError, Executor, host_room};
use ndarray::{ArrayViewD, ArrayViewMutD, Axis, IxDyn};

use crate::copy::copy;

/// Bytes of a block for each thread of the host: gathered lanes and array are still in the second cache when they are done.
const THREAD_BLOCK_BYTES: usize = 1 << 19;
/// Bytes of a block that an OpenCL device gets: enough that neither transfers nor launches are bound by latency.
const DEVICE_BLOCK_BYTES: usize = 1 << 28;
/// Bytes of a cache line: blocks are as wide where lanes lie beside each other.
const LINE_BYTES: usize = 64;
/// Bytes from which on the host is asked whether it has them.
const ASKED_BYTES: usize = 1 << 20;

/// Hands the lanes of `array` along `axes` to `run`, as runs of values that follow each other in memory: a lane's values stand in
/// the order of `axes`, the last one being the fastest, and a call gets one lane or more. What `run` makes of them is the array's.
///
/// Lanes that fill the array's memory one after the other are given to one call where they lie. Others are gathered and
/// scattered, in blocks of 512 KiB for each thread of the host, or 256 MiB for an OpenCL device, and of one lane at least. In
/// which order lanes come is not specified. An array without values has no lanes.
///
/// # Errors
/// [`DeviceError::OutOfMemory`] where the host has no memory for a block; those of `run`, after which the array is partly done.
///
/// # Panics
/// Where `axes` are not different axes of the array ([`Axes::of`](crate::Axes::of) gives such).
pub fn in_place_along<A: Pod + Send + Sync, E: From<DeviceError>>(
    device: &Device,
    array: ArrayViewMutD<'_, A>,
    axes: &[usize],
    mut run: impl FnMut(&mut [A]) -> Result<(), E>,
) -> Result<(), E> {
    if array.is_empty() {
        return Ok(());
    }
    let (mut array, batch) = lanes_last(array, axes);
    if let Some(values) = array.as_slice_mut() {
        return run(values);
    }
    let block_bytes = match device.executor() {
        Executor::Host(pool) => THREAD_BLOCK_BYTES * pool.threads(),
        Executor::OpenCl(_) => DEVICE_BLOCK_BYTES,
    };
    let most_values = block_bytes / size_of::<A>().max(1);
    let mut memory: Vec<A> = Vec::new();
    in_blocks(array, batch, most_values, &mut |mut block| {
        // A lane that is as long as a block, or lanes that lie one after the other.
        if let Some(values) = block.as_slice_mut() {
            return run(values);
        }
        if block.len() > memory.len() {
            let bytes = block.len() * size_of::<A>();
            if bytes > ASKED_BYTES {
                host_room(bytes as u64)?;
            }
            memory = bytemuck::zeroed_vec(block.len());
        }
        let values = &mut memory[..block.len()];
        let shape = block.raw_dim();
        if let Ok(gathered) = ArrayViewMutD::from_shape(shape.clone(), &mut *values) {
            copy(device, block.view(), gathered);
        }
        run(values)?;
        if let Ok(done) = ArrayViewD::from_shape(shape, &*values) {
            copy(device, done, block);
        }
        Ok(())
    })
}

/// The array with the axes of lanes last, after the batch axes by falling strides, and the number of those.
fn lanes_last<'a, A>(array: ArrayViewMutD<'a, A>, axes: &[usize]) -> (ArrayViewMutD<'a, A>, usize) {
    let stride = |axis: usize| array.strides()[axis];
    let mut order: Vec<usize> = (0..array.ndim()).filter(|axis| !axes.contains(axis)).collect();
    order.sort_by_key(|&axis| (array.len_of(Axis(axis)) > 1, std::cmp::Reverse(stride(axis).unsigned_abs())));
    let backwards: Vec<usize> = (0..order.len()).filter(|&place| stride(order[place]) < 0).collect();
    let batch = order.len();
    order.extend(axes);
    let mut array = array.permuted_axes(IxDyn(&order));
    // The order of lanes does not matter, so that they may come forwards.
    for place in backwards {
        array.invert_axis(Axis(place));
    }
    (array, batch)
}

/// Gives blocks of whole lanes to `each`, of about `most_values` values at most; the first `batch` axes are not those of lanes.
fn in_blocks<A, E>(
    mut array: ArrayViewMutD<'_, A>,
    batch: usize,
    most_values: usize,
    each: &mut dyn FnMut(ArrayViewMutD<'_, A>) -> Result<(), E>,
) -> Result<(), E> {
    let long = (0..batch).find(|&place| array.len_of(Axis(place)) > 1);
    let Some(axis) = long.filter(|_| array.len() > most_values) else { return each(array) };
    let length = array.len_of(Axis(axis));
    let mut some = (most_values / (array.len() / length)).max(1);
    if array.strides()[axis] == 1 {
        // Lanes beside each other share cache lines.
        some = some.max(LINE_BYTES / size_of::<A>().clamp(1, LINE_BYTES));
    }
    if some >= length {
        return each(array);
    }
    array.axis_chunks_iter_mut(Axis(axis), some).try_for_each(|part| in_blocks(part, batch, most_values, each))
}

#[cfg(test)]
mod tests {
    use ndarray::{Array, Slice};
    use proptest::prelude::*;

    use super::*;
    use crate::Axes;

    /// Every lane's values times their places in the lane, plus 1; and the lanes given.
    fn weigh(array: ArrayViewMutD<'_, u64>, axes: &[usize], device: &Device) -> usize {
        let lane: usize = axes.iter().map(|&axis| array.shape()[axis]).product();
        let mut lanes = 0;
        in_place_along(device, array, axes, |values| {
            lanes += values.len() / lane;
            assert!(values.len().is_multiple_of(lane));
            values.chunks_mut(lane).for_each(|lane| (1..).zip(lane).for_each(|(place, value)| *value *= place));
            Ok::<_, DeviceError>(())
        })
        .unwrap();
        lanes
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn every_lane_comes_once(
            shape in prop::collection::vec(prop_oneof![1usize..5, Just(64usize)], 1..5),
            seed in any::<u64>(),
            steps in prop::collection::vec(prop_oneof![Just(1isize), Just(-1), Just(2)], 4),
        ) {
            prop_assume!(shape.iter().product::<usize>() <= 1 << 16);
            let dimensions = shape.len();
            let mut order: Vec<usize> = (0..dimensions).collect();
            order.rotate_left(seed as usize % dimensions);
            let axes = &order[..=(seed >> 8) as usize % dimensions];
            let memory_shape: Vec<usize> = shape.iter().rev().map(|length| 2 * length).collect();
            let values: usize = memory_shape.iter().product();
            let mut memory = Array::from_iter(0..values as u64).into_shape_with_order(memory_shape).unwrap();
            let mut view = memory.view_mut().reversed_axes();
            (0..dimensions).for_each(|axis| view.slice_axis_inplace(Axis(axis), Slice::new(0, None, steps[axis])));
            let lane: usize = axes.iter().map(|&axis| view.shape()[axis]).product();
            let mut expected = view.to_owned();
            for (place, value) in expected.indexed_iter_mut() {
                *value *= axes.iter().fold(0u64, |at, &axis| at * view.shape()[axis] as u64 + place[axis] as u64) + 1;
            }
            prop_assert_eq!(weigh(view.view_mut(), axes, &Device::host()), view.len() / lane);
            prop_assert_eq!(view.to_owned(), expected);
        }
    }

    #[test]
    fn contiguous_lanes_stay_where_they_lie() {
        let mut array = Array::from_shape_fn((6, 4, 5), |(i, j, k)| (i * 20 + j * 5 + k) as u64).into_dyn();
        let start = array.as_ptr() as usize;
        let calls = |array: ArrayViewMutD<'_, u64>, axes: &[usize]| {
            let mut calls = Vec::new();
            in_place_along(&Device::host(), array, axes, |values| {
                calls.push((values.as_ptr() as usize - start, values.len()));
                Ok::<_, DeviceError>(())
            })
            .unwrap();
            calls
        };
        assert_eq!(calls(array.view_mut(), &[2]), [(0, 120)]);
        assert_eq!(calls(array.view_mut(), &[1, 2]), [(0, 120)]);
        assert_eq!(calls(array.view_mut().reversed_axes(), &[0]), [(0, 120)]);
        let mut backwards = array.view_mut();
        backwards.invert_axis(Axis(1));
        assert_eq!(calls(backwards, &[2]), [(0, 120)]);
    }

    #[test]
    fn blocks_hold_whole_lanes() {
        // 3 MiB in lanes of 8 KiB that are not adjacent, and of 1 MiB.
        for (shape, axis, most) in [([1024, 384], 0, THREAD_BLOCK_BYTES), ([131_072, 3], 0, 3 << 20)] {
            let mut array = Array::from_elem(shape, 1u64);
            let device = Device::host_with(1).unwrap();
            let axes = Axes::from(axis).of(2).unwrap();
            let mut lengths = Vec::new();
            in_place_along(&device, array.view_mut().into_dyn(), &axes, |values| {
                lengths.push(values.len());
                values.chunks_mut(shape[axis]).for_each(|lane| lane[1..].fill(2));
                Ok::<_, DeviceError>(())
            })
            .unwrap();
            assert!(
                lengths.iter().all(|&length| length.is_multiple_of(shape[axis]) && 8 * length <= most),
                "{lengths:?}"
            );
            assert_eq!(lengths.iter().sum::<usize>(), array.len());
            assert!(array.indexed_iter().all(|((i, _), &value)| value == if i == 0 { 1 } else { 2 }));
        }
    }

    #[test]
    fn errors_end_it_and_nothing_has_no_lanes() {
        let mut array = Array::zeros((3, 4)).into_dyn();
        let error = DeviceError::MixedDevices { expected: "a".into(), given: "b".into() };
        let mut calls = 0;
        let result = in_place_along(&Device::host(), array.view_mut(), &[0], |_: &mut [u8]| {
            calls += 1;
            Err(error.clone())
        });
        assert_eq!((result, calls), (Err(error), 1));
        let mut none = Array::<u8, _>::zeros((0, 4)).into_dyn();
        let never = in_place_along(&Device::host(), none.view_mut(), &[1], |_| Err(DeviceError::elsewhere()));
        assert_eq!(never, Ok(()));
    }
}
