//! A transform gives the same bits in every tuning mode, and an operation takes the choice that its explanation tells.
//! This program has one test: it sets an environment variable.

use manycore_device::{CACHE_VARIABLE, Device, TuningMode};
use manycore_kronecker::{Complexes, Kronecker, parse};
use manycore_tuning::Origin;

/// Vectors side by side.
const BATCH: usize = 256;

#[test]
fn every_mode_gives_the_same_bits() {
    let folder = std::env::temp_dir().join(format!("manycore-kronecker-modes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // SAFETY: no other thread of this program reads or writes the environment, since it has no other test.
    unsafe { std::env::set_var(CACHE_VARIABLE, &folder) };

    let device = Device::host_with(2).unwrap();
    // Vectors that fit every tile: plans of one pass, which differ in the vectors of a tile.
    let product = parse(&Complexes::<f32>::new(), "dft3 x h12 x walsh^4").unwrap();
    // Parts whose sums round.
    let parts = 2 * BATCH * product.order();
    let x: Vec<f32> = (0..parts as u32).map(|i| (i.wrapping_mul(2_654_435_761) as f32).sqrt() - 30_000.3).collect();
    let of_mode = |mode: TuningMode| {
        let kronecker = Kronecker::new(&device.with_tuning(mode));
        let mut y = device.upload(&x).unwrap();
        kronecker.forward(&product, &mut y).unwrap();
        let bits: Vec<u32> = y.download().unwrap().into_iter().map(f32::to_bits).collect();
        let choice = kronecker.explain(&product, BATCH).unwrap();
        assert_eq!(kronecker.transform(&product, BATCH).unwrap().plan(), &choice.best().parameters, "{choice}");
        (bits, choice)
    };
    let (expected, estimated) = of_mode(TuningMode::Estimate);
    assert_eq!((estimated.origin(), estimated.measured()), (&Origin::Estimated, 0), "{estimated}");
    assert!(estimated.tuning_cost().candidates > 1, "{estimated}");

    let (bits, measured) = of_mode(TuningMode::Measure);
    assert!(bits == expected, "{measured}");
    // The transform measured, and the explanation found what it kept.
    assert_eq!(measured.origin(), &Origin::Kept, "{measured}");
    assert!(measured.measured() > 1 && measured.best().measured_seconds.is_some(), "{measured}");

    let (bits, kept) = of_mode(TuningMode::Kept);
    assert!(bits == expected, "{kept}");
    assert_eq!((kept.origin(), &kept.best().parameters), (&Origin::Kept, &measured.best().parameters), "{kept}");

    // What another machine takes is told without a measurement, and nothing is kept of it.
    let other = Kronecker::with_machine(&device.tuned(), device.machine());
    assert_eq!(other.explain(&product, BATCH).unwrap().origin(), &Origin::Estimated);
    std::fs::remove_dir_all(&folder).unwrap();
}
