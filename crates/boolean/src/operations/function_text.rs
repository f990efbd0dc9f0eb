//! Boolean functions as texts: values, hexadecimal digits, normal forms, minterms.

use manycore_operation::{Arguments, Files, OperationError};

use super::read::{minterms, plain_text, table_error};
use crate::table::{Anf, HexOrder, TruthTable};

/// Reads the function.
pub(super) fn read(arguments: &Arguments, files: &mut dyn Files) -> Result<TruthTable, OperationError> {
    let text = plain_text(files, 0)?;
    let (file, format) = (files.name(0), arguments.word("format").unwrap_or("auto"));
    if format == "auto" && is_ambiguous(&text) {
        return Err(OperationError::usage(format!(
            "{file}: several decimal numbers are hexadecimal digits or minterms: --format hex or --format minterms tells which"
        )));
    }
    let variables = arguments.number("variables").and_then(|variables| u32::try_from(variables).ok());
    parse(&file, &text, format, variables)
}

/// The function of a text, of which `format` says how it is read.
fn parse(file: &str, text: &str, format: &str, variables: Option<u32>) -> Result<TruthTable, OperationError> {
    let format = match format {
        "auto" => {
            let hexadecimal = text.trim_start().starts_with("0x") || text.trim_start().starts_with("0X");
            if text.chars().all(|c| matches!(c, '0' | '1' | ',' | '_') || c.is_whitespace()) {
                "binary"
            } else if !hexadecimal && text.contains(['x', 'X', '+']) {
                "anf"
            } else {
                "hex"
            }
        }
        format => format,
    };
    let hex = |order| {
        let variables = variables.map_or_else(|| TruthTable::hex_variables(text), Ok)?;
        TruthTable::from_hex(variables, text, order)
    };
    let table = match format {
        "auto" | "binary" => TruthTable::from_binary(text),
        "hex" => hex(HexOrder::Integer),
        "hex-listing" => hex(HexOrder::Listing),
        "anf" => Anf::parse(text, variables).map(|anf| anf.truth_table()),
        _ => {
            let minterms = minterms(file, text)?;
            let needed = minterms.iter().max().and_then(|most| most.checked_ilog2()).map_or(0, |log| log + 1);
            TruthTable::from_minterms(variables.unwrap_or(needed), &minterms)
        }
    };
    table.map_err(|error| table_error(file, text, error).into())
}

/// Whether a text without a format has several decimal numbers and a digit other than 0 and 1.
fn is_ambiguous(text: &str) -> bool {
    let mut words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let decimal = text.chars().all(|c| c.is_ascii_digit() || c == ',' || c.is_whitespace());
    decimal && text.contains(|c| matches!(c, '2'..='9')) && words.nth(1).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_told_apart() {
        let auto = |text: &str| parse("f", text, "auto", None).unwrap().to_binary();
        assert_eq!(auto("0001 0111"), "00010111");
        assert_eq!(auto("x1x2 + x1 x3 + x2*x3"), "00010111");
        assert_eq!(auto("e8"), "00010111");
        assert_eq!(auto("0xe8"), "00010111");
        let of = |text: &str, format: &str, variables| parse("f", text, format, variables).unwrap().to_binary();
        assert_eq!(of("17", "hex-listing", None), "00010111");
        assert_eq!(of("10", "hex", None), "00001000");
        assert_eq!(of("2", "hex", Some(1)), "01");
        assert_eq!(of("3, 5 6\n7", "minterms", None), "00010111");
        assert_eq!(of("", "minterms", Some(1)), "00");
        assert_eq!(of("x1", "anf", Some(2)), "0101");
        assert!(parse("f", "3 x", "minterms", None).is_err());
    }

    #[test]
    fn several_decimal_numbers_need_a_format() {
        for text in ["3 5 6 7", "3,5", "0 1 2", "10 20", "0113 0779"] {
            assert!(is_ambiguous(text), "{text}");
        }
        for text in ["", "0 1", "1 10", "0011 0101", "3567", "0x3567 89", "e8 17", "3 5 a", "x1 x2 + 1", "3 _ 5"] {
            assert!(!is_ambiguous(text), "{text}");
        }
    }
}
