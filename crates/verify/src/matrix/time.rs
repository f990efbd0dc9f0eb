//! The time of the checks of matrices before they begin: their products, times what a product takes in a short measurement.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::SplitMix;
use crate::modulus::Modulus;
use crate::threads::levels;

/// Terms of a measured sum: as many as rows are reduced by together.
const TERMS: usize = 64;

/// The least time of a measurement.
const LEAST: Duration = Duration::from_millis(1);

/// About how many seconds a second elimination of a matrix of some rows and columns modulo `p` takes: the checks of determinants,
/// ranks, nullspaces and of systems without solution make one or two. 0 for a `p` that is no prime.
pub fn elimination_seconds(p: u64, (rows, columns): (usize, usize)) -> f64 {
    let (l, m) = (rows as f64, columns as f64);
    let rank = l.min(m);
    let products = l * m * rank - (l + m) * rank * rank / 2.0 + rank.powi(3) / 3.0;
    products * product_seconds(p) / f64::from(1 << levels())
}

/// About how many seconds the check of a characteristic polynomial of this order modulo `p` takes. 0 for a `p` that is no prime.
pub fn characteristic_seconds(p: u64, order: usize) -> f64 {
    2.5 * (order as f64).powi(3) * product_seconds(p)
}

/// Seconds of a product in sums of [`TERMS`].
fn product_seconds(p: u64) -> f64 {
    let Ok(modulus) = Modulus::new(p) else { return 0.0 };
    let mut random = SplitMix::new(p);
    let [x, y] = [(); 2].map(|()| (0..TERMS).map(|_| modulus.random(&mut random)).collect::<Vec<u64>>());
    let begin = Instant::now();
    let mut sums = 0_u32;
    while begin.elapsed() < LEAST {
        for _ in 0..TERMS {
            black_box(modulus.dot(black_box(&x), black_box(&y)));
        }
        sums += TERMS as u32;
    }
    begin.elapsed().as_secs_f64() / (f64::from(sums) * TERMS as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_matrices_take_longer() {
        for p in [2, 469_762_049, 18_446_744_069_414_584_321] {
            assert!(elimination_seconds(p, (1000, 1000)) > 10.0 * elimination_seconds(p, (10, 10)));
            assert!(characteristic_seconds(p, 1000) > elimination_seconds(p, (100, 100)));
            assert_eq!((elimination_seconds(p, (0, 9)), characteristic_seconds(p, 0)), (0.0, 0.0));
        }
        assert_eq!((elimination_seconds(8, (9, 9)), characteristic_seconds(8, 0)), (0.0, 0.0));
    }
}
