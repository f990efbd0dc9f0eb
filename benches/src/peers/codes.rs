//! The work of other codes in this program, by its forms.

use anyhow::Result;

/// A code that multiplies polynomials modulo primes.
pub trait Multiplier {
    /// Its name, version and how it was built, as reports show it.
    fn name(&self) -> String;

    /// Takes over the coefficients of two polynomials modulo the prime `p`, to be multiplied on up to `threads` threads;
    /// `None` where the code does not serve such a product.
    fn prepare(&self, p: u64, a: &[u64], b: &[u64], threads: u64) -> Option<Box<dyn Product>>;
}

/// Two polynomials in a code's own form. The crate's own products take this form too, to be timed alike.
pub trait Product {
    /// Multiplies them; the operands stay.
    ///
    /// # Errors
    /// Where memory is short.
    fn run(&mut self) -> Result<()>;

    /// The coefficients of the last product, as many as the operands have together less one.
    fn result(&self) -> Vec<u64>;

    /// The threads that it takes at most.
    fn threads(&self) -> u64 {
        1
    }
}

/// A code that transforms values modulo primes, cyclically or negacyclically, on one thread.
pub trait Transformer {
    /// Its name, version and how it was built, as reports show it.
    fn name(&self) -> String;

    /// Takes over as many values as one transform has; `None` where the code does not serve such a transform.
    fn prepare(&self, p: u64, x: &[u64]) -> Option<Box<dyn Transform>>;
}

/// Values in a code's own form. The crate's own transforms take this form too, to be timed alike.
pub trait Transform {
    /// Transforms them in place.
    ///
    /// # Errors
    /// Where memory is short.
    fn forward(&mut self) -> Result<()>;

    /// Transforms them back.
    ///
    /// # Errors
    /// Where memory is short.
    fn inverse(&mut self) -> Result<()>;

    /// What they are now.
    fn values(&self) -> Vec<u64>;
}

/// A code that could be measured and is not part of this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absent {
    /// Its name.
    pub name: &'static str,
    /// Why it is not there.
    pub reason: &'static str,
}

/// The codes that this program runs, and those that it could.
pub struct Found<P: ?Sized> {
    /// The former.
    pub present: Vec<Box<P>>,
    /// The latter.
    pub absent: Vec<Absent>,
}

/// Coefficients of a product.
pub const fn product_len(a: usize, b: usize) -> usize {
    if a == 0 || b == 0 { 0 } else { a + b - 1 }
}
