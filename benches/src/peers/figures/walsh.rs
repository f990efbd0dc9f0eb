//! Figures of the Walsh-Hadamard transform.

use super::{CPU, GPU, GPU_SOURCE, Row, lines};
use crate::lines::Peer;

const CPU_SOURCE: &str = "measured 2026-11-21: gcc 12.2 -O3 -march=native, median wall time";

const GPU_ROWS: &[Row] = &[
    Row {
        code: "CUDA samples fastWalshTransform c94ff36",
        element: "f32",
        log_total: 0,
        threads: None,
        milliseconds: &[(20, 0.0217), (22, 0.0619), (24, 0.315), (26, 1.334), (28, 5.76)],
    },
    Row {
        code: "Dao-AILab fast-hadamard-transform e7706fa",
        element: "f32",
        log_total: 27,
        threads: None,
        milliseconds: &[(10, 0.277), (12, 0.288), (13, 0.270), (14, 0.298), (15, 0.453)],
    },
    Row { code: "torch 2.11.0 by views", element: "f32", log_total: 0, threads: None, milliseconds: &[(24, 2.677)] },
];

const CPU_ROWS: &[Row] = &[
    Row {
        code: "FFHT fba727a (AVX)",
        element: "f32",
        log_total: 0,
        threads: Some(1),
        milliseconds: &[(20, 0.823), (22, 2.36), (24, 12.2), (26, 60.0)],
    },
    Row {
        code: "plain triple loop in C",
        element: "f32",
        log_total: 0,
        threads: Some(1),
        milliseconds: &[(20, 3.49), (22, 15.7), (24, 113.0), (26, 494.0)],
    },
    Row {
        code: "plain triple loop in C",
        element: "i32",
        log_total: 0,
        threads: Some(1),
        milliseconds: &[(20, 2.90), (22, 13.2), (24, 102.0), (26, 461.0)],
    },
    Row {
        code: "recursive radix-4 in C, 1 thread",
        element: "f32",
        log_total: 0,
        threads: Some(1),
        milliseconds: &[(20, 2.02), (22, 8.68), (24, 38.8), (26, 168.0)],
    },
    Row {
        code: "recursive radix-4 in C, 2 threads",
        element: "f32",
        log_total: 0,
        threads: Some(2),
        milliseconds: &[(20, 1.02), (22, 4.28), (24, 21.6), (26, 97.0)],
    },
    Row {
        code: "recursive radix-4 in C, 1 thread",
        element: "i32",
        log_total: 0,
        threads: Some(1),
        milliseconds: &[(20, 2.05), (22, 9.07), (24, 39.4), (26, 168.0)],
    },
    Row {
        code: "recursive radix-4 in C, 2 threads",
        element: "i32",
        log_total: 0,
        threads: Some(2),
        milliseconds: &[(20, 1.03), (22, 4.47), (24, 21.3), (26, 94.0)],
    },
];

/// The peers of the Walsh-Hadamard transform.
pub fn walsh() -> Vec<Peer> {
    let on = |rows, machine, class, source| lines("walsh", rows, machine, class, source);
    on(GPU_ROWS, GPU, "gpu", GPU_SOURCE).chain(on(CPU_ROWS, CPU, "host", CPU_SOURCE)).collect()
}

#[cfg(test)]
mod tests {
    use super::walsh;

    #[test]
    fn batches_fill_their_total() {
        let peers = walsh();
        assert_eq!(peers.len(), 39);
        let dao: Vec<_> = peers.iter().filter(|peer| peer.code.starts_with("Dao")).collect();
        assert!(dao.iter().all(|peer| peer.batch << peer.log_len == 1 << 27));
        assert!(peers.iter().filter(|peer| !peer.code.starts_with("Dao")).all(|peer| peer.batch == 1));
        assert!(peers.iter().all(|peer| peer.seconds > 1e-6 && peer.seconds < 1.0));
    }
}
