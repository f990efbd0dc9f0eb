//! Numbers as readers want them: seconds with a unit, powers of two, counts with groups of digits, significant digits; titles.

use maud::{Markup, html};

/// A title, which a narrow screen may break after each folder of a path, and within a word only where that does not do.
pub(crate) fn title(text: &str) -> Markup {
    html! { @for (at, part) in text.split_inclusive(['/', '\\']).enumerate() { @if at > 0 { wbr; } (part) } }
}

/// A number of seconds with a unit and three digits: `85.2 µs`. For any finite number; 0 is `0 s`.
pub fn seconds(value: f64) -> String {
    let (scaled, unit) = match value.abs() {
        0.0 => return "0 s".to_owned(),
        v if v < 0.9995e-6 => (value * 1e9, "ns"),
        v if v < 0.9995e-3 => (value * 1e6, "µs"),
        v if v < 0.9995 => (value * 1e3, "ms"),
        _ => (value, "s"),
    };
    format!("{} {unit}", significant(scaled))
}

/// A number with at least three significant digits, without an exponent, and without zeros that say nothing after the point.
pub fn significant(value: f64) -> String {
    let decimals = match value.abs() {
        v if v >= 99.95 || v == 0.0 => 0,
        v if v >= 9.995 => 1,
        v if v >= 0.9995 => 2,
        v if v >= 0.09995 => 3,
        v if v >= 0.000_999_5 => 5,
        _ => return if value.is_finite() { format!("{value:.2e}") } else { value.to_string() },
    };
    let text = format!("{value:.decimals$}").replace('-', "−");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A power of two with the exponent raised, as 2²⁴; other numbers as [`count`] has them.
pub fn power_of_two(value: f64) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let exponent = value.log2();
    if value < 1.0 || exponent.fract() != 0.0 {
        return count(value);
    }
    let raised: String = (exponent as u32).to_string().bytes().map(|digit| DIGITS[usize::from(digit - b'0')]).collect();
    format!("2{raised}")
}

/// A count with thin spaces between groups of three digits, as 1 048 576; numbers with a fraction as [`significant`] has them.
pub fn count(value: f64) -> String {
    if value.fract() != 0.0 || value.abs() >= 1e15 {
        return significant(value);
    }
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) && digits.len() > 4 {
            text.push('\u{2009}');
        }
        text.push(digit);
    }
    if value < 0.0 { format!("−{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::{count, power_of_two, seconds, significant, title};

    #[test]
    fn titles_break_between_folders() {
        assert_eq!(title("Schedule of a/b<c/j301_1.sm").0, "Schedule of a/<wbr>b&lt;c/<wbr>j301_1.sm");
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!(seconds(85.23e-6), "85.2 µs");
        assert_eq!(seconds(1.8e-3), "1.8 ms");
        assert_eq!(seconds(0.99996e-3), "1 ms");
        assert_eq!(seconds(4e-10), "0.4 ns");
        assert_eq!(seconds(0.0), "0 s");
        assert_eq!(significant(9.996), "10");
        assert_eq!(significant(1234.5), "1234");
        assert_eq!(significant(0.012), "0.012");
        assert_eq!(power_of_two(134_217_728.0), "2²⁷");
        assert_eq!(power_of_two(1000.0), "1000");
        assert_eq!(count(1_048_576.0), "1\u{2009}048\u{2009}576");
        assert_eq!(count(-12.0), "−12");
    }
}
