//! `cargo xtask bench`: runs the benches, or reads the lines of runs elsewhere, and writes one report.

use std::io::{BufRead as _, BufReader, IsTerminal as _, Read};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;

use crate::metadata;
use crate::report::{self, Report};
use crate::setup::{self, Tools};
use crate::shell;

/// Runs the benches on every device and writes one report.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Small sizes: ends within three minutes on two cores
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Every size up to the memory of the device
    #[arg(long)]
    full: bool,
    /// Only on this device: host, opencl:0, or a part of its name
    #[arg(long)]
    device: Option<String>,
    /// Other codes in the same run: installs what they need with apt where it may, and compiles them (FLINT takes six
    /// minutes on two cores; kept for the next time)
    #[arg(long)]
    peers: bool,
    /// Only cases whose name holds this text; `wait`: whole processes of the program, by the host, a GPU and --device auto
    filter: Option<String>,
    /// Report these files of lines, brought from other machines, instead of running
    #[arg(long, num_args = 1.., value_name = "FILE", conflicts_with_all = ["quick", "full", "device", "peers", "filter"])]
    from: Vec<PathBuf>,
    /// Where the report goes
    #[arg(long, default_value = "benches/report", value_name = "FOLDER")]
    out: PathBuf,
    /// The program to run; none to build it as released
    #[arg(skip)]
    program: Option<PathBuf>,
}

impl Arguments {
    /// The quick run of `program` on every device.
    pub(crate) fn quick(program: PathBuf) -> Self {
        Self {
            quick: true,
            full: false,
            device: None,
            peers: false,
            filter: None,
            from: Vec::new(),
            out: "benches/report".into(),
            program: Some(program),
        }
    }
}

/// `cargo xtask bench`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut report = Report::default();
    let mut failure = Ok(());
    let mut lines = String::new();
    let started = Instant::now();
    if arguments.from.is_empty() {
        Tools::set_up();
        failure = match arguments.filter.as_deref() {
            Some(WAIT) => run_waits(arguments, &mut lines),
            _ => run_benches(arguments, &mut lines),
        };
        report.add_run("manycore-bench", &lines)?;
    }
    for path in &arguments.from {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        report.add_run(&path.display().to_string(), &text)?;
        lines.push_str(&text);
    }
    for kind in &report.unknown {
        eprintln!("bench: lines of kind {kind:?} are not known and left out");
    }
    if [report.measurements.len(), report.sweeps.len(), report.launches.len(), report.waits.len()] == [0; 4] {
        failure?;
        bail!("there are no measurements to report");
    }
    write(arguments, &report, &lines)?;
    eprintln!(
        "bench: {} measurements and {} sweeps in {:.0} s",
        report.measurements.len(),
        report.sweeps.len(),
        started.elapsed().as_secs_f64()
    );
    let wrong = report.measurements.iter().filter(|case| case.verified == Some(false)).count();
    if wrong > 0 {
        bail!("{wrong} of {} results were not right", report.measurements.len());
    }
    failure
}

/// Writes the page, the Markdown and the lines themselves.
fn write(arguments: &Arguments, report: &Report, lines: &str) -> Result<()> {
    let folder = shell::root().join(&arguments.out);
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let files = [
        ("index.html", report::page(report)),
        ("report.md", report::document(report)),
        ("measurements.jsonl", lines.to_owned()),
    ];
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}

/// Builds and runs the bench program; `lines` receives what it prints, also when it fails later.
fn run_benches(arguments: &Arguments, lines: &mut String) -> Result<()> {
    let program = &match &arguments.program {
        Some(program) => program.clone(),
        None if arguments.peers => with_peers()?,
        None => released()?,
    };
    let mut options: Vec<String> = vec!["--json".into(), "--profile".into()];
    options.push(
        if arguments.quick {
            "quick"
        } else if arguments.full {
            "full"
        } else {
            "standard"
        }
        .into(),
    );
    if let Some(device) = &arguments.device {
        options.extend(["--device".into(), device.clone()]);
    }
    options.extend(arguments.filter.clone());

    let cases = shell::output(shell::command(program).args(&options).arg("--list"))?;
    let count = cases.lines().filter(|line| !line.trim().is_empty()).count();
    if count == 0 {
        bail!("no case fits");
    }
    let mut child = shell::command(program)
        .args(&options)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let progress = Progress::new(count as u64);
    let errors = child.stderr.take().map(|stream| forward(stream, progress.bar.clone()));
    let read = read_lines(&mut child, &progress, lines);
    if let Some(thread) = errors {
        let _ = thread.join();
    }
    progress.bar.finish_and_clear();
    let status = child.wait().context("manycore-bench did not end")?;
    read?;
    if !status.success() {
        bail!("manycore-bench: {status}");
    }
    Ok(())
}

/// The filter that asks for whole processes of the program.
const WAIT: &str = "wait";

/// Builds the program and the benches and times whole processes; a table on standard error.
fn run_waits(arguments: &Arguments, lines: &mut String) -> Result<()> {
    let programs = metadata::build(&["build", "--release", "-p", "manycore-cli", "--bins"])?;
    let program = programs.into_iter().find(|program| program.target == "manycore");
    let program = program.context("cargo did not build manycore")?.path;
    let mut command = shell::command(released()?);
    command.args([WAIT, "--json", "--program"]).arg(program);
    if let Some(device) = &arguments.device {
        command.args(["--device", device]);
    }
    if arguments.quick {
        command.args(["--sizes", "1,2"]);
    }
    lines.push_str(&shell::output(&mut command)?);
    let mut report = Report::default();
    report.add_run("manycore-bench wait", lines)?;
    if let Some(table) = report::waits(&report) {
        for row in std::iter::once(table.head.iter().map(ToString::to_string).collect()).chain(table.rows) {
            let cells: Vec<String> = row.iter().map(|cell: &String| format!("{cell:>14}")).collect();
            eprintln!("{}", cells.concat());
        }
    }
    Ok(())
}

fn released() -> Result<PathBuf> {
    built(metadata::build(RELEASED)?)
}

const RELEASED: &[&str] = &["build", "--release", "-p", "manycore-benches", "--bin", "manycore-bench"];

/// The flags that C is compiled with: without them FLINT may leave its fast transform out. Tuned for Zen, GCC 12 finds no
/// registers for an assembly statement of FLINT's.
const C_FLAGS: (&str, &str) = ("CFLAGS", "-O3 -march=native -mtune=generic");

/// The program with other codes in it, in a target folder of its own: cargo does not know that what FLINT's build makes
/// depends on the flags, and would take one made without them.
fn with_peers() -> Result<PathBuf> {
    let features = setup::peers();
    let folder = metadata::workspace()?.target_directory.join("peers");
    if !folder.exists() {
        eprintln!("bench: compiling FLINT and the rest into {}; some ten minutes on two cores", folder.display());
    }
    let mut cargo = shell::cargo();
    cargo.args(RELEASED).args(["--features", features, "--target-dir"]).arg(&folder);
    // Flags that the user has set stay.
    let (name, flags) = C_FLAGS;
    if std::env::var_os(name).is_none() {
        cargo.env(name, flags);
    }
    built(metadata::build_with(cargo)?)
}

fn built(programs: Vec<metadata::Program>) -> Result<PathBuf> {
    let program = programs.into_iter().find(|program| program.target == "manycore-bench");
    Ok(program.context("cargo did not build manycore-bench")?.path)
}

fn read_lines(child: &mut Child, progress: &Progress, lines: &mut String) -> Result<()> {
    let Some(stream) = child.stdout.take() else {
        return Ok(());
    };
    for line in BufReader::new(stream).lines() {
        let line = line.context("cannot read from manycore-bench")?;
        progress.saw(&line);
        lines.push_str(&line);
        lines.push('\n');
    }
    Ok(())
}

/// Passes a program's error lines on without tearing the bar.
fn forward(stream: impl Read + Send + 'static, bar: ProgressBar) -> JoinHandle<()> {
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(std::result::Result::ok) {
            bar.suspend(|| eprintln!("{line}"));
        }
    })
}

/// A bar on a terminal; elsewhere a line for each case.
struct Progress {
    bar: ProgressBar,
    plain: bool,
}

impl Progress {
    fn new(count: u64) -> Self {
        let plain = !std::io::stderr().is_terminal();
        let bar = if plain { ProgressBar::hidden() } else { ProgressBar::new(count) };
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, plain }
    }

    fn saw(&self, line: &str) {
        let Ok(value) = serde_json::from_str::<Value>(line) else {
            return;
        };
        let text = |name: &str| match &value[name] {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            other => other.to_string(),
        };
        if value["kind"] == "skipped" {
            let line = format!("bench: {} on {} left out: {}", text("case"), text("device"), text("reason"));
            self.bar.suspend(|| eprintln!("{line}"));
            self.bar.inc(1);
        }
        if value["kind"] == "sweep" {
            let case = [text("case"), text("device")].join(" on ");
            if self.plain {
                eprintln!(
                    "bench: {case}: {:.2} times the best candidate",
                    value["chosen_over_best"].as_f64().unwrap_or(f64::NAN)
                );
            }
            self.bar.set_message(case);
        }
        if value["kind"] != "measurement" {
            return;
        }
        let case = ["operation", "element", "algorithm", "order", "device"].map(text).join(" ");
        let case = format!("{case} 2^{} x {}", text("log_len"), text("batch"));
        if self.plain {
            eprintln!("bench: {case}: {:.3e} s", value["seconds"].as_f64().unwrap_or(f64::NAN));
        }
        self.bar.set_message(case);
        self.bar.inc(1);
    }
}
