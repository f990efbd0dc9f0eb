//! What the papers say about the operations' speed.

use crate::lines::Paper;

/// The statements about the Walsh-Hadamard transform.
pub fn walsh() -> Vec<Paper> {
    vec![Paper {
        operation: "walsh",
        paper: "001, Figure 4",
        statement: "its speedups of the GPU over one-thread CPU forms stand in the figure only; no number is known from the \
                    text, so none is shown. The same comparison with our times: the table of plain one-thread forms",
        log_len: None,
        value: None,
        unit: "speedup",
    }]
}
