//! Tables of S-boxes as arrays of `ndarray`, and arrays as batches of S-boxes.

use std::ops::RangeBounds;

use manycore_device::{Buffer, Word};
use ndarray::{Array2, ArrayView2};

use crate::context::Boolean;
use crate::error::{BooleanError, TableError};
use crate::sbox::{Outputs, SBox, SBoxes};

impl Boolean {
    /// Rows of the linear approximation table as an array on the host: a row for each input mask in `rows`, a column for each
    /// output mask; see [`Boolean::linear_table`].
    ///
    /// ```
    /// use manycore_boolean::ndarray::array;
    /// use manycore_boolean::{Boolean, SBox};
    /// let boolean = Boolean::new(&manycore_device::Device::from_env()?);
    /// let swap = SBox::try_from([1u8, 0, 2, 3])?;
    /// assert_eq!(boolean.linear_array(&swap, 1..3)?, array![[0, 0, 0, -4], [0, 0, 4, 0]]);
    /// assert_eq!(boolean.difference_array(&swap, ..)?.diag().to_vec(), [4, 4, 0, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Boolean::linear_table`].
    pub fn linear_array(&self, sbox: &SBox, rows: impl RangeBounds<usize>) -> Result<Array2<i32>, BooleanError> {
        rows_of(&self.linear_table(sbox, rows)?, sbox)
    }

    /// Rows of the difference distribution table as an array on the host: a row for each input difference in `rows`, a column
    /// for each output difference; see [`Boolean::difference_table`].
    ///
    /// # Errors
    /// As [`Boolean::difference_table`].
    pub fn difference_array(&self, sbox: &SBox, rows: impl RangeBounds<usize>) -> Result<Array2<u32>, BooleanError> {
        rows_of(&self.difference_table(sbox, rows)?, sbox)
    }
}

/// Rows of as many entries as there are outputs.
fn rows_of<T: Word>(table: &Buffer<T>, sbox: &SBox) -> Result<Array2<T>, BooleanError> {
    let columns = sbox.outputs();
    let rows = table.len() / columns;
    let wrong = |_| BooleanError::Rows { start: 0, end: rows, rows: sbox.inputs() };
    Array2::from_shape_vec((rows, columns), table.download()?).map_err(wrong)
}

impl SBox {
    /// The boomerang connectivity table as an array: a row for each input difference, a column for each output difference; see
    /// [`SBox::boomerang_table`].
    ///
    /// ```
    /// use manycore_boolean::SBox;
    /// let table = SBox::try_from([0u8, 1, 2, 3])?.boomerang_array()?;
    /// assert!(table.dim() == (4, 4) && table.iter().all(|&count| count == 4)); // linear: each boomerang returns
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`SBox::boomerang_table`].
    pub fn boomerang_array(&self) -> Result<Array2<u32>, TableError> {
        let given = self.inputs() as u64;
        let table = Array2::from_shape_vec((self.inputs(), self.inputs()), self.boomerang_table()?);
        table.map_err(|_| TableError::Outputs { given })
    }
}

impl<'a> SBoxes<'a> {
    /// The S-boxes whose outputs are the rows of an array of bytes or of words of 16 bits, of `output_bits` each, without a copy.
    ///
    /// ```
    /// use manycore_boolean::ndarray::array;
    /// use manycore_boolean::{Boolean, SBoxes};
    /// let boolean = Boolean::new(&manycore_device::Device::from_env()?);
    /// let sboxes = array![[0u8, 1, 2, 3, 4, 5, 6, 7], [0, 1, 3, 4, 5, 6, 7, 2]];
    /// assert_eq!(boolean.uniformities(SBoxes::from_array(3, sboxes.view())?)?, [8, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TableError::Outputs`] for rows that have no `2^m` outputs, `m` from 1 to 16; [`TableError::Strides`] for a view whose rows do
    /// not lie one after the other in memory; as [`SBoxes::new`].
    #[expect(clippy::needless_pass_by_value, reason = "views are handles, which are passed by value")]
    pub fn from_array<T>(output_bits: u32, array: ArrayView2<'a, T>) -> Result<Self, TableError>
    where
        &'a [T]: Into<Outputs<'a>>,
    {
        let inputs = array.ncols();
        let is_size = inputs.is_power_of_two() && (2..=1 << SBox::MOST_BITS).contains(&inputs);
        if !is_size {
            return Err(TableError::Outputs { given: inputs as u64 });
        }
        let outputs = array.to_slice().ok_or(TableError::Strides)?;
        Self::new(inputs.ilog2(), output_bits, outputs)
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;
    use ndarray::array;

    use super::*;
    use crate::sbox::reference;

    #[test]
    fn arrays_are_the_definitions() {
        let sbox = SBox::new(3, vec![3, 1, 4, 1, 5, 2, 2, 6, 5, 3, 5, 0, 7, 7, 3, 2]).unwrap();
        let shape = (16, 8);
        let linear = Array2::from_shape_vec(shape, reference::linear_table(&sbox)).unwrap();
        let differences = Array2::from_shape_vec(shape, reference::difference_table(&sbox)).unwrap();
        for device in manycore_testkit::devices() {
            let boolean = Boolean::new(&device);
            assert_eq!(boolean.linear_array(&sbox, ..).unwrap(), linear);
            assert_eq!(boolean.difference_array(&sbox, 0..=15).unwrap(), differences);
            assert_eq!(boolean.linear_array(&sbox, 14..).unwrap(), linear.slice(ndarray::s![14.., ..]));
            assert_eq!(boolean.difference_array(&sbox, 3..3).unwrap().dim(), (0, 8));
            assert!(matches!(
                boolean.linear_array(&sbox, ..=16),
                Err(BooleanError::Rows { start: 0, end: 17, rows: 16 })
            ));
        }
        let permutation = SBox::try_from([2u8, 0, 3, 1, 6, 7, 4, 5]).unwrap();
        let table = permutation.boomerang_array().unwrap();
        assert_eq!(table.as_slice(), Some(&permutation.boomerang_table().unwrap()[..]));
        assert!(matches!(sbox.boomerang_array(), Err(TableError::NotSquare { .. })));
    }

    #[test]
    fn rows_are_sboxes() {
        let boolean = Boolean::new(&Device::host());
        let words = array![[1u16, 0, 2, 3], [0, 0, 0, 0], [0, 1, 2, 3]];
        let expected: Vec<u32> = words
            .rows()
            .into_iter()
            .map(|row| reference::differential_uniformity(&SBox::new(2, row.to_vec()).unwrap()))
            .collect();
        let batch = SBoxes::from_array(2, words.view()).unwrap();
        assert_eq!(boolean.uniformities(batch).unwrap(), expected);
        let error = |result: Result<SBoxes<'_>, TableError>| result.map(|batch| batch.len()).unwrap_err();
        assert_eq!(error(SBoxes::from_array(2, words.t())), TableError::Outputs { given: 3 });
        let square = array![[1u8, 0], [0, 1]];
        assert_eq!(error(SBoxes::from_array(2, square.t())), TableError::Strides);
        assert_eq!(error(SBoxes::from_array(1, words.view())), TableError::Output { index: 2, output: 2, limit: 2 });
        assert_eq!(SBoxes::from_array(8, Array2::<u8>::zeros((0, 4)).view()).map(|batch| batch.len()), Ok(0));
        assert_eq!(error(SBoxes::from_array(8, Array2::<u8>::zeros((4, 0)).view())), TableError::Outputs { given: 0 });
    }
}
