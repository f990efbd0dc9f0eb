//! Products of thin matrices of 31-bit residues, subtracted from rows: four products of two words for one reduction.
//!
//! With factors `f` and entries `y R` of the lines, the sum of four products is `R` times the wanted one: after Montgomery's
//! reduction nothing is left to correct (Montgomery, "Modular multiplication without trial division", Mathematics of Computation 44,
//! 1985; sums that are reduced once: Dumas, Giorgi and Pernet, "Dense linear algebra over word-size prime fields", ACM TOMS 35, 2008).

use super::level::Task;
#[cfg(target_arch = "x86_64")]
use super::vector::{Factor, Modulus, Words};
use crate::algebra::Ring as _;
use crate::prime_field::PrimeField;
#[cfg(target_arch = "x86_64")]
use crate::prime_field::{Montgomery, ShoupFactor};

/// Lines of the second factor: products below `p^2 < 2^62` of which one word of 64 bits holds the sum.
pub(super) const LINES: usize = 4;

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

impl Thin<'_> {
    /// The rows that are changed, whole ones, and the entries of each.
    #[inline(always)]
    fn shape(&self) -> (usize, usize) {
        let columns = self.lines.iter().fold(self.stride, |len, line| len.min(line.len()));
        let behind = self.target.len().checked_sub(columns).filter(|_| columns > 0);
        (behind.map_or(0, |behind| behind / self.stride + 1).min(self.factors.len()), columns)
    }
}

impl Task for Thin<'_> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        let (rows, columns) = self.shape();
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
    unsafe fn vector<V: Words>(self) {
        let (rows, columns) = self.shape();
        // SAFETY: the caller has the instruction set; `rows` rows end within the target, and lines have `columns` words.
        unsafe {
            let strips = Strips::<V> {
                modulus: Modulus::new(self.montgomery),
                radix: Factor::new(self.radix),
                target: self.target.as_mut_ptr(),
                stride: self.stride,
                factors: &self.factors[..rows],
                lines: self.lines.map(<[u32]>::as_ptr),
            };
            if self.field.modulus() < 1 << 30 { strips.all::<true>(columns) } else { strips.all::<false>(columns) }
        }
    }
}

/// The columns of a target in strips of a vector.
#[cfg(target_arch = "x86_64")]
struct Strips<'a, V> {
    modulus: Modulus<V>,
    radix: Factor<V>,
    target: *mut u32,
    stride: usize,
    factors: &'a [[u32; LINES]],
    lines: [*const u32; LINES],
}

#[cfg(target_arch = "x86_64")]
impl<V: Words> Strips<'_, V> {
    /// All columns, for a modulus that is `SHORT`, below `2^30`, or not.
    ///
    /// # Safety
    /// The instruction set of `V` is available; rows of the target, and lines, have `columns` words.
    #[inline(always)]
    unsafe fn all<const SHORT: bool>(&self, columns: usize) {
        let mut first = 0;
        while first + V::LANES <= columns {
            // SAFETY: the caller vouches for the words before `first + LANES`.
            unsafe { self.strip::<SHORT>(first, |at| V::load(at), |at, x| x.store(at)) };
            first += V::LANES;
        }
        let rest = columns - first;
        if rest > 0 {
            // SAFETY: the caller vouches for the words before `first + rest`.
            unsafe { self.strip::<SHORT>(first, |at| V::load_part(at, rest), |at, x| x.store_part(at, rest)) };
        }
    }

    /// The strip from a column on.
    ///
    /// # Safety
    /// The instruction set of `V` is available; rows of the target, and lines, have from `first` on the words that `load` and `store`
    /// access.
    #[inline(always)]
    unsafe fn strip<const SHORT: bool>(
        &self,
        first: usize,
        load: impl Fn(*const u32) -> V,
        store: impl Fn(*mut u32, V),
    ) {
        // SAFETY: the caller vouches for the words.
        let even = self.lines.map(|line| self.modulus.scaled(load(unsafe { line.add(first) }), self.radix));
        let odd = even.map(V::odd);
        for (r, factors) in self.factors.iter().enumerate() {
            // SAFETY: the caller has the instruction set, and vouches for the words of the row.
            unsafe {
                let f = factors.map(|factor| V::splat(factor));
                let sum = |y: [V; LINES]| {
                    let [a, b, c, d] = [0, 1, 2, 3].map(|k| f[k].even_product(y[k]));
                    a.pair_plus(b).pair_plus(c.pair_plus(d))
                };
                let at = self.target.add(r * self.stride + first);
                let sums = (sum(even), sum(odd));
                let x = load(at);
                store(at, if SHORT { self.modulus.minus_reduced(x, sums) } else { self.modulus.minus_folded(x, sums) });
            }
        }
    }
}
