//! The check that factors fit each other, and the sizes of their product.

use manycore_device::Device;
use manycore_expressions::Elements;

use super::form::ProductShape;
use crate::error::SemiringError;
use crate::factor::Factor;
use crate::plan::Shape;
use crate::resident::{count, len};
use crate::semiring::Semiring;

/// Whether products with missing entries are zero.
pub(crate) fn leaves_out<A: Elements, B: Elements, S: Elements>(
    semiring: &Semiring<A, B, S>,
    a: &impl Factor<A>,
    b: &impl Factor<B>,
) -> Result<(), SemiringError> {
    if a.absent().is_some_and(|absent| !semiring.leaves_out_left(absent)) {
        return Err(SemiringError::Absent { side: "left" });
    }
    if b.absent().is_some_and(|absent| !semiring.leaves_out_right(absent)) {
        return Err(SemiringError::Absent { side: "right" });
    }
    Ok(())
}

/// The shape of a product.
pub(crate) fn shape(left: Shape, right: Shape) -> Result<Shape, SemiringError> {
    if left.columns != right.rows {
        return Err(SemiringError::Shapes { left, right });
    }
    Ok(Shape { rows: left.rows, columns: right.columns })
}

/// The sizes of a product whose operands fit.
pub(crate) fn sizes(left: Shape, right: Shape, device: &Device) -> Result<ProductShape, SemiringError> {
    for shape in [left, right, Shape { rows: left.rows, columns: right.columns }] {
        len(shape, device)?;
    }
    Ok(ProductShape {
        rows: count(left.rows, device)?,
        inner: count(left.columns, device)?,
        columns: count(right.columns, device)?,
    })
}
