//! Products of thin matrices of 31-bit residues, subtracted from rows: four products of two words for one reduction.
//!
//! With factors `f R` and entries `y` of the lines, the sum of four products is `R` times the wanted one: after Montgomery's
//! reduction nothing is left to correct (Montgomery, "Modular multiplication without trial division", Mathematics of Computation 44,
//! 1985; sums that are reduced once: Dumas, Giorgi and Pernet, "Dense linear algebra over word-size prime fields", ACM TOMS 35, 2008).

use super::level::Task;
#[cfg(target_arch = "x86_64")]
use super::modulus::{Factor, Modulus};
#[cfg(target_arch = "x86_64")]
use super::vectors::Pairs;
use crate::algebra::Ring as _;
use crate::prime_field::PrimeField;
#[cfg(target_arch = "x86_64")]
use crate::prime_field::{Montgomery, ShoupFactor};

/// Lines of the second factor: products below `p^2 < 2^62` of which one word of 64 bits holds the sum.
pub(super) const LINES: usize = 4;

/// Rows that are changed at a time, so that nearby words follow each other: their factors are brought into Montgomery's form.
#[cfg(target_arch = "x86_64")]
pub(super) const ROWS: usize = 16;

/// `target[r stride + c] -= sum over k of factors[r][k] lines[k][c]`.
pub(super) struct Thin<'a> {
    pub(super) field: PrimeField<u32>,
    /// Of the field's modulus, which is odd wherever vectors are used.
    #[cfg(target_arch = "x86_64")]
    pub(super) montgomery: &'a Montgomery<u32>,
    /// `R` as a factor.
    #[cfg(target_arch = "x86_64")]
    pub(super) radix: ShoupFactor<u32>,
    pub(super) target: &'a mut [u32],
    pub(super) stride: usize,
    pub(super) factors: &'a [[u32; LINES]],
    pub(super) lines: [&'a [u32]; LINES],
}

/// The rows that are changed, whole ones, and the entries of each, of a target of `len` words.
#[inline(always)]
pub(super) fn shape<W>(len: usize, stride: usize, factors: usize, lines: &[&[W]; LINES]) -> (usize, usize) {
    let columns = lines.iter().fold(stride, |columns, line| columns.min(line.len()));
    let behind = len.checked_sub(columns).filter(|_| columns > 0);
    (behind.map_or(0, |behind| behind / stride + 1).min(factors), columns)
}

impl Task for Thin<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        let (rows, columns) = shape(self.target.len(), self.stride, self.factors.len(), &self.lines);
        let lines = self.lines.map(|line| &line[..columns]);
        let fold = u64::from(self.field.modulus()) << 32;
        for (row, factors) in self.target.chunks_mut(self.stride.max(1)).zip(&self.factors[..rows]) {
            for (c, x) in row.iter_mut().take(columns).enumerate() {
                let sum: u64 = factors.iter().zip(lines).map(|(&f, line)| u64::from(f) * u64::from(line[c])).sum();
                // Below p 2^32, for four products are below 2 p 2^32.
                let sum = sum.min(sum.wrapping_sub(fold));
                *x = self.field.sub(*x, self.field.barrett().reduce_wide(sum as u32, (sum >> 32) as u32));
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vector<V: Pairs>(self) {
        let (rows, columns) = shape(self.target.len(), self.stride, self.factors.len(), &self.lines);
        // SAFETY: the caller has the instruction set; `rows` rows end within the target, and lines have `columns` words.
        unsafe {
            let strips = Strips::<V> {
                modulus: Modulus::new(self.montgomery.modulus(), self.montgomery.inverse()),
                radix: Factor::new(self.radix),
                target: self.target.as_mut_ptr(),
                stride: self.stride,
                lines: [self.lines[0].as_ptr(), self.lines[1].as_ptr(), self.lines[2].as_ptr(), self.lines[3].as_ptr()],
                columns,
            };
            let factors = &self.factors[..rows];
            if self.field.modulus() < 1 << 30 { strips.all::<true>(factors) } else { strips.all::<false>(factors) }
        }
    }
}

/// The columns of a target in strips of a vector.
#[cfg(target_arch = "x86_64")]
struct Strips<V> {
    modulus: Modulus<V>,
    radix: Factor<V>,
    target: *mut u32,
    stride: usize,
    lines: [*const u32; LINES],
    columns: usize,
}

/// No closures: their code is compiled without the instruction set.
#[cfg(target_arch = "x86_64")]
impl<V: Pairs> Strips<V> {
    /// All rows, for a modulus that is `SHORT`, below `2^30`, or not.
    ///
    /// # Safety
    /// The instruction set of `V` is available; rows of the target, as many as `factors`, and lines have `columns` words.
    #[inline(always)]
    unsafe fn all<const SHORT: bool>(&self, factors: &[[u32; LINES]]) {
        for (number, part) in factors.chunks(ROWS).enumerate() {
            let mut entered = [[0; LINES]; ROWS];
            let (words, to) = (part.as_flattened(), entered.as_flattened_mut());
            let mut i = 0;
            while i < words.len() {
                let count = V::LANES.min(words.len() - i);
                // SAFETY: the caller has the instruction set; both have `count` words from `i` on.
                unsafe {
                    let f = V::load_part(words.as_ptr().add(i), count);
                    self.modulus.scaled(f, self.radix).store_part(to.as_mut_ptr().add(i), count);
                }
                i += count;
            }
            // SAFETY: the caller vouches for the rows and the lines.
            unsafe { self.rows::<SHORT>(number * ROWS, &entered[..part.len()]) };
        }
    }

    /// Some rows from `row` on, whose factors are in Montgomery's form.
    ///
    /// # Safety
    /// As for [`all`](Self::all).
    #[inline(always)]
    unsafe fn rows<const SHORT: bool>(&self, row: usize, factors: &[[u32; LINES]]) {
        let mut first = 0;
        while first + V::LANES <= self.columns {
            // SAFETY: the caller vouches for the words before `first + LANES`.
            unsafe { self.strip::<SHORT, true>(row, factors, first, V::LANES) };
            first += V::LANES;
        }
        if first < self.columns {
            // SAFETY: the caller vouches for the words before `columns`.
            unsafe { self.strip::<SHORT, false>(row, factors, first, self.columns - first) };
        }
    }

    /// The strip of `count` columns from `first` on, `WHOLE` where they are `LANES`.
    ///
    /// # Safety
    /// The instruction set of `V` is available; rows of the target, and lines, have `first + count` words.
    #[inline(always)]
    unsafe fn strip<const SHORT: bool, const WHOLE: bool>(
        &self,
        row: usize,
        factors: &[[u32; LINES]],
        first: usize,
        count: usize,
    ) {
        // SAFETY: the caller has the instruction set, and vouches for the words of lines and rows.
        unsafe {
            let even = [
                load::<V, WHOLE>(self.lines[0].add(first), count),
                load::<V, WHOLE>(self.lines[1].add(first), count),
                load::<V, WHOLE>(self.lines[2].add(first), count),
                load::<V, WHOLE>(self.lines[3].add(first), count),
            ];
            let odd = [even[0].odd(), even[1].odd(), even[2].odd(), even[3].odd()];
            for (r, factors) in factors.iter().enumerate() {
                let at = self.target.add((row + r) * self.stride + first);
                let f = [V::splat(factors[0]), V::splat(factors[1]), V::splat(factors[2]), V::splat(factors[3])];
                let sums = (sum(f, even), sum(f, odd));
                let x = load::<V, WHOLE>(at, count);
                let x = if SHORT { self.modulus.minus_reduced(x, sums) } else { self.modulus.minus_folded(x, sums) };
                if WHOLE { x.store(at) } else { x.store_part(at, count) }
            }
        }
    }
}

/// `count` words, `WHOLE` where they are `LANES`.
///
/// # Safety
/// The instruction set of `V` is available; `count` words from `from` on, at most `LANES`, are readable.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn load<V: Pairs, const WHOLE: bool>(from: *const u32, count: usize) -> V {
    // SAFETY: the caller has the instruction set, and vouches for the words.
    unsafe { if WHOLE { V::load(from) } else { V::load_part(from, count) } }
}

/// The sums of the products of the even words.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn sum<V: Pairs>(f: [V; LINES], y: [V; LINES]) -> V {
    let first = f[0].even_product(y[0]).pair_plus(f[1].even_product(y[1]));
    first.pair_plus(f[2].even_product(y[2]).pair_plus(f[3].even_product(y[3])))
}
