//! The wait: what a user waits for from the start of a process to its end, by the host, by a GPU and by what `--device auto` takes,
//! with nothing kept and with everything kept; beside it the floor, which is a process that only opens the device.
//!
//! | file | what |
//! |---|---|
//! | `cases` | commands, in three sizes, with their input |
//! | `process` | processes, timed |
//! | `recipes` | the programs that each command builds |
//! | `floor` | opening a device and running a kernel by nothing but OpenCL |

mod cases;
mod floor;
mod process;
mod recipes;

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result};
use manycore_device::{Device, DeviceKind};

use crate::lines::{Line, Wait};
use cases::{CASES, Case};
use process::Workplace;

/// Runs of a process of which the median counts.
const RUNS: usize = 3;

/// What is run.
#[derive(Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools)] // options without a value
pub struct Arguments {
    /// The program `manycore`
    #[arg(long)]
    program: PathBuf,
    /// The OpenCL device: opencl:NUMBER; without this the first GPU
    #[arg(long)]
    device: Option<String>,
    /// Only these sizes: 1 to 3, with commas between them
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3])]
    sizes: Vec<usize>,
    /// Tells of each process of the device what it waited for
    #[arg(long)]
    tell: bool,
    /// One JSON object a line instead of a table
    #[arg(long)]
    json: bool,
    /// Prints the file of recipes instead: the programs that each command builds at its first use
    #[arg(long)]
    recipes: bool,
    /// Only the floor
    #[arg(long)]
    floor: bool,
    /// Only commands whose name holds this text
    filter: Option<String>,
}

/// Runs the cases and prints a line of each.
///
/// # Errors
/// Programs that do not start or fail, and files that cannot be written.
pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.floor {
        let number = arguments.device.as_deref().and_then(|device| device.strip_prefix("opencl:")).unwrap_or("0");
        println!("{}", serde_json::to_string(&floor::steps(number.parse()?)?)?);
        return Ok(());
    }
    let device = if let Some(device) = &arguments.device {
        Device::select(device)?
    } else {
        let gpus = Device::opencl().unwrap_or_default().into_iter();
        let mut gpus = gpus.filter(|device| device.info().kind == DeviceKind::Gpu);
        gpus.next().context("there is no GPU: --device names another device")?
    };
    let (id, name) = (device.info().id.clone(), device.info().name.clone());
    anyhow::ensure!(arguments.sizes.iter().all(|size| (1..=3).contains(size)), "sizes are 1, 2 and 3");
    let is_asked = |case: &&Case| arguments.filter.as_ref().is_none_or(|text| case.name.contains(text));
    let cases: Vec<&Case> = CASES.iter().filter(is_asked).collect();
    let scratch = std::env::temp_dir().join(format!("manycore-wait-{}", std::process::id()));
    if arguments.recipes {
        let recipes = recipes::all(&cases, &arguments.sizes, &arguments.program, &id, &scratch);
        let _ = std::fs::remove_dir_all(&scratch);
        print!("{recipes}");
        return Ok(());
    }
    let floor = floor_seconds(&id)?;
    if !arguments.json {
        println!("{name}: a bare process with a kernel {:.0} ms", floor * 1e3);
        println!(
            "{:<28}{:>10}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}",
            "ms", "size", "host", "first", "later", "auto 1st", "auto", "best"
        );
    }
    let all = || {
        for case in cases {
            for &number in &arguments.sizes {
                let size = case.sizes[number - 1];
                match wait(case, size, arguments, (&id, &name), floor, scratch.join(format!("{}-{size}", case.name))) {
                    Ok(wait) if arguments.json => {
                        println!("{}", serde_json::to_string(&Line::Wait(wait))?);
                    }
                    Ok(wait) => println!("{}", row(&wait)),
                    Err(error) => println!("{:<28}{size:>10} {error:#}", case.name),
                }
            }
        }
        Ok(())
    };
    let outcome = all();
    let _ = std::fs::remove_dir_all(&scratch);
    outcome
}

fn row(wait: &Wait) -> String {
    let ms = |seconds: f64| format!("{:>9.0}", seconds * 1e3);
    let best = wait.host.min(wait.later);
    // What `auto` is to stay within.
    let mark = if wait.auto_later <= 1.1 * best + 0.01 { "" } else { " *" };
    format!(
        "{:<28}{:>10}{}{}{}{}{}{}{mark}",
        wait.case,
        wait.size,
        ms(wait.host),
        ms(wait.first),
        ms(wait.later),
        ms(wait.auto_first),
        ms(wait.auto_later),
        ms(best)
    )
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

fn floor_seconds(id: &str) -> Result<f64> {
    let program = std::env::current_exe()?;
    let run = || -> Result<f64> {
        let begun = Instant::now();
        let arguments = ["wait", "--program", "none", "--floor", "--device", id];
        let status = Command::new(&program).args(arguments).stdout(std::process::Stdio::null()).status()?;
        anyhow::ensure!(status.success(), "the bare process failed: {status}");
        Ok(begun.elapsed().as_secs_f64())
    };
    run()?;
    Ok(median((0..RUNS).map(|_| run()).collect::<Result<_>>()?))
}

fn wait(
    case: &Case,
    size: usize,
    arguments: &Arguments,
    (id, name): (&str, &str),
    floor: f64,
    folder: PathBuf,
) -> Result<Wait> {
    let place = Workplace::new(&arguments.program, folder)?;
    (case.files)(place.folder(), size).context("cannot write the input")?;
    let run = |device: &str| {
        let mut line: Vec<&str> = case.line.split(' ').collect();
        line.extend(["--quiet", "--device", device]);
        if case.is_array {
            line.extend(["-o", "result.npy"]);
        }
        let (seconds, told) = place.run(&line, arguments.tell)?;
        if arguments.tell {
            println!("{} {size} --device {device}: {:.0} ms\n{told}", case.name, seconds * 1e3);
        }
        Ok(seconds)
    };
    place.forget()?;
    let _ = run("host")?;
    let host = median((0..RUNS).map(|_| run("host")).collect::<Result<_>>()?);
    place.forget()?;
    let auto_first = run("auto")?;
    place.forget()?;
    let first = run(id)?;
    let device = median((0..RUNS).map(|_| run(id)).collect::<Result<_>>()?);
    // As a user's second process: the host has done the same job once, too.
    let _ = run("host")?;
    let auto_later = median((0..RUNS).map(|_| run("auto")).collect::<Result<_>>()?);
    std::fs::remove_dir_all(place.folder()).context("cannot remove the input")?;
    let (case, device_name) = (case.name, name.to_owned());
    Ok(Wait { case, size, device: device_name, host, first, later: device, auto_first, auto_later, floor })
}
