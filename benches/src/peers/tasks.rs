//! Work modulo a prime beside products of polynomials: their division, greatest common divisors, evaluation and interpolation, and
//! products, determinants and inverses of square matrices.

use anyhow::Result;

/// What is to be computed modulo a prime. Coefficients stand the constant term first, entries row after row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Task {
    /// Quotient and remainder of `a` by `b`, whose leading coefficients are not 0: two lists of coefficients.
    Divide {
        /// The dividend.
        a: Vec<u64>,
        /// The divisor.
        b: Vec<u64>,
    },
    /// The monic greatest common divisor: a list of coefficients.
    Gcd {
        /// One polynomial.
        a: Vec<u64>,
        /// The other.
        b: Vec<u64>,
    },
    /// The values of `f` at different points, what is prepared for the points included: a list of values.
    Evaluate {
        /// The coefficients.
        f: Vec<u64>,
        /// The points.
        points: Vec<u64>,
    },
    /// The polynomial with these values at different points, what is prepared for the points included: a list of coefficients.
    Interpolate {
        /// The points.
        points: Vec<u64>,
        /// As many values.
        values: Vec<u64>,
    },
    /// The product of two square matrices: a list of entries.
    MatrixProduct {
        /// Rows and columns of both.
        order: usize,
        /// The left one.
        a: Vec<u64>,
        /// The right one.
        b: Vec<u64>,
    },
    /// The determinant of a square matrix: a list of one value.
    Determinant {
        /// Rows and columns.
        order: usize,
        /// The matrix.
        a: Vec<u64>,
    },
    /// The inverse of a square matrix that has one: a list of entries.
    Inverse {
        /// Rows and columns.
        order: usize,
        /// The matrix.
        a: Vec<u64>,
    },
}

/// A code that does such work.
pub trait Solver {
    /// Its name, version and how it was built, as reports show it.
    fn name(&self) -> String;

    /// Takes over a task modulo the prime `p`; `None` where the code does not serve it.
    fn prepare(&self, p: u64, task: &Task) -> Option<Box<dyn Computation>>;
}

/// A task in a code's own form. The crate's own operations take this form too, to be timed alike.
pub trait Computation {
    /// Does it; the operands stay.
    ///
    /// # Errors
    /// Where memory is short.
    fn run(&mut self) -> Result<()>;

    /// The lists of the last result, as [`Task`] names them, without leading zeros of polynomials.
    ///
    /// # Errors
    /// Where the result cannot be read.
    fn result(&self) -> Result<Vec<Vec<u64>>>;
}

/// The name of the code that has no polynomials.
pub const FFPACK: &str = "FFLAS-FFPACK";

/// Whether FFLAS-FFPACK is run beside an operation.
pub fn of_ffpack(operation: &str) -> bool {
    matches!(operation, "matrix-mul" | "matrix-det")
}
