//! The path from the root of the tree of remainders to leaf `len`, with its constants.

use std::sync::Arc;

use manycore_device::{Buffer, Word};
use manycore_tuning::Planner;

use super::reference::reversed;
use crate::{Kind, Ntt, NttError, NttField};

/// The base-2 logarithm of the entries of [`Powers::low`].
pub(super) const LOG_LOW: u32 = 10;

/// `s^q` for `q` below a power of two: `low[q mod 2^10] high[q / 2^10]`.
#[derive(Debug)]
pub(super) struct Powers<E> {
    pub(super) low: Vec<E>,
    pub(super) high: Vec<E>,
}

impl<E: Copy> Powers<E> {
    fn new<F: NttField<Element = E>>(field: &F, s: E, log_len: u32) -> Self {
        let powers = |step, count| {
            std::iter::successors(Some(field.one()), |&w| Some(field.mul(w, step))).take(count).collect::<Vec<E>>()
        };
        let high = field.power(s, 1 << LOG_LOW);
        Self { low: powers(s, 1 << log_len.min(LOG_LOW)), high: powers(high, 1 << log_len.saturating_sub(LOG_LOW)) }
    }
}

/// Nodes side by side: `row` values of each are there, the others are 0.
pub(super) struct Rows<'a, W: Word> {
    pub(super) values: &'a Buffer<W>,
    pub(super) row: usize,
}

/// A node on the path, of `2 B` values: a remainder modulo `x^(2 B) - c^2`. Its halves are modulo `x^B - c` and `x^B + c`.
#[derive(Debug)]
pub(super) struct Step<F: NttField> {
    /// The base-2 logarithm of `B`.
    pub(super) log_len: u32,
    pub(super) c: F::Element,
    /// The left half, where the first `len` leaves hold it whole. Then the path continues in the right half, else in the left one.
    pub(super) block: Option<Block<F>>,
}

/// A left half that is a block of the truncated transform.
#[derive(Debug)]
pub(super) struct Block<F: NttField> {
    /// Its transform, cyclic of length `B`.
    pub(super) ntt: Ntt<F>,
    /// The leaves before it.
    pub(super) start: usize,
    /// The leaves after it.
    pub(super) tail: usize,
    /// Powers of `s`, `s^B = c`: they make a remainder modulo `x^B - c` one modulo `x^B - 1`.
    pub(super) twist: Powers<F::Element>,
    /// Powers of `1 / s`.
    pub(super) untwist: Powers<F::Element>,
    /// The inverse of what the product of the earlier blocks' `x^(B') - c'` is modulo this node: a scalar, because `2 B`
    /// divides every `B'`; not 0, because the roots of the node are none of theirs.
    pub(super) product_inverse: F::Element,
}

/// The root of unity of the definition, of the order `2^k >= len`.
pub(super) fn root<F: NttField>(field: &F, len: usize) -> Result<F::Element, NttError> {
    let (p, largest) = (field.order(), 1u64 << field.two_adicity().min(63));
    // Lengths past 2^63 need an order that no word holds, nor has any field one of 2^63.
    let order = (len as u64).checked_next_power_of_two().unwrap_or(1 << 63);
    let no_root = NttError::NoRoot { order, p, largest };
    if order > largest {
        return Err(no_root);
    }
    field.root_of_unity(order).map_err(|_| no_root)
}

/// The steps for the digits of `len > 0`, the highest first, to the last that is 1.
pub(super) fn steps<F: NttField>(planner: &Arc<Planner>, field: &F, len: usize) -> Result<Vec<Step<F>>, NttError> {
    let root = root(field, len)?;
    let (highest, lowest) = (len.ilog2(), len.trailing_zeros());
    let mut steps = Vec::with_capacity((highest - lowest) as usize + 1);
    let mut earlier: Vec<(u32, F::Element)> = Vec::new();
    for log_len in (lowest..=highest).rev() {
        // The node's number in its level: the digits before this one.
        let (level, number) = (highest - log_len, (len as u64).unbounded_shr(log_len + 1));
        let s = field.power(root, reversed(number, level));
        let c = field.power(s, 1 << log_len);
        let block = if len >> log_len & 1 == 1 {
            let product = earlier.iter().fold(field.one(), |product, &(longer, other)| {
                field.mul(product, field.sub(field.power(c, 1 << (longer - log_len)), other))
            });
            earlier.push((log_len, c));
            let inverse = |x| field.inverse(x).unwrap_or(x);
            let start = number.unbounded_shl(log_len + 1) as usize;
            Some(Block {
                // To measure candidates of every block would take longer than blocks gain.
                ntt: Ntt::with_planner(planner, field, 1 << log_len, Kind::Cyclic)?,
                start,
                tail: len - start - (1 << log_len),
                twist: Powers::new(field, s, log_len),
                untwist: Powers::new(field, inverse(s), log_len),
                product_inverse: inverse(product),
            })
        } else {
            None
        };
        steps.push(Step { log_len, c, block });
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use manycore_field::{Goldilocks, ModularField, PrimeField};

    fn planner() -> Arc<Planner> {
        Arc::new(Planner::new(&manycore_device::Device::host()))
    }

    /// The blocks cover the leaves in order, their roots are those of their own transforms, and nothing is divided by 0.
    fn fits<F: NttField>(field: &F, len: usize) {
        let steps = steps(&planner(), field, len).unwrap();
        let root = root(field, len).unwrap();
        let mut end = 0;
        for step in &steps {
            let Some(block) = &step.block else { continue };
            let size = 1usize << step.log_len;
            assert_eq!((block.start, block.ntt.len()), (end, size), "{len}");
            end += size;
            assert_eq!(block.tail, len - end, "{len}");
            let order = len.next_power_of_two();
            assert!(block.ntt.root() == field.power(root, (order / size) as u64), "{len}");
            assert!(block.product_inverse != field.zero(), "{len}");
            let power = |powers: &Powers<F::Element>, q: usize| {
                field.mul(powers.low[q & ((1 << LOG_LOW) - 1)], powers.high[q >> LOG_LOW])
            };
            for q in [0, 1, size / 2, size - 1].into_iter().filter(|&q| q < size) {
                let (to, back) = (power(&block.twist, q), power(&block.untwist, q));
                assert!(field.mul(to, back) == field.one(), "{len}");
            }
            let (last, first) = (power(&block.twist, size - 1), power(&block.twist, 1.min(size - 1)));
            if size > 1 {
                assert!(field.mul(last, first) == step.c, "{len}: s^B = c");
            }
        }
        assert_eq!(end, len);
    }

    #[test]
    fn blocks_cover_the_leaves_and_fit_the_roots() {
        for len in (1..=70).chain([1 << 12, (1 << 12) + 1, (1 << 13) - 1]) {
            fits(&PrimeField::<u32>::new(469_762_049).unwrap(), len);
            fits(&PrimeField::<u64>::new(4_611_686_009_971_671_041).unwrap(), len);
            fits(&Goldilocks, len);
        }
        for len in 1..=256 {
            fits(&PrimeField::<u32>::new(257).unwrap(), len);
        }
    }

    #[test]
    fn lengths_past_the_roots_are_refused() {
        let field = PrimeField::<u32>::new(17).unwrap();
        let error = |len| steps(&planner(), &field, len).unwrap_err();
        assert_eq!(error(17), NttError::NoRoot { order: 32, p: 17, largest: 16 });
        assert_eq!(error(usize::MAX), NttError::NoRoot { order: 1 << 63, p: 17, largest: 16 });
        assert_eq!(field.two_adicity(), 4);
        assert_eq!(steps(&planner(), &field, 16).unwrap().len(), 1);
    }
}
