//! One row: a job on more and more devices.

use std::time::Instant;

use manycore::device::DeviceSet;

pub(crate) type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// Runs before those that count, at most: the first ones compile kernels, and may compare plans.
const WARMING: usize = 3;

/// What is measured on.
pub(crate) struct Bench {
    /// One device, two, and so on.
    pub(crate) sets: Vec<DeviceSet>,
    /// The base-2 logarithm of the words of a large input.
    pub(crate) log_size: u32,
    /// Runs of which the median counts, at least 1.
    pub(crate) runs: usize,
    /// A part of the names of the rows that are wanted, or `=` and a name.
    pub(crate) only: String,
}

/// What a run moves.
#[derive(Clone, Copy)]
pub(crate) struct Bytes {
    /// Between host and devices, both ways together.
    pub(crate) bus: u64,
    /// Between hosts, if there were many: a name of the exchange that predictions know, and its bytes.
    pub(crate) exchange: Option<(&'static str, u64)>,
}

/// Bytes that cross a bus alone: hosts exchange nothing.
pub(crate) fn alone(bus: u64) -> Bytes {
    Bytes { bus, exchange: None }
}

impl Bench {
    /// Whether a row is asked for.
    pub(crate) fn wants(&self, name: &str) -> bool {
        self.only.strip_prefix('=').map_or_else(|| name.contains(&self.only), |whole| name == whole)
    }

    /// Times `job` on each set, and prints a line for each; `prepare` makes what a run changes, outside of its time.
    ///
    /// # Errors
    /// Those of the job; results that differ.
    pub(crate) fn row<I, R: PartialEq>(
        &self,
        name: &str,
        bytes: Bytes,
        prepare: impl Fn() -> I,
        job: impl Fn(&DeviceSet, I) -> Fallible<R>,
    ) -> Fallible<()> {
        if !self.wants(name) {
            return Ok(());
        }
        let (mut first, mut one) = (None, 0.0);
        let unmeasured = WARMING.min(self.runs);
        for set in &self.sets {
            let timed = || {
                let input = prepare();
                let begun = Instant::now();
                let result = job(set, input)?;
                Fallible::Ok((begun.elapsed().as_secs_f64(), result))
            };
            let (warming, result) = timed()?;
            if first.as_ref().is_some_and(|first| *first != result) {
                return Err(format!("{name}: {} devices give another result", set.devices().len()).into());
            }
            first = first.or(Some(result));
            let mut seconds = Vec::new();
            for run in 1..unmeasured + self.runs {
                let (took, result) = timed()?;
                if first.as_ref() != Some(&result) {
                    return Err(format!("{name}: {} devices give another result", set.devices().len()).into());
                }
                if run >= unmeasured {
                    seconds.push(took);
                }
            }
            seconds.sort_by(f64::total_cmp);
            let median = seconds[seconds.len() / 2];
            if set.devices().len() == 1 {
                one = median;
            }
            println!(
                "{{\"row\": \"{name}\", \"device\": \"{}\", \"devices\": {}, \"seconds\": {median:.6}, \"least\": {:.6}, \
                 \"most\": {:.6}, \"first\": {warming:.6}, \"times_one\": {:.3}, \"bus_bytes\": {}, \"exchange\": \"{}\", \
                 \"exchanged_bytes\": {}}}",
                set.devices()[0].info().name,
                set.devices().len(),
                seconds[0],
                seconds[seconds.len() - 1],
                one / median,
                bytes.bus,
                bytes.exchange.map_or("none", |(name, _)| name),
                bytes.exchange.map_or(0, |(_, bytes)| bytes),
            );
            if let Some(failure) = set.failures().first() {
                return Err(format!("{name}: {failure}").into());
            }
        }
        Ok(())
    }
}
