//! Calls as C makes them: right results, and a status with words for everything that is wrong.

use std::ffi::{CStr, CString};
use std::ptr::{null, null_mut};

use manycore_c::*;

fn last() -> String {
    // SAFETY: the text ends with a zero and stays until the next call that fails.
    unsafe { CStr::from_ptr(manycore_last_error()) }.to_str().unwrap().to_owned()
}

/// Does something with every device.
fn on_all(mut work: impl FnMut(*const ManycoreDevice)) {
    for device in manycore::Device::all() {
        let (name, mut handle) = (CString::new(device.info().id.clone()).unwrap(), null_mut());
        // SAFETY: the text ends with a zero, the handle is a local one and freed once.
        unsafe {
            assert_eq!(manycore_device_open(name.as_ptr(), &raw mut handle), ManycoreStatus::Ok, "{}", last());
            assert!(!CStr::from_ptr(manycore_device_name(handle)).is_empty());
            work(handle);
            manycore_device_free(handle);
        }
    }
}

#[test]
fn transforms_are_right_and_come_back() {
    on_all(|device| {
        let (mut x, mut y) = ([1i64, 0, 1, 0, 1, 1, 1, 1], [3u64, 1, 4, 1]);
        let mut bits = [0b1000u64];
        let mut z = [1.0f64, 0.0, 2.0, 0.0, 3.0, 0.0];
        let factors = [3u64];
        // SAFETY: every array is as long as is said.
        unsafe {
            assert_eq!(manycore_walsh_i64(device, x.as_mut_ptr(), 4, 2), ManycoreStatus::Ok);
            assert_eq!(x, [2, 2, 0, 0, 4, 0, 0, 0]);
            let mut large = [i32::MAX, 1];
            assert_eq!(manycore_walsh_i32(device, large.as_mut_ptr(), 2, 1), ManycoreStatus::Invalid);
            assert!(last().contains("2147483648") && large == [i32::MAX, 1], "{}", last());
            assert_eq!(manycore_wrapping_walsh_i32(device, large.as_mut_ptr(), 2, 1), ManycoreStatus::Ok);
            assert_eq!(large, [i32::MIN, i32::MAX - 1]);
            let mut large = [i64::MIN, i64::MIN];
            assert_eq!(manycore_wrapping_walsh_i64(device, large.as_mut_ptr(), 2, 1), ManycoreStatus::Ok);
            assert_eq!(large, [0, 0]);
            for p in [97, 0xFFFF_FFFF_0000_0001] {
                assert_eq!(manycore_ntt_u64(device, p, y.as_mut_ptr(), 4, 1, false), ManycoreStatus::Ok);
                assert_eq!(y[0], 9);
                assert_eq!(manycore_ntt_u64(device, p, y.as_mut_ptr(), 4, 1, true), ManycoreStatus::Ok);
                assert_eq!(y, [3, 1, 4, 1]);
            }
            assert_eq!(manycore_reed_muller(device, bits.as_mut_ptr(), 1, 2), ManycoreStatus::Ok);
            assert_eq!(bits, [0b1000]);
            let status = manycore_fourier_f64(device, factors.as_ptr(), 1, z.as_mut_ptr(), 6, false);
            // A device without doubles says so.
            if status == ManycoreStatus::Ok {
                assert!((z[0] - 6.0).abs() < 1e-12 && z[1].abs() < 1e-12);
            } else {
                assert_eq!(status, ManycoreStatus::Device, "{}", last());
            }
        }
    });
}

#[test]
fn polynomials_and_matrices_are_right() {
    on_all(|device| {
        let (p, points) = (469_762_049u32, [5u32, 7, 11]);
        let f = [1u32, 2, 3];
        let (mut values, mut found, mut len) = ([0u32; 3], [0u32; 3], 0);
        let a = [1u32, 2, 3, 4];
        let (mut inverse, mut product, mut det) = ([0u32; 4], [0u32; 4], 0);
        // SAFETY: every array is as long as is said.
        unsafe {
            let status = manycore_poly_eval_u32(device, p, f.as_ptr(), 3, points.as_ptr(), 3, values.as_mut_ptr());
            assert_eq!((status, values), (ManycoreStatus::Ok, [86, 162, 386]));
            let out = (found.as_mut_ptr(), found.len(), &raw mut len);
            let status =
                manycore_poly_interpolate_u32(device, p, points.as_ptr(), values.as_ptr(), 3, out.0, out.1, out.2);
            assert_eq!((status, found, len), (ManycoreStatus::Ok, f, 3));
            // (x - 5) (x - 7) and (x - 5) (x - 11).
            let (g, h) = ([35, p - 12, 1], [55, p - 16, 1]);
            let status = manycore_poly_gcd_u32(device, p, g.as_ptr(), 3, h.as_ptr(), 3, out.0, out.1, out.2);
            assert_eq!((status, &found[..len]), (ManycoreStatus::Ok, &[p - 5, 1][..]));
            assert_eq!(manycore_matrix_det_u32(device, p, a.as_ptr(), 2, &raw mut det), ManycoreStatus::Ok);
            assert_eq!(det, p - 2);
            assert_eq!(manycore_matrix_inverse_u32(device, p, a.as_ptr(), 2, inverse.as_mut_ptr()), ManycoreStatus::Ok);
            let (a, b, out) = (a.as_ptr(), inverse.as_ptr(), product.as_mut_ptr());
            assert_eq!(manycore_matrix_mul_u32(device, p, 2, 2, 2, a, b, out), ManycoreStatus::Ok);
            assert_eq!(product, [1, 0, 0, 1]);
        }
    });
}

#[test]
fn paths_and_codes_are_right() {
    on_all(|device| {
        let (from, to, weights) = ([0u32, 1, 0], [1u32, 2, 2], [4i32, 5, 3]);
        let (mut star, mut absent) = ([0i32; 9], 0);
        let rows: Vec<u8> = (0..12).collect();
        let (mut parity, mut back) = ([0u8; 8], [0u8; 4]);
        // SAFETY: every array is as long as is said.
        unsafe {
            let arcs = (from.as_ptr(), to.as_ptr(), weights.as_ptr());
            let status =
                manycore_maxplus_star_i32(device, 3, arcs.0, arcs.1, arcs.2, 3, star.as_mut_ptr(), &raw mut absent);
            assert_eq!(status, ManycoreStatus::Ok, "{}", last());
            assert_eq!(star, [0, absent, absent, 4, 0, absent, 9, 5, 0]);
            let status = manycore_erasure_encode(device, 3, 2, 4, rows.as_ptr(), parity.as_mut_ptr());
            assert_eq!(status, ManycoreStatus::Ok, "{}", last());
            // Rows 0, 2 and the first parity row restore row 1.
            let there = [&rows[..4], &rows[8..], &parity[..4]].concat();
            let (present, wanted) = ([0usize, 2, 3], [1usize]);
            let (present, wanted) = (present.as_ptr(), wanted.as_ptr());
            let status =
                manycore_erasure_recover(device, 3, 2, 4, present, 3, there.as_ptr(), wanted, 1, back.as_mut_ptr());
            assert_eq!((status, &back[..]), (ManycoreStatus::Ok, &rows[4..8]));
        }
    });
}

#[test]
fn what_is_wrong_is_told() {
    on_all(|device| {
        let (mut x, mut y, mut len) = ([1i32; 3], [3u32, 4], 0usize);
        let mut digits = [0i8; 2];
        let a = [i64::MAX, 1, 2, 3];
        // SAFETY: every array that is not null is as long as is said.
        unsafe {
            assert_eq!(manycore_walsh_i32(device, x.as_mut_ptr(), 3, 1), ManycoreStatus::Invalid);
            assert!(last().contains('3'), "{}", last());
            assert_eq!(manycore_walsh_i32(device, null_mut(), 4, 1), ManycoreStatus::Invalid);
            assert_eq!(last(), "x is null");
            assert_eq!(manycore_walsh_i32(device, null_mut(), usize::MAX, 2), ManycoreStatus::Invalid);
            let odd = x.as_mut_ptr().cast::<u8>().add(1).cast();
            assert_eq!(manycore_walsh_i32(device, odd, 2, 1), ManycoreStatus::Invalid);
            assert_eq!(last(), "x is not aligned to 4 bytes");
            assert_eq!(manycore_walsh_i32(null(), x.as_mut_ptr(), 2, 1), ManycoreStatus::Invalid);
            assert_eq!(last(), "the device is null");
            assert_eq!(manycore_ntt_u32(device, 91, y.as_mut_ptr(), 2, 1, false), ManycoreStatus::Invalid);
            assert!(last().contains("91"), "{}", last());
            // A result that does not fit, and one that says how long it is.
            let b = y;
            let out = (y.as_mut_ptr(), &raw mut len);
            let status = manycore_poly_mul_u32(device, 97, b.as_ptr(), 2, b.as_ptr(), 2, out.0, 2, out.1);
            assert_eq!((status, last().as_str()), (ManycoreStatus::Invalid, "out has 2 elements, the result 3"));
            let status = manycore_det_i64(device, a.as_ptr(), 2, digits.as_mut_ptr().cast(), 2, &raw mut len);
            assert_eq!((status, len), (ManycoreStatus::Invalid, "27670116110564327419".len() + 1));
        }
    });
}

#[test]
fn a_device_that_there_is_not_is_named() {
    let mut handle = null_mut();
    // SAFETY: the text ends with a zero, and the handle is a local one.
    unsafe {
        assert_eq!(manycore_device_open(c"no such device".as_ptr(), &raw mut handle), ManycoreStatus::Invalid);
        assert!(handle.is_null() && last().contains("no such device"), "{}", last());
        assert_eq!(manycore_device_open(c"host".as_ptr(), null_mut()), ManycoreStatus::Invalid);
        manycore_device_free(null_mut());
        assert!(manycore_device_name(null()).is_null());
    }
}

/// The answer of a call in JSON, or the status and the words of what was wrong.
unsafe fn called(
    device: *const ManycoreDevice,
    operation: &CStr,
    options: &CStr,
    inputs: &[&str],
) -> Result<String, (ManycoreStatus, String)> {
    let pointers: Vec<*const u8> = inputs.iter().map(|input| input.as_ptr()).collect();
    let lengths: Vec<usize> = inputs.iter().map(|input| input.len()).collect();
    let mut result = null_mut();
    // SAFETY: the arrays are as long as is said, the texts end with a zero.
    unsafe {
        let (operation, options) = (operation.as_ptr(), options.as_ptr());
        let (inputs, count) = (pointers.as_ptr(), pointers.len());
        let lengths = lengths.as_ptr();
        match manycore_operation_call(device, operation, options, inputs, lengths, count, true, 5, &raw mut result) {
            ManycoreStatus::Ok => {
                let text = CStr::from_ptr(result).to_str().unwrap().to_owned();
                manycore_text_free(result);
                Ok(text)
            }
            status => Err((status, last())),
        }
    }
}

#[test]
fn every_declared_operation_is_called_by_its_name() {
    let mut all = null_mut();
    // SAFETY: the result is a local one and freed once.
    let declared = unsafe {
        assert_eq!(manycore_operations(&raw mut all), ManycoreStatus::Ok);
        let text = CStr::from_ptr(all).to_str().unwrap().to_owned();
        manycore_text_free(all);
        manycore_text_free(null_mut());
        text
    };
    for operation in manycore::operations::all() {
        assert!(declared.contains(&format!("\"name\":\"{}\"", operation.declaration().name)));
    }
    on_all(|device| {
        // SAFETY: the device is open.
        let of =
            |operation: &CStr, options: &CStr, inputs: &[&str]| unsafe { called(device, operation, options, inputs) };
        let gcd = of(c"poly gcd", c"{\"modulus\": 7}", &["6 5 1", "3 1"]).unwrap();
        assert!(gcd.contains("\"result\":[3,1]"), "{gcd}");
        let det = of(c"matrix det", c"{\"exact\": true}", &["1 2\n3 4"]).unwrap();
        assert!(det.contains("\"result\":\"-2\""), "{det}");
        let wrong = |outcome: Result<String, (ManycoreStatus, String)>| {
            let (status, message) = outcome.unwrap_err();
            assert_eq!(status, ManycoreStatus::Invalid, "{message}");
            message
        };
        assert_eq!(wrong(of(c"poly gcd", c"", &["1", "1"])), "modulus is missing");
        assert!(wrong(of(c"poly", c"", &[])).contains("no operation"));
        assert!(wrong(of(c"poly gcd", c"[", &["1", "1"])).contains("no object of JSON"));
        assert!(wrong(of(c"poly gcd", c"{\"modulus\": 7}", &["1 x", "1"])).starts_with("a:1: "));
        assert!(wrong(of(c"matrix inverse", c"{\"modulus\": 7}", &["1 1\n1 1"])).starts_with("m: "));
    });
    // SAFETY: null is refused.
    unsafe {
        let status =
            manycore_operation_call(null(), c"poly gcd".as_ptr(), null(), null(), null(), 0, false, 0, null_mut());
        assert_eq!(status, ManycoreStatus::Invalid);
    }
}
