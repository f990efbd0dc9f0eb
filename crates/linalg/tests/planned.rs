//! Products and eliminations whose algorithms are planned: candidates are few, choices are measured once and kept for later processes.

mod common;

use std::path::Path;
use std::process::Command;
use std::sync::Barrier;

use common::random;
use manycore_device::{CACHE_VARIABLE, Device, Executor, TuningMode};
use manycore_field::PrimeField;
use manycore_linalg::bits::{BitAlgebra, BitProductPlan, BitTables};
use manycore_linalg::{EliminationShape, LinalgError, LinearAlgebra, ProductPlan, ProductTile, Solution};
use manycore_testkit::devices;
use manycore_tuning::Origin;

/// The variable that makes [`child`] act: the origin that its choices have.
const ROLE: &str = "MANYCORE_PLANNED_LINALG_TEST_ROLE";

fn space(device: &Device, mode: TuningMode) -> LinearAlgebra<PrimeField<u32>> {
    LinearAlgebra::new(&device.with_tuning(mode), PrimeField::new(469_762_049).unwrap()).unwrap()
}

#[test]
fn candidates_are_few_and_estimates_read_nothing() {
    for device in devices() {
        let space = space(&device, TuningMode::Estimate);
        for (rows, inner, columns) in
            [(0, 3, 4), (3, 0, 4), (1, 1, 1), (64, 64, 64), (5000, 3, 5000), (4096, 4096, 4096)]
        {
            let choice = space.explain_product(rows, inner, columns).unwrap();
            assert!(choice.candidates().len() <= 8 && choice.measured() == 0, "{choice}");
            assert!(choice.operation == "matrix-mul" && choice.best().estimate.seconds.is_finite());
        }
        for shape in [
            EliminationShape::determinant(0),
            EliminationShape::determinant(1),
            EliminationShape::determinant(200),
            EliminationShape::inverse(1000),
            EliminationShape::rank(5, 3000),
            EliminationShape::echelon(3000, 5),
        ] {
            let choice = space.explain_elimination(&shape).unwrap();
            assert!(choice.candidates().len() <= 8 && choice.measured() == 0, "{shape} {choice}");
            assert!(choice.operation == "matrix-eliminate" && choice.best().estimate.seconds.is_finite());
        }
    }
}

#[test]
fn plans_of_others_and_shapes_that_are_none_are_refused() {
    for device in devices() {
        let space = space(&device, TuningMode::Estimate);
        let a = random(&space, 2, 2, 1);
        let is_host = matches!(device.executor(), Executor::Host(_));
        assert_eq!(space.takes_plan(ProductPlan::Panels).unwrap(), is_host);
        let found = space.mul_with(&a, &a, ProductPlan::Panels);
        assert!(if is_host { found.is_ok() } else { matches!(found, Err(LinalgError::Plan { .. })) });
        // Tiles that are none: no launch would end, or begin.
        for (side, registers, depth) in [(0, 1, 4), (4, 0, 4), (4, 1, 0), (1 << 16, 1 << 16, 1), (1, 1, u32::MAX)] {
            let plan = ProductPlan::Words(ProductTile { side, registers, depth });
            let found = space.mul_with(&a, &a, plan);
            assert!(if is_host { found.is_ok() } else { matches!(found, Err(LinalgError::Plan { .. })) }, "{plan}");
        }
        let bits = BitAlgebra::new(&device);
        let b = bits.random(9, 9, 1).unwrap();
        for (rows_of_a_table, rows) in [(0, 1), (3, 1), (7, 1), (4, 0), (4, 17), (u32::MAX, u32::MAX)] {
            let plan = BitProductPlan::Tables(BitTables { bits: rows_of_a_table, rows });
            let found = bits.mul_with(&b, &b, plan);
            assert!(if is_host { found.is_ok() } else { matches!(found, Err(LinalgError::BitPlan { .. })) }, "{plan}");
        }
        let shape = EliminationShape { search: 3, ..EliminationShape::echelon(2, 2) };
        assert!(matches!(space.explain_elimination(&shape), Err(LinalgError::TooLarge { .. })));
    }
}

#[test]
fn a_machine_of_ones_own_is_never_measured() {
    let host = Device::host().tuned();
    let field = PrimeField::<u32>::new(469_762_049).unwrap();
    let space = LinearAlgebra::with_machine(&host, host.typical_machine(), field).unwrap();
    let choice = space.explain_elimination(&EliminationShape::determinant(100)).unwrap();
    assert_eq!((choice.measured(), choice.origin()), (0, &Origin::Estimated));
    assert_eq!(space.explain_product(9, 9, 9).unwrap().origin(), &Origin::Only);
    assert_eq!(space.machine(), &host.typical_machine());
}

/// Measures on the host, in a process of its own with a cache folder of its own; nothing in the parent.
#[test]
fn child() {
    let Ok(expected) = std::env::var(ROLE) else { return };
    let host = Device::host();
    let (measuring, estimating) = (space(&host, TuningMode::Measure), space(&host, TuningMode::Estimate));
    let order = 120;
    let a = random(&measuring, order, order, 5);
    assert_eq!(measuring.determinant(&a).unwrap(), estimating.determinant(&a).unwrap());
    let shape = EliminationShape::rank(order, order + 10);
    let choice = measuring.explain_elimination(&shape).unwrap();
    assert!(choice.measured() > 1 && choice.best().measured_seconds.is_some(), "{choice}");
    assert_eq!(format!("{:?}", choice.origin()), expected, "{choice}");
    // Another context of this process reads what the first one kept.
    let again = space(&host, TuningMode::Kept).explain_elimination(&shape).unwrap();
    assert_eq!(again.origin(), &Origin::Kept, "{again}");
}

/// Measures inverses and eliminations of one shape on two threads: a measurement of inverses, which others wait for, asks for
/// the choice among eliminations that the other thread makes. In a process of its own, as [`child`].
#[test]
fn child_of_two_threads() {
    if std::env::var_os(ROLE).is_none() {
        return;
    }
    let space = space(&Device::host(), TuningMode::Measure);
    for order in 130..142 {
        let (a, unit) = (space.random(order, order, 7).unwrap(), space.identity(order).unwrap());
        let together = Barrier::new(2);
        let (inverse, solution) = std::thread::scope(|scope| {
            let inverting = scope.spawn(|| {
                together.wait();
                space.inverse(&a).unwrap()
            });
            together.wait();
            // The matrix beside the identity, as some inverses are eliminated.
            let solution = space.solve(&a, &unit).unwrap();
            (inverting.join().unwrap(), solution)
        });
        let Solution::Unique(solution) = solution else { panic!("order {order}") };
        assert_eq!(space.entries(&inverse).unwrap(), space.entries(&solution).unwrap(), "order {order}");
    }
}

fn run_child(name: &str, folder: &Path, expected: &str) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", name, "--nocapture"]).env(CACHE_VARIABLE, folder).env(ROLE, expected);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
}

#[test]
fn measured_choices_give_the_same_bits_and_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    run_child("child", folder.path(), "Measured");
    run_child("child", folder.path(), "Kept");
}

#[test]
fn threads_measure_what_others_measure_within() {
    let folder = tempfile::tempdir().unwrap();
    run_child("child_of_two_threads", folder.path(), "Measured");
}
