//! Keys of choices: what is done and in which words, the sizes of the shape, and the power of two of its arrays.

use std::fmt;
use std::str::FromStr;

/// Factor between two sizes that are near, as a base-2 logarithm: a choice of one stands in for the other.
const NEAR: f64 = 1.0;

/// What identifies a choice from process to process.
#[derive(Debug, Clone)]
pub(crate) struct TuningTask {
    /// The operation, its types, and whatever else changes which candidates there are, but no size. The device and the driver
    /// need not be named.
    pub(crate) key: String,
    /// The sizes of the shape, always as many for one key: a choice that ships stands in for shapes of near sizes.
    pub(crate) sizes: Vec<usize>,
    /// Arrays side by side: choices hold for numbers with the same power of two.
    pub(crate) count: usize,
    /// The revision of the code that the candidates run, `REVISION` of the operation's crate
    /// ([`revision!`](manycore_revision::revision)): another one makes what was kept void.
    pub(crate) revision: u64,
}

/// The key of a choice. Its text is `FAMILY; SIZE by SIZE, 2^K arrays`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    /// The operation and its words, without sizes.
    pub(crate) family: String,
    pub(crate) sizes: Vec<usize>,
    /// The power of two of arrays side by side.
    log_arrays: u32,
    /// Arrays side by side.
    count: usize,
}

impl Key {
    pub(crate) fn of(task: &TuningTask) -> Self {
        let count = task.count.max(1);
        Self { family: task.key.clone(), sizes: task.sizes.clone(), log_arrays: count.ilog2(), count }
    }

    /// Arrays side by side.
    pub(crate) fn arrays(&self) -> f64 {
        self.count as f64
    }

    /// The sum of the base-2 logarithms of the factors between the sizes of two shapes, 0 for one shape; `None` where the
    /// shapes are no neighbours.
    pub(crate) fn distance(&self, other: &Self) -> Option<f64> {
        if self.family != other.family || self.sizes.len() != other.sizes.len() {
            return None;
        }
        let log = |size: usize| (size as f64 + 1.0).log2();
        let sizes = self.sizes.iter().zip(&other.sizes).map(|(&a, &b)| (log(a) - log(b)).abs());
        let arrays = f64::from(self.log_arrays.abs_diff(other.log_arrays));
        let factors: Vec<f64> = sizes.chain([arrays]).collect();
        factors.iter().all(|&factor| factor <= NEAR).then(|| factors.iter().sum())
    }

    /// The sizes and the arrays in words.
    pub(crate) fn sizes(&self) -> String {
        let sizes: Vec<String> = self.sizes.iter().map(ToString::to_string).collect();
        match (sizes.join(" by "), self.log_arrays) {
            (sizes, 0) => sizes,
            (sizes, log) if sizes.is_empty() => format!("2^{log} arrays"),
            (sizes, log) => format!("{sizes}, 2^{log} arrays"),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = self.sizes();
        f.write_str(&self.family)?;
        if sizes.is_empty() { Ok(()) } else { write!(f, "; {sizes}") }
    }
}

/// A text that is no key.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NoKey;

impl FromStr for Key {
    type Err = NoKey;

    fn from_str(text: &str) -> Result<Self, NoKey> {
        let Some((family, sizes)) = text.rsplit_once("; ") else {
            return Ok(Self { family: text.to_owned(), sizes: Vec::new(), log_arrays: 0, count: 1 });
        };
        let (sizes, arrays) = match sizes.strip_suffix(" arrays") {
            None => (sizes, "2^0"),
            Some(text) => text.rsplit_once(", ").unwrap_or(("", text)),
        };
        let log_arrays: u32 = arrays.strip_prefix("2^").and_then(|log| log.parse().ok()).ok_or(NoKey)?;
        let sizes = match sizes {
            "" => Vec::new(),
            sizes => sizes.split(" by ").map(str::parse).collect::<Result<_, _>>().map_err(|_| NoKey)?,
        };
        let count = 1_usize.checked_shl(log_arrays).ok_or(NoKey)?;
        Ok(Self { family: family.to_owned(), sizes, log_arrays, count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(sizes: &[usize], count: usize) -> Key {
        Key::of(&TuningTask { key: "gcd, 4 bytes".into(), sizes: sizes.to_vec(), count, revision: 0 })
    }

    #[test]
    fn texts_of_keys_are_read_back() {
        for (sizes, count, text) in [
            (&[][..], 1, "gcd, 4 bytes"),
            (&[], 4, "gcd, 4 bytes; 2^2 arrays"),
            (&[1000], 1, "gcd, 4 bytes; 1000"),
            (&[1000, 0, 7], 8, "gcd, 4 bytes; 1000 by 0 by 7, 2^3 arrays"),
        ] {
            assert_eq!(key(sizes, count).to_string(), text);
            assert_eq!(text.parse(), Ok(key(sizes, count)));
        }
        for wrong in ["a; b", "a; 1 by", "a; 1, 2^99 arrays", "a; 1, 3 arrays", "a; -1"] {
            assert_eq!(wrong.parse::<Key>(), Err(NoKey), "{wrong}");
        }
    }

    #[test]
    fn neighbours_are_an_octave_away_in_each_size() {
        let distance = |a: &[usize], b: &[usize]| key(a, 1).distance(&key(b, 1));
        assert_eq!(distance(&[1023, 15], &[1023, 15]), Some(0.0));
        assert_eq!(distance(&[1023, 15], &[2047, 7]), Some(2.0));
        assert_eq!(distance(&[1023], &[2048]), None);
        assert_eq!(distance(&[1023], &[1023, 1]), None);
        assert_eq!(distance(&[0], &[1]), Some(1.0));
        assert_eq!(key(&[5], 2).distance(&key(&[5], 5)), Some(1.0));
        assert_eq!(key(&[5], 1).distance(&key(&[5], 5)), None);
    }
}
