//! Division with remainder (paper 002, chapter 9).
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | the definition, quadratic: specification and oracle |
//! | `newton` | inverses of power series by Newton's iteration over fast products |
//! | `divisor` | a divisor with its kept inverse |
//! | `operations` | division as operations of the ring |

mod divisor;
mod newton;
mod operations;
pub mod reference;

pub use divisor::Divisor;
