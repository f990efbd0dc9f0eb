//! Other codes' figures for the same work, as they were measured: machine, version and date stand with each.

mod modular;
mod polynomials;
mod walsh;

pub use modular::{ntt, products};
pub use polynomials::polynomials;
pub use walsh::walsh;

use crate::lines::Peer;

/// A row of figures: a code at several sizes.
struct Row {
    code: &'static str,
    element: &'static str,
    /// Values in all, as a power of two; 0 for single transforms.
    log_total: u32,
    threads: Option<u64>,
    /// Length as a power of two, and milliseconds.
    milliseconds: &'static [(u32, f64)],
}

const GPU: &str = "NVIDIA H200";
const GPU_SOURCE: &str =
    "measured 2026-11-21: driver 580.159.04, CUDA 13.0, median of device events, data on the device";
const CPU: &str = "AMD EPYC (family 25 model 17), 2 processors";

/// The rows as lines.
fn lines(
    operation: &'static str,
    rows: &'static [Row],
    machine: &'static str,
    class: &'static str,
    source: &'static str,
) -> impl Iterator<Item = Peer> {
    rows.iter().flat_map(move |row| {
        row.milliseconds.iter().map(move |&(log_len, milliseconds)| Peer {
            operation,
            code: row.code.to_owned(),
            machine: machine.to_owned(),
            class,
            element: row.element,
            size: None,
            log_len,
            batch: 1 << row.log_total.saturating_sub(log_len),
            threads: row.threads,
            seconds: milliseconds * 1e-3,
            source,
        })
    })
}
