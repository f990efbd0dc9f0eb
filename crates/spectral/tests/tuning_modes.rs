//! A transform gives the same bits in every tuning mode, and an operation takes the choice that its explanation tells.
//! This program has one test: it sets an environment variable.

use manycore_device::{CACHE_VARIABLE, Device, TuningMode};
use manycore_spectral::{Spectral, Walsh};
use manycore_tuning::Origin;

/// Values whose sums round.
fn values(len: usize) -> Vec<f32> {
    (0..len as u32).map(|i| (i.wrapping_mul(2_654_435_761) as f32).sqrt() - 30_000.3).collect()
}

fn bits(y: &[f32]) -> Vec<u32> {
    y.iter().map(|v| v.to_bits()).collect()
}

#[test]
fn every_mode_gives_the_same_bits() {
    let folder = std::env::temp_dir().join(format!("manycore-spectral-modes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // SAFETY: no other thread of this program reads or writes the environment, since it has no other test.
    unsafe { std::env::set_var(CACHE_VARIABLE, &folder) };

    let device = Device::host_with(2).unwrap();
    let (x, how) = (values(3 << 18), Walsh::new().batch(1 << 18));
    let of_mode = |mode: TuningMode| {
        let spectral = Spectral::new(&device.with_tuning(mode));
        let y = spectral.walsh_of(&x, &how).unwrap();
        let choice = spectral.explain_walsh::<f32>(x.len(), &how).unwrap();
        // The same shape again takes the same plan.
        assert_eq!(bits(&spectral.walsh_of(&x, &how).unwrap()), bits(&y), "{choice}");
        (bits(&y), choice)
    };
    let (expected, estimated) = of_mode(TuningMode::Estimate);
    assert_eq!((estimated.origin(), estimated.measured()), (&Origin::Estimated, 0), "{estimated}");
    assert!(estimated.tuning_cost().candidates > 1, "{estimated}");

    let (measured_bits, measured) = of_mode(TuningMode::Measure);
    assert!(measured_bits == expected, "{measured}");
    // The transform measured, and the explanation found what it kept.
    assert_eq!(measured.origin(), &Origin::Kept, "{measured}");
    assert!(measured.measured() > 1 && measured.best().measured_seconds.is_some(), "{measured}");

    let (kept_bits, kept) = of_mode(TuningMode::Kept);
    assert!(kept_bits == expected, "{kept}");
    assert_eq!((kept.origin(), &kept.best().parameters), (&Origin::Kept, &measured.best().parameters), "{kept}");

    // What another machine takes is told without a measurement, and nothing is kept of it.
    let other = Spectral::with_machine(&device.tuned(), device.machine());
    assert_eq!(other.explain_walsh::<f32>(x.len(), &how).unwrap().origin(), &Origin::Estimated);
    std::fs::remove_dir_all(&folder).unwrap();
}
