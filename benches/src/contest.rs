//! Several codes on the same work on the host: the library first, all checked, then timed in turns.

use anyhow::Result;

use crate::lines::{Environment, Line, Measurement, Peer, Skipped};
use crate::measure::{Effort, Times, in_turns};
use crate::memory_rate::MemoryRate;

/// Somebody who does the work of a case.
pub struct Entrant {
    /// The code's name; empty for the library.
    pub name: String,
    /// Threads that it takes at most.
    pub threads: u64,
    /// Whether its result was right.
    pub verified: bool,
    /// Does the work once.
    pub run: Box<dyn FnMut() -> Result<()>>,
}

/// Facts of a case that are reported beside its times.
#[derive(Debug, Clone)]
pub struct Facts {
    /// The operation's name.
    pub operation: &'static str,
    /// The case's name.
    pub case: String,
    /// The element type.
    pub element: &'static str,
    /// The size in words, where it is no power of two alone.
    pub size: Option<String>,
    /// The size, as a power of two.
    pub log_len: u32,
    /// The order of the result.
    pub order: &'static str,
    /// The library's algorithm.
    pub algorithm: String,
    /// Bytes that are read and that are written, at least each.
    pub bytes: u64,
    /// Additions, subtractions and products.
    pub operations: f64,
    /// What the time cannot be below, where it is not that of the bytes.
    pub floor_seconds: Option<f64>,
    /// How results were checked.
    pub checked: &'static str,
}

/// Times the library and `others` in turns: lines of the other codes' times of this run, each beside ours in the measurement
/// that comes last. The time of a wrong result is not reported.
///
/// # Errors
/// When somebody fails, or the memory cannot be measured.
pub fn hold(
    facts: Facts,
    our_own: Entrant,
    others: Vec<Entrant>,
    environment: &Environment,
    effort: Effort,
    rate: &mut MemoryRate,
) -> Result<Vec<Line>> {
    let threads = our_own.threads;
    let (others, wrong): (Vec<_>, Vec<_>) = others.into_iter().partition(|entrant| entrant.verified);
    let mut lines: Vec<Line> = wrong
        .into_iter()
        .map(|entrant| {
            let (case, device) = (format!("{}: {}", facts.case, entrant.name), environment.device.clone());
            Line::Skipped(Skipped {
                operation: facts.operation,
                case,
                device,
                reason: "its result is wrong".to_owned(),
            })
        })
        .collect();
    let mut entrants: Vec<Entrant> = std::iter::once(our_own).chain(others).collect();
    let mut programs: Vec<_> = entrants.iter_mut().map(|entrant| entrant.run.as_mut() as _).collect();
    let times = in_turns(effort, &mut programs)?;
    let others = || entrants.iter().zip(&times).skip(1);
    lines.extend(others().map(|(entrant, times)| Line::Peer(peer(&facts, environment, threads, entrant, times))));
    let beside: String = others().map(|(entrant, theirs)| ratio(entrant, theirs, &times[0])).collect();
    let floor_seconds = match facts.floor_seconds {
        Some(seconds) => seconds,
        None => rate.floor_seconds(facts.bytes)?,
    };
    let (ours, times) = (&entrants[0], &times[0]);
    let wrong = if ours.verified { "" } else { "WRONG: " };
    lines.push(Line::Measurement(Box::new(Measurement {
        operation: facts.operation,
        device: environment.device.clone(),
        element: facts.element,
        size: facts.size,
        order: facts.order,
        algorithm: facts.algorithm,
        log_len: facts.log_len,
        batch: 1,
        threads: Some(threads),
        seconds: times.median,
        minimum: times.minimum,
        maximum: times.maximum,
        repeats: times.repeats,
        upload_seconds: None,
        download_seconds: None,
        floor_seconds,
        passes: None,
        pass_floor_seconds: None,
        bytes: 2.0 * facts.bytes as f64,
        operations: facts.operations,
        launches: None,
        verified: ours.verified,
        baseline: false,
        note: format!("{wrong}{}{beside}", facts.checked),
        case: facts.case,
    })));
    Ok(lines)
}

fn peer(facts: &Facts, environment: &Environment, threads: u64, entrant: &Entrant, times: &Times) -> Peer {
    let fewer = if entrant.threads == threads { String::new() } else { format!(", {}", counted(entrant.threads)) };
    Peer {
        operation: facts.operation,
        code: format!("{}{fewer}", entrant.name),
        machine: environment.name.clone(),
        class: "host",
        element: facts.element,
        size: facts.size.clone(),
        log_len: facts.log_len,
        batch: 1,
        threads: Some(threads),
        seconds: times.median,
        source: "this run, in turns with ours",
    }
}

fn counted(threads: u64) -> String {
    if threads == 1 { "1 thread".into() } else { format!("{threads} threads") }
}

/// What stands in our note about another code.
fn ratio(entrant: &Entrant, theirs: &Times, ours: &Times) -> String {
    let (factor, threads) = (theirs.median / ours.median, counted(entrant.threads));
    format!("; {}, {threads}: {:.3e} s, {factor:.2} times ours", entrant.name, theirs.median)
}
