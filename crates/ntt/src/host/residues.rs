//! Vectors of residues, with the operations of the transform.

/// Butterflies on vectors of residues modulo one prime, in whatever form and range the residues have on the way.
///
/// A value holds the constants of the prime in registers. It comes from [`new`](Self::new), which is unsafe where the
/// instruction set is missing; the operations on vectors are safe because a value exists.
pub(super) trait Residues: Copy {
    /// What the residues are stored in.
    type Word: Copy;
    /// A vector of residues.
    type Vector: Copy;
    /// A factor for every lane, prepared.
    type Factor: Copy;
    /// The binary logarithm of the residues of a vector.
    const LOG_LANES: u32;
    /// The binary logarithm of the vectors of a [tile](super::tile): 3, 4 for 16 lanes, 0 for single words.
    const LOG_ROWS: u32 = match Self::LOG_LANES {
        0 => 0,
        4 => 4,
        _ => 3,
    };
    /// The words of a factor in tables.
    const FACTOR_WORDS: usize;
    /// Whether [`enter`](Self::enter) changes anything.
    const ENTERS: bool = true;
    /// [`product`](Self::product) divides by 2 to this power.
    const PRODUCT_SHIFT: u32;

    /// # Safety
    /// The instruction set is available.
    unsafe fn new(p: Self::Word) -> Self;

    /// Reads a vector, at any alignment.
    ///
    /// # Safety
    /// A vector's words from `from` on are readable.
    unsafe fn load(self, from: *const Self::Word) -> Self::Vector;

    /// Writes a vector, at any alignment.
    ///
    /// # Safety
    /// A vector's words from `to` on are writable.
    unsafe fn store(self, x: Self::Vector, to: *mut Self::Word);

    /// The factor whose words stand at `from`, for all lanes.
    ///
    /// # Safety
    /// `FACTOR_WORDS` words from `from` on are readable.
    unsafe fn same_factor(self, from: *const Self::Word) -> Self::Factor;

    /// A factor for each lane: their first words, then their second ones.
    ///
    /// # Safety
    /// `FACTOR_WORDS` vectors from `from` on are readable.
    unsafe fn factors(self, from: *const Self::Word) -> Self::Factor;

    /// From canonical residues to the form and range of the way.
    fn enter(self, x: Self::Vector) -> Self::Vector;

    /// Back to canonical residues, after forward butterflies.
    fn leave(self, x: Self::Vector) -> Self::Vector;

    /// Back to canonical residues, after products.
    fn leave_product(self, x: Self::Vector) -> Self::Vector;

    /// `(u + w v, u - w v)`, the butterfly number `level` of a step: the ranges that it may leave to the next one depend on
    /// that, and whatever a step leaves suits the next step.
    fn forward(self, u: Self::Vector, v: Self::Vector, w: Self::Factor, level: usize) -> (Self::Vector, Self::Vector);

    /// `(u + v, u - v)` of canonical residues, at the first level of a whole transform: a sum as [`enter`](Self::enter) leaves
    /// canonical residues, or as close to 0.
    fn forward_first(self, u: Self::Vector, v: Self::Vector) -> (Self::Vector, Self::Vector);

    /// `(u + v, u - v)`, at one of the first two levels after one that copied canonical residues, or after
    /// [`forward_first`](Self::forward_first): of values that are canonical or sums of two such.
    fn forward_by_one(self, u: Self::Vector, v: Self::Vector) -> (Self::Vector, Self::Vector);

    /// [`backward`](Self::backward) for the factor 1.
    fn backward_by_one(self, u: Self::Vector, v: Self::Vector) -> (Self::Vector, Self::Vector);

    /// `(u + v, (u - v) w)`.
    fn backward(self, u: Self::Vector, v: Self::Vector, w: Self::Factor) -> (Self::Vector, Self::Vector);

    /// `((u + v) s, (u - v) w)`.
    fn backward_scaled(
        self,
        u: Self::Vector,
        v: Self::Vector,
        w: Self::Factor,
        s: Self::Factor,
    ) -> (Self::Vector, Self::Vector);

    /// The form of right operands of products, after forward butterflies.
    fn right(self, y: Self::Vector) -> Self::Vector;

    /// The product of what forward butterflies left and a right operand, divided by `2^PRODUCT_SHIFT`, as backward
    /// butterflies read it.
    fn product(self, x: Self::Vector, y: Self::Vector) -> Self::Vector;

    /// Lane `j` of row `i` to lane `i` of row `j`, for as many rows as a vector has lanes.
    fn transpose(self, rows: &mut [Self::Vector]);
}

/// The inverse of an odd number modulo `2^64`, by Newton's iteration: each step doubles the bits that are right.
#[inline(always)]
pub(super) const fn inverse(p: u64) -> u64 {
    // Five bits are.
    let mut inverse = p.wrapping_mul(3) ^ 2;
    let mut step = 0;
    while step < 4 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
}
