//! Products as text, such as `h12 x walsh^10`.

use crate::error::ParseError;
use crate::factor::{Factor, LARGEST_ORDER, LARGEST_SIGN_ORDER};
use crate::product::KroneckerProduct;
use crate::values::Values;

/// The most factors of one power.
const MOST_FACTORS: usize = 64;

/// The product that a text describes: names of factors between signs `x`, each with an exponent if it occurs several times
/// in a row. Case and white space do not count.
///
/// | name | factor |
/// |---|---|
/// | `walsh` | [`Factor::walsh`] |
/// | `rm`, `reed-muller` | [`Factor::reed_muller`] |
/// | `arith`, `arithmetic` | [`Factor::arithmetic`] |
/// | `arith-inverse`, `arithmetic-inverse` | [`Factor::arithmetic_inverse`] |
/// | `h12` | [`Factor::hadamard`] of order 12 |
/// | `dft3` | [`Factor::fourier`] of order 3 |
/// | `id` | [`Factor::identity`] of order 2 |
/// | `id5` | the identity of order 5 |
///
/// ```
/// use manycore_kronecker::{Integers, parse};
/// let product = parse(&Integers::<i32>::new(), "id^2 x h12 x walsh^3")?;
/// assert_eq!((product.order(), product.factors().len()), (4 * 12 * 8, 6));
/// # Ok::<(), manycore_kronecker::ParseError>(())
/// ```
///
/// # Errors
/// [`ParseError`] names the part that is wrong; an empty text is the product of no factors.
#[inline(never)]
pub fn parse<V: Values>(values: &V, text: &str) -> Result<KroneckerProduct<V>, ParseError> {
    let text: String = text.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    let mut factors = Vec::new();
    if !text.is_empty() {
        for (place, part) in text.split('x').enumerate() {
            if part.is_empty() {
                return Err(ParseError::Missing { place: place + 1 });
            }
            let (name, count) = match part.split_once('^') {
                None => (part, 1),
                Some((name, exponent)) => (name, number(part, exponent, "the exponent", MOST_FACTORS)?),
            };
            factors.extend(vec![factor(values, name)?; count]);
        }
    }
    Ok(KroneckerProduct::new(values, factors)?)
}

fn number(text: &str, digits: &str, what: &'static str, limit: usize) -> Result<usize, ParseError> {
    let read = digits.parse().ok().filter(|&n| (1..=limit).contains(&n));
    read.ok_or(ParseError::Number { text: text.to_owned(), what, limit })
}

fn factor<V: Values>(values: &V, name: &str) -> Result<Factor<V>, ParseError> {
    let wrong = |error| ParseError::Factor { name: name.to_owned(), error };
    let split = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
    let order = |limit| number(name, &name[split..], "the order", limit);
    match &name[..split] {
        "walsh" if split == name.len() => Ok(Factor::walsh(values)),
        "rm" | "reed-muller" if split == name.len() => Ok(Factor::reed_muller(values)),
        "arith" | "arithmetic" if split == name.len() => Ok(Factor::arithmetic(values)),
        "arith-inverse" | "arithmetic-inverse" if split == name.len() => Ok(Factor::arithmetic_inverse(values)),
        "h" => Factor::hadamard(values, order(LARGEST_SIGN_ORDER)?).map_err(wrong),
        "dft" => Factor::fourier(values, order(LARGEST_ORDER)?).map_err(wrong),
        "id" if split == name.len() => Factor::identity(2).map_err(wrong),
        "id" => Factor::identity(order(usize::MAX)?).map_err(wrong),
        _ => Err(ParseError::Unknown { name: name.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::Complexes;
    use manycore_field::Integers;

    #[test]
    fn texts_are_products() {
        let ring = Integers::<i32>::new();
        let walsh = Factor::walsh(&ring);
        assert_eq!(parse(&ring, "").unwrap(), KroneckerProduct::new(&ring, vec![]).unwrap());
        assert_eq!(parse(&ring, "Walsh ^ 3").unwrap(), KroneckerProduct::power(&ring, &walsh, 3).unwrap());
        let found = parse(&ring, "h12 x walsh x arith-inverse x id7 x rm").unwrap();
        let orders: Vec<usize> = found.factors().iter().map(Factor::order).collect();
        assert_eq!(orders, [12, 2, 2, 7, 2]);
        assert!(found.factors()[3].is_identity());
        assert_eq!(parse(&Complexes::<f32>::new(), "dft3^8").unwrap().order(), 6561);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let ring = Integers::<i32>::new();
        let error = |text: &str| parse(&ring, text).unwrap_err();
        assert_eq!(error("walsh x x rm"), ParseError::Missing { place: 2 });
        assert_eq!(error("walsh x haar"), ParseError::Unknown { name: "haar".into() });
        assert_eq!(error("walsh2"), ParseError::Unknown { name: "walsh2".into() });
        assert!(matches!(error("walsh^0"), ParseError::Number { what: "the exponent", limit: 64, .. }));
        assert!(matches!(error("h"), ParseError::Number { what: "the order", limit: 32, .. }));
        assert!(error("h13").to_string().starts_with("h13: no Hadamard matrix of order 13: the orders are 1, 2"));
        assert!(error("dft3").to_string().contains("complex numbers have all orders"));
        assert!(matches!(error("h12^60"), ParseError::Product(_)));
        assert!(matches!(error("id0"), ParseError::Number { .. }));
    }
}
