//! Exact products of integers: results are bounded before the work, and an inverse divides at its end, where it can.
//!
//! A result is at most the largest value times the product of the factors' greatest row sums of absolute values, and at most the sum
//! of a vector's absolute values times the product of the greatest absolute values of entries. Where both are past the type, the
//! vector is multiplied in 128 bits. Numbers on the way may wrap, since results are right modulo `2^32` or `2^64`.

use std::sync::atomic::{AtomicUsize, Ordering};

use manycore_device::integers::{self, Integer, Integers};
use manycore_device::{
    Buffer, Defines, Device, DeviceError, Executor, InPlace, OpenCl, Team, Word, WordType, host_room,
};

use crate::error::KroneckerError;
use crate::product::KroneckerProduct;
use crate::values::Values;

// SAFETY: `Exact::divide_on` alone launches it, with a divisor that is positive and a word for the index.
manycore_device::kernel! {
    /// Quotients of integers, and the first that is none.
    unsafe DIVIDE in manycore_kernels::kronecker::DIVIDE: kronecker_divide
}

/// Items of a group.
const GROUP: usize = 256;
/// Integers that a thread divides at a time.
const PART: usize = 1 << 14;

/// What bounds the results of a product of matrices of integers.
#[derive(Debug)]
pub(super) struct Exact {
    order: usize,
    /// The product of the greatest row sums of absolute values, each 1 at least.
    rows: u128,
    /// The product of the greatest absolute values, each 1 at least.
    entries: u128,
    /// The order of each factor and its entries, `None` of an identity.
    factors: Vec<(usize, Option<Vec<i128>>)>,
    divisor: u64,
}

impl Exact {
    /// Of a product, `None` where it is none of integers, or they may wrap; with what results are divided by.
    pub(super) fn new<V: Values>(product: &KroneckerProduct<V>) -> Result<Option<Self>, KroneckerError> {
        if !V::INTEGERS || product.is_wrapping() {
            return Ok(None);
        }
        let integers = |entries: &[V::Value]| -> Vec<i128> {
            match Integers::of::<V::Word>(bytemuck::cast_slice(entries)) {
                Some(Integers::I32(entries)) => entries.iter().map(|&x| x.into()).collect(),
                Some(Integers::I64(entries)) => entries.iter().map(|&x| x.into()).collect(),
                None => Vec::new(),
            }
        };
        let factors = product.factors().iter().map(|factor| (factor.order(), factor.entries().map(integers)));
        let factors: Vec<(usize, Option<Vec<i128>>)> = factors.collect();
        let most = |of: &dyn Fn(usize, &[i128]) -> u128| {
            let each = |(order, entries): &(usize, Option<Vec<i128>>)| {
                entries.as_deref().map_or(1, |all| of(*order, all).max(1))
            };
            factors.iter().map(each).fold(1, u128::saturating_mul)
        };
        let row = |row: &[i128]| row.iter().map(|x| x.unsigned_abs()).sum::<u128>();
        let rows = most(&|order, entries| entries.chunks(order).map(row).max().unwrap_or(1));
        let entries = most(&|_, entries| entries.iter().map(|x| x.unsigned_abs()).max().unwrap_or(1));
        let divisor = product.divisor_of(&(0..product.factors().len()).collect::<Vec<_>>())?;
        Ok(Some(Self { order: product.order(), rows, entries, factors, divisor }))
    }

    /// Multiplies vectors by `multiply`, which divides nothing, after a look at them, and divides at the end.
    pub(super) fn run<W: Word>(
        &self,
        device: &Device,
        data: InPlace<'_, W>,
        multiply: impl FnOnce(InPlace<'_, W>) -> Result<(), KroneckerError>,
    ) -> Result<(), KroneckerError> {
        device.in_steps(data, |data| match (device.executor(), data) {
            (Executor::OpenCl(cl), InPlace::Buffer(x)) => {
                let (bits, _) = integers::bounds_on(cl, x, 0)?;
                if !self.are_small(bits, 8 * size_of::<W>() as u32) {
                    self.look(&x.download()?, Team::ALONE)?;
                }
                multiply((&mut *x).into())?;
                if self.divisor == 1 { Ok(()) } else { self.divide_on(cl, x) }
            }
            (Executor::OpenCl(_), _) => Err(DeviceError::elsewhere().into()),
            (Executor::Host(pool), mut data) => {
                self.look(data.reborrow().into_host()?, pool.team())?;
                multiply(data.reborrow())?;
                self.divide(data.into_host()?, pool.team())
            }
        })
    }

    /// Whether a type of `of_type` bits holds all results for integers of `bits` bits.
    fn are_small(&self, bits: u32, of_type: u32) -> bool {
        bits < of_type && self.rows <= ((1u128 << (of_type - 1)) - 1) >> bits
    }

    fn look<W: Word>(&self, x: &[W], team: Team<'_>) -> Result<(), KroneckerError> {
        match Integers::of(x) {
            Some(Integers::I32(x)) => self.fit(x, team),
            Some(Integers::I64(x)) => self.fit(x, team),
            None => Ok(()),
        }
    }

    fn fit<T: Integer>(&self, x: &[T], team: Team<'_>) -> Result<(), KroneckerError> {
        if self.are_small(integers::bits(x, team), T::BITS) {
            return Ok(());
        }
        for (vector, x) in x.chunks_exact(self.order).enumerate() {
            let size = T::size(x);
            if size.saturating_mul(self.entries) > T::LARGEST as u128 && !self.fits(x)? {
                return Err(KroneckerError::Overflow { vector: Some(vector), bits: T::BITS });
            }
        }
        Ok(())
    }

    /// Whether the type holds the results of one vector, in 128 bits: it does not where those do not.
    fn fits<T: Integer>(&self, x: &[T]) -> Result<bool, KroneckerError> {
        host_room(2 * size_of::<i128>() as u64 * x.len() as u64)?;
        let mut z: Vec<i128> = x.iter().map(|&x| x.into()).collect();
        let mut next = z.clone();
        for (order, entries) in &self.factors {
            // [q][rest] becomes [rest][q], so that every digit is back in its place in the end.
            let rest = z.len() / order;
            for (place, to) in next.iter_mut().enumerate() {
                let (column, row) = (place / order, place % order);
                let Some(entries) = entries else {
                    *to = z[row * rest + column];
                    continue;
                };
                let row = &entries[row * order..(row + 1) * order];
                let term = |sum: i128, (digit, &entry): (usize, &i128)| {
                    sum.checked_add(z[digit * rest + column].checked_mul(entry)?)
                };
                let Some(sum) = row.iter().enumerate().try_fold(0, term) else { return Ok(false) };
                *to = sum;
            }
            std::mem::swap(&mut z, &mut next);
        }
        Ok(z.into_iter().all(|value| T::try_from(value).is_ok()))
    }

    fn divide<W: Word>(&self, y: &mut [W], team: Team<'_>) -> Result<(), KroneckerError> {
        let divided = match W::TYPE {
            _ if self.divisor == 1 => return Ok(()),
            WordType::I32 => divide(bytemuck::cast_slice_mut::<W, i32>(y), self.divisor as i32, team),
            _ => divide(bytemuck::cast_slice_mut::<W, i64>(y), self.divisor as i64, team),
        };
        divided.map_or(Ok(()), |index| Err(KroneckerError::Fraction { index: Some(index), divisor: self.divisor }))
    }

    fn divide_on<W: Word>(&self, cl: &OpenCl, y: &mut Buffer<W>) -> Result<(), KroneckerError> {
        let divisor: W = match W::TYPE {
            WordType::I32 => bytemuck::cast(self.divisor as i32),
            _ => bytemuck::cast(self.divisor as i64),
        };
        let kernel = cl.kernel(&DIVIDE, &Defines::new().element(W::TYPE))?;
        let mut first = y.device().upload(&[u32::MAX])?;
        let (count, bytes) = (y.len(), 2 * size_of::<W>() as u64 * y.len() as u64);
        let launch = cl.launch(&kernel).buffer(&mut *y).buffer(&mut first).value(count as u64).value(divisor);
        launch.items(count, GROUP).bytes(bytes).run()?;
        match first.download()?[..] {
            [u32::MAX] => Ok(()),
            [first, ..] => {
                let index = (first < u32::MAX - 1).then_some(first as usize);
                Err(KroneckerError::Fraction { index, divisor: self.divisor })
            }
            [] => Err(DeviceError::elsewhere().into()),
        }
    }
}

/// A type of integers that are divided.
trait Divided: Integer {
    /// The quotient, where there is one.
    fn over(self, divisor: Self) -> Option<Self>;
}

macro_rules! divided {
    ($type:ty) => {
        impl Divided for $type {
            #[inline(always)]
            fn over(self, divisor: Self) -> Option<Self> {
                (self % divisor == 0).then(|| self / divisor)
            }
        }
    };
}

divided!(i32);
divided!(i64);

/// Divides multiples of `divisor`; the index of the first other integer.
fn divide<T: Divided>(y: &mut [T], divisor: T, team: Team<'_>) -> Option<usize> {
    let first = AtomicUsize::new(usize::MAX);
    team.only_if(y.len() > 4 * PART).each(y.chunks_mut(PART).enumerate(), |(part, y)| {
        for (place, value) in y.iter_mut().enumerate() {
            match value.over(divisor) {
                Some(quotient) => *value = quotient,
                None => {
                    first.fetch_min(part * PART + place, Ordering::Relaxed);
                }
            }
        }
    });
    Some(first.into_inner()).filter(|&first| first < usize::MAX)
}
