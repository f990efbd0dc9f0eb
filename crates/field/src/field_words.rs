//! Residues of a field as files have them.

use manycore_files::polynomial::ResidueWords;

use crate::modular::ModularField;
use crate::prime_field::ResidueWord as _;

/// The words of a field's residues, which files are read to.
#[derive(Debug, Clone, Copy)]
pub struct FieldWords<'a, F>(pub &'a F);

impl<F: ModularField> ResidueWords for FieldWords<'_, F> {
    type Word = F::Element;

    fn modulus(&self) -> u64 {
        self.0.order()
    }

    fn word(&self, residue: u64) -> F::Element {
        F::Element::from_u64(residue)
    }

    fn residue(&self, word: F::Element) -> u64 {
        word.as_u64()
    }
}
