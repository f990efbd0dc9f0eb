//! Critical graph: the nodes and arcs of circuits of maximum mean, and eigenvectors, one for each of its components (Baccelli, Cohen,
//! Olsder, Quadrat 1992, theorems 3.100 and 3.101).

use std::cmp::Ordering;

use super::circuits::{Circuits, circuits};
use super::ratio::{Ratio, RatioNumber, exact};
use super::{SCALE, Solved, components_of};
use crate::circuit::longest;
use crate::error::MaxPlusError;
use crate::exact::positive;
use crate::graph::Graph;
use crate::path_sum::PathSum;
use crate::weight::Weight;

/// The nodes and arcs of circuits of maximum mean.
#[derive(Debug, Clone, PartialEq)]
pub struct CriticalGraph<E> {
    /// The maximum cycle mean.
    pub ratio: Ratio<E>,
    /// The arcs, from and to, ascending.
    pub arcs: Vec<(u32, u32)>,
    /// The strongly connected components, ascending in each and by their first nodes.
    pub components: Vec<Vec<u32>>,
    /// The cyclicity of each component: the greatest common divisor of its circuits' arcs.
    pub cyclicities: Vec<u64>,
}

impl<E: RatioNumber> CriticalGraph<E> {
    /// The least common multiple of the cyclicities: the period of powers of a matrix whose graph is strongly connected, from some power
    /// on. `None` past 64 bits.
    pub fn cyclicity(&self) -> Option<u64> {
        self.cyclicities.iter().try_fold(1u64, |all, &own| (all / gcd(all, own)).checked_mul(own))
    }

    /// The circuits of maximum mean, listed up to a limit.
    pub fn circuits(&self, limit: usize) -> Circuits {
        circuits(&self.arcs, &self.components, limit)
    }
}

/// An eigenvector: entries whose denominators are one number; `None` is epsilon.
#[derive(Debug, Clone, PartialEq)]
pub struct Eigenvector<E> {
    /// The entries times the denominator.
    pub numerators: Vec<Option<E>>,
    /// The denominator of all entries, that of the eigenvalue.
    pub denominator: u64,
}

impl<E: RatioNumber> Eigenvector<E> {
    /// An entry; `None` is epsilon, or past the last one.
    pub fn entry(&self, node: usize) -> Option<Ratio<E>> {
        let numerator = self.numerators.get(node).copied().flatten()?;
        if E::IS_EXACT { E::reduced(numerator, self.denominator) } else { Some(Ratio { weight: numerator, time: 1 }) }
    }
}

impl<T: Weight> Graph<T> {
    /// The critical graph; `None` without circuits. For floating point arcs count within the rounding of their sums.
    ///
    /// # Errors
    /// As [`Graph::maximum_cycle_mean`].
    #[inline(never)]
    pub fn critical_graph(&self) -> Result<Option<CriticalGraph<T::Exact>>, MaxPlusError> {
        if let Some(small) = self.scaled_down()? {
            let found = small.critical_graph()?;
            return Ok(found.map(|found| CriticalGraph { ratio: found.ratio.scaled(SCALE), ..found }));
        }
        let one = |_: u32, _: u32| 1;
        let parts = self.solved(&one)?;
        let Some(mean) = self.maximum_cycle_mean()? else { return Ok(None) };
        let ratio = mean.ratio;
        let tolerance = T::Exact::rounding(2 * self.nodes(), self.largest().real().abs() + ratio.value().abs());
        let mut tight = Vec::new();
        for part in parts {
            if T::Exact::compare(&part.policy.ratio, &ratio) != Some(Ordering::Less) {
                self.tight(&part, tolerance, &mut tight)?;
            }
        }
        // Every circuit of tight arcs has the maximum mean, and no other has.
        let mut components = components_of(self.nodes(), &tight);
        let is_loop = |node: u32| tight.contains(&(node, node));
        components.retain(|component| component.len() > 1 || component.iter().any(|&node| is_loop(node)));
        components.sort();
        let mut component_of = vec![usize::MAX; self.nodes()];
        for (number, component) in components.iter().enumerate() {
            for &node in component {
                component_of[node as usize] = number;
            }
        }
        let of = |node: u32| component_of[node as usize];
        let mut arcs: Vec<(u32, u32)> =
            tight.into_iter().filter(|&(from, to)| of(from) == of(to) && of(from) != usize::MAX).collect();
        arcs.sort_unstable();
        let cyclicities = components.iter().map(|component| cyclicity(&arcs, component)).collect();
        Ok(Some(CriticalGraph { ratio, arcs, components, cyclicities }))
    }

    /// The arcs of a component whose weight above the ratio is the difference of their ends' values.
    fn tight(
        &self,
        part: &Solved<T::Exact>,
        tolerance: T::Exact,
        tight: &mut Vec<(u32, u32)>,
    ) -> Result<(), MaxPlusError> {
        for (at, &from) in part.nodes.iter().enumerate() {
            for (to, weight) in self.successors(from) {
                let Ok(end) = part.nodes.binary_search(&to) else { continue };
                let values = &part.policy.values;
                let above = weight.exact().above(1, &part.policy.ratio);
                let way = exact(above.and_then(|above| above.checked(values[end])?.checked(tolerance)))?;
                if way >= values[at] {
                    tight.push((from, to));
                }
            }
        }
        Ok(())
    }

    /// Eigenvectors of the maximum cycle mean, one for each component of the critical graph: entry `i` is the weight above the mean of
    /// the heaviest path from the component's first node to `i`. All others of the eigenvalue are sums of them. None without circuits.
    ///
    /// # Errors
    /// As [`Graph::maximum_cycle_mean`]; [`MaxPlusError::Large`] for an entry past the largest number.
    #[inline(never)]
    pub fn eigenvectors(&self) -> Result<Vec<Eigenvector<T::Exact>>, MaxPlusError> {
        if let Some(small) = self.scaled_down()? {
            let mut found = small.eigenvectors()?;
            for entry in found.iter_mut().flat_map(|vector| &mut vector.numerators).flatten() {
                *entry = entry.scaled(SCALE);
                if !entry.double().is_finite() {
                    return Err(MaxPlusError::Large { count: self.nodes(), largest: self.largest().to_string() });
                }
            }
            return Ok(found);
        }
        let Some(critical) = self.critical_graph()? else { return Ok(Vec::new()) };
        let ratio = critical.ratio;
        // All sums stay within 127 bits where one of as many of the largest does.
        for (_, _, weight) in self.arcs() {
            exact(weight.exact().above(1, &ratio))?;
        }
        let above = |_: u32, _: u32, weight: T| weight.exact().above(1, &ratio).unwrap_or(T::Exact::NOTHING);
        let margin = T::Exact::rounding(2 * self.nodes(), self.largest().real().abs() + ratio.value().abs());
        let below = |above: T::Exact| above.less(margin).unwrap_or(above);
        let mut found = Vec::new();
        for component in &critical.components {
            let mut starts = vec![None; self.nodes()];
            if let Some(&first) = component.first() {
                starts[first as usize] = Some(T::Exact::NOTHING);
            }
            // Rounding may leave a circuit a little above 0: below it by as much, no circuit is.
            let paths = longest(self, starts.clone(), above)
                .or_else(|_| longest(self, starts, |from, to, weight| below(above(from, to, weight))))
                .map_err(|nodes| positive(self, crate::circuit::turned(nodes)))?;
            found.push(Eigenvector { numerators: paths.weights, denominator: ratio.time });
        }
        Ok(found)
    }
}

pub(super) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The greatest common divisor of the circuits' arcs: of the differences of distances from a node (Denardo, "Periods of connected
/// networks and powers of nonnegative matrices", 1977).
fn cyclicity(arcs: &[(u32, u32)], component: &[u32]) -> u64 {
    let Some(&first) = component.first() else { return 1 };
    let successors = |node: u32| {
        let begin = arcs.partition_point(|arc| arc.0 < node);
        arcs[begin..].iter().take_while(move |arc| arc.0 == node).map(|arc| arc.1)
    };
    let place = |node: u32| component.binary_search(&node).unwrap_or(0);
    let mut distance = vec![u64::MAX; component.len()];
    distance[place(first)] = 0;
    let mut queue = std::collections::VecDeque::from([first]);
    let mut divisor = 0;
    while let Some(node) = queue.pop_front() {
        let next = distance[place(node)] + 1;
        for to in successors(node) {
            let at = place(to);
            if distance[at] == u64::MAX {
                distance[at] = next;
                queue.push_back(to);
            } else {
                divisor = gcd(divisor, distance[at].abs_diff(next));
            }
        }
    }
    divisor.max(1)
}
