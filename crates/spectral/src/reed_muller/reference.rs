//! The Reed-Muller transform by its definition: slow, obvious, and the oracle of every test.

use super::Bits;
use manycore_arrays::orders::BitOrder;

/// The Reed-Muller spectrum of `x` with the polarity `polarity`: `y[w]` is the exclusive or of `x[v ^ polarity]` over the
/// subsets `v` of `w`, the coefficients modulo 2 of the polynomial in the variables, those at set bits of the polarity
/// complemented, that has the values `x` (paper 001, Table 1). Every bit of the words is a function of its own.
///
/// Takes `3^n` operations for `2^n` values.
///
/// # Errors
/// `None` if the length is not a power of two (0 is not one), or the polarity not below it.
#[must_use]
pub fn reed_muller<T: Bits>(x: &[T], order: BitOrder, polarity: usize) -> Option<Vec<T>> {
    if !x.len().is_power_of_two() || polarity >= x.len() {
        return None;
    }
    let log_len = x.len().ilog2();
    let coefficient = |row| {
        let w = order.natural_index(row, log_len);
        let subsets = (0..=w).filter(|v| v & !w == 0);
        subsets.fold(T::zeroed(), |sum, v| sum.exclusive_or(x[v ^ polarity]))
    };
    Some((0..x.len()).map(coefficient).collect())
}

/// The transform of a function of `variables` variables packed 64 values a word, bit `i` of word `w` being value `64 w + i`, in natural
/// order. Below six variables, of every function of a word.
///
/// # Errors
/// `None` if the words are not one run of `2^variables` bits, or one word that holds several.
#[must_use]
pub fn reed_muller_packed(words: &[u64], variables: u32, polarity: usize) -> Option<Vec<u64>> {
    if words.len() != 1 << variables.saturating_sub(6) {
        return None;
    }
    let bits: Vec<u8> = (0..64 * words.len()).map(|i| (words[i / 64] >> (i % 64) & 1) as u8).collect();
    let mut packed = vec![0; words.len()];
    for (run, bits) in bits.chunks_exact(1 << variables).enumerate() {
        let spectrum = reed_muller(bits, BitOrder::Natural, polarity)?;
        for (i, bit) in spectrum.into_iter().enumerate() {
            let i = (run << variables) + i;
            packed[i / 64] |= u64::from(bit) << (i % 64);
        }
    }
    Some(packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_examples() {
        let f = [1_u8, 0, 0, 1, 1, 1, 0, 1];
        assert_eq!(reed_muller(&f, BitOrder::Natural, 0).unwrap(), [1, 1, 1, 0, 0, 1, 0, 1]);
        assert_eq!(reed_muller(&f, BitOrder::Reversed, 0).unwrap(), [1, 0, 1, 0, 1, 1, 0, 1]);
        assert_eq!(reed_muller_packed(&[0xB9], 3, 0).unwrap(), [0xA7]);
        assert_eq!(reed_muller_packed(&[0xB9B9], 3, 0).unwrap(), [0xA7A7]);
        assert_eq!(reed_muller_packed(&[1], 6, 0).unwrap(), [u64::MAX]);
        assert_eq!(reed_muller_packed(&[1 << 63], 6, 0).unwrap(), [1 << 63]);
        assert_eq!(reed_muller_packed(&[u64::MAX], 6, 0).unwrap(), [1]);
        let words = [0x0EE1_DC3B_8770_EE1D, 0x3B87_70EE_1DC3_B877];
        assert_eq!(reed_muller_packed(&words, 7, 0).unwrap(), [0x4449_3CC6_CCDB_454B, 0x4142_F3C1_C3C7_1442]);
    }

    #[test]
    fn complemented_variables_give_their_polynomial() {
        // f = x is 1 + x': coefficients 1, 1 in the complemented variable.
        assert_eq!(reed_muller(&[0_u8, 1], BitOrder::Natural, 1).unwrap(), [1, 1]);
        assert_eq!(reed_muller(&[1_u8, 0], BitOrder::Natural, 1).unwrap(), [0, 1]);
        assert_eq!(reed_muller(&[1_u8, 0, 1], BitOrder::Natural, 0), None);
        assert_eq!(reed_muller_packed(&[1, 2, 3], 7, 0), None);
    }
}
