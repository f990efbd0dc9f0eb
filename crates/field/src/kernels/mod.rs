//! Arithmetic modulo a prime in OpenCL kernels: the arithmetics of `kernels/field`, and their constants.

mod products;

use std::fmt;

use manycore_device::{Defines, Word};

use crate::goldilocks::Goldilocks;
use crate::modular::ModularField;
use crate::prime_field::{FloatingPoint, PrimeField};

pub use products::{Step, repeat};

/// How kernels hold and multiply residues; see `kernels/field/residues.clh`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// 32-bit words, `p < 2^31`: products by constants after Shoup, others after Barrett.
    Word32,
    /// 64-bit words, `p < 2^63`: the same; below `2^62` with lazy ranges.
    Word64 {
        /// Whether registers hold values up to `4 p`.
        lazy: bool,
    },
    /// `2^64 - 2^32 + 1`: products reduced by additions.
    Goldilocks,
    /// `p < 2^50` in fused multiply-adds of double precision; words in memory are 64-bit integers.
    Floating,
}

impl Arithmetic {
    /// The words of a prepared constant in memory.
    pub const fn factor_words(self) -> usize {
        match self {
            Self::Goldilocks => 1,
            _ => 2,
        }
    }

    /// Adds the definitions that kernels are built with; the element type is the field's.
    #[must_use]
    pub fn define(self, defines: Defines) -> Defines {
        match self {
            Self::Word32 => defines.set("ARITHMETIC", 0),
            Self::Word64 { lazy } => defines.set("ARITHMETIC", 1).set("MOD_LAZY", u8::from(lazy)),
            Self::Goldilocks => defines.set("ARITHMETIC", 2),
            Self::Floating => defines.set("ARITHMETIC", 3),
        }
    }
}

impl fmt::Display for Arithmetic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Word32 => "32-bit words",
            Self::Word64 { lazy: true } => "64-bit words, lazy",
            Self::Word64 { lazy: false } => "64-bit words",
            Self::Goldilocks => "64-bit words mod 2^64 - 2^32 + 1",
            Self::Floating => "double precision",
        })
    }
}

/// Fields that OpenCL kernels and the host's vectors compute in: [`PrimeField<u32>`](crate::PrimeField),
/// [`PrimeField<u64>`](crate::PrimeField) and [`Goldilocks`], and no other, because unsafe code trusts their constants.
///
/// ```compile_fail,E0277
/// use manycore_field::{Arithmetic, KernelField, ModularField};
///
/// fn own<F: ModularField>() {
///     struct Own<F>(F);
///
///     impl<F: ModularField> KernelField for Own<F> {
///         fn arithmetics(&self) -> Vec<Arithmetic> {
///             Vec::new()
///         }
///     }
/// }
/// ```
pub trait KernelField: sealed::Sealed + ModularField<Element: Word> {
    /// The arithmetics whose range holds the prime, the one of integers first.
    fn arithmetics(&self) -> Vec<Arithmetic>;

    /// The second argument of `mod_of`: what general products need beside the prime.
    fn reciprocal(&self, arithmetic: Arithmetic) -> u64;

    /// The words of the constant `w`, canonical, as kernels read it; the second is 0 where there is one word only.
    fn factor(&self, w: Self::Element, arithmetic: Arithmetic) -> [Self::Element; 2];
}

mod sealed {
    pub trait Sealed {}
}

impl sealed::Sealed for PrimeField<u32> {}
impl sealed::Sealed for PrimeField<u64> {}
impl sealed::Sealed for Goldilocks {}

impl KernelField for PrimeField<u32> {
    fn arithmetics(&self) -> Vec<Arithmetic> {
        vec![Arithmetic::Word32]
    }

    fn reciprocal(&self, _: Arithmetic) -> u64 {
        self.barrett().reciprocal()
    }

    #[inline(always)]
    fn factor(&self, w: u32, _: Arithmetic) -> [u32; 2] {
        [w, ((u64::from(w) << 32) / u64::from(self.modulus())) as u32]
    }
}

impl KernelField for PrimeField<u64> {
    fn arithmetics(&self) -> Vec<Arithmetic> {
        let mut found = vec![Arithmetic::Word64 { lazy: self.modulus() < 1 << 62 }];
        if self.modulus() < FloatingPoint::FUSED_LIMIT {
            found.push(Arithmetic::Floating);
        }
        found
    }

    fn reciprocal(&self, arithmetic: Arithmetic) -> u64 {
        match arithmetic {
            Arithmetic::Floating => (1.0 / self.modulus() as f64).to_bits(),
            _ => self.barrett().reciprocal(),
        }
    }

    #[inline(always)]
    fn factor(&self, w: u64, arithmetic: Arithmetic) -> [u64; 2] {
        let p = self.modulus();
        if arithmetic == Arithmetic::Floating {
            // The residue of least size: products then stay in the range where quotients are rounded right.
            let least = if w > p / 2 { -((p - w) as f64) } else { w as f64 };
            [least.to_bits(), (least / p as f64).to_bits()]
        } else {
            let factor = self.shoup().factor(w);
            [factor.value, factor.quotient]
        }
    }
}

impl KernelField for Goldilocks {
    fn arithmetics(&self) -> Vec<Arithmetic> {
        vec![Arithmetic::Goldilocks]
    }

    fn reciprocal(&self, _: Arithmetic) -> u64 {
        0
    }

    #[inline(always)]
    fn factor(&self, w: u64, _: Arithmetic) -> [u64; 2] {
        [w, 0]
    }
}
