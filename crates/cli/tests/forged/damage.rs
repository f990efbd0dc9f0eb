//! What is done to a file: bytes flipped, cut out, put in and doubled, words in the place of others.

use proptest::prelude::*;
use proptest::sample::Index;

/// A change of a file.
#[derive(Debug, Clone)]
pub(crate) enum Damage {
    /// Some bits of a byte are others.
    Flip(Index, u8),
    /// The file ends here.
    Cut(Index),
    /// Bytes are left out.
    Leave(Index, usize),
    /// Bytes come twice.
    Double(Index, usize),
    /// A word comes between.
    Insert(Index, &'static str),
    /// A word stands for one of the file.
    Replace(Index, &'static str),
}

/// Changes, of which words are these.
pub(crate) fn damage(words: &'static [&'static str]) -> impl Strategy<Value = Vec<Damage>> {
    let at = any::<Index>;
    let word = || proptest::sample::select(words);
    let one = prop_oneof![
        1 => (at(), 1u8..).prop_map(|(at, bits)| Damage::Flip(at, bits)),
        1 => at().prop_map(Damage::Cut),
        1 => (at(), 1usize..40).prop_map(|(at, count)| Damage::Leave(at, count)),
        1 => (at(), 1usize..40).prop_map(|(at, count)| Damage::Double(at, count)),
        1 => (at(), word()).prop_map(|(at, word)| Damage::Insert(at, word)),
        4 => (at(), word()).prop_map(|(at, word)| Damage::Replace(at, word)),
    ];
    proptest::collection::vec(one, 1..4)
}

impl Damage {
    /// The changed file.
    pub(crate) fn done(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        if bytes.is_empty() {
            return bytes;
        }
        let len = bytes.len();
        match self {
            Self::Flip(at, bits) => bytes[at.index(len)] ^= bits,
            Self::Cut(at) => bytes.truncate(at.index(len)),
            Self::Leave(at, count) => drop(bytes.drain(at.index(len)..len.min(at.index(len) + count))),
            Self::Double(at, count) => {
                let at = at.index(len);
                let again = bytes[at..len.min(at + count)].to_vec();
                bytes.splice(at..at, again);
            }
            Self::Insert(at, word) => drop(bytes.splice(at.index(len)..at.index(len), word.bytes())),
            Self::Replace(at, word) => {
                let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
                let at = at.index(len);
                let begin = bytes[..at].iter().rposition(is_blank).map_or(0, |blank| blank + 1);
                let end = bytes[at..].iter().position(is_blank).map_or(len, |more| at + more);
                drop(bytes.splice(begin..end.max(begin), word.bytes()));
            }
        }
        bytes
    }
}

/// A file after all changes.
pub(crate) fn damaged(file: &[u8], damage: &[Damage]) -> Vec<u8> {
    damage.iter().fold(file.to_vec(), |bytes, damage| damage.done(bytes))
}
