//! Power series modulo a power of `x`: quotients, logarithms, exponentials, powers, square roots, compositional inverses.
//!
//! A series is given by the lowest `n` coefficients of a polynomial; a polynomial argument counts as the series whose further coefficients
//! are 0. All go by Newton's iteration, `O(M(n))` operations for `n` coefficients, but for the compositional inverse. The multiplicative
//! inverse is [`PolyRing::inverse_series`](crate::PolyRing::inverse_series).
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | the recurrences, quadratic: specification and oracle |
//! | `recurrences` | the recurrences on the host, with vectors |
//! | `quotient` | quotients |
//! | `exponential` | integrals, logarithms, exponentials, powers |
//! | `root` | square roots and their inverses |
//! | `reversion` | compositional inverses |
//! | `weights` | tables of factorials and inverses that the ring keeps |
//! | `steps` | the precisions of an iteration, and what its steps share |

mod exponential;
mod quotient;
mod recurrences;
pub mod reference;
mod reversion;
mod root;
mod steps;
pub(crate) mod weights;
