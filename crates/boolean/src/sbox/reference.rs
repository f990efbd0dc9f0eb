//! The definitions: specification and oracle.

use super::SBox;
use crate::error::TableError;

/// The linear approximation table, rows of `2^n` entries: `W(a, b) = sum over x of (-1)^(a . x + b . S(x))` for the input mask
/// `a` and the output mask `b`. `2^(2m + n)` additions.
///
/// ```
/// use manycore_boolean::{SBox, sbox::reference};
/// let swap = SBox::from_values(vec![1, 0])?;
/// assert_eq!(reference::linear_table(&swap), [2, 0, 0, -2]);
/// # Ok::<(), manycore_boolean::TableError>(())
/// ```
pub fn linear_table(sbox: &SBox) -> Vec<i32> {
    let entry = |a: usize, b: usize| {
        let odd = |(x, y): &(usize, &u16)| ((a & x).count_ones() + (b & usize::from(**y)).count_ones()) % 2 == 1;
        sbox.inputs() as i32 - 2 * sbox.values().iter().enumerate().filter(odd).count() as i32
    };
    (0..sbox.inputs()).flat_map(|a| (0..sbox.outputs()).map(move |b| entry(a, b))).collect()
}

/// The difference distribution table, rows of `2^n` entries: entry `(a, b)` counts the `x` with `S(x) + S(x + a) = b`. `4^m`
/// look-ups.
pub fn difference_table(sbox: &SBox) -> Vec<u32> {
    let mut table = vec![0; sbox.inputs() * sbox.outputs()];
    for a in 0..sbox.inputs() {
        for (x, y) in sbox.values().iter().enumerate() {
            table[a * sbox.outputs() + usize::from(y ^ sbox.values()[x ^ a])] += 1;
        }
    }
    table
}

/// The boomerang connectivity table of a permutation, rows of `2^n` entries: entry `(a, b)` counts the `x` with
/// `S^-1(S(x) + b) + S^-1(S(x + a) + b) = a`. `2^(3n)` look-ups.
///
/// # Errors
/// As [`SBox::inverse`].
pub fn boomerang_table(sbox: &SBox) -> Result<Vec<u32>, TableError> {
    let (inverse, len) = (sbox.inverse()?, sbox.inputs());
    let (s, t) = (sbox.values(), inverse.values());
    let entry = |a: usize, b: usize| {
        let returns = |x: &usize| usize::from(t[usize::from(s[*x]) ^ b] ^ t[usize::from(s[*x ^ a]) ^ b]) == a;
        (0..len).filter(returns).count() as u32
    };
    Ok((0..len * len).map(|place| entry(place / len, place % len)).collect())
}

/// The linearity of each component with a mask `b` from 1 on, the largest `|W(a, b)|`. `2^(2m + n)` additions.
pub fn component_linearities(sbox: &SBox) -> Vec<u32> {
    let table = linear_table(sbox);
    let column = |b: usize| table.iter().skip(b).step_by(sbox.outputs()).map(|w| w.unsigned_abs()).max().unwrap_or(0);
    (1..sbox.outputs()).map(column).collect()
}

/// The differential uniformity, the largest entry of the difference distribution table in a row other than 0. `4^m` look-ups.
pub fn differential_uniformity(sbox: &SBox) -> u32 {
    difference_table(sbox)[sbox.outputs()..].iter().copied().max().unwrap_or(0)
}

/// The least number of ones in an input and an output difference together, of two different inputs. `4^m` look-ups.
pub fn differential_branch_number(sbox: &SBox) -> u32 {
    let values = sbox.values();
    let of = |x: usize, y: usize| (x ^ y).count_ones() + (values[x] ^ values[y]).count_ones();
    (0..values.len()).flat_map(|x| (0..x).map(move |y| (x, y))).map(|(x, y)| of(x, y)).min().unwrap_or(0)
}

/// The least number of ones in an input and an output mask together, not both 0, whose `W(a, b)` is not 0.
pub fn linear_branch_number(sbox: &SBox) -> u32 {
    let table = linear_table(sbox);
    let place = |i: usize| (i / sbox.outputs(), i % sbox.outputs());
    let entries = table.iter().enumerate().skip(1).filter(|(_, w)| **w != 0);
    entries.map(|(i, _)| place(i)).map(|(a, b)| a.count_ones() + b.count_ones()).min().unwrap_or(0)
}
