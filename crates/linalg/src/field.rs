//! Fields of matrices, and tiles of their products on the host.

use manycore_field::{FieldSlices, Goldilocks, PackedPanel, PrimeField, Ring as _, Slices};

/// Rows of a tile of a product on the host.
pub(crate) const TILE_ROWS: usize = 4;
/// Columns of a tile of a product on the host.
pub(crate) const TILE_COLUMNS: usize = 32;

/// Pivots that are taken at once on the host: as many products as a sum of two words holds, but for foldings.
pub(crate) const PIVOTS: usize = 4;

/// Fields whose matrices have all operations on the host and on devices: [`PrimeField<u32>`](manycore_field::PrimeField),
/// [`PrimeField<u64>`](manycore_field::PrimeField) and [`Goldilocks`](manycore_field::Goldilocks); sealed.
pub trait MatrixField: TileField {}

impl<F: TileField> MatrixField for F {}

/// Tiles of products of matrices of canonical residues, and sums of products that are reduced late.
///
/// A sum takes [`terms`](Self::terms) products between two calls of [`fold`](Self::fold). With `B` bits in a word a folded sum
/// is below `p 2^B`, and `2^B / p` products below `p^2` each make it at most twice that, which two words hold because
/// `p < 2^(B - 1)`; subtracting `p 2^B` where the sum is not below it folds it again.
#[doc(hidden)]
pub trait TileField: FieldSlices {
    /// A sum of products, zero by default.
    type Sum: Copy + Default + Send;

    /// What tiles and thin products are prepared with: worth keeping, since they are short.
    type Rows: Copy + Send + Sync;

    /// A panel of a second matrix in the form that [`tile`](Self::tile) takes beside the plain panel.
    type Packed: Default + Send;

    /// The preparation.
    fn rows(&self) -> Self::Rows;

    /// Products between two foldings.
    fn terms(&self) -> usize;

    /// The sum and a product more.
    fn accumulate(sum: Self::Sum, a: Self::Element, b: Self::Element) -> Self::Sum;

    /// The sum, reduced modulo `p` so far that more products can be added.
    fn fold(&self, sum: Self::Sum) -> Self::Sum;

    /// The residue of a folded sum.
    fn residue(&self, sum: Self::Sum) -> Self::Element;

    /// Packs a panel for the tiles of some rows.
    fn pack(&self, _: &Self::Rows, _: &[[Self::Element; TILE_COLUMNS]], _: &mut Self::Packed) {}

    /// `products[r][c]` becomes the sum over `k` of `rows[r][k] panel[k][c]`, with the panel packed beside it.
    fn tile(
        &self,
        _: &Self::Rows,
        rows: [&[Self::Element]; TILE_ROWS],
        (panel, _): (&[[Self::Element; TILE_COLUMNS]], &Self::Packed),
        products: &mut [[Self::Element; TILE_COLUMNS]; TILE_ROWS],
    ) {
        let mut sums = [[Self::Sum::default(); TILE_COLUMNS]; TILE_ROWS];
        let terms = self.terms().min(panel.len().max(1));
        for (part, lines) in panel.chunks(terms).enumerate() {
            for (k, line) in (part * terms..).zip(lines) {
                for (sums, row) in sums.iter_mut().zip(rows) {
                    for (sum, &word) in sums.iter_mut().zip(line) {
                        *sum = Self::accumulate(*sum, row[k], word);
                    }
                }
            }
            for sum in sums.as_flattened_mut() {
                *sum = self.fold(*sum);
            }
        }
        *products = sums.map(|sums| sums.map(|sum| self.residue(sum)));
    }

    /// `target[r stride + c] -= sum over k of factors[r][k] lines[k][c]` for the rows that both have, over the shortest line's length.
    fn sub_products(
        &self,
        _: &Self::Rows,
        target: &mut [Self::Element],
        stride: usize,
        factors: &[[Self::Element; PIVOTS]],
        lines: [&[Self::Element]; PIVOTS],
    ) {
        let columns = lines.iter().fold(stride, |len, line| len.min(line.len()));
        let lines = lines.map(|line| &line[..columns]);
        let folds_often = self.terms() < PIVOTS;
        for (row, factors) in target.chunks_mut(stride.max(1)).zip(factors) {
            for (c, x) in row.iter_mut().take(columns).enumerate() {
                let mut sum = Self::Sum::default();
                for (k, line) in lines.iter().enumerate() {
                    sum = Self::accumulate(sum, factors[k], line[c]);
                    if folds_often {
                        sum = self.fold(sum);
                    }
                }
                *x = self.sub(*x, self.residue(self.fold(sum)));
            }
        }
    }
}

impl TileField for PrimeField<u32> {
    type Sum = u64;
    type Rows = Slices<u32>;
    type Packed = PackedPanel;

    fn rows(&self) -> Slices<u32> {
        self.slices()
    }

    fn terms(&self) -> usize {
        ((1 << 32) / u64::from(self.modulus())) as usize
    }

    #[inline(always)]
    fn accumulate(sum: u64, a: u32, b: u32) -> u64 {
        sum.wrapping_add(u64::from(a) * u64::from(b))
    }

    #[inline(always)]
    fn fold(&self, sum: u64) -> u64 {
        sum.min(sum.wrapping_sub(u64::from(self.modulus()) << 32))
    }

    #[inline(always)]
    fn residue(&self, sum: u64) -> u32 {
        self.barrett().reduce_wide(sum as u32, (sum >> 32) as u32)
    }

    fn pack(&self, prepared: &Slices<u32>, panel: &[[u32; TILE_COLUMNS]], packed: &mut PackedPanel) {
        if prepared.has_packed_tiles() {
            prepared.pack(packed, panel);
        }
    }

    fn tile(
        &self,
        prepared: &Slices<u32>,
        rows: [&[u32]; TILE_ROWS],
        (panel, packed): (&[[u32; TILE_COLUMNS]], &PackedPanel),
        products: &mut [[u32; TILE_COLUMNS]; TILE_ROWS],
    ) {
        if prepared.has_packed_tiles() {
            products.as_flattened_mut().fill(0);
            return prepared.add_packed_tile(products, rows, packed);
        }
        let mut sums = [[0; TILE_COLUMNS]; TILE_ROWS];
        prepared.add_tile(&mut sums, rows, panel);
        *products = sums.map(|sums| sums.map(|sum| self.residue(sum)));
    }

    fn sub_products(
        &self,
        rows: &Slices<u32>,
        target: &mut [u32],
        stride: usize,
        factors: &[[u32; PIVOTS]],
        lines: [&[u32]; PIVOTS],
    ) {
        rows.sub_products(target, stride, factors, lines);
    }
}

impl TileField for PrimeField<u64> {
    type Sum = u128;
    type Rows = Slices<u64>;
    type Packed = ();

    fn rows(&self) -> Slices<u64> {
        self.slices()
    }

    fn terms(&self) -> usize {
        usize::try_from((1 << 64) / u128::from(self.modulus())).unwrap_or(usize::MAX)
    }

    #[inline(always)]
    fn accumulate(sum: u128, a: u64, b: u64) -> u128 {
        sum.wrapping_add(u128::from(a) * u128::from(b))
    }

    #[inline(always)]
    fn fold(&self, sum: u128) -> u128 {
        sum.min(sum.wrapping_sub(u128::from(self.modulus()) << 64))
    }

    #[inline(always)]
    fn residue(&self, sum: u128) -> u64 {
        self.barrett().reduce_wide(sum as u64, (sum >> 64) as u64)
    }

    fn tile(
        &self,
        prepared: &Slices<u64>,
        rows: [&[u64]; TILE_ROWS],
        (panel, ()): (&[[u64; TILE_COLUMNS]], &()),
        products: &mut [[u64; TILE_COLUMNS]; TILE_ROWS],
    ) {
        products.as_flattened_mut().fill(0);
        prepared.add_tile(products, rows, panel);
    }

    fn sub_products(
        &self,
        rows: &Slices<u64>,
        target: &mut [u64],
        stride: usize,
        factors: &[[u64; PIVOTS]],
        lines: [&[u64]; PIVOTS],
    ) {
        rows.sub_products(target, stride, factors, lines);
    }
}

impl TileField for Goldilocks {
    /// Two words and the overflows of their 128 bits.
    type Sum = (u128, u64);
    type Rows = ();
    type Packed = ();

    fn rows(&self) {}

    fn terms(&self) -> usize {
        usize::MAX
    }

    #[inline(always)]
    fn accumulate((sum, overflows): (u128, u64), a: u64, b: u64) -> (u128, u64) {
        let (sum, overflow) = sum.overflowing_add(u128::from(a) * u128::from(b));
        (sum, overflows + u64::from(overflow))
    }

    #[inline(always)]
    fn fold(&self, sum: (u128, u64)) -> (u128, u64) {
        sum
    }

    /// `2^128 = -2^32` mod `p`; fewer than `2^32` products overflow less often than that.
    #[inline(always)]
    fn residue(&self, (sum, overflows): (u128, u64)) -> u64 {
        let overflow = self.reduce_u128(u128::from(overflows) << 32);
        self.sub(self.reduce_u128(sum), overflow)
    }
}

/// The sum of `x[i] y[i]` over the shorter slice's length.
pub(crate) fn dot<F: MatrixField>(field: &F, x: &[F::Element], y: &[F::Element]) -> F::Element {
    let terms = field.terms();
    let len = x.len().min(y.len());
    let parts = x[..len].chunks(terms).zip(y[..len].chunks(terms));
    let sum = parts.fold(F::Sum::default(), |sum, (x, y)| {
        field.fold(x.iter().zip(y).fold(sum, |sum, (&x, &y)| F::accumulate(sum, x, y)))
    });
    field.residue(sum)
}

#[cfg(test)]
mod tests {
    use manycore_field::ResidueWord as _;

    use super::*;

    fn check<F: MatrixField>(field: &F) {
        let p = field.order();
        let element = |i: usize, salt: u64| match i % 3 {
            0 => p - 1,
            1 => (i as u64 + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15) % p,
            _ => p / 2,
        };
        for len in [0, 1, 2, 3, 4, 5, 8, 9, 100] {
            let x: Vec<F::Element> = (0..len).map(|i| F::Element::from_u64(element(i, 1))).collect();
            let y: Vec<F::Element> = (0..len).map(|i| F::Element::from_u64(element(i, 7))).collect();
            let expected = x.iter().zip(&y).fold(field.zero(), |sum, (&x, &y)| field.add(sum, field.mul(x, y)));
            assert_eq!(dot(field, &x, &y), expected, "{len} mod {p}");
            let largest = vec![F::Element::from_u64(p - 1); len];
            let count = field.natural(len as u64);
            assert_eq!(dot(field, &largest, &largest), count, "{len} largest mod {p}");
        }
    }

    #[test]
    fn late_reductions_equal_early_ones() {
        for p in [2, 3, 65_537, 469_762_049, 2_147_483_647] {
            check(&PrimeField::<u32>::new(p).unwrap());
        }
        for p in [2, 1_125_897_625_141_249, 4_611_686_009_971_671_041, 9_223_372_036_854_775_783] {
            check(&PrimeField::<u64>::new(p).unwrap());
        }
        check(&Goldilocks);
    }
}
