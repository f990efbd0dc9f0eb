//! Numbers cut into factors.

/// The prime factors of `n > 0`, ascending, each as often as it divides.
pub(crate) fn primes_of(n: u64) -> Vec<u64> {
    let powers = manycore_field::primes::factorise(n);
    powers.iter().flat_map(|&(prime, power)| (0..power).map(move |_| prime)).collect()
}

/// The divisors of a number with these prime factors, ascending.
fn divisors(primes: &[u64]) -> Vec<u64> {
    let mut found = vec![1u64];
    for &prime in primes {
        let more: Vec<u64> = found.iter().map(|d| d * prime).collect();
        found.extend(more);
        found.sort_unstable();
        found.dedup();
    }
    found
}

/// `n`, the product of `primes`, as a product of `count` divisors of at most `limit`, the largest as small as possible.
fn split(n: u64, primes: &[u64], count: usize, limit: u64) -> Option<Vec<u64>> {
    if count <= 1 {
        return (n <= limit).then(|| vec![n]);
    }
    let enough = |d: u64| u128::from(d).saturating_pow(count as u32) >= u128::from(n);
    divisors(primes).into_iter().filter(|&d| d <= limit && enough(d)).find_map(|d| {
        let mut rest = n / d;
        let mut left = Vec::new();
        for &prime in primes {
            if rest.is_multiple_of(prime) {
                rest /= prime;
                left.push(prime);
            }
        }
        let mut pieces = split(n / d, &left, count - 1, d)?;
        pieces.insert(0, d);
        Some(pieces)
    })
}

/// `n`, the product of `primes`, as a product of as few divisors of at most `limit` as possible; primes beyond it stand alone.
pub(super) fn pieces(primes: &[u64], limit: u64) -> Vec<u64> {
    let limit = limit.max(primes.iter().copied().max().unwrap_or(1));
    let n: u64 = primes.iter().product();
    // As many pieces as primes always suffice.
    (1..=primes.len().max(1)).find_map(|count| split(n, primes, count, limit)).unwrap_or_else(|| primes.to_vec())
}

/// The radices that rows of these prime factors are done in: powers of two up to `most_log` at a time, in equal parts, then
/// the odd primes.
pub(super) fn radices(primes: &[u64], most_log: u32) -> Vec<usize> {
    let twos = primes.iter().filter(|&&prime| prime == 2).count();
    let parts = twos.div_ceil(most_log as usize);
    let even = (0..parts).map(|i| 1usize << (twos / parts + usize::from(i < twos % parts)));
    even.chain(primes.iter().filter(|&&prime| prime != 2).map(|&prime| prime as usize)).collect()
}

/// The least length from `least` on whose prime factors are at most 5 and, where `power_of_two`, only 2, for which `suits`
/// holds; `None` where there is none up to 16 times that.
pub(super) fn convolution_length(least: u64, power_of_two: bool, suits: impl Fn(u64) -> bool) -> Option<u64> {
    let most = least.checked_mul(16)?;
    let largest: u64 = if power_of_two { 1 } else { 15 };
    let mut best: Option<u64> = None;
    // Odd parts 3^a 5^b, a <= 3, b <= 2, filled up with twos.
    for odd in
        [1u64, 3, 5, 9, 15, 27, 45, 25, 75, 135, 225, 675].into_iter().filter(|&odd| odd <= largest || !power_of_two)
    {
        let mut length = odd;
        while length <= most {
            if length >= least && best.is_none_or(|best| length < best) && suits(length) {
                best = Some(length);
            }
            length *= 2;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_few_and_even() {
        let of = |n: u64, limit| pieces(&primes_of(n), limit);
        assert_eq!(of(1 << 24, 256), [256, 256, 256]);
        assert_eq!(of(4096, 4096), [4096]);
        assert_eq!(of(1 << 13, 256), [128, 64]);
        assert_eq!(of(6561, 256), [81, 81]);
        assert_eq!(of(30_030, 256), [182, 165]);
        assert_eq!(of(1009, 256), [1009]);
        assert_eq!(of(2018, 256), [1009, 2]);
        for n in 1..2000u64 {
            let pieces = of(n, 128);
            assert_eq!(pieces.iter().product::<u64>(), n);
            let largest = primes_of(n).last().copied().unwrap_or(1).max(128);
            assert!(pieces.iter().all(|&piece| piece <= largest), "{n}: {pieces:?}");
        }
    }

    #[test]
    fn radices_are_even() {
        assert_eq!(radices(&primes_of(256), 4), [16, 16]);
        assert_eq!(radices(&primes_of(512), 4), [8, 8, 8]);
        assert_eq!(radices(&primes_of(128), 3), [8, 4, 4]);
        assert_eq!(radices(&primes_of(90), 4), [2, 3, 3, 5]);
        assert!(radices(&[], 4).is_empty());
    }

    #[test]
    fn convolutions_have_smooth_lengths() {
        assert_eq!(convolution_length(2017, false, |_| true), Some(2048));
        assert_eq!(convolution_length(193, false, |_| true), Some(200));
        assert_eq!(convolution_length(193, true, |_| true), Some(256));
        assert_eq!(convolution_length(193, true, |length| length <= 128), None);
        assert_eq!(convolution_length(1, true, |_| true), Some(1));
    }
}
