//! The context of matrices of bits: matrices in and out.

use std::sync::Arc;

use manycore_device::{Defines, Device, DeviceError, Kernel, KernelSpec, OpenCl, zeroed_words};
use manycore_field::ResidueWord;
use manycore_tuning::Planner;
use manycore_verify::SplitMix;

use super::matrix::{BITS, BitMatrix, last_mask, word_count, words_per_row};
use super::plan::BitChoices;
use crate::error::LinalgError;
use crate::shape::complete;

/// Dense linear algebra modulo 2 on one device, 64 entries to a word. Results equal those of a
/// [`LinearAlgebra`](crate::LinearAlgebra) over the field of two elements.
///
/// ```
/// use manycore_device::Device;
/// use manycore_linalg::bits::BitAlgebra;
///
/// let space = BitAlgebra::new(&Device::from_env()?);
/// let a = space.of_residues(2, 2, &[1u32, 1, 1, 0])?;
/// assert!(space.determinant(&a)?);
/// let inverse = space.inverse(&a)?;
/// assert_eq!(space.words(&inverse)?, [0b10, 0b11]); // the lowest bit is the first entry
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct BitAlgebra {
    /// The device, its machine, and the kernels built so far.
    planner: Arc<Planner>,
    choices: Arc<BitChoices>,
}

impl BitAlgebra {
    /// Linear algebra on `device`, planned by the device's machine (the calibrated one if there is one) and its mode
    /// ([`Device::tuning`]). Kernels are built when they are first needed.
    pub fn new(device: &Device) -> Self {
        Self { planner: Arc::new(Planner::new(device)), choices: Arc::default() }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.planner.device()
    }

    /// The planner, with the kernels built so far.
    pub(super) fn planner(&self) -> &Planner {
        &self.planner
    }

    /// The choices made so far.
    pub(super) fn choices(&self) -> &BitChoices {
        &self.choices
    }

    /// The matrix of `rows` rows of whole words, the lowest bit the first entry. Bits past the last column count for nothing.
    ///
    /// # Errors
    /// [`LinalgError::Entries`] for another number of words than the rows have; [`LinalgError::TooLarge`];
    /// [`LinalgError::Device`].
    pub fn matrix(&self, rows: usize, columns: usize, words: &[u64]) -> Result<BitMatrix, LinalgError> {
        if word_count(rows, columns)? != words.len() {
            return Err(LinalgError::Entries { given: words.len(), rows, columns: words_per_row(columns) });
        }
        let mut own = zeroed_words(words.len())?;
        own.copy_from_slice(words);
        self.of_words(rows, columns, own)
    }

    /// The matrix of as many words as it has.
    pub(super) fn of_words(&self, rows: usize, columns: usize, mut words: Vec<u64>) -> Result<BitMatrix, LinalgError> {
        let ends = words.iter_mut().skip(words_per_row(columns).saturating_sub(1));
        ends.step_by(words_per_row(columns).max(1)).for_each(|word| *word &= last_mask(columns));
        Ok(BitMatrix::of(self.device().upload(&words)?, rows, columns))
    }

    /// The matrix of `rows` by `columns` residues modulo 2, row after row.
    ///
    /// # Errors
    /// [`LinalgError::Entries`] for another number of entries; [`LinalgError::OutOfRange`] with the place of the first entry that is
    /// neither 0 nor 1; [`LinalgError::TooLarge`]; [`LinalgError::Device`].
    pub fn of_residues<W: ResidueWord>(
        &self,
        rows: usize,
        columns: usize,
        residues: &[W],
    ) -> Result<BitMatrix, LinalgError> {
        complete((rows, columns), residues.len())?;
        if let Some(index) = residues.iter().position(|word| word.as_u64() > 1) {
            let value = residues[index].as_u64();
            return Err(LinalgError::OutOfRange { row: index / columns, column: index % columns, value, modulus: 2 });
        }
        let pack = |part: &[W]| part.iter().rev().fold(0, |word, bit| word << 1 | bit.as_u64());
        let words: Vec<u64> = residues.chunks(columns.max(1)).flat_map(|row| row.chunks(BITS).map(pack)).collect();
        self.matrix(rows, columns, &words)
    }

    /// The words, row after row.
    ///
    /// # Errors
    /// [`LinalgError::Device`].
    pub fn words(&self, a: &BitMatrix) -> Result<Vec<u64>, LinalgError> {
        self.own(a)?;
        Ok(a.buffer.download()?)
    }

    /// The entries as residues, row after row.
    ///
    /// # Errors
    /// [`LinalgError::Device`].
    pub fn residues<W: ResidueWord>(&self, a: &BitMatrix) -> Result<Vec<W>, LinalgError> {
        let words = self.words(a)?;
        let rows = words.chunks(a.words_per_row().max(1));
        let bits =
            |row: &[u64]| (0..a.columns).map(|j| W::from_u64(row[j / BITS] >> (j % BITS) & 1)).collect::<Vec<W>>();
        Ok(rows.flat_map(bits).collect())
    }

    /// The matrix of zeros.
    ///
    /// # Errors
    /// [`LinalgError::TooLarge`]; [`LinalgError::Device`].
    pub fn zeros(&self, rows: usize, columns: usize) -> Result<BitMatrix, LinalgError> {
        Ok(BitMatrix::of(self.device().zeros(word_count(rows, columns)?)?, rows, columns))
    }

    /// The identity of an order.
    ///
    /// # Errors
    /// [`LinalgError::TooLarge`]; [`LinalgError::Device`].
    pub fn identity(&self, order: usize) -> Result<BitMatrix, LinalgError> {
        let mut words = zeroed_words::<u64>(word_count(order, order)?)?;
        words.chunks_mut(words_per_row(order).max(1)).enumerate().for_each(|(i, row)| row[i / BITS] |= 1 << (i % BITS));
        self.of_words(order, order, words)
    }

    /// A matrix of uniform bits that `seed` determines, the same on every device.
    ///
    /// # Errors
    /// [`LinalgError::TooLarge`]; [`LinalgError::Device`].
    pub fn random(&self, rows: usize, columns: usize, seed: u64) -> Result<BitMatrix, LinalgError> {
        let mut random = SplitMix::new(seed);
        let mut words = zeroed_words(word_count(rows, columns)?)?;
        for word in &mut words {
            *word = random.next_word();
        }
        self.of_words(rows, columns, words)
    }

    /// Whether two matrices have the same shape and entries, which are compared on the host.
    ///
    /// # Errors
    /// [`LinalgError::Device`].
    pub fn equal(&self, a: &BitMatrix, b: &BitMatrix) -> Result<bool, LinalgError> {
        Ok(a.shape() == b.shape() && self.words(a)? == self.words(b)?)
    }

    /// Fails unless the matrix is on this device.
    pub(super) fn own(&self, a: &BitMatrix) -> Result<(), LinalgError> {
        Ok(self.device().same_as(a.device())?)
    }

    /// A kernel with these defines: built at its first use, then cached.
    pub(super) fn kernel(
        &self,
        cl: &OpenCl,
        spec: &'static KernelSpec,
        defines: Defines,
    ) -> Result<Arc<Kernel>, DeviceError> {
        self.planner.kernel(cl, spec, defines)
    }
}
