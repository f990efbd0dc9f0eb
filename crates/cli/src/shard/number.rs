//! The number of a shard among all shards of the work, and its items.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Which part of the work: part `index`, from 1, of `count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "[u64; 2]", into = "[u64; 2]")]
pub struct Shard {
    pub(super) index: u64,
    pub(super) count: u64,
}

impl TryFrom<[u64; 2]> for Shard {
    type Error = String;

    fn try_from([index, count]: [u64; 2]) -> Result<Self, String> {
        if (1..=count).contains(&index) {
            Ok(Self { index, count })
        } else {
            Err(format!("{index}/{count} is no shard: I/N has I from 1 to N, such as 2/16"))
        }
    }
}

impl From<Shard> for [u64; 2] {
    fn from(shard: Shard) -> Self {
        [shard.index, shard.count]
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let parts = text.split_once('/').filter(|(index, count)| digits(index) && digits(count));
        let numbers = parts.and_then(|(index, count)| Some([index.parse().ok()?, count.parse().ok()?]));
        numbers.map_or_else(|| Err("a shard is I/N with I from 1 to N, such as 2/16".to_owned()), Self::try_from)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// How items are dealt to shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deal {
    /// Runs of neighbours, as long as each other or one item longer, the longer ones first.
    Runs,
    /// Item k to shard k mod n + 1.
    Turns,
}

impl Deal {
    /// The items of a shard, each of which is `first`, or a multiple of `step` after it, and before `end`: `[first, end, step]`.
    pub(super) fn range(self, Shard { index, count }: Shard, items: u64) -> [u64; 3] {
        let before = index - 1;
        match self {
            Self::Runs => {
                let (least, longer) = (items / count, items % count);
                let first = before * least + before.min(longer);
                [first, first + least + u64::from(before < longer), 1]
            }
            Self::Turns => [before.min(items), items, count],
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shards_are_two_numbers() {
        assert_eq!("2/16".parse(), Ok(Shard { index: 2, count: 16 }));
        assert_eq!("2/16".parse::<Shard>().unwrap().to_string(), "2/16");
        for wrong in ["", "2", "/", "0/2", "3/2", "1/0", "-1/2", "+1/2", "1/2/3", "1 /2", "1/18446744073709551616"] {
            assert!(
                wrong.parse::<Shard>().unwrap_err().contains("with I from 1 to N")
                    || wrong.parse::<Shard>().unwrap_err().contains("has I from 1 to N"),
                "{wrong}"
            );
        }
        let json = serde_json::to_string(&Shard { index: 2, count: 16 }).unwrap();
        assert_eq!(json, "[2,16]");
        assert!(serde_json::from_str::<Shard>("[0,1]").is_err());
    }

    proptest! {
        #[test]
        fn each_item_is_in_one_shard(items in 0u64..40, count in 1u64..50) {
            for deal in [Deal::Runs, Deal::Turns] {
                let mut met = Vec::new();
                for index in 1..=count {
                    let [first, end, step] = deal.range(Shard { index, count }, items);
                    prop_assert!(first <= end && end <= items && step > 0);
                    met.extend((first..end).step_by(step as usize));
                    prop_assert!(items < index || first < end, "the first shards have items");
                }
                if deal == Deal::Turns {
                    met.sort_unstable();
                }
                prop_assert_eq!(met, (0..items).collect::<Vec<_>>());
            }
        }
    }
}
