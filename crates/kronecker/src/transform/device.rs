//! The primitive on OpenCL devices: one pass is one launch.

use std::sync::Arc;

use manycore_device::{Buffer, Kernel, OpenCl};

use super::geometry::{Geometry, MOST_PARTS};
use super::plan::{self, Round};
use crate::context::Kronecker;
use crate::error::KroneckerError;
use crate::factor::Factor;
use crate::product::KroneckerProduct;
use crate::values::{Computation, Values};

// SAFETY: `Pass::run` alone launches them, with a pass of a plan for the product's digits, which nobody else makes or
// changes, and whole vectors.
manycore_device::kernel! {
    /// A pass over numbers or complex numbers.
    unsafe PASS in manycore_kernels::kronecker::PASS: kronecker_pass
    /// A pass over residues.
    unsafe PASS_RESIDUES in manycore_kernels::kronecker::PASS_RESIDUES: kronecker_pass
}

/// Names of a round's definitions.
const ROUND_NAMES: [[&str; 3]; MOST_PARTS] = [
    ["REGISTERS_0", "STRIDE_0", "ROUND_0"],
    ["REGISTERS_1", "STRIDE_1", "ROUND_1"],
    ["REGISTERS_2", "STRIDE_2", "ROUND_2"],
    ["REGISTERS_3", "STRIDE_3", "ROUND_3"],
];

/// Names of a matrix's definitions.
const MATRIX_NAMES: [[&str; 3]; MOST_PARTS] = [
    ["Q_0", "SIGNS_0", "MATRIX_0"],
    ["Q_1", "SIGNS_1", "MATRIX_1"],
    ["Q_2", "SIGNS_2", "MATRIX_2"],
    ["Q_3", "SIGNS_3", "MATRIX_3"],
];

/// A pass that is ready to be launched.
#[derive(Debug)]
pub(super) struct Pass {
    kernel: Arc<Kernel>,
    group: usize,
}

impl Pass {
    /// Builds the kernel of a pass whose results are divided by `divisor`.
    pub(super) fn new<V: Values>(
        context: &Kronecker,
        cl: &OpenCl,
        product: &KroneckerProduct<V>,
        pass: &plan::Pass,
        divisor: u64,
    ) -> Result<Self, KroneckerError> {
        let values = product.values();
        let geometry = Geometry::new(pass, size_of::<V::Value>());
        let mut kinds: Vec<&Factor<V>> = Vec::new();
        for &i in &pass.factors {
            if !kinds.contains(&&product.factors()[i]) {
                kinds.push(&product.factors()[i]);
            }
        }
        let contiguous = pass.contiguous();
        let neighbours = if contiguous { pass.tile() } else { pass.columns };
        let mut defines = values
            .defines()
            .runs(neighbours * size_of::<V::Value>())
            .set("GROUP", geometry.group)
            .set("CONTIGUOUS", u8::from(contiguous))
            .set("PIECES", pass.pieces)
            .set("ROWS", pass.rows)
            .set("COLUMNS", pass.columns)
            .set("ROUNDS", pass.rounds.len())
            .set("STAGE_IN", u8::from(geometry.stage_in))
            .set("STAGE_OUT", u8::from(geometry.stage_out));
        for (&i, [registers, stride, text]) in geometry.order.iter().zip(ROUND_NAMES) {
            let round = &pass.rounds[i];
            defines = defines.set(registers, round.registers).set(stride, round.stride);
            defines = defines.set(text, steps(product, &kinds, round));
        }
        for [registers, ..] in &ROUND_NAMES[pass.rounds.len()..] {
            defines = defines.set(registers, 1);
        }
        for (k, [order, signs, text]) in MATRIX_NAMES.into_iter().enumerate() {
            defines = match kinds.get(k) {
                None => defines.set(order, 0),
                Some(factor) => {
                    let (by_signs, entries) = matrix(values, factor);
                    defines.set(order, factor.order()).set(signs, u8::from(by_signs)).set(text, entries)
                }
            };
        }
        if divisor != 1 {
            defines = defines.set("DIVIDED", 1).set("DIVISOR", values.divisor_literal(divisor));
        }
        let residues = matches!(values.computation(), Computation::Residues(_));
        let kernel = context.planner().kernel(cl, if residues { &PASS_RESIDUES } else { &PASS }, defines)?;
        Ok(Self { kernel, group: geometry.group })
    }

    /// Does the pass on `count` values.
    pub(super) fn run<V: Values>(
        &self,
        cl: &OpenCl,
        values: &V,
        pass: &plan::Pass,
        count: usize,
        data: &mut Buffer<V::Word>,
    ) -> Result<(), KroneckerError> {
        let (p, reciprocal) = values.modulus();
        let segments = if pass.contiguous() { 1 } else { pass.inner.div_ceil(pass.columns) };
        cl.launch(&self.kernel)
            .buffer(data)
            .value(count as u64)
            .value(pass.inner as u64)
            .value(segments as u64)
            .value(p)
            .value(reciprocal)
            .groups(pass.tiles(count), self.group)
            .bytes(2 * (count * size_of::<V::Value>()) as u64)
            .operations((count * pass.factors.len()) as u64)
            .run()?;
        Ok(())
    }
}

/// The text of a round: its factors' steps.
fn steps<V: Values>(product: &KroneckerProduct<V>, kinds: &[&Factor<V>], round: &Round) -> String {
    let step = |&(factor, stride): &(usize, usize)| {
        let kind = kinds.iter().position(|&kind| *kind == product.factors()[factor]).unwrap_or(0);
        format!("STEP_{kind}({stride})")
    };
    round.factors.iter().map(step).collect()
}

/// Whether a matrix has the entries 0, 1 and -1 only, and the text of its masks or entries.
fn matrix<V: Values>(values: &V, factor: &Factor<V>) -> (bool, String) {
    let entries = factor.entries().unwrap_or_default();
    let signs: Option<Vec<i64>> = entries.iter().map(|&x| Factor::sign(values, x)).collect();
    let Some(signs) = signs else {
        return (false, entries.iter().map(|&x| values.literal(x)).collect());
    };
    let mask = |row: &[i64], wanted: fn(i64) -> bool| {
        row.iter().enumerate().filter(|&(_, &sign)| wanted(sign)).fold(0u32, |mask, (j, _)| mask | 1 << j)
    };
    let text = |row: &[i64]| format!("E({}u)E({}u)", mask(row, |sign| sign != 0), mask(row, |sign| sign < 0));
    (true, signs.chunks_exact(factor.order()).map(text).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use manycore_field::Integers;

    #[test]
    fn matrices_as_texts() {
        let ring = Integers::<i32>::new();
        assert_eq!(matrix(&ring, &Factor::walsh(&ring)), (true, "E(3u)E(0u)E(3u)E(2u)".to_owned()));
        assert_eq!(matrix(&ring, &Factor::arithmetic(&ring)), (true, "E(1u)E(0u)E(3u)E(1u)".to_owned()));
        let (signs, text) = matrix(&ring, &Factor::new(&ring, &[[2, 0], [-1, 1]]).unwrap());
        assert_eq!((signs, text.as_str()), (false, "E(2u)E(0u)E(4294967295u)E(1u)"));
    }
}
