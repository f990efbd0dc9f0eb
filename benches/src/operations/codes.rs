//! Erasure codes: parity rows of data rows in the host's memory.

use manycore_codes::ErasureCode;

use super::case::{Case, Extent, work};
use crate::data;

/// Rows of data and of parity.
const DATA: usize = 10;
const PARITY: usize = 4;

pub(super) fn cases(extent: Extent) -> Vec<Case> {
    extent.of(&[1 << 16], &[1 << 16, 1 << 22], &[1 << 22, 1 << 24]).into_iter().map(encode).collect()
}

fn encode(row: usize) -> Case {
    let case = Case::new(
        ("erasure-code", "u16 of a field of 2^16"),
        (DATA * row, format!("{DATA} + {PARITY} rows of {} KiB", row >> 10)),
        ((DATA + PARITY) * row / 2, (DATA * PARITY * row / 2) as f64),
        "4 lost rows of data restored from the others",
        move |device| {
            let code = ErasureCode::new(device, DATA, PARITY)?;
            Ok(work(
                (code, bytes(row), vec![0u8; PARITY * row]),
                move |(code, data, parity)| {
                    let rows: Vec<&[u8]> = data.chunks_exact(row).collect();
                    let mut out: Vec<&mut [u8]> = parity.chunks_exact_mut(row).collect();
                    Ok(code.encode_rows(&rows, &mut out)?)
                },
                move |(code, data, parity)| {
                    let kept = data.chunks_exact(row).enumerate().skip(PARITY);
                    let parity = parity.chunks_exact(row).enumerate().map(|(index, bytes)| (DATA + index, bytes));
                    let present: Vec<(usize, &[u8])> = kept.chain(parity).collect();
                    Ok(code.recover(&present, &[0, 1, 2, 3])? == data[..PARITY * row])
                },
            ))
        },
    );
    beside_simd(case, row)
}

fn bytes(row: usize) -> Vec<u8> {
    data::words(DATA * row / 8).into_iter().flat_map(u64::to_le_bytes).collect()
}

#[cfg(feature = "reed-solomon-simd")]
fn beside_simd(case: Case, row: usize) -> Case {
    use reed_solomon_simd::{ReedSolomonEncoder, decode};

    case.beside("reed-solomon-simd 3.1", false, move || {
        let parity: Vec<Vec<u8>> = Vec::new();
        Ok(work(
            (bytes(row), parity),
            move |(data, parity)| {
                let mut encoder = ReedSolomonEncoder::new(DATA, PARITY, row)?;
                for shard in data.chunks_exact(row) {
                    encoder.add_original_shard(shard)?;
                }
                *parity = encoder.encode()?.recovery_iter().map(<[u8]>::to_vec).collect();
                Ok(())
            },
            move |(data, parity)| {
                let kept = data.chunks_exact(row).enumerate().skip(PARITY);
                let restored = decode(DATA, PARITY, kept, parity.iter().enumerate())?;
                Ok(data.chunks_exact(row).take(PARITY).enumerate().all(|(index, shard)| restored[&index] == shard))
            },
        ))
    })
}

#[cfg(not(feature = "reed-solomon-simd"))]
fn beside_simd(case: Case, _row: usize) -> Case {
    case
}
