//! Bounds of integers, which decide before a computation whether their type holds its sums: the bits of all absolute values on the
//! host and on devices, sums, and sums of absolute values.
//!
//! ```
//! use manycore_device::{Team, integers};
//! // The absolute values of 5 and -8 need three bits, that of -8 being the least number of four.
//! assert_eq!(integers::bits(&[5i32, -8], Team::ALONE), 3);
//! ```

use crate::buffer::storage::Buffer;
use crate::error::DeviceError;
use crate::host::simd::{Job, run};
use crate::host::team::Team;
use crate::opencl::defines::Defines;
use crate::opencl::executor::OpenCl;
use crate::word::{Word, WordType};

// SAFETY: `bounds_on` alone launches it, with two words for each group.
crate::kernel! {
    /// The bits of integers and the sum of some of them.
    unsafe INTEGER_BOUNDS in manycore_kernels::device::INTEGER_BOUNDS: integer_bounds
}

/// Bytes from which on threads share the look at integers.
const SHARED_BYTES: usize = 1 << 20;
/// Bytes of a part that one thread looks at.
const PART_BYTES: usize = 1 << 17;
/// Items of a group, and groups at most.
const GROUP: usize = 256;
const MOST_GROUPS: usize = 256;

/// A type of signed integers whose sums are bounded: [`i32`] or [`i64`].
pub trait Integer: Word + Default + Into<i128> + TryFrom<i128> {
    /// The bits of the type.
    const BITS: u32;

    /// The largest number, [`i32::MAX`] or [`i64::MAX`].
    const LARGEST: i128 = (1 << (Self::BITS - 1)) - 1;

    /// The bits that any of the values has, of negative ones those of -1 - x.
    fn bits_of(x: &[Self]) -> u64;

    /// The sum modulo the type's range.
    fn sum(x: &[Self]) -> Self;

    /// The sum of the absolute values of fewer than `2^32` values.
    fn size(x: &[Self]) -> u128;
}

macro_rules! integer {
    ($type:ident, $wide:ident) => {
        impl Integer for $type {
            const BITS: u32 = Self::BITS;

            fn bits_of(x: &[Self]) -> u64 {
                struct Bits<'a>(&'a [$type]);
                impl Job for Bits<'_> {
                    type Output = $type;

                    #[inline(always)]
                    fn run(self) -> $type {
                        self.0.iter().fold(0, |all, &x| all | (x ^ (x >> ($type::BITS - 1))))
                    }
                }
                run(Bits(x)) as u64
            }

            fn sum(x: &[Self]) -> Self {
                struct Sum<'a>(&'a [$type]);
                impl Job for Sum<'_> {
                    type Output = $type;

                    #[inline(always)]
                    fn run(self) -> $type {
                        self.0.iter().fold(0, |sum, &x| sum.wrapping_add(x))
                    }
                }
                // The choice of vectors takes longer than a few additions.
                if x.len() < 64 { Sum(x).run() } else { run(Sum(x)) }
            }

            fn size(x: &[Self]) -> u128 {
                u128::from(x.iter().fold(0, |sum: $wide, &x| sum + $wide::from(x.unsigned_abs())))
            }
        }
    };
}

integer!(i32, u64);
integer!(i64, u128);

/// The least `b` with `-2^b <= x < 2^b` for all values: 0 where they are 0 and -1.
pub fn bits<T: Integer>(x: &[T], team: Team<'_>) -> u32 {
    let part = if size_of_val(x) > SHARED_BYTES { part_len::<T>() } else { x.len().max(1) };
    bit_len(in_parts(x, part, team, T::bits_of).into_iter().fold(0, |all, bits| all | bits))
}

/// The sum modulo the type's range of each run of `len` values, a power of two.
pub fn sums<T: Integer>(x: &[T], len: usize, team: Team<'_>) -> Vec<T> {
    of_runs(x, len, team, T::sum, T::sum)
}

/// The sum of the absolute values of each run of `len` values, a power of two.
pub fn sizes<T: Integer>(x: &[T], len: usize, team: Team<'_>) -> Vec<u128> {
    of_runs(x, len, team, T::size, |parts: &[u128]| parts.iter().sum())
}

/// [`bits`] of values on a device, and the sum modulo 2^64 of those at multiples of `2^log_stride`, which is below 2^64: one launch,
/// whose result is waited for. Words are `i32` or `i64`.
///
/// # Errors
/// [`DeviceError::Unsupported`] for other words; [`DeviceError`] without memory for some words, or of a device that failed.
pub fn bounds_on<T: Word>(cl: &OpenCl, x: &Buffer<T>, log_stride: u32) -> Result<(u32, u64), DeviceError> {
    if !matches!(T::TYPE, WordType::I32 | WordType::I64) {
        let feature = format!("bounds of {}", T::TYPE.name());
        return Err(DeviceError::Unsupported { device: cl.name().to_owned(), feature });
    }
    let kernel = cl.kernel(&INTEGER_BOUNDS, &Defines::new().element(T::TYPE))?;
    let groups = x.len().div_ceil(GROUP).clamp(1, MOST_GROUPS);
    let mut out = x.device().scratch::<u64>(2 * groups)?;
    let launch = cl.launch(&kernel).input(x).buffer(&mut out).value(x.len() as u64).value(log_stride);
    launch.groups(groups, GROUP).bytes(size_of::<T>() as u64 * x.len() as u64).run()?;
    let words = out.download()?;
    let all = |(bits, sum): (u64, u64), group: &[u64]| (bits | group[0], sum.wrapping_add(group[1]));
    let (bits, sum) = words.chunks_exact(2).fold((0, 0), all);
    Ok((bit_len(bits), sum))
}

/// Words as integers of 32 or 64 bits, where they are such.
#[derive(Debug, Clone, Copy)]
pub enum Integers<'a> {
    /// Of 32 bits.
    I32(&'a [i32]),
    /// Of 64 bits.
    I64(&'a [i64]),
}

impl<'a> Integers<'a> {
    /// The integers that words are; `None` of other words.
    pub fn of<T: Word>(words: &'a [T]) -> Option<Self> {
        match T::TYPE {
            WordType::I32 => Some(Self::I32(bytemuck::cast_slice(words))),
            WordType::I64 => Some(Self::I64(bytemuck::cast_slice(words))),
            _ => None,
        }
    }
}

const fn bit_len(bits: u64) -> u32 {
    u64::BITS - bits.leading_zeros()
}

/// The values of a part that one thread looks at, a power of two.
const fn part_len<T>() -> usize {
    PART_BYTES / size_of::<T>()
}

/// What `of` gives of each run of `len` values, longer ones by `all` of what it gives of their parts.
fn of_runs<T: Integer, R: Default + Clone + Send>(
    x: &[T],
    len: usize,
    team: Team<'_>,
    of: impl Fn(&[T]) -> R + Sync,
    all: impl Fn(&[R]) -> R,
) -> Vec<R> {
    let part = part_len::<T>().min(len.max(1));
    let found = in_parts(x, part, team, of);
    if part == len { found } else { found.chunks(len.max(1) / part).map(all).collect() }
}

/// What `of` gives of parts of `x` of `part` values.
fn in_parts<T: Integer, R: Default + Clone + Send>(
    x: &[T],
    part: usize,
    team: Team<'_>,
    of: impl Fn(&[T]) -> R + Sync,
) -> Vec<R> {
    let team = team.only_if(size_of_val(x) > SHARED_BYTES);
    let mut found = vec![R::default(); x.len().div_ceil(part)];
    // Short parts together, so that one costs no turn of a thread.
    let each = part_len::<T>().div_ceil(part);
    team.each(found.chunks_mut(each).zip(x.chunks(each * part)), |(found, x)| {
        found.iter_mut().zip(x.chunks(part)).for_each(|(found, x)| *found = of(x));
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{Device, Executor};

    #[test]
    fn bounds_of_corners() {
        let team = Team::ALONE;
        assert_eq!(bits::<i32>(&[], team), 0);
        assert_eq!([bits(&[0, -1i32], team), bits(&[1i32], team), bits(&[-2i32], team)], [0, 1, 1]);
        assert_eq!((bits(&[i32::MIN], team), bits(&[i32::MAX], team), bits(&[i64::MIN, 3], team)), (31, 31, 63));
        assert_eq!(sizes(&[i64::MIN, i64::MIN, 1, -2], 2, team), [1 << 64, 3]);
        assert_eq!(sums(&[i32::MAX, 1, 5, -7], 2, team), [i32::MIN, -2]);
    }

    /// Long runs in parts, by several threads.
    #[test]
    fn threads_agree_with_loops() {
        let device = Device::host_with(3).unwrap();
        let Executor::Host(pool) = device.executor() else { unreachable!() };
        let x: Vec<i64> = (0..1i64 << 18).map(|i| (i * 0x1357_9bdf_0123) ^ -(i & 1)).collect();
        for len in [1, 1 << 5, 1 << 17, 1 << 18] {
            let expected: Vec<u128> =
                x.chunks(len).map(|run| run.iter().map(|x| u128::from(x.unsigned_abs())).sum()).collect();
            assert_eq!(sizes(&x, len, pool.team()), expected);
            let expected: Vec<i64> =
                x.chunks(len).map(|run| run.iter().fold(0, |sum: i64, &x| sum.wrapping_add(x))).collect();
            assert_eq!(sums(&x, len, pool.team()), expected);
        }
        let mut y = vec![0i32; 1 << 19];
        y[(1 << 19) - 1] = -257;
        assert_eq!(bits(&y, pool.team()), 9);
    }
}
