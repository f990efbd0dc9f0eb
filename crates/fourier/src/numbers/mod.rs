//! Values of functions on a group: complex numbers, or residues modulo a prime.
//!
//! | file | what |
//! |---|---|
//! | `mod` | [`Numbers`]: what transforms need of them beyond being values of characters |
//! | `complex`, `residues` | the two kinds |
//! | `engine` | how the host computes with several of them at once |
//! | `planes`, `x86` | complex numbers in vectors |

mod complex;
mod engine;
mod planes;
mod residues;
#[cfg(target_arch = "x86_64")]
mod x86;

use manycore_characters::Values;
use manycore_field::OutOfRange;

use crate::error::FourierError;
use crate::transform::direction::Direction;
pub(crate) use engine::{Engine, Level, MOST_BLOCK, MOST_LANES, Task};

mod sealed {
    pub trait Sealed {}
}
use sealed::Sealed;

/// The exponents of a chirp, modulo its length `n`: quadratic in the index, and integers for every `n`.
///
/// With them `j k = j (j - 1) / 2 + k (k + 1) / 2 - (k - j) (k - j + 1) / 2`, so that a transform is a product by a chirp, a
/// convolution with one, and a product by one (Bluestein), with roots of the order `n` alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Chirp {
    /// `j (j - 1) / 2`: what the input is multiplied by.
    Input,
    /// `k (k + 1) / 2`: what the output is multiplied by.
    Output,
    /// `-i (i + 1) / 2`: what is convolved with.
    Filter,
}

impl Chirp {
    /// The exponent at an index, which may be negative, modulo `n`.
    pub(crate) fn exponent(self, i: i64, n: u64) -> u64 {
        let i = i128::from(i);
        let e = match self {
            Self::Input => i * (i - 1) / 2,
            Self::Output => i * (i + 1) / 2,
            Self::Filter => -(i * (i + 1) / 2),
        };
        e.rem_euclid(i128::from(n)) as u64
    }
}

/// Values that functions on a group may have: [`Complexes`](crate::Complexes) of `f32` or `f64`, or
/// [`Residues`](crate::Residues). The trait is sealed.
pub trait Numbers: Values + Sealed {
    /// Whether an inverse transform is a forward one between two conjugations; else it has tables of its own.
    #[doc(hidden)]
    const CONJUGATES: bool;

    /// The numbers that filters of chirps are made in, before they are rounded once.
    #[doc(hidden)]
    type Precise: Numbers;

    /// These numbers, more precise.
    #[doc(hidden)]
    fn precise(&self) -> Self::Precise;

    /// A precise number rounded.
    #[doc(hidden)]
    fn rounded(precise: <Self::Precise as Values>::Value) -> Self::Value;

    /// The number 0.
    #[doc(hidden)]
    fn zero(&self) -> Self::Value;

    /// The number 1.
    #[doc(hidden)]
    fn one(&self) -> Self::Value;

    /// The sum of two numbers.
    #[doc(hidden)]
    fn plus(&self, a: Self::Value, b: Self::Value) -> Self::Value;

    /// The difference of two numbers.
    #[doc(hidden)]
    fn minus(&self, a: Self::Value, b: Self::Value) -> Self::Value;

    /// The product of two numbers.
    #[doc(hidden)]
    fn times(&self, a: Self::Value, b: Self::Value) -> Self::Value;

    /// The complex conjugate; residues are their own.
    #[doc(hidden)]
    fn conjugated(&self, a: Self::Value) -> Self::Value;

    /// The number `n`; residues are taken modulo the prime.
    fn natural(&self, n: u64) -> Self::Value;

    /// The distance of two lists of equally many values: in the 2-norm relative to that of the second one for complex
    /// numbers; for residues 0 or infinity.
    fn distance(&self, a: &[Self::Value], b: &[Self::Value]) -> f64;

    /// `1 / n`, for an `n` that is no multiple of the characteristic.
    #[doc(hidden)]
    fn reciprocal(&self, n: u64) -> Self::Value;

    /// The root of unity that transforms of a direction have in place of `exp(-2 pi i / order)`, to these powers, all below
    /// the order. Complex numbers are those of the forward direction in both, see [`Self::CONJUGATES`].
    ///
    /// # Errors
    /// [`FourierError::NoRoot`], [`FourierError::Exponent`].
    #[doc(hidden)]
    fn powers(
        &self,
        order: u64,
        direction: Direction,
        exponents: &mut dyn Iterator<Item = u64>,
    ) -> Result<Vec<Self::Value>, FourierError>;

    /// `(w^e + w^-e) / 2` and `(w^e - w^-e) / 2` for a root `w` to the power `e`, the latter without its factor `-i` for
    /// complex numbers.
    #[doc(hidden)]
    fn halves(&self, root: Self::Value) -> [Self::Value; 2];

    /// Whether there are roots of this order.
    #[doc(hidden)]
    fn has_roots(&self, order: u64) -> bool;

    /// Orders of roots divide this number; 0 where there are all up to a limit.
    #[doc(hidden)]
    fn group_of_roots(&self) -> u64;

    /// A constant as the host's engine multiplies by it.
    #[doc(hidden)]
    fn prepared(&self, constant: Self::Value) -> Self::Value;

    /// The lanes of the widest engine, which are a multiple of those of the others.
    #[doc(hidden)]
    fn lanes(&self) -> usize;

    /// The levels that the processor has for these numbers, in order.
    #[doc(hidden)]
    #[allow(private_interfaces)] // the trait is sealed
    fn levels(&self) -> Vec<Level>;

    /// Runs a task with the widest engine that the processor has up to a level.
    ///
    /// # Safety
    /// What the fields of the task say of its memory is true.
    #[doc(hidden)]
    #[allow(private_interfaces, private_bounds)]
    unsafe fn run_at<T: Task<Self>>(&self, level: Level, task: T);

    /// Runs the task with the widest engine that the processor supports.
    ///
    /// # Safety
    /// As for [`Numbers::run_at`].
    #[doc(hidden)]
    #[allow(private_interfaces, private_bounds)]
    unsafe fn run<T: Task<Self>>(&self, task: T) {
        // SAFETY: the caller's promise.
        unsafe { self.run_at(Level::Avx512, task) }
    }

    /// Appends the words that kernels read a constant from.
    #[doc(hidden)]
    fn constant_words(&self, constant: Self::Value, words: &mut Vec<Self::Word>);

    /// Checks that words are numbers of this kind.
    ///
    /// # Errors
    /// [`OutOfRange`] with the first that is not a canonical residue.
    fn check(&self, words: &[Self::Word]) -> Result<(), OutOfRange>;
}
