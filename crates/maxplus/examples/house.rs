//! The schedule of a house: its length, its critical path, and what it takes where every task may take half as long again.
//!
//! ```text
//! cargo run --release -p manycore-maxplus --example house
//! ```

use manycore_device::Device;
use manycore_maxplus::project::{Project, ProjectFormat, Variants};

/// A task, its days, and the tasks that come before it: finish to start, with a lag or none, or start to start.
const PLAN: &str = "\
foundation,12
curing,7,foundation
walls,20,curing
roof,10,walls
windows,5,walls:SS+15
wiring,8,walls
plumbing,9,walls
heating,6,plumbing
plaster,10,wiring;plumbing;windows
drying,14,plaster
floors,8,drying;heating
doors,3,floors
painting,7,drying:FS+1
garden,9,roof
inspection,1,doors;painting;garden
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let project = Project::parse("house", PLAN, ProjectFormat::Csv)?;
    let schedule = project.schedule()?;
    let names: Vec<&str> = PLAN.lines().filter_map(|line| line.split(',').next()).collect();
    let path: Vec<&str> = schedule.critical_path().iter().map(|&task| names[task as usize]).collect();
    println!("{} days: {}", schedule.length(), path.join(", "));
    let base: Vec<f64> = PLAN.lines().filter_map(|line| line.split(',').nth(1)?.parse().ok()).collect();
    // Every task of every variant takes its days and up to half of them again.
    let variants =
        Variants::drawn(names.len(), 10_000, 1, |task, unit| (base[task] * (1.0 + unit / 2.0)).round() as i64)?;
    let report = project.schedule_variants(&Device::from_env()?, &variants)?;
    if let (Some(half), Some(most)) = (report.quantile(0.5), report.quantile(0.95)) {
        println!("with delays: {half} days in one of two variants, {most} in nineteen of twenty");
    }
    Ok(())
}
