//! Number-theoretic transforms take slices, vectors, buffers and parts of buffers.

use manycore_device::DeviceError;
use manycore_field::{Goldilocks, PrimeField};
use manycore_ntt::{Kind, Ntt, NttError, NttField, SpectrumOrder};
use manycore_testkit::in_place;

fn device_error(error: &NttError) -> Option<&DeviceError> {
    match error {
        NttError::Device(error) => Some(error),
        _ => None,
    }
}

fn check<F: NttField>(field: &F, kind: Kind, order: SpectrumOrder) {
    let residues: Vec<F::Element> = (0..3 << 8).map(|i: u64| field.natural((i * i + 3) % 65_521)).collect();
    for device in in_place::devices() {
        let ntt = Ntt::with_machine(&device, device.machine(), field, 1 << 8, kind).unwrap().with_order(order);
        in_place::every_kind_of_data(&device, &residues, |data| ntt.forward(data), device_error);
        in_place::every_kind_of_data(&device, &residues, |data| ntt.inverse(data), device_error);
        let plan = ntt.explain(residues.len()).unwrap().best().parameters.clone();
        in_place::every_kind_of_data(&device, &residues, |data| ntt.forward_by(data, &plan), device_error);
        in_place::every_kind_of_data(&device, &residues, |data| ntt.inverse_by(data, &plan), device_error);
    }
}

#[test]
fn every_kind_of_data_is_transformed() {
    check(&PrimeField::<u32>::new(469_762_049).unwrap(), Kind::Cyclic, SpectrumOrder::BitReversed);
    check(&Goldilocks, Kind::Negacyclic, SpectrumOrder::Natural);
}
