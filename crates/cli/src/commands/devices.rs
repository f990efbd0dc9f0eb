//! `manycore devices`: what there is to compute on.

use std::fmt::Write as _;

use manycore::Device;
use manycore::device::SelfTest;
use manycore::files::shown;
use serde::Serialize;
use serde_json::json;

use crate::commands::several::Devices;
use crate::error::Error;
use crate::global::Global;
use crate::output::{self, Report};

/// The JSON form of a device.
#[derive(Debug, Serialize)]
struct Facts<'a> {
    id: &'a str,
    name: &'a str,
    kind: String,
    selected: bool,
    vendor: &'a str,
    platform: &'a str,
    driver: &'a str,
    version: &'a str,
    compute_units: u32,
    clock_hz: u64,
    memory_bytes: u64,
    largest_allocation_bytes: u64,
    local_memory_bytes: u64,
    group_limit: usize,
    view_alignment_bytes: usize,
    fp64: bool,
    /// What is known of the self-test; `null` where nothing is.
    self_test: Option<&'static str>,
    int64_atomics: bool,
    features: &'a [String],
}

impl<'a> Facts<'a> {
    fn of(device: &'a Device, selected: bool) -> Self {
        let info = device.info();
        Self {
            id: &info.id,
            name: &info.name,
            kind: info.kind.to_string(),
            selected,
            vendor: &info.vendor,
            platform: &info.platform,
            driver: &info.driver,
            version: &info.version,
            compute_units: info.compute_units,
            clock_hz: info.clock_hz,
            memory_bytes: info.memory_bytes,
            largest_allocation_bytes: info.largest_allocation_bytes,
            local_memory_bytes: info.local_memory_bytes,
            group_limit: info.group_limit,
            view_alignment_bytes: info.view_alignment_bytes,
            fp64: info.fp64,
            self_test: match device.self_test() {
                SelfTest::Passed => Some("passed"),
                SelfTest::Failed(_) => Some("failed"),
                _ => None,
            },
            int64_atomics: info.int64_atomics,
            features: &info.features,
        }
    }
}

/// Lists every device, and marks those that `--device` or `MANYCORE_DEVICE` selects.
///
/// # Errors
/// [`Error::Device`] when the device asked for is not there; [`Error::Output`] when the list cannot be written.
pub fn run(global: &Global) -> Result<(), Error> {
    let selected = Devices::best(global)?;
    let is_selected = |device: &Device| selected.set().devices().iter().any(|one| one.info().id == device.info().id);
    let devices = Device::all();
    let facts: Vec<Facts<'_>> = devices.iter().map(|device| Facts::of(device, is_selected(device))).collect();
    if global.json {
        return output::write_report(global, &Report::new("devices", json!({}), facts));
    }
    let text = table(&facts);
    output::write(global, |out| out.write_all(text.as_bytes()))
}

/// A table, one line a device; columns as wide as their widest entry.
fn table(facts: &[Facts<'_>]) -> String {
    let heads =
        ["", "device", "kind", "units", "memory", "local", "f64", "self-test", "driver", "name"].map(str::to_owned);
    let rows = facts.iter().map(|device| {
        [
            if device.selected { "*" } else { "" }.to_owned(),
            device.id.to_owned(),
            device.kind.clone(),
            device.compute_units.to_string(),
            size(device.memory_bytes),
            size(device.local_memory_bytes),
            if device.fp64 { "yes" } else { "no" }.to_owned(),
            device.self_test.unwrap_or("-").to_owned(),
            shown(device.driver),
            shown(device.name),
        ]
    });
    let rows: Vec<_> = std::iter::once(heads).chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..10).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (entry, width) in row.iter().zip(&widths) {
            let _ = write!(line, "{entry:<width$}  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Bytes in the largest binary unit that leaves at least 1; a dash for none.
fn size(bytes: u64) -> String {
    match bytes {
        0 => "-".to_owned(),
        0x4000_0000.. => format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30)),
        0x10_0000.. => format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20)),
        _ => format!("{} KiB", bytes.div_ceil(1 << 10)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size(0), "-");
        assert_eq!(size(49_152), "48 KiB");
        assert_eq!(size(3 << 20), "3.0 MiB");
        assert_eq!(size(150_754_820_096), "140.4 GiB");
    }

    #[test]
    fn columns_align() {
        let host = Device::host();
        let text = table(&[Facts::of(&host, true), Facts::of(&host, false)]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        let column = lines[0].find("driver").unwrap();
        assert!(lines[1].starts_with("*  host") && lines[2].starts_with("   host"), "{text}");
        assert!(lines[1][column..].starts_with("manycore"), "{text}");
    }
}
