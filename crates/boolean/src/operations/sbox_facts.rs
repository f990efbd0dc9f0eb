//! Figures of an S-box: of its values, its linear and its difference table.

use manycore_verify::sbox::Facts;
use serde_json::{Value as Json, json};

use super::facts::{Lines, counts, yes};
use crate::context::Boolean;
use crate::error::BooleanError;
use crate::sbox::SBox;

/// The most bits of a permutation whose boomerang table is computed.
pub(super) const BOOMERANG_BITS: u32 = 9;

/// The facts of an S-box.
pub(super) fn of(boolean: &Boolean, sbox: &SBox) -> Result<Facts, BooleanError> {
    let (linear, differences) = (boolean.linear_summary(sbox)?, boolean.difference_summary(sbox)?);
    let small = sbox.input_bits() <= BOOMERANG_BITS;
    Ok(Facts {
        input_bits: sbox.input_bits(),
        output_bits: sbox.output_bits(),
        permutation: sbox.is_permutation(),
        balanced: sbox.is_balanced(),
        fixed_points: sbox.fixed_points().count(),
        degree: sbox.degree(),
        component_degrees: sbox.component_degrees(),
        linearity: linear.linearity,
        linearity_at: linear.place,
        nonlinearity: linear.nonlinearity(),
        linear_branch_number: linear.branch_number,
        differential_uniformity: differences.uniformity,
        uniformity_at: differences.place,
        differential_branch_number: differences.branch_number,
        boomerang_uniformity: if small { sbox.boomerang_uniformity().ok() } else { None },
        walsh: linear.histogram.counts,
        differences: differences.histogram.counts,
    })
}

/// Facts as JSON.
pub(super) fn json(facts: &Facts) -> Json {
    json!({
        "input_bits": facts.input_bits,
        "output_bits": facts.output_bits,
        "permutation": facts.permutation,
        "balanced": facts.balanced,
        "fixed_points": facts.fixed_points,
        "degree": facts.degree,
        "component_degrees": facts.component_degrees,
        "linearity": facts.linearity,
        "linearity_at": facts.linearity_at,
        "nonlinearity": facts.nonlinearity,
        "linear_branch_number": facts.linear_branch_number,
        "differential_uniformity": facts.differential_uniformity,
        "uniformity_at": facts.uniformity_at,
        "differential_branch_number": facts.differential_branch_number,
        "boomerang_uniformity": facts.boomerang_uniformity,
        "walsh": facts.walsh,
        "differences": facts.differences,
    })
}

/// Facts as text, masks and differences in hexadecimal where the S-box was read so.
pub(super) fn lines(facts: &Facts, hex: bool) -> Lines {
    let at = |most: u64, (a, b): (u16, u16)| {
        if hex { format!("{most} at a = 0x{a:x}, b = 0x{b:x}") } else { format!("{most} at a = {a}, b = {b}") }
    };
    let mut lines = vec![
        ("input bits", facts.input_bits.to_string()),
        ("output bits", facts.output_bits.to_string()),
        ("permutation", yes(facts.permutation)),
        ("balanced", yes(facts.balanced)),
        ("fixed points", facts.fixed_points.to_string()),
        ("algebraic degree", facts.degree.to_string()),
        ("components by degree", counts(&facts.component_degrees)),
        ("linearity", at(facts.linearity, facts.linearity_at)),
        ("nonlinearity", facts.nonlinearity.to_string()),
        ("linear branch number", facts.linear_branch_number.to_string()),
        ("differential uniformity", at(facts.differential_uniformity, facts.uniformity_at)),
        ("differential branch number", facts.differential_branch_number.to_string()),
    ];
    lines.extend(facts.boomerang_uniformity.map(|most| ("boomerang uniformity", most.to_string())));
    lines.push(("W(a, b)", counts(&facts.walsh)));
    lines.push(("differences", counts(&facts.differences)));
    lines
}

/// Entries of a table that are counts, which are at most 2^16.
pub(super) fn entries(table: Vec<u32>) -> Vec<i32> {
    table.into_iter().map(|count| count as i32).collect()
}
