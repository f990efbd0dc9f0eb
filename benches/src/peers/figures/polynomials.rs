//! Figures of evaluation and interpolation at many points.

use super::{GPU, GPU_SOURCE, Row, lines};
use crate::lines::Peer;
use crate::modular::FFT_29;
use crate::polynomials::Work;

const CODE: &str =
    "CUMODP 586a92e (2017 sources), own event times; wrong values in about a third of runs at 2^18 to 2^23";

const EVALUATION: &[Row] = &[Row {
    code: CODE,
    element: FFT_29.element,
    log_total: 0,
    threads: None,
    milliseconds: &[(10, 15.5), (12, 36.9), (14, 63.8), (16, 95.0), (18, 139.0), (20, 260.0), (22, 507.0), (23, 895.0)],
}];

const INTERPOLATION: &[Row] = &[Row {
    code: CODE,
    element: FFT_29.element,
    log_total: 0,
    threads: None,
    milliseconds: &[
        (10, 21.5),
        (12, 49.9),
        (14, 85.0),
        (16, 127.0),
        (18, 194.0),
        (20, 344.0),
        (22, 657.0),
        (23, 1074.0),
    ],
}];

/// Figures of the operations on polynomials beside products.
pub fn polynomials() -> Vec<Peer> {
    let evaluation = lines(Work::Evaluate.operation(), EVALUATION, GPU, "gpu", GPU_SOURCE);
    let interpolation = lines(Work::Interpolate.operation(), INTERPOLATION, GPU, "gpu", GPU_SOURCE);
    evaluation.chain(interpolation).collect()
}
