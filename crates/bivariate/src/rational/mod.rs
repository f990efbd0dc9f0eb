//! Systems over the rationals, from their images modulo many primes (Collins 1971; von zur Gathen and Gerhard, Modern Computer
//! Algebra, chapter 6; Dahan, Moreno Maza, Schost, Wu, Xie 2005 for chains).
//!
//! The resultant is a determinant, and commutes with the reduction modulo every prime that keeps the degrees: its integers are known
//! as soon as the product of the primes passes their bound. The decomposition takes the same steps modulo all primes but finitely
//! many. Images of one shape are combined until the fractions that they make hold modulo a prime that has no part in them; images of
//! other shapes, those modulo unlucky primes, are never combined with them.
//!
//! A chain is given as `T(x)` and `T'(x) H(x, y)` modulo `T`, `H` monic in `y`: the coefficients of `T' H` are as long as those of
//! `T`, where those of `H` are longer by about the degree of `T` (Rouillier 1999 for points, whose `y` is a fraction with the
//! denominator `T'`).
//!
//! | file | what |
//! |---|---|
//! | `polynomial` | bivariate polynomials with rational coefficients, and their texts |
//! | `primes` | images modulo primes one after the other |
//! | `combine` | integers and fractions from residues |
//! | `resultant` | the resultant |
//! | `decompose` | curves and chains |
//! | `roots` | rational roots by lifting, and the points |
//! | `verify` | checks modulo random primes |

mod combine;
mod decompose;
mod polynomial;
mod primes;
mod resultant;
mod roots;
mod verify;

use manycore_device::Device;
use num_bigint::BigInt;
use num_rational::BigRational;

pub use polynomial::RationalBivariate;
pub use resultant::ResultantResidues;

/// The ring of polynomials in `x` and `y` over the rationals, on one device: images modulo primes of 62 bits are computed there.
#[derive(Debug, Clone)]
pub struct RationalRing {
    device: Device,
}

/// Finitely many points: the roots of a squarefree `T(x)`, and above each those of `H(x, y)`, over the algebraic closure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RationalChain {
    /// The integer coefficients of `T`, the constant term first, without a common divisor, the last one positive.
    pub t: Vec<BigInt>,
    /// `H`: integer coefficients without a common divisor, reduced modulo `T`, that of the highest power of `y` a multiple of the
    /// derivative of `T` with a positive leading coefficient. Of degree 1 in `y` it is `d(x) y + n(x)`, and `y = -n(x) / d(x)`.
    pub h: RationalBivariate,
}

/// The common zeros of two polynomials over the algebraic closure of the rationals: those of `curves` and of `chains`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RationalDecomposition {
    /// Polynomials of positive degree whose zeros are common ones, with the leading coefficient 1: the part of the greatest common
    /// divisor without `y`, and the one with it.
    pub curves: Vec<RationalBivariate>,
    /// Pairwise disjoint sets of points, whose polynomials `T` are pairwise coprime. Points may lie on a curve as well.
    pub chains: Vec<RationalChain>,
    /// The number of primes that the fractions are combined from.
    pub primes: usize,
    /// The number of primes whose images have another shape.
    pub unlucky: usize,
}

/// The common zeros of two polynomials with rational coordinates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RationalSolutions {
    /// Every zero `[x, y]` of the chains with rational coordinates, once, ascending.
    pub points: Vec<[BigRational; 2]>,
    /// The curves and the chains. Points of curves are not listed.
    pub decomposition: RationalDecomposition,
}

impl RationalRing {
    /// The ring on `device`.
    pub fn new(device: &Device) -> Self {
        Self { device: device.clone() }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }
}
