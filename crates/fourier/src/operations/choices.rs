//! The Fourier transform as a choice among candidates.

use manycore_characters::operations::group_option;
use manycore_characters::{AbelianGroup, Complexes, Residues};
use manycore_device::Device;
use manycore_field::{KernelField, with_field};
use manycore_operation::choice::{at_least_one, bytes_of, residue_bytes};
use manycore_operation::json::integer;
use manycore_operation::{
    Arguments, ChoiceDeclaration, DeclaredOption, Explain, Explained, OperationError, OptionKind,
};

use crate::context::Fourier;
use crate::numbers::Numbers;

/// Every choice of a transform of functions on groups.
pub static CHOICES: [&dyn Explain; 1] = [&FourierChoice];

const DECLARATION: ChoiceDeclaration = ChoiceDeclaration {
    name: "fourier",
    title: "The Fourier transform on a finite Abelian group",
    options: &[
        group_option("The orders of the group's cyclic factors, such as 1024 or 3^8"),
        DeclaredOption::size_or("batch", "BATCH", Some(1), "Functions side by side"),
        DeclaredOption {
            value: OptionKind::Modulus { is_required: false },
            excludes: Some("type"),
            ..DeclaredOption::flag(
                "modulus",
                "Residues modulo this prime, which must have roots of the group's exponent, instead of complex numbers",
            )
        },
        DeclaredOption {
            value: OptionKind::Word {
                value_name: "TYPE",
                words: &[("f32", "Single precision"), ("f64", "Double precision")],
                default: Some("f32"),
            },
            ..DeclaredOption::flag("type", "The parts of complex numbers")
        },
    ],
};

struct FourierChoice;

/// The group that is asked for.
fn group_of(arguments: &Arguments) -> Result<AbelianGroup, OperationError> {
    let text = arguments.text("group").unwrap_or_default();
    AbelianGroup::parse(text).map_err(|reason| OperationError::usage(format!("--group: {reason}")))
}

/// The functions side by side.
fn batch(arguments: &Arguments) -> usize {
    arguments.size("batch").unwrap_or(1)
}

fn of_numbers<N: Numbers>(arguments: &Arguments, device: &Device, numbers: &N) -> Result<Explained, OperationError> {
    let (group, batch) = (group_of(arguments)?, batch(arguments));
    at_least_one(&[("--batch", batch)])?;
    let choice = Fourier::new(device).explain_transform(&group, numbers, batch)?;
    let factors: Vec<_> = group.factors().iter().map(|&n| integer(n)).collect();
    let explained = Explained::new(&choice).with("group", factors).with("batch", batch);
    Ok(explained.with("numbers", numbers.name()).with("modulus", arguments.number("modulus").map(integer)))
}

fn of_field<F: KernelField>(arguments: &Arguments, device: &Device, field: F) -> Result<Explained, OperationError>
where
    Residues<F>: Numbers,
{
    of_numbers(arguments, device, &Residues::new(field))
}

impl Explain for FourierChoice {
    fn declaration(&self) -> &'static ChoiceDeclaration {
        &DECLARATION
    }

    fn bytes(&self, arguments: &Arguments) -> u64 {
        let order = group_of(arguments).map_or(0, |group| group.order() as usize);
        let parts_bytes = if arguments.word("type") == Some("f64") { 16 } else { 8 };
        let value_bytes = arguments.number("modulus").map_or(parts_bytes, residue_bytes);
        bytes_of(&[order.saturating_mul(batch(arguments)); 2], value_bytes)
    }

    fn explain(&self, arguments: &Arguments, device: &Device) -> Result<Explained, OperationError> {
        match (arguments.number("modulus"), arguments.word("type")) {
            (Some(p), _) => with_field!(p, field => of_field(arguments, device, field))?,
            (None, Some("f64")) => of_numbers(arguments, device, &Complexes::<f64>::new()),
            (None, _) => of_numbers(arguments, device, &Complexes::<f32>::new()),
        }
    }
}
