//! The machine, the commit and the day.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use manycore_device::{Device, DeviceKind};

use crate::lines::Environment;
use crate::memory_rate::MemoryRate;

/// The environment line of a device; measures its memory.
///
/// # Errors
/// When the device fails.
pub fn of(device: &Device, rate: &mut MemoryRate) -> Result<Environment> {
    let info = device.info();
    let host = info.kind == DeviceKind::Host;
    let name = if host { host_name(&info.name) } else { info.name.clone() };
    Ok(Environment {
        device: info.id.clone(),
        class: match info.kind {
            DeviceKind::Host => "host",
            DeviceKind::Cpu => "cpu",
            _ => "gpu",
        },
        name,
        driver: info.driver.clone(),
        processors: info.compute_units.into(),
        memory_bytes: info.memory_bytes,
        threads: if host { info.compute_units.into() } else { 1 },
        commit: env!("MANYCORE_COMMIT").to_owned(),
        date: today(),
        copy_bytes_per_second: rate.past_caches()?,
        features: if host { info.features.clone() } else { Vec::new() },
    })
}

/// The processor's name with family and model where the system gives them: virtual machines shorten the name.
fn host_name(name: &str) -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |wanted: &str| {
        text.lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(key, _)| key.trim() == wanted)
            .map(|(_, v)| v.trim())
    };
    match (field("cpu family"), field("model")) {
        (Some(family), Some(model)) => format!("{name} (family {family} model {model})"),
        _ => name.to_owned(),
    }
}

/// The day in UTC, as `2026-11-21`.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    civil(seconds / 86_400)
}

/// The date that lies `days` after 1970-01-01: whole years and then whole months are taken off.
fn civil(mut days: u64) -> String {
    let leap = |year: u64| (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400);
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    format!("{year:04}-{:02}-{:02}", month + 1, days + 1)
}

#[cfg(test)]
mod tests {
    use super::civil;

    #[test]
    fn dates() {
        let cases = [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (20_778, "2026-11-21"),
            (16_800, "2015-12-31"),
        ];
        for (days, expected) in cases {
            assert_eq!(civil(days), expected);
        }
    }
}
