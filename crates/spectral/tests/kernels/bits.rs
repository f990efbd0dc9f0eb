//! Reed-Muller and arithmetic transforms on the host and every OpenCL device against their definitions: the passes of the Walsh
//! kernels under other butterflies, and the kernels `reed_muller_words` and `dyadic_shift`.

use manycore_device::{Device, DeviceError, DeviceKind};
use manycore_spectral::walsh::cost::{Pass, Plan};
use manycore_spectral::{
    Algorithm, Arithmetic, BitOrder, Bits, ReedMuller, Scalar, Spectral, SpectralError, WalshPlan, arithmetic,
    reed_muller,
};
use manycore_testkit::{devices, simulated};

/// A pattern without structure.
fn noise(i: usize) -> u64 {
    (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// By the estimate alone: a measurement would build the kernels of other candidates too.
fn context(device: &Device) -> Spectral {
    Spectral::with_machine(device, device.machine())
}

/// Every length and type builds a program of its own; a CPU compiles for a second each.
fn sparing(device: &Device) -> bool {
    device.info().kind != DeviceKind::Gpu && device.info().id != "host"
}

/// The definition, or for long transforms its Kronecker form: one stage after the other.
fn expected_reed_muller<T: Bits>(x: &[T], order: BitOrder, polarity: usize) -> Vec<T> {
    if x.len() <= 1 << 9 {
        return reed_muller::reference::reed_muller(x, order, polarity).expect("a power of two");
    }
    let mut y: Vec<T> = (0..x.len()).map(|i| x[i ^ polarity]).collect();
    for bit in 0..x.len().ilog2() {
        for b in (0..y.len()).filter(|b| b >> bit & 1 == 1) {
            y[b] = y[b].exclusive_or(y[b ^ 1 << bit]);
        }
    }
    (0..y.len()).map(|row| y[order.natural_index(row, y.len().ilog2())]).collect()
}

fn check_reed_muller<T: Bits>(spectral: &Spectral, log_len: u32, batch: usize, how: &ReedMuller, order: BitOrder) {
    let x: Vec<T> =
        (0..batch << log_len).map(|i| *bytemuck::from_bytes(&noise(i).to_le_bytes()[..size_of::<T>()])).collect();
    let polarity = noise(x.len()) as usize & ((1 << log_len) - 1);
    for polarity in if batch == 1 { vec![0] } else { vec![0, polarity] } {
        let how = how.clone().order(order).batch(1 << log_len).polarity(polarity as u64);
        let mut y = spectral.device().upload(&x).unwrap();
        spectral.reed_muller(&mut y, &how).unwrap();
        let expected: Vec<T> = x.chunks(1 << log_len).flat_map(|x| expected_reed_muller(x, order, polarity)).collect();
        let what = || format!("{:?} {} bits 2^{log_len} x {batch} {how:?}", spectral.device(), 1 << T::LOG_BITS);
        assert!(y.download().unwrap() == expected, "{}", what());
        spectral.reed_muller(&mut y, &how.clone().inverse()).unwrap();
        assert!(y.download().unwrap() == x, "{}: inverse", what());
    }
}

#[test]
fn reed_muller_of_every_word_equals_the_definition() {
    for device in devices() {
        let spectral = context(&device);
        let lengths: &[u32] = match (simulated(&device), sparing(&device)) {
            (true, _) => &[1, 3, 7],
            (false, true) => &[0, 1, 2, 3, 4, 7, 13, 16],
            (false, false) => &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
        };
        for &log_len in lengths {
            for batch in [1, 3] {
                let how = ReedMuller::new();
                check_reed_muller::<u8>(&spectral, log_len, batch, &how, BitOrder::Natural);
                if !sparing(&device) || log_len == 13 {
                    check_reed_muller::<i32>(&spectral, log_len, batch, &how, BitOrder::Natural);
                    check_reed_muller::<u32>(&spectral, log_len, batch, &how, BitOrder::Natural);
                    check_reed_muller::<i64>(&spectral, log_len, batch, &how, BitOrder::Natural);
                    check_reed_muller::<u64>(&spectral, log_len, batch, &how, BitOrder::Natural);
                }
            }
        }
    }
}

#[test]
fn reed_muller_by_both_algorithms_gives_both_orders() {
    for device in devices() {
        let spectral = context(&device);
        let lengths: &[u32] = match (simulated(&device), sparing(&device)) {
            (true, _) => &[6],
            (false, true) => &[1, 9, 13],
            (false, false) => &[0, 1, 2, 5, 6, 9, 12, 13, 14, 16, 19],
        };
        for &log_len in lengths {
            for algorithm in [Algorithm::CooleyTukey, Algorithm::ConstantGeometry] {
                for order in BitOrder::ALL {
                    let how = ReedMuller::new().algorithm(algorithm);
                    check_reed_muller::<u8>(&spectral, log_len, 2, &how, order);
                    if !sparing(&device) || log_len == 9 {
                        check_reed_muller::<i32>(&spectral, log_len, 2, &how, order);
                        check_reed_muller::<u64>(&spectral, log_len, 2, &how, order);
                    }
                }
            }
            if log_len == 9 {
                let one = ReedMuller::new().algorithm(Algorithm::ConstantGeometry).steps_per_pass(1);
                check_reed_muller::<i32>(&spectral, log_len, 2, &one, BitOrder::Reversed);
            }
        }
    }
}

#[test]
fn packed_functions_have_the_spectra_of_their_values() {
    for device in devices() {
        let spectral = context(&device);
        let variables: &[u32] = match (simulated(&device), sparing(&device)) {
            (true, _) => &[3, 6, 8],
            (false, true) => &[0, 1, 5, 6, 7, 12, 19],
            (false, false) => &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 17, 18, 19, 20, 21, 22, 23],
        };
        for &n in variables {
            for runs in [1, 3] {
                let words = runs << n.saturating_sub(6);
                let x: Vec<u64> = (0..words).map(noise).collect();
                let polarity = noise(words) & ((1 << n) - 1);
                for polarity in [0, polarity] {
                    let how = ReedMuller::new().polarity(polarity);
                    let mut y = device.upload(&x).unwrap();
                    spectral.reed_muller_packed(&mut y, n, &how).unwrap();
                    let bits: Vec<u8> = (0..64 * words).map(|i| (x[i / 64] >> (i % 64) & 1) as u8).collect();
                    let expected: Vec<u8> = bits
                        .chunks(1 << n)
                        .flat_map(|run| expected_reed_muller(run, BitOrder::Natural, polarity as usize))
                        .collect();
                    let y_words = y.download().unwrap();
                    let good =
                        expected.iter().enumerate().all(|(i, &b)| y_words[i / 64] >> (i % 64) & 1 == u64::from(b));
                    assert!(good, "{device:?} {n} variables, {runs} runs, polarity {polarity}");
                    spectral.reed_muller_packed(&mut y, n, &how.inverse()).unwrap();
                    assert!(y.download().unwrap() == x, "{device:?} {n} variables: inverse");
                }
            }
        }
    }
}

fn expected_arithmetic<T: Scalar>(x: &[T], order: BitOrder, polarity: usize) -> Vec<T> {
    if x.len() <= 1 << 9 {
        return arithmetic::reference::arithmetic(x, order, polarity).expect("a power of two");
    }
    let mut y: Vec<T> = (0..x.len()).map(|i| x[i ^ polarity]).collect();
    for bit in 0..x.len().ilog2() {
        for b in (0..y.len()).filter(|b| b >> bit & 1 == 1) {
            y[b] = y[b].minus(y[b ^ 1 << bit]);
        }
    }
    (0..y.len()).map(|row| y[order.natural_index(row, y.len().ilog2())]).collect()
}

fn check_arithmetic<T: Scalar + From<i8>>(
    spectral: &Spectral,
    log_len: u32,
    batch: usize,
    how: &Arithmetic,
    order: BitOrder,
) {
    // Few enough values other than 0 that no sum rounds in `f32`.
    let x: Vec<T> = (0..batch << log_len).map(|i| T::from(if i % 37 == 0 { noise(i) as i8 / 16 } else { 0 })).collect();
    let polarity = noise(x.len()) as usize & ((1 << log_len) - 1);
    for polarity in if batch == 1 { vec![0] } else { vec![0, polarity] } {
        let how = how.clone().order(order).batch(1 << log_len).polarity(polarity as u64);
        let mut y = spectral.device().upload(&x).unwrap();
        let outcome = spectral.arithmetic(&mut y, &how);
        if T::NAME == "f64" && !spectral.device().info().fp64 {
            assert!(matches!(outcome, Err(SpectralError::Device(DeviceError::Unsupported { .. }))));
            return;
        }
        outcome.unwrap();
        let expected: Vec<T> = x.chunks(1 << log_len).flat_map(|x| expected_arithmetic(x, order, polarity)).collect();
        let what = || format!("{:?} {} 2^{log_len} x {batch} {how:?}", spectral.device(), T::NAME);
        assert!(y.download().unwrap() == expected, "{}", what());
        spectral.arithmetic(&mut y, &how.clone().inverse()).unwrap();
        assert!(y.download().unwrap() == x, "{}: inverse", what());
    }
}

#[test]
fn arithmetic_equals_the_definition() {
    for device in devices() {
        let spectral = context(&device);
        let lengths: &[u32] = match (simulated(&device), sparing(&device)) {
            (true, _) => &[1, 6],
            (false, true) => &[0, 1, 5, 13],
            (false, false) => &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18],
        };
        for &log_len in lengths {
            for batch in [1, 3] {
                let how = Arithmetic::new();
                check_arithmetic::<i32>(&spectral, log_len, batch, &how, BitOrder::Natural);
                if !sparing(&device) || log_len == 13 {
                    check_arithmetic::<f32>(&spectral, log_len, batch, &how, BitOrder::Natural);
                    check_arithmetic::<i64>(&spectral, log_len, batch, &how, BitOrder::Natural);
                    check_arithmetic::<f64>(&spectral, log_len, batch, &how, BitOrder::Natural);
                }
            }
        }
    }
}

#[test]
fn arithmetic_by_both_algorithms_gives_both_orders() {
    for device in devices() {
        let spectral = context(&device);
        let lengths: &[u32] = match (simulated(&device), sparing(&device)) {
            (true, _) => &[5],
            (false, true) => &[1, 13],
            (false, false) => &[0, 1, 2, 5, 6, 9, 12, 13, 14, 16, 18],
        };
        for &log_len in lengths {
            for algorithm in [Algorithm::CooleyTukey, Algorithm::ConstantGeometry] {
                for order in BitOrder::ALL {
                    let how = Arithmetic::new().algorithm(algorithm);
                    check_arithmetic::<i32>(&spectral, log_len, 2, &how, order);
                    if !sparing(&device) {
                        check_arithmetic::<f32>(&spectral, log_len, 2, &how, order);
                        check_arithmetic::<i64>(&spectral, log_len, 2, &how, order);
                        check_arithmetic::<f64>(&spectral, log_len, 2, &how, order);
                    }
                }
            }
        }
    }
}

#[test]
fn dyadic_shifts_exchange_values() {
    for device in devices() {
        let spectral = context(&device);
        for (log_len, by) in
            [(0, 0), (1, 1), (3, 5), (3, 7), (10, 0x2A9), (13, 1), (13, 0x1000), (17, 0x1_5A5A), (18, 0x3_0000)]
        {
            // Long arrays take an interpreter a minute, by the kernels of the shorter ones.
            if simulated(&device) && log_len > 13 {
                continue;
            }
            let len = 1_usize << log_len;
            let x: Vec<u8> = (0..3 * len).map(|i| noise(i) as u8).collect();
            let shifted = |i: usize| i / len * len + ((i % len) ^ by as usize);
            let mut y = device.upload(&x).unwrap();
            spectral.dyadic_shift(&mut y, len, by).unwrap();
            let expected: Vec<u8> = (0..x.len()).map(|i| x[shifted(i)]).collect();
            assert!(y.download().unwrap() == expected, "{device:?} 2^{log_len} by {by}");
            let words: Vec<u64> = (0..3 << log_len).map(noise).collect();
            let mut y = device.upload(&words).unwrap();
            let by_bits = by << 6 | 0b10_0110;
            spectral.dyadic_shift_packed(&mut y, log_len + 6, by_bits).unwrap();
            let y = y.download().unwrap();
            let bit = |words: &[u64], i: usize| words[i / 64] >> (i % 64) & 1;
            let run = 64 << log_len;
            let good = (0..64 * words.len())
                .step_by(if log_len > 10 { 13 } else { 1 })
                .all(|i| bit(&y, i) == bit(&words, i / run * run + ((i % run) ^ by_bits as usize)));
            assert!(good, "{device:?} packed 2^{log_len} by {by}");
        }
    }
}

#[test]
fn wrong_shapes_are_refused() {
    for device in devices() {
        let spectral = context(&device);
        let mut x = device.upload(&[0u8; 12]).unwrap();
        let outcome = spectral.reed_muller(&mut x, &ReedMuller::new());
        assert!(matches!(outcome, Err(SpectralError::NotPowerOfTwo { len: 12 })));
        let outcome = spectral.reed_muller(&mut x, &ReedMuller::new().batch(8));
        assert!(matches!(outcome, Err(SpectralError::Batch { buffer_len: 12, len: 8 })));
        let outcome = spectral.reed_muller(&mut x, &ReedMuller::new().batch(4).polarity(4));
        assert!(matches!(outcome, Err(SpectralError::Shift { by: 4, log_len: 2 })));
        let outcome = spectral.dyadic_shift(&mut x, 4, 9);
        assert!(matches!(outcome, Err(SpectralError::Shift { by: 9, log_len: 2 })));
        let mut words = device.upload(&[1u64, 2, 3]).unwrap();
        let outcome = spectral.reed_muller_packed(&mut words, 7, &ReedMuller::new());
        assert!(matches!(outcome, Err(SpectralError::Packed { words: 3, variables: 7 })));
        let outcome = spectral.reed_muller_packed(&mut words, 70, &ReedMuller::new());
        assert!(matches!(outcome, Err(SpectralError::Packed { words: 3, variables: 70 })));
        let outcome = spectral.reed_muller_packed(&mut words, 6, &ReedMuller::new().order(BitOrder::Reversed));
        assert!(matches!(outcome, Err(SpectralError::PackedOrder)));
        let mut values = device.upload(&[1i32, 2, 3, 4]).unwrap();
        let outcome = spectral.arithmetic(&mut values, &Arithmetic::new().polarity(4));
        assert!(matches!(outcome, Err(SpectralError::Shift { by: 4, log_len: 2 })));
        assert_eq!(values.download().unwrap(), [1, 2, 3, 4]);
    }
}

#[test]
fn reed_muller_stages_may_go_through_the_cache() {
    for device in devices() {
        if device.info().id == "host" {
            continue;
        }
        let spectral = context(&device);
        for (tile_spill, column_spill) in
            if simulated(&device) { vec![(1, 1)] } else { vec![(1, 2), (2, 1), (0, 3), (3, 0)] }
        {
            // 2^13 words: tiles of 2^8 and columns of 2^(8 - 4) rows, and what is left through the cache.
            let tile = Pass::Tile { stages: 8 + tile_spill, log_tile: 8, log_regs: 3, log_spill: tile_spill };
            let log_rows = 13 - 8 - tile_spill - column_spill;
            let columns = Pass::Columns {
                log_stride: 8 + tile_spill,
                log_rows,
                log_segment: 4,
                log_regs: 3,
                log_spill: column_spill,
            };
            let passes = if log_rows == 0 { continue } else { vec![columns, tile] };
            let plan = WalshPlan::Device(Plan { algorithm: Algorithm::CooleyTukey, passes });
            let x: Vec<u64> = (0..2 << 13).map(noise).collect();
            let mut y = device.upload(&x).unwrap();
            spectral.reed_muller_packed(&mut y, 19, &ReedMuller::new().by(&plan)).unwrap();
            let mut expected = device.upload(&x).unwrap();
            spectral.reed_muller_packed(&mut expected, 19, &ReedMuller::new()).unwrap();
            assert!(y.download().unwrap() == expected.download().unwrap(), "{device:?} {plan}");
            assert!(y.download().unwrap() != x, "{device:?} {plan}");
        }
    }
}
