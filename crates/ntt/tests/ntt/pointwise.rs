//! Products of spectra and convolutions, on the host and every OpenCL device: the definition of the product modulo
//! `x^len - 1` and `x^len + 1`.

use manycore_device::Device;
use manycore_field::{Goldilocks, PrimeField};
use manycore_ntt::{Kind, Ntt, NttError, NttField, SpectrumOrder};
use manycore_testkit::devices;

/// The product modulo `x^len - 1` or `x^len + 1` by its definition.
fn product<F: NttField>(field: &F, x: &[F::Element], y: &[F::Element], kind: Kind) -> Vec<F::Element> {
    let len = x.len();
    let mut out = vec![field.zero(); len];
    for (i, &a) in x.iter().enumerate() {
        for (j, &b) in y.iter().enumerate() {
            let term = field.mul(a, b);
            let wraps = i + j >= len && kind == Kind::Negacyclic;
            let term = if wraps { field.neg(term) } else { term };
            out[(i + j) % len] = field.add(out[(i + j) % len], term);
        }
    }
    out
}

fn check<F: NttField>(device: &Device, field: &F, kind: Kind) {
    let p = field.order();
    let word = |i: usize| field.natural((i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(21) % p);
    for len in [1, 2, 8, 64] {
        for (count, others) in [(1, 1), (3, 3), (3, 1)] {
            let x: Vec<_> = (0..count * len).map(word).collect();
            let y: Vec<_> = (7..7 + others * len).map(word).collect();
            let runs = x.chunks(len).enumerate();
            let expected: Vec<_> =
                runs.flat_map(|(i, x)| product(field, x, y.chunks(len).nth(i % others).unwrap(), kind)).collect();
            for order in [SpectrumOrder::BitReversed, SpectrumOrder::Natural] {
                let ntt = Ntt::with_machine(device, device.machine(), field, len, kind).unwrap().with_order(order);
                let right = device.upload(&y).unwrap();
                let mut convolved = device.upload(&x).unwrap();
                ntt.convolve(&mut convolved, &right).unwrap();
                assert_eq!(convolved.download().unwrap(), expected, "{count} of {len} by {others} mod {p}");
                let mut slice = x.clone();
                ntt.convolve(&mut slice, &right).unwrap();
                assert_eq!(slice, expected, "a slice of {count} of {len} by {others} mod {p}");
                assert_eq!(right.download().unwrap(), y, "the other factor stays");
                let (mut spectra, mut other) = (device.upload(&x).unwrap(), right);
                ntt.forward(&mut spectra).unwrap();
                ntt.forward(&mut other).unwrap();
                let mut part = device.zeros(x.len() + 3).unwrap();
                part.view_mut(3..).unwrap().copy_from(&spectra).unwrap();
                ntt.pointwise(part.view_mut(3..).unwrap(), &other).unwrap();
                ntt.pointwise(&mut spectra, &other).unwrap();
                assert_eq!(part.download().unwrap()[3..], spectra.download().unwrap());
                ntt.inverse(&mut spectra).unwrap();
                assert_eq!(spectra.download().unwrap(), expected, "{count} of {len} by {others} mod {p}");
            }
        }
    }
}

#[test]
fn products_of_spectra_are_convolutions() {
    for device in devices() {
        for kind in [Kind::Cyclic, Kind::Negacyclic] {
            check(&device, &PrimeField::<u32>::new(469_762_049).unwrap(), kind);
            check(&device, &PrimeField::<u64>::new(9_223_372_035_915_251_713).unwrap(), kind);
            check(&device, &Goldilocks, kind);
        }
    }
}

#[test]
fn lengths_that_do_not_fit_are_refused() {
    for device in devices() {
        let ntt = Ntt::new(&device, &Goldilocks, 4, Kind::Cyclic).unwrap();
        let batch = |buffer_len| NttError::Batch { buffer_len, len: 4 };
        let (mut x, y) = (device.zeros::<u64>(12).unwrap(), device.zeros::<u64>(8).unwrap());
        assert_eq!(ntt.pointwise(&mut x, &y).unwrap_err(), batch(8));
        assert_eq!(ntt.convolve(&mut x, &y).unwrap_err(), batch(8));
        assert_eq!(ntt.convolve(&mut [0u64; 6], &device.zeros(6).unwrap()).unwrap_err(), batch(6));
        let mut nothing: [u64; 0] = [];
        assert_eq!(ntt.pointwise(&mut nothing, &device.zeros(0).unwrap()), Ok(()));
        assert_eq!(ntt.convolve(&mut nothing, &device.zeros(4).unwrap()), Ok(()));
    }
}
