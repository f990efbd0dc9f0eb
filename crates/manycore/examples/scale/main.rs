//! Times of operations that several devices share: on one device, on two, and so on, as JSON lines.
//!
//! `cargo run --release -p manycore --example scale -- DEVICE[,DEVICE...] [--log-size N] [--sections NAME,...] [--only WORD]
//! [--runs N]`: each row is checked to have the same result on any number of devices; seconds are medians of five runs, or of `N`, after
//! up to three that warm up, a user's: data of the host goes to the devices and back. `--log-size` is the base-2 logarithm of the words
//! of a large input, from which all sizes follow; `WORD` is a part of a row's name, or `=` and all of it.

mod bus;
mod exact;
mod measure;
mod products;
mod sorting;
mod star;
mod transforms;

use manycore::device::DeviceSet;

use crate::measure::{Bench, Fallible};

/// A name, and what prints its rows.
type Section = (&'static str, fn(&Bench) -> Fallible<()>);

/// What is measured.
const SECTIONS: [Section; 6] = [
    ("bus", bus::rows),
    ("exact", exact::rows),
    ("transforms", transforms::rows),
    ("sorting", sorting::rows),
    ("products", products::rows),
    ("star", star::rows),
];

fn main() -> Fallible<()> {
    let mut names = "host:1,host:1".to_owned();
    let (mut log_size, mut runs, mut only) = (20, 5, String::new());
    let mut wanted: Vec<String> = SECTIONS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} has no value"));
        match argument.as_str() {
            "--log-size" => log_size = value()?.parse()?,
            "--runs" => runs = value()?.parse::<usize>()?.max(1),
            "--only" => only = value()?,
            "--sections" => wanted = value()?.split(',').map(str::to_owned).collect(),
            _ => names = argument,
        }
    }
    let devices = DeviceSet::select(&names)?.devices().to_vec();
    // 1, 2, 4, ... and all of them.
    let mut counts: Vec<usize> =
        (0..usize::BITS).map(|log| 1 << log).take_while(|&count| count < devices.len()).collect();
    counts.push(devices.len());
    let sets = counts.iter().map(|&count| DeviceSet::equal(devices[..count].to_vec())).collect::<Result<_, _>>()?;
    let bench = Bench { sets, log_size, runs, only };
    for section in &wanted {
        let (_, rows) = SECTIONS.iter().find(|(name, _)| name == section).ok_or(format!("no section {section}"))?;
        // The others are still measured where one fails.
        if let Err(error) = rows(&bench) {
            println!("{{\"section\": \"{section}\", \"error\": {:?}}}", error.to_string());
        }
    }
    Ok(())
}
