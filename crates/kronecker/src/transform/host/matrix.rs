//! Factors as the host's rounds take them.

use crate::factor::Factor;
use crate::values::Values;

/// What a row of a matrix adds up.
#[derive(Debug, Clone)]
pub(crate) struct Terms<C> {
    /// Values that are added: `j` is the value `j`, the order more its negative.
    pub(super) signs: Vec<u8>,
    /// Values and what they are multiplied by.
    pub(super) products: Vec<(u8, C)>,
}

/// How a matrix is multiplied by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `(u + v, u - v)`.
    Butterfly,
    /// `(u, v + u)`.
    AddFirst,
    /// `(u, v - u)`.
    SubtractFirst,
    /// By its rows' terms.
    Terms,
}

/// A matrix, prepared.
#[derive(Debug, Clone)]
pub(crate) struct Matrix<V: Values> {
    pub(super) order: usize,
    pub(super) kind: Kind,
    /// Whether a term is a negative.
    pub(super) negatives: bool,
    pub(super) rows: Vec<Terms<V::Constant>>,
}

impl<V: Values> Matrix<V> {
    /// The factor's entries; an identity's has none and is never asked for.
    pub(crate) fn new(values: &V, factor: &Factor<V>) -> Self {
        let order = factor.order();
        let entries = factor.entries().unwrap_or_default();
        let mut rows = Vec::new();
        let mut signs = Vec::new();
        for row in entries.chunks_exact(order) {
            let mut terms = Terms { signs: Vec::new(), products: Vec::new() };
            for (j, &x) in (0u8..).zip(row) {
                let sign = Factor::sign(values, x);
                match sign {
                    Some(0) => {}
                    Some(1) => terms.signs.push(j),
                    Some(_) => terms.signs.push(j + order as u8),
                    None => terms.products.push((j, values.constant(x))),
                }
                signs.push(sign);
            }
            rows.push(terms);
        }
        let is = |of: [i64; 4]| signs.iter().copied().eq(of.map(Some));
        let kind = if is([1, 1, 1, -1]) {
            Kind::Butterfly
        } else if is([1, 0, 1, 1]) {
            Kind::AddFirst
        } else if is([1, 0, -1, 1]) {
            Kind::SubtractFirst
        } else {
            Kind::Terms
        };
        let negatives = rows.iter().flat_map(|row| &row.signs).any(|&j| j as usize >= order);
        Self { order, kind, negatives, rows }
    }
}
