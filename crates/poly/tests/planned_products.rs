//! Products whose algorithms are measured: the same bits as by estimates, measured once and kept for later processes.

use std::path::Path;
use std::process::Command;

use manycore_device::{CACHE_VARIABLE, Device, TuningMode};
use manycore_field::PrimeField;
use manycore_poly::multiply::transform::TransformProduct;
use manycore_poly::{Operation, PolyRing, Shape};
use manycore_testkit::devices;
use manycore_tuning::Origin;

/// The variable that makes [`child`] act: the origin that its choices have.
const ROLE: &str = "MANYCORE_PLANNED_PRODUCTS_TEST_ROLE";

fn field() -> PrimeField<u32> {
    PrimeField::new(469_762_049).unwrap()
}

fn ring(device: &Device, mode: TuningMode) -> PolyRing<PrimeField<u32>> {
    PolyRing::new(&device.with_tuning(mode), field()).unwrap()
}

/// Products of one ring, from several threads.
fn products(ring: &PolyRing<PrimeField<u32>>) -> Vec<Vec<u32>> {
    let product = |(n, m): (usize, usize)| {
        let (f, g) = (ring.random(n, 1).unwrap(), ring.random(m, 2).unwrap());
        ring.coefficients(&ring.mul(&f, &g).unwrap()).unwrap()
    };
    let lengths = [(40, 40), (300, 280), (300, 280), (700, 90), (2000, 1500)];
    std::thread::scope(|scope| {
        let threads = lengths.map(|lengths| scope.spawn(move || product(lengths)));
        threads.map(|thread| thread.join().unwrap()).into()
    })
}

/// A shape says of itself that both factors are one, which then are equally long: else the trial would lack coefficients.
#[test]
fn a_square_of_two_lengths_is_measured_as_a_product() {
    let shape = Shape { square: true, ..Shape::full(50, 300) };
    let choice = ring(&Device::host(), TuningMode::Measure).explain(Operation::Products(shape)).unwrap();
    assert!(choice.candidates().len() > 1, "{choice}");
    let product = TransformProduct::new(&Device::host().with_tuning(TuningMode::Measure), &field()).unwrap();
    assert!(product.explain(&shape).is_ok());
}

#[test]
fn candidates_are_few() {
    for device in devices() {
        let ring = ring(&device, TuningMode::Estimate);
        for shape in [
            Shape::full(1, 1),
            Shape::full(300, 300),
            Shape::full(1 << 12, 1 << 12),
            Shape::full(1 << 14, 100),
            Shape { count: 64, ..Shape::full(64, 64) },
        ] {
            let choice = ring.explain(Operation::Products(shape)).unwrap();
            assert!(choice.candidates().len() <= 64, "{device:?} {shape}: {}", choice.candidates().len());
            assert_eq!(choice.measured(), 0, "{choice}");
        }
    }
}

#[test]
fn a_machine_of_ones_own_is_never_measured() {
    let host = Device::host().tuned();
    let ring = PolyRing::with_machine(&host, host.typical_machine(), field()).unwrap();
    let choice = ring.explain(Operation::Multiply { n: 300, m: 300 }).unwrap();
    assert_eq!((choice.measured(), choice.origin()), (0, &Origin::Estimated));
}

/// Measures on the host, in a process of its own with a cache folder of its own; nothing in the parent.
#[test]
fn child() {
    let Ok(expected) = std::env::var(ROLE) else { return };
    let host = Device::host();
    let (measuring, estimating) = (ring(&host, TuningMode::Measure), ring(&host, TuningMode::Estimate));
    assert_eq!(products(&measuring), products(&estimating));
    let shape = Shape::full(300, 280);
    let choice = PolyRing::new(&host.tuned(), field()).unwrap().explain(Operation::Products(shape)).unwrap();
    assert!(choice.measured() > 1 && choice.best().measured_seconds.is_some(), "{choice}");
    // Another ring of this process reads what the first one kept.
    assert_eq!(choice.origin(), &Origin::Kept, "{choice}");

    let by = TransformProduct::new(&host.tuned(), &field()).unwrap();
    let routes = by.explain(&Shape { count: 3, ..Shape::full(900, 50) }).unwrap();
    assert!(routes.measured() > 1, "{routes}");
    assert_eq!(format!("{:?}", routes.origin()), expected, "{routes}");
    let again = by.explain(&Shape { count: 2, ..Shape::full(900, 50) }).unwrap();
    assert_eq!(again.origin(), &Origin::Kept, "of 2 or 3 products alike: {again}");
}

fn run_child(folder: &Path, expected: &str) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child", "--nocapture"]).env(CACHE_VARIABLE, folder).env(ROLE, expected);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
}

#[test]
fn measured_choices_give_the_same_bits_and_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    run_child(folder.path(), "Measured");
    run_child(folder.path(), "Kept");
    let wisdom = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let wisdom: Vec<_> = wisdom.filter(|path| path.to_string_lossy().contains("wisdom")).collect();
    assert_eq!(wisdom.len(), 1, "{wisdom:?}");
    std::fs::write(&wisdom[0], "damaged").unwrap();
    run_child(folder.path(), "Measured");
}
