//! Values as base64: bytes that are places in a list of values where there are at most 256 different ones, else 32-bit floats.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The number of different values that a byte encodes.
const MOST_DIFFERENT: usize = 256;

/// Values as text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Encoded {
    /// `bytes` or `floats`, little-endian.
    pub(super) form: &'static str,
    /// What bytes stand for; `None` (null) for what is not finite.
    pub(super) dictionary: Vec<Option<f64>>,
    pub(super) text: String,
}

pub(super) fn encode(values: &[f64]) -> Encoded {
    let mut places: HashMap<u64, u8> = HashMap::new();
    let mut dictionary = Vec::new();
    let mut bytes = Vec::with_capacity(values.len());
    for &value in values {
        let place = match places.get(&value.to_bits()) {
            Some(&place) => place,
            None if dictionary.len() == MOST_DIFFERENT => {
                let floats: Vec<u8> = values.iter().flat_map(|&value| (value as f32).to_le_bytes()).collect();
                return Encoded { form: "floats", dictionary: Vec::new(), text: STANDARD.encode(floats) };
            }
            None => {
                let place = dictionary.len() as u8;
                dictionary.push(value.is_finite().then_some(value));
                places.insert(value.to_bits(), place);
                place
            }
        };
        bytes.push(place);
    }
    Encoded { form: "bytes", dictionary, text: STANDARD.encode(bytes) }
}

#[cfg(test)]
mod tests {
    use super::encode;

    #[test]
    fn few_values_are_bytes_and_many_are_floats() {
        let few = encode(&[2.5, -1.0, 2.5, f64::INFINITY]);
        assert_eq!((few.form, few.text.as_str()), ("bytes", "AAEAAg=="));
        assert_eq!(few.dictionary, [Some(2.5), Some(-1.0), None]);
        let all: Vec<f64> = (0..256).map(f64::from).collect();
        assert_eq!(encode(&all).form, "bytes");
        let more: Vec<f64> = (0..257).map(f64::from).collect();
        let more = encode(&more);
        assert_eq!((more.form, more.dictionary.len(), more.text.len()), ("floats", 0, (257 * 4usize).div_ceil(3) * 4));
    }
}
