//! S-boxes: linear approximations, differences, and the figures that follow from them.
//!
//! The linear approximation table has `W(a, b) = sum over x of (-1)^(a . x + b . S(x))` in row `a` (the input mask) and column
//! `b` (the output mask): the Walsh coefficients of the component functions. Tables of counts or biases are
//! `#{x : a . x = b . S(x)} - 2^(m-1) = W(a, b) / 2` (Sage's `absolute_bias`). The difference distribution table has
//! `#{x : S(x) + S(x + a) = b}` in row `a` (the input difference) and column `b` (the output difference).
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | the definitions: specification and oracle |
//! | `table` | S-boxes as values |
//! | `summary` | figures from the tables |
//! | `host`, `device` | the primitives of both: threads, and OpenCL kernels |
//! | `batch` | figures of many S-boxes, and of all components of one |
//! | [`cost`] | what the tables move, compute and launch, by plans that cut them |

mod batch;
mod convert;
pub mod cost;
mod device;
mod host;
pub mod reference;
mod summary;
mod table;

use std::ops::{Range, RangeBounds};

use manycore_arrays::range;
use manycore_device::{Buffer, Executor};
use manycore_tuning::{Asked, Choice, Operation, Proof, proof};

use crate::context::Boolean;
use crate::error::BooleanError;
use crate::tally::Tally;
pub use batch::{Outputs, SBoxes, linearities_over, nonlinearities_over, uniformities_over};
pub use summary::{DifferenceSummary, LinearSummary};
pub use table::SBox;

impl Boolean {
    /// Rows of the linear approximation table, `W(a, b)` for the input masks `a` in `rows` and all `2^n` output masks `b`, in
    /// the device's memory. A row is a Walsh transform of `2^n` integers.
    ///
    /// ```
    /// use manycore_boolean::{Boolean, SBox};
    /// use manycore_device::Device;
    /// let boolean = Boolean::new(&Device::from_env()?);
    /// let swap = SBox::from_values(vec![1, 0, 2, 3])?;
    /// assert_eq!(boolean.linear_table(&swap, 1..3)?.download()?, [0, 0, 0, -4, 0, 0, 4, 0]);
    /// assert_eq!(boolean.difference_table(&swap, 1..2)?.download()?, [0, 4, 0, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BooleanError::Rows`] for rows past `2^m`; [`BooleanError::Device`] for too little memory or a failure.
    pub fn linear_table(&self, sbox: &SBox, rows: impl RangeBounds<usize>) -> Result<Buffer<i32>, BooleanError> {
        self.linear_rows(sbox, &checked(sbox, &rows)?)
    }

    fn linear_rows(&self, sbox: &SBox, rows: &Range<usize>) -> Result<Buffer<i32>, BooleanError> {
        let mut out = self.device().zeros::<i32>(rows.len() * sbox.outputs())?;
        if rows.is_empty() {
            return Ok(out);
        }
        match self.device().executor() {
            Executor::Host(pool) => {
                let work = rows.len() * sbox.inputs();
                let out = out.host_mut()?;
                pool.step("boolean_preimages", 8 * work as u64, work as u64, || {
                    host::preimages(pool.team(), sbox, rows.start, out);
                });
            }
            Executor::OpenCl(cl) => {
                let values = self.device().upload(sbox.values())?;
                let place = (rows.start, rows.len());
                device::preimages(self, cl, &values, place, sbox.output_bits(), &mut out)?;
            }
        }
        self.transforms.walsh(&mut out, sbox.outputs())?;
        Ok(out)
    }

    /// Rows of the difference distribution table, for the input differences in `rows` and all `2^n` output differences, in the
    /// device's memory. A row takes `2^(m-1)` look-ups.
    ///
    /// # Errors
    /// As [`Boolean::linear_table`].
    pub fn difference_table(&self, sbox: &SBox, rows: impl RangeBounds<usize>) -> Result<Buffer<u32>, BooleanError> {
        self.difference_rows(sbox, &checked(sbox, &rows)?)
    }

    fn difference_rows(&self, sbox: &SBox, rows: &Range<usize>) -> Result<Buffer<u32>, BooleanError> {
        let len = rows.len() * sbox.outputs();
        match self.device().executor() {
            Executor::Host(pool) => {
                let mut out = self.device().zeros::<u32>(len)?;
                let table = out.host_mut()?;
                let operations = (rows.len() * sbox.inputs() / 2) as u64;
                pool.step("boolean_differences", 4 * len as u64, operations, || {
                    host::differences(pool.team(), sbox, rows.start, table);
                });
                Ok(out)
            }
            Executor::OpenCl(cl) => {
                let mut out = self.device().scratch::<u32>(len)?;
                if !rows.is_empty() {
                    device::differences(self, cl, sbox, (rows.start, rows.len()), &mut out)?;
                }
                Ok(out)
            }
        }
    }

    /// Rows of the boomerang connectivity table of a permutation, for the input differences in `rows` and all `2^n` output
    /// differences, in the device's memory: entry `(a, b)` counts the `x` with `S^-1(S(x) + b) + S^-1(S(x + a) + b) = a`. A row takes
    /// `2^(2n)` look-ups on an OpenCL device; on the host as many steps as its row of the difference table has squares, 3 `2^n` or
    /// so for a permutation without structure.
    ///
    /// ```
    /// use manycore_boolean::{Boolean, SBox};
    /// use manycore_device::Device;
    /// let boolean = Boolean::new(&Device::from_env()?);
    /// let cube = SBox::from_values(vec![0, 1, 3, 4, 5, 6, 7, 2])?;
    /// assert_eq!(boolean.boomerang_table(&cube, 1..2)?.download()?, [8, 2, 0, 2, 0, 2, 0, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BooleanError::Table`] of an S-box that is no permutation; as [`Boolean::linear_table`].
    pub fn boomerang_table(&self, sbox: &SBox, rows: impl RangeBounds<usize>) -> Result<Buffer<u32>, BooleanError> {
        let (rows, inverse) = (checked(sbox, &rows)?, sbox.inverse()?);
        let len = rows.len() * sbox.outputs();
        match self.device().executor() {
            Executor::Host(pool) => {
                let mut out = self.device().zeros::<u32>(len)?;
                let table = out.host_mut()?;
                pool.step("boolean_boomerangs", 4 * len as u64, 4 * len as u64, || {
                    host::boomerangs(pool.team(), sbox, rows.start, table);
                });
                Ok(out)
            }
            Executor::OpenCl(cl) => {
                let mut out = self.device().scratch::<u32>(len)?;
                device::boomerangs(self, cl, [sbox, &inverse], rows.start, &mut out)?;
                Ok(out)
            }
        }
    }

    /// Figures of the whole linear approximation table, computed in blocks of rows and never stored: `2^n` Walsh transforms of `2^m`
    /// integers.
    ///
    /// # Errors
    /// [`BooleanError::Device`].
    pub fn linear_summary(&self, sbox: &SBox) -> Result<LinearSummary, BooleanError> {
        let ask = |&bits: &cost::Bits| Ok(self.planner().ask(self.linear_operation(sbox), bits));
        self.linear_plans.run(self.device(), sbox.bits(), ask, |rows| self.linear_summary_in(sbox, 1 << rows.log))
    }

    /// Figures of the whole linear approximation table, computed in blocks of `rows` output masks, rounded to a power of two, instead of as
    /// many as the planner chooses.
    ///
    /// # Errors
    /// As [`Boolean::linear_summary`].
    pub fn linear_summary_in(&self, sbox: &SBox, rows: usize) -> Result<LinearSummary, BooleanError> {
        let rows_each = 1 << rows.clamp(1, sbox.outputs()).ilog2();
        let mut tally = Tally::new(self, sbox.inputs() as u64)?;
        let mut signs = self.device().scratch::<i32>(rows_each * sbox.inputs())?;
        // Rows are output masks here: the order of the sums of a histogram does not matter. There are a power of two of them.
        match self.device().executor() {
            Executor::Host(pool) => {
                for first in (0..sbox.outputs()).step_by(rows_each) {
                    let len = signs.len();
                    let out = signs.host_mut()?;
                    pool.step("boolean_components", 4 * len as u64, len as u64, || {
                        host::components(pool.team(), sbox, first, out);
                    });
                    self.transforms.walsh(&mut signs, sbox.inputs())?;
                    tally.add(&signs, len, sbox.input_bits(), first as u32)?;
                }
            }
            Executor::OpenCl(cl) => {
                let values = self.device().upload(sbox.values())?;
                for first in (0..sbox.outputs()).step_by(rows_each) {
                    let len = signs.len();
                    device::components(self, cl, &values, first, len, &mut signs)?;
                    self.transforms.walsh(&mut signs, sbox.inputs())?;
                    tally.add(&signs, len, sbox.input_bits(), first as u32)?;
                }
            }
        }
        let tallied = tally.finish()?;
        Ok(LinearSummary::new(sbox, tallied.histogram, tallied.best))
    }

    /// The numbers of rows of a block of the linear approximation table with their estimates, the chosen one first. Where the
    /// device's mode is [`TuningMode::Measure`](manycore_device::TuningMode::Measure), those that were not measured before are
    /// measured now.
    ///
    /// # Errors
    /// [`BooleanError::NoChoice`] where none fits the device.
    pub fn explain_linear(&self, sbox: &SBox) -> Result<Choice<cost::Rows>, BooleanError> {
        self.planner().choice(&self.linear_operation(sbox), &sbox.bits())
    }

    fn linear_operation<'a>(&'a self, sbox: &'a SBox) -> LinearTable<'a> {
        let memory_bytes = self.device().info().largest_allocation_bytes / 4;
        let costs = cost::LinearApproximations { on_host: self.planner().on_host(), memory_bytes };
        LinearTable { context: self, sbox, costs }
    }

    /// The numbers of counters in local memory for a row of the difference distribution table with their estimates, the chosen
    /// one first. Where the device's mode is [`TuningMode::Measure`](manycore_device::TuningMode::Measure), those that were not
    /// measured before are measured now. The host has one: all of a row.
    ///
    /// # Errors
    /// [`BooleanError::NoChoice`] where none fits the device.
    pub fn explain_differences(&self, sbox: &SBox) -> Result<Choice<cost::Counters>, BooleanError> {
        self.planner().choice(&self.difference_operation(sbox)?, &sbox.bits())
    }

    fn difference_operation<'a>(&'a self, sbox: &'a SBox) -> Result<DifferenceTable<'a>, BooleanError> {
        let costs = match self.device().executor() {
            Executor::Host(_) => cost::Differences { on_host: true, items: 1, local_bytes: 0, rows_at_once: 0 },
            Executor::OpenCl(cl) => device::counting(cl)?,
        };
        Ok(DifferenceTable { context: self, sbox, costs })
    }

    fn ask_differences<'a>(&'a self, sbox: &'a SBox) -> Result<Asked<'a, cost::Counters, BooleanError>, BooleanError> {
        Ok(self.planner().ask(self.difference_operation(sbox)?, sbox.bits()))
    }

    /// The counters in local memory that are taken for a row of differences.
    fn difference_counters(&self, sbox: &SBox) -> Result<cost::Counters, BooleanError> {
        self.difference_plans.plan(sbox.bits(), |_| self.ask_differences(sbox))
    }

    /// Figures of the whole difference distribution table, counted row by row and never stored: `2^(2m-1)` look-ups and
    /// `2^(m+n)` counters.
    ///
    /// # Errors
    /// [`BooleanError::Device`].
    pub fn difference_summary(&self, sbox: &SBox) -> Result<DifferenceSummary, BooleanError> {
        match self.device().executor() {
            Executor::Host(_) => self.difference_summary_with(sbox, sbox.output_bits()),
            Executor::OpenCl(_) => {
                let (ask, bits) = (|_: &_| self.ask_differences(sbox), sbox.bits());
                let run = |counters: &cost::Counters| self.difference_summary_with(sbox, counters.log);
                self.difference_plans.run(self.device(), bits, ask, run)
            }
        }
    }

    /// Figures of the whole difference distribution table, counted with `2^log_counters` counters in local memory, at most as many as there
    /// are output differences, instead of as many as the planner chooses. The host has all.
    ///
    /// # Errors
    /// As [`Boolean::difference_summary`]; [`BooleanError::Device`] where the device has not so much local memory.
    pub fn difference_summary_with(&self, sbox: &SBox, log_counters: u32) -> Result<DifferenceSummary, BooleanError> {
        let (halves, best) = match self.device().executor() {
            Executor::Host(pool) => {
                let operations = (sbox.inputs() * sbox.inputs() / 2) as u64;
                pool.step("boolean_differences", 0, operations, || host::difference_counts(pool.team(), sbox))
            }
            Executor::OpenCl(cl) => {
                device::difference_counts(self, cl, sbox, log_counters.clamp(1, sbox.output_bits()))?
            }
        };
        Ok(DifferenceSummary::new(sbox, &halves, best))
    }
}

/// Rows that the table has.
fn checked(sbox: &SBox, rows: &impl RangeBounds<usize>) -> Result<Range<usize>, BooleanError> {
    let Range { start, end } = range(rows, sbox.inputs());
    if start <= end && end <= sbox.inputs() {
        Ok(start..end)
    } else {
        Err(BooleanError::Rows { start, end, rows: sbox.inputs() })
    }
}

/// Pseudo-random outputs, which have all their bits in use.
fn known_sbox(bits: cost::Bits) -> Option<SBox> {
    let outputs = proof::known_below(1 << bits.output, 1).map(|output| output as u16);
    SBox::new(bits.output, outputs.take(1 << bits.input).collect()).ok()
}

/// The linear approximation table of an S-box.
struct LinearTable<'a> {
    context: &'a Boolean,
    sbox: &'a SBox,
    costs: cost::LinearApproximations,
}

impl Operation for LinearTable<'_> {
    type Costs = cost::LinearApproximations;
    type Trial = ();
    type Error = BooleanError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &Self::Costs {
        &self.costs
    }

    fn family(&self, bits: &cost::Bits) -> String {
        format!("boolean linear {} to {} bits", bits.input, bits.output)
    }

    fn sizes(&self, _: &cost::Bits) -> Vec<usize> {
        Vec::new()
    }

    fn trial(&self, _: &cost::Bits) -> Result<(), BooleanError> {
        Ok(())
    }

    fn try_plan(&self, _: &cost::Bits, (): &mut (), rows: &cost::Rows) -> Result<(), BooleanError> {
        self.context.linear_summary_in(self.sbox, 1 << rows.log).map(drop)
    }

    fn proof(&self, bits: &cost::Bits, rows: &cost::Rows) -> Result<Proof, BooleanError> {
        let operations = u64::from(bits.input) << (bits.input + bits.output);
        if !proof::is_small(1 << bits.input, operations) {
            return Ok(Proof::TooLarge);
        }
        let Some(sbox) = known_sbox(*bits) else { return Ok(Proof::TooLarge) };
        let expected = Boolean::new(&proof::host()).linear_summary(&sbox)?;
        Ok(Proof::of_values(&self.context.linear_summary_in(&sbox, 1 << rows.log)?, &expected))
    }
}

/// The difference distribution table of an S-box.
struct DifferenceTable<'a> {
    context: &'a Boolean,
    sbox: &'a SBox,
    costs: cost::Differences,
}

impl Operation for DifferenceTable<'_> {
    type Costs = cost::Differences;
    type Trial = ();
    type Error = BooleanError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &Self::Costs {
        &self.costs
    }

    fn family(&self, bits: &cost::Bits) -> String {
        format!("boolean differences {} to {} bits", bits.input, bits.output)
    }

    fn sizes(&self, _: &cost::Bits) -> Vec<usize> {
        Vec::new()
    }

    fn trial(&self, _: &cost::Bits) -> Result<(), BooleanError> {
        Ok(())
    }

    fn try_plan(&self, _: &cost::Bits, (): &mut (), counters: &cost::Counters) -> Result<(), BooleanError> {
        self.context.difference_summary_with(self.sbox, counters.log).map(drop)
    }

    fn proof(&self, bits: &cost::Bits, counters: &cost::Counters) -> Result<Proof, BooleanError> {
        if !proof::is_small(1 << bits.input, 1 << (2 * bits.input - 1)) {
            return Ok(Proof::TooLarge);
        }
        let Some(sbox) = known_sbox(*bits) else { return Ok(Proof::TooLarge) };
        let expected = Boolean::new(&proof::host()).difference_summary(&sbox)?;
        Ok(Proof::of_values(&self.context.difference_summary_with(&sbox, counters.log)?, &expected))
    }
}
