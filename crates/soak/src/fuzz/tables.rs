//! Boolean functions in every format, and S-boxes.

use manycore::{Anf, HexOrder, SBox, TruthTable};

use super::file::{text, told};

/// Functions of more variables take long to print.
const MOST_VARIABLES: u32 = 16;

/// Digits 0 and 1.
pub(super) fn binary(data: &[u8]) -> bool {
    let Some(text) = text(data) else { return false };
    match TruthTable::from_binary(text) {
        Ok(f) => {
            assert_eq!(TruthTable::from_binary(&f.to_binary()).as_ref(), Ok(&f));
            let values: Vec<u8> = f.values().map(u8::from).collect();
            assert_eq!(TruthTable::from_values(&values).as_ref(), Ok(&f));
            assert_eq!(TruthTable::from_words(f.variables(), f.words().to_vec()), Ok(f));
            true
        }
        Err(error) => told(error),
    }
}

/// Hexadecimal digits in both orders; the first byte is the number of variables, or leaves it to the digits.
pub(super) fn hex(data: &[u8]) -> bool {
    let Some((&first, data)) = data.split_first() else { return false };
    let Some(text) = text(data) else { return false };
    let variables = match TruthTable::hex_variables(text) {
        _ if first < 40 => u32::from(first),
        Ok(variables) => variables,
        Err(error) => return told(error),
    };
    let mut taken = false;
    for order in [HexOrder::Integer, HexOrder::Listing] {
        match TruthTable::from_hex(variables, text, order) {
            Ok(f) => {
                taken = true;
                assert_eq!(f.variables(), variables);
                assert_eq!(TruthTable::from_hex(variables, &f.to_hex(order), order), Ok(f));
            }
            Err(error) => {
                told(error);
            }
        }
    }
    taken
}

/// Indices of ones; the first byte is the number of variables.
pub(super) fn minterms(data: &[u8]) -> bool {
    let Some((&first, data)) = data.split_first() else { return false };
    let numbers: Vec<u64> =
        text(data).unwrap_or_default().split([' ', ',', '\n']).filter_map(|n| n.parse().ok()).collect();
    let variables = if first > 200 { first.into() } else { u32::from(first) % (MOST_VARIABLES + 1) };
    match TruthTable::from_minterms(variables, &numbers) {
        Ok(f) => {
            let mut expected = numbers;
            expected.sort_unstable();
            expected.dedup();
            assert!(f.minterms().eq(expected.iter().copied()), "other minterms come back");
            true
        }
        Err(error) => told(error),
    }
}

/// Normal forms; the first byte is the number of variables, or leaves it to the text.
pub(super) fn anf(data: &[u8]) -> bool {
    let Some((&first, data)) = data.split_first() else { return false };
    let Some(text) = text(data) else { return false };
    let given = u32::from(first) % (MOST_VARIABLES + 2);
    let mut variables = (given <= MOST_VARIABLES).then_some(given);
    // A table of 34 variables takes 2 GiB: a text with such a number gets few variables; only larger numbers, which are refused, stay.
    let largest = text.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<u64>().ok()).max();
    if largest.is_some_and(|most| (u64::from(MOST_VARIABLES)..=34).contains(&most)) {
        variables = Some(MOST_VARIABLES);
    }
    match Anf::parse(text, variables) {
        Ok(form) => {
            assert!(variables.is_none_or(|variables| variables == form.variables()));
            let printed = form.to_string();
            let again = Anf::parse(&printed, form.variables());
            assert_eq!(again.as_ref(), Ok(&form), "another form comes back from {printed:?}");
            assert_eq!(form.truth_table().anf(), form);
            true
        }
        Err(error) => told(error),
    }
}

/// S-boxes in decimal and in hexadecimal numbers.
pub(super) fn s_box(data: &[u8]) -> bool {
    let Some(text) = text(data) else { return false };
    let mut taken = false;
    for radix in [10, 16] {
        match SBox::parse(text, radix) {
            Ok(sbox) => {
                taken = true;
                let number = |&value: &u16| if radix == 16 { format!("{value:x}") } else { value.to_string() };
                let printed: Vec<String> = sbox.values().iter().map(number).collect();
                let again = SBox::parse(&printed.join(" "), radix);
                assert_eq!(again.ok().as_ref().map(SBox::values), Some(sbox.values()));
                assert!(sbox.values().iter().all(|&value| usize::from(value) < sbox.outputs()));
                if let Ok(inverse) = sbox.inverse() {
                    assert_eq!(inverse.inverse().ok().as_ref().map(SBox::values), Some(sbox.values()));
                }
            }
            Err(error) => {
                told(error);
            }
        }
    }
    taken
}
