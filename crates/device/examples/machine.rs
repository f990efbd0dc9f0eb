//! Measures a device, prints its machine, and keeps it for later processes.
//!
//! ```text
//! cargo run --release -p manycore-device --example machine -- host
//! ```

use manycore_device::Device;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = match std::env::args().nth(1) {
        Some(spec) => Device::select(&spec)?,
        None => Device::from_env()?,
    };
    let calibration = device.calibrate()?;
    println!("{:#?}", calibration.machine);
    if calibration.kept_old {
        eprintln!("an earlier calibration, which spreads less, stays: {}", calibration.path.display());
    }
    Ok(())
}
