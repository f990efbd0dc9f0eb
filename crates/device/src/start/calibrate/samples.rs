//! Repeated measurements, and how far they lie from each other.

use std::time::{Duration, Instant};

use manycore_model::fit::{self, Summary};

/// Runs of a measurement.
pub(super) const RUNS: usize = 5;
/// The number of runs once a calibration has taken long.
const LATE_RUNS: usize = 3;
/// The spread above which a measurement is repeated, while there is time.
const STEADY: f64 = 0.05;
/// The time after the begin of a calibration up to which measurements are repeated.
const RETRIES_END: Duration = Duration::from_secs(1);
/// Seconds below which no run is taken for: a clock that stands still makes no rate infinite.
const LEAST_SECONDS: f64 = 1e-9;

/// The measurements of a calibration: its begin, and the worst spread so far.
#[derive(Debug)]
pub(super) struct Samples {
    start: Instant,
    spread: f64,
}

impl Samples {
    /// No measurements yet.
    pub(super) fn new() -> Self {
        Self { start: Instant::now(), spread: 0.0 }
    }

    /// The worst spread of all measurements: the median distance from the median, as a part of it.
    pub(super) fn spread(&self) -> f64 {
        self.spread
    }

    /// Time since the calibration began.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether an unsteady measurement may be repeated.
    fn has_time(&self) -> bool {
        self.elapsed() < RETRIES_END
    }

    /// Seconds of several runs, which `take` gives for a number of runs: the steadiest of up to three such
    /// measurements.
    ///
    /// # Errors
    /// Those of `take`.
    pub(super) fn measure<E>(&mut self, mut take: impl FnMut(usize) -> Result<Vec<f64>, E>) -> Result<Summary, E> {
        let mut best: Option<Summary> = None;
        for _ in 0..3 {
            let mut seconds = take(if self.has_time() { RUNS } else { LATE_RUNS })?;
            for seconds in &mut seconds {
                *seconds = seconds.max(LEAST_SECONDS);
            }
            if let Some(found) = fit::summary(&seconds)
                && best.as_ref().is_none_or(|best| found.spread < best.spread)
            {
                best = Some(found);
            }
            if best.as_ref().is_some_and(|best| best.spread < STEADY) || !self.has_time() {
                break;
            }
        }
        let best = best.unwrap_or(Summary { median: LEAST_SECONDS, spread: f64::INFINITY, least: LEAST_SECONDS });
        self.spread = self.spread.max(best.spread);
        Ok(best)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn the_steadiest_measurement_counts_and_the_worst_spread_is_told() {
        let mut samples = Samples::new();
        let mut turn = 0;
        let Ok(found) = samples.measure(|runs| {
            assert!(runs == RUNS || runs == LATE_RUNS);
            turn += 1;
            Ok::<_, Infallible>(if turn == 1 { vec![1.0, 2.0, 4.0] } else { vec![3.0, 3.0, 3.3] })
        });
        // On a machine so slow that there is no time left, the first one counts.
        let median = [2.0f64, 3.0][turn - 1];
        assert_eq!(found.median.to_bits(), median.to_bits());
        assert_eq!(samples.spread().to_bits(), found.spread.to_bits());
        let Ok(found) = samples.measure(|_| Ok::<_, Infallible>(vec![0.0; 3]));
        assert!(found.least > 0.0, "no rate is infinite");
        assert_eq!(samples.measure(|_| Err("failed")), Err("failed"));
    }
}
