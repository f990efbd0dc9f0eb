//! Exact integers: sums are bounded before a transform, and a rounded inverse is detected after it.
//!
//! Sums of `2^n` integers of at most `2^b` in absolute value are at most `2^(n + b)`. Where that is past the type, the absolute
//! values of each run are added, and where their sum is past it too, the run is transformed in 128 bits, which gives the exact largest sum.
//! Sums on the way may wrap, since the results are right modulo `2^32` or `2^64`.
//!
//! An inverse rounds down where its input is no spectrum of integers. Let `W x = N y + r` with `0 <= r < N` at every place: all of
//! `W x` add up to `N x[0]`, so that `x[0]` less the sum of `y` is the sum of `r` over `N`, which is zero if and only if every
//! division was exact. A Haar transform's inverse halves a sum and a difference at each node, and a node that rounds takes 1 from
//! the sum of the values below it, so that the same difference counts these nodes.

use manycore_device::integers::{self, Integer, Integers};
use manycore_device::{Buffer, DeviceError, Executor, InPlace, OpenCl, Team, Word, WordType, host_room};

use crate::context::Spectral;
use crate::error::SpectralError;
use crate::scalar::Scalar;
use crate::threads::of_default_host;
use manycore_arrays::orders::{BitOrder, Direction, HaarOrder};

/// Bytes from which on the threads of the host are started.
const SHARED_BYTES: usize = 1 << 20;

/// The sums of the transforms of runs of integers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sums {
    /// The base-2 logarithm of a run's length.
    pub(crate) log_len: u32,
    pub(crate) of: Of,
}

/// Which sums.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Of {
    /// Of the Walsh-Hadamard transform, whose orders are permutations of the same sums; an inverse divides them.
    Walsh(Direction),
    /// Of the arithmetic transform.
    Arithmetic { direction: Direction, order: BitOrder, polarity: u64 },
    /// Of the Haar transform; an inverse halves them.
    Haar(Direction, HaarOrder),
    /// All differences of sums of values, by their bound alone: the sum of the absolute values.
    Differences,
}

/// An integer, or -1 less it where it is negative: at most the type's largest number if and only if the type holds it.
const fn folded(x: i128) -> i128 {
    x ^ (x >> 127)
}

/// The largest of some integers by [`folded`].
fn largest_of(values: impl IntoIterator<Item = i128>) -> i128 {
    values.into_iter().max_by_key(|&value| folded(value)).unwrap_or(0)
}

/// Replaces each pair `(u, v)` of values `2^k` apart by `step(u, v)`, for all `k`; the largest of what comes out.
fn butterflies(z: &mut [i128], step: impl Fn(i128, i128) -> [i128; 2]) -> i128 {
    let mut half = 1;
    while half < z.len() {
        for pair in z.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            low.iter_mut().zip(high).for_each(|(u, v)| [*u, *v] = step(*u, *v));
        }
        half *= 2;
    }
    largest_of(z.iter().copied())
}

impl Sums {
    /// Whether results are quotients by powers of two.
    fn divides(self) -> bool {
        matches!(self.of, Of::Walsh(Direction::Inverse) | Of::Haar(Direction::Inverse, _))
    }

    /// The sum of one run that is largest, of its values in 128 bits.
    fn largest(self, z: &mut [i128]) -> i128 {
        match self.of {
            Of::Walsh(_) => butterflies(z, |u, v| [u + v, u - v]),
            Of::Arithmetic { direction: Direction::Forward, polarity, .. } => {
                for i in 0..z.len() {
                    let other = i ^ polarity as usize;
                    if other > i {
                        z.swap(i, other);
                    }
                }
                butterflies(z, |u, v| [u, v - u])
            }
            Of::Arithmetic { direction: Direction::Inverse, order, .. } => {
                for i in 0..z.len() {
                    let other = order.natural_index(i, self.log_len);
                    if other > i {
                        z.swap(i, other);
                    }
                }
                butterflies(z, |u, v| [u, v + u])
            }
            Of::Differences => z.iter().map(|value| value.abs()).sum(),
            Of::Haar(Direction::Forward, _) => {
                let (mut largest, mut len) = (0, z.len());
                while len > 1 {
                    len /= 2;
                    for t in 0..len {
                        largest = largest_of([largest, z[2 * t] - z[2 * t + 1]]);
                        z[t] = z[2 * t] + z[2 * t + 1];
                    }
                }
                largest_of([largest, z[0]])
            }
            Of::Haar(Direction::Inverse, order) => {
                let (mut largest, mut sums) = (z[0], vec![z[0]]);
                while sums.len() < z.len() {
                    let count = sums.len();
                    let level = sums.iter().enumerate().flat_map(|(q, &sum)| {
                        let difference = z[order.place(count + q, self.log_len)];
                        [sum + difference, sum - difference]
                    });
                    let level: Vec<i128> = level.collect();
                    largest = largest_of(level.iter().copied().chain([largest]));
                    sums = level.into_iter().map(|twice| twice >> 1).collect();
                }
                largest
            }
        }
    }
}

/// What is known of integers before their transform.
#[derive(Default)]
pub(crate) struct Before {
    /// Coefficient 0 of each run of an inverse.
    first: Vec<i128>,
}

impl Sums {
    /// Looks at integers before their transform; other words pass.
    pub(crate) fn before<T: Word>(self, x: &[T], team: Team<'_>) -> Result<Before, SpectralError> {
        match Integers::of(x) {
            Some(Integers::I32(x)) => self.of_integers(x, team),
            Some(Integers::I64(x)) => self.of_integers(x, team),
            None => Ok(Before::default()),
        }
    }

    /// Looks at the results of an inverse.
    pub(crate) fn after<T: Word>(self, before: &Before, y: &[T], team: Team<'_>) -> Result<(), SpectralError> {
        match Integers::of(y) {
            Some(Integers::I32(y)) if self.divides() => self.is_exact(before, y, team),
            Some(Integers::I64(y)) if self.divides() => self.is_exact(before, y, team),
            _ => Ok(()),
        }
    }

    fn of_integers<T: Integer>(self, x: &[T], team: Team<'_>) -> Result<Before, SpectralError> {
        let len = 1usize << self.log_len;
        if !self.are_small::<T>(integers::bits(x, team)) {
            for (transform, size) in integers::sizes(x, len, team).into_iter().enumerate() {
                if size > T::LARGEST as u128 {
                    self.fits(&x[transform * len..(transform + 1) * len], transform)?;
                }
            }
        }
        Ok(Before {
            first: if self.divides() { x.iter().step_by(len).map(|&x| x.into()).collect() } else { Vec::new() },
        })
    }

    /// Whether the type holds all sums of a run of integers of `bits` bits.
    fn are_small<T: Integer>(self, bits: u32) -> bool {
        self.log_len + bits < T::BITS - 1
    }

    /// Whether the type holds the sums of a run, in 128 bits.
    fn fits<T: Integer>(self, run: &[T], transform: usize) -> Result<(), SpectralError> {
        host_room(size_of::<i128>() as u64 * run.len() as u64)?;
        let sum = self.largest(&mut run.iter().map(|&x| x.into()).collect::<Vec<i128>>());
        if folded(sum) > T::LARGEST {
            return Err(SpectralError::Overflow { transform: Some(transform), sum, bits: T::BITS });
        }
        Ok(())
    }

    fn is_exact<T: Integer>(self, before: &Before, y: &[T], team: Team<'_>) -> Result<(), SpectralError> {
        let mask = (1i128 << T::BITS) - 1;
        let rounds = |(first, sum): (&i128, T)| {
            let sum: i128 = sum.into();
            (first - sum) & mask != 0
        };
        match before.first.iter().zip(integers::sums(y, 1 << self.log_len, team)).position(rounds) {
            None => Ok(()),
            transform => Err(SpectralError::Fraction { transform }),
        }
    }

    /// Transforms integers on a device by `transform`, with a look at them before, and at the results of an inverse.
    fn on_device<T: Scalar, I: Integer>(
        self,
        cl: &OpenCl,
        x: &mut Buffer<T>,
        transform: impl FnOnce(&mut Buffer<T>) -> Result<(), SpectralError>,
    ) -> Result<(), SpectralError> {
        let (bits, first) = integers::bounds_on(cl, x, self.log_len)?;
        if !self.are_small::<I>(bits) {
            let words = x.download()?;
            of_default_host(true, |team| self.before(&words, team))?;
        }
        transform(x)?;
        // Both sums are right modulo 2^64, and their difference is below the number of values.
        if self.divides() && integers::bounds_on(cl, x, 0)?.1 != first {
            return Err(SpectralError::Fraction { transform: None });
        }
        Ok(())
    }
}

/// Transforms integers of the host's memory exactly by `transform`, as [`Spectral::exactly`] does.
pub(crate) fn of_slice<T: Word>(
    x: &mut [T],
    sums: Option<Sums>,
    transform: impl FnOnce(&mut [T]) -> Result<(), SpectralError>,
) -> Result<(), SpectralError> {
    let Some(sums) = sums else { return transform(x) };
    let long = size_of_val(x) > SHARED_BYTES;
    let before = of_default_host(long, |team| sums.before(x, team))?;
    transform(x)?;
    of_default_host(long, |team| sums.after(&before, x, team))
}

impl Spectral {
    /// Transforms integers exactly by `transform`, or returns an error; without `sums`, and for other types, it does not check.
    pub(crate) fn exactly<T: Scalar>(
        &self,
        x: InPlace<'_, T>,
        sums: Option<Sums>,
        transform: impl FnOnce(InPlace<'_, T>) -> Result<(), SpectralError>,
    ) -> Result<(), SpectralError> {
        let is_integer = matches!(T::TYPE, WordType::I32 | WordType::I64);
        let Some(sums) = sums.filter(|_| is_integer && !x.is_empty()) else { return transform(x) };
        match (x, self.device().executor()) {
            (mut x, Executor::Host(pool)) => {
                let before = sums.before(x.reborrow().into_host()?, pool.team())?;
                transform(x.reborrow())?;
                sums.after(&before, x.into_host()?, pool.team())
            }
            (InPlace::Slice(x), Executor::OpenCl(_)) => of_slice(x, Some(sums), |x| transform(InPlace::Slice(x))),
            (x, Executor::OpenCl(cl)) => self.device().in_steps(x, |x| match (x, T::TYPE) {
                (InPlace::Buffer(x), WordType::I32) => sums.on_device::<T, i32>(cl, x, |x| transform(x.into())),
                (InPlace::Buffer(x), _) => sums.on_device::<T, i64>(cl, x, |x| transform(x.into())),
                _ => Err(DeviceError::elsewhere().into()),
            }),
        }
    }

    /// The transform of values of the host's memory on this device.
    pub(crate) fn exactly_of<T: Scalar>(
        &self,
        x: &[T],
        sums: Option<Sums>,
        transform: impl FnOnce(&mut Buffer<T>) -> Result<(), SpectralError>,
    ) -> Result<Vec<T>, SpectralError> {
        let long = size_of_val(x) > SHARED_BYTES;
        let before = sums.map(|sums| of_default_host(long, |team| sums.before(x, team))).transpose()?;
        let mut buffer = self.device().upload(x)?;
        transform(&mut buffer)?;
        let y = buffer.download()?;
        if let (Some(sums), Some(before)) = (sums, before) {
            of_default_host(long, |team| sums.after(&before, &y, team))?;
        }
        Ok(y)
    }
}
