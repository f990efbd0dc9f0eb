//! Arithmetic on slices of residues with the host's vector instructions.

use crate::algebra::Semiring as _;
use crate::error::LengthMismatch;
use crate::prime_field::{Montgomery, PrimeField, ShoupFactor};
use operation::{
    Add, AddProduct, AddScaled, Constants, Multiply, MultiplyMontgomery, Negate, Operation, Scale, Subtract,
};

mod append;
mod binary;
#[cfg(target_arch = "x86_64")]
mod binary_gfni;
mod bits;
#[cfg(target_arch = "x86_64")]
mod bits_avx512;
mod bytes;
mod drive;
mod fields;
mod garner;
#[cfg(target_arch = "x86_64")]
mod ifma;
mod level;
#[cfg(target_arch = "x86_64")]
mod modulus;
mod operation;
mod reals;
#[cfg(target_arch = "x86_64")]
mod reals_avx512;
mod signed;
#[cfg(test)]
mod tests;
mod thin;
mod thin_wide;
mod tile;
mod tile_wide;
pub mod vectors;
mod wide;

pub use binary::{BINARY_OUTPUTS, BinarySlices};
pub use bits::BitLines;
pub use drive::SliceWord;
pub use fields::FieldSlices;
pub use level::{Level, Set};
pub use reals::RealSlices;

/// Arithmetic on slices of canonical residues, on one thread, with the widest vectors that the processor has: AVX-512 or
/// AVX2 for 31-bit primes, found at run time, else loops for the compiler. Every level gives the same bits.
///
/// A slice with a word that is not canonical gives words that are not specified; the operations never check.
///
/// ```
/// use manycore_field::PrimeField;
///
/// let field = PrimeField::<u32>::new(469_762_049)?;
/// let mut x = [1, 2, 3, 469_762_048];
/// field.slices().mul(&mut x, &[5, 6, 7, 469_762_048])?;
/// assert_eq!(x, [5, 12, 21, 1]);
/// assert_eq!(field.slices().dot(&x, &[1, 1, 1, 0])?, 38);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slices<W> {
    field: PrimeField<W>,
    /// Of the field's modulus; for 2, which has none, of 3, and unused.
    montgomery: Montgomery<W>,
    radix: ShoupFactor<W>,
    level: Level,
}

/// A panel of a second factor of a product of matrices of 31-bit residues, packed for [`Slices::add_packed_tile`].
#[derive(Debug, Clone, Default)]
pub struct PackedPanel {
    bytes: bytes::BytePanel,
    signed: signed::SignedPanel,
}

impl<W: SliceWord> PrimeField<W> {
    /// Arithmetic on slices with the host's vector instructions.
    pub fn slices(&self) -> Slices<W> {
        Slices::at(*self, Level::widest())
    }
}

impl<W: SliceWord> Slices<W> {
    fn at(field: PrimeField<W>, level: Level) -> Self {
        let two = W::from_u64(2);
        let montgomery = Montgomery::odd(if field.modulus() == two { W::from_u64(3) } else { field.modulus() });
        let radix = field.shoup().factor(montgomery.one());
        Self { field, montgomery, radix, level }
    }

    /// The field.
    pub fn field(&self) -> PrimeField<W> {
        self.field
    }

    fn run<O: Operation>(
        &self,
        factor: ShoupFactor<W>,
        x: &mut [W],
        y: Option<&[W]>,
        z: Option<&[W]>,
    ) -> Result<(), LengthMismatch> {
        for other in [y, z].into_iter().flatten() {
            same_length(x, other)?;
        }
        let by = Constants { field: self.field, inverse: self.montgomery.inverse(), factor };
        W::elementwise::<O>(self.level, &by, x, y.unwrap_or_default(), z.unwrap_or_default());
        Ok(())
    }

    /// `x[i] += y[i]`.
    ///
    /// # Errors
    /// [`LengthMismatch`] for slices of unequal length, as in all operations here.
    pub fn add(&self, x: &mut [W], y: &[W]) -> Result<(), LengthMismatch> {
        self.run::<Add>(self.radix, x, Some(y), None)
    }

    /// `x[i] -= y[i]`.
    ///
    /// # Errors
    /// [`LengthMismatch`].
    pub fn sub(&self, x: &mut [W], y: &[W]) -> Result<(), LengthMismatch> {
        self.run::<Subtract>(self.radix, x, Some(y), None)
    }

    /// `x[i] = -x[i]`.
    pub fn neg(&self, x: &mut [W]) {
        // There is no other slice whose length could differ.
        let _ = self.run::<Negate>(self.radix, x, None, None);
    }

    /// `x[i] *= c` for any word `c`; the words of `x` need not be canonical.
    pub fn scale(&self, x: &mut [W], c: W) {
        // There is no other slice whose length could differ.
        let _ = self.run::<Scale>(self.field.shoup().factor(c), x, None, None);
    }

    /// `x[i] += c y[i]` for any word `c`.
    ///
    /// # Errors
    /// [`LengthMismatch`].
    pub fn add_scaled(&self, x: &mut [W], c: W, y: &[W]) -> Result<(), LengthMismatch> {
        self.run::<AddScaled>(self.field.shoup().factor(c), x, Some(y), None)
    }

    /// `x[i] *= y[i]`.
    ///
    /// # Errors
    /// [`LengthMismatch`].
    pub fn mul(&self, x: &mut [W], y: &[W]) -> Result<(), LengthMismatch> {
        self.run::<Multiply>(self.radix, x, Some(y), None)
    }

    /// `x[i] += y[i] z[i]`.
    ///
    /// # Errors
    /// [`LengthMismatch`].
    pub fn add_product(&self, x: &mut [W], y: &[W], z: &[W]) -> Result<(), LengthMismatch> {
        self.run::<AddProduct>(self.radix, x, Some(y), Some(z))
    }

    /// `x[i] = x[i] y[i] / R`, Montgomery's product, with `R = 2^B`, and `R = 1` mod 2: where one operand is in Montgomery's
    /// form, or a later constant takes up the factor, at half the time of [`mul`](Self::mul).
    ///
    /// # Errors
    /// [`LengthMismatch`].
    pub fn mul_montgomery(&self, x: &mut [W], y: &[W]) -> Result<(), LengthMismatch> {
        if self.montgomery.modulus() != self.field.modulus() {
            return self.mul(x, y);
        }
        self.run::<MultiplyMontgomery>(self.radix, x, Some(y), None)
    }

    /// The sum of `x[i] y[i]`, reduced once at the end.
    ///
    /// # Errors
    /// [`LengthMismatch`].
    pub fn dot(&self, x: &[W], y: &[W]) -> Result<W, LengthMismatch> {
        same_length(x, y)?;
        Ok(W::reduced(&self.field, W::dot(self.level, x, y)))
    }
}

impl Slices<u32> {
    /// A tile of a product of matrices: `sums[r][c] += sum over k of rows[r][k] panel[k][c]` over the shortest length, as whole
    /// numbers modulo `p`: sums that are below `p 2^32` before are so behind.
    ///
    /// ```
    /// use manycore_field::PrimeField;
    /// let field = PrimeField::<u32>::new(2_147_483_647)?;
    /// let largest = vec![2_147_483_646; 100];
    /// let mut sums = [[0; 32]; 4];
    /// field.slices().add_tile(&mut sums, [&largest; 4], &[[2_147_483_646; 32]; 100]);
    /// assert!(sums.as_flattened().iter().all(|sum| sum % 2_147_483_647 == 100)); // (-1) (-1), a hundred times
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_tile(&self, sums: &mut [[u64; 32]; 4], rows: [&[u32]; 4], panel: &[[u32; 32]]) {
        self.level.run(tile::Tile { p: self.field.modulus(), sums, rows, panel });
    }

    /// Takes a product of thin matrices from rows that begin `stride` words apart, with one reduction for four products:
    /// `target[r stride + c] -= sum over k of factors[r][k] lines[k][c]` modulo `p`, for as many rows as both have, over the shortest
    /// line's length, and `stride` at most. Every word has to be canonical, and is so behind.
    ///
    /// ```
    /// use manycore_field::PrimeField;
    /// let field = PrimeField::<u32>::new(2_147_483_647)?;
    /// let mut target = [5; 6]; // two rows of two entries, and one in between
    /// let most = [2_147_483_646; 2];
    /// field.slices().sub_products(&mut target, 3, &[[2_147_483_646; 4], [1, 0, 0, 0]], [&most; 4]);
    /// assert_eq!(target, [1, 1, 5, 6, 6, 5]); // four times (-1) (-1), and -1
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sub_products(&self, target: &mut [u32], stride: usize, factors: &[[u32; 4]], lines: [&[u32]; 4]) {
        let is_odd = self.montgomery.modulus() == self.field.modulus();
        let level = if is_odd { self.level } else { Level::PORTABLE };
        level.run(thin::Thin {
            field: self.field,
            #[cfg(target_arch = "x86_64")]
            montgomery: &self.montgomery,
            #[cfg(target_arch = "x86_64")]
            radix: self.radix,
            target,
            stride,
            factors,
            lines,
        });
    }

    /// Whether products of matrices are computed from packed panels, by [`Slices::add_packed_tile`]: with vectors, and an odd prime or
    /// one of bytes.
    pub fn has_packed_tiles(&self) -> bool {
        self.has_byte_tiles() || self.has_signed_tiles()
    }

    /// AVX-512 VNNI and a prime below 256.
    fn has_byte_tiles(&self) -> bool {
        bytes::has_bytes(self.level, self.field.modulus())
    }

    /// Vectors and an odd prime.
    fn has_signed_tiles(&self) -> bool {
        self.level != Level::PORTABLE && self.montgomery.modulus() == self.field.modulus()
    }

    /// Packs a panel of canonical residues, where [`Slices::has_packed_tiles`] says so; else it is unspecified.
    pub fn pack(&self, to: &mut PackedPanel, panel: &[[u32; 32]]) {
        if self.has_byte_tiles() {
            self.level.run(bytes::Pack { p: self.field.modulus(), lines: panel, to: &mut to.bytes });
        } else if self.has_signed_tiles() {
            self.level.run(signed::Pack {
                #[cfg(target_arch = "x86_64")]
                montgomery: &self.montgomery,
                #[cfg(target_arch = "x86_64")]
                radix: self.radix,
                lines: panel,
                to: &mut to.signed,
            });
        }
    }

    /// [`Slices::add_tile`] with a panel that is packed, and reduced sums: `residues[r][c] += sum over k of rows[r][k] panel[k][c]`
    /// modulo `p`, over the shortest length. Does nothing unless [`Slices::has_packed_tiles`] says so.
    ///
    /// ```
    /// use manycore_field::{PackedPanel, PrimeField};
    /// let slices = PrimeField::<u32>::new(251)?.slices();
    /// let mut panel = PackedPanel::default();
    /// slices.pack(&mut panel, &[[250; 32]; 100]);
    /// let mut residues = [[1; 32]; 4];
    /// slices.add_packed_tile(&mut residues, [&[250; 100]; 4], &panel);
    /// let expected = if slices.has_packed_tiles() { 101 } else { 1 }; // 1 and (-1) (-1), a hundred times
    /// assert_eq!(residues, [[expected; 32]; 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_packed_tile(&self, residues: &mut [[u32; 32]; 4], rows: [&[u32]; 4], panel: &PackedPanel) {
        #[cfg(target_arch = "x86_64")]
        if self.has_byte_tiles() {
            // SAFETY: the processor has the instruction sets.
            return unsafe { bytes::add_tile(self.field.modulus(), residues, rows, &panel.bytes) };
        }
        if self.has_signed_tiles() {
            self.level.run(signed::Tile {
                #[cfg(target_arch = "x86_64")]
                montgomery: &self.montgomery,
                residues,
                rows,
                panel: &panel.signed,
            });
        }
    }

    /// `to[i] = 2^64 to[i] + words[i]` for any words behind canonical ones: a step of Horner's rule for integers of several words.
    ///
    /// ```
    /// use manycore_field::PrimeField;
    /// let field = PrimeField::<u32>::new(2_147_483_647)?;
    /// let mut residues = [0, 2_147_483_646]; // the signs of 7 and of -5
    /// field.slices().append_words(&mut residues, &[7, (-5i64) as u64])?;
    /// assert_eq!(residues, [7, 2_147_483_642]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LengthMismatch`].
    pub fn append_words(&self, to: &mut [u32], words: &[u64]) -> Result<(), LengthMismatch> {
        if to.len() != words.len() {
            return Err(LengthMismatch { left: to.len(), right: words.len() });
        }
        let by = self.field.shoup();
        let radix = self.field.natural(1 << 32);
        let factors = [self.field.mul(radix, radix), radix, 1].map(|factor| by.factor(factor));
        self.level.run(append::Append { field: &self.field, factors, to, words });
        Ok(())
    }

    /// `to[i] = from[i] mod p`, for `from[i] < 8 p`, by differences alone.
    ///
    /// # Errors
    /// [`LengthMismatch`].
    pub fn reduce_short(&self, to: &mut [u32], from: &[u32]) -> Result<(), LengthMismatch> {
        same_length(to, from)?;
        self.level.run(wide::Short { p: self.field.modulus(), to, from });
        Ok(())
    }

    /// `to[i] = from[i] / R`, Montgomery's reduction of two words, with `R = 2^32`, for `from[i]` below `2^35 p` and `2^63`
    /// and an odd `p`. A later constant takes up the factor.
    ///
    /// # Errors
    /// [`LengthMismatch`].
    pub fn reduce_montgomery(&self, to: &mut [u32], from: &[u64]) -> Result<(), LengthMismatch> {
        if to.len() != from.len() {
            return Err(LengthMismatch { left: to.len(), right: from.len() });
        }
        self.level.run(wide::Reduce { by: &self.montgomery, to, from });
        Ok(())
    }
}

impl Slices<u64> {
    /// A tile of a product of matrices: `residues[r][c] += sum over k of rows[r][k] panel[k][c]` modulo `p`, over the shortest
    /// length; with AVX-512 IFMA where the processor has it. Every word has to be canonical, and is so behind.
    ///
    /// ```
    /// use manycore_field::PrimeField;
    /// let field = PrimeField::<u64>::new(9_223_372_036_854_775_783)?;
    /// let largest = vec![9_223_372_036_854_775_782; 100];
    /// let mut residues = [[1; 32]; 4];
    /// field.slices().add_tile(&mut residues, [&largest; 4], &[[9_223_372_036_854_775_782; 32]; 100]);
    /// assert!(residues.as_flattened().iter().all(|&residue| residue == 101)); // 1 and (-1) (-1), a hundred times
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_tile(&self, residues: &mut [[u64; 32]; 4], rows: [&[u64]; 4], panel: &[[u64; 32]]) {
        let (field, montgomery) = (&self.field, &self.montgomery);
        tile_wide::WideTile { field, montgomery, residues, rows, panel }.run(self.level);
    }

    /// Takes a product of thin matrices from rows that begin `stride` words apart, with one reduction for four products:
    /// `target[r stride + c] -= sum over k of factors[r][k] lines[k][c]` modulo `p`, for as many rows as both have, over the shortest
    /// line's length, and `stride` at most; with AVX-512 IFMA where the processor has it. Every word has to be canonical, and is so
    /// behind.
    ///
    /// ```
    /// use manycore_field::PrimeField;
    /// let field = PrimeField::<u64>::new(9_223_372_036_854_775_783)?;
    /// let mut target = [5; 6]; // two rows of two entries, and one in between
    /// let most = [9_223_372_036_854_775_782; 2];
    /// field.slices().sub_products(&mut target, 3, &[[most[0]; 4], [1, 0, 0, 0]], [&most; 4]);
    /// assert_eq!(target, [1, 1, 5, 6, 6, 5]); // four times (-1) (-1), and -1
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sub_products(&self, target: &mut [u64], stride: usize, factors: &[[u64; 4]], lines: [&[u64]; 4]) {
        let (field, montgomery) = (&self.field, &self.montgomery);
        thin_wide::WideThin { field, montgomery, target, stride, factors, lines }.run(self.level);
    }

    /// Whether [`Slices::add_tile`] computes with vectors, some four times as fast as without: AVX-512 IFMA and an odd prime.
    pub fn has_vector_tiles(&self) -> bool {
        tile_wide::has_vectors(self.level, &self.field, &self.montgomery)
    }
}

fn same_length<W>(x: &[W], y: &[W]) -> Result<(), LengthMismatch> {
    if x.len() == y.len() { Ok(()) } else { Err(LengthMismatch { left: x.len(), right: y.len() }) }
}
