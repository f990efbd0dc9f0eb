//! Erasure codes of rows of bytes, one behind the other.

use manycore::ErasureCode;

use crate::arrays;
use crate::device::{ManycoreDevice, device as opened};
use crate::status::{Failure, ManycoreStatus, guarded};

fn bytes(rows: usize, row_bytes: usize) -> Result<usize, Failure> {
    rows.checked_mul(row_bytes).ok_or_else(|| Failure::invalid(format!("{rows} rows of {row_bytes} bytes")))
}

/// The `parity` rows of `data` rows of an even number of bytes each: any `data` of all rows restore the others.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_erasure_encode(
    device: *const ManycoreDevice,
    data: usize,
    parity: usize,
    row_bytes: usize,
    rows: *const u8,
    out: *mut u8,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        let (device, rows, out) = unsafe {
            let rows = arrays::read("rows", rows, bytes(data, row_bytes)?)?;
            (opened(device)?, rows, arrays::write("out", out, bytes(parity, row_bytes)?)?)
        };
        arrays::give("out", &ErasureCode::new(device, data, parity)?.encode(rows)?, out)
    })
}

/// The `wanted` rows, by their numbers from 0 on, data before parity, from `present` rows that are there, of which `data` are needed; rows
/// lie one behind the other in the order of their numbers in `present` and `wanted`.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_erasure_recover(
    device: *const ManycoreDevice,
    data: usize,
    parity: usize,
    row_bytes: usize,
    present: *const usize,
    present_count: usize,
    rows: *const u8,
    wanted: *const usize,
    wanted_count: usize,
    out: *mut u8,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        let (device, present, wanted, rows, out) = unsafe {
            let present = arrays::read("present", present, present_count)?;
            let wanted = arrays::read("wanted", wanted, wanted_count)?;
            let rows = arrays::read("rows", rows, bytes(present_count, row_bytes)?)?;
            (opened(device)?, present, wanted, rows, arrays::write("out", out, bytes(wanted_count, row_bytes)?)?)
        };
        let row = |at: usize| &rows[at * row_bytes..][..row_bytes];
        let there: Vec<(usize, &[u8])> = present.iter().enumerate().map(|(at, &number)| (number, row(at))).collect();
        arrays::give("out", &ErasureCode::new(device, data, parity)?.recover(&there, wanted)?, out)
    })
}
