//! The primitives on OpenCL devices: one launch each.

use manycore_device::{Buffer, Defines, OpenCl};

use super::summary::ClassSums;
use crate::context::Boolean;
use crate::error::BooleanError;
use crate::groups::{group_items, most_groups};

// SAFETY: the functions of this file alone launch them, with words and values of functions of equally many variables.
manycore_device::kernel! {
    /// Packed values to signs.
    unsafe SIGNS in manycore_kernels::boolean::FUNCTION: boolean_signs
    /// Signs to packed values.
    unsafe NEGATIVE in manycore_kernels::boolean::FUNCTION: boolean_negative
    /// Squares of 32-bit integers.
    unsafe SQUARES in manycore_kernels::boolean::FUNCTION: boolean_squares
    /// 64-bit integers shifted right.
    unsafe SHIFTED in manycore_kernels::boolean::FUNCTION: boolean_shifted
    /// Weight and largest index weight of packed values.
    unsafe WEIGH in manycore_kernels::boolean::FUNCTION: boolean_weigh
    /// Sums and maxima by the index's weight.
    unsafe CLASSES in manycore_kernels::boolean::CLASSES: boolean_classes
}

/// Indices of weight 0 to 32, or bits 0 to 31.
const CLASSES_HELD: usize = 33;

/// Values that a group of `boolean_classes` takes at a time, for each of its items.
const VALUES_EACH: usize = 64;

fn defines(items: usize) -> Defines {
    Defines::new().set("GROUP", items)
}

pub(super) fn signs(
    context: &Boolean,
    cl: &OpenCl,
    words: &Buffer<u64>,
    out: &mut Buffer<i32>,
) -> Result<(), BooleanError> {
    let (items, len) = (group_items(cl, 256), out.len());
    let kernel = context.kernel(cl, &SIGNS, defines(items))?;
    let launch = cl.launch(&kernel).input(words).buffer(out).value(len as u64).items(len.div_ceil(4), items);
    Ok(launch.bytes((4 * len + len / 8) as u64).run()?)
}

pub(super) fn negative(
    context: &Boolean,
    cl: &OpenCl,
    values: &Buffer<i32>,
    out: &mut Buffer<u64>,
) -> Result<(), BooleanError> {
    let (items, len) = (group_items(cl, 256), values.len());
    let kernel = context.kernel(cl, &NEGATIVE, defines(items))?;
    let words = out.len();
    let launch = cl.launch(&kernel).input(values).buffer(out).value(len as u64).items(words, items);
    Ok(launch.bytes((4 * len + len / 8) as u64).run()?)
}

pub(super) fn squares(
    context: &Boolean,
    cl: &OpenCl,
    values: &Buffer<i32>,
    out: &mut Buffer<i64>,
) -> Result<(), BooleanError> {
    let (items, len) = (group_items(cl, 256), out.len());
    let kernel = context.kernel(cl, &SQUARES, defines(items))?;
    let launch = cl.launch(&kernel).input(values).buffer(out).value(len as u64).items(len, items);
    Ok(launch.bytes(12 * len as u64).run()?)
}

pub(super) fn shifted(
    context: &Boolean,
    cl: &OpenCl,
    values: &Buffer<i64>,
    shift: u32,
    out: &mut Buffer<i32>,
) -> Result<(), BooleanError> {
    let (items, len) = (group_items(cl, 256), out.len());
    let kernel = context.kernel(cl, &SHIFTED, defines(items))?;
    let launch = cl.launch(&kernel).input(values).buffer(out).value(len as u64).value(shift).items(len, items);
    Ok(launch.bytes(12 * len as u64).run()?)
}

pub(super) fn weigh(context: &Boolean, cl: &OpenCl, words: &Buffer<u64>) -> Result<(u64, u32), BooleanError> {
    let items = group_items(cl, 256);
    let kernel = context.kernel(cl, &WEIGH, defines(items))?;
    let groups = words.len().div_ceil(items).min(most_groups(cl));
    let mut out = context.device().scratch::<u64>(2 * groups)?;
    let launch = cl.launch(&kernel).input(words).value(words.len() as u64).buffer(&mut out).groups(groups, items);
    launch.bytes(8 * words.len() as u64).run()?;
    let found = out.download()?;
    Ok((found.iter().step_by(2).sum(), found.iter().skip(1).step_by(2).max().map_or(0, |&degree| degree as u32)))
}

pub(super) fn class_sums(
    context: &Boolean,
    cl: &OpenCl,
    values: &Buffer<i32>,
    variables: u32,
) -> Result<ClassSums, BooleanError> {
    let (device, items) = (context.device(), group_items(cl, 256));
    let kernel = context.kernel(cl, &CLASSES, defines(items))?;
    let groups = values.len().div_ceil(items * VALUES_EACH).min(most_groups(cl));
    let mut most = device.zeros::<u32>(CLASSES_HELD)?;
    let mut nonzero = device.zeros::<u32>(CLASSES_HELD)?;
    let mut full = device.scratch::<u32>(CLASSES_HELD)?;
    full.fill(u32::MAX)?;
    let mut squares = device.scratch::<u64>(2 * groups)?;
    cl.launch(&kernel)
        .input(values)
        .value(values.len() as u64)
        .value(1u32 << variables)
        .buffer(&mut most)
        .buffer(&mut nonzero)
        .buffer(&mut full)
        .buffer(&mut squares)
        .groups(groups, items)
        .bytes(4 * values.len() as u64)
        .run()?;
    let classes = variables as usize + 1;
    let (mut most, nonzero, full) = (most.download()?, nonzero.download()?, full.download()?);
    most.truncate(classes);
    // Low halves of squares, and high halves.
    let sum = |[low, high]: [u64; 2]| u128::from(low) + (u128::from(high) << 32);
    Ok(ClassSums {
        most,
        nonzero: nonzero[..classes].iter().map(|&count| count.into()).collect(),
        squares: squares.download()?.chunks_exact(2).map(|pair| sum([pair[0], pair[1]])).sum(),
        full: full[..classes - 1].iter().map(|&index| (index != u32::MAX).then_some(index.into())).collect(),
    })
}
