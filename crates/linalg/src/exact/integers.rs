//! A matrix of integers on a device, which is brought there once for all primes.

use std::ops::Range;

use manycore_device::{Buffer, Device, DeviceKind, Executor, HostPool, OpenCl};
use manycore_field::PrimeField;

use super::moduli::Moduli;
use super::{IntegerEntry, device, host};
use crate::error::{LinalgError, Shape};
use crate::modular::algebra::LinearAlgebra;
use crate::modular::batch::device::Local;
use crate::modular::batch::panels::Panels;
use crate::modular::matrix::Matrix;
use crate::shape::entries;

/// The largest order whose determinants a processor computes modulo many primes at once, each with one thread or group; a GPU,
/// whose groups work side by side, does so as long as matrices fit local memory.
const SMALL_ORDER: usize = 64;
/// Residues that are computed at once, modulo many primes: 32 MiB.
const MOST_RESIDUES: usize = 1 << 23;

/// A matrix of integers in the memory of a device, and its residues and determinants modulo primes of 31 bits.
pub(super) struct IntegerMatrix {
    /// Kernels and choices are those of one prime: all have 31 bits.
    space: LinearAlgebra<PrimeField<u32>>,
    rows: usize,
    columns: usize,
    /// Word `l` of entry `e`, in two's complement, at `l rows columns + e`, for as many words as the largest entry takes.
    words: Buffer<u64>,
}

/// Linear algebra over a field, and a matrix.
type Modulo = (LinearAlgebra<PrimeField<u32>>, Matrix<PrimeField<u32>>);

/// Determinants modulo one prime after the other, or modulo many primes within a step.
enum Steps<'a> {
    /// One prime after the other, each with all threads.
    Single,
    /// A small matrix modulo a prime to each thread.
    Threads(&'a HostPool),
    /// A large matrix modulo a prime to each thread, which has the elimination by blocks for itself: threads that share one wait for each
    /// other at every panel.
    Alone(&'a HostPool),
    /// A small matrix modulo a prime for each group, in its local memory.
    Groups(&'a OpenCl, Local),
    /// A larger matrix modulo a prime for each group, by panels.
    Panels(&'a OpenCl, Panels),
}

/// Words that are written at a time.
const PART: usize = 1 << 16;

impl IntegerMatrix {
    /// Brings a matrix of `rows columns` integers, row after row, to a device. `first` is a prime that it is taken modulo.
    ///
    /// # Errors
    /// [`LinalgError::TooLarge`] where the words of all entries are too many to count; [`LinalgError::Device`], where the device
    /// has no memory for them, too.
    pub(super) fn new<T: IntegerEntry>(
        device: &Device,
        first: PrimeField<u32>,
        (rows, columns): Shape,
        integers: &[T],
    ) -> Result<Self, LinalgError> {
        let too_large = LinalgError::TooLarge { rows, columns };
        let count = integers.len();
        let length = integers.iter().map(T::words).fold(1, usize::max);
        let len = count.checked_mul(length).filter(|_| u32::try_from(length).is_ok()).ok_or(too_large)?;
        let mut words = device.scratch(len)?;
        for l in 0..length {
            // A copy of all of them is memory that nobody asked for.
            for (start, part) in (l * count..).step_by(PART).zip(integers.chunks(PART)) {
                let part: Vec<u64> = part.iter().map(|integer| integer.word(l)).collect();
                words.view_mut(start..start + part.len())?.write(&part)?;
            }
        }
        Ok(Self { space: LinearAlgebra::new(device, first)?, rows, columns, words })
    }

    /// The matrix in `slot`, which is brought to the device where there is none.
    ///
    /// # Errors
    /// As [`IntegerMatrix::new`].
    pub(super) fn kept<'a, T: IntegerEntry>(
        slot: &'a mut Option<Self>,
        device: &Device,
        first: PrimeField<u32>,
        shape: Shape,
        integers: &[T],
    ) -> Result<&'a Self, LinalgError> {
        match slot {
            Some(matrix) => Ok(matrix),
            None => Ok(slot.insert(Self::new(device, first, shape, integers)?)),
        }
    }

    /// The matrix modulo a prime, and linear algebra over its field.
    pub(super) fn modulo(&self, field: PrimeField<u32>) -> Result<Modulo, LinalgError> {
        let residues = self.residues(&Moduli::new(&self.space, &[field])?, 0..1)?;
        Ok(self.matrix_of(field, residues))
    }

    /// The determinants modulo primes, of a square matrix: of small matrices many at once, and where there are as many primes as threads
    /// of the host, each by one thread.
    pub(super) fn determinants(&self, fields: &[PrimeField<u32>]) -> Result<Vec<u32>, LinalgError> {
        let moduli = Moduli::new(&self.space, fields)?;
        let order = self.rows;
        match self.steps(fields.len())? {
            Steps::Single => {
                let single = |(k, &field)| {
                    let (space, matrix) = self.matrix_of(field, self.residues(&moduli, k..k + 1)?);
                    space.determinant(&matrix)
                };
                fields.iter().enumerate().map(single).collect()
            }
            Steps::Threads(pool) => self.together(&moduli, fields.len(), self.most(), |range, residues, found| {
                host::determinants(pool, &fields[range], order, residues.host_mut()?, found.host_mut()?);
                Ok(())
            }),
            Steps::Alone(pool) => self.alone(pool, fields),
            Steps::Groups(cl, local) => self.together(&moduli, fields.len(), self.most(), |range, residues, found| {
                device::determinants(&self.space, cl, (&moduli, range), &local, residues, found)
            }),
            Steps::Panels(cl, panels) => {
                let most = panels.together(&self.space, fields.len());
                self.together(&moduli, fields.len(), most, |range, residues, found| {
                    device::determinants_by_panels(&self.space, cl, (&moduli, range), panels, residues, found)
                })
            }
        }
    }

    /// The method for determinants modulo `primes` primes.
    fn steps(&self, primes: usize) -> Result<Steps<'_>, LinalgError> {
        let is_small = self.rows <= SMALL_ORDER;
        Ok(match self.space.device().executor() {
            _ if self.rows == 0 || primes < 2 => Steps::Single,
            Executor::Host(pool) if is_small => Steps::Threads(pool),
            Executor::Host(pool) if pool.threads() > 1 && primes >= 2 * pool.threads() => Steps::Alone(pool),
            Executor::Host(_) => Steps::Single,
            Executor::OpenCl(cl) => {
                let is_local = is_small || cl.info().kind == DeviceKind::Gpu;
                let local = if is_local { Local::new(cl, self.rows, size_of::<u32>())? } else { None };
                if let Some(local) = local {
                    Steps::Groups(cl, local)
                } else {
                    let panels = self.space.panels_of(cl, primes, self.rows)?;
                    panels.map_or(Steps::Single, |panels| Steps::Panels(cl, panels))
                }
            }
        })
    }

    /// Matrices of residues that are computed at once.
    fn most(&self) -> usize {
        (MOST_RESIDUES / (self.rows * self.columns).max(1)).max(1)
    }

    /// The determinants modulo primes, each by one of the host's threads.
    fn alone(&self, pool: &HostPool, fields: &[PrimeField<u32>]) -> Result<Vec<u32>, LinalgError> {
        let (words, count, order) = (self.words.host()?, entries(self.rows, self.columns)?, self.rows);
        let space = LinearAlgebra::new(&Device::host_with(1)?, *self.space.field())?;
        let mut found: Vec<Result<u32, LinalgError>> = fields.iter().map(|_| Ok(0)).collect();
        let operations = (fields.len() * count * order) as u64;
        pool.step("determinants_modulo", (fields.len() * count * size_of::<u32>()) as u64, operations, || {
            pool.team().each(fields.iter().zip(&mut found), |(&field, found)| {
                *found = (|| {
                    let space = space.over(field);
                    let mut residues = space.device().scratch(count)?;
                    if let Executor::Host(alone) = space.device().executor() {
                        host::residues(alone, &[field], words, count, residues.host_mut()?);
                    }
                    space.determinant(&space.of(residues, order, order))
                })();
            });
        });
        found.into_iter().collect()
    }

    /// What `step` makes of the matrix modulo `most` primes at a time: a number for each prime.
    fn together(
        &self,
        moduli: &Moduli<'_>,
        primes: usize,
        most: usize,
        step: impl Fn(Range<usize>, &mut Buffer<u32>, &mut Buffer<u32>) -> Result<(), LinalgError>,
    ) -> Result<Vec<u32>, LinalgError> {
        let mut all = Vec::with_capacity(primes);
        for start in (0..primes).step_by(most) {
            let range = start..primes.min(start + most);
            let mut residues = self.residues(moduli, range.clone())?;
            let mut found = self.space.device().scratch(range.len())?;
            step(range, &mut residues, &mut found)?;
            all.extend(found.download()?);
        }
        Ok(all)
    }

    /// The matrix modulo some primes, one behind the other.
    fn residues(&self, moduli: &Moduli<'_>, range: Range<usize>) -> Result<Buffer<u32>, LinalgError> {
        let count = entries(self.rows, self.columns)?;
        let mut out = self.space.device().scratch(entries(range.len(), count)?)?;
        match self.space.device().executor() {
            _ if out.is_empty() => {}
            Executor::Host(pool) => {
                host::residues(pool, moduli.fields(&range), self.words.host()?, count, out.host_mut()?);
            }
            Executor::OpenCl(cl) => device::residues(&self.space, cl, (moduli, range), &self.words, count, &mut out)?,
        }
        Ok(out)
    }

    fn matrix_of(&self, field: PrimeField<u32>, residues: Buffer<u32>) -> Modulo {
        let space = self.space.over(field);
        let matrix = space.of(residues, self.rows, self.columns);
        (space, matrix)
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::DeviceError;
    use manycore_testkit::devices;
    use manycore_verify::SplitMix;
    use num_bigint::BigInt;
    use proptest::prelude::*;

    use super::*;
    use crate::exact::{Certainty, determinant::Primes, hadamard_bound};

    fn primes(count: usize) -> Vec<PrimeField<u32>> {
        let random = Primes::new(Certainty::Probable { bits: 1, seed: 2 });
        Primes::new(Certainty::Proved).take(count / 2).chain(random.take(count - count / 2)).collect()
    }

    /// Residues modulo some primes at once and modulo each are the entries' own, and determinants modulo all are those modulo each.
    fn check<T: IntegerEntry>(device: &Device, order: usize, integers: &[T]) {
        let fields = primes(5);
        let matrix = IntegerMatrix::new(device, fields[0], (order, order), integers).unwrap();
        let moduli = Moduli::new(&matrix.space, &fields).unwrap();
        let right = |field: &PrimeField<u32>| integers.iter().map(|x| x.residue(field)).collect::<Vec<u32>>();
        for range in [0..5, 1..4, 4..5, 2..2] {
            let found = matrix.residues(&moduli, range.clone()).unwrap().download().unwrap();
            assert_eq!(found, fields[range].iter().flat_map(right).collect::<Vec<u32>>(), "order {order}");
        }
        let mut each = Vec::new();
        for field in &fields {
            let (space, residues) = matrix.modulo(*field).unwrap();
            assert_eq!(space.entries(&residues).unwrap(), right(field));
            each.push(space.determinant(&residues).unwrap());
        }
        assert_eq!(matrix.determinants(&fields).unwrap(), each, "order {order}");
        assert_eq!(matrix.determinants(&fields[..1]).unwrap(), each[..1]);
        assert!(matrix.determinants(&[]).unwrap().is_empty());
        if let Executor::OpenCl(cl) = device.executor()
            && order > 0
        {
            let panels = Panels::new(cl, order, size_of::<u32>()).unwrap().unwrap();
            let (range, mut found) = (1..4, device.scratch(3).unwrap());
            let mut residues = matrix.residues(&moduli, range.clone()).unwrap();
            let run = (&moduli, range.clone());
            device::determinants_by_panels(&matrix.space, cl, run, panels, &mut residues, &mut found).unwrap();
            assert_eq!(found.download().unwrap(), each[range], "order {order} by panels");
        }
    }

    #[test]
    fn residues_of_extreme_entries_are_their_own() {
        let powers = [0u32, 1, 31, 32, 33, 63, 64, 65, 200].map(|k| BigInt::from(1) << k);
        let near = powers.iter().flat_map(|power| [power - 1, power.clone(), power + 1]);
        let integers: Vec<BigInt> = near.flat_map(|x| [-&x, x]).collect();
        let mut random = SplitMix::new(1);
        for device in devices() {
            for order in [0usize, 1, 2, 17] {
                // Entries of few words alone, and beside others of many.
                for most in [integers.len(), 2, 20, 34] {
                    let words: Vec<BigInt> = (0..order * order).map(|e| integers[e * 5 % most].clone()).collect();
                    check(&device, order, &words);
                }
                let mut draw = |corners: [i64; 5]| -> Vec<i64> {
                    (0..order * order)
                        .map(|e| corners.get(e % 8).copied().unwrap_or(random.next_word() as i64))
                        .collect()
                };
                check(&device, order, &draw([i64::MIN, i64::MAX, 0, -1, 1]));
                let short: Vec<i32> =
                    draw([i32::MIN.into(), i32::MAX.into(), 0, -1, 1]).iter().map(|&x| x as i32).collect();
                check(&device, order, &short);
                let long: Vec<i128> =
                    draw([i64::MIN, i64::MAX, 0, -1, 1]).iter().map(|&x| i128::from(x) << 64).collect();
                check(&device, order, &long);
                check(&device, order, &long.iter().map(|x| x ^ i128::MAX).collect::<Vec<i128>>());
            }
            for x in [i128::MIN, i128::MAX, 0, -1, 1] {
                check(&device, 1, &[x]);
            }
            // Some tasks of the host's threads, and a matrix beyond those that a thread takes.
            let order = SMALL_ORDER + 30;
            let words: Vec<i64> = (0..order * order).map(|_| random.next_word() as i64).collect();
            check(&device, order, &words);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn residues_are_their_own(order in 0usize..9, bits in 1u64..300, seed: u64) {
            let mut random = SplitMix::new(seed);
            let words: Vec<BigInt> = (0..order * order)
                .map(|_| {
                    let digits: Vec<u32> = (0..10).map(|_| random.next_word() as u32).collect();
                    let sign = if random.next_word() & 1 == 0 { num_bigint::Sign::Plus } else { num_bigint::Sign::Minus };
                    BigInt::from_slice(sign, &digits) >> (320 - random.next_word() % bits)
                })
                .collect();
            for device in devices() {
                check(&device, order, &words);
            }
        }
    }

    /// An entry that says to take many words.
    #[derive(Clone)]
    struct Long(usize);

    impl IntegerEntry for Long {
        fn residue(&self, field: &PrimeField<u32>) -> u32 {
            0i64.residue(field)
        }

        fn to_integer(&self) -> BigInt {
            BigInt::ZERO
        }

        fn words(&self) -> usize {
            self.0
        }
    }

    #[test]
    fn entries_beyond_memory_are_refused() {
        let field = primes(1)[0];
        for device in devices() {
            let error = IntegerMatrix::new(&device, field, (64, 64), &vec![Long(1 << 31); 64 * 64]).err();
            assert!(matches!(error, Some(LinalgError::Device(DeviceError::OutOfMemory { .. }))), "{error:?}");
            // None is as one.
            assert!(IntegerMatrix::new(&device, field, (2, 2), &vec![Long(0); 4]).is_ok());
            for words in [1 << 32, usize::MAX] {
                let error = IntegerMatrix::new(&device, field, (2, 2), &vec![Long(words); 4]).err();
                assert_eq!(error, Some(LinalgError::TooLarge { rows: 2, columns: 2 }));
            }
        }
        assert_eq!(hadamard_bound(1, &[Long(1)]), 0u32.into());
        assert_eq!((Long(1).word(0), Long(1).word(5)), (0, 0));
    }
}
