//! Parts as bytes: a line that names the form, a line of JSON, the words, and a checksum of all that.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::code::MODULUS;

/// The first line.
const FORM: &[u8] = b"manycore part 1\n";
/// Bytes of the checksum.
const CHECKSUM: usize = 32;

/// What a part says of itself and of its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The file's checksum: SHA-256, in hexadecimal digits.
    pub file: String,
    /// Bytes of the file.
    pub bytes: u64,
    /// Data parts.
    pub data: usize,
    /// Parity parts.
    pub parity: usize,
    /// Which of them this is, from 0; data parts come first.
    pub index: usize,
    /// Its words of 16 bits.
    pub words: usize,
}

/// A part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub header: Header,
    /// Its words, residues modulo 65537.
    pub words: Vec<u32>,
}

/// SHA-256 in hexadecimal digits.
pub(crate) fn checksum(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16);
    Sha256::digest(bytes).iter().flat_map(|byte| [byte >> 4, byte & 15]).filter_map(digit).collect()
}

impl Part {
    /// The part as bytes. The residue 65536, which 16 bits do not hold, is written as 0 and its place listed.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = FORM.to_vec();
        // A header is numbers and a text of digits, which have a JSON form.
        bytes.extend(serde_json::to_vec(&self.header).unwrap_or_default());
        bytes.push(b'\n');
        let beyond: Vec<usize> = (0..self.words.len()).filter(|&i| self.words[i] == MODULUS - 1).collect();
        bytes.extend((beyond.len() as u64).to_le_bytes());
        bytes.extend(beyond.iter().flat_map(|&i| (i as u64).to_le_bytes()));
        bytes.extend(self.words.iter().flat_map(|&word| (word as u16).to_le_bytes()));
        let checksum = Sha256::digest(&bytes);
        bytes.extend_from_slice(&checksum);
        bytes
    }

    /// The part that these bytes are.
    ///
    /// # Errors
    /// What is wrong with them, in words: another form, a checksum that is not theirs, a header that cannot be.
    pub fn of_bytes(bytes: &[u8]) -> Result<Self, String> {
        let rest = bytes.strip_prefix(FORM).ok_or("it does not begin as a part does")?;
        let content = bytes.len().checked_sub(CHECKSUM).filter(|&content| content >= FORM.len());
        let (content, checksum) = bytes.split_at(content.ok_or("it ends before its checksum")?);
        if Sha256::digest(content).as_slice() != checksum {
            return Err("its checksum is not that of its content".to_owned());
        }
        let rest = &rest[..content.len() - FORM.len()];
        let line = rest.iter().position(|&byte| byte == b'\n').ok_or("it has no header")?;
        let header: Header = serde_json::from_slice(&rest[..line]).map_err(|error| format!("its header: {error}"))?;
        let mut rest = &rest[line + 1..];
        let mut number = || -> Result<usize, String> {
            let (number, after) = rest.split_first_chunk().ok_or("it ends within its words")?;
            rest = after;
            usize::try_from(u64::from_le_bytes(*number)).map_err(|_| "a place past its words".to_owned())
        };
        let count = number()?;
        let beyond = (0..count).map(|_| number()).collect::<Result<Vec<_>, _>>()?;
        if header.words.checked_mul(2) != Some(rest.len()) {
            return Err(format!("it has {} bytes for {} words", rest.len(), header.words));
        }
        let all = header.data.checked_add(header.parity).filter(|&all| all <= MODULUS as usize);
        if header.data == 0 || all.is_none_or(|all| header.index >= all) {
            return Err(format!("it is part {} of {} and {}", header.index, header.data, header.parity));
        }
        // The parts hold the file, and no row of words more.
        let held = |words: usize| 2 * words as u128 * header.data as u128;
        if held(header.words) < header.bytes.into() || held(header.words.saturating_sub(1)) > header.bytes.into() {
            return Err(format!("{} parts of {} words for {} bytes", header.data, header.words, header.bytes));
        }
        let mut words: Vec<u32> =
            rest.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]).into()).collect();
        for place in beyond {
            *words.get_mut(place).ok_or("a place past its words")? = MODULUS - 1;
        }
        Ok(Self { header, words })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part() -> Part {
        let header = Header { file: checksum(b"12345"), bytes: 5, data: 1, parity: 1, index: 1, words: 3 };
        Part { header, words: vec![1, 65_536, 65_535] }
    }

    #[test]
    fn parts_are_read_as_they_were_written() {
        let bytes = part().to_bytes();
        assert_eq!(Part::of_bytes(&bytes).unwrap(), part());
    }

    #[test]
    fn every_changed_byte_is_found() {
        let bytes = part().to_bytes();
        for i in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[i] ^= 1 << (i % 8);
            assert!(Part::of_bytes(&damaged).is_err(), "byte {i}");
            assert!(Part::of_bytes(&bytes[..i]).is_err(), "cut at {i}");
        }
    }

    /// Whole bytes of parts that cannot be.
    #[test]
    fn headers_that_cannot_be_are_told() {
        let told = |change: &dyn Fn(&mut Part)| {
            let mut part = part();
            change(&mut part);
            Part::of_bytes(&part.to_bytes()).unwrap_err()
        };
        assert_eq!(told(&|part| part.header.index = 2), "it is part 2 of 1 and 1");
        assert_eq!(told(&|part| part.header.data = 0), "it is part 1 of 0 and 1");
        assert_eq!(told(&|part| part.header.words = 4), "it has 6 bytes for 4 words");
        assert_eq!(told(&|part| part.header.bytes = 7), "1 parts of 3 words for 7 bytes");
        assert_eq!(told(&|part| part.header.bytes = 3), "1 parts of 3 words for 3 bytes");
    }
}
