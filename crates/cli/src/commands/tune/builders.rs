//! Processes that build kernels side by side: a driver's compiler takes most of the time of a tuning, on one thread.

use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use manycore::Device;

use crate::error::Error;

/// Time between two looks at the processes.
const PAUSE: Duration = Duration::from_millis(20);

/// Builds the kernels of these families of standard shapes in at most `jobs` processes at a time, each of which builds one
/// family; those that are not done by the `deadline` are ended. What was built is in the driver's cache.
///
/// # Errors
/// [`Error::Usage`] where this program cannot be started again.
pub(super) fn run(device: &Device, families: &[usize], jobs: usize, deadline: Option<Instant>) -> Result<(), Error> {
    let wrong = |error: std::io::Error| Error::Usage(format!("--jobs {jobs}: {error}"));
    let program = std::env::current_exe().map_err(wrong)?;
    let mut left = families.iter();
    let mut running = Running(Vec::new());
    loop {
        // A process that failed left kernels to the measurement.
        running.0.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
        while running.0.len() < jobs
            && let Some(family) = left.next()
        {
            let child = Command::new(&program)
                .args(["--device", &device.info().id, "--quiet", "tune", "all", "--standard"])
                .args(["--build", &family.to_string()])
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .map_err(wrong)?;
            running.0.push(child);
        }
        if running.0.is_empty() || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Ok(());
        }
        thread::sleep(PAUSE);
    }
}

/// Processes that end with this value.
struct Running(Vec<Child>);

impl Drop for Running {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // One that ended meanwhile is done.
            let _ = child.kill().and_then(|()| child.wait());
        }
    }
}
