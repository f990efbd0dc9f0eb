//! Character tables as arrays of `ndarray`.

use ndarray::Array2;

use crate::error::CharacterError;
use crate::table::Table;
use crate::values::Values;

impl<V: Values> Table<V> {
    /// The entries as an array on the host: a row for each character, a column for each element.
    ///
    /// ```
    /// use manycore_characters::ndarray::array;
    /// use manycore_characters::{AbelianGroup, Characters, Exponents, Tile};
    /// let characters = Characters::new(&manycore_device::Device::from_env()?);
    /// let table = characters.table(&AbelianGroup::new(&[3])?, &Exponents::<u8>::new(), &Tile::whole().rows(1..3))?;
    /// assert_eq!(table.array()?, array![[0, 1, 2], [0, 2, 1]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Table::download`].
    #[inline(never)]
    pub fn array(&self) -> Result<Array2<V::Value>, CharacterError> {
        let [rows, columns] = [self.rows(), self.columns()].map(|range| range.end - range.start);
        Array2::from_shape_vec((rows as usize, columns as usize), self.download()?)
            .map_err(|_| CharacterError::TooManyEntries { rows, columns })
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;

    use crate::{AbelianGroup, Characters, Complexes, Exponents, Tile};

    #[test]
    fn tiles_are_arrays_of_their_shape() {
        let group = AbelianGroup::new(&[2, 3]).unwrap();
        let characters = Characters::new(&Device::host());
        for (rows, columns) in [(0..6, 0..6), (1..3, 0..5), (4..4, 0..6), (0..6, 2..2)] {
            let tile = Tile::whole().rows(rows.clone()).columns(columns.clone());
            let table = characters.table(&group, &Exponents::<u16>::new(), &tile).unwrap().array().unwrap();
            assert_eq!(table.dim(), ((rows.end - rows.start) as usize, (columns.end - columns.start) as usize));
            for ((i, j), &entry) in table.indexed_iter() {
                let exponent = group.character_exponent(rows.start + i as u64, columns.start + j as u64).unwrap();
                assert_eq!(u64::from(entry), exponent);
            }
        }
        // Symmetric, as complex numbers too.
        let table = characters.table(&group, &Complexes::<f64>::new(), &Tile::whole()).unwrap().array().unwrap();
        assert!(table.indexed_iter().all(|((i, j), entry)| (entry - table[[j, i]]).norm() < 1e-15));
    }
}
