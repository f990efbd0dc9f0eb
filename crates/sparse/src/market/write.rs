//! Writer of the Matrix Market exchange format.

use std::io::{self, Write};

use num_complex::Complex;
use sprs::{CsMatViewI, SpIndex};

/// Values that Matrix Market has a field for.
pub trait MarketNumber {
    /// The field in the header: `real`, `integer`, `complex` or `pattern`.
    const FIELD: &'static str;

    /// Writes a space and a value so that it reads back the same; nothing for patterns.
    ///
    /// # Errors
    /// Those of `out`.
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;
}

macro_rules! numbers {
    ($($type:ty => $field:literal)*) => {$(
        impl MarketNumber for $type {
            const FIELD: &'static str = $field;

            fn write(&self, out: &mut dyn Write) -> io::Result<()> {
                write!(out, " {self:?}")
            }
        }
    )*};
}

numbers! { f32 => "real" f64 => "real" i32 => "integer" i64 => "integer" u32 => "integer" u64 => "integer" }

impl MarketNumber for () {
    const FIELD: &'static str = "pattern";

    fn write(&self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

impl<T: std::fmt::Debug> MarketNumber for Complex<T> {
    const FIELD: &'static str = "complex";

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, " {:?} {:?}", self.re, self.im)
    }
}

/// Writes a matrix as `coordinate`, `general`, in the order of its storage: numbers in the fewest digits that read back
/// the same, NaN and infinities as `NaN` and `inf`. `O(non-zeros)`.
///
/// ```
/// let matrix = sprs::CsMat::new((2, 2), vec![0, 1, 1], vec![1], vec![0.5]);
/// let mut text = Vec::new();
/// manycore_sparse::write_matrix_market(&mut text, matrix.view())?;
/// assert_eq!(String::from_utf8_lossy(&text), "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 0.5\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Those of `out`.
#[expect(clippy::needless_pass_by_value, reason = "a view, as `sprs` hands it out")]
pub fn write_matrix_market<N: MarketNumber, I: SpIndex, Iptr: SpIndex>(
    out: &mut dyn Write,
    matrix: CsMatViewI<'_, N, I, Iptr>,
) -> io::Result<()> {
    writeln!(out, "%%MatrixMarket matrix coordinate {} general", N::FIELD)?;
    writeln!(out, "{} {} {}", matrix.rows(), matrix.cols(), matrix.nnz())?;
    for (value, (row, column)) in &matrix {
        write!(out, "{} {}", row.index() + 1, column.index() + 1)?;
        value.write(out)?;
        writeln!(out)?;
    }
    Ok(())
}
