//! Headers of `.npy` files: a Python dictionary with the type, the order and the shape, as versions 1 to 3 of the format have it
//! (`NumPy` enhancement proposal 1).

use std::io::{self, Read};

use npyz::{DType, NpyHeader, TypeChar};

use crate::npy::MAGIC;
use crate::shown::shown;

/// The longest header that is read. One of a vector of numbers takes at most 192 bytes.
const LONGEST_HEADER: usize = 4096;

/// The deepest brackets that are read. A vector's header has two levels; the time of `npyz`'s parser is exponential in them.
const DEEPEST_BRACKETS: usize = 4;

pub(crate) fn not_npy(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "ends within the header of a .npy file".to_owned(),
        _ => format!("no header of a .npy file: {error}"),
    }
}

/// The magic, version, length and text of the header, with a bound on the length so that a broken one costs nothing.
pub(crate) fn header_bytes(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let invalid = |reason: String| io::Error::new(io::ErrorKind::InvalidData, reason);
    let mut bytes = vec![0; 10];
    reader.read_exact(&mut bytes)?;
    if !bytes.starts_with(MAGIC) {
        return Err(invalid("its first bytes are others".into()));
    }
    let len = if bytes[6] == 1 {
        u32::from(u16::from_le_bytes([bytes[8], bytes[9]]))
    } else {
        let mut high = [0; 2];
        reader.read_exact(&mut high)?;
        bytes.extend(high);
        u32::from_le_bytes([bytes[8], bytes[9], high[0], high[1]])
    } as usize;
    if len > LONGEST_HEADER {
        return Err(invalid(format!("{len} bytes, where {LONGEST_HEADER} are enough")));
    }
    let start = bytes.len();
    bytes.resize(start + len, 0);
    reader.read_exact(&mut bytes[start..])?;
    if depth(&bytes[start..]) > DEEPEST_BRACKETS {
        return Err(invalid("its brackets are too deep".into()));
    }
    Ok(bytes)
}

/// How deep brackets open in a text.
fn depth(text: &[u8]) -> usize {
    let open = text.iter().scan(0usize, |open, byte| {
        match byte {
            b'(' | b'[' | b'{' => *open += 1,
            b')' | b']' | b'}' => *open = open.saturating_sub(1),
            _ => {}
        }
        Some(*open)
    });
    open.max().unwrap_or(0)
}

/// A header that is read.
pub(crate) struct Header {
    pub(crate) npy: NpyHeader,
    /// Whether the numbers are of 16 bits in floating point, which the header then has as integers of 16 bits.
    pub(crate) is_half: bool,
}

/// The shape of a header's text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Sizes whose product fits a word.
    Sizes(Vec<u64>),
    /// Sizes whose product does not.
    Endless(Vec<u64>),
}

impl Shape {
    /// The sizes.
    pub(crate) fn sizes(&self) -> &[u64] {
        let (Self::Sizes(sizes) | Self::Endless(sizes)) = self;
        sizes
    }
}

/// Sizes as Python writes a tuple of them, without its parentheses.
pub(crate) fn tuple(sizes: &[u64]) -> String {
    let words: Vec<String> = sizes.iter().map(u64::to_string).collect();
    format!("{}{}", words.join(", "), if sizes.len() == 1 { "," } else { "" })
}

/// Where the value of a key stands in a header's text.
fn value_of(text: &str, key: &str) -> Option<std::ops::Range<usize>> {
    let at = text.find(&format!("'{key}'")).or_else(|| text.find(&format!("\"{key}\"")))? + key.len() + 2;
    let colon = at + text[at..].find(':')? + 1;
    let begin = colon + (text[colon..].len() - text[colon..].trim_start().len());
    let mut open = 0usize;
    let len = text[begin..].char_indices().find_map(|(at, letter)| {
        match letter {
            '(' | '[' => open += 1,
            ')' | ']' => {
                open = open.saturating_sub(1);
                return (open == 0).then_some(at + 1);
            }
            ',' | '}' if open == 0 => return Some(at),
            _ => {}
        }
        None
    })?;
    Some(begin..begin + text[begin..][..len].trim_end().len())
}

/// The shape in a header's bytes, and its byte range. It is parsed before the whole header, since the product of corrupt sizes may overflow
/// a word; Python 2 writes long integers with an `L`.
pub(crate) fn shape(header: &[u8]) -> Result<(Shape, std::ops::Range<usize>), String> {
    let start = text_start(header);
    // What is no UTF-8 stands behind the positions before it alike only if it is kept byte for byte.
    let Ok(text) = std::str::from_utf8(&header[start..]) else { return Err(NO_DICTIONARY.to_owned()) };
    let place = value_of(text, "shape").ok_or(NO_DICTIONARY)?;
    let written = &text[place.clone()];
    let no_tuple =
        || format!("the shape {} in the header of a .npy file is no tuple of whole numbers below 2^64", shown(written));
    let inner = written.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
    let inner = inner.or_else(|| written.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')));
    let inner = inner.ok_or_else(no_tuple)?.trim();
    let is_number = |word: &str| !word.contains(',') && !word.is_empty();
    if written.starts_with('(') && is_number(inner) {
        return Err(no_tuple());
    }
    let size = |word: &str| {
        let word = word.trim();
        let digits = word.strip_suffix(['L', 'l']).unwrap_or(word);
        if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse::<u64>().ok() } else { None }
    };
    let inner = inner.strip_suffix(',').filter(|sizes| !sizes.trim().is_empty()).unwrap_or(inner);
    let sizes: Option<Vec<u64>> =
        if inner.trim().is_empty() { Some(Vec::new()) } else { inner.split(',').map(size).collect() };
    let sizes = sizes.ok_or_else(no_tuple)?;
    let fits = sizes.iter().try_fold(1u64, |product, &size| product.checked_mul(size)).is_some();
    Ok((if fits { Shape::Sizes(sizes) } else { Shape::Endless(sizes) }, start + place.start..start + place.end))
}

/// What is said of headers that are no dictionary of theirs.
const NO_DICTIONARY: &str = "no header of a .npy file: it is no dictionary of descr, fortran_order and shape";

/// Where the text of a header begins among its bytes.
fn text_start(header: &[u8]) -> usize {
    if header.get(6) == Some(&1) { 10 } else { 12 }.min(header.len())
}

/// Interprets a header's bytes, whose shape `sizes` stands in the byte range `place`.
pub(crate) fn interpret(mut header: Vec<u8>, sizes: &[u64], place: std::ops::Range<usize>) -> Result<Header, String> {
    // The sizes without an `L`, which take no more bytes; blanks may follow.
    let plain = format!("({})", tuple(sizes));
    if plain.len() <= place.len() {
        header[place.clone()].fill(b' ');
        header[place.start..][..plain.len()].copy_from_slice(plain.as_bytes());
    }
    let read = |header: &[u8]| NpyHeader::from_reader(header).map_err(|_| NO_DICTIONARY.to_owned());
    let npy = read(&header)?;
    let is_half =
        matches!(npy.dtype(), DType::Plain(plain) if plain.type_char() == TypeChar::Float && plain.size_field() == 2);
    if !is_half {
        return Ok(Header { npy, is_half });
    }
    let start = text_start(&header);
    let descr = std::str::from_utf8(&header[start..]).ok().and_then(|text| {
        let place = value_of(text, "descr")?;
        Some(start + place.start + text[place].find('f')?)
    });
    header[descr.ok_or(NO_DICTIONARY)?] = b'u';
    Ok(Header { npy: read(&header)?, is_half })
}

/// The number of the 16 bits of IEEE 754 binary16: a sign, five bits of the exponent, ten of the mantissa.
pub(crate) fn half(bits: u16) -> f64 {
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff));
    let size = match exponent {
        0 => mantissa * 2f64.powi(-24),
        31 if mantissa == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (mantissa + 1024.0) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1, 0]);
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes
    }

    fn shape_of(written: &str) -> Result<Vec<u64>, String> {
        let bytes = header(&format!("{{'descr': '<i8', 'fortran_order': False, 'shape': {written}, }}"));
        let (shape, place) = shape(&bytes)?;
        assert_eq!(&bytes[place.clone()], written.as_bytes());
        if let Shape::Sizes(sizes) = &shape {
            assert_eq!(interpret(bytes, sizes, place).unwrap().npy.shape(), sizes);
        }
        Ok(shape.sizes().to_vec())
    }

    #[test]
    fn shapes_are_tuples_of_whole_numbers() {
        for (written, sizes) in [
            ("()", &[][..]),
            ("(4,)", &[4]),
            ("(4L,)", &[4]),
            ("(2L, 3L)", &[2, 3]),
            ("( 2 ,3 )", &[2, 3]),
            ("[5]", &[5]),
            ("(1099511627776, 1099511627776)", &[1 << 40, 1 << 40]),
        ] {
            assert_eq!(shape_of(written), Ok(sizes.to_vec()), "{written}");
        }
        for written in
            ["(4)", "4", "(np.int64(4),)", "(-1,)", "(1.5,)", "(,)", "(1,,2)", "(18446744073709551616,)", "('a',)"]
        {
            let message =
                format!("the shape {written} in the header of a .npy file is no tuple of whole numbers below 2^64");
            assert_eq!(shape_of(written), Err(message), "{written}");
        }
        assert_eq!(shape(&header("{}")).unwrap_err(), NO_DICTIONARY);
        assert_eq!(shape(&header("{'shape': (1,")).unwrap_err(), NO_DICTIONARY);
    }

    #[test]
    fn numbers_of_16_bits() {
        for (bits, value) in [
            (0, 0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0400, 2f64.powi(-14)),
            (0x0001, 2f64.powi(-24)),
            (0x3555, 0.333_251_953_125),
            (0xfc00, f64::NEG_INFINITY),
        ] {
            assert_eq!(half(bits).to_bits(), f64::to_bits(value), "{bits:#x}");
        }
        assert!(half(0x7e00).is_nan() && half(0x8000).is_sign_negative());
    }
}
