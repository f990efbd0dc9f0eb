//! The check of number-theoretic transforms: computed again by the plain loops of radix 2 (J. W. Cooley, J. W. Tukey 1965),
//! with remainders of products of 128 bits, and compared at every place.

use manycore_arrays::orders::{BitOrder, Direction};
use manycore_field::ResidueWord;

use crate::butterflies::{natural, reversed};
use crate::modulus::Modulus;
use crate::outcome::{CheckError, Outcome, Passed, collected};
use crate::runs::Runs;
use crate::threads;

/// Which products of polynomials are products of spectra.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Products modulo `x^n - 1`: `X(k)` is the sum of `x(j) w^(j k)`.
    Cyclic,
    /// Products modulo `x^n + 1`: `X(k)` is the sum of `x(j) v^(j (2 k + 1))`.
    Negacyclic,
}

/// What transforms a result holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The length of one transform, a power of two.
    pub len: usize,
    /// Cyclic or negacyclic.
    pub kind: Kind,
    /// The order of the spectrum.
    pub order: BitOrder,
    /// The prime.
    pub modulus: u64,
    /// The root of unity, of the order `len`, or twice that for negacyclic transforms.
    pub root: u64,
}

const METHOD: &str = "second computation modulo the prime, every value";

impl Shape {
    fn runs<W: ResidueWord>(self, x: &[W], y: &[W]) -> Result<(Runs, Modulus), CheckError> {
        let runs = Runs::of_powers_of_two(x.len(), y.len(), self.len)?;
        let order = self.len as u64 * if self.kind == Kind::Negacyclic { 2 } else { 1 };
        let modulus = Modulus::new(self.modulus)?;
        if !modulus.has_order(self.root, order) {
            let what = format!("a root {} of order {order} modulo {}", self.root, self.modulus);
            return Err(CheckError::Shape { what });
        }
        modulus.check_input(x)?;
        Ok((runs, modulus))
    }
}

/// Checks every place. Takes `n 2^(n-1)` products a transform.
///
/// # Errors
/// [`CheckError::Value`], [`CheckError::OutOfRange`], [`CheckError::Length`], [`CheckError::TooLarge`]; [`CheckError::Input`];
/// [`CheckError::Shape`] for a root of another order, and a modulus that is no prime.
pub fn check<W: ResidueWord>(x: &[W], y: &[W], direction: Direction, shape: Shape) -> Outcome {
    let (runs, modulus) = shape.runs(x, y)?;
    let bits = shape.len.ilog2();
    let root = if direction == Direction::Inverse { modulus.inverse(shape.root) } else { shape.root };
    let (twists, w) = match shape.kind {
        Kind::Cyclic => (None, root),
        Kind::Negacyclic => (Some(modulus.powers(root, shape.len)?), modulus.mul(root, root)),
    };
    let roots = modulus.powers(w, shape.len / 2)?;
    let scale = modulus.inverse(shape.len as u64 % shape.modulus);
    threads::each_run(runs.count, runs.len, |run| {
        let x = &x[runs.range(run)];
        let twist = |value, index: usize| twists.as_ref().map_or(value, |twists| modulus.mul(value, twists[index]));
        if direction == Direction::Forward {
            let mut z = collected((0..x.len()).map(|index| twist(x[index].as_u64(), index)))?;
            transform(&mut z, modulus, &roots);
            return modulus.compare(&y[runs.range(run)], |index| z[natural(shape.order, index, bits)], run);
        }
        let mut z = collected((0..x.len()).map(|index| x[natural(shape.order, index, bits)].as_u64()))?;
        transform(&mut z, modulus, &roots);
        modulus.compare(&y[runs.range(run)], |index| twist(modulus.mul(z[index], scale), index), run)
    })?;
    Ok(Passed::by_second_computation(METHOD))
}

/// Checks truncated transforms of `len` values: the first `len` values, in bit-reversed order, of the cyclic transform of `len`
/// values and zeros, as many as the least power of two has that is `len` or more; `root` is of that order. An inverse is
/// checked by the transform of its result.
///
/// # Errors
/// As [`check`].
pub fn truncated<W: ResidueWord>(
    x: &[W],
    y: &[W],
    direction: Direction,
    len: usize,
    modulus: u64,
    root: u64,
) -> Outcome {
    let runs = Runs::new(x.len(), y.len(), len)?;
    let whole = len.next_power_of_two();
    let shape = Shape { len: whole, kind: Kind::Cyclic, order: BitOrder::Reversed, modulus, root };
    let (_, modulus) = shape.runs::<W>(&[], &[])?;
    let bits = whole.ilog2();
    modulus.check_input(x)?;
    let (values, spectra) = if direction == Direction::Inverse { (y, x) } else { (x, y) };
    // A result past the modulus is none, even where its residue is right.
    modulus.check_input(y).map_err(|error| match error {
        CheckError::Input { index, found, expected } => {
            CheckError::OutOfRange { run: index / len, index: index % len, found, expected }
        }
        other => other,
    })?;
    let roots = modulus.powers(root, whole / 2)?;
    threads::each_run(runs.count, whole, |run| {
        let values = &values[runs.range(run)];
        let mut z = collected((0..whole).map(|index| values.get(index).map_or(0, |value| value.as_u64())))?;
        transform(&mut z, modulus, &roots);
        modulus.compare(&spectra[runs.range(run)], |index| z[reversed(index, bits)], run)
    })?;
    Ok(Passed::by_second_computation(METHOD))
}

/// The cyclic transform in natural order; `roots` are the powers of the root below half the length.
pub(crate) fn transform(z: &mut [u64], modulus: Modulus, roots: &[u64]) {
    fn part(levels: u32, z: &mut [u64], modulus: Modulus, roots: &[u64], stride: usize) {
        if z.len() < 2 {
            return;
        }
        let values = z.len();
        let (low, high) = z.split_at_mut(values / 2);
        threads::join(
            levels,
            values,
            |levels| part(levels, low, modulus, roots, 2 * stride),
            |levels| part(levels, high, modulus, roots, 2 * stride),
        );
        for (k, (u, v)) in low.iter_mut().zip(high).enumerate() {
            let product = modulus.mul(*v, roots[k * stride]);
            (*u, *v) = (modulus.add(*u, product), modulus.sub(*u, product));
        }
    }
    let bits = z.len().ilog2();
    for index in 0..z.len() {
        let other = reversed(index, bits);
        if index < other {
            z.swap(index, other);
        }
    }
    part(threads::levels(), z, modulus, roots, 1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SplitMix;
    use crate::faults::all_found;

    /// The definition, in natural order.
    fn defined(x: &[u64], shape: Shape) -> Vec<u64> {
        let modulus = Modulus::new(shape.modulus).unwrap();
        let coefficient = |k: usize| {
            x.iter().enumerate().fold(0, |sum, (j, &value)| {
                let exponent = if shape.kind == Kind::Negacyclic { j * (2 * k + 1) } else { j * k };
                modulus.add(sum, modulus.mul(value, modulus.power(shape.root, exponent as u64)))
            })
        };
        (0..x.len()).map(coefficient).collect()
    }

    /// Primes and roots of order 64.
    fn fields() -> [(u64, u64); 4] {
        [193, 469_762_049, 4_611_615_649_683_210_241, 18_446_744_069_414_584_321].map(|p| {
            let modulus = Modulus::new(p).unwrap();
            let root = (2..p).map(|g| modulus.power(g, (p - 1) / 64)).find(|&root| modulus.has_order(root, 64));
            (p, root.unwrap())
        })
    }

    fn changes(modulus: u64, value: u64) -> Vec<u64> {
        let turned = (0..64).map(|bit| value ^ 1 << bit);
        turned.chain([value.wrapping_add(modulus)]).filter(|&other| other != value).collect()
    }

    #[test]
    fn true_results_pass_and_every_turned_bit_is_found() {
        let mut random = SplitMix::new(5);
        for (modulus, root) in fields() {
            for (kind, order) in
                [Kind::Cyclic, Kind::Negacyclic].into_iter().flat_map(|kind| BitOrder::ALL.map(|order| (kind, order)))
            {
                for (len, count) in [(1, 0), (1, 1), (1, 3), (2, 1), (4, 3), (16, 2)] {
                    let of = if kind == Kind::Negacyclic { 2 * len } else { len } as u64;
                    let root = Modulus::new(modulus).unwrap().power(root, 64 / of);
                    let shape = Shape { len, kind, order, modulus, root };
                    let x: Vec<u64> = (0..len * count).map(|_| random.next_word() % modulus).collect();
                    let y: Vec<u64> = x
                        .chunks(len)
                        .flat_map(|run| {
                            let y = defined(run, shape);
                            (0..len).map(|place| y[natural(order, place, len.ilog2())]).collect::<Vec<_>>()
                        })
                        .collect();
                    let check = |x: &[u64], y: &[u64], direction| check(x, y, direction, shape).map(|_| ());
                    all_found(&y, |_, value| changes(modulus, value), |y| check(&x, y, Direction::Forward));
                    all_found(&x, |_, value| changes(modulus, value), |x| check(&y, x, Direction::Inverse));
                }
            }
        }
    }

    #[test]
    fn truncated_results_pass_and_every_turned_bit_is_found() {
        let mut random = SplitMix::new(5);
        for (modulus, root) in fields() {
            for (len, count) in [(1, 2), (2, 1), (3, 2), (7, 1), (8, 1), (11, 2)] {
                let whole = usize::next_power_of_two(len);
                let root = Modulus::new(modulus).unwrap().power(root, 64 / whole as u64);
                let shape = Shape { len: whole, kind: Kind::Cyclic, order: BitOrder::Reversed, modulus, root };
                let x: Vec<u64> = (0..len * count).map(|_| random.next_word() % modulus).collect();
                let truncate = |run: &[u64]| {
                    let y = defined(&[run, &vec![0; whole - len]].concat(), shape);
                    (0..len).map(|place| y[reversed(place, whole.ilog2())]).collect::<Vec<_>>()
                };
                let y: Vec<u64> = x.chunks(len).flat_map(truncate).collect();
                let check =
                    |x: &[u64], y: &[u64], direction| truncated(x, y, direction, len, modulus, root).map(|_| ());
                all_found(&y, |_, value| changes(modulus, value), |y| check(&x, y, Direction::Forward));
                all_found(&x, |_, value| changes(modulus, value), |x| check(&y, x, Direction::Inverse));
            }
        }
    }

    #[test]
    fn what_cannot_be_checked_is_told() {
        let shape = Shape { len: 4, kind: Kind::Cyclic, order: BitOrder::Natural, modulus: 17, root: 4 };
        let x = [1u32, 2, 3, 4];
        for wrong in [Shape { root: 2, ..shape }, Shape { root: 1, ..shape }, Shape { len: 3, ..shape }] {
            let error = check(&x, &x, Direction::Forward, wrong).unwrap_err();
            assert!(matches!(error, CheckError::Shape { .. }), "{error}");
        }
        // 14 has the order 2 modulo 15, where Fermat's theorem gives no inverses.
        let composite = Shape { len: 2, modulus: 15, root: 14, ..shape };
        let error = check(&[1u32, 2], &[3, 14], Direction::Forward, composite).unwrap_err();
        assert_eq!(error.to_string(), "no check of residues modulo 15, no prime");
        let error = check(&[1u32, 17, 3, 4], &x, Direction::Forward, shape).unwrap_err();
        assert!(matches!(error, CheckError::Input { index: 1, .. }), "{error}");
        let error = check(&x, &[17u32, 2, 3, 4], Direction::Forward, shape).unwrap_err();
        assert!(matches!(error, CheckError::OutOfRange { index: 0, .. }), "{error}");
    }

    #[test]
    fn a_long_transform_comes_back() {
        let (modulus, root) = (469_762_049, Modulus::new(469_762_049).unwrap().power(3, 469_762_048 >> 17));
        let shape = Shape { len: 1 << 17, kind: Kind::Cyclic, order: BitOrder::Natural, modulus, root };
        let field = Modulus::new(modulus).unwrap();
        let roots = field.powers(root, 1 << 16).unwrap();
        let x: Vec<u64> = (0..1 << 17).map(|index| index * index % modulus).collect();
        let mut y = x.clone();
        transform(&mut y, field, &roots);
        assert_eq!(y[0], x.iter().sum::<u64>() % modulus);
        assert!(check(&y, &x, Direction::Inverse, shape).is_ok());
        y[77] ^= 1;
        assert!(check(&y, &x, Direction::Inverse, shape).is_err());
    }
}
