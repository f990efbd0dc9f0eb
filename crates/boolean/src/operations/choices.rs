//! Tables of an S-box as choices among candidates.

use manycore_device::Device;
use manycore_operation::{
    Arguments, ChoiceDeclaration, DeclaredOption, Explain, Explained, OperationError, OptionKind, Range,
};

use crate::context::Boolean;
use crate::error::BooleanError;
use crate::error::TableError;
use crate::sbox::SBox;

/// Every choice of a table of an S-box.
pub static CHOICES: [&dyn Explain; 2] = [&LinearChoice, &DifferencesChoice];

const OPTIONS: &[DeclaredOption] = &[DeclaredOption {
    value: OptionKind::Count { value_name: "N", range: Range::Within(1, 16), is_required: true, default: None },
    ..DeclaredOption::flag("bits", "Input bits, and output bits")
}];

/// The bits that are asked for.
fn bits(arguments: &Arguments) -> u32 {
    arguments.number("bits").and_then(|bits| u32::try_from(bits).ok()).unwrap_or(0)
}

/// A permutation without structure: an odd multiple, its bits mixed by a shift.
fn permutation(bits: u32) -> Result<SBox, TableError> {
    let mask = 1_u32.checked_shl(bits).map_or(u32::MAX, |values| values - 1);
    let mix = |x: u32| x ^ x >> (bits / 2).max(1);
    let value = |x: u32| mix(x.wrapping_mul(0x9e37_79b1) & mask).wrapping_mul(0x85eb_ca6b) & mask;
    SBox::new(bits, (0..=mask).map(|x| value(x) as u16).collect())
}

struct LinearChoice;

impl Explain for LinearChoice {
    fn declaration(&self) -> &'static ChoiceDeclaration {
        const DECLARATION: ChoiceDeclaration = ChoiceDeclaration {
            name: "sbox-linear",
            title: "The linear approximation table of an S-box",
            options: OPTIONS,
        };
        &DECLARATION
    }

    /// The table stays on the device.
    fn bytes(&self, _: &Arguments) -> u64 {
        0
    }

    fn explain(&self, arguments: &Arguments, device: &Device) -> Result<Explained, OperationError> {
        let bits = bits(arguments);
        let sbox = permutation(bits).map_err(BooleanError::from)?;
        Ok(Explained::new(&Boolean::new(device).explain_linear(&sbox)?).with("bits", bits))
    }
}

struct DifferencesChoice;

impl Explain for DifferencesChoice {
    fn declaration(&self) -> &'static ChoiceDeclaration {
        const DECLARATION: ChoiceDeclaration = ChoiceDeclaration {
            name: "sbox-differences",
            title: "The difference distribution table of an S-box",
            options: OPTIONS,
        };
        &DECLARATION
    }

    /// The table stays on the device.
    fn bytes(&self, _: &Arguments) -> u64 {
        0
    }

    fn explain(&self, arguments: &Arguments, device: &Device) -> Result<Explained, OperationError> {
        let bits = bits(arguments);
        let sbox = permutation(bits).map_err(BooleanError::from)?;
        Ok(Explained::new(&Boolean::new(device).explain_differences(&sbox)?).with("bits", bits))
    }
}

#[cfg(test)]
mod tests {
    use super::permutation;

    #[test]
    fn boxes_of_every_size_are_permutations() {
        for bits in 1..=16 {
            let mut values = permutation(bits).unwrap().values().to_vec();
            values.sort_unstable();
            assert!(values.iter().enumerate().all(|(i, &value)| i == usize::from(value)), "{bits}");
        }
    }
}
