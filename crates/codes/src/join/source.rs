//! Parts as they are given: read in blocks, told by their first bytes.

use std::io;

use crate::first;
use crate::form::{HEADER_BYTES, Header};

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

/// What a part says of itself, in either form.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Told {
    /// Form 2.
    Blocks(Header),
    /// Form 1.
    First(first::Header),
}

impl Told {
    /// Reads it, and looks at the length of the part.
    ///
    /// # Errors
    /// Why it is none, in words.
    pub(crate) fn read(source: &impl PartSource) -> Result<Self, String> {
        let mut bytes = [0; first::LONGEST_HEADER];
        let count = source.read_at(0, &mut bytes).map_err(|error| error.to_string())?;
        let bytes = &bytes[..count];
        if bytes.starts_with(first::FORM) {
            return first::Header::of_bytes(bytes).map(Self::First);
        }
        let header = Header::of_bytes(&bytes[..count.min(HEADER_BYTES)])?;
        Ok(Self::Blocks(header))
    }

    /// Which part of its file it is.
    pub(crate) fn index(&self) -> usize {
        match self {
            Self::Blocks(header) => header.index,
            Self::First(header) => header.index,
        }
    }

    /// Data parts of its file.
    pub(crate) fn data(&self) -> usize {
        match self {
            Self::Blocks(header) => header.layout.data,
            Self::First(header) => header.data,
        }
    }

    /// The same of part 0: equal for all parts of a file.
    pub(crate) fn of_file(&self) -> Self {
        match self {
            Self::Blocks(header) => Self::Blocks(Header { index: 0, ..header.clone() }),
            Self::First(header) => Self::First(first::Header { index: 0, ..header.clone() }),
        }
    }

    /// Its file in a few words.
    pub(crate) fn file(&self) -> String {
        let (bytes, checksum) = match self {
            Self::Blocks(header) => (header.bytes, header.checksum()),
            Self::First(header) => (header.bytes, header.file.chars().take(64).collect()),
        };
        format!("{bytes} bytes with checksum {}", checksum.chars().take(12).collect::<String>())
    }
}
