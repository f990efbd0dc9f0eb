//! Composition of polynomials: `f(g)`, whole, modulo a polynomial, modulo a power of `x`, and with `g = x + c`.
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | Horner's rule: specification and oracle |
//! | `whole` | divide and conquer |
//! | `modulo` | baby steps and giant steps |
//! | `shift` | the Taylor shift, by a convolution with factorials |
//! | `blocks` | blocks of coefficients times powers of `g`, which the others begin with |

mod blocks;
mod modulo;
pub mod reference;
mod shift;
mod whole;

pub(crate) use modulo::Inner;
