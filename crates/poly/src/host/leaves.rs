//! The lowest nodes of subproduct trees on the host: values at their points by synthetic division, and the sums of
//! interpolation, for 32-bit residues in vectors of points by Montgomery's reduction (1985).

use manycore_field::{PrimeField, Semiring};

/// Points and words of a node that vectors take together.
const WIDTH: usize = 32;

/// For each point `u` the sum of `q[i] t[i]`, where the `q[i]` are the coefficients of the monic polynomial with `m` below its
/// leading one, over `x - u`, from the leading one down.
pub(super) fn values_by_definition<S: Semiring>(
    ring: &S,
    m: &[S::Element],
    t: &[S::Element],
    points: &[S::Element],
    values: &mut [S::Element],
) {
    for (value, &u) in values.iter_mut().zip(points) {
        let mut q = ring.one();
        let mut sum = t[0];
        for (&m, &t) in m.iter().rev().zip(&t[1..]) {
            q = ring.add(m, ring.mul(u, q));
            sum = ring.add(sum, ring.mul(q, t));
        }
        *value = sum;
    }
}

pub(super) fn values(field: &PrimeField<u32>, m: &[u32], t: &[u32], points: &[u32], values: &mut [u32]) {
    let Some(montgomery) = Montgomery::new(field.modulus()) else {
        return values_by_definition(field, m, t, points, values);
    };
    let leaf = Leaf { field, montgomery, m, t };
    for (points, values) in points.chunks(WIDTH).zip(values.chunks_mut(WIDTH)) {
        let mut own = [0; WIDTH];
        own[..points.len()].copy_from_slice(points);
        let found = leaf.values(&own);
        values.copy_from_slice(&found[..values.len()]);
    }
}

/// Reduction of products modulo an odd prime below `2^31`.
#[derive(Clone, Copy)]
struct Montgomery {
    p: u64,
    /// `-p^-1 mod 2^32`.
    inverse: u64,
    /// `2^64 mod p`.
    square: u64,
}

impl Montgomery {
    fn new(p: u32) -> Option<Self> {
        if p.is_multiple_of(2) {
            return None;
        }
        // Each step doubles the bits that are right, from three.
        let inverse = (0..4).fold(p, |x, _| x.wrapping_mul(2u32.wrapping_sub(p.wrapping_mul(x))));
        let square = ((1u128 << 64) % u128::from(p)) as u64;
        Some(Self { p: p.into(), inverse: inverse.wrapping_neg().into(), square })
    }

    /// `x / 2^32 mod p` of `x` below `2^32 p`.
    #[inline(always)]
    fn reduce(self, x: u64) -> u64 {
        // The masks show the compiler that the factors are 32-bit words.
        let multiple = ((x & 0xffff_ffff) * self.inverse) & 0xffff_ffff;
        let y = (x + multiple * self.p) >> 32;
        y.min(y.wrapping_sub(self.p))
    }

    #[inline(always)]
    fn add(self, x: u64, y: u64) -> u64 {
        let sum = x + y;
        sum.min(sum.wrapping_sub(self.p))
    }
}

/// A node with the terms that its points share.
struct Leaf<'a> {
    field: &'a PrimeField<u32>,
    montgomery: Montgomery,
    m: &'a [u32],
    t: &'a [u32],
}

impl Leaf<'_> {
    fn values(&self, points: &[u32; WIDTH]) -> [u32; WIDTH] {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has the instruction set.
                return unsafe { self.with_avx512(points) };
            }
            if is_x86_feature_detected!("avx2") {
                // SAFETY: as above.
                return unsafe { self.with_avx2(points) };
            }
        }
        self.sums(points)
    }

    #[inline(always)]
    fn sums(&self, points: &[u32; WIDTH]) -> [u32; WIDTH] {
        let montgomery = self.montgomery;
        let p = montgomery.p;
        let (terms, fold) = (((1u64 << 32) / p).min(64) as usize, p << 32);
        // With 2^32 in the point, the reduced product is that of residues.
        let scaled: [u64; WIDTH] = std::array::from_fn(|i| montgomery.reduce(u64::from(points[i]) * montgomery.square));
        let mut q = [1u64; WIDTH];
        let mut sums = [u64::from(self.t[0]); WIDTH];
        let mut pending = 1;
        for (&m, &t) in self.m.iter().rev().zip(&self.t[1..]) {
            let (m, t) = (u64::from(m), u64::from(t));
            if pending == terms {
                pending = 0;
                for sum in &mut sums {
                    *sum = (*sum).min(sum.wrapping_sub(fold));
                }
            }
            pending += 1;
            for i in 0..WIDTH {
                q[i] = montgomery.add(m, montgomery.reduce((scaled[i] & 0xffff_ffff) * (q[i] & 0xffff_ffff)));
                sums[i] += (q[i] & 0xffff_ffff) * t;
            }
        }
        std::array::from_fn(|i| {
            let sum = sums[i].min(sums[i].wrapping_sub(fold));
            self.field.barrett().reduce_wide(sum as u32, (sum >> 32) as u32)
        })
    }

    /// # Safety
    /// The processor has AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn with_avx2(&self, points: &[u32; WIDTH]) -> [u32; WIDTH] {
        self.sums(points)
    }

    /// # Safety
    /// The processor has AVX-512F.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx2")]
    unsafe fn with_avx512(&self, points: &[u32; WIDTH]) -> [u32; WIDTH] {
        self.sums(points)
    }
}

/// The sum over the points of weight times the monic product of all `x - u`, over `x - u`: `sum` has as many words as points.
pub(super) fn sums_by_definition<S: manycore_field::Ring>(
    ring: &S,
    points: &[S::Element],
    weights: &[S::Element],
    sum: &mut [S::Element],
) {
    let mut product = vec![ring.zero(); points.len() + 1];
    if let Some(first) = product.first_mut() {
        *first = ring.one();
    }
    sum.fill(ring.zero());
    for (len, (&u, &weight)) in points.iter().zip(weights).enumerate() {
        let minus = ring.neg(u);
        // Times x - u, from the highest word down; the sum gets the product so far.
        for i in (0..=len).rev() {
            let below = if i == 0 { ring.zero() } else { sum[i - 1] };
            sum[i] = ring.add(ring.add(below, ring.mul(minus, sum[i])), ring.mul(weight, product[i]));
        }
        for i in (0..=len + 1).rev() {
            let below = if i == 0 { ring.zero() } else { product[i - 1] };
            product[i] = ring.add(below, ring.mul(minus, product[i]));
        }
    }
}

pub(super) fn sums(field: &PrimeField<u32>, points: &[u32], weights: &[u32], sum: &mut [u32]) {
    let montgomery = Montgomery::new(field.modulus()).filter(|_| points.len() == WIDTH);
    let Some(montgomery) = montgomery else { return sums_by_definition(field, points, weights, sum) };
    let found = node_sums(montgomery, points, weights);
    sum.iter_mut().zip(found).for_each(|(sum, found)| *sum = found as u32);
}

fn node_sums(montgomery: Montgomery, points: &[u32], weights: &[u32]) -> [u64; WIDTH] {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instruction set.
            return unsafe { node_sums_with_avx512(montgomery, points, weights) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: as above.
            return unsafe { node_sums_with_avx2(montgomery, points, weights) };
        }
    }
    node_sums_of(montgomery, points, weights)
}

#[inline(always)]
fn node_sums_of(montgomery: Montgomery, points: &[u32], weights: &[u32]) -> [u64; WIDTH] {
    // A word 0 in front, so that the words below are a window's.
    let (mut product, mut sum) = ([0u64; WIDTH + 1], [0u64; WIDTH + 1]);
    // The product so far is monic; its leading one enters the next word up.
    product[1] = 1;
    for (&u, &weight) in points.iter().zip(weights) {
        let minus = if u == 0 { 0 } else { montgomery.p - u64::from(u) };
        let [minus, weight] = [minus, weight.into()].map(|factor: u64| montgomery.reduce(factor * montgomery.square));
        let (old_sum, old_product) = (sum, product);
        for i in 1..=WIDTH {
            let (s, m) = (old_sum[i] & 0xffff_ffff, old_product[i] & 0xffff_ffff);
            // Both products are below p^2 each, which is less than 2^31 p.
            let terms = montgomery.reduce((minus & 0xffff_ffff) * s + (weight & 0xffff_ffff) * m);
            sum[i] = montgomery.add(old_sum[i - 1], terms);
            product[i] = montgomery.add(old_product[i - 1], montgomery.reduce((minus & 0xffff_ffff) * m));
        }
    }
    std::array::from_fn(|i| sum[i + 1])
}

/// # Safety
/// The processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn node_sums_with_avx2(montgomery: Montgomery, points: &[u32], weights: &[u32]) -> [u64; WIDTH] {
    node_sums_of(montgomery, points, weights)
}

/// # Safety
/// The processor has AVX-512F.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2")]
unsafe fn node_sums_with_avx512(montgomery: Montgomery, points: &[u32], weights: &[u32]) -> [u64; WIDTH] {
    node_sums_of(montgomery, points, weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use manycore_field::Ring as _;

    fn words(p: u32, len: usize, salt: u32) -> Vec<u32> {
        let word = |i: u32| match i % 5 {
            0 => p - 1,
            2 => 0,
            _ => (i + salt).wrapping_mul(2_654_435_761) % p,
        };
        (0..len as u32).map(word).collect()
    }

    #[test]
    fn vectors_equal_the_definitions() {
        for p in [2u32, 3, 7, 9001, 469_762_049, 1_073_741_827, 2_147_483_647] {
            let field = PrimeField::<u32>::new(p).unwrap();
            for (words_of_node, points_of_node) in [(32, 32), (32, 7), (64, 50), (1, 1), (128, 128)] {
                let (m, t) = (words(p, words_of_node, 1), words(p, words_of_node, 2));
                let points = words(p, points_of_node, 3);
                let (mut expected, mut found) = (vec![0; points_of_node], vec![1; points_of_node]);
                values_by_definition(&field, &m, &t, &points, &mut expected);
                values(&field, &m, &t, &points, &mut found);
                assert_eq!(found, expected, "{points_of_node} points mod {p}");
                let weights = words(p, points_of_node, 4);
                sums_by_definition(&field, &points, &weights, &mut expected);
                sums(&field, &points, &weights, &mut found);
                assert_eq!(found, expected, "sums of {points_of_node} points mod {p}");
            }
        }
    }

    /// The sum is what its definition says: at each point the weight times the product of the differences.
    #[test]
    fn sums_have_their_values() {
        let field = PrimeField::<u32>::new(9001).unwrap();
        let (points, weights) = ([1, 2, 3, 4, 10], [5, 6, 7, 8, 9]);
        let mut sum = [0; 5];
        sums_by_definition(&field, &points, &weights, &mut sum);
        for (i, &u) in points.iter().enumerate() {
            let others = points.iter().enumerate().filter(|&(j, _)| j != i);
            let slope = others.fold(weights[i], |slope, (_, &v)| field.mul(slope, field.sub(u, v)));
            assert_eq!(crate::arithmetic::evaluate::reference::evaluate(&field, &sum, u), slope);
        }
    }
}
