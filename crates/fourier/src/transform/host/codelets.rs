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

/// Four times four, the products between them by roots of order 16.
///
/// # Safety
/// The instruction set of the engine is there.
#[inline(always)]
unsafe fn sixteen<N: Numbers, E: Engine<N>>(e: E, v: &[E::Number; 16], w: &[N::Value]) -> [E::Number; 16] {
    // SAFETY: the caller has the instruction set.
    let (one, three) = unsafe { (e.all(w[0]), e.all(w[2])) };
    let a = four(e, [v[0], v[4], v[8], v[12]], w[3]);
    let b = four(e, [v[1], v[5], v[9], v[13]], w[3]);
    let c = four(e, [v[2], v[6], v[10], v[14]], w[3]);
    let d = four(e, [v[3], v[7], v[11], v[15]], w[3]);
    let row0 = four(e, [a[0], b[0], c[0], d[0]], w[3]);
    let row1 = four(e, [a[1], e.times(b[1], one), e.eighth(c[1], w[1]), e.times(d[1], three)], w[3]);
    let row2 =
        four(e, [a[2], e.eighth(b[2], w[1]), e.quarter(c[2], w[3]), e.quarter(e.eighth(d[2], w[1]), w[3])], w[3]);
    // The ninth power is the first one's negative.
    let (b3, d3) = (e.times(b[3], three), e.times(d[3], one));
    let (x, y) = pair(e, a[3], e.quarter(e.eighth(c[3], w[1]), w[3]));
    let (u, t) = (e.minus(b3, d3), e.quarter(e.plus(b3, d3), w[3]));
    let row3 = [e.plus(x, u), e.plus(y, t), e.minus(x, u), e.minus(y, t)];
    let (p, q, r, s) = (row0, row1, row2, row3);
    [p[0], q[0], r[0], s[0], p[1], q[1], r[1], s[1], p[2], q[2], r[2], s[2], p[3], q[3], r[3], s[3]]
}

/// An odd prime number of values: sums and differences of opposite ones, of which each output and its opposite take the sum
/// and the difference of two parts. `w` has the halves of the sums and differences of opposite roots, see
/// [`Numbers::halves`].
#[inline(always)]
pub(super) fn odd<N: Numbers, E: Engine<N>>(e: E, v: &mut [E::Number], results: &mut [E::Number], w: &[N::Value]) {
    let radix = v.len();
    let half = radix / 2;
    let (cosines, sines) = w.split_at(half);
    let first = v[0];
    let mut sum = first;
    for k in 1..=half {
        (v[k], v[radix - k]) = pair(e, v[k], v[radix - k]);
        sum = e.plus(sum, v[k]);
    }
    results[0] = sum;
    for j in 1..=half {
        // The first turn is j, and not beyond the half.
        let mut even = e.plus_cosine(first, v[1], cosines[j - 1]);
        let mut odd = e.sine(v[radix - 1], sines[j - 1]);
        for k in 2..=half {
            let turn = j * k % radix;
            let (at, beyond) = if turn > half { (radix - turn, true) } else { (turn, false) };
            even = e.plus_cosine(even, v[k], cosines[at - 1]);
            let (u, s) = (v[radix - k], sines[at - 1]);
            odd = if beyond { e.minus_sine(odd, u, s) } else { e.plus_sine(odd, u, s) };
        }
        (results[j], results[radix - j]) = pair(e, even, e.turned(odd));
    }
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
            v.copy_from_slice(&unsafe { sixteen(e, &all, w) });
        }
        _ => {
            let mut results = *v;
            odd(e, v, &mut results, &w[..R - 1]);
            *v = results;
        }
    }
}
