//! A file on six disks, of which any two may fail: splits it into four data and two parity parts, loses two, restores it.
//!
//! ```text
//! cargo run --release -p manycore-codes --example six_disks -- FILE
//! ```
//! Without a file, that of this crate's description.

use manycore_codes::{join, split};
use manycore_device::Device;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = match std::env::args().nth(1) {
        Some(path) => std::fs::read(path)?,
        None => include_bytes!("../README.md").to_vec(),
    };
    let device = Device::from_env()?;
    let parts = split(&device, &file, 4, 2)?;
    println!("{} bytes as six parts of {} bytes", file.len(), parts[0].len());
    for first in 0..6 {
        for second in first + 1..6 {
            let left = (0..6).filter(|disk| ![first, second].contains(disk));
            let left: Vec<(String, Vec<u8>)> = left.map(|disk| (format!("disk {disk}"), parts[disk].clone())).collect();
            let joined = join(&device, &left)?;
            if joined.file != file {
                return Err(format!("without disks {first} and {second} another file").into());
            }
        }
    }
    println!("restored without any two of them");
    Ok(())
}
