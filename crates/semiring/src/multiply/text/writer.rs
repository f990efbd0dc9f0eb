//! The text as it grows, with what its parts ask of the product: factors, scalars, the steps of NVIDIA's assembly.

use manycore_device::WordType;
use manycore_expressions::ScalarType;
use manycore_expressions::generated::Arguments;

use super::super::assembly::{Balanced, Chosen};
use super::key::KernelKey;
use crate::operand::Form;

/// The scalar of a word that holds two columns.
pub(super) static WORD: [ScalarType; 1] = [ScalarType::Word(WordType::U32)];

/// The vector type of `width` words.
pub(super) fn vector(kind: ScalarType, width: usize) -> String {
    vector_of(kind.memory().opencl_name(), width)
}

pub(super) fn vector_of(name: &str, width: usize) -> String {
    if width == 1 { name.to_owned() } else { format!("{name}{width}") }
}

/// Component `at` of a vector of `width` words.
pub(super) fn component(vector: &str, width: usize, at: usize) -> String {
    if width == 1 { vector.to_owned() } else { format!("{vector}.s{at:x}") }
}

/// One of both factors.
pub(super) struct Side<'a> {
    /// `a` or `b`.
    pub(super) name: &'static str,
    pub(super) form: &'a Form,
    pub(super) kinds: &'a [ScalarType],
    /// Entries that are read at once.
    pub(super) width: usize,
    /// The number of these reads for a part of the factor as deep as the tile.
    pub(super) reads: usize,
}

pub(super) struct Text<'a> {
    pub(super) key: &'a KernelKey,
    pub(super) lines: String,
    pub(super) arguments: Arguments,
}

impl<'a> Text<'a> {
    /// The scalars of first factors, second factors and sums, as items have them.
    pub(super) fn kinds(&self) -> [&'a [ScalarType]; 3] {
        let key: &'a KernelKey = self.key;
        let algebra = &key.form.algebra;
        if key.tile.halves { [&WORD; 3] } else { [algebra.left(), algebra.right(), algebra.sums()] }
    }

    /// Sums that are chosen by NVIDIA's assembly.
    pub(super) fn chosen(&self) -> Option<Chosen> {
        let is_one_step = self.key.assembly && self.key.tile.steps == 1;
        Chosen::of(&self.key.form.algebra).filter(|_| is_one_step)
    }

    /// Sums of two steps at once that NVIDIA's assembly shares among units.
    pub(super) fn balanced(&self) -> Option<Balanced> {
        let is_two_steps = self.key.assembly && self.key.tile.steps == 2;
        Balanced::of(&self.key.form.algebra).filter(|_| is_two_steps)
    }

    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        self.lines.push_str(line.as_ref());
        self.lines.push('\n');
    }

    pub(super) fn sides(&self) -> (Side<'_>, Side<'_>) {
        let (key, tile) = (self.key, self.key.tile);
        let depth = tile.depth as usize;
        let reads = |lines: usize, width: usize| lines * depth / width;
        let (left, right) = key.widths;
        let [a, b, _] = self.kinds();
        (
            Side { name: "a", form: &key.form.left, kinds: a, width: left, reads: reads(tile.rows(), left) },
            Side { name: "b", form: &key.form.right, kinds: b, width: right, reads: reads(tile.words(), right) },
        )
    }
}
