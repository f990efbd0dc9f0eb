//! One row: a job on more and more devices.

use std::time::Instant;

use manycore::device::DeviceSet;

pub(crate) type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// Runs of which the median counts.
const RUNS: usize = 5;

/// What is measured on.
pub(crate) struct Bench {
    /// One device, two, and so on.
    pub(crate) sets: Vec<DeviceSet>,
    /// The base-2 logarithm of the words of a large input.
    pub(crate) log_size: u32,
    /// A part of the names of the rows that are wanted.
    pub(crate) only: String,
}

impl Bench {
    /// Times `job` on each set, and prints a line for each. `bytes` cross a bus in each run, both ways together, and `prepare` makes
    /// what a run changes, outside of its time.
    ///
    /// # Errors
    /// Those of the job; results that differ.
    pub(crate) fn row<I, R: PartialEq>(
        &self,
        name: &str,
        bytes: u64,
        prepare: impl Fn() -> I,
        job: impl Fn(&DeviceSet, I) -> Fallible<R>,
    ) -> Fallible<()> {
        if !name.contains(&self.only) {
            return Ok(());
        }
        let (mut first, mut alone) = (None, 0.0);
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
            for _ in 0..RUNS {
                let (took, result) = timed()?;
                if first.as_ref() != Some(&result) {
                    return Err(format!("{name}: {} devices give another result", set.devices().len()).into());
                }
                seconds.push(took);
            }
            seconds.sort_by(f64::total_cmp);
            let median = seconds[RUNS / 2];
            if set.devices().len() == 1 {
                alone = median;
            }
            println!(
                "{{\"row\": \"{name}\", \"device\": \"{}\", \"devices\": {}, \"seconds\": {median:.6}, \"least\": {:.6}, \
                 \"most\": {:.6}, \"first\": {warming:.6}, \"times_one\": {:.3}, \"gigabytes_a_second\": {:.2}}}",
                set.devices()[0].info().name,
                set.devices().len(),
                seconds[0],
                seconds[RUNS - 1],
                alone / median,
                bytes as f64 / median / 1e9,
            );
            if let Some(failure) = set.failures().first() {
                return Err(format!("{name}: {failure}").into());
            }
        }
        Ok(())
    }
}
