//! The operations on matrices modulo a prime that choose among candidates.

use manycore_device::{Device, DeviceSet};
use manycore_field::with_field;
use manycore_operation::choice::{bytes_of, residue_bytes, room_to_measure};
use manycore_operation::json::integer;
use manycore_operation::{Arguments, ChoiceDeclaration, DeclaredOption, Explain, Explained, OperationError};

use crate::bits::BitAlgebra;
use crate::field::MatrixField;
use crate::modular::algebra::LinearAlgebra;
use crate::modular::eliminate::plan::EliminationShape;

/// Every choice of an operation on matrices.
pub static CHOICES: [&dyn Explain; 3] = [&Product, &Determinant, &Inverse];

fn modulus(arguments: &Arguments) -> u64 {
    // Zero is no prime, and refused as such.
    arguments.number("modulus").unwrap_or(0)
}

/// Rows and columns of the first matrix, and columns of the second.
#[derive(Clone, Copy)]
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
    fn shapes(self) -> [(usize, usize); 3] {
        [(self.rows, self.inner), (self.inner, self.columns), (self.rows, self.columns)]
    }

    /// Refuses sizes of which there are no matrices.
    fn check(self) -> Result<(), OperationError> {
        let Self { rows, inner, columns } = self;
        if rows == 0 || inner == 0 || columns == 0 {
            return Err(OperationError::usage("--n, --inner and --columns must be at least 1"));
        }
        if self.shapes().iter().any(|(a, b)| a.checked_mul(*b).is_none()) {
            return Err(OperationError::usage(format!("--n {rows} --inner {inner} --columns {columns}: too large")));
        }
        Ok(())
    }
}

struct Product;

impl Explain for Product {
    fn declaration(&self) -> &'static ChoiceDeclaration {
        const DECLARATION: ChoiceDeclaration = ChoiceDeclaration {
            name: "matrix-mul",
            title: "The product of two matrices over a prime field",
            options: &[
                DeclaredOption::ROWS,
                DeclaredOption::INNER,
                DeclaredOption::COLUMNS,
                DeclaredOption::modulus_or(
                    "The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1; matrices modulo 2 are of bits",
                ),
            ],
        };
        &DECLARATION
    }

    fn bytes(&self, arguments: &Arguments) -> u64 {
        let entries = Sizes::of(arguments).shapes().map(|(a, b)| a.saturating_mul(b));
        match modulus(arguments) {
            2 => bytes_of(&entries, 1) / 8,
            modulus => bytes_of(&entries, residue_bytes(modulus)),
        }
    }

    fn explain(&self, arguments: &Arguments, device: &Device) -> Result<Explained, OperationError> {
        let (sizes, modulus) = (Sizes::of(arguments), modulus(arguments));
        let explained = if modulus == 2 {
            of_bits(sizes, device)?
        } else {
            with_field!(modulus, field => of_field(sizes, device, field))??
        };
        let Sizes { rows, inner, columns } = sizes;
        let explained = explained.with("n", rows).with("inner", inner).with("columns", columns);
        Ok(explained.with("modulus", integer(modulus)))
    }

    fn blocks(&self, arguments: &Arguments, devices: &DeviceSet) -> Result<Option<String>, OperationError> {
        fn of<F: MatrixField>(
            _: F,
            devices: &DeviceSet,
            shape: (usize, usize, usize),
        ) -> Result<Option<String>, OperationError> {
            Ok(LinearAlgebra::<F>::product_blocks(devices, shape)?.map(|blocks| blocks.to_string()))
        }
        if !self.is_shared(arguments) {
            return Ok(None);
        }
        let Sizes { rows, inner, columns } = Sizes::of(arguments);
        with_field!(modulus(arguments), field => of(field, devices, (rows, inner, columns)))?
    }

    /// Matrices of bits are multiplied by one device, at once.
    fn is_shared(&self, arguments: &Arguments) -> bool {
        modulus(arguments) != 2
    }
}

/// A product of matrices of bits.
fn of_bits(sizes: Sizes, device: &Device) -> Result<Explained, OperationError> {
    sizes.check()?;
    let words = |(rows, columns): (usize, usize)| rows as u128 * columns.div_ceil(64) as u128;
    room_to_measure::<u64>(device, sizes.shapes().map(words).iter().sum())?;
    Ok(Explained::new(&BitAlgebra::new(device).explain_product(sizes.rows, sizes.inner, sizes.columns)?))
}

/// A product over a field.
fn of_field<F: MatrixField>(sizes: Sizes, device: &Device, field: F) -> Result<Explained, OperationError> {
    sizes.check()?;
    let words = |(rows, columns): (usize, usize)| rows as u128 * columns as u128;
    room_to_measure::<F::Element>(device, sizes.shapes().map(words).iter().sum())?;
    let space = LinearAlgebra::new(device, field)?;
    Ok(Explained::new(&space.explain_product(sizes.rows, sizes.inner, sizes.columns)?))
}

const OF_ORDER: &[DeclaredOption] =
    &[DeclaredOption::size("n", "N", "Rows and columns, also as 2^K"), DeclaredOption::ANY_MODULUS];

/// The order of a matrix.
fn order(arguments: &Arguments) -> usize {
    arguments.size("n").unwrap_or(0)
}

/// The linear algebra of a device in which matrices of an order are measured.
fn space<F: MatrixField>(n: usize, device: &Device, field: F) -> Result<LinearAlgebra<F>, OperationError> {
    if n == 0 {
        return Err(OperationError::usage("--n must be at least 1"));
    }
    room_to_measure::<F::Element>(device, (2 * n as u128).saturating_mul(n as u128))?;
    Ok(LinearAlgebra::new(device, field)?)
}

struct Determinant;

impl Explain for Determinant {
    fn declaration(&self) -> &'static ChoiceDeclaration {
        const DECLARATION: ChoiceDeclaration = ChoiceDeclaration {
            name: "matrix-det",
            title: "The determinant of a matrix over a prime field",
            options: OF_ORDER,
        };
        &DECLARATION
    }

    fn bytes(&self, arguments: &Arguments) -> u64 {
        let n = order(arguments);
        bytes_of(&[n.saturating_mul(n)], residue_bytes(modulus(arguments)))
    }

    fn explain(&self, arguments: &Arguments, device: &Device) -> Result<Explained, OperationError> {
        fn of<F: MatrixField>(n: usize, device: &Device, field: F) -> Result<Explained, OperationError> {
            let choice = space(n, device, field)?.explain_elimination(&EliminationShape::determinant(n))?;
            Ok(Explained::new(&choice))
        }
        let (n, modulus) = (order(arguments), modulus(arguments));
        let explained = with_field!(modulus, field => of(n, device, field))??;
        Ok(explained.with("n", n).with("modulus", integer(modulus)))
    }

    fn blocks(&self, arguments: &Arguments, devices: &DeviceSet) -> Result<Option<String>, OperationError> {
        fn of<F: MatrixField>(_: F, devices: &DeviceSet, n: usize) -> Result<Option<String>, OperationError> {
            Ok(LinearAlgebra::<F>::panels(devices, (n, n))?.map(|panels| panels.to_string()))
        }
        with_field!(modulus(arguments), field => of(field, devices, order(arguments)))?
    }

    fn is_shared(&self, _: &Arguments) -> bool {
        true
    }
}

struct Inverse;

impl Explain for Inverse {
    fn declaration(&self) -> &'static ChoiceDeclaration {
        const DECLARATION: ChoiceDeclaration = ChoiceDeclaration {
            name: "matrix-inverse",
            title: "The inverse of a matrix over a prime field",
            options: OF_ORDER,
        };
        &DECLARATION
    }

    fn bytes(&self, arguments: &Arguments) -> u64 {
        let n = order(arguments);
        bytes_of(&[n.saturating_mul(n); 2], residue_bytes(modulus(arguments)))
    }

    fn explain(&self, arguments: &Arguments, device: &Device) -> Result<Explained, OperationError> {
        fn of<F: MatrixField>(n: usize, device: &Device, field: F) -> Result<Explained, OperationError> {
            Ok(Explained::new(&space(n, device, field)?.explain_inverse(n)?))
        }
        let (n, modulus) = (order(arguments), modulus(arguments));
        let explained = with_field!(modulus, field => of(n, device, field))??;
        Ok(explained.with("n", n).with("modulus", integer(modulus)))
    }
}
