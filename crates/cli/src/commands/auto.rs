//! `--device auto`: the device that is done first with a job, opening it, building kernels and transfers included.

use std::fmt;

use manycore::model::machine::{Seconds, Startup, StartupSource};
use manycore::operation::{self, Estimate, Explained};
use manycore::{Device, DeviceKind, TuningMode};
use serde::Serialize;

use super::choice::Chosen;
use crate::error::Error;
use crate::global::Global;
use crate::jobs::{self, Times};
use crate::label::label;
use crate::{message, opening};

/// A job whose time on a device is estimated before it runs.
pub(crate) trait Job {
    /// Its choice on a device, which nothing is measured for.
    ///
    /// # Errors
    /// Those of the operation.
    fn explain(&self, device: &Device) -> Result<Explained, Error>;

    /// Bytes of the input and the result together, 0 where they are made on the device or not counted.
    fn bytes(&self) -> u64;
}

impl Job for Chosen {
    fn explain(&self, device: &Device) -> Result<Explained, Error> {
        Self::explain(self, device)
    }

    fn bytes(&self) -> u64 {
        Self::bytes(self)
    }
}

/// A job of an operation that has its own estimate.
pub(crate) struct ByJob<'a>(pub(crate) &'a dyn operation::Job);

impl Job for ByJob<'_> {
    fn explain(&self, device: &Device) -> Result<Explained, Error> {
        let unknown = || Error::Usage("nothing estimates this job".to_owned());
        let Estimate { seconds, kernels } = self.0.estimate(device).ok_or_else(unknown)?;
        Ok(Explained::estimated(seconds, kernels))
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}

/// Whether the device is left to the program.
pub(crate) fn is_auto(device: &str) -> bool {
    ["", "auto", "best"].contains(&device.trim().to_lowercase().as_str())
}

/// The device that is done first with this process's job, from its beginning to its end: by what the same job took before, else by the
/// model's estimates, where the job has any. OpenCL is loaded only where the GPU is taken, or where no earlier process recorded whether
/// there is one and the host takes long.
pub(crate) fn decided(global: &Global, job: Option<&dyn Job>) -> Device {
    let (device, why) = decide(job);
    if global.verbose {
        message::tell(&format!("{} computes: {why}", label(&device)));
    }
    jobs::computes_on(Some(&device));
    opening::begin(&device);
    device
}

fn decide(job: Option<&dyn Job>) -> (Device, String) {
    let host = Device::host();
    let is_gpu = |device: &Device| device.info().kind == DeviceKind::Gpu;
    let on = |device: &Device| job.and_then(|job| Prediction::of(job, device));
    let mut on_host = None;
    let gpu = if let Some(device) = Device::expected() {
        device
    } else {
        on_host = on(&host);
        let open = Startup::of_gpus().opening_seconds;
        match &on_host {
            None => return (host, "nothing is known of GPUs, and nothing of this job".to_owned()),
            Some(on_host) if on_host.all_seconds() <= open => {
                return (host, format!("{on_host}, before a GPU is open ({})", Seconds(open)));
            }
            Some(_) => Device::best(),
        }
    };
    if !is_gpu(&gpu) {
        return (host, "there is no GPU".to_owned());
    }
    let taken = jobs::taken(gpu.info());
    let known = Known { taken, startup: gpu.startup() };
    let on_host = || on_host.or_else(|| on(&host));
    let (is_gpu_first, why) = known.takes_gpu(on_host, || on(&gpu));
    // What is known of it from an earlier listing is true only once it is listed.
    match is_gpu_first.then(Device::best).filter(is_gpu) {
        Some(gpu) => (gpu, why),
        None => (host, why),
    }
}

/// What is known of a job before it is done.
struct Known {
    taken: Times,
    startup: Startup,
}

impl Known {
    /// Whether the GPU is done first, and why; estimates are made where nothing better is known.
    fn takes_gpu(
        &self,
        on_host: impl FnOnce() -> Option<Prediction>,
        on_gpu: impl FnOnce() -> Option<Prediction>,
    ) -> (bool, String) {
        /// The least ratio of the host's time to the time of opening the GPU and building its kernels at which a job without other evidence
        /// is tried on the GPU; on the host where the GPU takes less.
        const TRIED: f64 = 10.0;
        let Startup { opening_seconds: open, kernel_seconds, .. } = self.startup;
        let tried = TRIED * (open + 2.0 * kernel_seconds);
        if let Times { host: Some(host), gpu: Some(gpu) } = self.taken {
            return (gpu < host, format!("the host took {}, the GPU {}", Seconds(host), Seconds(gpu)));
        }
        let model = if self.taken.host.is_none_or(|host| host > open) { on_host() } else { None };
        let modelled = model.as_ref().map(Prediction::all_seconds);
        let Some(host) = self.taken.host.or(modelled) else {
            return match self.taken.gpu {
                Some(gpu) => (gpu > tried, format!("the GPU took {}, and the host is not known", Seconds(gpu))),
                None => (false, "nothing is known of this job".to_owned()),
            };
        };
        if host <= open {
            return (false, format!("{}, before the GPU is open ({})", Seconds(host), Seconds(open)));
        }
        // Reading and writing, which every device waits for.
        let beside = self.taken.host.zip(modelled).map_or(0.0, |(taken, modelled)| (taken - modelled).max(0.0));
        let gpu = match self.taken.gpu {
            Some(gpu) => Some((gpu, String::new())),
            None => on_gpu().map(|gpu| (gpu.all_seconds() + beside, format!(": {gpu}"))),
        };
        match gpu {
            Some((gpu, how)) => {
                (gpu < host, format!("the host takes {}, the GPU {}{how}", Seconds(host), Seconds(gpu)))
            }
            None => (host > tried, format!("the host takes {}, and the GPU is not known", Seconds(host))),
        }
    }
}

/// What a device takes for a job, by the model: in seconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Prediction {
    /// The device.
    device: String,
    /// Opening it and building the kernels.
    start_seconds: f64,
    /// Where the seconds of opening come from, and those of building.
    start_sources: [StartupSource; 2],
    /// Transfers of the input and the result.
    transfer_seconds: f64,
    /// The operation, as it was measured, else as it is estimated.
    operation_seconds: f64,
}

impl Prediction {
    /// `None` where the device has no candidate. Nothing is measured for it.
    pub(crate) fn of(job: &dyn Job, device: &Device) -> Option<Self> {
        // The startup times before the device's choice, which may open the device.
        let startup = device.startup();
        let mode = if device.tuning() == TuningMode::Estimate { TuningMode::Estimate } else { TuningMode::Kept };
        let explained = job.explain(&device.with_tuning(mode)).ok()?;
        let row = explained.rows.first()?;
        let operation_seconds = explained.whole_seconds.or(row.measured_seconds).unwrap_or(row.estimate_seconds);
        let kernels = row.kernels.max(1) as f64;
        let building = Some(explained.building_seconds).filter(|&seconds| seconds > 0.0);
        Some(Self {
            device: label(device),
            start_seconds: startup.opening_seconds + building.unwrap_or(kernels * startup.loading_seconds),
            start_sources: [startup.opening_source, startup.kernel_source],
            transfer_seconds: job.bytes() as f64 * startup.seconds_a_byte,
            operation_seconds,
        })
    }

    /// Seconds in all.
    pub(crate) fn all_seconds(&self) -> f64 {
        self.start_seconds + self.transfer_seconds + self.operation_seconds
    }
}

impl fmt::Display for Prediction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Seconds(self.all_seconds()))?;
        if self.start_seconds > 0.0 {
            let parts = [self.start_seconds, self.transfer_seconds, self.operation_seconds].map(Seconds);
            let source = match self.start_sources {
                [StartupSource::Measured, StartupSource::Measured] => "measured",
                [StartupSource::Measured, _] => "building typical",
                [_, StartupSource::Measured] => "opening typical",
                _ => "typical",
            };
            write!(f, " ({} to open and build, {source}; {} of transfers, {} of work)", parts[0], parts[1], parts[2])?;
        }
        Ok(())
    }
}

/// What each device takes for a job: the host and every GPU, the one that is done first before the others.
pub(crate) fn compared(job: &Chosen) -> Vec<Prediction> {
    let gpus = Device::opencl().unwrap_or_default().into_iter().filter(|device| device.info().kind == DeviceKind::Gpu);
    let devices = std::iter::once(Device::host()).chain(gpus);
    let mut found: Vec<Prediction> = devices.filter_map(|device| Prediction::of(job, &device)).collect();
    found.sort_by(|a, b| a.all_seconds().total_cmp(&b.all_seconds()));
    found
}

/// The devices of a comparison, one a line.
pub(crate) fn table(predictions: &[Prediction]) -> String {
    let width = predictions.iter().map(|one| one.device.chars().count()).max().unwrap_or(0);
    let lines = predictions.iter().enumerate().map(|(i, one)| {
        let mark = if i == 0 { '*' } else { ' ' };
        format!("{mark} {:<width$}  {one}\n", one.device)
    });
    std::iter::once("devices, with opening, building and transfers:\n".to_owned()).chain(lines).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prediction(device: &str, start_seconds: f64, operation_seconds: f64) -> Prediction {
        let start_sources = [StartupSource::Measured, StartupSource::Typical];
        let device = device.to_owned();
        Prediction { device, start_seconds, start_sources, transfer_seconds: 0.001, operation_seconds }
    }

    #[test]
    fn what_is_known_best_decides() {
        let seconds = |operation_seconds| move || Some(prediction("a device", 0.0, operation_seconds));
        let none = || None;
        let known = |host, gpu| Known { taken: Times { host, gpu }, startup: Startup::of_gpus() };
        // Opening takes a quarter of a second, a kernel 0.3 s.
        let both = known(Some(0.4), Some(0.3));
        assert!(both.takes_gpu(seconds(0.001), seconds(9.0)).0, "what both took");
        assert!(!known(Some(0.1), None).takes_gpu(none, seconds(0.01)).0, "before the GPU is open");
        assert!(!known(None, None).takes_gpu(seconds(0.1), seconds(0.01)).0);
        assert!(known(None, None).takes_gpu(seconds(9.0), seconds(0.5)).0, "estimates");
        assert!(!known(None, None).takes_gpu(seconds(9.0), seconds(9.5)).0);
        // Of 8 s four are reading and writing, which the GPU waits for as well.
        assert!(known(Some(8.0), None).takes_gpu(seconds(4.0), seconds(3.0)).0);
        assert!(!known(Some(8.0), None).takes_gpu(seconds(4.0), seconds(5.0)).0);
        // Without estimates.
        assert!(!known(None, None).takes_gpu(none, none).0);
        assert!(!known(Some(8.0), None).takes_gpu(none, none).0 && known(Some(9.0), None).takes_gpu(none, none).0);
        assert!(!known(None, Some(8.0)).takes_gpu(none, none).0 && known(None, Some(9.0)).takes_gpu(none, none).0);
    }

    #[test]
    fn names_that_leave_the_device_to_the_program() {
        assert!(["", " auto", "BEST"].iter().all(|name| is_auto(name)));
        assert!(["host", "automatic", "opencl:0"].iter().all(|name| !is_auto(name)));
    }

    #[test]
    fn devices_have_their_lines() {
        let text = table(&[prediction("host", 0.0, 0.0017), prediction("opencl:0", 0.3, 0.0052)]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "* host      2.70 ms");
        assert_eq!(
            lines[2],
            "  opencl:0  306 ms (300 ms to open and build, building typical; 1.00 ms of transfers, 5.20 ms of work)"
        );
    }

    #[test]
    fn the_host_takes_no_time_to_open() {
        use manycore::operation::Task;
        let job = Chosen::of_task(&Task::of("poly-gcd", vec![("n", 10_000)])).unwrap();
        let found = Prediction::of(&job, &Device::host()).unwrap();
        assert!(found.operation_seconds > 0.0);
        assert_eq!(found.all_seconds().to_bits(), found.operation_seconds.to_bits());
        assert_eq!(job.bytes(), 3 * 4 * 10_000);
    }
}
