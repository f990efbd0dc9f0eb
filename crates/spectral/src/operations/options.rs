//! Options that several operations have.

use manycore_operation::vector::NumberType;
use manycore_operation::{Arguments, DeclaredOption, Input, OperationError, OptionKind, Range};

use crate::walsh::Algorithm;
use crate::{BitOrder, Direction};

/// The values of vectors.
pub(super) const VALUES: &[Input] = &[Input::vector(
    "file",
    "FILE",
    "The values: text (numbers separated by white space or commas, # begins a comment) or .npy; - is standard input",
)];

/// Integers modulo a power of two.
pub(super) const WRAP: DeclaredOption = DeclaredOption::flag(
    "wrap",
    "Let integers wrap modulo 2^32 or 2^64, where otherwise a spectrum that might not fit its type is refused",
);

/// The length of one transform.
pub(super) const BATCH: DeclaredOption = DeclaredOption {
    value: OptionKind::Count { value_name: "LEN", range: Range::Long, is_required: false, default: None },
    ..DeclaredOption::flag(
        "batch",
        "Length of one transform: each run of LEN values is transformed separately; a power of two",
    )
};

/// The algorithms of the passes of the Walsh-Hadamard transform.
pub(super) const ALGORITHM: DeclaredOption = DeclaredOption {
    value: OptionKind::Word {
        value_name: "ALGORITHM",
        words: &[
            ("cooley-tukey", "In place, natural order by itself; other orders by a permutation afterwards"),
            (
                "constant-geometry",
                "Between two buffers that swap, reversed orders (and sequency) by itself, without a permutation",
            ),
        ],
        default: None,
    },
    ..DeclaredOption::flag(
        "algorithm",
        "How to compute: in place, or between two buffers; without it, the one that suits the order",
    )
};

/// The types of numbers.
pub(super) const TYPE: DeclaredOption = DeclaredOption {
    value: OptionKind::Word { value_name: "TYPE", words: NumberType::WORDS, default: None },
    ..DeclaredOption::flag(
        "type",
        "Compute in this type; without it, i64 for integers, f64 for text with fractions, an array's own floating-point type",
    )
};

/// The orders of Reed-Muller and arithmetic spectra.
pub(super) const BIT_ORDER: DeclaredOption = DeclaredOption {
    value: OptionKind::Word {
        value_name: "ORDER",
        words: &[("natural", ""), ("reversed", "")],
        default: Some("natural"),
    },
    ..DeclaredOption::flag("order", "The order of the coefficients")
};

/// The variables that are complemented.
pub(super) const POLARITY: DeclaredOption = DeclaredOption {
    value: OptionKind::Text {
        value_name: "POLARITY",
        check: |text| polarity(text).map(drop),
        default: Some("0"),
        is_required: false,
    },
    ..DeclaredOption::flag(
        "polarity",
        "The variables that stand complemented in the polynomial, by the set bits; decimal, or hexadecimal after 0x",
    )
};

/// Reads a polarity: a decimal number, or a hexadecimal one after `0x`.
fn polarity(text: &str) -> Result<u64, String> {
    let number = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) if !digits.starts_with('+') => u64::from_str_radix(digits, 16),
        Some(_) => return Err(format!("`{text}` is no number")),
        None => text.parse(),
    };
    number.map_err(|_| format!("`{text}` is no number below 2^64, decimal or hexadecimal after 0x"))
}

/// The polarity of the option, for functions of `variables` variables.
///
/// # Errors
/// A polarity with bits past the variables.
pub(super) fn polarity_of(arguments: &Arguments, variables: u32) -> Result<u64, OperationError> {
    let polarity = arguments.text("polarity").map_or(Ok(0), polarity);
    let polarity = polarity.map_err(|reason| OperationError::usage(format!("--polarity: {reason}")))?;
    if polarity.checked_shr(variables).unwrap_or(0) != 0 {
        let message = format!("--polarity {polarity:#x}: the functions have {variables} variables");
        return Err(OperationError::usage(message));
    }
    Ok(polarity)
}

/// A number that is a size.
pub(super) fn size(arguments: &Arguments, name: &str) -> Option<usize> {
    arguments.number(name).map(|number| usize::try_from(number).unwrap_or(usize::MAX))
}

/// The direction in the options.
pub(super) fn direction(arguments: &Arguments) -> Direction {
    if arguments.is_given("inverse") { Direction::Inverse } else { Direction::Forward }
}

/// The name of a direction.
pub(super) const fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::Forward => "forward",
        Direction::Inverse => "inverse",
    }
}

/// The order of a Reed-Muller or arithmetic spectrum in the options.
pub(super) fn bit_order(arguments: &Arguments) -> BitOrder {
    arguments.word("order").and_then(|word| word.parse().ok()).unwrap_or_default()
}

/// The algorithm in the options, if any.
pub(super) fn algorithm(arguments: &Arguments) -> Option<Algorithm> {
    arguments.word("algorithm").map(|word| match word {
        "constant-geometry" => Algorithm::ConstantGeometry,
        _ => Algorithm::CooleyTukey,
    })
}

/// The name of an algorithm.
pub(super) const fn algorithm_name(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::CooleyTukey => "cooley-tukey",
        Algorithm::ConstantGeometry => "constant-geometry",
    }
}

/// The algorithm that suits an order of Reed-Muller and arithmetic spectra.
pub(super) const fn suited(order: BitOrder) -> Algorithm {
    match order {
        BitOrder::Natural => Algorithm::CooleyTukey,
        BitOrder::Reversed => Algorithm::ConstantGeometry,
    }
}

#[cfg(test)]
mod tests {
    use manycore_operation::Setting;

    use super::*;

    #[test]
    fn words_are_the_names_of_what_they_stand_for() {
        for algorithm_of in [Algorithm::CooleyTukey, Algorithm::ConstantGeometry] {
            let arguments = Arguments::new().with("algorithm", Setting::Word(algorithm_name(algorithm_of)));
            assert_eq!(algorithm(&arguments), Some(algorithm_of));
        }
        let OptionKind::Word { words, .. } = BIT_ORDER.value else { panic!("words") };
        assert!(words.iter().map(|(word, _)| *word).eq(BitOrder::ALL.map(BitOrder::name)));
        for order in BitOrder::ALL {
            assert_eq!(bit_order(&Arguments::new().with("order", Setting::Word(order.name()))), order);
        }
    }

    #[test]
    fn polarities_are_decimal_or_hexadecimal() {
        assert_eq!(polarity("13"), Ok(13));
        assert_eq!(polarity("0x1F"), Ok(31));
        assert_eq!(polarity("18446744073709551615"), Ok(u64::MAX));
        for wrong in ["", "-1", "0x", "x", "0x+1", "18446744073709551616", "1.5"] {
            assert!(polarity(wrong).is_err(), "{wrong}");
        }
        let of = |text: &str, variables| {
            let arguments = Arguments::new().with("polarity", Setting::Text(text.to_owned()));
            polarity_of(&arguments, variables).map_err(|error| error.to_string())
        };
        assert_eq!((of("7", 3), of("7", 64)), (Ok(7), Ok(7)));
        assert_eq!(of("8", 3), Err("--polarity 0x8: the functions have 3 variables".into()));
    }
}
