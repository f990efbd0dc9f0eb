//! The character table as a choice among candidates.

use manycore_device::Device;
use manycore_operation::choice::bytes_of;
use manycore_operation::json::integer;
use manycore_operation::{
    Arguments, ChoiceDeclaration, DeclaredOption, Explain, Explained, OperationError, OptionKind,
};

use super::group_option;
use crate::context::Characters;
use crate::group::AbelianGroup;
use crate::table::Tile;
use crate::values::{Complexes, Exponents, Values};

/// Every choice of a table of characters.
pub static CHOICES: [&dyn Explain; 1] = [&TableChoice];

const DECLARATION: ChoiceDeclaration = ChoiceDeclaration {
    name: "characters",
    title: "The character table of a finite Abelian group",
    options: &[
        group_option("The orders of the group's cyclic factors, such as 3,3,3 or 3^8"),
        DeclaredOption {
            excludes: Some("type"),
            ..DeclaredOption::flag("exponents", "Exponents, instead of complex numbers")
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

struct TableChoice;

/// The group that is asked for.
fn group_of(arguments: &Arguments) -> Result<AbelianGroup, OperationError> {
    let text = arguments.text("group").unwrap_or_default();
    AbelianGroup::parse(text).map_err(|reason| OperationError::usage(format!("--group: {reason}")))
}

impl Explain for TableChoice {
    fn declaration(&self) -> &'static ChoiceDeclaration {
        &DECLARATION
    }

    fn bytes(&self, arguments: &Arguments) -> u64 {
        let order = group_of(arguments).map_or(0, |group| group.order() as usize);
        let entry_bytes = match arguments.word("type") {
            _ if arguments.is_given("exponents") => 4,
            Some("f64") => 16,
            _ => 8,
        };
        bytes_of(&[order.saturating_mul(order)], entry_bytes)
    }

    fn explain(&self, arguments: &Arguments, device: &Device) -> Result<Explained, OperationError> {
        fn of<V: Values>(group: &AbelianGroup, values: &V, device: &Device) -> Result<Explained, OperationError> {
            Ok(Explained::new(&Characters::new(device).explain_table(group, values, &Tile::whole())?))
        }
        let group = group_of(arguments)?;
        let (explained, values) = match arguments.word("type") {
            _ if arguments.is_given("exponents") => (of(&group, &Exponents::<u32>::new(), device)?, "exponents"),
            Some("f64") => (of(&group, &Complexes::<f64>::new(), device)?, "complex f64"),
            _ => (of(&group, &Complexes::<f32>::new(), device)?, "complex f32"),
        };
        let factors: Vec<_> = group.factors().iter().map(|&n| integer(n)).collect();
        Ok(explained.with("group", factors).with("values", values))
    }

    fn is_shared(&self, _: &Arguments) -> bool {
        true
    }
}
