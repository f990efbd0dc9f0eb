//! The routes that there are to a product, and what is wrong with one.

use manycore_device::{DeviceKind, Executor};
use manycore_field::ResidueWord;
use manycore_ntt::NttField;

use super::product::TransformProduct;
use super::route::{MOST_PRIMES, Residues, Route};
use super::shape::{Cut, Length, MOST_WRAPPED, Shape, Trimmed};
use super::tile::Tile;

/// The bits of the largest coefficient of the product of integers: `min(n, m) (p - 1)^2`.
fn bound_bits(terms: usize, p: u64) -> f64 {
    (terms as f64).log2() + 2.0 * ((p - 1) as f64).log2()
}

/// The number of primes whose product holds numbers of `bits` bits; `None` where all are too few.
fn enough(primes: &[u64], bits: f64) -> Option<usize> {
    // Rounding of the logarithms is far below the margin.
    let mut left = bits + 1e-6;
    primes
        .iter()
        .position(|&q| {
            left -= (q as f64).log2();
            left < 0.0
        })
        .map(|last| last + 1)
}

impl<F: NttField> TransformProduct<F> {
    /// Every route: of each cut, modulo each kind of primes, in several launches and, where a tile holds a row, in one.
    pub(super) fn routes(&self, shape: &Shape) -> Vec<Route> {
        let Some((trimmed, _)) = shape.trimmed().map(Trimmed::longer_first) else { return Vec::new() };
        let mut cuts = Cut::candidates(&trimmed);
        if shape.square {
            cuts.retain(|cut| cut.blocks == 1);
        }
        let routes = |cut: Cut| {
            let residues = self.residues(&trimmed, cut.length);
            let ways = move |residues| {
                // The compilers of CPUs take long for such kernels.
                let tiled =
                    self.device().info().kind == DeviceKind::Gpu && self.tile_of(residues, cut.length).is_some();
                let ways = if tiled { &[true, false][..] } else { &[false] };
                ways.iter().map(move |&tiled| Route { residues, cut, tiled })
            };
            residues.into_iter().flat_map(ways)
        };
        cuts.into_iter().flat_map(routes).collect()
    }

    /// The primes that a cut may be done with.
    fn residues(&self, shape: &Trimmed, length: Length) -> Vec<Residues> {
        let log_order = length.log_order();
        let p = self.field().order();
        let mut found = Vec::new();
        if self.field().two_adicity() >= log_order {
            found.push(Residues::Direct);
        }
        // Reconstructions are for p < 2^63.
        if p >> 63 != 0 {
            return found;
        }
        let bound = bound_bits(shape.b.len, p);
        let mut offer = |bits, primes: &[u64]| {
            found.extend(enough(primes, bound).map(|count| Residues::Primes { bits, count }));
        };
        match self.device().executor() {
            // The host's butterflies reduce less often where words have more room.
            Executor::Host(_) => {
                for bits in [29, 30] {
                    offer(bits, &self.short.largest(bits, log_order));
                }
            }
            Executor::OpenCl(cl) if cl.floating_residues() => offer(50, &self.long.largest(50, log_order)),
            Executor::OpenCl(_) => {}
        }
        offer(31, &self.short.largest(31, log_order));
        offer(62, &self.long.largest(62, log_order));
        found
    }

    /// Whether a route does the product; the reason if not.
    pub(super) fn fault(&self, shape: &Trimmed, route: &Route) -> Option<String> {
        let Cut { length, block, blocks } = route.cut;
        let (n, m) = (shape.a.len, shape.b.len);
        let whole = match length {
            Length::Power(k) if k < usize::BITS - 2 => n.max(m) <= 1 << k && route.cut.wrapped(shape) <= MOST_WRAPPED,
            Length::ThreeQuarters(k) if k < usize::BITS - 4 => shape.terms() <= 3 << k,
            _ => false,
        };
        let fits = match blocks {
            0 => false,
            1 => block == n && whole,
            _ => {
                matches!(length, Length::Power(k) if k < usize::BITS - 2)
                    && block >= m.saturating_sub(1).max(1)
                    && block.saturating_add(m - 1) <= length.values()
                    && n.div_ceil(block) == blocks
            }
        };
        if !fits {
            return Some(format!("rows of {length} values, {blocks} blocks of {block}, do not hold the product"));
        }
        if route.tiled && self.tile_of(route.residues, length).is_none() {
            return Some(format!("no tile of the device holds {length} values"));
        }
        let possible = self.residues(shape, length);
        let does = |possible: &Residues| match (*possible, route.residues) {
            (Residues::Primes { bits, count }, Residues::Primes { bits: other, count: given }) => {
                bits == other && (count..=MOST_PRIMES).contains(&given)
            }
            (one, other) => one == other,
        };
        (!possible.iter().any(does)).then(|| "the primes are too few, or have no such roots of unity".to_owned())
    }

    /// The tile for rows of a length; `None` on the host, for other lengths than powers of two, and on devices too small for it.
    pub(super) fn tile<W: ResidueWord>(&self, length: Length) -> Option<Tile> {
        match (length, self.device().executor()) {
            (Length::Power(log_len), Executor::OpenCl(cl)) => Tile::new(cl, log_len, size_of::<W>()).ok().flatten(),
            _ => None,
        }
    }

    /// The tile for rows of residues, by the words that hold them.
    pub(super) fn tile_of(&self, residues: Residues, length: Length) -> Option<Tile> {
        match residues {
            Residues::Direct => self.tile::<F::Element>(length),
            Residues::Primes { bits: ..=31, .. } => self.tile::<u32>(length),
            Residues::Primes { .. } => self.tile::<u64>(length),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_primes_are_taken_as_the_bound_demands() {
        let primes = [5, 3];
        assert_eq!(enough(&primes, 4f64.log2()), Some(1));
        assert_eq!(enough(&primes, 5f64.log2()), Some(2));
        assert_eq!(enough(&primes, 14f64.log2()), Some(2));
        assert_eq!(enough(&primes, 15f64.log2()), None);
        assert!(bound_bits(1, 2).abs() < 1e-12);
        assert!((bound_bits(8, 5) - 7.0).abs() < 1e-12);
    }
}
