//! Advice whether to reorder a matrix, and by which order.

use std::time::Instant;

use manycore_model::cache::{Geometry, Report};

use super::{Policy, Prediction, misses_within};
use crate::error::SparseError;
use crate::order::{OrderMethod, reorder};
use crate::pattern::Pattern;
use crate::permutation::Reordering;

/// Rows and columns together up to which every order is tried, whatever it may save.
const ALWAYS_TRIED: usize = 1 << 20;

/// What advice depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct AdviceOptions {
    /// The orders to try.
    pub methods: Vec<OrderMethod>,
    /// The cache of the device that multiplies.
    pub cache: Geometry,
    /// The cache's replacement.
    pub policy: Policy,
    /// Bytes of a value of `x` and of the matrix, and of a word of the cache.
    pub value_bytes: u64,
    /// Products that will be computed.
    pub products: u64,
    /// Bytes that the memory of that device moves in a second.
    pub bytes_per_second: f64,
    /// Non-zeros above which misses are sampled.
    pub most_accesses: u64,
    /// The part of a product's bytes that must be saved for an order to be worth its trouble: predictions of time from
    /// counted bytes are no better than that.
    pub least_saved_part: f64,
}

impl AdviceOptions {
    /// For a cache of `cache_bytes` with lines of `line_bytes` and values of `value_bytes`: the Gray code, reverse
    /// Cuthill-McKee and the degree order, least-recently-used replacement, and 5 % of the bytes to be saved.
    ///
    /// # Errors
    /// [`SparseError::Geometry`] for sizes that no cache has.
    pub fn new(
        (cache_bytes, line_bytes, value_bytes): (u64, u64, u64),
        products: u64,
        bytes_per_second: f64,
    ) -> Result<Self, SparseError> {
        let value_bytes = value_bytes.max(1);
        let line_words = (line_bytes / value_bytes).max(1);
        let gray = crate::GrayOptions::for_lines(line_bytes as usize, value_bytes as usize);
        Ok(Self {
            methods: vec![OrderMethod::GrayCode(gray), OrderMethod::ReverseCuthillMckee, OrderMethod::Degree],
            cache: Geometry::with_lines(cache_bytes / (line_words * value_bytes), line_words)?,
            policy: Policy::LeastRecentlyUsed,
            value_bytes,
            products,
            bytes_per_second,
            most_accesses: 1 << 24,
            least_saved_part: 0.05,
        })
    }
}

/// An order that was considered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConsideredOrder {
    /// The method.
    pub method: OrderMethod,
    /// What a product moves before and after.
    pub prediction: Prediction,
    /// Seconds that the order took to find, and the pattern to be put into it, on this host.
    pub seconds: f64,
    /// Products after which it has paid for itself; `None` where it never has.
    pub products_to_pay: Option<u64>,
}

/// Whether to reorder.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// Misses in the given order.
    pub given: Report,
    /// The orders tried, in the order of the options.
    pub considered: Vec<ConsideredOrder>,
    /// The place among them of the one to take and its order; `None` where the matrix should stay as it is.
    pub recommended: Option<(usize, Reordering)>,
}

/// Tries every order and returns the best one: of those that save the least part of the bytes and pay for themselves
/// within the products that will be computed, the one with the least bytes for reordering and products together. A
/// matrix whose given order is good stays as it is.
///
/// An order leaves at least a miss for as many of the touched lines as a line has words. Where that saves less than
/// [`AdviceOptions::least_saved_part`], as with far more rows than non-zeros, no order is tried of a matrix that has more than
/// `2^20` rows and columns.
///
/// Misses are exact, or sampled past [`AdviceOptions::most_accesses`]; seconds of reordering are measured, so that
/// advice may differ where an order pays only just.
///
/// # Errors
/// Those of [`reorder`].
pub fn advise(pattern: &Pattern, options: &AdviceOptions) -> Result<Advice, SparseError> {
    let count = |pattern: &Pattern| misses_within(pattern, options.cache, options.policy, options.most_accesses);
    let given = count(pattern)?;
    let mut advice = Advice { given, considered: Vec::new(), recommended: None };
    let least = Report { misses: given.compulsory.div_ceil(options.cache.line_words().max(1)), ..given };
    let most_saved = Prediction::new(pattern, options.cache, options.value_bytes, given, least).saved_part();
    if pattern.rows() + pattern.columns() > ALWAYS_TRIED && most_saved < options.least_saved_part {
        return Ok(advice);
    }
    let mut least_bytes = f64::INFINITY;
    for &method in &options.methods {
        let start = Instant::now();
        let reordering = reorder(pattern, &method)?;
        let ordered = reordering.apply_to_pattern(pattern)?;
        let seconds = start.elapsed().as_secs_f64();
        let prediction = Prediction::new(pattern, options.cache, options.value_bytes, given, count(&ordered)?);
        let products_to_pay = prediction.products_to_pay(seconds, options.bytes_per_second);
        let bytes = seconds * options.bytes_per_second + options.products as f64 * prediction.bytes_after() as f64;
        if prediction.saved_part() >= options.least_saved_part
            && products_to_pay.is_some_and(|products| products <= options.products)
            && bytes < least_bytes
        {
            least_bytes = bytes;
            advice.recommended = Some((advice.considered.len(), reordering));
        }
        advice.considered.push(ConsideredOrder { method, prediction, seconds, products_to_pay });
    }
    Ok(advice)
}
