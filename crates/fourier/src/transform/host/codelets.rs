//! Transforms of a few numbers in registers.

use crate::numbers::{Engine, Numbers};

/// The largest prime that rows are transformed by in registers.
pub(crate) const LARGEST: usize = 61;

/// `(a, b)` to `(a + b, a - b)`.
#[inline(always)]
fn pair<N: Numbers, E: Engine<N>>(e: E, a: E::Number, b: E::Number) -> (E::Number, E::Number) {
    (e.plus(a, b), e.minus(a, b))
}

#[inline(always)]
fn four<N: Numbers, E: Engine<N>>(e: E, v: [E::Number; 4], quarter: N::Value) -> [E::Number; 4] {
    let (a, b) = pair(e, v[0], v[2]);
    let (c, d) = pair(e, v[1], v[3]);
    let d = e.quarter(d, quarter);
    [e.plus(a, c), e.plus(b, d), e.minus(a, c), e.minus(b, d)]
}

#[inline(always)]
fn eight<N: Numbers, E: Engine<N>>(e: E, v: [E::Number; 8], w: &[N::Value]) -> [E::Number; 8] {
    let even = four(e, [v[0], v[2], v[4], v[6]], w[3]);
    let odd = four(e, [v[1], v[3], v[5], v[7]], w[3]);
    let second = e.eighth(odd[1], w[1]);
    let fourth = e.quarter(e.eighth(odd[3], w[1]), w[3]);
    let third = e.quarter(odd[2], w[3]);
    let (a, a4) = pair(e, even[0], odd[0]);
    let (b, b4) = pair(e, even[1], second);
    let (c, c4) = pair(e, even[2], third);
    let (d, d4) = pair(e, even[3], fourth);
    [a, b, c, d, a4, b4, c4, d4]
}

/// # Safety
/// The instruction set of the engine is there.
#[inline(always)]
unsafe fn sixteen<N: Numbers, E: Engine<N>>(e: E, v: [E::Number; 16], w: &[N::Value]) -> [E::Number; 16] {
    let even = eight(e, [v[0], v[2], v[4], v[6], v[8], v[10], v[12], v[14]], w);
    let mut odd = eight(e, [v[1], v[3], v[5], v[7], v[9], v[11], v[13], v[15]], w);
    for (odd, &w) in odd[1..].iter_mut().zip(w) {
        // SAFETY: the caller has the instruction set.
        *odd = e.times(*odd, unsafe { e.all(w) });
    }
    let mut out = v;
    for k in 0..8 {
        (out[k], out[k + 8]) = pair(e, even[k], odd[k]);
    }
    out
}

/// An odd prime number of values: sums and differences of opposite ones, of which each output and its opposite take the sum
/// and the difference of two parts. `w` has the halves of the sums and differences of opposite roots, see
/// [`Numbers::halves`].
#[inline(always)]
pub(super) fn odd<N: Numbers, E: Engine<N>>(e: E, v: &mut [E::Number], w: &[N::Value]) {
    let radix = v.len();
    let half = radix / 2;
    let (cosines, sines) = w.split_at(half);
    let first = v[0];
    for k in 1..=half {
        (v[k], v[radix - k]) = pair(e, v[k], v[radix - k]);
        v[0] = e.plus(v[0], v[k]);
    }
    let mut results = [first; LARGEST];
    for j in 1..=half {
        let (mut even, mut odd) = (first, None);
        for k in 1..=half {
            let turn = j * k % radix;
            let (at, beyond) = if turn > half { (radix - turn, true) } else { (turn, false) };
            even = e.plus_cosine(even, v[k], cosines[at - 1]);
            let (u, s) = (v[radix - k], sines[at - 1]);
            odd = Some(match odd {
                // j is the first turn, and not beyond the half.
                None => {
                    let zero = e.minus(u, u);
                    e.plus_sine(zero, u, s)
                }
                Some(sum) if beyond => e.minus_sine(sum, u, s),
                Some(sum) => e.plus_sine(sum, u, s),
            });
        }
        let odd = e.turned(odd.unwrap_or(first));
        (results[j], results[radix - j]) = pair(e, even, odd);
    }
    v[1..].copy_from_slice(&results[1..radix]);
}

/// `R` numbers, `R` a power of two up to 16 or an odd prime, with the constants of [`super::super::tables::constants`].
///
/// # Safety
/// The instruction set of the engine is there.
#[inline(always)]
pub(super) unsafe fn transform<N: Numbers, E: Engine<N>, const R: usize>(e: E, v: &mut [E::Number; R], w: &[N::Value]) {
    match R {
        2 => (v[0], v[1]) = pair(e, v[0], v[1]),
        4 => {
            let all = four(e, [v[0], v[1], v[2], v[3]], w[3]);
            v.copy_from_slice(&all);
        }
        8 => {
            let all = eight(e, [v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]], w);
            v.copy_from_slice(&all);
        }
        16 => {
            let mut all = [v[0]; 16];
            all.copy_from_slice(&v[..]);
            // SAFETY: the caller has the instruction set.
            v.copy_from_slice(&unsafe { sixteen(e, all, w) });
        }
        _ => odd(e, v, w),
    }
}
