//! Form 1 of parts, which is read and no longer written: a line that names the form, a line of JSON, words that are residues modulo
//! 65537, and SHA-256 of all that.
//!
//! Data part `i` of `K` holds the `i`-th of `K` pieces of the file. Words are little-endian; the residue 65536 is written as 0,
//! and a list before the words has its places: a number of 8 bytes, and as many places of 8 bytes.

mod residues;

use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::error::{CodeError, LeftOut};
use crate::form::hexadecimal;
use crate::parts::{Attempt, Member, PartSource};
use crate::split::zeroed;
use residues::{MODULUS, factors};

/// The first line.
pub(crate) const FORM: &[u8] = b"manycore part 1\n";
/// Bytes of the checksum.
const CHECKSUM: u64 = 32;
/// Bytes of both lines at most: a checksum of 64 digits and six numbers are some 200.
pub(crate) const LONGEST_HEADER: usize = 1 << 10;
/// Bytes that are read at once from all parts together.
const READ: usize = 1 << 22;

/// What a part says of itself and of its file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Header {
    /// The file's checksum: SHA-256, in hexadecimal digits.
    pub(crate) file: String,
    /// Bytes of the file.
    pub(crate) bytes: u64,
    /// Data parts.
    pub(crate) data: usize,
    /// Parity parts.
    pub(crate) parity: usize,
    /// Which of them this is, from 0; data parts come first.
    pub(crate) index: usize,
    /// Its words of 16 bits.
    pub(crate) words: usize,
}

impl Header {
    /// The header that bytes begin with.
    ///
    /// # Errors
    /// Why it is none, in words.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Result<Self, String> {
        let rest = bytes.strip_prefix(FORM).ok_or("it does not begin as a part does")?;
        let line = rest.iter().position(|&byte| byte == b'\n').ok_or("it has no header")?;
        let header: Self = serde_json::from_slice(&rest[..line]).map_err(|error| format!("its header: {error}"))?;
        let all = header.data.checked_add(header.parity).filter(|&all| all <= MODULUS as usize);
        if header.data == 0 || all.is_none_or(|all| header.index >= all) {
            return Err(format!("it is part {} of {} and {}", header.index, header.data, header.parity));
        }
        // The parts hold the file, and no row of words more.
        let held = |words: usize| 2 * words as u128 * header.data as u128;
        if held(header.words) < header.bytes.into() || held(header.words.saturating_sub(1)) > header.bytes.into() {
            return Err(format!("{} parts of {} words for {} bytes", header.data, header.words, header.bytes));
        }
        if header.file.len() != 64 || !header.file.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err("its header has no checksum of its file".to_owned());
        }
        Ok(header)
    }
}

/// A part whose checksum holds.
struct Whole<'m, S> {
    index: usize,
    source: &'m S,
    /// Where the places of the residue 65536 begin, and how many there are.
    places: (u64, u64),
    /// Where the words begin.
    words: u64,
}

/// Writes the file; gives its checksum and what was damaged.
///
/// # Errors
/// [`CodeError::TooFew`]; [`CodeError::Output`].
pub(crate) fn restore<S: PartSource>(
    header: &Header,
    members: &[&Member<S>],
    out: &mut dyn Write,
) -> Result<Attempt, CodeError> {
    let mut found = Attempt::default();
    let mut whole = Vec::new();
    for member in members {
        for copy in &member.copies {
            match check(header, member.index, &copy.source) {
                Ok(part) => {
                    whole.push(part);
                    break;
                }
                Err(reason) => drop(found.damaged.insert(copy.name.clone(), reason)),
            }
        }
    }
    let too_few = |damaged: &Attempt| {
        let left_out = damaged.damaged.iter().map(|(part, reason)| (part.clone(), reason.clone()));
        let left_out = left_out.map(|(part, reason)| LeftOut { part, reason }).collect();
        CodeError::TooFew { needed: header.data, present: whole.len(), left_out }
    };
    if whole.len() < header.data {
        return Err(too_few(&found));
    }
    let present = &whole[..header.data];
    let indices: Vec<usize> = present.iter().map(|part| part.index).collect();
    let mut hasher = Sha256::new();
    let mut left = header.bytes;
    let step = (READ / header.data).clamp(64, 1 << 16) / 2 * 2;
    let mut bytes = zeroed(step)?;
    for index in 0..header.data {
        let own = indices.binary_search(&index).ok();
        let factors = if own.is_none() { factors(&indices, index) } else { Vec::new() };
        if own.is_none() {
            found.recovered.insert(index);
        }
        let mut cursors: Vec<Cursor<'_, S>> = match own {
            Some(at) => vec![Cursor::new(&present[at])],
            None => present.iter().map(Cursor::new).collect(),
        };
        for start in (0..header.words).step_by(step / 2) {
            let words = (header.words - start).min(step / 2);
            let row = &mut bytes[..2 * words];
            let read = match own {
                Some(_) => cursors[0].bytes(start, row),
                None => residues::combine(&factors, words, row, |at, out| cursors[at].residues(start, out)),
            };
            // A part that was whole a moment ago.
            read.map_err(|error| CodeError::Input(error.into()))?;
            let count = left.min(row.len() as u64);
            left -= count;
            hasher.update(&row[..count as usize]);
            out.write_all(&row[..count as usize]).map_err(|error| CodeError::Output(error.into()))?;
        }
    }
    found.checksum = hexadecimal(&hasher.finalize());
    Ok(found)
}

/// Reads a part once, and compares its checksum.
///
/// # Errors
/// What is wrong with it, in words.
fn check<'m, S: PartSource>(header: &Header, index: usize, source: &'m S) -> Result<Whole<'m, S>, String> {
    let told = |error: io::Error| error.to_string();
    let mut bytes = vec![0; 1 << 16];
    let count = source.read_at(0, &mut bytes[..LONGEST_HEADER]).map_err(told)?;
    let newline = |from: usize| bytes[from..count].iter().position(|&byte| byte == b'\n').map(|at| from + at + 1);
    let lines = newline(FORM.len()).ok_or("it has no header")? as u64;
    let length = source.length().map_err(told)?;
    let end = length.checked_sub(CHECKSUM).filter(|&end| end >= lines + 8).ok_or("it ends before its checksum")?;
    let mut number = [0; 8];
    let is_full = source.read_at(lines, &mut number).map_err(told)? == number.len();
    let places = u64::from_le_bytes(number);
    let words =
        places.checked_mul(8).and_then(|bytes| bytes.checked_add(lines + 8)).filter(|&words| is_full && words <= end);
    let words = words.ok_or("it ends within its words")?;
    let mut hasher = Sha256::new();
    let mut at = 0;
    while at < end {
        let most = (end - at).min(bytes.len() as u64) as usize;
        let count = source.read_at(at, &mut bytes[..most]).map_err(told)?;
        if count == 0 {
            return Err("it ends before its checksum".to_owned());
        }
        hasher.update(&bytes[..count]);
        at += count as u64;
    }
    let mut checksum = [0; CHECKSUM as usize];
    source.read_at(end, &mut checksum).map_err(told)?;
    if hasher.finalize().as_slice() != checksum {
        return Err("its checksum is not that of its content".to_owned());
    }
    if (header.words as u64).checked_mul(2) != Some(end - words) {
        return Err(format!("it has {} bytes for {} words", end - words, header.words));
    }
    Ok(Whole { index, source, places: (lines + 8, places), words })
}

/// A part that is read from its beginning to its end.
struct Cursor<'m, S> {
    part: &'m Whole<'m, S>,
    bytes: Vec<u8>,
    /// Places of the residue 65536 that are passed.
    passed: u64,
}

impl<'m, S: PartSource> Cursor<'m, S> {
    fn new(part: &'m Whole<'m, S>) -> Self {
        Self { part, bytes: Vec::new(), passed: 0 }
    }

    /// The words from a place on.
    fn bytes(&mut self, start: usize, out: &mut [u8]) -> io::Result<()> {
        full(self.part.source, self.part.words + 2 * start as u64, out)
    }

    /// The residues from a place on; places come in ascending order.
    fn residues(&mut self, start: usize, out: &mut [u32]) -> io::Result<()> {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.resize(2 * out.len(), 0);
        self.bytes(start, &mut bytes)?;
        for (residue, &word) in out.iter_mut().zip(bytes.as_chunks::<2>().0) {
            *residue = u16::from_le_bytes(word).into();
        }
        self.bytes = bytes;
        let (begin, count) = self.part.places;
        while self.passed < count {
            let mut place = [0; 8];
            full(self.part.source, begin + 8 * self.passed, &mut place)?;
            let place = u64::from_le_bytes(place);
            if place >= (start + out.len()) as u64 {
                break;
            }
            if let Some(residue) = place.checked_sub(start as u64).and_then(|place| out.get_mut(place as usize)) {
                *residue = MODULUS - 1;
            }
            self.passed += 1;
        }
        Ok(())
    }
}

/// Reads all bytes of a buffer.
fn full(source: &impl PartSource, offset: u64, out: &mut [u8]) -> io::Result<()> {
    let count = source.read_at(offset, out)?;
    if count == out.len() { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}
