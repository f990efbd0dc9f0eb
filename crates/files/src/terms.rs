//! Polynomials written as sums of terms, by falling degree.

use std::io::{self, Write};

/// Writes the polynomial with these coefficients, the constant term first, as the sum of its terms by falling degree: `x^2 - 3*x + 1/2`;
/// `0` where all are zero. Each coefficient is appended to a text, none of a zero.
///
/// ```
/// let mut text = Vec::new();
/// let push = |&c: &i32, text: &mut String| if c != 0 { text.push_str(&c.to_string()) };
/// manycore_files::write_terms(&mut text, "x", &[-2, 0, -1, 1], push).unwrap();
/// assert_eq!(text, b"x^3 - x^2 - 2");
/// ```
///
/// # Errors
/// Those of `out`.
pub fn write_terms<C>(
    out: &mut (impl Write + ?Sized),
    variable: &str,
    coefficients: &[C],
    push: impl Fn(&C, &mut String),
) -> io::Result<()> {
    let (mut is_first, mut number) = (true, String::new());
    for (degree, coefficient) in coefficients.iter().enumerate().rev() {
        number.clear();
        push(coefficient, &mut number);
        if number.is_empty() {
            continue;
        }
        let (sign, size) = match number.strip_prefix('-') {
            Some(size) => (if is_first { "-" } else { " - " }, size),
            None => (if is_first { "" } else { " + " }, number.as_str()),
        };
        is_first = false;
        out.write_all(sign.as_bytes())?;
        if degree == 0 || size != "1" {
            out.write_all(size.as_bytes())?;
        }
        if degree > 0 {
            let times = if size == "1" { "" } else { "*" };
            write!(out, "{times}{variable}")?;
        }
        if degree > 1 {
            write!(out, "^{degree}")?;
        }
    }
    if is_first { out.write_all(b"0") } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_ones_and_zeros_have_no_words_too_many() {
        let text = |coefficients: &[&str]| {
            let mut text = Vec::new();
            let push = |c: &&str, text: &mut String| text.push_str(c);
            write_terms(&mut text, "y", coefficients, push).unwrap();
            String::from_utf8(text).unwrap()
        };
        assert_eq!(text(&[]), "0");
        assert_eq!(text(&["", ""]), "0");
        assert_eq!(text(&["1"]), "1");
        assert_eq!(text(&["-1", "-1", "-1"]), "-y^2 - y - 1");
        assert_eq!(text(&["1/2", "", "-3/4"]), "-3/4*y^2 + 1/2");
        assert_eq!(text(&["", "Mod(1, 7)"]), "Mod(1, 7)*y");
    }
}
