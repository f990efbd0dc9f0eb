//! Plain decimal integers of a text, eight digits at a time in a word of 64 bits (Lemire, "Quickly parsing eight digits", 2022; Langdale's
//! and Muła's way of multiplying neighbours together).

/// The most digits of a plain integer: `10^19` is below `2^64`.
const MOST_DIGITS: usize = 19;

/// Powers of ten, for digits that follow others.
const POWERS: [u64; 9] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// The byte in each byte of a word.
const fn repeated(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The integer that bytes begin with, 1 to 19 digits behind a minus or none, and the bytes that it takes. None where they begin with
/// anything else, with more digits, or with `-0`, which floating point distinguishes from 0.
#[inline]
pub(crate) fn integer(bytes: &[u8]) -> Option<(i128, usize)> {
    let sign = usize::from(bytes.first() == Some(&b'-'));
    let digits = bytes.get(sign..)?;
    let (mut value, mut len) = eight(digits);
    if len == 8 {
        let (more, count) = eight(digits.get(8..)?);
        (value, len) = (value * POWERS[count] + more, 8 + count);
        if count == 8 {
            let (more, count) = eight(digits.get(16..)?);
            len += count;
            if len > MOST_DIGITS {
                return None;
            }
            value = value * POWERS[count] + more;
        }
    }
    if len == 0 || sign == 1 && value == 0 {
        return None;
    }
    // No branch depends on the sign: signs of a matrix are unpredictable.
    let negative = -(sign as i128);
    Some(((i128::from(value) ^ negative) - negative, sign + len))
}

/// The value of the digits that bytes begin with, of eight bytes at most, and how many they are.
#[inline]
fn eight(bytes: &[u8]) -> (u64, usize) {
    let word = if let Some(word) = bytes.first_chunk() {
        u64::from_le_bytes(*word)
    } else {
        // No digit is 0.
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    // The first byte is the lowest one. A byte above 9 sets its highest bit, and may spoil those above it only.
    let digits = word ^ repeated(b'0');
    let others = (digits.wrapping_add(repeated(0x80 - 10)) | digits) & repeated(0x80);
    let count = others.trailing_zeros() / 8;
    // Zeros come before them in the place of the bytes that follow.
    let digits = digits.checked_shl(64 - 8 * count).unwrap_or(0);
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let mask = 0xff | 0xff << 32;
    let high = (pairs & mask).wrapping_mul(100 + (1_000_000 << 32));
    let low = (pairs >> 16 & mask).wrapping_mul(1 + (10_000 << 32));
    (high.wrapping_add(low) >> 32, count as usize)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn digits_end_where_others_begin() {
        for (text, expected) in [
            ("0", Some((0, 1))),
            ("7,", Some((7, 1))),
            ("-12 3", Some((-12, 3))),
            ("12345678", Some((12_345_678, 8))),
            ("123456789\n", Some((123_456_789, 9))),
            ("-1234567890123456x", Some((-1_234_567_890_123_456, 17))),
            ("9999999999999999999", Some((9_999_999_999_999_999_999, 19))),
            ("0000000000000000001", Some((1, 19))),
            ("10000000000000000000", None),
            ("1.5", Some((1, 1))),
            ("12:", Some((12, 2))),
            ("12/", Some((12, 2))),
            ("1\u{ff}2", Some((1, 1))),
            ("-0", None),
            ("+1", None),
            ("-", None),
            ("", None),
            ("x1", None),
        ] {
            assert_eq!(integer(text.as_bytes()), expected, "{text}");
        }
        for byte in u8::MIN..=u8::MAX {
            for at in 0..8 {
                let mut bytes = *b"98765432";
                bytes[at] = byte;
                let len = if byte.is_ascii_digit() { 8 } else { at };
                let value = bytes[..len].iter().fold(0, |value, digit| 10 * value + u64::from(digit - b'0'));
                assert_eq!(eight(&bytes), (value, len), "{byte} at {at}");
            }
        }
    }

    proptest! {
        #[test]
        fn integers_are_those_of_the_standard_library(text in "-?[0-9]{1,21}", behind in "[ ,\n:/.x]?[0-9]{0,9}") {
            let len = text.len() + behind.bytes().take_while(u8::is_ascii_digit).count();
            let whole = text + &behind;
            let digits = whole[..len].trim_start_matches('-').len();
            let expected = whole[..len].parse::<i128>().unwrap();
            let is_plain = digits <= MOST_DIGITS && !(expected == 0 && whole.starts_with('-'));
            prop_assert_eq!(integer(whole.as_bytes()), is_plain.then_some((expected, len)));
        }
    }
}
