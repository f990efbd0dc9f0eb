//! Engines of the host that compute with several numbers at once.
//!
//! Numbers lie in planes: of complex numbers the real parts and the imaginary parts apart, so that each plane fills vectors.

use manycore_characters::Values;

/// The largest [`Engine::BLOCK`].
pub(crate) const MOST_BLOCK: usize = 8;

/// The largest [`Engine::LANES`].
pub(crate) const MOST_LANES: usize = 16;

/// The instructions that an engine uses; [`Numbers::levels`](crate::Numbers::levels) lists those of the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// One number after the other.
    One,
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "`Numbers::levels` has none"))]
    /// AVX2, for complex numbers with fused multiply-adds.
    Avx2,
    /// AVX-512: F, DQ, VL and BW.
    Avx512,
}

/// Arithmetic on `LANES` neighbouring numbers of planes.
///
/// Constants are those of [`Numbers::prepared`](crate::Numbers::prepared).
pub(crate) trait Engine<N: Values>: Copy + Send + Sync {
    /// `LANES` numbers in registers.
    type Number: Copy;

    /// The numbers computed with at once.
    const LANES: usize;

    /// Rows that are turned into columns at once, at most [`MOST_BLOCK`].
    const BLOCK: usize;

    /// Reads neighbouring values from memory.
    ///
    /// # Safety
    /// `LANES` values are readable, and the instruction set of the engine is there.
    unsafe fn read(self, from: *const N::Value) -> Self::Number;

    /// Writes neighbouring values to memory.
    ///
    /// # Safety
    /// `LANES` values are writable.
    unsafe fn write(self, to: *mut N::Value, x: Self::Number);

    /// Reads `BLOCK` neighbouring values from each of `LANES` places `apart`, as rows of the first ones, the second ones, ...
    ///
    /// # Safety
    /// All are readable, and the instruction set of the engine is there.
    unsafe fn read_columns(self, from: *const N::Value, apart: usize) -> [Self::Number; MOST_BLOCK];

    /// The reverse: writes `BLOCK` rows as neighbouring values at each of `LANES` places `apart`.
    ///
    /// # Safety
    /// All are writable.
    unsafe fn write_columns(self, to: *mut N::Value, apart: usize, rows: [Self::Number; MOST_BLOCK]);

    /// The numbers in reverse order.
    fn reversed(self, x: Self::Number) -> Self::Number;

    /// The complex conjugates; residues are their own.
    fn conjugated(self, x: Self::Number) -> Self::Number;

    /// Reads numbers; the second plane begins `plane` words after the first.
    ///
    /// # Safety
    /// `LANES` words are readable in each plane, and the instruction set of the engine is there.
    unsafe fn load(self, at: *const N::Word, plane: usize) -> Self::Number;

    /// Writes numbers.
    ///
    /// # Safety
    /// `LANES` words are writable in each plane, and the instruction set of the engine is there.
    unsafe fn store(self, at: *mut N::Word, plane: usize, x: Self::Number);

    /// One constant in all lanes.
    ///
    /// # Safety
    /// The instruction set of the engine is there.
    unsafe fn all(self, constant: N::Value) -> Self::Number;

    /// One constant in all lanes, from memory.
    ///
    /// # Safety
    /// It is readable, and the instruction set of the engine is there.
    unsafe fn constant(self, at: *const N::Value) -> Self::Number;

    /// The sums.
    fn plus(self, a: Self::Number, b: Self::Number) -> Self::Number;

    /// The differences.
    fn minus(self, a: Self::Number, b: Self::Number) -> Self::Number;

    /// The products by constants.
    fn times(self, x: Self::Number, constant: Self::Number) -> Self::Number;

    /// `sum + x constant`.
    fn plus_times(self, sum: Self::Number, x: Self::Number, constant: Self::Number) -> Self::Number;

    /// The products by the root of order 4, given as a constant.
    fn quarter(self, x: Self::Number, root: N::Value) -> Self::Number;

    /// The products by the root of order 8, given as a constant.
    fn eighth(self, x: Self::Number, root: N::Value) -> Self::Number;

    /// `s x` for the second of [`Numbers::halves`](crate::Numbers::halves), without the factor `-i` of complex numbers.
    fn sine(self, x: Self::Number, s: N::Value) -> Self::Number;

    /// `sum + c x` for the first of [`Numbers::halves`](crate::Numbers::halves).
    fn plus_cosine(self, sum: Self::Number, x: Self::Number, c: N::Value) -> Self::Number;

    /// `sum + s x`.
    fn plus_sine(self, sum: Self::Number, x: Self::Number, s: N::Value) -> Self::Number;

    /// `sum - s x`.
    fn minus_sine(self, sum: Self::Number, x: Self::Number, s: N::Value) -> Self::Number;

    /// The factor `-i` that was left out.
    fn turned(self, x: Self::Number) -> Self::Number;
}

/// Work that is written once for all engines. Its method is `#[inline(always)]`, so that it is compiled for the instruction
/// set of the caller.
pub(crate) trait Task<N: Values> {
    /// Does it.
    ///
    /// # Safety
    /// The instruction set of the engine is there, and what the fields of the task say of its memory is true.
    unsafe fn run<E: Engine<N>>(self, engine: E);
}
