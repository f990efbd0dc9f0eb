//! Residues modulo a prime.

use std::fmt;
use std::io::{self, Write};

use manycore_field::{Arithmetic, KernelField, ResidueWord};

use super::{LARGEST_EXPONENT, Product, Values, sealed};
use crate::error::CharacterError;

/// Residues of a prime field: powers of its root of unity of order `L`, the primitive root to the power `(p - 1) / L`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Residues<F>(F);

impl<F: KernelField> Residues<F> {
    /// Residues of this field.
    pub const fn new(field: F) -> Self {
        Self(field)
    }

    /// The field.
    pub fn field(&self) -> &F {
        &self.0
    }

    fn arithmetic(&self) -> Arithmetic {
        // The first is the one of integers, which every device has.
        self.0.arithmetics().first().copied().unwrap_or(Arithmetic::Word64 { lazy: false })
    }
}

impl<F: KernelField> fmt::Debug for Residues<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Residues(mod {})", self.0.order())
    }
}

impl<F: KernelField> sealed::Sealed for Residues<F> {}

impl<F: KernelField> Values for Residues<F> {
    type Word = F::Element;
    type Value = F::Element;
    type Base = F::Element;

    fn name(&self) -> String {
        format!("residues mod {}", self.0.order())
    }

    fn npy_type(&self) -> &'static str {
        if size_of::<F::Element>() == 4 { "u4" } else { "u8" }
    }

    fn write_text(&self, out: &mut dyn Write, value: F::Element) -> io::Result<()> {
        write!(out, "{value}")
    }

    fn base(&self, order: u64) -> Result<F::Element, CharacterError> {
        if order > LARGEST_EXPONENT {
            return Err(CharacterError::Exponent { exponent: order, limit: LARGEST_EXPONENT, values: self.name() });
        }
        Ok(self.0.root_of_unity(order)?)
    }

    fn root(&self, base: F::Element, t: u64) -> F::Element {
        self.0.power(base, t)
    }

    fn roots(&self, base: F::Element, step: u64, count: usize) -> Vec<F::Element> {
        let factor = self.0.power(base, step);
        std::iter::successors(Some(self.0.one()), |&root| Some(self.0.mul(root, factor))).take(count).collect()
    }

    #[inline(always)]
    fn multiply(&self, _: F::Element, a: F::Element, b: F::Element) -> F::Element {
        self.0.mul(a, b)
    }

    fn conjugate(&self, _: F::Element, a: F::Element) -> F::Element {
        // Roots are not 0.
        self.0.inverse(a).unwrap_or(a)
    }

    fn equal(&self, a: F::Element, b: F::Element, _: u32) -> bool {
        a == b
    }

    fn sum_is(&self, _: u64, roots: &[F::Element], expected: u64, _: u32) -> bool {
        self.0.sum(roots) == self.0.natural(expected)
    }

    fn product(&self) -> Product {
        Product::Residues(self.arithmetic())
    }

    fn modulus(&self) -> (F::Element, u64) {
        (F::Element::from_u64(self.0.order()), self.0.reciprocal(self.arithmetic()))
    }
}
