//! A bound of the rounding of paths.

use super::Graph;
use crate::weight::Weight;

impl<T: Weight> Graph<T> {
    /// By how much weights of paths that are computed in this type may be off: 0 of integers, and of numbers whose sums are all numbers
    /// of the type; otherwise `4 (n + 2) u` times the largest sum of sizes of weights that a path has, `u` half a unit in the last place
    /// of 1, which covers sums in any order and weights that are off by half a unit in their last places.
    ///
    /// ```
    /// use manycore_maxplus::Graph;
    /// assert_eq!(Graph::from_arcs(2, &[(0, 1, 0.25), (1, 0, -3.0)])?.rounding(), 0.0);
    /// assert!(Graph::from_arcs(2, &[(0, 1, 0.1), (1, 0, -3.0)])?.rounding() < 1e-14);
    /// # Ok::<(), manycore_maxplus::MaxPlusError>(())
    /// ```
    pub fn rounding(&self) -> f64 {
        if T::IS_EXACT {
            return 0.0;
        }
        // A path leaves each node once at most.
        let of_node =
            |node: u32| self.successors(node).fold(0.0, |most: f64, (_, weight)| most.max(weight.real().abs()));
        let longest: f64 = (0..self.nodes() as u32).map(of_node).sum();
        let ulp = (-f64::from(T::MANTISSA_BITS)).exp2();
        let nonzero = self.weights.iter().map(|weight| weight.parts()).filter(|&(mantissa, _)| mantissa != 0);
        let least = nonzero.map(|(_, exponent)| exponent).min().unwrap_or(0);
        // Sums and differences of two paths have their bits within those of the type.
        if longest * 4.0 * ulp <= f64::from(least).exp2() {
            return 0.0;
        }
        4.0 * (self.nodes() as f64 + 2.0) * ulp * longest
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // exact values
mod tests {
    use super::*;

    #[test]
    fn sums_of_whole_numbers_are_exact() {
        let bound = |weights: &[f64]| {
            let arcs: Vec<(u32, u32, f64)> =
                (0..).zip(weights).map(|(node, &weight)| (node, node + 1, weight)).collect();
            Graph::from_arcs(weights.len() + 1, &arcs).unwrap().rounding()
        };
        assert_eq!((bound(&[]), bound(&[0.0]), bound(&[1.0, -2.5]), bound(&[2f64.powi(999)])), (0.0, 0.0, 0.0, 0.0));
        assert_eq!(bound(&[1e15, 1.0]), 0.0);
        let inexact = [&[0.1, 0.7][..], &[1e16, 1.0], &[1e300, -0.5]].map(bound);
        assert!(inexact.iter().all(|&bound| bound > 0.0), "{inexact:?}");
        // 4 * 5 * 2^-53 * (1e16 + 1): about 22.
        assert!((inexact[1] - 22.2).abs() < 0.1, "{inexact:?}");
        let single = Graph::from_arcs(2, &[(0, 1, 16_777_215.0f32), (1, 0, 1.0)]).unwrap();
        assert!(single.rounding() > 0.0 && single.map(|_, _, weight| f64::from(weight)).unwrap().rounding() == 0.0);
    }
}
