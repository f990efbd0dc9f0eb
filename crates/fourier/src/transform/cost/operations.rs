//! Operations on numbers: sums, products and small transforms of each kind of number, on the host and on OpenCL devices.

use manycore_characters::values::Product;
use manycore_field::Arithmetic;

/// Counts of operations on one number. A fused multiply-add of the source counts as one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NumberOperations {
    /// A sum or a difference.
    pub(super) sum: u64,
    /// A product by a constant.
    pub(super) product: u64,
    /// A product by the root of order 4.
    pub(super) quarter: u64,
    /// A product by the root of order 8.
    pub(super) eighth: u64,
    /// A sum with the product by a half of two opposite roots.
    pub(super) part: u64,
    /// The factor `-i` of an odd part.
    pub(super) turn: u64,
    /// A term of a dense pass: a sum with a product.
    pub(super) term: u64,
    /// From pairs of parts in memory to planes of parts, or back.
    pub(super) end: u64,
}

impl NumberOperations {
    /// Counted in `kernels/fourier/number.clh` and `kernels/field`, and for the host in `numbers/planes.rs`,
    /// `numbers/residues.rs` and `numbers/x86`.
    pub(super) fn new(product: Product, on_host: bool, lanes: usize, value_bytes: usize) -> Self {
        let residues = |sum, product| Self {
            sum,
            product,
            quarter: product,
            eighth: product,
            part: product + sum,
            turn: 0,
            term: product + sum,
            end: 0,
        };
        match product {
            // A product: two multiplications and two fused multiply-adds. Terms of the host are four of these.
            Product::Complex | Product::Sum => {
                let term = if on_host { 4 } else { 6 };
                // For two vectors of parts, two shuffles with AVX-512 and four with AVX2.
                let end = match (on_host, lanes * value_bytes) {
                    (true, 128) => 2,
                    (true, 64) => 4,
                    _ => 0,
                };
                Self { sum: 2, product: 4, quarter: 1, eighth: 4, part: 2, turn: 1, term, end }
            }
            // Vectors. A sum: addition, subtraction, minimum. A product: six multiplications of every other word, three
            // shifts, two subtractions, a blend, and a correction by an addition and a minimum.
            Product::Residues(_) if on_host && lanes > 1 => residues(3, 14),
            // Words one by one. A product: three multiplications, a subtraction, a comparison, an addition.
            Product::Residues(_) if on_host => residues(3, 6),
            // A product after Shoup: three multiplications, of which one subtracts, and a correction.
            Product::Residues(Arithmetic::Word32 | Arithmetic::Word64 { lazy: false }) => residues(3, 5),
            // Two corrections.
            Product::Residues(Arithmetic::Word64 { lazy: true } | Arithmetic::Floating) => residues(3, 7),
            // Both words of a product, nine operations that reduce them, and a correction.
            Product::Residues(Arithmetic::Goldilocks) => residues(5, 13),
        }
    }

    /// Operations of a transform of `radix` numbers: of `codelets.clh`, from which the host's differ by the order of
    /// products.
    pub(super) fn transform(&self, radix: u64) -> u64 {
        let Self { sum, product, quarter, eighth, part, turn, .. } = *self;
        match radix {
            2 => 2 * sum,
            4 => 8 * sum + quarter,
            8 => 24 * sum + 4 * quarter + 2 * eighth,
            16 => 64 * sum + 10 * quarter + 6 * eighth + 4 * product,
            _ => {
                let half = radix / 2;
                5 * half * sum + 2 * half * half * part + half * turn
            }
        }
    }
}
