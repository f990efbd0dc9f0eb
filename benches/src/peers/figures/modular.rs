//! Figures of number-theoretic transforms and of products of polynomials modulo primes.

use super::{CPU, GPU, GPU_SOURCE, Row, lines};
use crate::lines::Peer;
use crate::modular::{FFT_29, FFT_31, FFT_62, NTT, PRODUCT};

const CPU_SOURCE: &str =
    "measured 2026-11-21, with AVX-512: gcc 12.2 -O3 -march=native, rustc 1.95 -C target-cpu=native, median wall time";

const fn single(
    code: &'static str,
    element: &'static str,
    threads: Option<u64>,
    milliseconds: &'static [(u32, f64)],
) -> Row {
    Row { code, element, log_total: 0, threads, milliseconds }
}

const CPU_TRANSFORMS: &[Row] = &[
    single(
        "tfhe-ntt 0.7.1 (AVX-512)",
        FFT_29.element,
        Some(1),
        &[(10, 0.0009), (12, 0.00424), (14, 0.0190), (16, 0.0863), (18, 0.381), (20, 1.78), (22, 10.2)],
    ),
    single(
        "tfhe-ntt 0.7.1 (AVX-512)",
        FFT_31.element,
        Some(1),
        &[(10, 0.00099), (12, 0.0046), (14, 0.0210), (16, 0.0969), (18, 0.429), (20, 1.94), (22, 10.0)],
    ),
    single(
        "tfhe-ntt 0.7.1 (AVX-512)",
        FFT_62.element,
        Some(1),
        &[(10, 0.00246), (12, 0.0119), (14, 0.0538), (16, 0.243), (18, 1.09), (20, 5.45), (22, 24.5)],
    ),
];

const GPU_TRANSFORMS: &[Row] = &[
    single(
        "sppark 17278d7",
        FFT_31.element,
        None,
        &[
            (10, 0.0031),
            (12, 0.0067),
            (14, 0.0074),
            (16, 0.0084),
            (18, 0.0114),
            (20, 0.0218),
            (22, 0.0605),
            (24, 0.220),
            (26, 0.981),
            (27, 1.970),
        ],
    ),
    single(
        "GPU-NTT 95c739c",
        FFT_29.element,
        None,
        &[
            (10, 0.0062),
            (12, 0.0092),
            (14, 0.0094),
            (16, 0.0091),
            (18, 0.0123),
            (20, 0.0305),
            (22, 0.1058),
            (24, 0.424),
        ],
    ),
];

const CPU_PRODUCTS: &[Row] = &[
    single(
        "FLINT 3.6.0 with fft_small",
        FFT_29.element,
        Some(1),
        &[(10, 0.0287), (12, 0.0531), (14, 0.242), (16, 1.07), (18, 5.34), (20, 25.5), (22, 123.0)],
    ),
    single(
        "FLINT 3.6.0 with fft_small",
        FFT_29.element,
        Some(2),
        &[(10, 0.0287), (12, 0.0533), (14, 0.377), (16, 1.36), (18, 5.48), (20, 18.3), (22, 84.8)],
    ),
    single(
        "FLINT 3.6.0 with fft_small",
        FFT_62.element,
        Some(1),
        &[(10, 0.0479), (12, 0.206), (14, 1.003), (16, 4.55), (18, 20.3), (20, 92.1), (22, 404.0)],
    ),
    single(
        "FLINT 3.6.0 with fft_small",
        FFT_62.element,
        Some(2),
        &[(10, 0.0479), (12, 0.199), (14, 0.669), (16, 2.85), (18, 13.0), (20, 60.7), (22, 261.0)],
    ),
    single(
        "FLINT 3.6.0 without fft_small",
        FFT_29.element,
        Some(1),
        &[(10, 0.079), (12, 0.589), (14, 3.70), (16, 18.4), (18, 64.8), (20, 414.0), (22, 1987.0)],
    ),
    single(
        "FLINT 3.6.0 without fft_small",
        FFT_62.element,
        Some(1),
        &[(10, 0.243), (14, 9.04), (18, 147.0), (20, 851.0)],
    ),
    single(
        "NTL 11.5.1",
        FFT_29.element,
        Some(1),
        &[(10, 0.110), (12, 0.503), (14, 2.74), (16, 12.6), (18, 57.6), (20, 252.0), (22, 1079.0)],
    ),
    single(
        "tfhe-ntt 0.7.1 (AVX-512)",
        FFT_29.element,
        Some(1),
        &[(10, 0.0068), (12, 0.0307), (14, 0.136), (16, 0.614), (18, 2.74), (20, 14.7), (22, 68.4)],
    ),
    single(
        "tfhe-ntt 0.7.1 (AVX-512)",
        FFT_62.element,
        Some(1),
        &[(10, 0.0192), (12, 0.0874), (14, 0.394), (16, 1.77), (18, 8.46), (20, 37.9), (22, 170.0)],
    ),
];

const CUMODP_SOURCE: &str =
    "measured 2026-11-21: driver 580.159.04, CUDA 13.0, its own event times, data on the device";

/// The code of paper 002, in a copy of its version 2.0.
const GPU_PRODUCTS: &[Row] = &[
    single(
        "CUMODP 586a92e, plain",
        FFT_29.element,
        None,
        &[(10, 0.048), (11, 0.057), (12, 0.105), (13, 0.326), (14, 1.19)],
    ),
    single(
        "CUMODP 586a92e, FFT",
        FFT_29.element,
        None,
        &[(10, 0.87), (11, 0.94), (12, 1.06), (13, 1.2), (14, 1.2), (17, 1.77), (19, 2.52), (21, 4.83)],
    ),
];

/// The peers of the number-theoretic transform.
pub fn ntt() -> Vec<Peer> {
    let host = lines(NTT, CPU_TRANSFORMS, CPU, "host", CPU_SOURCE);
    host.chain(lines(NTT, GPU_TRANSFORMS, GPU, "gpu", GPU_SOURCE)).collect()
}

/// The peers of products of two polynomials of equal length, by the length of an operand.
pub fn products() -> Vec<Peer> {
    let host = lines(PRODUCT, CPU_PRODUCTS, CPU, "host", CPU_SOURCE);
    host.chain(lines(PRODUCT, GPU_PRODUCTS, GPU, "gpu", CUMODP_SOURCE)).collect()
}

#[cfg(test)]
mod tests {
    use super::{ntt, products};

    #[test]
    fn times_grow_with_the_length() {
        let all: Vec<_> = ntt().into_iter().chain(products()).collect();
        assert_eq!(all.len(), 39 + 60 + 13);
        for pair in all.windows(2) {
            let same = |of: fn(&crate::lines::Peer) -> (&str, &str, Option<u64>)| of(&pair[0]) == of(&pair[1]);
            if same(|peer| (&peer.code, peer.element, peer.threads)) && pair[0].operation == pair[1].operation {
                // GPU-NTT takes as long at 2^16 as at 2^14.
                assert!(pair[0].log_len < pair[1].log_len && pair[0].seconds < 1.05 * pair[1].seconds, "{pair:?}");
            }
        }
    }
}
