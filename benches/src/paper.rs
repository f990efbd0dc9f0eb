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

/// The statements about the Reed-Muller, arithmetic and Haar transforms.
pub fn spectral() -> Vec<Paper> {
    ["reed-muller", "arithmetic", "haar"]
        .map(|operation| Paper {
            operation,
            paper: "001, tables and figures of results",
            statement: "its speedups of the GPU over two CPU forms, CPU A (Cooley-Tukey in place) and CPU B (constant geometry), \
                        stand in its tables and figures only; no number is known from the text, so none is shown. The same \
                        ratios with our times: the table of plain one-thread forms",
            log_len: None,
            value: None,
            unit: "speedup",
        })
        .into()
}

/// The statements about products of polynomials.
pub fn products() -> Vec<Paper> {
    let line = |paper, statement, value: Option<f64>, unit| Paper {
        operation: "poly-mul",
        paper,
        statement,
        log_len: value.map(|_| 12),
        value,
        unit,
    };
    vec![
        line(
            "002, Table 8.2",
            "of chapter 8, on plain products: its figures stand in the table only; no number is known from the corrected text, so \
             none is shown. The same work with our times: the cases `plain` and `two-phase`; with those of the paper's own \
             code, CUMODP: other codes",
            None,
            "",
        ),
        line(
            "002, Table 8.3",
            "as Table 8.2: of chapter 8 on plain products, and no number is known from the corrected text",
            None,
            "",
        ),
        line(
            "002, Table 10.2",
            "of chapter 10, on subproduct trees, evaluation and interpolation, which are no products and not here yet; no \
             number is known from the corrected text",
            None,
            "",
        ),
        line(
            "002, formula (8.4), corrected",
            "the overhead of the two phases falls with x: O(1) / O(x) = n x / (n + x - 1), here for n = 2^12 and x = 16. Ours: \
             the times of the cases `two-phase`, which hold the work beside the overhead",
            Some(15.94),
            "times",
        ),
        line(
            "002, formula (8.5)",
            "the work grows with x: W(1) / W(x) = n / (n + x - 1), here for n = 2^12 and x = 16",
            Some(0.996),
            "times",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::products;

    #[test]
    fn the_stated_ratios_are_those_of_the_formulas() {
        let (n, x) = (4096.0, 16.0);
        let stated: Vec<f64> = products().iter().filter_map(|paper| paper.value).collect();
        for (value, formula) in stated.iter().zip([n * x / (n + x - 1.0), n / (n + x - 1.0)]) {
            assert!((value / formula - 1.0).abs() < 1e-3, "{value} {formula}");
        }
        assert_eq!((stated.len(), products().len()), (2, 5));
    }
}
