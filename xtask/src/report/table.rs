//! A table, and how numbers stand in it.

/// A table: the first `names` columns are text, the others numbers.
pub(crate) struct Table {
    /// What stands above it.
    pub(crate) title: String,
    /// The columns' heads.
    pub(crate) head: Vec<&'static str>,
    /// The rows, as long as the head.
    pub(crate) rows: Vec<Vec<String>>,
    /// Columns of text at the left.
    pub(crate) names: usize,
}

pub(super) const NONE: &str = "–";

pub(super) fn time(value: Option<f64>) -> String {
    value.map_or(NONE.into(), seconds)
}

pub(super) fn number(value: Option<u64>) -> String {
    value.map_or(NONE.into(), |value| value.to_string())
}

pub(super) fn or_none(text: &str) -> String {
    if text.is_empty() { NONE.into() } else { text.to_owned() }
}

/// A number of seconds with a unit and three digits: `85.2 µs`.
pub(super) fn seconds(value: f64) -> String {
    let (scaled, unit) = match value {
        v if v < 1e-6 => (v * 1e9, "ns"),
        v if v < 1e-3 => (v * 1e6, "µs"),
        v if v < 1.0 => (v * 1e3, "ms"),
        v => (v, "s"),
    };
    format!("{} {unit}", three_digits(scaled))
}

/// A number with at least three significant digits and no exponent, for values that a prefix has made small.
pub(super) fn three_digits(value: f64) -> String {
    let decimals = match value.abs() {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        v if v >= 0.9995 => 2,
        _ => 3,
    };
    format!("{value:.decimals$}")
}

/// A length, as a power of two with the exponent raised: 2²⁴.
pub(super) fn power_of_two(exponent: u32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = exponent.to_string().bytes().map(|digit| DIGITS[(digit - b'0') as usize]).collect::<String>();
    format!("2{raised}")
}

#[cfg(test)]
mod tests {
    use super::{power_of_two, seconds, three_digits};

    #[test]
    fn numbers_are_readable() {
        assert_eq!(seconds(85.23e-6), "85.2 µs");
        assert_eq!(seconds(1.8e-3), "1.80 ms");
        assert_eq!(seconds(7.0), "7.00 s");
        assert_eq!(seconds(4e-10), "0.400 ns");
        assert_eq!(three_digits(9.996), "10.0");
        assert_eq!(three_digits(1234.5), "1234");
        assert_eq!(power_of_two(27), "2²⁷");
    }
}
