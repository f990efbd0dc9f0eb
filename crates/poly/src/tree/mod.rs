//! Subproduct trees: evaluation at many points and interpolation (paper 002, chapter 10).
//!
//! A tree over `2^k` points has the product of `x - u` over runs of `2^i` points as its nodes of level `i`, monic, without
//! their leading ones. Points are filled up to a power of two by zeros. Evaluation descends by transposed products from one
//! power series inverse of the root (Bostan, Lecerf, Schost, ISSAC 2003; Bernstein, "Scaled remainder trees", 2004), which
//! takes about a fifth of the transforms of a descent by remainders. Interpolation climbs by Lagrange's formula.
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | Horner's rule at each point and Lagrange's formula: specification and oracle |
//! | `level`, `build` | a level, the tree |
//! | `evaluate` | values at its points |
//! | `interpolate` | polynomials from values |
//! | `moduli` | remainders by many moduli, Chinese remainders |
//! | `many` | many polynomials at the same points, and a few points without a tree |
//! | `progression` | values at geometric progressions, without a tree |
//! | `remainders` | values by remainders with a subinverse tree, as the thesis has them |
//! | `verify` | the check of values |
//! | `host`, `device` | what products leave to do, and the lowest levels |

mod build;
mod device;
mod evaluate;
mod host;
mod interpolate;
mod level;
mod many;
mod moduli;
mod progression;
pub mod reference;
mod remainders;
mod verify;

pub use build::SubproductTree;
pub use many::AtPoints;
pub use moduli::Moduli;
pub use remainders::SubinverseTree;
