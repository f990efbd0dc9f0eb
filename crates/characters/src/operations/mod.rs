//! Character tables as an operation, with its job: what the program and packages for other languages are made from.
//!
//! | file | what |
//! |---|---|
//! | `tile` | the part of a table that arguments ask for |
//! | `job` | the job that makes a table, whole or while it is written |
//! | `made` | a table that is made, as a result |
//! | `entries` | what the kinds of entries do differently: their JSON and their checks |
//! | `words` | tables as words, in which processes that share the rows leave them |
//! | `choices` | the table as a choice among candidates |

mod choices;
mod entries;
mod job;
mod made;
mod tile;
mod words;

use manycore_operation::{Arguments, Declaration, DeclaredOption, Failure, Files, Job, Operation};
use manycore_operation::{OperationError, OptionKind, Splits, range};

use crate::error::CharacterError;
use crate::group::AbelianGroup;
pub use choices::CHOICES;
pub use tile::{Shape, shape};
pub use words::of_words;

/// Every operation on characters.
pub static ALL: [&dyn Operation; 1] = [&CharacterTable];

/// The option of the orders of a group's cyclic factors, which stands before the inputs.
pub const fn group_option(help: &'static str) -> DeclaredOption {
    DeclaredOption {
        value: OptionKind::Text {
            value_name: "FACTORS",
            check: |text| AbelianGroup::parse(text).map(drop),
            default: None,
            is_required: true,
        },
        is_positional: true,
        ..DeclaredOption::flag("group", help)
    }
}

const DECLARATION: Declaration = Declaration {
    name: "characters",
    title: "Compute the character table of a finite Abelian group",
    about: "\
The character table of a finite Abelian group, whole or a tile of it

Row w has the values of character w at the elements: exp(2 pi i E / L) with E = sum of w_j z_j L / n_j for the factors n_j \
and their least common multiple L. Characters and elements are numbered alike, the first factor's digit being the most \
significant. A line of text is a row, with the character's digits behind #; -o NAME.npy writes an array, of complex numbers \
as c8 or c16. Without --json the table is computed, verified and written in blocks of rows, so it may exceed the memory.",
    help: "\
--verify computes every entry once more on the host by the definition, block by block before it is written. No wrong \
exponent or residue passes; complex entries of the direct construction are compared to the last bit, those of the kronecker \
construction within the rounding of as many products as there are factors.

Examples:
  manycore characters 3,3 --exponents
  manycore characters 2^14 --type f32 --rows 0..16 -o walsh.npy
  manycore characters 4,6 --modulus 13 --json --verify",
    step: "making the table",
    options: &[
        group_option("The orders of the group's cyclic factors, the most significant first, such as 3,3,3 or 3^3 or 2^4,6"),
        DeclaredOption {
            excludes: Some("modulus"),
            ..DeclaredOption::flag(
                "exponents",
                "The exact exponents of the root of unity whose order is the group's exponent, instead of complex numbers",
            )
        },
        DeclaredOption {
            value: OptionKind::Modulus { is_required: false },
            excludes: Some("type"),
            ..DeclaredOption::flag(
                "modulus",
                "Residues modulo this prime, which must have roots of unity of the group's exponent, instead of complex numbers",
            )
        },
        DeclaredOption {
            value: OptionKind::Word {
                value_name: "TYPE",
                words: &[("f32", "Single precision"), ("f64", "Double precision")],
                default: Some("f64"),
            },
            excludes: Some("exponents"),
            ..DeclaredOption::flag("type", "The parts of complex numbers")
        },
        DeclaredOption {
            value: OptionKind::Text {
                value_name: "A..B",
                check: |text| range(text).map(drop),
                default: None,
                is_required: false,
            },
            ..DeclaredOption::flag("rows", "Only the characters A to before B")
        },
        DeclaredOption {
            value: OptionKind::Text {
                value_name: "C..D",
                check: |text| range(text).map(drop),
                default: None,
                is_required: false,
            },
            ..DeclaredOption::flag("columns", "Only their values at the elements C to before D")
        },
        DeclaredOption {
            value: OptionKind::Word {
                value_name: "ALGORITHM",
                words: &[
                    ("direct", "Each entry from its exponent"),
                    ("kronecker", "The Kronecker product of the factors' tables, factor after factor"),
                ],
                default: None,
            },
            ..DeclaredOption::flag(
                "algorithm",
                "How to make the table; without it, what the library chooses (`manycore explain characters`)",
            )
        },
    ],
    splits: Some(Splits::Own),
    is_seedless: true,
    ..Declaration::BASE
};

/// The operation.
struct CharacterTable;

impl Operation for CharacterTable {
    fn declaration(&self) -> &'static Declaration {
        &DECLARATION
    }

    fn is_shared(&self, _: &Arguments) -> bool {
        true
    }

    fn read(&self, arguments: &Arguments, files: &mut dyn Files) -> Result<Box<dyn Job>, OperationError> {
        job::read(arguments, files)
    }
}

impl Failure for CharacterError {
    fn is_of_input(&self) -> bool {
        !matches!(self, Self::Buffer { .. })
    }

    fn told(&self, _: &[String]) -> String {
        if let Self::Range { what, .. } = self { format!("--{what}: {self}") } else { self.to_string() }
    }
}
