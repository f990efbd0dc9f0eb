//! The sort of numbers as a choice among candidates.

use manycore_device::{Device, DeviceSet};
use manycore_operation::choice::{at_least_one, bytes_of, room_to_measure};
use manycore_operation::vector::NumberType;
use manycore_operation::{
    Arguments, ChoiceDeclaration, DeclaredOption, Explain, Explained, OperationError, OptionKind, with_number_type,
};

use crate::key::Key;
use crate::radix::sorter::Sorter;

/// Every choice of a sort.
pub static CHOICES: [&dyn Explain; 1] = [&SortChoice];

const DECLARATION: ChoiceDeclaration = ChoiceDeclaration {
    name: "sort-numbers",
    title: "A sort of numbers",
    options: &[
        DeclaredOption::size("n", "N", "Numbers, also as 2^K"),
        DeclaredOption {
            value: OptionKind::Word { value_name: "TYPE", words: NumberType::WORDS, default: Some("i64") },
            ..DeclaredOption::flag("type", "The type of the numbers")
        },
        DeclaredOption::flag("places", "Places beside the numbers"),
    ],
};

struct SortChoice;

/// Numbers, their type, and whether their places are wanted.
fn asked(arguments: &Arguments) -> (usize, NumberType, bool) {
    let number_type = arguments.word("type").and_then(NumberType::of_name).unwrap_or(NumberType::I64);
    (arguments.size("n").unwrap_or(0), number_type, arguments.is_given("places"))
}

impl Explain for SortChoice {
    fn declaration(&self) -> &'static ChoiceDeclaration {
        &DECLARATION
    }

    fn bytes(&self, arguments: &Arguments) -> u64 {
        let (n, number_type, is_placed) = asked(arguments);
        // A place of 32 bits beside each number of the result.
        let places = if is_placed { bytes_of(&[n], 4) } else { 0 };
        bytes_of(&[n; 2], number_type.bytes()).saturating_add(places)
    }

    fn explain(&self, arguments: &Arguments, device: &Device) -> Result<Explained, OperationError> {
        fn of<K: Key>(n: usize, is_placed: bool, device: &Device) -> Result<Explained, OperationError> {
            // Keys as they came, keys that are sorted, and their places.
            room_to_measure::<K>(device, if is_placed { 3 } else { 2 } * n as u128)?;
            Ok(Explained::new(&Sorter::new(device).explain::<K, u32>(n, is_placed)?))
        }
        let (n, number_type, is_placed) = asked(arguments);
        at_least_one(&[("--n", n)])?;
        let explained = with_number_type!(number_type, K => of::<K>(n, is_placed, device))?;
        Ok(explained.with("n", n).with("type", number_type.name()).with("places", is_placed))
    }

    fn blocks(&self, arguments: &Arguments, devices: &DeviceSet) -> Result<Option<String>, OperationError> {
        let (n, number_type, is_placed) = asked(arguments);
        let sorter = Sorter::over(devices)?;
        let blocks = with_number_type!(number_type, K => sorter.blocks::<K, u32>(n, is_placed))?;
        Ok(blocks.map(|blocks| blocks.to_string()))
    }

    fn is_shared(&self, _: &Arguments) -> bool {
        true
    }
}
