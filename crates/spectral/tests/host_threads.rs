//! The host gives the same bits with one thread and with several, however these share the runs.

use manycore_device::Device;
use manycore_spectral::{Algorithm, BitOrder, Haar, HaarOrder, Normalization, Order, ReedMuller, Spectral, Walsh};

/// Values whose sums round.
fn values(len: usize) -> Vec<f32> {
    (0..len as u32).map(|i| (i.wrapping_mul(2_654_435_761) as f32).sqrt() - 30_000.3).collect()
}

/// One thread, and more than the machine may have.
fn hosts() -> [Spectral; 2] {
    [1, 3].map(|threads| {
        let device = Device::host_with(threads).unwrap();
        Spectral::with_machine(&device, device.machine())
    })
}

/// What both hosts make of `x`, which is the same.
fn both<T: manycore_device::Word + PartialEq>(
    hosts: &[Spectral; 2],
    x: &[T],
    what: &str,
    work: impl Fn(&Spectral, &mut manycore_device::Buffer<T>),
) {
    let [one, several] = hosts.each_ref().map(|host| {
        let mut y = host.device().upload(x).unwrap();
        work(host, &mut y);
        y.download().unwrap()
    });
    assert!(one == several, "{what} of {} values", x.len());
}

/// Short runs, a few long ones, and many: the logarithm of the length, and how many.
const SHAPES: [(u32, usize); 5] = [(5, 20_000), (13, 40), (18, 1), (18, 5), (18, 13)];

#[test]
fn haar() {
    let hosts = hosts();
    for (log_len, runs) in SHAPES {
        let x = values(runs << log_len);
        for order in HaarOrder::ALL {
            let how = Haar::new().order(order).normalization(Normalization::Orthonormal).batch(1 << log_len);
            both(&hosts, &x, "forward", |host, y| host.haar(y, &how).unwrap());
            both(&hosts, &x, "inverse", |host, y| host.haar(y, &how.clone().inverse()).unwrap());
        }
    }
}

#[test]
fn walsh() {
    let hosts = hosts();
    for (log_len, runs) in SHAPES {
        let x = values(runs << log_len);
        for (order, algorithm) in [
            (Order::Hadamard, Algorithm::CooleyTukey),
            (Order::Dyadic, Algorithm::CooleyTukey),
            (Order::Sequency, Algorithm::ConstantGeometry),
        ] {
            let how = Walsh::new().order(order).algorithm(algorithm).batch(1 << log_len);
            both(&hosts, &x, "Walsh", |host, y| host.walsh(y, &how).unwrap());
        }
    }
}

#[test]
fn reed_muller() {
    let hosts = hosts();
    for (log_len, runs) in SHAPES {
        let x: Vec<u8> =
            (0..runs << log_len).map(|i| (i as u32).wrapping_mul(2_654_435_761).to_le_bytes()[3]).collect();
        for order in BitOrder::ALL {
            let how = ReedMuller::new().order(order).batch(1 << log_len);
            both(&hosts, &x, "Reed-Muller", |host, y| host.reed_muller(y, &how).unwrap());
        }
    }
}

#[test]
fn dyadic_shifts() {
    // Shifts within a part that a thread takes, of parts, and of both; in runs of whole arrays and of parts of them.
    let x: Vec<u32> = (0..3 << 19).collect();
    let words: Vec<u64> = x.iter().map(|&i| u64::from(i).wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
    for host in &hosts() {
        for by in [1, 6, 0x8001, 1 << 16, 1 << 18, 0x5_4321, 0x7_FFFF] {
            let mut y = host.device().upload(&x).unwrap();
            host.dyadic_shift(&mut y, 1 << 19, by).unwrap();
            let all = y.download().unwrap();
            assert!(all.iter().zip(0..).all(|(&y, i)| y == i ^ by as u32), "{by:#x}");

            let bits = by << 6 | 0b10_1001;
            let mut y = host.device().upload(&words).unwrap();
            host.dyadic_shift_packed(&mut y, 25, bits).unwrap();
            let all = y.download().unwrap();
            let bit = |words: &[u64], i: u64| words[i as usize >> 6] >> (i & 63) & 1;
            let some = (0..64 * words.len() as u64).step_by(61);
            assert!(some.clone().all(|i| bit(&all, i) == bit(&words, i ^ bits)), "{bits:#x}");
        }
        let mut y = host.device().upload(&words).unwrap();
        host.dyadic_shift_packed(&mut y, 25, 0b11_0110).unwrap();
        let shifted = |word: u64| (0..64).fold(0, |all, i| all | (word >> (i ^ 0b11_0110) & 1) << i);
        assert!(y.download().unwrap().iter().zip(&words).all(|(&y, &word)| y == shifted(word)));
    }
}
