//! Long division on the host by heads of several coefficients: paper 002, algorithms 18 and 19, corrected.
//!
//! The next `h` coefficients of the quotient depend on the `h` highest of the dividend and of the divisor alone: they are
//! the product of that head and the inverse of the divisor's reversed head, as power series. What they leave of the
//! dividend below the head is one product of `h` coefficients by the divisor.
//!
//! ```text
//!   dividend   [ ... untouched ... | d below the head | head of h ]
//!   less                             quotient part * divisor         h + d coefficients, the highest h cancel the head
//! ```

use manycore_device::HostPool;

use super::span::Part;
use crate::host::ShortPolynomials;

/// Words of a task of a step over coefficients one by one; fewer are done by the calling thread.
const TASK: usize = 1 << 15;

/// A divisor on the host with what heads need of it.
#[derive(Debug)]
pub(crate) struct HostDivisor<'a, F: ShortPolynomials> {
    field: &'a F,
    /// Its coefficients up to the leading one.
    b: &'a [F::Element],
    /// The inverse of the reversed divisor to a head's precision, in reversed order.
    inverse: Vec<F::Element>,
}

/// Memory of a division that further ones use again.
#[derive(Debug)]
pub(super) struct Scratch<E>(Vec<E>);

impl<E> Default for Scratch<E> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'a, F: ShortPolynomials> HostDivisor<'a, F> {
    /// The divisor `b`, whose leading coefficient is not zero, for heads of at most `head` coefficients. `None` for the zero
    /// polynomial.
    pub(crate) fn new(field: &'a F, b: &'a [F::Element], head: usize) -> Option<Self> {
        let head = head.max(1);
        let inverse = reversed_inverse(field, b, head)?;
        Some(Self { field, b, inverse })
    }

    /// [`HostDivisor::divide`] with memory of its own.
    pub(crate) fn divide_once(&self, a: &mut [F::Element], quotient: &mut [F::Element]) {
        self.divide(a, quotient, &mut Scratch::default());
    }

    /// Its degree.
    pub(super) fn degree(&self) -> usize {
        self.b.len() - 1
    }

    /// Divides `a`: its lowest `b.len() - 1` words become the remainder, `quotient` the quotient, of `a.len() - b.len() + 1`
    /// coefficients. Words of `a` above the remainder are unspecified then.
    pub(super) fn divide(&self, a: &mut [F::Element], quotient: &mut [F::Element], scratch: &mut Scratch<F::Element>) {
        let (field, d, most) = (self.field, self.b.len() - 1, self.inverse.len());
        scratch.0.resize(d, field.zero());
        let mut end = quotient.len();
        while end > 0 {
            let head = end.min(most);
            let start = end - head;
            let part = &mut quotient[start..end];
            // Both in descending order of powers: the middle of the product with the reversed inverse is the head's quotient.
            let (rest, top) = a[..end + d].split_at_mut(start + d);
            field.convolve(top, &self.inverse[most - head..], head - 1, part);
            let below = &mut scratch.0[..d];
            field.convolve(part, self.b, 0, below);
            field.sub_slice(&mut rest[start..], below);
            end = start;
        }
    }
}

/// The inverse of the power series with the coefficients of `b` from the leading one down, to `precision`, in reversed order;
/// `None` where the leading coefficient is zero or there is none.
pub(crate) fn reversed_inverse<F: ShortPolynomials>(
    field: &F,
    b: &[F::Element],
    precision: usize,
) -> Option<Vec<F::Element>> {
    let (&leading, rest) = b.split_last()?;
    let first = field.inverse(leading)?;
    let negative = field.neg(first);
    let descending: Vec<F::Element> = rest.iter().rev().take(precision.saturating_sub(1)).copied().collect();
    let mut inverse = vec![field.zero(); precision];
    for k in 0..precision {
        let at = precision - 1 - k;
        inverse[at] = if k == 0 {
            first
        } else {
            // b[d - 1], b[d - 2], ... with the coefficients k - 1, k - 2, ... of the inverse.
            field.mul(negative, field.dot(&descending, &inverse[at + 1..at + 1 + k.min(descending.len())]))
        };
    }
    Some(inverse)
}

/// Subtracts `c` from the part's words, which `data` begins with; see [`Part`].
pub(super) fn subtract<F: ShortPolynomials>(
    field: &F,
    pool: &HostPool,
    data: &mut [F::Element],
    part: Part,
    c: &[F::Element],
) {
    let Part { count, total, fold, .. } = part;
    let (bytes, operations) = (((count + total.max(count)) * size_of::<F::Element>()) as u64, total.max(count) as u64);
    pool.step("divide_subtract", bytes, operations, || {
        let (changed, above) = data.split_at_mut(count);
        let tasks = changed.chunks_mut(TASK).zip(c.chunks(TASK)).enumerate();
        pool.team().each(tasks, |(i, (words, c))| {
            if total == 0 {
                words.copy_from_slice(&c[..words.len()]);
                return field.negate_slice(words);
            }
            for start in (i * TASK + fold..total).step_by(fold) {
                let end = total.min(start + words.len());
                field.add_slice(words, &above[start - count..end - count]);
            }
            field.sub_slice(words, c);
        });
    });
}

#[cfg(test)]
mod tests {
    use manycore_field::{Goldilocks, PrimeField, ResidueWord as _};

    use super::*;
    use crate::arithmetic::divide::reference;
    use crate::arithmetic::linear::reference::{random, stripped_len};

    fn check<F: ShortPolynomials>(field: &F) {
        let elements = |len: usize, seed: u64| -> Vec<F::Element> {
            let mut words: Vec<F::Element> = (0..len).map(|i| random(field, seed, i as u64)).collect();
            words.iter_mut().skip(3).step_by(5).for_each(|word| *word = field.zero());
            words.iter_mut().last().into_iter().for_each(|word| *word = field.one());
            words
        };
        for (n, m) in [(1, 1), (4, 1), (5, 5), (9, 4), (40, 3), (40, 33), (100, 50), (97, 8)] {
            for head in [1, 2, 7, 8, 9, 32, 1000] {
                let (a, b) = (elements(n, 1), elements(m, 2));
                let (expected_q, expected_r) = reference::divide(field, &a, &b).unwrap();
                let divisor = HostDivisor::new(field, &b, head).unwrap();
                let (mut r, mut q) = (a.clone(), vec![field.zero(); n - m + 1]);
                divisor.divide(&mut r, &mut q, &mut Scratch::default());
                r.truncate(m - 1);
                r.truncate(stripped_len(field, &r));
                assert_eq!((q, r), (expected_q, expected_r), "{n} by {m}, heads of {head}, mod {}", field.order());
            }
        }
        assert!(HostDivisor::new(field, &[], 4).is_none());
    }

    #[test]
    fn heads_of_any_size_equal_the_definition() {
        for p in [2, 3, 7, 9001, 469_762_049] {
            check(&PrimeField::<u32>::new(p).unwrap());
        }
        check(&PrimeField::<u64>::new(4_611_686_009_971_671_041).unwrap());
        check(&Goldilocks);
    }

    /// The product with the series is 1 up to the precision.
    #[test]
    fn reversed_inverses_invert() {
        let field = PrimeField::<u32>::new(9001).unwrap();
        let b: Vec<u32> = (1..=6).collect();
        for precision in [0, 1, 2, 5, 6, 7, 20] {
            let mut inverse = reversed_inverse(&field, &b, precision).unwrap();
            inverse.reverse();
            let reversed: Vec<u32> = b.iter().rev().copied().collect();
            let mut one = vec![u32::from_u64(0); precision];
            field.convolve(&reversed, &inverse, 0, &mut one);
            assert!(one.iter().enumerate().all(|(i, &c)| c == u32::from(i == 0)), "{precision}: {one:?}");
        }
        assert_eq!(reversed_inverse(&field, &[1, 0], 3), None);
    }
}
