//! Common zeros of two bivariate polynomials: curves that they share, and points as regular chains.
//!
//! | file | what |
//! |---|---|
//! | `d5` | polynomials in `y` modulo a squarefree `T(x)`: normal forms and greatest common divisors, by splitting `T` |
//! | `decompose` | the decomposition: contents, common factors, resultant, subresultants |
//! | `representation` | all points by the values of one linear form |
//! | `roots` | all zeros in the field |
//! | `verify` | chains and points put into the system |

mod d5;
mod decompose;
mod representation;
mod roots;
mod verify;

use manycore_field::ModularField;

use crate::polynomial::Bivariate;
pub use representation::Representation;

/// Finitely many points: the roots of a squarefree monic `T(x)`, and above each those of `H(x, y)`, monic in `y`, of a positive
/// degree, with coefficients reduced modulo `T`. Over the algebraic closure; `H` may have multiple roots in `y`.
#[derive(Debug, Clone)]
pub struct Chain<F: ModularField> {
    /// The coefficients of `T`, the constant term first.
    pub t: Vec<F::Element>,
    /// `H`.
    pub h: Bivariate<F>,
}

/// The common zeros of two polynomials over the algebraic closure: the union of the zeros of `curves` and of `chains`.
#[derive(Debug, Clone)]
pub struct Decomposition<F: ModularField> {
    /// Polynomials of positive degree whose zeros are common ones: the part of the greatest common divisor without `y`, and the one
    /// with it.
    pub curves: Vec<Bivariate<F>>,
    /// Pairwise disjoint sets of points, whose polynomials `T` are pairwise coprime: the common zeros of the polynomials over their
    /// greatest common divisor. Points may lie on a curve as well.
    pub chains: Vec<Chain<F>>,
    /// The polynomials over their greatest common divisor; none where one of them is zero.
    pub cofactors: Option<[Bivariate<F>; 2]>,
}

/// The common zeros of two polynomials with coordinates in the field.
#[derive(Debug, Clone)]
pub struct Solutions<F: ModularField> {
    /// Every zero `[x, y]` of the chains in the field, once, ascending as integers.
    pub points: Vec<[F::Element; 2]>,
    /// The curves and the chains. Points of curves are not listed.
    pub decomposition: Decomposition<F>,
}

impl<F: ModularField> PartialEq for Chain<F> {
    fn eq(&self, other: &Self) -> bool {
        self.t == other.t && self.h == other.h
    }
}

impl<F: ModularField> PartialEq for Decomposition<F> {
    fn eq(&self, other: &Self) -> bool {
        self.curves == other.curves && self.chains == other.chains && self.cofactors == other.cofactors
    }
}

impl<F: ModularField> PartialEq for Solutions<F> {
    fn eq(&self, other: &Self) -> bool {
        self.points == other.points && self.decomposition == other.decomposition
    }
}
