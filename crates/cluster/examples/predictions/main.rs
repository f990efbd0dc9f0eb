//! Predicted times of more devices and more hosts from kept measurements, as tables: Amdahl's law with what the devices of a host share,
//! and the network ([`predict`](manycore_cluster::predict)).
//!
//! `cargo run -p manycore-cluster --example predictions -- FILE...`: each file has the lines that the example `scale` of crate `manycore`
//! printed on one machine.

mod table;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        return Err("no file of measurements".into());
    }
    for file in &files {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        print!("{}", table::of(&text).map_err(|error| format!("{file}: {error}"))?);
    }
    Ok(())
}
