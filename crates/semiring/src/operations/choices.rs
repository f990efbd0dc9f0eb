//! The product of two matrices over a semiring as a choice among candidates.

use manycore_device::{Device, DeviceSet};
use manycore_operation::choice::{at_least_one, bytes_of, room_to_measure};
use manycore_operation::vector::NumberType;
use manycore_operation::{
    Arguments, ChoiceDeclaration, DeclaredOption, Explain, Explained, OperationError, OptionKind,
};

use super::entries::Entry;
use super::kind::{Kind, TYPES, numbers, wrapping};
use crate::multiply::products::Products;
use crate::plan::Shape;
use crate::semiring::Semiring;

/// Every choice of an operation over semirings.
pub static CHOICES: [&dyn Explain; 1] = [&ProductChoice];

const DECLARATION: ChoiceDeclaration = ChoiceDeclaration {
    name: "semiring-product",
    title: "The product of two matrices over a semiring",
    options: &[
        DeclaredOption::ROWS,
        DeclaredOption::INNER,
        DeclaredOption::COLUMNS,
        DeclaredOption {
            value: OptionKind::Word { value_name: "NAME", words: Kind::WORDS, default: Some("max-plus") },
            ..DeclaredOption::flag("semiring", "The semiring, by its sum and its product")
        },
        DeclaredOption {
            value: OptionKind::Word { value_name: "TYPE", words: TYPES, default: Some("i64") },
            ..DeclaredOption::flag("type", "The type of the entries")
        },
    ],
};

struct ProductChoice;

/// Rows and columns of the first matrix, and columns of the second.
struct Sizes {
    rows: usize,
    inner: usize,
    columns: usize,
}

impl Sizes {
    fn of(arguments: &Arguments) -> Self {
        let rows = arguments.size("n").unwrap_or(0);
        let other = |name| arguments.size(name).unwrap_or(rows);
        Self { rows, inner: other("inner"), columns: other("columns") }
    }

    /// Rows and columns of both factors and the product.
    fn all(&self) -> [(usize, usize); 3] {
        [(self.rows, self.inner), (self.inner, self.columns), (self.rows, self.columns)]
    }

    /// The shapes of both factors.
    fn factors(&self) -> [Shape; 2] {
        let [left, right, _] = self.all();
        [left, right].map(|(rows, columns)| Shape { rows: rows as u64, columns: columns as u64 })
    }
}

/// What is done with a semiring of entries of any type.
trait OfSemiring {
    /// What comes of it.
    type Output;

    /// Does it.
    ///
    /// # Errors
    /// Those of the product.
    fn of<T: Entry>(self, semiring: &Semiring<T, T, T>) -> Result<Self::Output, OperationError>;
}

/// The semiring and the type of entries that are asked for.
fn asked(arguments: &Arguments) -> (Kind, NumberType) {
    let kind = arguments.word("semiring").and_then(Kind::of_name).unwrap_or(Kind::MaxPlus);
    (kind, arguments.word("type").and_then(NumberType::of_name).unwrap_or(NumberType::I64))
}

/// Does it with the semiring that is asked for.
fn with_semiring<W: OfSemiring>(arguments: &Arguments, work: W) -> Result<W::Output, OperationError> {
    match asked(arguments) {
        (kind, NumberType::I32) => work.of(&wrapping::<i32>(kind)?),
        (kind, NumberType::I64) => work.of(&wrapping::<i64>(kind)?),
        (Kind::OrAnd, NumberType::F32 | NumberType::F64) => {
            Err(OperationError::usage("--semiring or-and is of integers: --type i32 or i64"))
        }
        (kind, NumberType::F32) => work.of(&numbers::<f32>(kind)?),
        (kind, NumberType::F64) => work.of(&numbers::<f64>(kind)?),
    }
}

/// The choice on a device.
struct Candidates<'a>(&'a Sizes, &'a Device);

impl OfSemiring for Candidates<'_> {
    type Output = Explained;

    fn of<T: Entry>(self, semiring: &Semiring<T, T, T>) -> Result<Explained, OperationError> {
        let Self(sizes, device) = self;
        at_least_one(&[("--n", sizes.rows), ("--inner", sizes.inner), ("--columns", sizes.columns)])?;
        let entries = sizes.all().map(|(rows, columns)| rows as u128 * columns as u128);
        room_to_measure::<T>(device, entries.into_iter().fold(0, u128::saturating_add))?;
        let [left, right] = sizes.factors();
        Ok(Explained::new(&Products::new(device).explain_shapes(semiring, left, right)?))
    }
}

/// The tiles on several devices.
struct Tiles<'a>(&'a Sizes, &'a DeviceSet);

impl OfSemiring for Tiles<'_> {
    type Output = Option<String>;

    fn of<T: Entry>(self, semiring: &Semiring<T, T, T>) -> Result<Option<String>, OperationError> {
        let [left, right] = self.0.factors();
        Ok(semiring.tiles(self.1, left, right)?.map(|tiles| tiles.to_string()))
    }
}

impl Explain for ProductChoice {
    fn declaration(&self) -> &'static ChoiceDeclaration {
        &DECLARATION
    }

    fn bytes(&self, arguments: &Arguments) -> u64 {
        let entries = Sizes::of(arguments).all().map(|(rows, columns)| rows.saturating_mul(columns));
        bytes_of(&entries, asked(arguments).1.bytes())
    }

    fn explain(&self, arguments: &Arguments, device: &Device) -> Result<Explained, OperationError> {
        let (sizes, (kind, number_type)) = (Sizes::of(arguments), asked(arguments));
        let explained = with_semiring(arguments, Candidates(&sizes, device))?;
        let explained = explained.with("n", sizes.rows).with("inner", sizes.inner).with("columns", sizes.columns);
        Ok(explained.with("semiring", kind.name()).with("type", number_type.name()))
    }

    fn blocks(&self, arguments: &Arguments, devices: &DeviceSet) -> Result<Option<String>, OperationError> {
        with_semiring(arguments, Tiles(&Sizes::of(arguments), devices))
    }

    fn is_shared(&self, _: &Arguments) -> bool {
        true
    }
}
