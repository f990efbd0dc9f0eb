//! A matrix of integers on a device, which is brought there once for all primes.

use std::ops::Range;

use manycore_device::{Buffer, Device, Executor};
use manycore_field::PrimeField;

use super::moduli::Moduli;
use super::{IntegerEntry, device, host};
use crate::algebra::LinearAlgebra;
use crate::batch::device::Local;
use crate::error::LinalgError;
use crate::matrix::{Matrix, entries};

/// The largest order whose determinants the host computes modulo many primes at once, each with one thread.
const HOST_ORDER: usize = 64;
/// Residues that are computed at once, modulo many primes: 32 MiB.
const MOST_RESIDUES: usize = 1 << 23;

/// A square matrix of integers in the memory of a device, and its residues and determinants modulo primes of 31 bits.
pub(super) struct IntegerMatrix {
    /// Kernels and choices are those of one prime: all have 31 bits.
    space: LinearAlgebra<PrimeField<u32>>,
    order: usize,
    /// Word `l` of entry `e`, in two's complement, at `l order^2 + e`, for as many words as the largest entry takes.
    words: Buffer<u64>,
}

/// Linear algebra over a field, and a matrix.
type Modulo = (LinearAlgebra<PrimeField<u32>>, Matrix<PrimeField<u32>>);

/// Determinants of matrices one by one, or of many within a step.
enum Steps {
    Single,
    Threads,
    Groups(Local),
}

impl IntegerMatrix {
    /// Brings a matrix of `order^2` integers, row after row, to a device. `first` is a prime that it is taken modulo.
    ///
    /// # Errors
    /// [`LinalgError::TooLarge`] where the words of all entries are too many to count; [`LinalgError::Device`], where the device
    /// has no memory for them, too.
    pub(super) fn new<T: IntegerEntry>(
        device: &Device,
        first: PrimeField<u32>,
        order: usize,
        integers: &[T],
    ) -> Result<Self, LinalgError> {
        let too_large = LinalgError::TooLarge { rows: order, columns: order };
        let count = integers.len();
        let length = integers.iter().map(T::words).max().unwrap_or(1);
        let len = count.checked_mul(length).filter(|_| u32::try_from(length).is_ok()).ok_or(too_large)?;
        let mut words = device.scratch(len)?;
        for l in 0..length {
            let part: Vec<u64> = integers.iter().map(|integer| integer.word(l)).collect();
            words.view_mut(l * count..(l + 1) * count)?.write(&part)?;
        }
        Ok(Self { space: LinearAlgebra::new(device, first)?, order, words })
    }

    /// The matrix in `slot`, which is brought to the device where there is none.
    ///
    /// # Errors
    /// As [`IntegerMatrix::new`].
    pub(super) fn kept<'a, T: IntegerEntry>(
        slot: &'a mut Option<Self>,
        device: &Device,
        first: PrimeField<u32>,
        order: usize,
        integers: &[T],
    ) -> Result<&'a Self, LinalgError> {
        match slot {
            Some(matrix) => Ok(matrix),
            None => Ok(slot.insert(Self::new(device, first, order, integers)?)),
        }
    }

    /// The matrix modulo a prime, and linear algebra over its field.
    pub(super) fn modulo(&self, field: PrimeField<u32>) -> Result<Modulo, LinalgError> {
        let residues = self.residues(&Moduli::new(&self.space, &[field])?, 0..1)?;
        Ok(self.matrix_of(field, residues))
    }

    /// The determinants modulo primes: of matrices that fit local memory, or are small for the host, many at once.
    pub(super) fn determinants(&self, fields: &[PrimeField<u32>]) -> Result<Vec<u32>, LinalgError> {
        let moduli = Moduli::new(&self.space, fields)?;
        let steps = if fields.len() > 1 { self.steps()? } else { Steps::Single };
        let together = match steps {
            Steps::Single => 1,
            Steps::Threads | Steps::Groups(_) => (MOST_RESIDUES / entries(self.order, self.order)?.max(1)).max(1),
        };
        let mut all = Vec::with_capacity(fields.len());
        for (part, fields) in fields.chunks(together).enumerate() {
            let range = part * together..part * together + fields.len();
            let mut residues = self.residues(&moduli, range.clone())?;
            if let (Steps::Single, &[field]) = (&steps, fields) {
                let (space, matrix) = self.matrix_of(field, residues);
                all.push(space.determinant(&matrix)?);
                continue;
            }
            let mut found = self.space.device().scratch(fields.len())?;
            match (self.space.device().executor(), &steps) {
                (Executor::Host(pool), _) => {
                    host::determinants(pool, fields, self.order, residues.host_mut()?, found.host_mut()?);
                }
                (Executor::OpenCl(cl), Steps::Groups(local)) => {
                    device::determinants(&self.space, cl, (&moduli, range), local, &residues, &mut found)?;
                }
                (Executor::OpenCl(_), _) => {}
            }
            all.extend(found.download()?);
        }
        Ok(all)
    }

    /// How determinants modulo several primes are computed.
    fn steps(&self) -> Result<Steps, LinalgError> {
        Ok(match self.space.device().executor() {
            _ if self.order == 0 => Steps::Single,
            Executor::Host(_) if self.order <= HOST_ORDER => Steps::Threads,
            Executor::Host(_) => Steps::Single,
            Executor::OpenCl(cl) => Local::new(cl, self.order, size_of::<u32>())?.map_or(Steps::Single, Steps::Groups),
        })
    }

    /// The matrix modulo some primes, one behind the other.
    fn residues(&self, moduli: &Moduli<'_>, range: Range<usize>) -> Result<Buffer<u32>, LinalgError> {
        let count = entries(self.order, self.order)?;
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
        let matrix = space.of(residues, self.order, self.order);
        (space, matrix)
    }
}
