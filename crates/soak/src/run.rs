//! The loop: a case for each seed, a line of JSON for each case, and a summary of all.

use std::any::Any;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use manycore::{Device, DeviceKind};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::compare::Found;
use crate::failure::Failure;
use crate::operations::{self, Operation};
use crate::random::Random;
use crate::site::{Limits, Site};

/// Limits that a third of the cases set to an OpenCL device, so that short inputs take as many passes as long ones elsewhere.
/// Groups of 256 items are what many kernels are built with.
const LIMITS: [Limits; 5] = [
    Limits { local_bytes: 1 << 10, group_limit: 256 },
    Limits { local_bytes: 2 << 10, group_limit: 256 },
    Limits { local_bytes: 4 << 10, group_limit: 256 },
    Limits { local_bytes: 8 << 10, group_limit: 256 },
    Limits { local_bytes: 32 << 10, group_limit: 256 },
];

/// How a case ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Both routes agree.
    Right,
    /// The routes differ, or there was an illegitimate error or a panic.
    Wrong,
    /// The device cannot do it, and said so.
    Refused,
}

/// The report of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The seed, hexadecimal.
    pub seed: String,
    /// The operation's name.
    pub operation: String,
    /// The device's id.
    pub device: String,
    /// Types, sizes, plan, and limits of the device.
    pub parameters: Map<String, Value>,
    /// What the result was compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route: Option<String>,
    /// Seconds that the case took, with the second route.
    pub seconds: f64,
    /// How it ended.
    pub outcome: Outcome,
    /// What is wrong, or the name of a legitimate error and the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The arguments that run the case again; of wrong ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<String>,
}

/// Counts of outcomes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// Cases that agree.
    pub right: u64,
    /// Cases that do not.
    pub wrong: u64,
    /// Cases that the device cannot do.
    pub refused: u64,
}

/// The last line.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The first seed, hexadecimal.
    pub first_seed: String,
    /// All cases.
    pub cases: u64,
    /// Seconds of all cases.
    pub seconds: f64,
    /// Counts by operation and device.
    pub operations: BTreeMap<String, BTreeMap<String, Counts>>,
    /// Legitimate errors by their names.
    pub refusals: BTreeMap<String, u64>,
    /// Seeds of the wrong cases, 100 at most.
    pub wrong: Vec<String>,
}

impl Summary {
    /// Whether nothing is wrong.
    pub fn is_right(&self) -> bool {
        self.wrong.is_empty()
    }

    fn add(&mut self, line: &Line) {
        self.cases += 1;
        self.seconds += line.seconds;
        let devices = self.operations.entry(line.operation.clone()).or_default();
        let counts = devices.entry(line.device.clone()).or_default();
        match line.outcome {
            Outcome::Right => counts.right += 1,
            Outcome::Wrong => {
                counts.wrong += 1;
                if self.wrong.len() < 100 {
                    self.wrong.push(line.seed.clone());
                }
            }
            Outcome::Refused => {
                counts.refused += 1;
                let reason = line.reason.as_deref().unwrap_or_default();
                let name = reason.split(':').next().unwrap_or_default();
                *self.refusals.entry(name.to_owned()).or_default() += 1;
            }
        }
    }
}

/// What to run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The devices, each for an equal part of the time.
    pub devices: Vec<Device>,
    /// The time for all of them.
    pub time: Duration,
    /// The first seed; each case has the next one.
    pub seed: u64,
    /// Bytes of the largest operand; by default a part of the memory.
    pub most_bytes: Option<u64>,
    /// Only operations whose name holds this text.
    pub only: String,
}

/// The time past which a running case is reported on standard error, so that its seed is known if the process has to be stopped.
const LONG: Duration = Duration::from_secs(30);

/// The case that runs: since when, and its seed and operation.
#[derive(Debug, Default)]
struct Watch(Mutex<Option<(Instant, String)>>);

impl Watch {
    fn set(&self, running: Option<(Instant, String)>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = running;
    }

    /// Tells each case once that takes long, until the watch is dropped elsewhere.
    fn tell(watch: &Weak<Self>) {
        let mut told = None;
        while let Some(watch) = watch.upgrade() {
            let running = watch.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if let Some((since, what)) = running
                && since.elapsed() > LONG
                && told != Some(since)
            {
                eprintln!("manycore-soak: {what} has run for {:.0} seconds", since.elapsed().as_secs_f64());
                told = Some(since);
            }
            drop(watch);
            std::thread::sleep(Duration::from_secs(1));
        }
    }
}

/// Devices with their contexts.
#[derive(Debug, Default)]
pub struct Soak {
    most_bytes: Option<u64>,
    corrupting: bool,
    sites: Vec<(Device, Site)>,
}

impl Soak {
    /// Limits operands to `most_bytes` bytes; by default to a part of the memory.
    pub fn new(most_bytes: Option<u64>) -> Self {
        Self { most_bytes, ..Self::default() }
    }

    /// The run with one wrong word in each result, to test that checks find it.
    #[must_use]
    pub fn corrupting(self) -> Self {
        Self { corrupting: true, ..self }
    }

    /// Runs until the time is over, and writes the lines and the summary.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn run(&mut self, settings: &Settings, out: &mut dyn Write) -> io::Result<Summary> {
        let mut summary = Summary { first_seed: hexadecimal(settings.seed), ..Summary::default() };
        let mut seed = settings.seed;
        let watch = Arc::new(Watch::default());
        let seen = Arc::downgrade(&watch);
        std::thread::spawn(move || Watch::tell(&seen));
        for device in &settings.devices {
            let end = Instant::now() + settings.time / settings.devices.len().max(1) as u32;
            while Instant::now() < end {
                let name = first_draws(device, seed).1.name;
                if name.contains(&settings.only) {
                    watch.set(Some((
                        Instant::now(),
                        format!("{name}, seed {}, {}", hexadecimal(seed), device.info().id),
                    )));
                    let line = self.case(device, seed);
                    write_line(out, &line)?;
                    summary.add(&line);
                }
                seed = seed.wrapping_add(1);
            }
            watch.set(None);
            self.sites.clear();
        }
        write_line(out, &summary)?;
        Ok(summary)
    }

    /// Runs the case of a seed.
    pub fn case(&mut self, device: &Device, seed: u64) -> Line {
        let (limits, operation, mut random) = first_draws(device, seed);
        let most_bytes = self.most_bytes.unwrap_or_else(|| default_bytes(device));
        let corrupting = self.corrupting;
        let known = self.sites.iter().position(|(known, site)| known == device && site.limits() == limits);
        let index = known.unwrap_or_else(|| {
            let site = Site::new(device, limits, most_bytes);
            self.sites.push((device.clone(), if corrupting { site.corrupting() } else { site }));
            self.sites.len() - 1
        });
        let site = &self.sites[index].1;
        let start = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| (operation.run)(&mut random, site)));
        let seconds = start.elapsed().as_secs_f64();
        if result.is_err() {
            site.forget();
        }
        let mut parameters = site.take_notes();
        if let Some(Limits { local_bytes, group_limit }) = limits {
            parameters.insert("local_bytes".into(), local_bytes.into());
            parameters.insert("group_limit".into(), group_limit.into());
        }
        let (outcome, route, reason) = told(result, limits.is_some());
        let id = device.info().id.clone();
        let again = format!("--case {} --device {id} --max-bytes {most_bytes}", hexadecimal(seed));
        Line {
            seed: hexadecimal(seed),
            operation: operation.name.to_owned(),
            device: id,
            parameters,
            route,
            seconds: (seconds * 1e6).round() / 1e6,
            outcome,
            reason,
            again: (outcome == Outcome::Wrong).then_some(again),
        }
    }

    /// Whether a result was corrupted since this was asked last.
    pub fn was_corrupted(&self) -> bool {
        self.sites.iter().fold(false, |any, (_, site)| site.was_corrupted() || any)
    }
}

/// What a seed draws first: the device's limits, and the operation; and what it draws on from.
fn first_draws(device: &Device, seed: u64) -> (Option<Limits>, &'static Operation, Random) {
    let mut random = Random::new(seed);
    let (limits, limited) = (random.pick(&LIMITS), random.once_in(3));
    let limits = (limited && device.info().kind != DeviceKind::Host).then_some(limits);
    let operation = operations::draw(&mut random);
    (limits, operation, random)
}

fn write_line(out: &mut dyn Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    writeln!(out)?;
    out.flush()
}

/// A seed as the lines have it.
pub fn hexadecimal(seed: u64) -> String {
    format!("{seed:#018x}")
}

/// Outcome, route and reason.
fn told(
    result: Result<Result<Found, Failure>, Box<dyn Any + Send>>,
    limited: bool,
) -> (Outcome, Option<String>, Option<String>) {
    match result {
        Ok(Ok(Found { route, fault: None })) => (Outcome::Right, Some(route.to_owned()), None),
        Ok(Ok(Found { route, fault: Some(fault) })) => (Outcome::Wrong, Some(route.to_owned()), Some(fault)),
        Ok(Err(failure)) => match failure.refusal(limited) {
            Some(name) => (Outcome::Refused, None, Some(format!("{name}: {failure}"))),
            None => (Outcome::Wrong, None, Some(format!("error: {failure}"))),
        },
        Err(payload) => (Outcome::Wrong, None, Some(format!("panic: {}", panic_message(&*payload)))),
    }
}

/// Where and why the last panic was, if [`keep_panics_quiet`] was called.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Silences the panic hook: the report's lines alone show panics, with their places.
pub fn keep_panics_quiet() {
    std::panic::set_hook(Box::new(|information| {
        *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = Some(information.to_string());
    }));
}

/// What a panic said.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> String {
    let last = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner).take();
    let text = || payload.downcast_ref::<&str>().map(ToString::to_string);
    last.or_else(text).or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without words".into())
}

/// Bytes of the largest operand: a sixteenth of a GPU's memory; of the host's a thirty-second, or a sixty-fourth where the
/// device takes from it too, and 256 MiB at most.
fn default_bytes(device: &Device) -> u64 {
    let (info, host) = (device.info(), Device::host().info().memory_bytes);
    match info.kind {
        DeviceKind::Gpu => (info.memory_bytes / 16).min(info.largest_allocation_bytes).min(host / 32),
        _ => (host / 64).min(256 << 20),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(seed: u64, milliseconds: u64) -> Settings {
        let devices = vec![Device::host()];
        Settings { devices, time: Duration::from_millis(milliseconds), seed, most_bytes: None, only: String::new() }
    }

    #[test]
    fn every_line_is_json_and_the_summary_counts_them() {
        let mut out = Vec::new();
        let summary = Soak::new(Some(1 << 16)).run(&settings(11, 400), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let (last, cases) = lines.split_last().unwrap();
        assert_eq!(serde_json::from_str::<Summary>(last).unwrap(), summary);
        assert_eq!(summary.cases, cases.len() as u64);
        assert!(!cases.is_empty());
        for line in cases {
            let line: Line = serde_json::from_str(line).unwrap();
            assert!(line.outcome != Outcome::Wrong, "{line:?}");
            assert!(line.outcome == Outcome::Refused || line.route.is_some());
        }
        assert!(summary.is_right());
    }

    #[test]
    fn a_seed_draws_the_same_case_again() {
        for seed in 0..40 {
            let [first, second] = [(); 2].map(|()| Soak::new(Some(1 << 14)).case(&Device::host(), seed));
            assert_eq!((first.parameters, first.route), (second.parameters, second.route), "{seed}");
        }
    }

    #[test]
    fn errors_and_panics_are_wrong_unless_legitimate() {
        let limited = |failure| told(Ok(Err(failure)), false).0;
        assert_eq!(limited(Failure::other("x")), Outcome::Wrong);
        let (outcome, _, reason) = told(Err(Box::new("no")), true);
        assert_eq!(outcome, Outcome::Wrong);
        assert!(reason.unwrap().starts_with("panic: "));
        let mut summary = Summary::default();
        let line = Soak::new(Some(1 << 10)).case(&Device::host(), 1);
        summary.add(&Line { outcome: Outcome::Wrong, ..line });
        assert!(!summary.is_right());
    }
}
