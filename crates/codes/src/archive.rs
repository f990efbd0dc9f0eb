//! Files as parts: split into words of 16 bits, and put together again.

use manycore_device::Device;

use crate::code::ErasureCode;
use crate::error::{CodeError, Damage};
use crate::part::{Header, Part, checksum};

/// The bytes of `data + parity` parts of a file, any `data` of which give it back ([`join`]). Data parts hold its bytes in
/// order, each as many; the last are filled up with zeros. A product and a sum for each word and parity part.
///
/// # Errors
/// [`CodeError::Counts`]; [`CodeError::Device`].
pub fn split(device: &Device, file: &[u8], data: usize, parity: usize) -> Result<Vec<Vec<u8>>, CodeError> {
    let code = ErasureCode::new(device, data, parity)?;
    let words = file.len().div_ceil(2).div_ceil(data);
    let mut rows: Vec<u32> = file.chunks(2).map(|pair| word(pair).into()).collect();
    rows.resize(words * data, 0);
    let parity_rows = code.encode(&rows)?;
    let file_checksum = checksum(file);
    let row = |index: usize| match index.checked_sub(data) {
        None => &rows[index * words..][..words],
        Some(index) => &parity_rows[index * words..][..words],
    };
    let part = |index: usize| {
        let header = Header { file: file_checksum.clone(), bytes: file.len() as u64, data, parity, index, words };
        Part { header, words: row(index).to_vec() }.to_bytes()
    };
    Ok((0..data + parity).map(part).collect())
}

fn word(pair: &[u8]) -> u16 {
    u16::from_le_bytes([pair[0], pair.get(1).copied().unwrap_or(0)])
}

/// A file put together from parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joined {
    /// Its bytes.
    pub file: Vec<u8>,
    /// What its parts say of it; the index is that of the first.
    pub header: Header,
    /// The data parts that were computed from others.
    pub recovered: Vec<usize>,
    /// Parts that were left out, and why.
    pub damaged: Vec<Damage>,
}

/// The file of these parts, each with a name for errors, in any order. Damaged parts are left out; parts that are given twice
/// count once.
///
/// # Errors
/// [`CodeError::TooFew`] with the damaged parts where not enough are whole; [`CodeError::Mixed`] for parts of different files;
/// [`CodeError::Wrong`] where the file's own checksum is not that of the result; [`CodeError::Device`].
pub fn join(device: &Device, parts: &[(String, Vec<u8>)]) -> Result<Joined, CodeError> {
    let mut whole: Vec<(&String, Part)> = Vec::new();
    let mut damaged = Vec::new();
    for (name, bytes) in parts {
        match Part::of_bytes(bytes) {
            Ok(part) => whole.push((name, part)),
            Err(reason) => damaged.push(Damage { name: name.clone(), reason }),
        }
    }
    let Some((first, header)) = whole.first().map(|(name, part)| ((*name).clone(), part.header.clone())) else {
        return Err(CodeError::TooFew { needed: 1, present: 0, damaged });
    };
    let same = |other: &Header| Header { index: header.index, ..other.clone() } == header;
    if let Some((second, _)) = whole.iter().find(|(_, part)| !same(&part.header)) {
        return Err(CodeError::Mixed { first, second: (*second).clone() });
    }
    whole.sort_by_key(|(_, part)| part.header.index);
    whole.dedup_by_key(|(_, part)| part.header.index);
    if whole.len() < header.data {
        return Err(CodeError::TooFew { needed: header.data, present: whole.len(), damaged });
    }
    let code = ErasureCode::new(device, header.data, header.parity)?;
    let rows: Vec<(usize, &[u32])> = whole.iter().map(|(_, part)| (part.header.index, part.words.as_slice())).collect();
    let is_there = |index: usize| rows.binary_search_by_key(&index, |&(index, _)| index).ok();
    let recovered: Vec<usize> = (0..header.data).filter(|&index| is_there(index).is_none()).collect();
    let found = if recovered.is_empty() { Vec::new() } else { code.recover(&rows, &recovered)? };
    let mut computed = found.chunks(header.words.max(1));
    let mut file = Vec::with_capacity(2 * header.words * header.data);
    for index in 0..header.data {
        let row = match is_there(index) {
            Some(place) => rows[place].1,
            None => computed.next().unwrap_or_default(),
        };
        file.extend(row.iter().flat_map(|&word| (word as u16).to_le_bytes()));
    }
    // The length of the file is at most that of its parts, which its header was checked for.
    file.truncate(usize::try_from(header.bytes).unwrap_or(usize::MAX));
    let sum = checksum(&file);
    if sum != header.file {
        return Err(CodeError::Wrong { expected: header.file, found: sum });
    }
    Ok(Joined { file, header, recovered, damaged })
}
