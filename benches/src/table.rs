//! The lines as a table that grows on a terminal.

use crate::lines::{Line, Peer};

/// Prints lines for a reader; remembers the other codes' figures to set them beside ours.
#[derive(Debug, Default)]
pub struct Table {
    peers: Vec<Peer>,
    class: &'static str,
    machine: String,
}

impl Table {
    /// Nothing seen yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The text of a line; `None` where there is nothing to print.
    pub fn text(&mut self, line: &Line) -> Option<String> {
        match line {
            Line::Environment(e) => {
                (self.class, self.machine) = (e.class, e.name.clone());
                Some(format!(
                    "\n{}: {}, {}, {:.1} GB/s, commit {}, {}\n\
                     {:<64}{:>11}{:>11}{:>11}{:>11}{:>11}{:>11}{:>11}{:>11}",
                    e.device,
                    e.name,
                    e.driver,
                    e.copy_bytes_per_second * 1e-9,
                    if e.commit.is_empty() { "unknown" } else { &e.commit },
                    e.date,
                    "case",
                    "threads",
                    "time",
                    "floor",
                    "x floor",
                    "passes",
                    "Gvalues/s",
                    "right",
                    "best peer",
                ))
            }
            Line::Measurement(m) => {
                // The peers compute forward, to the order that costs them least.
                let plain =
                    matches!(m.order, "" | "hadamard" | "bit-reversed") && !m.baseline && !m.case.ends_with("/inverse");
                let peers = self.peers.iter().filter(|peer| {
                    plain
                        && peer.class == self.class
                        && peer.threads == m.threads
                        && (peer.operation, peer.element) == (m.operation, m.element)
                        && (peer.log_len, peer.batch, &peer.size) == (m.log_len, m.batch, &m.size)
                });
                // What this machine did counts before what others did elsewhere.
                let elsewhere = |peer: &Peer| peer.machine != self.machine;
                let best =
                    peers.min_by(|a, b| elsewhere(a).cmp(&elsewhere(b)).then_with(|| a.seconds.total_cmp(&b.seconds)));
                let values = f64::from(m.log_len).exp2() * m.batch as f64;
                Some(format!(
                    "{:<64}{:>11}{:>11}{:>11}{:>11.2}{:>11}{:>11.3}{:>11}{:>11}{}",
                    m.case,
                    m.threads.map_or("-".into(), |threads| threads.to_string()),
                    seconds(m.seconds),
                    if m.floor_seconds.is_nan() { "-".into() } else { seconds(m.floor_seconds) },
                    m.seconds / m.floor_seconds,
                    m.passes.map_or("-".into(), |passes| format!("{passes:.1}")),
                    values / m.seconds * 1e-9,
                    if m.verified { "yes" } else { "NO" },
                    best.map_or("-".into(), |peer| seconds(peer.seconds)),
                    best.map_or(String::new(), |peer| format!("  {} on {}", peer.code, peer.machine)),
                ))
            }
            Line::Skipped(s) => Some(format!("{:<64}left out: {}", s.case, s.reason)),
            Line::Peer(peer) => {
                self.peers.push(peer.clone());
                // Kept figures come before the first device, those of this run after it.
                (peer.machine == self.machine).then(|| {
                    let size = peer.size.clone().unwrap_or_else(|| format!("2^{}", peer.log_len));
                    let name = format!("  {} {size}: {}", peer.element, peer.code);
                    let threads = peer.threads.map_or("-".into(), |threads| threads.to_string());
                    format!("{name:<64}{threads:>11}{:>11}", seconds(peer.seconds))
                })
            }
            Line::Paper(_) | Line::Wait(_) => None,
            Line::Sweep(sweep) => {
                let (chosen, best) = (&sweep.points[sweep.chosen], &sweep.points[sweep.best]);
                Some(format!(
                    "{:<64}{:>11}  over the best {:.2}: {} takes {}, by {}; of {} of {} candidates {} takes {}",
                    sweep.case,
                    sweep.threads.map_or("-".into(), |threads| threads.to_string()),
                    sweep.chosen_over_best,
                    chosen.parameters,
                    seconds(chosen.measured_seconds),
                    sweep.chosen_by,
                    sweep.points.len(),
                    sweep.considered,
                    best.parameters,
                    seconds(best.measured_seconds),
                ))
            }
            Line::Launches(launches) => Some(format!(
                "{:<64}{:>11}  a launch takes {:.2} us, the bare calls {:.2} us (arguments set {:.2} us): {:+.2} us",
                launches.case,
                "-",
                launches.library_seconds * 1e6,
                launches.bare_seconds * 1e6,
                launches.set_seconds * 1e6,
                launches.added_seconds * 1e6,
            )),
        }
    }
}

/// Seconds with a unit and three digits.
fn seconds(value: f64) -> String {
    let (scaled, unit) = match value {
        v if v < 1e-6 => (v * 1e9, "ns"),
        v if v < 1e-3 => (v * 1e6, "us"),
        v if v < 1.0 => (v * 1e3, "ms"),
        v => (v, "s"),
    };
    let decimals = match scaled {
        v if v < 9.995 => 2,
        v if v < 99.95 => 1,
        _ => 0,
    };
    format!("{scaled:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::{Table, seconds};
    use crate::lines::Line;
    use crate::{environment, modular, peers};
    use manycore_device::Device;

    #[test]
    fn times_have_three_digits() {
        assert_eq!([8.52e-5, 1.8e-3, 2.0, 1.23e-7].map(seconds), ["85.2 us", "1.80 ms", "2.00 s", "123 ns"]);
    }

    #[test]
    fn a_peer_of_the_same_work_and_class_stands_beside_ours() {
        let device = Device::host_with(1).unwrap();
        let mut rate = crate::memory_rate::MemoryRate::new(&device);
        let environment = environment::of(&device, &mut rate).unwrap();
        let effort = crate::measure::Effort { group_seconds: 1e-4, groups: 3, case_seconds: 0.1 };
        let case = modular::Case { work: modular::Work::Transform, prime: modular::FFT_29, log_len: 10 };
        let mut measured = modular::run(&device, &environment, &case, effort, &mut rate).unwrap();
        let mut table = Table::new();
        for peer in peers::figures::ntt() {
            assert!(table.text(&Line::Peer(peer)).is_none());
        }
        table.text(&Line::Environment(environment));
        let text = table.text(&measured.pop().unwrap()).unwrap();
        assert!(text.contains("tfhe-ntt") && !text.contains("GPU-NTT"), "{text}");
    }
}
