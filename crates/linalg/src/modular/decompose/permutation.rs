//! Permutations: orders of rows and columns.

/// A permutation `P` of rows, or `Q` of columns: place `k` takes the row of number `images()[k]`.
///
/// ```
/// use manycore_linalg::Permutation;
/// let p = Permutation::of_swaps(3, &[2, 2]); // rows 0 and 2, then rows 1 and 2
/// assert_eq!(p.images(), [2, 0, 1]);
/// assert_eq!(p.inverse().images(), [1, 2, 0]);
/// assert!(p.is_even());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Permutation(Vec<usize>);

impl Permutation {
    /// The permutation that exchanges place `k` with place `swaps[k]`, one after the other from the first on, of `len` places.
    /// Exchanges with places past the end are left out.
    pub fn of_swaps(len: usize, swaps: &[u32]) -> Self {
        let mut images: Vec<usize> = (0..len).collect();
        for (k, &swap) in swaps.iter().enumerate().take(len) {
            if (swap as usize) < len {
                images.swap(k, swap as usize);
            }
        }
        Self(images)
    }

    /// The permutation that has these numbers first, in their order, and the others behind them, ascending. Numbers that are named
    /// again, or not below `len`, count once, or not at all.
    pub(crate) fn first(len: usize, chosen: &[usize]) -> Self {
        let mut is_chosen = vec![false; len];
        let mut images = Vec::with_capacity(len);
        for &number in chosen.iter().filter(|&&number| number < len) {
            if !std::mem::replace(&mut is_chosen[number], true) {
                images.push(number);
            }
        }
        images.extend((0..len).filter(|&number| !is_chosen[number]));
        Self(images)
    }

    /// For each place the number that it takes; each number from 0 to below the length once.
    pub fn images(&self) -> &[usize] {
        &self.0
    }

    /// The number of places.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no places.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The permutation that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut inverse = vec![0; self.0.len()];
        self.0.iter().enumerate().for_each(|(k, &image)| inverse[image] = k);
        Self(inverse)
    }

    /// Whether it is a product of an even number of exchanges: its matrix then has the determinant 1, else -1.
    pub fn is_even(&self) -> bool {
        let mut is_seen = vec![false; self.0.len()];
        let mut is_even = true;
        for start in 0..self.0.len() {
            let mut place = start;
            // A cycle of c places is c - 1 exchanges.
            while !std::mem::replace(&mut is_seen[place], true) {
                place = self.0[place];
                is_even ^= place != start;
            }
        }
        is_even
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_and_signs_are_those_of_the_exchanges() {
        let swaps: [&[u32]; 6] = [&[], &[0], &[3, 3, 2], &[1, 2, 3, 4], &[4, 3], &[2, 1, 4, 4]];
        for swaps in swaps {
            let p = Permutation::of_swaps(5, swaps);
            let q = p.inverse();
            assert!((0..5).all(|k| p.images()[q.images()[k]] == k && q.images()[p.images()[k]] == k));
            let exchanges = (0u32..).zip(swaps).filter(|&(k, &swap)| k != swap).count();
            assert_eq!(p.is_even(), exchanges % 2 == 0, "{swaps:?}");
            assert_eq!(q.is_even(), p.is_even());
        }
        assert!(Permutation::of_swaps(0, &[]).is_empty() && Permutation::of_swaps(0, &[]).is_even());
        assert_eq!(Permutation::of_swaps(2, &[7, 9]).images(), [0, 1]);
    }

    #[test]
    fn chosen_numbers_come_first() {
        assert_eq!(Permutation::first(5, &[1, 3]).images(), [1, 3, 0, 2, 4]);
        assert_eq!(Permutation::first(3, &[2, 2, 9]).images(), [2, 0, 1]);
        assert_eq!(Permutation::first(0, &[]).len(), 0);
    }
}
