//! Multiplication by floating-point quotients, for devices whose double precision outruns their 64-bit products.

/// Products mod any `p`, `1 <= p < 2^51`, with the quotient in double precision (round to nearest).
///
/// The quotient `q` of [`mul`](Self::mul) is the product of the rounded `a b` and the rounded `1 / p`, truncated: three
/// roundings, each of relative error at most `2^-53`, and `a b / p < p`, so `|q - a b / p| < 1 + 3 p 2^-53 (1 + 2^-52)`,
/// which is below 2 for `p < 2^51`. The remainder `a b - q p` then lies in `(-2 p, 2 p)`; since truncation only lowers a
/// quotient that is not negative, in `(-0.75 p, 1.75 p)`: it is exact in wrapping 64-bit arithmetic and one correction, in
/// either direction, makes it canonical. Without both corrections the formula fails from 27 bits on.
///
/// ```
/// use manycore_field::FloatingPoint;
///
/// let by = FloatingPoint::new(134_217_689).ok_or("too large")?;
/// assert_eq!(by.mul(100_661_851, 128_719_101), 134_217_688); // an estimate of the quotient that is one too high
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FloatingPoint {
    modulus: u64,
    reciprocal: f64,
}

/// A constant `w < p` with `w / p` rounded to double precision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FloatingFactor {
    /// The constant, canonical.
    pub value: u64,
    /// `value / p`.
    pub ratio: f64,
}

impl FloatingPoint {
    /// The bound that moduli must be below.
    pub const LIMIT: u64 = 1 << 51;
    /// The bound that moduli must be below for [`mul_fused`](Self::mul_fused).
    pub const FUSED_LIMIT: u64 = 1 << 50;

    /// The constants of a modulus from 1 to `2^51 - 1`; `None` for others.
    pub fn new(modulus: u64) -> Option<Self> {
        (1..Self::LIMIT).contains(&modulus).then(|| Self { modulus, reciprocal: 1.0 / modulus as f64 })
    }

    /// `p`.
    #[inline(always)]
    pub fn modulus(&self) -> u64 {
        self.modulus
    }

    /// `1 / p` rounded to nearest.
    #[inline(always)]
    pub fn reciprocal(&self) -> f64 {
        self.reciprocal
    }

    /// `a b` mod `p`, canonical, for canonical `a` and `b`.
    #[inline(always)]
    pub fn mul(&self, a: u64, b: u64) -> u64 {
        let quotient = ((double(a) * double(b)) * self.reciprocal) as i64 as u64;
        self.corrected(a.wrapping_mul(b).wrapping_sub(quotient.wrapping_mul(self.modulus)))
    }

    /// Prepares a constant below `p`.
    pub fn factor(&self, value: u64) -> FloatingFactor {
        FloatingFactor { value, ratio: value as f64 / self.modulus as f64 }
    }

    /// `x w` mod `p`, canonical, for canonical `x`: two roundings, so the quotient is off by less than `1 + p 2^-52 < 1.5`.
    #[inline(always)]
    pub fn mul_factor(&self, x: u64, w: &FloatingFactor) -> u64 {
        let quotient = (double(x) * w.ratio) as i64 as u64;
        self.corrected(x.wrapping_mul(w.value).wrapping_sub(quotient.wrapping_mul(self.modulus)))
    }

    /// A remainder in `(-p, 2 p)` made canonical.
    #[inline(always)]
    fn corrected(&self, remainder: u64) -> u64 {
        if (remainder as i64) < 0 {
            remainder.wrapping_add(self.modulus)
        } else if remainder >= self.modulus {
            remainder - self.modulus
        } else {
            remainder
        }
    }

    /// `a b` mod `p`, canonical, for canonical `a` and `b` held as doubles and `p < 2^50`, in fused multiply-adds alone:
    /// the form for devices with fast double precision. (On hosts without the instruction it is correct, and slow.)
    ///
    /// `h` is the rounded product and `l` its exact error; the rounded quotient `q` is off by less than
    /// `1/2 + 3 p 2^-53 < 7/8`, so the remainder `r` is below `7/8 p` in size, and `h - q p = r - l` is an integer below
    /// `2^51` and so exact.
    #[inline(always)]
    pub fn mul_fused(&self, a: f64, b: f64) -> f64 {
        let p = self.modulus as f64;
        let high = a * b;
        let low = a.mul_add(b, -high);
        let quotient = (high * self.reciprocal).round_ties_even();
        let remainder = (-quotient).mul_add(p, high) + low;
        if remainder < 0.0 { remainder + p } else { remainder }
    }
}

/// A number below `2^63` as a double: signed conversions are single instructions, unsigned ones are not.
#[inline(always)]
fn double(x: u64) -> f64 {
    x as i64 as f64
}
