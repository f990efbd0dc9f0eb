//! Predicted times of more devices and more hosts from kept measurements, as tables: Amdahl's law with what the devices of a host share,
//! and the network ([`predict`](manycore_cluster::predict)).
//!
//! `cargo run -p manycore-cluster --example predictions -- [--svg] FILE...`: each file has the lines that the example `scale` of crate
//! `manycore` printed on one machine. With `--svg` a drawing of the speed-ups.

mod plot;
mod table;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (options, files): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|word| word.starts_with("--"));
    if let Some(other) = options.iter().find(|option| *option != "--svg") {
        return Err(format!("no option is called {other}").into());
    }
    if files.is_empty() {
        return Err("no file of measurements".into());
    }
    let read = |file: &String| std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"));
    let texts: Vec<String> = files.iter().map(read).collect::<Result<_, _>>()?;
    if !options.is_empty() {
        print!("{}", plot::of(&texts)?);
        return Ok(());
    }
    for (file, text) in files.iter().zip(&texts) {
        print!("{}", table::of(text).map_err(|error| format!("{file}: {error}"))?);
    }
    Ok(())
}
