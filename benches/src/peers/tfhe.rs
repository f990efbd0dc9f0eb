//! The negacyclic transforms of the crate `tfhe-ntt`, and the products that they make.

use anyhow::Result;
use tfhe_ntt::{prime32, prime64};

use super::codes::{Multiplier, Product, Transform, Transformer, product_len};

/// A word of `tfhe-ntt`: `u32` for primes below 2^32, `u64` for others.
pub trait Word: Copy + 'static {
    /// What the crate keeps for one length and modulus.
    type Plan: 'static;
    /// 0.
    const ZERO: Self;
    /// The word of a residue; `None` where it is too large.
    fn from_u64(value: u64) -> Option<Self>;
    /// The residue again.
    fn to_u64(self) -> u64;
    /// The tables; `None` where the crate serves no such transform.
    fn plan(len: usize, p: Self) -> Option<Self::Plan>;
    /// From coefficients to values in bit-reversed order.
    fn forward(plan: &Self::Plan, x: &mut [Self]);
    /// Back, times the length.
    fn inverse(plan: &Self::Plan, x: &mut [Self]);
    /// `x[i] *= y[i] / n`.
    fn multiply(plan: &Self::Plan, x: &mut [Self], y: &[Self]);
    /// `x[i] /= n`.
    fn normalize(plan: &Self::Plan, x: &mut [Self]);
}

macro_rules! word {
    ($word:ty, $module:ident) => {
        impl Word for $word {
            type Plan = $module::Plan;
            const ZERO: Self = 0;
            fn from_u64(value: u64) -> Option<Self> {
                Self::try_from(value).ok()
            }
            fn to_u64(self) -> u64 {
                self.into()
            }
            fn plan(len: usize, p: Self) -> Option<Self::Plan> {
                // The crate divides by the modulus before it looks at it.
                if p < 3 { None } else { $module::Plan::try_new(len, p) }
            }
            fn forward(plan: &Self::Plan, x: &mut [Self]) {
                plan.fwd(x);
            }
            fn inverse(plan: &Self::Plan, x: &mut [Self]) {
                plan.inv(x);
            }
            fn multiply(plan: &Self::Plan, x: &mut [Self], y: &[Self]) {
                plan.mul_assign_normalize(x, y);
            }
            fn normalize(plan: &Self::Plan, x: &mut [Self]) {
                plan.normalize(x);
            }
        }
    };
}
word!(u32, prime32);
word!(u64, prime64);

/// Negacyclic transforms of one length modulo one prime.
#[derive(Debug)]
pub struct Plan<W: Word> {
    inner: W::Plan,
    len: usize,
}

impl<W: Word> Plan<W> {
    /// `None` where `p` is no prime with `2 len` dividing `p - 1`, or `len` is not a power of two of 32 or more.
    pub fn new(len: usize, p: u64) -> Option<Self> {
        Some(Self { inner: W::plan(len, W::from_u64(p)?)?, len })
    }

    /// From `len` coefficients to values in bit-reversed order, in place.
    ///
    /// # Panics
    /// For a slice of another length.
    pub fn forward(&self, x: &mut [W]) {
        W::forward(&self.inner, x);
    }

    /// The inverse of [`Plan::forward`], divided by the length.
    ///
    /// # Panics
    /// For a slice of another length.
    pub fn inverse(&self, x: &mut [W]) {
        W::inverse(&self.inner, x);
        W::normalize(&self.inner, x);
    }

    /// `x` becomes the product of `x` and `y` modulo `X^len + 1`, and `y` its own transform.
    ///
    /// # Panics
    /// For a slice of another length.
    pub fn multiply(&self, x: &mut [W], y: &mut [W]) {
        assert_eq!((x.len(), y.len()), (self.len, self.len), "the length of a transform");
        W::forward(&self.inner, x);
        W::forward(&self.inner, y);
        W::multiply(&self.inner, x, y);
        W::inverse(&self.inner, x);
    }
}

/// The crate as compiled into this program.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tfhe;

impl Tfhe {
    /// The version, which the workspace pins.
    pub const fn version(self) -> &'static str {
        "0.7.1"
    }

    /// The instructions that it takes on this processor.
    pub fn instructions(self) -> &'static str {
        #[cfg(target_arch = "x86_64")]
        {
            let avx512 = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq");
            if avx512 && is_x86_feature_detected!("avx512ifma") {
                return "AVX-512 with IFMA";
            } else if avx512 {
                return "AVX-512";
            } else if is_x86_feature_detected!("avx2") {
                return "AVX2";
            }
        }
        "portable"
    }

    fn label(self) -> String {
        format!("tfhe-ntt {} ({})", self.version(), self.instructions())
    }
}

impl Transformer for Tfhe {
    fn name(&self) -> String {
        self.label()
    }

    fn prepare(&self, p: u64, x: &[u64]) -> Option<Box<dyn Transform>> {
        if p >> 32 == 0 { transform::<u32>(p, x) } else { transform::<u64>(p, x) }
    }
}

fn words<W: Word>(x: &[u64]) -> Option<Vec<W>> {
    x.iter().map(|&value| W::from_u64(value)).collect()
}

fn transform<W: Word>(p: u64, x: &[u64]) -> Option<Box<dyn Transform>> {
    Some(Box::new(Values::<W> { plan: Plan::new(x.len(), p)?, x: words(x)? }))
}

struct Values<W: Word> {
    plan: Plan<W>,
    x: Vec<W>,
}

impl<W: Word> Transform for Values<W> {
    fn forward(&mut self) -> Result<()> {
        self.plan.forward(&mut self.x);
        Ok(())
    }

    fn inverse(&mut self) -> Result<()> {
        self.plan.inverse(&mut self.x);
        Ok(())
    }

    fn values(&self) -> Vec<u64> {
        self.x.iter().map(|&word| word.to_u64()).collect()
    }
}

impl Multiplier for Tfhe {
    fn name(&self) -> String {
        self.label()
    }

    /// Three transforms that hold the whole product, on one thread.
    fn prepare(&self, p: u64, a: &[u64], b: &[u64], _threads: u64) -> Option<Box<dyn Product>> {
        if p >> 32 == 0 { product::<u32>(p, a, b) } else { product::<u64>(p, a, b) }
    }
}

fn product<W: Word>(p: u64, a: &[u64], b: &[u64]) -> Option<Box<dyn Product>> {
    let len = product_len(a.len(), b.len());
    let padded = len.next_power_of_two().max(32);
    let plan = Plan::new(padded, p)?;
    let room = vec![W::ZERO; padded];
    Some(Box::new(Operands { plan, a: words(a)?, b: words(b)?, x: room.clone(), y: room, len }))
}

/// The operands stay: they are copied and padded in every run, as other codes' products leave theirs too.
struct Operands<W: Word> {
    plan: Plan<W>,
    a: Vec<W>,
    b: Vec<W>,
    x: Vec<W>,
    y: Vec<W>,
    len: usize,
}

impl<W: Word> Product for Operands<W> {
    fn run(&mut self) -> Result<()> {
        let Self { plan, a, b, x, y, .. } = self;
        for (to, from) in [(&mut *x, a), (&mut *y, b)] {
            to[..from.len()].copy_from_slice(from);
            to[from.len()..].fill(W::ZERO);
        }
        plan.multiply(x, y);
        Ok(())
    }

    fn result(&self) -> Vec<u64> {
        self.x[..self.len].iter().map(|&word| word.to_u64()).collect()
    }
}
