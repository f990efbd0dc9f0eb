//! Truth tables as digits.

use super::{TruthTable, check_variables, log_len, room, used_bits, word_count};
use crate::error::TableError;

/// The order of hexadecimal digits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum HexOrder {
    /// The table as one integer, `sum of f(x) 2^x`, its most significant digit first: `f(0)` is the lowest bit of the last
    /// digit. This is the order of Sage's `truth_table(format='hex')`.
    #[default]
    Integer,
    /// The values as they are listed, four a digit: `f(0)` is the highest bit of the first digit.
    Listing,
}

impl TruthTable {
    /// Reads values as the digits 0 and 1, `f(0)` first; white space, commas and underscores between them are left out.
    ///
    /// # Errors
    /// [`TableError::Digit`] with the position of another character; [`TableError::NotPowerOfTwo`] and
    /// [`TableError::TooManyVariables`] for their number.
    pub fn from_binary(text: &str) -> Result<Self, TableError> {
        let bits = digits(text, 2)?;
        let variables = log_len(bits.len() as u64)?;
        Self::from_fn(variables, |x| bits[x as usize] == 1)
    }

    /// The values as the digits 0 and 1, `f(0)` first.
    pub fn to_binary(&self) -> String {
        self.values().map(|value| if value { '1' } else { '0' }).collect()
    }

    /// Reads hexadecimal digits, in either case and with or without `0x`; white space, commas and underscores between them
    /// are left out. The number of variables is an argument, since functions of 0, 1 and 2 variables all have one digit;
    /// [`TruthTable::hex_variables`] gives it for the others.
    ///
    /// # Errors
    /// [`TableError::Digit`] with the position of another character; [`TableError::Length`] for another number of digits
    /// than `max(1, 2^n / 4)`; [`TableError::UnusedBits`] for a digit that is too large where `n < 2`;
    /// [`TableError::TooManyVariables`].
    pub fn from_hex(variables: u32, text: &str, order: HexOrder) -> Result<Self, TableError> {
        check_variables(variables)?;
        let mut digits = digits(text, 16)?;
        let expected = hex_digits(variables);
        if digits.len() as u64 != expected {
            let given = digits.len() as u64;
            return Err(TableError::Length { what: "hexadecimal digits", given, expected, variables });
        }
        match order {
            HexOrder::Integer => digits.reverse(),
            // A digit of a listing has its first value on top.
            HexOrder::Listing => {
                for digit in &mut digits {
                    *digit = if variables < 2 {
                        reversed(*digit << (4 - (1u32 << variables))) | (*digit >> (1u32 << variables) << 4)
                    } else {
                        reversed(*digit)
                    };
                }
            }
        }
        let mut words = room(word_count(variables), "a truth table")?;
        words.resize(word_count(variables), 0u64);
        for (i, &digit) in digits.iter().enumerate() {
            words[i / 16] |= u64::from(digit) << (4 * (i % 16));
        }
        if words[0] & !used_bits(variables) != 0 {
            return Err(TableError::UnusedBits { variables });
        }
        Ok(Self::of_words(variables, words))
    }

    /// The number of variables of the table that `text` holds in hexadecimal digits; one digit is taken for 2 variables.
    ///
    /// # Errors
    /// [`TableError::Digit`], [`TableError::NotPowerOfTwo`], [`TableError::TooManyVariables`].
    pub fn hex_variables(text: &str) -> Result<u32, TableError> {
        log_len(4 * digits(text, 16)?.len() as u64)
    }

    /// The table as `max(1, 2^n / 4)` hexadecimal digits in lower case.
    pub fn to_hex(&self, order: HexOrder) -> String {
        let count = hex_digits(self.variables());
        let digit = |i: u64| (self.words()[(i / 16) as usize] >> (4 * (i % 16)) & 15) as u8;
        let text = |digit: u8| char::from_digit(digit.into(), 16).unwrap_or('0');
        match order {
            HexOrder::Integer => (0..count).rev().map(|i| text(digit(i))).collect(),
            HexOrder::Listing => {
                let unused = if self.variables() < 2 { 4 - (1u32 << self.variables()) } else { 0 };
                (0..count).map(|i| text(reversed(digit(i)) >> unused)).collect()
            }
        }
    }
}

fn hex_digits(variables: u32) -> u64 {
    if variables < 2 { 1 } else { 1 << (variables - 2) }
}

/// The four bits of a digit in the other order; bits above them are dropped.
fn reversed(digit: u8) -> u8 {
    (digit & 15).reverse_bits() >> 4
}

/// The digits of a text.
fn digits(text: &str, radix: u32) -> Result<Vec<u8>, TableError> {
    let skipped = if radix == 16 && (text.trim_start().starts_with("0x") || text.trim_start().starts_with("0X")) {
        text.chars().count() - text.trim_start().chars().count() + 2
    } else {
        0
    };
    let mut digits = room(text.len(), "the digits of a truth table")?;
    for (position, character) in text.chars().enumerate().skip(skipped) {
        match character.to_digit(radix) {
            Some(digit) => digits.push(digit as u8),
            None if character.is_whitespace() || matches!(character, ',' | '_') => {}
            None => return Err(TableError::Digit { position: position as u64 + 1, found: character, radix }),
        }
    }
    Ok(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_orders() {
        // (1, 1, 0, 0, 0, 0, 1, 0) is 43 in Sage's order.
        let f = TruthTable::from_binary("1100 0010").unwrap();
        assert_eq!((f.to_hex(HexOrder::Integer), f.to_hex(HexOrder::Listing)), ("43".into(), "c2".into()));
        assert_eq!(TruthTable::from_hex(3, "0x43", HexOrder::Integer).unwrap(), f);
        assert_eq!(TruthTable::from_hex(3, " C2\n", HexOrder::Listing).unwrap(), f);
    }

    #[test]
    fn texts_read_back() {
        for variables in [0, 1, 2, 3, 5, 6, 7, 10] {
            let f = TruthTable::from_fn(variables, |x| (x * 2_654_435_761) >> 7 & 1 == 1).unwrap();
            let g = f.complement();
            for f in [f, g] {
                assert_eq!(TruthTable::from_binary(&f.to_binary()).unwrap(), f);
                for order in [HexOrder::Integer, HexOrder::Listing] {
                    assert_eq!(TruthTable::from_hex(variables, &f.to_hex(order), order).unwrap(), f, "{variables}");
                }
            }
        }
        assert_eq!(TruthTable::hex_variables("0x0123 4567 89ab cdef"), Ok(6));
    }

    #[test]
    fn bad_digits_are_named() {
        let error = |position, found, radix| Err(TableError::Digit { position, found, radix });
        assert_eq!(TruthTable::from_binary("01 21"), error(4, '2', 2));
        assert_eq!(TruthTable::from_hex(3, "0x4g", HexOrder::Integer), error(4, 'g', 16));
        assert_eq!(TruthTable::from_binary("011"), Err(TableError::NotPowerOfTwo { len: 3 }));
        assert_eq!(TruthTable::from_binary(""), Err(TableError::NotPowerOfTwo { len: 0 }));
        let length = TruthTable::from_hex(3, "123", HexOrder::Integer);
        assert!(matches!(length, Err(TableError::Length { given: 3, expected: 2, variables: 3, .. })));
        for order in [HexOrder::Integer, HexOrder::Listing] {
            assert_eq!(TruthTable::from_hex(1, "4", order), Err(TableError::UnusedBits { variables: 1 }));
            assert_eq!(TruthTable::from_hex(0, "2", order), Err(TableError::UnusedBits { variables: 0 }));
        }
        assert_eq!(TruthTable::from_hex(1, "1", HexOrder::Listing).unwrap().to_binary(), "01");
    }
}
