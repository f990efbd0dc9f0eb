//! Headers of parts, of the format that their first bytes name.

use crate::first;
use crate::form::{HEADER_BYTES, Header};
use crate::parts::PartSource;

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

    /// The header with index 0: equal for all parts of a file.
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
