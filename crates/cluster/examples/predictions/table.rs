//! The table of one machine: measured times, the predictions for as many devices beside them, and those for more.

use std::collections::BTreeMap;

use manycore_cluster::predict::{Exchange, Measured, Prediction, Rest, System};
use serde_json::Value;

/// A network of 400 Gbit/s for each device, eight of which a host has.
const NETWORK: f64 = 8.0 * 50e9;
/// Devices of a large host, and hosts of a large system.
const DEVICES: u32 = 8;
const HOSTS: u32 = 64;

/// Rows whose speed is that of the host's memory.
const BUS: &str = "there and back";

/// What was measured of an operation.
#[derive(Default)]
struct Row {
    name: String,
    /// Seconds by the number of devices.
    seconds: BTreeMap<u32, f64>,
    bus_bytes: f64,
    exchange: (String, f64),
}

/// What was measured on one machine.
pub(crate) struct Lines {
    device: String,
    rows: Vec<Row>,
    /// The most devices that were measured.
    most: u32,
    host_bandwidth: f64,
}

impl Lines {
    /// The lines of a file.
    ///
    /// # Errors
    /// Lines that are no measurements.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut rows: Vec<Row> = Vec::new();
        let mut device = String::new();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let row: Value = serde_json::from_str(line).map_err(|error| format!("line {}: {error}", at + 1))?;
            let number = |key: &str| row[key].as_f64().ok_or_else(|| format!("line {}: no number {key}", at + 1));
            let text = |key: &str| row[key].as_str().ok_or_else(|| format!("line {}: no text {key}", at + 1));
            let name = text("row")?;
            text("device")?.clone_into(&mut device);
            let known = rows.iter().position(|row| row.name == name);
            let known = known.unwrap_or_else(|| {
                rows.push(Row { name: name.to_owned(), ..Row::default() });
                rows.len() - 1
            });
            let row = &mut rows[known];
            row.seconds.insert(number("devices")? as u32, number("seconds")?);
            row.bus_bytes = number("bus_bytes")?;
            row.exchange = (text("exchange")?.to_owned(), number("exchanged_bytes")?);
        }
        let counts: Vec<u32> = rows.iter().flat_map(|row| row.seconds.keys().copied()).collect();
        let most = counts.into_iter().max().ok_or("no measurements")?;
        let host_bandwidth = rows
            .iter()
            .filter(|row| row.name.starts_with(BUS))
            .flat_map(|row| row.seconds.values().map(|seconds| row.bus_bytes / seconds))
            .fold(0.0, f64::max);
        if host_bandwidth == 0.0 {
            return Err(format!("no row begins with \"{BUS}\""));
        }
        Ok(Self { device, rows, most, host_bandwidth })
    }

    /// The most devices, and their name.
    pub(crate) fn devices(&self) -> String {
        format!("{} {}", self.most, self.device)
    }

    /// A system of `devices` devices of this host.
    fn host(&self, devices: u32) -> System {
        System { hosts: 1, devices, host_bandwidth: self.host_bandwidth, network_bandwidth: NETWORK }
    }

    /// The first row of each kind of operation that one and two devices were measured on: its name, the measured speed-ups, and those that
    /// are predicted of 1, 2, 4 and so on.
    pub(crate) fn speedups(&self) -> Result<Vec<Speedups>, String> {
        let mut kinds: Vec<&str> = Vec::new();
        let mut found = Vec::new();
        for row in self.rows.iter().filter(|row| !row.name.starts_with(BUS)) {
            let kind = row.name.split(' ').next().unwrap_or_default();
            let (Some(&one), Some(_)) = (row.seconds.get(&1), row.seconds.get(&2)) else { continue };
            if kinds.contains(&kind) {
                continue;
            }
            kinds.push(kind);
            let model = row.model(one)?;
            let predicted =
                (0..=DEVICES.ilog2()).map(|log| (1 << log, model.on(&self.host(1 << log)).speedup)).collect();
            let measured = row.seconds.iter().map(|(&count, seconds)| (count, one / seconds)).collect();
            found.push(Speedups { name: row.name.clone(), measured, predicted });
        }
        Ok(found)
    }
}

/// Speed-ups of one operation by the number of devices.
pub(crate) struct Speedups {
    pub(crate) name: String,
    pub(crate) measured: Vec<(u32, f64)>,
    pub(crate) predicted: Vec<(u32, f64)>,
}

impl Row {
    /// What more devices are predicted by, from the time of one.
    fn model(&self, one: f64) -> Result<Measured, String> {
        let (exchange, rest) = match self.exchange.0.as_str() {
            "slabs" => (Exchange::Slabs(self.exchange.1), Rest::OfHost),
            "grid" => (Exchange::Grid(self.exchange.1), Rest::OfHost),
            "none" => (Exchange::None, Rest::OfHost),
            // Residues, of which one host makes the result.
            "gather" => (Exchange::None, Rest::Once),
            other => return Err(format!("{}: no exchange is called {other}", self.name)),
        };
        Ok(Measured { one, two: self.seconds.get(&2).copied(), rest, bus_bytes: self.bus_bytes, exchange })
    }
}

/// The table of the lines of a file.
///
/// # Errors
/// Lines that are no measurements.
pub(crate) fn of(text: &str) -> Result<String, String> {
    let all = Lines::read(text)?;
    let Lines { device, rows, most, host_bandwidth } = &all;
    let (most, host_bandwidth) = (*most, *host_bandwidth);
    let host = |devices| all.host(devices);
    let mut lines = vec![format!(
        "Measured on {most} {device} of one host, whose memory and devices exchange {:.0} GB/s at most.\n\n",
        host_bandwidth / 1e9
    )];
    let measured: Vec<u32> = (0..u32::BITS).map(|log| 1 << log).take_while(|&count| count <= most).collect();
    let heads =
        measured.iter().map(|count| if *count == 1 { "1, s".to_owned() } else { format!("{count}, s (speed-up)") });
    let checked =
        measured.iter().filter(|&&count| count > 2).map(|count| format!("{count} predicted, s (measured over it)"));
    let ends = [format!("{DEVICES} of one host"), format!("{HOSTS} hosts of {DEVICES}")];
    let heads: Vec<String> = ["operation".to_owned()].into_iter().chain(heads).chain(checked).chain(ends).collect();
    lines.push(format!("| {} |\n|{}\n", heads.join(" | "), "---|".repeat(heads.len())));
    for row in rows.iter().filter(|row| !row.name.starts_with(BUS)) {
        let Some(&one) = row.seconds.get(&1) else { continue };
        let model = row.model(one)?;
        let mut cells = vec![row.name.clone()];
        for count in &measured {
            cells.push(match row.seconds.get(count) {
                None => "not measured".to_owned(),
                Some(seconds) if *count == 1 => time(*seconds),
                Some(seconds) => format!("{} ({:.2})", time(*seconds), one / seconds),
            });
        }
        for count in measured.iter().filter(|&&count| count > 2) {
            if model.two.is_none() {
                cells.push("not known".to_owned());
                continue;
            }
            let predicted = model.on(&host(*count)).seconds;
            let over =
                row.seconds.get(count).map_or_else(String::new, |seconds| format!(" ({:.2})", seconds / predicted));
            cells.push(time(predicted) + &over);
        }
        // One device does not show what several divide.
        let systems = [host(DEVICES), System { hosts: HOSTS, ..host(DEVICES) }];
        let of = |system| if model.two.is_some() { told(&model.on(system)) } else { "not known".to_owned() };
        cells.extend(systems.iter().map(of));
        lines.push(format!("| {} |\n", cells.join(" | ")));
    }
    lines.push("\n".to_owned());
    Ok(lines.concat())
}

fn told(prediction: &Prediction) -> String {
    let Prediction { seconds, speedup, efficiency, bound } = prediction;
    format!("{} s, {speedup:.1} times, {:.0} %: {}", time(*seconds), 100.0 * efficiency, bound.name())
}

/// Seconds in three digits.
fn time(seconds: f64) -> String {
    let digits = (2 - seconds.max(1e-9).log10().floor() as i32).clamp(0, 9) as usize;
    format!("{seconds:.digits$}")
}
