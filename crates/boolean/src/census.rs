//! All functions of a few variables, counted.
//!
//! Functions that differ by an affine function have the same Walsh coefficients in another order and with other signs, so one
//! function of each coset of the affine ones is transformed: the one that is 0 at 0 and at the `n` indices of a single one. The
//! coefficient `W(w)` of it is the balance of its sum with `w . x`, and its negative that of the complement: their weights are
//! `(2^n -+ W(w)) / 2`.

use std::collections::BTreeMap;

use crate::error::TableError;
use crate::table::anf::degree_within;
use crate::threads::{TASK, mapped, part_len, with_host};
use crate::transforms::reed_muller_word;

/// What functions of a class have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class {
    /// The algebraic degree, 0 for both constants.
    pub degree: u32,
    /// The largest `|W(w)|`.
    pub linearity: u32,
    /// The number of `x` with `f(x) = 1`.
    pub weight: u32,
}

/// The number of functions of each class, of all `2^(2^n)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Census {
    variables: u32,
    classes: BTreeMap<Class, u64>,
}

impl Census {
    /// The most variables that can be counted: `2^32` functions.
    pub const MOST_VARIABLES: u32 = 5;

    /// The number of variables.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// The number of functions of each class that has any.
    pub fn classes(&self) -> &BTreeMap<Class, u64> {
        &self.classes
    }

    /// The number of functions of each value of `key`.
    pub fn by<K: Ord>(&self, key: impl Fn(&Class) -> K) -> BTreeMap<K, u64> {
        self.classes.iter().fold(BTreeMap::new(), |mut counts, (class, count)| {
            *counts.entry(key(class)).or_default() += count;
            counts
        })
    }

    /// The number of functions of each linearity, the largest `|W(w)|`; the nonlinearity is `(2^n - linearity) / 2`.
    pub fn by_linearity(&self) -> BTreeMap<u32, u64> {
        self.by(|class| class.linearity)
    }
}

/// Counts all functions of `variables` variables, on all threads of the host: `2^(2^n - n - 1)` transforms of `2^n`
/// values, which takes a second or a few for 5 variables.
///
/// ```
/// let census = manycore_boolean::census(4)?;
/// assert_eq!(census.by_linearity()[&4], 896); // bent functions
/// # Ok::<(), manycore_boolean::TableError>(())
/// ```
///
/// # Errors
/// [`TableError::TooManyVariables`] past [`Census::MOST_VARIABLES`].
pub fn census(variables: u32) -> Result<Census, TableError> {
    let limit = Census::MOST_VARIABLES;
    if variables > limit {
        return Err(TableError::TooManyVariables { variables, limit });
    }
    let counts = match variables {
        0 => counted::<1>(),
        1 => counted::<2>(),
        2 => counted::<4>(),
        3 => counted::<8>(),
        4 => counted::<16>(),
        _ => counted::<32>(),
    };
    let len = 1u32 << variables;
    let mut classes = BTreeMap::new();
    for (degree, of_degree) in counts.iter().enumerate() {
        for (linearity, of_linearity) in of_degree.iter().enumerate() {
            for (balance, &count) in of_linearity.iter().enumerate().filter(|(_, count)| **count > 0) {
                // A balance W with 32 added, and -W of the complement.
                let w = balance as i32 - 32;
                for w in [w, -w] {
                    let weight = (len as i32 - w) as u32 / 2;
                    // Of the coset of affine functions, the constants have the degree 0.
                    let degree = if degree == 0 && !weight.is_multiple_of(len) { 1 } else { degree as u32 };
                    *classes.entry(Class { degree, linearity: linearity as u32, weight }).or_default() += count;
                }
            }
        }
    }
    Ok(Census { variables, classes })
}

/// Counts of functions by degree (below 2: 0), linearity and the balance with 32 added.
type Counts = Vec<Vec<[u64; 65]>>;

/// The counts of all cosets of functions with `LEN` values, one balance for each of the `LEN` linear functions added.
fn counted<const LEN: usize>() -> Counts {
    let variables = LEN.ilog2();
    let free: Vec<u32> = (0..LEN as u32).filter(|x| x.count_ones() > 1).collect();
    // The free bits of a number's low and high half, where they go.
    let (low, high) = free.split_at(free.len() / 2);
    let placed = |places: &[u32]| -> Vec<u32> {
        let of =
            |number: u32| (0..).zip(places).filter(|(k, _)| number >> k & 1 == 1).fold(0, |f, (_, at)| f | 1 << at);
        (0..1 << places.len()).map(of).collect()
    };
    let (low, high) = (placed(low), placed(high));
    let new = || vec![vec![[0u64; 65]; 33]; variables as usize + 1];
    let both = |mut a: Counts, b: Counts| {
        for (a, b) in a.iter_mut().flatten().flatten().zip(b.iter().flatten().flatten()) {
            *a += b;
        }
        a
    };
    let of_high = |mut counts: Counts, &high: &u32| {
        for &low in &low {
            let f = low | high;
            let walsh = transformed::<LEN>(f);
            let linearity = walsh.iter().map(|w| w.unsigned_abs()).max().unwrap_or(0);
            let degree = match degree(f, variables) {
                0 | 1 => 0,
                degree => degree,
            };
            let of_class = &mut counts[degree as usize][usize::from(linearity)];
            for w in walsh {
                of_class[(i32::from(w) + 32) as usize] += 1;
            }
        }
        counts
    };
    with_host(high.len() * low.len() > TASK, |team| {
        let len = part_len(team, high.len(), TASK.div_ceil(low.len()));
        mapped(team, high.chunks(len), |high| high.iter().fold(new(), of_high)).fold(new(), both)
    })
}

/// The Walsh coefficients of a function of at most 5 variables.
fn transformed<const LEN: usize>(f: u32) -> [i8; LEN] {
    let mut values = [0i8; LEN];
    values.iter_mut().enumerate().for_each(|(x, value)| *value = 1 - 2 * (f >> x & 1) as i8);
    let mut step = 1;
    while step < LEN {
        for block in values.chunks_exact_mut(2 * step) {
            let (low, high) = block.split_at_mut(step);
            for (u, v) in low.iter_mut().zip(high) {
                (*u, *v) = (*u + *v, *u - *v);
            }
        }
        step *= 2;
    }
    values
}

/// The algebraic degree of a function of at most 5 variables.
fn degree(f: u32, variables: u32) -> u32 {
    degree_within(reed_muller_word(f.into(), 0, variables))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::reference;
    use crate::table::TruthTable;

    #[test]
    fn known_counts() {
        let of = |variables| census(variables).unwrap().by_linearity();
        let four = [(4, 896), (6, 14_336), (8, 28_000), (10, 17_920), (12, 3840), (14, 512), (16, 32)];
        assert_eq!(of(4), four.into());
        assert_eq!(of(3), [(4, 112), (6, 128), (8, 16)].into());
        assert_eq!(of(2), [(2, 8), (4, 8)].into());
        let of_degree = census(4).unwrap().by(|class| class.degree);
        assert_eq!(of_degree, [(0, 2), (1, 30), (2, 2016), (3, 30_720), (4, 32_768)].into());
        assert!(matches!(census(6), Err(TableError::TooManyVariables { variables: 6, limit: 5 })));
    }

    #[test]
    fn short_functions_are_counted_one_by_one() {
        for variables in 0..=3 {
            let mut classes = BTreeMap::new();
            for word in 0..1u64 << (1 << variables) {
                let f = TruthTable::from_words(variables, vec![word]).unwrap();
                let linearity = reference::walsh(&f).iter().map(|w| w.unsigned_abs()).max().unwrap_or(0) as u32;
                let class = Class { degree: f.anf().degree(), linearity, weight: f.weight() as u32 };
                *classes.entry(class).or_insert(0u64) += 1;
            }
            assert_eq!(census(variables).unwrap().classes, classes, "{variables}");
        }
    }
}
