//! The Kronecker product times vectors as a choice among candidates.

use manycore_device::Device;
use manycore_field::with_field;
use manycore_operation::choice::{at_least_one, bytes_of, residue_bytes};
use manycore_operation::json::integer;
use manycore_operation::vector::NumberType;
use manycore_operation::{
    Arguments, ChoiceDeclaration, DeclaredOption, Explain, Explained, OperationError, OptionKind, Range,
};

use crate::context::Kronecker;
use crate::parse::parse;
use crate::values::{Complexes, Values};
use crate::{Integers, Reals};

/// Every choice of a Kronecker product.
pub static CHOICES: [&dyn Explain; 1] = [&KroneckerChoice];

const DECLARATION: ChoiceDeclaration = ChoiceDeclaration {
    name: "kronecker",
    title: "The Kronecker product of small matrices, times vectors",
    options: &[
        DeclaredOption {
            value: OptionKind::Text { value_name: "PRODUCT", check: |_| Ok(()), default: None, is_required: true },
            ..DeclaredOption::flag("product", "The product of matrices, such as \"h12 x walsh^3\" or \"dft3^4\"")
        },
        DeclaredOption::size_or("batch", "BATCH", Some(1), "Vectors side by side"),
        DeclaredOption {
            value: OptionKind::Count { value_name: "P", range: Range::Long, is_required: false, default: None },
            excludes: Some("type"),
            ..DeclaredOption::flag("modulus", "Residues modulo this prime, instead of numbers")
        },
        DeclaredOption {
            excludes: Some("modulus"),
            ..DeclaredOption::flag("complex", "Complex numbers, with parts of the type")
        },
        DeclaredOption {
            value: OptionKind::Word { value_name: "TYPE", words: NumberType::WORDS, default: Some("f32") },
            ..DeclaredOption::flag("type", "The type of the numbers")
        },
    ],
};

struct KroneckerChoice;

/// The product, vectors side by side, and the type of the numbers.
fn asked(arguments: &Arguments) -> (&str, usize, NumberType) {
    let number_type = arguments.word("type").and_then(NumberType::of_name).unwrap_or(NumberType::F32);
    (arguments.text("product").unwrap_or_default(), arguments.size("batch").unwrap_or(1), number_type)
}

fn of_values<V: Values>(arguments: &Arguments, device: &Device, values: &V) -> Result<Explained, OperationError> {
    let (product, batch, _) = asked(arguments);
    at_least_one(&[("--batch", batch)])?;
    let choice = Kronecker::new(device).explain(&parse(values, product)?, batch)?;
    let explained = Explained::new(&choice).with("product", product).with("batch", batch);
    Ok(explained.with("values", values.name()).with("modulus", arguments.number("modulus").map(integer)))
}

impl Explain for KroneckerChoice {
    fn declaration(&self) -> &'static ChoiceDeclaration {
        &DECLARATION
    }

    fn bytes(&self, arguments: &Arguments) -> u64 {
        let (product, batch, number_type) = asked(arguments);
        // Every factor has a form over complex numbers.
        let order = parse(&Complexes::<f64>::new(), product).map_or(0, |product| product.order());
        let parts = if arguments.is_given("complex") { 2 } else { 1 };
        let value_bytes = arguments.number("modulus").map_or(parts * number_type.bytes(), residue_bytes);
        bytes_of(&[order.saturating_mul(batch); 2], value_bytes)
    }

    fn explain(&self, arguments: &Arguments, device: &Device) -> Result<Explained, OperationError> {
        if let Some(p) = arguments.number("modulus") {
            return with_field!(p, field => of_values(arguments, device, &field))?;
        }
        let (.., number_type) = asked(arguments);
        match (number_type, arguments.is_given("complex")) {
            (NumberType::I32 | NumberType::I64, true) => {
                Err(OperationError::usage(format!("--complex: parts of type {number_type} are no complex numbers")))
            }
            (NumberType::I32, false) => of_values(arguments, device, &Integers::<i32>::new()),
            (NumberType::I64, false) => of_values(arguments, device, &Integers::<i64>::new()),
            (NumberType::F32, false) => of_values(arguments, device, &Reals::<f32>::new()),
            (NumberType::F64, false) => of_values(arguments, device, &Reals::<f64>::new()),
            (NumberType::F32, true) => of_values(arguments, device, &Complexes::<f32>::new()),
            (NumberType::F64, true) => of_values(arguments, device, &Complexes::<f64>::new()),
        }
    }
}
