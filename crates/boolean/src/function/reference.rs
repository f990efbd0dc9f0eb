//! The definitions, quadratic in the number of values: specification and oracle.

use crate::table::TruthTable;

/// The Walsh spectrum of the signs, `W(w) = sum over x of (-1)^(f(x) + w . x)`, in natural order. `4^n` additions.
///
/// ```
/// use manycore_boolean::{TruthTable, function::reference};
/// let f = TruthTable::from_binary("00100100")?;
/// assert_eq!(reference::walsh(&f), [4, 0, 0, 4, 0, -4, 4, 0]);
/// # Ok::<(), manycore_boolean::TableError>(())
/// ```
pub fn walsh(f: &TruthTable) -> Vec<i64> {
    let sign = |odd: bool| if odd { -1 } else { 1 };
    let coefficient = |w: u64| (0..f.len()).map(|x| sign(f.at(x) ^ ((w & x).count_ones() % 2 == 1))).sum();
    (0..f.len()).map(coefficient).collect()
}

/// The autocorrelation `r(a) = sum over x of (-1)^(f(x) + f(x + a))`, from the derivatives. `4^n` additions.
pub fn autocorrelation(f: &TruthTable) -> Vec<i64> {
    let sign = |odd: bool| if odd { -1 } else { 1 };
    (0..f.len()).map(|a| (0..f.len()).map(|x| sign(f.at(x) != f.at(x ^ a))).sum()).collect()
}

/// The coefficients of the algebraic normal form, packed: `c(u)` is the sum modulo 2 of `f(x)` over the `x` whose bits are
/// among those of `u`. `3^n` additions.
pub fn anf(f: &TruthTable) -> TruthTable {
    let coefficient = |u: u64| {
        let subsets = std::iter::successors(Some(u), |&x| (x != 0).then(|| (x - 1) & u));
        subsets.fold(false, |sum, x| sum ^ f.at(x))
    };
    let minterms: Vec<u64> = (0..f.len()).filter(|&u| coefficient(u)).collect();
    let mut words = vec![0u64; f.words().len()];
    for u in minterms {
        words[(u / 64) as usize] |= 1 << (u % 64);
    }
    TruthTable::of_words(f.variables(), words)
}

/// The least distance of `f` to an affine function, by comparing with each. `4^n` comparisons.
pub fn nonlinearity(f: &TruthTable) -> u64 {
    let distance = |mask: u64| {
        let differ = (0..f.len()).filter(|&x| f.at(x) ^ ((mask & x).count_ones() % 2 == 1)).count() as u64;
        differ.min(f.len() - differ)
    };
    (0..f.len()).map(distance).min().unwrap_or(0)
}

/// The largest `t` for which the value of `f` does not depend on any `t` of its variables: `f` has the same weight
/// wherever `t` variables are held at any values.
pub fn correlation_immunity(f: &TruthTable) -> u32 {
    let n = f.variables();
    let independent = |held: u64| {
        let weight = |values: u64| (0..f.len()).filter(|x| x & held == values && f.at(*x)).count();
        let first = weight(0);
        let mut values = held;
        while values != 0 && weight(values) == first {
            values = (values - 1) & held;
        }
        values == 0
    };
    let holds = |t: u32| (0..f.len()).filter(|held| held.count_ones() == t).all(independent);
    (1..=n).take_while(|&t| holds(t)).last().unwrap_or(0)
}

/// Every `a` whose derivative `f(x) + f(x + a)` is constant, 0 included, ascending.
pub fn linear_structures(f: &TruthTable) -> Vec<u64> {
    let constant = |a: u64| (0..f.len()).all(|x| (f.at(x) ^ f.at(x ^ a)) == (f.at(0) ^ f.at(a)));
    (0..f.len()).filter(|&a| constant(a)).collect()
}
