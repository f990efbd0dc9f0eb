//! Transforms on devices that compute residues in double precision wrong: integers take their place.

use manycore_device::{Device, DeviceError};
use manycore_field::{Arithmetic, PrimeField};
use manycore_ntt::reference;
use manycore_ntt::{Kind, Ntt, NttError};
use manycore_testkit::{opencl_devices, simulated};

/// A prime `k * 2^j + 1` just below `2^50`.
const FLOATING: u64 = 1_125_897_625_141_249;

fn transform(device: &Device) -> Ntt<PrimeField<u64>> {
    let field = PrimeField::new(FLOATING).unwrap();
    // A machine on which double precision is fastest by far.
    let mut machine = device.typical_machine();
    machine.rates.f64 = 1e3 * machine.rates.int64;
    Ntt::with_machine(device, machine, &field, 64, Kind::Cyclic).unwrap()
}

#[test]
fn primes_below_2_to_the_50_are_computed_in_integers() {
    for device in opencl_devices().into_iter().filter(|device| device.info().fp64 && !simulated(device)) {
        assert_eq!(transform(&device).arithmetic(), Arithmetic::Floating, "{device:?}, which passes its self-test");
        for mistake in ["product modulo p in double precision", "double precision fma"] {
            let broken = device.with_broken(mistake);
            let ntt = transform(&broken);
            assert_eq!(ntt.arithmetic(), Arithmetic::Word64 { lazy: true }, "{mistake}");
            let x: Vec<u64> = (0..64).map(|i| (i + 1) * 0x0003_1415_9265_3589 % FLOATING).collect();
            let mut buffer = broken.upload(&x).unwrap();
            ntt.forward(&mut buffer).unwrap();
            let expected = reference::ntt(ntt.field(), &x, ntt.root(), Kind::Cyclic);
            // The spectrum comes in bit-reversed order.
            let spectrum = buffer.download().unwrap();
            assert!((0..64).all(|i: usize| spectrum[i] == expected[i.reverse_bits() >> 58]), "{mistake}");
            // Who insists is refused.
            let insisting = transform(&broken).with_arithmetic(Arithmetic::Floating).unwrap();
            let outcome = insisting.forward(&mut broken.upload(&x).unwrap());
            assert!(
                matches!(&outcome, Err(NttError::Device(DeviceError::Unsupported { .. }))),
                "{mistake}: {outcome:?}"
            );
        }
    }
}
