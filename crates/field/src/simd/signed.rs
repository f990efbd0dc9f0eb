//! Tiles of products of matrices of residues of odd primes below 2^31, by the residues of least size, in sums of 64 bits with sign.
//!
//! With `h = (p - 1) / 2` products are at most `h^2 < 2^60` in size, a quarter of those of residues from 0 on, so that a sum takes four
//! times as many of them before it is reduced: six and more. A sum `s = 2^32 high + low` is folded to `low + high c` for the `c` of least
//! size that is congruent to `2^32`, below `2^31 h + 2^32` in size. Entries of the panel are in Montgomery's form, whose reduction of the
//! sums leaves residues.
//! Source: sums that are reduced once, of balanced residues: Dumas, Giorgi and Pernet, "Dense linear algebra over word-size prime
//! fields", ACM TOMS 35, 2008; Montgomery, "Modular multiplication without trial division", Mathematics of Computation 44, 1985.

use super::level::Task;
#[cfg(target_arch = "x86_64")]
use super::modulus::{Factor, Modulus};
use super::tile::{COLUMNS, ROWS};
#[cfg(target_arch = "x86_64")]
use super::vectors::Pairs;
#[cfg(target_arch = "x86_64")]
use crate::prime_field::{Montgomery, ShoupFactor};

/// Entries of rows that are centred at a time, a multiple of all vectors' words: with the lines of a block of columns they stay in
/// the nearest cache.
#[cfg(target_arch = "x86_64")]
const PART: usize = 256;
/// The most blocks of columns of a tile, those of the narrowest vectors.
#[cfg(target_arch = "x86_64")]
const MOST_BLOCKS: usize = COLUMNS / 8;

/// Lines of a panel of a second factor, in Montgomery's form and of least size: of each block of as many columns as a vector has
/// words all lines, then of the next block.
#[derive(Debug, Clone, Default)]
pub(super) struct SignedPanel {
    words: Vec<u32>,
}

/// Makes a panel of the lines of residues of an odd prime, with vectors; one without words else.
pub(super) struct Pack<'a> {
    #[cfg(target_arch = "x86_64")]
    pub(super) montgomery: &'a Montgomery<u32>,
    /// `R` as a factor.
    #[cfg(target_arch = "x86_64")]
    pub(super) radix: ShoupFactor<u32>,
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "other processors pack no panels"))]
    pub(super) lines: &'a [[u32; COLUMNS]],
    pub(super) to: &'a mut SignedPanel,
}

impl Task for Pack<'_> {
    type Output = ();

    fn portable(self) {
        self.to.words.clear();
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vector<V: Pairs>(self) {
        let Self { montgomery, radix, lines, to } = self;
        let depth = lines.len();
        to.words.resize(depth * COLUMNS, 0);
        let to = to.words.as_mut_ptr();
        // SAFETY: the caller has the instruction set; block `b` of line `k` is a vector of it, and of the panel, which has as many.
        unsafe {
            let (modulus, radix) = (Modulus::<V>::new(montgomery.modulus(), montgomery.inverse()), Factor::new(radix));
            let most = V::splat(montgomery.modulus() / 2);
            for (k, line) in lines.iter().enumerate() {
                for block in 0..COLUMNS / V::LANES {
                    let x = modulus.scaled(V::load(line.as_ptr().add(block * V::LANES)), radix);
                    modulus.centred(x, most).store(to.add((block * depth + k) * V::LANES));
                }
            }
        }
    }
}

/// `residues[r][c] += sum over k of rows[r][k] panel[k][c]` modulo `p`, over as many `k` as all have, with vectors; nothing else.
pub(super) struct Tile<'a> {
    #[cfg(target_arch = "x86_64")]
    pub(super) montgomery: &'a Montgomery<u32>,
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "other processors have no such tiles"))]
    pub(super) residues: &'a mut [[u32; COLUMNS]; ROWS],
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "other processors have no such tiles"))]
    pub(super) rows: [&'a [u32]; ROWS],
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "other processors have no such tiles"))]
    pub(super) panel: &'a SignedPanel,
}

impl Task for Tile<'_> {
    type Output = ();

    fn portable(self) {}

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vector<V: Pairs>(self) {
        let p = self.montgomery.modulus();
        let depth = self.panel.words.len() / COLUMNS;
        let len = self.rows.iter().fold(depth, |len, row| len.min(row.len()));
        // SAFETY: the caller has the instruction set; rows have `len` words, and each block of the panel `depth` vectors, no fewer.
        unsafe {
            let sums = Sums::<V>::new(p);
            let mut blocks = [[[V::splat(0); 2]; ROWS]; MOST_BLOCKS];
            let blocks = &mut blocks[..COLUMNS / V::LANES];
            let mut first = 0;
            while first < len {
                let count = PART.min(len - first);
                let factors = sums.factors(&self.rows, first, count);
                for (block, tile) in blocks.iter_mut().enumerate() {
                    let lines = self.panel.words.as_ptr().add((block * depth + first) * V::LANES);
                    sums.add(tile, &factors, lines, count);
                }
                first += count;
            }
            let modulus = Modulus::<V>::new(p, self.montgomery.inverse());
            for (block, tile) in blocks.iter().enumerate() {
                for (residues, &[even, odd]) in self.residues.iter_mut().zip(tile) {
                    let at = residues.as_mut_ptr().add(block * V::LANES);
                    let sum = modulus.reduced_pairs(sums.positive(even), sums.positive(odd));
                    modulus.plus(V::load(at), sum).store(at);
                }
            }
        }
    }
}

/// The constants of sums of products modulo a prime.
#[cfg(target_arch = "x86_64")]
struct Sums<V> {
    modulus: Modulus<V>,
    /// `(p - 1) / 2` in every word.
    most: V,
    /// What is congruent to `2^32`, of least size.
    fold: V,
    /// `2^31 p` in every pair: above the size of a folded sum, for `2^31 h + 2^32 <= 2^31 p`.
    above: V,
    /// Products between two foldings.
    terms: usize,
}

/// No closures: their code is compiled without the instruction set.
#[cfg(target_arch = "x86_64")]
impl<V: Pairs> Sums<V> {
    /// # Safety
    /// The instruction set of `V` is available.
    #[inline(always)]
    unsafe fn new(p: u32) -> Self {
        let half = u64::from(p / 2);
        let fold = ((1u64 << 32) % u64::from(p)) as u32;
        let fold = if fold > p / 2 { fold.wrapping_sub(p) } else { fold };
        // A folded sum and the products are below 2^63 together.
        let room = (1u64 << 63) - 1 - ((half << 31) + (1 << 32));
        let terms = usize::try_from(room / (half * half)).unwrap_or(usize::MAX);
        // SAFETY: the caller has the instruction set.
        unsafe {
            let above = V::splat(p).even_product(V::splat(1 << 31));
            Self { modulus: Modulus::of(p), most: V::splat(p / 2), fold: V::splat(fold), above, terms }
        }
    }

    /// Entries of rows from `first` on, of least size.
    ///
    /// # Safety
    /// The instruction set of `V` is available; rows have `count` words from `first` on, and `count` is at most `PART`.
    #[inline(always)]
    unsafe fn factors(&self, rows: &[&[u32]; ROWS], first: usize, count: usize) -> [[u32; PART]; ROWS] {
        let mut factors = [[0; PART]; ROWS];
        for (row, to) in rows.iter().zip(&mut factors) {
            let (from, to) = (row.as_ptr(), to.as_mut_ptr());
            let mut k = 0;
            while k < count {
                let part = V::LANES.min(count - k);
                // SAFETY: the caller vouches for the row; `k + part` is at most `count`.
                unsafe {
                    let x = if part == V::LANES {
                        V::load(from.add(first + k))
                    } else {
                        V::load_part(from.add(first + k), part)
                    };
                    // `PART` is a multiple of all lanes.
                    self.modulus.centred(x, self.most).store(to.add(k));
                }
                k += part;
            }
        }
        factors
    }

    /// Adds products to folded sums of the even and the odd columns of a block, and folds them.
    ///
    /// # Safety
    /// The instruction set of `V` is available, `count` is at most `PART`, and `lines` has as many vectors.
    #[inline(always)]
    unsafe fn add(&self, tile: &mut [[V; 2]; ROWS], factors: &[[u32; PART]; ROWS], lines: *const u32, count: usize) {
        let mut sums = *tile;
        let mut k = 0;
        while k < count {
            let end = count.min(k.saturating_add(self.terms));
            while k < end {
                // SAFETY: the caller vouches for the lines, and rows of factors have `PART` words.
                unsafe {
                    let even = V::load(lines.add(k * V::LANES));
                    let odd = even.high_half();
                    for (sums, row) in sums.iter_mut().zip(factors) {
                        let factor = V::splat(*row.get_unchecked(k));
                        sums[0] = sums[0].pair_plus(factor.even_signed_product(even));
                        sums[1] = sums[1].pair_plus(factor.even_signed_product(odd));
                    }
                }
                k += 1;
            }
            for sums in &mut sums {
                for sum in sums {
                    *sum = sum.low_half().pair_plus(sum.high_half().even_signed_product(self.fold));
                }
            }
        }
        *tile = sums;
    }

    /// A folded sum and a multiple of `p` that makes it from 0 to below `2^32 p`.
    #[inline(always)]
    fn positive(&self, sum: V) -> V {
        sum.pair_plus(self.above)
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::super::level::Level;
    use super::*;
    use crate::prime_field::PrimeField;

    #[test]
    fn tiles_are_sums_of_products() {
        for p in [3, 5, 251, 65_537, 469_762_049, 1_073_741_827, 2_147_483_629, 2_147_483_647] {
            let slices = PrimeField::<u32>::new(p).unwrap().slices();
            let (montgomery, radix) = (&slices.montgomery, slices.radix);
            for len in [0, 1, 5, 6, 7, 12, 13, 255, 256, 257, 1024] {
                let word = |i: usize| match i % 5 {
                    0 => p / 2,
                    1 => p / 2 + 1,
                    _ => (i as u32).wrapping_mul(0x9e37_79b9) % p,
                };
                // Sums of the largest products of either sign in some rows and columns.
                let rows: [Vec<u32>; ROWS] = std::array::from_fn(|r| {
                    (0..len + r).map(|k| if r < 2 { p / 2 + r as u32 } else { word(r + 5 * k + k / 3) }).collect()
                });
                let times = |c: usize, i: usize| {
                    // Congruent to `p / 2` in Montgomery's form in the first columns.
                    let inverse = PrimeField::<u32>::new(p).unwrap();
                    let shift = crate::algebra::Field::inverse(&inverse, ((1u64 << 32) % u64::from(p)) as u32);
                    let half = crate::algebra::Semiring::mul(&inverse, p / 2 + c as u32, shift.unwrap_or(0));
                    if c < 2 { half } else { word(i) }
                };
                let lines: Vec<[u32; COLUMNS]> =
                    (0..len).map(|k| std::array::from_fn(|c| times(c, 7 * k + c + 1))).collect();
                let before = |r: usize, c: usize| word(r + c);
                for level in Level::all().into_iter().filter(|&level| level != Level::PORTABLE) {
                    let mut panel = SignedPanel::default();
                    level.run(Pack { montgomery, radix, lines: &lines, to: &mut panel });
                    let mut residues = std::array::from_fn(|r| std::array::from_fn(|c| before(r, c)));
                    let rows_of = std::array::from_fn(|r| rows[r].as_slice());
                    level.run(Tile { montgomery, residues: &mut residues, rows: rows_of, panel: &panel });
                    for (r, residues) in residues.iter().enumerate() {
                        for (c, &residue) in residues.iter().enumerate() {
                            let products = (0..len).map(|k| u128::from(rows[r][k]) * u128::from(lines[k][c]));
                            let expected = (u128::from(before(r, c)) + products.sum::<u128>()) % u128::from(p);
                            assert_eq!(u128::from(residue), expected, "{level:?} {p} {len} ({r}, {c})");
                        }
                    }
                }
            }
        }
    }
}
