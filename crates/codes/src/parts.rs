//! Parts as they are given: where they are read, their copies, and what an attempt to put a file together finds of them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use crate::error::LeftOut;

/// Where a part is read, from several threads at a time.
pub trait PartSource: Sync {
    /// Reads bytes from an offset; fewer than asked for only at the end.
    ///
    /// # Errors
    /// What the system says.
    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize>;

    /// Its bytes.
    ///
    /// # Errors
    /// What the system says.
    fn length(&self) -> io::Result<u64>;
}

impl<B: AsRef<[u8]> + Sync> PartSource for B {
    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        let content = self.as_ref();
        let rest = &content[usize::try_from(offset).map_or(content.len(), |offset| offset.min(content.len()))..];
        let count = rest.len().min(out.len());
        out[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.as_ref().len() as u64)
    }
}

/// A part of the file that is put together, with the copies of it that were given, at least one.
#[derive(Debug)]
pub(crate) struct Member<S> {
    pub(crate) index: usize,
    pub(crate) copies: Vec<Copy<S>>,
}

/// A given part.
#[derive(Debug)]
pub(crate) struct Copy<S> {
    pub(crate) name: String,
    pub(crate) source: S,
}

impl<S> Member<S> {
    /// The copies after the first one, which say nothing new.
    pub(crate) fn repeated(&self) -> impl Iterator<Item = LeftOut> {
        let first = self.copies.first().map_or("", |copy| &copy.name);
        let of = move |copy: &Copy<S>| LeftOut { part: copy.name.clone(), reason: format!("the same part as {first}") };
        self.copies.iter().skip(1).map(of)
    }
}

/// What an attempt found.
#[derive(Debug, Default)]
pub(crate) struct Attempt {
    /// The checksum in hexadecimal digits.
    pub(crate) checksum: String,
    /// Data parts that were computed.
    pub(crate) recovered: BTreeSet<usize>,
    /// Damaged copies of parts by name, and what is wrong with them.
    pub(crate) damaged: BTreeMap<String, String>,
}
