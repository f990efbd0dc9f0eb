//! Choices beside the clock: how long every candidate of an operation takes, and which one the library takes.
//!
//! Times are those that a user waits for: calls in a row as the host enqueues them, with the data on the device. The choice is
//! the one that the library makes on the device as it stands: a kept or a shipped one, else that of the estimate. A sweep's
//! verdict is the chosen candidate's time over the best one's; the model's estimates are reported, not judged.
//!
//! Swept are the host and one GPU ([`concerns`]). Processors through OpenCL are not tuned, so that nothing is to be judged there.

mod bench;
mod groups;
mod matrices;
mod ntt;
mod products;
mod quotients;
mod sboxes;
mod semirings;
mod sorts;
mod sparse;
mod spectral;
mod walsh;

use anyhow::Result;
use manycore_device::{Device, DeviceKind};

use crate::lines::Line;
use crate::walsh::Profile;
use bench::Bench;

/// Whether choices are judged on a kind of device.
pub fn concerns(kind: DeviceKind) -> bool {
    matches!(kind, DeviceKind::Host | DeviceKind::Gpu)
}

/// Whether a filter may ask for sweeps: their names begin with `choice/`.
pub fn are_named_in(filter: &str) -> bool {
    filter.starts_with("choice")
}

/// Sweeps every operation that chooses on `device`, and gives the lines to `emit`.
///
/// # Errors
/// When the device fails.
pub fn run(
    device: &Device,
    threads: Option<u64>,
    profile: Profile,
    filter: Option<&str>,
    mut emit: impl FnMut(Line),
) -> Result<()> {
    if filter.is_some_and(|text| !are_named_in(text)) {
        return Ok(());
    }
    let bench = Bench { device, threads, profile, filter };
    walsh::sweep(&bench, &mut emit)?;
    spectral::sweep(&bench, &mut emit)?;
    ntt::sweep(&bench, &mut emit)?;
    products::sweep(&bench, &mut emit)?;
    quotients::sweep(&bench, &mut emit)?;
    matrices::sweep(&bench, &mut emit)?;
    groups::sweep(&bench, &mut emit)?;
    sboxes::sweep(&bench, &mut emit)?;
    sparse::sweep(&bench, &mut emit)?;
    sorts::sweep(&bench, &mut emit)?;
    semirings::sweep(&bench, &mut emit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_through_opencl_are_not_swept() {
        assert!(concerns(DeviceKind::Host) && concerns(DeviceKind::Gpu) && !concerns(DeviceKind::Cpu));
        assert!(are_named_in("choice/ntt") && !are_named_in("ntt/device"));
    }

    #[test]
    fn a_sweep_has_its_choice_among_its_points() {
        let device = Device::host_with(1).unwrap();
        let mut sweeps = Vec::new();
        run(&device, Some(1), Profile::Quick, Some("choice/poly-mul/29 bits/2^10"), |line| match line {
            Line::Sweep(sweep) => sweeps.push(sweep),
            other => panic!("{other:?}"),
        })
        .unwrap();
        assert_eq!(sweeps.len(), 1);
        let sweep = &sweeps[0];
        assert!(sweep.chosen_over_best >= 1.0 && sweep.considered >= sweep.points.len(), "{sweep:?}");
        assert!(sweep.points.iter().all(|point| point.measured_seconds.is_finite()), "{sweep:?}");
        assert!(!sweep.chosen_by.is_empty() && sweep.chosen.max(sweep.best) < sweep.points.len(), "{sweep:?}");
    }
}
