//! Form 2 of parts: a header of 88 bytes, then blocks, each with a checksum of its content and place.
//!
//! ```text
//! offset  bytes
//!      0     16  "manycore part 2\n"
//!     16     32  BLAKE3 of the file
//!     48      8  bytes of the file
//!     56      4  data parts
//!     60      4  parity parts
//!     64      4  number of the part, from 0; data parts come first
//!     68      4  bytes of a block
//!     72     16  the first bytes of BLAKE3 of the 72 bytes before
//!     88         blocks: their bytes, then the first 16 bytes of BLAKE3 of these, followed by the part's number (4 bytes), the block's
//!                (8), and the header's bytes 56 to 63 and 68 to 71
//! ```
//!
//! Numbers are little-endian. The file is cut into stripes of as many blocks as there are data parts, each part with one block of
//! each stripe; blocks of the last stripe are as short as they can be, of a multiple of four bytes, and filled up with zeros.

use crate::code::{MOST_ROWS, check_counts};
use crate::error::CodeError;

/// The first line.
pub(crate) const MAGIC: &[u8; 16] = b"manycore part 2\n";
/// Bytes of the header.
pub(crate) const HEADER_BYTES: usize = 88;
/// Bytes of the checksum of a header or a block.
pub(crate) const CHECK_BYTES: usize = 16;

/// Bytes of a block at most.
const LARGEST_BLOCK: usize = 1 << 16;
/// Bytes of a stripe with its parity at most: a quarter of what splitting takes in memory.
const LARGEST_STRIPE: usize = 1 << 23;
/// Bytes of a block are a multiple.
const UNIT: usize = 4;

/// How a file is cut into blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layout {
    /// Data parts.
    pub data: usize,
    /// Parity parts.
    pub parity: usize,
    /// Bytes of every block but those of the last stripe.
    pub block_bytes: usize,
}

/// What a part says of itself and of its file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Header {
    /// The file's checksum: BLAKE3.
    pub file: [u8; 32],
    /// Bytes of the file.
    pub bytes: u64,
    /// How the file is cut.
    pub layout: Layout,
    /// Which part this is, from 0; data parts come first.
    pub index: usize,
}

impl Layout {
    /// The form of files that are split now: blocks of 64 KiB, or as large a power of two as keeps a stripe within 8 MiB.
    ///
    /// # Errors
    /// [`CodeError::Counts`].
    pub fn new(data: usize, parity: usize) -> Result<Self, CodeError> {
        check_counts(data, parity)?;
        let most = (LARGEST_STRIPE / (data + parity)).min(LARGEST_BLOCK);
        Ok(Self { data, parity, block_bytes: 1 << most.ilog2() })
    }

    /// Data and parity parts.
    pub fn parts(&self) -> usize {
        self.data + self.parity
    }

    /// Bytes of the file in a stripe.
    pub(crate) fn stripe_bytes(&self) -> usize {
        self.data * self.block_bytes
    }

    /// Stripes of a file.
    pub fn stripes(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.stripe_bytes() as u64)
    }

    /// Bytes of each block of a stripe that holds `stripe_bytes` bytes of the file.
    pub(crate) fn block_of(&self, stripe_bytes: usize) -> usize {
        stripe_bytes.div_ceil(self.data).next_multiple_of(UNIT).min(self.block_bytes)
    }

    /// The number of bytes that stripe `stripe` holds of a file of `bytes` bytes.
    pub(crate) fn bytes_of(&self, bytes: u64, stripe: u64) -> usize {
        let begin = stripe.saturating_mul(self.stripe_bytes() as u64);
        bytes.saturating_sub(begin).min(self.stripe_bytes() as u64) as usize
    }

    /// Where a block begins in its part; stripes are those of a file whose parts have a length.
    pub(crate) fn offset(&self, stripe: u64) -> u64 {
        HEADER_BYTES as u64 + stripe * (self.block_bytes + CHECK_BYTES) as u64
    }

    /// Bytes of every part of a file of `bytes` bytes; 2^64 - 1 where the number passes 64 bits.
    pub fn part_bytes(&self, bytes: u64) -> u64 {
        self.checked_part_bytes(bytes).unwrap_or(u64::MAX)
    }

    /// Bytes of every part of a file of `bytes` bytes; `None` from 2^64 on.
    fn checked_part_bytes(&self, bytes: u64) -> Option<u64> {
        let Some(last) = self.stripes(bytes).checked_sub(1) else { return Some(HEADER_BYTES as u64) };
        let before = last.checked_mul((self.block_bytes + CHECK_BYTES) as u64)?.checked_add(HEADER_BYTES as u64)?;
        before.checked_add((self.block_of(self.bytes_of(bytes, last)) + CHECK_BYTES) as u64)
    }

    /// The checksum of a block.
    pub(crate) fn check_of(&self, index: usize, stripe: u64, block: &[u8]) -> [u8; CHECK_BYTES] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(block);
        hasher.update(&(index as u32).to_le_bytes());
        hasher.update(&stripe.to_le_bytes());
        for number in [self.data, self.parity, self.block_bytes] {
            hasher.update(&(number as u32).to_le_bytes());
        }
        first_bytes(&hasher.finalize())
    }
}

impl Header {
    /// Its bytes.
    pub(crate) fn to_bytes(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        let numbers = [self.layout.data, self.layout.parity, self.index, self.layout.block_bytes];
        let fields = MAGIC.iter().copied().chain(self.file).chain(self.bytes.to_le_bytes());
        let fields = fields.chain(numbers.into_iter().flat_map(|number| (number as u32).to_le_bytes()));
        bytes.iter_mut().zip(fields).for_each(|(byte, field)| *byte = field);
        let check = first_bytes(&blake3::hash(&bytes[..HEADER_BYTES - CHECK_BYTES]));
        bytes[HEADER_BYTES - CHECK_BYTES..].copy_from_slice(&check);
        bytes
    }

    /// The header that bytes begin with.
    ///
    /// # Errors
    /// What is wrong with them, in words.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Result<Self, String> {
        if !bytes.starts_with(MAGIC) {
            return Err("it does not begin as a part does".to_owned());
        }
        let Some(bytes) = bytes.first_chunk::<HEADER_BYTES>() else {
            return Err("it ends within its header".to_owned());
        };
        let (fields, check) = bytes.split_at(HEADER_BYTES - CHECK_BYTES);
        if first_bytes(&blake3::hash(fields)) != check {
            return Err("its header is damaged".to_owned());
        }
        let mut rest = &fields[MAGIC.len()..];
        let mut take = |count: usize| {
            let (field, after) = rest.split_at(count);
            rest = after;
            field.iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte))
        };
        let file = std::array::from_fn(|_| take(1) as u8);
        let bytes = take(8);
        let [data, parity, index, block_bytes] = [0; 4].map(|_: usize| take(4) as usize);
        let layout = Layout { data, parity, block_bytes };
        let is_right = check_counts(data, parity).is_ok()
            && index < layout.parts()
            && block_bytes > 0
            && block_bytes.is_multiple_of(UNIT)
            && block_bytes <= LARGEST_BLOCK
            && layout.parts() * block_bytes <= LARGEST_STRIPE;
        if !is_right {
            return Err(format!("it is part {index} of {data} and {parity} in blocks of {block_bytes} bytes"));
        }
        if layout.checked_part_bytes(bytes).is_none() {
            return Err(format!("parts of a file of {bytes} bytes would pass 2^64 bytes"));
        }
        Ok(Self { file, bytes, layout, index })
    }

    /// The file's checksum in hexadecimal digits.
    pub fn checksum(&self) -> String {
        hexadecimal(&self.file)
    }
}

const _: () = assert!(LARGEST_STRIPE / MOST_ROWS >= UNIT, "the most parts have blocks");

/// The first bytes of a hash.
fn first_bytes(hash: &blake3::Hash) -> [u8; CHECK_BYTES] {
    std::array::from_fn(|i| hash.as_bytes()[i])
}

/// Bytes in hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        let layout = Layout { data: 3, parity: 2, block_bytes: 64 };
        Header { file: std::array::from_fn(|i| i as u8), bytes: 1000, layout, index: 4 }
    }

    #[test]
    fn headers_are_read_as_they_were_written() {
        assert_eq!(Header::of_bytes(&header().to_bytes()), Ok(header()));
    }

    #[test]
    fn parts_past_all_lengths_are_refused() {
        let layout = Layout { data: 1, parity: 2, block_bytes: UNIT };
        let of = |bytes| Header::of_bytes(&Header { bytes, layout, index: 0, ..header() }.to_bytes());
        for bytes in [u64::MAX, u64::MAX - 1, u64::MAX / 8 * 7 + UNIT as u64] {
            let told = format!("parts of a file of {bytes} bytes would pass 2^64 bytes");
            assert_eq!((layout.part_bytes(bytes), of(bytes).map(|header| header.bytes)), (u64::MAX, Err(told)));
        }
        // Of the last block that fits: one block more has no length.
        let each = (UNIT + CHECK_BYTES) as u64;
        let most = (u64::MAX - HEADER_BYTES as u64) / each * UNIT as u64;
        assert_eq!(layout.part_bytes(most), HEADER_BYTES as u64 + most / UNIT as u64 * each);
        assert_eq!(of(most).map(|header| header.bytes), Ok(most));
        assert_eq!(layout.part_bytes(most + 1), u64::MAX);
    }

    #[test]
    fn every_changed_byte_of_a_header_is_found() {
        let bytes = header().to_bytes();
        for i in 0..bytes.len() {
            let mut damaged = bytes;
            damaged[i] ^= 1 << (i % 8);
            assert!(Header::of_bytes(&damaged).is_err(), "byte {i}");
            assert!(Header::of_bytes(&bytes[..i]).is_err(), "cut at {i}");
        }
    }

    #[test]
    fn headers_that_cannot_be_are_told() {
        let told = |change: &dyn Fn(&mut Header)| {
            let mut header = header();
            change(&mut header);
            Header::of_bytes(&header.to_bytes()).unwrap_err()
        };
        assert_eq!(told(&|header| header.index = 5), "it is part 5 of 3 and 2 in blocks of 64 bytes");
        assert_eq!(told(&|header| header.layout.data = 0), "it is part 4 of 0 and 2 in blocks of 64 bytes");
        assert_eq!(told(&|header| header.layout.block_bytes = 0), "it is part 4 of 3 and 2 in blocks of 0 bytes");
        assert_eq!(told(&|header| header.layout.block_bytes = 62), "it is part 4 of 3 and 2 in blocks of 62 bytes");
        let large = "it is part 4 of 3 and 2 in blocks of 131072 bytes";
        assert_eq!(told(&|header| header.layout.block_bytes = 1 << 17), large);
        let many = "it is part 4 of 65535 and 2 in blocks of 64 bytes";
        assert_eq!(told(&|header| header.layout.data = 65_535), many);
    }

    #[test]
    fn stripes_hold_the_file() {
        let layout = Layout { data: 3, parity: 2, block_bytes: 64 };
        for (bytes, stripes, last_block, part) in
            [(0, 0, 0, 88), (1, 1, 4, 108), (13, 1, 8, 112), (191, 1, 64, 168), (192, 1, 64, 168), (193, 2, 4, 188)]
        {
            assert_eq!(layout.stripes(bytes), stripes, "{bytes}");
            assert_eq!(layout.part_bytes(bytes), part, "{bytes}");
            if stripes > 0 {
                assert_eq!(layout.block_of(layout.bytes_of(bytes, stripes - 1)), last_block, "{bytes}");
            }
        }
        assert_eq!(Layout::new(10, 4).unwrap().block_bytes, 1 << 16);
        assert_eq!(Layout::new(32_768, 32_768).unwrap().block_bytes, 128);
    }

    #[test]
    fn checksums_tell_places_apart() {
        let layout = header().layout;
        let check = layout.check_of(1, 2, b"block");
        assert_ne!(check, layout.check_of(2, 2, b"block"));
        assert_ne!(check, layout.check_of(1, 3, b"block"));
        assert_ne!(check, Layout { parity: 3, ..layout }.check_of(1, 2, b"block"));
    }
}
