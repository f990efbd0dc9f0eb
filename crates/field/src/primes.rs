//! Primality, factorisation and primes for number-theoretic transforms, for all 64-bit numbers and without chance.

use num_integer::Integer as _;

use crate::prime_field::montgomery::Montgomery;

/// The primes below 256: divided by first, and, up to 37, the bases of the primality test.
const SMALL: [u64; 54] = [
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109,
    113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229, 233, 239,
    241, 251,
];

/// The least number that has no prime divisor in [`SMALL`] and is not prime: `257^2`.
const SMALL_LIMIT: u64 = 257 * 257;

/// Whether `n` is prime, for certain: strong probable-prime tests to the bases 2, 7 and 61 below 2^32 (Jaeschke 1993: no
/// composite below 4759123141 passes), to the first twelve primes above (Sorenson and Webster 2015: none below
/// 318665857834031151167461). Some microseconds.
pub fn is_prime(n: u64) -> bool {
    if let Some(&divisor) = SMALL.iter().find(|&&q| n.is_multiple_of(q)) {
        return n == divisor;
    }
    if n < SMALL_LIMIT {
        return n > 1;
    }
    let Some(by) = Montgomery::new(n) else { return false };
    let bases: &[u64] = if n >> 32 == 0 { &[2, 7, 61] } else { &SMALL[..12] };
    bases.iter().all(|&base| passes(&by, base))
}

/// Whether an odd number is a strong probable prime to a base that it does not divide.
fn passes(by: &Montgomery<u64>, base: u64) -> bool {
    let n = by.modulus();
    let minus_one = n - by.one();
    let twos = (n - 1).trailing_zeros();
    let mut power = by.power(by.enter(base), (n - 1) >> twos);
    if power == by.one() || power == minus_one {
        return true;
    }
    for _ in 1..twos {
        power = by.mul(power, power);
        if power == minus_one {
            return true;
        }
    }
    false
}

/// The least prime divisor of a composite number; `None` for a prime, 0 and 1.
pub fn least_divisor(n: u64) -> Option<u64> {
    if n < 2 || is_prime(n) {
        return None;
    }
    factorise(n).first().map(|&(prime, _)| prime)
}

/// The prime divisors in ascending order with their exponents; none for 0 and 1.
///
/// Division by the primes below 256, then Pollard's rho method in Brent's form: about `n^(1/4)` products, some
/// milliseconds for the hardest numbers.
///
/// ```
/// assert_eq!(manycore_field::primes::factorise(360), [(2, 3), (3, 2), (5, 1)]);
/// assert_eq!(manycore_field::primes::factorise(u64::MAX), [(3, 1), (5, 1), (17, 1), (257, 1), (641, 1), (65537, 1), (6_700_417, 1)]);
/// ```
pub fn factorise(n: u64) -> Vec<(u64, u32)> {
    if n < 2 {
        return Vec::new();
    }
    let mut primes = Vec::new();
    let mut rest = n;
    for q in SMALL {
        while rest.is_multiple_of(q) {
            primes.push(q);
            rest /= q;
        }
    }
    let mut open = vec![rest];
    while let Some(m) = open.pop() {
        if m == 1 {
        } else if is_prime(m) {
            primes.push(m);
        } else {
            let divisor = proper_divisor(m);
            open.extend([divisor, m / divisor]);
        }
    }
    primes.sort_unstable();
    let mut powers: Vec<(u64, u32)> = Vec::new();
    for prime in primes {
        match powers.last_mut() {
            Some((last, exponent)) if *last == prime => *exponent += 1,
            _ => powers.push((prime, 1)),
        }
    }
    powers
}

/// A proper divisor of an odd composite number `n`: neither 1 nor `n`.
fn proper_divisor(n: u64) -> u64 {
    let root = n.isqrt();
    if root * root == n {
        return root;
    }
    // The sequences x^2 + c: those that fall into one cycle mod all prime divisors at once give n, and the next c is tried.
    (1..).find_map(|c| brent(n, c)).unwrap_or(n)
}

/// One run of Pollard's rho method in Brent's form: `None` where the sequence found all of `n` at once.
fn brent(n: u64, c: u64) -> Option<u64> {
    const BLOCK: u64 = 128;
    let by = Montgomery::new(n)?;
    let step = |x: u64| {
        let (sum, carry) = by.mul(x, x).overflowing_add(c);
        if carry || sum >= n { sum.wrapping_sub(n) } else { sum }
    };
    let mut hare = by.enter(2);
    for log_length in 0.. {
        let tortoise = hare;
        let length = 1u64 << log_length;
        // The differences at distances up to half the length were seen in the round before.
        for _ in 0..length / 2 {
            hare = step(hare);
        }
        let mut done = length / 2;
        while done < length {
            let start = hare;
            let mut product = by.one();
            let block = BLOCK.min(length - done);
            for _ in 0..block {
                hare = step(hare);
                product = by.mul(product, hare.abs_diff(tortoise));
            }
            // The factors 1 / R of the products do not change the common divisor.
            let mut common = product.gcd(&n);
            if common == n {
                // All divisors at once in this block (a product of zero): one difference at a time.
                hare = start;
                common = 1;
                while common == 1 {
                    hare = step(hare);
                    common = hare.abs_diff(tortoise).gcd(&n);
                }
            }
            if common != 1 {
                return (common != n).then_some(common);
            }
            done += block;
        }
    }
    None
}

/// The least prime above `n`; `None` where it has more than 64 bits.
pub fn next_prime(n: u64) -> Option<u64> {
    match n {
        0 | 1 => Some(2),
        _ => (n.checked_add(1)? | 1..=u64::MAX).step_by(2).find(|&m| is_prime(m)),
    }
}

/// The largest prime below `n`; `None` for `n <= 2`.
pub fn previous_prime(n: u64) -> Option<u64> {
    match n {
        0..=2 => None,
        3 => Some(2),
        _ => (3..=((n - 2) | 1)).rev().step_by(2).find(|&m| is_prime(m)),
    }
}

/// The primes `p < 2^bits` with roots of unity of order `2^log_order`, that is `p = 1` mod `2^log_order`, from the
/// largest down. Empty for `log_order >= bits` or more than 64 bits.
///
/// ```
/// let mut primes = manycore_field::primes::ntt_primes(31, 26);
/// assert_eq!(primes.next(), Some(2_013_265_921)); // 15 * 2^27 + 1
/// assert_eq!(primes.next(), Some(1_811_939_329)); // 27 * 2^26 + 1
/// ```
pub fn ntt_primes(bits: u32, log_order: u32) -> impl Iterator<Item = u64> {
    let largest = if bits <= 64 && log_order < bits { ((1u128 << bits) - 1) as u64 >> log_order } else { 0 };
    (1..=largest).rev().filter_map(move |k| {
        // k 2^log_order is a multiple of 2^log_order below 2^bits; for log_order 0 the one added may pass the bits.
        let p = (k << log_order).checked_add(1)?;
        (u128::from(p) >> bits == 0 && is_prime(p)).then_some(p)
    })
}
