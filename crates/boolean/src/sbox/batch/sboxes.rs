//! Batches of S-boxes: a list of any shapes, or the outputs of equal shapes in one array.

use manycore_device::Buffer;

use crate::error::TableError;
use crate::sbox::SBox;
use crate::sbox::cost::Bits;

/// The outputs of S-boxes of one shape, one S-box after the other, where they are.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Outputs<'a> {
    /// Bytes of the host.
    Bytes(&'a [u8]),
    /// Words of 16 bits of the host.
    Words(&'a [u16]),
    /// Bytes on a device.
    ByteBuffer(&'a Buffer<u8>),
    /// Words of 16 bits on a device.
    WordBuffer(&'a Buffer<u16>),
}

impl Outputs<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Bytes(values) => values.len(),
            Self::Words(values) => values.len(),
            Self::ByteBuffer(values) => values.len(),
            Self::WordBuffer(values) => values.len(),
        }
    }

    /// The first output, of those on the host, that is `limit` or more.
    fn first_past(&self, limit: u64) -> Option<(usize, u16)> {
        fn find<T: Copy + Into<u16>>(values: &[T], limit: u64) -> Option<(usize, u16)> {
            values.iter().position(|&y| u64::from(y.into()) >= limit).map(|i| (i, values[i].into()))
        }
        match self {
            Self::Bytes(values) if limit < 256 => find(values, limit),
            Self::Words(values) => find(values, limit),
            _ => None,
        }
    }
}

macro_rules! outputs {
    ($($from:ty => $name:ident $([$len:ident])?),* $(,)?) => {
        $(
            impl<'a $(, const $len: usize)?> From<&'a $from> for Outputs<'a> {
                fn from(values: &'a $from) -> Self {
                    Self::$name(values)
                }
            }
        )*
    };
}

outputs! {
    [u8] => Bytes, Vec<u8> => Bytes, [u8; N] => Bytes [N],
    [u16] => Words, Vec<u16> => Words, [u16; N] => Words [N],
    Buffer<u8> => ByteBuffer, Buffer<u16> => WordBuffer,
}

/// S-boxes to compute figures of together: a list of S-boxes of any shapes, or the outputs of S-boxes of one shape in one array,
/// on the host or on a device.
///
/// A list is made by `into()`: `&[SBox]`, `&Vec<SBox>`, `&[SBox; N]` and `&SBox` are batches.
///
/// ```
/// use manycore_boolean::{Boolean, SBoxes};
/// use manycore_device::Device;
/// let device = Device::from_env()?;
/// let present = [0xc, 5, 6, 0xb, 9, 0, 0xa, 0xd, 3, 0xe, 0xf, 8, 4, 7, 1, 2u8];
/// let outputs: Vec<u8> = (0..16).chain(present).collect(); // the identity and the S-box of PRESENT
/// let batch = SBoxes::new(4, 4, &outputs)?;
/// assert_eq!((batch.len(), Boolean::new(&device).uniformities(batch)?), (2, vec![16, 4]));
/// // On the device already.
/// let outputs = device.upload(&outputs)?;
/// assert_eq!(Boolean::new(&device).uniformities(SBoxes::new(4, 4, &outputs)?)?, [16, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct SBoxes<'a> {
    pub(super) values: Values<'a>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Values<'a> {
    List(&'a [SBox]),
    Flat(Bits, Outputs<'a>),
}

impl<'a> SBoxes<'a> {
    /// S-boxes of `input_bits` and `output_bits`, whose `2^input_bits` outputs each stand one S-box after the other. Of outputs in
    /// buffers the bits past `output_bits` are left out.
    ///
    /// # Errors
    /// [`TableError::Bits`]; [`TableError::Batch`] for a number of outputs that is no multiple of `2^input_bits`;
    /// [`TableError::Output`] for an output of the host of `2^output_bits` or more, with its index in the array.
    pub fn new(input_bits: u32, output_bits: u32, outputs: impl Into<Outputs<'a>>) -> Result<Self, TableError> {
        let limit = SBox::MOST_BITS;
        for (what, bits) in [("input", input_bits), ("output", output_bits)] {
            if !(1..=limit).contains(&bits) {
                return Err(TableError::Bits { what, bits, limit });
            }
        }
        let outputs = outputs.into();
        if outputs.len() % (1 << input_bits) != 0 {
            return Err(TableError::Batch { given: outputs.len() as u64, inputs: 1 << input_bits });
        }
        let limit = 1u64 << output_bits;
        if let Some((index, output)) = outputs.first_past(limit) {
            return Err(TableError::Output { index: index as u64, output: output.into(), limit });
        }
        Ok(Self { values: Values::Flat(Bits { input: input_bits, output: output_bits }, outputs) })
    }

    /// The number of S-boxes.
    pub fn len(&self) -> usize {
        match &self.values {
            Values::List(list) => list.len(),
            Values::Flat(bits, outputs) => outputs.len() >> bits.input,
        }
    }

    /// Whether there is no S-box.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The input bits of the S-box at a place that there is.
    pub(super) fn input_bits(&self, place: usize) -> u32 {
        match &self.values {
            Values::List(list) => list[place].input_bits(),
            Values::Flat(bits, _) => bits.input,
        }
    }
}

impl<'a> From<&'a [SBox]> for SBoxes<'a> {
    fn from(list: &'a [SBox]) -> Self {
        Self { values: Values::List(list) }
    }
}

impl<'a> From<&'a Vec<SBox>> for SBoxes<'a> {
    fn from(list: &'a Vec<SBox>) -> Self {
        Self::from(list.as_slice())
    }
}

impl<'a, const N: usize> From<&'a [SBox; N]> for SBoxes<'a> {
    fn from(list: &'a [SBox; N]) -> Self {
        Self::from(list.as_slice())
    }
}

impl<'a> From<&'a SBox> for SBoxes<'a> {
    fn from(sbox: &'a SBox) -> Self {
        Self::from(std::slice::from_ref(sbox))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_batch_is_named() {
        let error = |input, output, values: &[u8]| SBoxes::new(input, output, values).unwrap_err().to_string();
        assert_eq!(error(0, 8, &[]), "0 input bits: S-boxes have 1 to 16");
        assert_eq!(error(8, 17, &[]), "17 output bits: S-boxes have 1 to 16");
        assert_eq!(error(2, 8, &[0; 6]), "6 outputs: each S-box of the batch has 4");
        assert_eq!(error(2, 2, &[0, 1, 2, 3, 0, 4, 1, 2]), "S(5) is 4: outputs are below 4");
        assert!(SBoxes::new(1, 16, &[u16::MAX, 0]).is_ok_and(|batch| batch.len() == 1));
        assert!(SBoxes::new(16, 8, &[0u8; 0]).is_ok_and(|batch| batch.is_empty()));
    }
}
