//! Powers of a root of unity for the second part of a length of three quarters: products modulo `x^B - s`, `B = 2^k`,
//! `s^2 = -1`.
//!
//! With `g^B = s`, `g` of order `4 B`, the polynomial `a(g x)` modulo `x^B - 1` is `a` modulo `x^B - s`: coefficients are
//! folded and multiplied by powers of `g`. A polynomial `f` below degree `3 B` comes back from its remainders `u` modulo
//! `x^(2B) - 1` and `v` modulo `x^B - s`: as `f = u + (x^(2B) - 1) h` and `x^(2B) = -1` modulo `x^B - s`, with
//! `u = u_0 + u_1 x^B`,
//!
//! `h = (u_0 + s u_1 - v) / 2`, and `f = (u_0 - h) + u_1 x^B + h x^(2B)`.

use std::sync::Arc;

use manycore_device::{Buffer, Executor};
use manycore_field::Arithmetic;
use manycore_ntt::NttField;
use manycore_tuning::Planner;

use super::error::ProductError;

/// The powers of `g`, a root of unity of order `4 B`, and of its inverse, with `s`, a square root of -1.
#[derive(Debug)]
pub(super) struct RootPowers<G: NttField> {
    /// `s = g^B`.
    pub(super) s: G::Element,
    pub(super) half: G::Element,
    /// `s / 2`.
    pub(super) half_s: G::Element,
    /// `g^j`, and `g^-j / 2`; on an OpenCL device as factors for kernels.
    pub(super) powers: Buffer<G::Element>,
    pub(super) inverse_powers: Buffer<G::Element>,
}

impl<G: NttField> RootPowers<G> {
    pub(super) fn new(
        cx: &Arc<Planner>,
        field: &G,
        arithmetic: Arithmetic,
        log_len: u32,
    ) -> Result<Self, ProductError> {
        let order = 4u64 << log_len;
        let missing = || ProductError::NoRoute {
            log_order: log_len + 2,
            reason: format!("modulo {} there is no such root of unity", field.order()),
        };
        let g = field.root_of_unity(order).map_err(|_| missing())?;
        let inverse = field.inverse(g).ok_or_else(missing)?;
        // The order is even, so p is odd and 2 has an inverse.
        let half = field.inverse(field.natural(2)).ok_or_else(missing)?;
        let powers = |start, step| -> Vec<G::Element> {
            std::iter::successors(Some(start), |&w| Some(field.mul(w, step))).take(1 << log_len).collect()
        };
        let upload = |powers: Vec<G::Element>| match cx.device().executor() {
            Executor::Host(_) => cx.device().upload(&powers),
            Executor::OpenCl(_) => {
                let each = arithmetic.factor_words();
                let words: Vec<_> =
                    powers.iter().flat_map(|&w| field.factor(w, arithmetic).into_iter().take(each)).collect();
                cx.device().upload(&words)
            }
        };
        let s = field.power(g, 1 << log_len);
        Ok(Self {
            s,
            half,
            half_s: field.mul(s, half),
            powers: upload(powers(field.one(), g))?,
            inverse_powers: upload(powers(half, inverse))?,
        })
    }
}
