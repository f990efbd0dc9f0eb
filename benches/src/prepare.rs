//! One case set up on a device: its check, its profile, and groups of runs to time.

use std::time::Instant;

use anyhow::Result;
use manycore_device::{Buffer, Device, DeviceKind, Kind};
use manycore_spectral::{Direction, Spectral, Walsh};

use crate::data::{self, Number};
use crate::walsh::{Case, Element, Form};
use crate::{baseline, verify};

/// What one run does.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// Bytes that its passes read and write, as they declare; on the host those of one pass.
    pub bytes: f64,
    /// Kernel launches.
    pub launches: u64,
    /// Wall seconds of bringing the values to the device and back.
    pub transfers: Option<(f64, f64)>,
}

/// A case that is ready to run.
pub trait Prepared {
    /// Runs it on fresh values and checks the result; returns the outcome and the method of the check.
    ///
    /// # Errors
    /// When the device fails.
    fn check(&mut self) -> Result<(bool, &'static str)>;

    /// What one run does.
    ///
    /// # Errors
    /// When the device fails.
    fn facts(&mut self) -> Result<Facts>;

    /// The most runs of one group: floating-point values must stay finite and normal.
    fn most_repeats(&self) -> usize;

    /// Seconds of `repeats` runs together, by the device's clock; restoring the values before is not counted.
    ///
    /// # Errors
    /// When the device fails.
    fn group(&mut self, repeats: usize) -> Result<f64>;
}

/// Sets a case up.
///
/// # Errors
/// When the device has too little memory or fails.
pub fn prepare(device: &Device, case: Case) -> Result<Box<dyn Prepared>> {
    Ok(match case.element {
        Element::F32 => work::<f32>(device, case)?,
        Element::F64 => work::<f64>(device, case)?,
        Element::I32 => work::<i32>(device, case)?,
        Element::I64 => work::<i64>(device, case)?,
    })
}

fn work<T: Number>(device: &Device, case: Case) -> Result<Box<dyn Prepared>> {
    Ok(Box::new(Work::<T> {
        case,
        spectral: Spectral::new(device),
        how: case.how(case.direction),
        input: data::values(case.len()),
        buffer: device.scratch(case.len())?,
        scratch: vec![T::default(); if case.form == Form::PlainGeometry { case.len() } else { 0 }],
        runs: usize::MAX,
    }))
}

struct Work<T: Number> {
    case: Case,
    spectral: Spectral,
    how: Walsh,
    input: Vec<T>,
    buffer: Buffer<T>,
    /// The second buffer of the plain constant geometry.
    scratch: Vec<T>,
    /// Runs since the values were restored.
    runs: usize,
}

impl<T: Number> Work<T> {
    fn restore(&mut self) -> Result<()> {
        self.buffer.write(&self.input)?;
        self.runs = 0;
        Ok(())
    }
}

/// One run.
fn run<T: Number>(
    case: &Case,
    spectral: &Spectral,
    how: &Walsh,
    buffer: &mut Buffer<T>,
    scratch: &mut [T],
) -> Result<()> {
    match (case.form, buffer.as_host_mut()) {
        (Form::PlainLoop, Some(x)) => baseline::cooley_tukey(x, case.log_len),
        (Form::PlainGeometry, Some(x)) => baseline::constant_geometry(x, scratch, case.log_len),
        _ => spectral.walsh(&mut *buffer, how)?,
    }
    Ok(())
}

impl<T: Number> Prepared for Work<T> {
    fn check(&mut self) -> Result<(bool, &'static str)> {
        let Self { case, spectral, how, buffer, scratch, input, .. } = self;
        buffer.write(input)?;
        let outcome = if case.direction == Direction::Inverse {
            // Its input is a spectrum that is checked.
            spectral.walsh(&mut *buffer, &case.how(Direction::Forward))?;
            let (right, _) = verify::spectra(case, &buffer.download()?)?;
            run(case, spectral, how, buffer, scratch)?;
            (right && buffer.download()? == *input, "a spectrum that is checked comes back, every value")
        } else {
            run(case, spectral, how, buffer, scratch)?;
            verify::spectra(case, &buffer.download()?)?
        };
        self.runs = usize::MAX;
        Ok(outcome)
    }

    fn facts(&mut self) -> Result<Facts> {
        let device = self.spectral.device().clone();
        let started = Instant::now();
        self.restore()?;
        device.finish()?;
        let up = started.elapsed().as_secs_f64();
        let Self { case, spectral, how, buffer, scratch, .. } = self;
        let (done, profile) = device.profile(|| run(case, spectral, how, buffer, scratch))?;
        done?;
        self.runs = 1;
        let transfers = if device.info().kind == DeviceKind::Host {
            None
        } else {
            let mut result = vec![T::default(); self.case.len()];
            let started = Instant::now();
            self.buffer.read_into(&mut result)?;
            Some((up, started.elapsed().as_secs_f64()))
        };
        let moved = profile.entries.iter().filter(|entry| matches!(entry.kind, Kind::Kernel | Kind::Copy | Kind::Fill));
        let bytes = moved.map(|entry| entry.bytes).sum::<u64>() as f64;
        // The host's passes go through its caches: only the first read and the last write are sure.
        let bytes = if device.info().kind == DeviceKind::Host { 2.0 * self.case.bytes() as f64 } else { bytes };
        Ok(Facts { bytes, launches: profile.launches() as u64, transfers })
    }

    fn most_repeats(&self) -> usize {
        // Two transforms multiply by 2^log_len, two inverses divide by it.
        let exponents = match self.case.element {
            Element::F32 => 126,
            Element::F64 => 1022,
            Element::I32 | Element::I64 => return 1 << 20,
        };
        2 * (exponents / self.case.log_len.max(1) as usize).max(1)
    }

    fn group(&mut self, repeats: usize) -> Result<f64> {
        if self.runs.saturating_add(repeats) > self.most_repeats() {
            self.restore()?;
        }
        self.runs += repeats;
        let Self { case, spectral, how, buffer, scratch, .. } = self;
        let device = spectral.device().clone();
        let (done, seconds) =
            device.elapsed(|| (0..repeats).try_for_each(|_| run(case, spectral, how, buffer, scratch)))?;
        done?;
        Ok(seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::prepare;
    use crate::walsh::{Case, Element, Form};
    use manycore_device::Device;
    use manycore_spectral::{Direction, Order};

    #[test]
    fn every_form_is_right_and_has_a_time() {
        let device = Device::host_with(1).unwrap();
        for (form, order) in [
            (Form::CooleyTukey, Order::Hadamard),
            (Form::Geometry, Order::Sequency),
            (Form::PlainLoop, Order::Hadamard),
            (Form::PlainGeometry, Order::Sequency),
        ] {
            for element in [Element::F32, Element::F64, Element::I32, Element::I64] {
                let direction = Direction::Forward;
                let case = Case { element, log_len: 9, log_batch: 1, order, direction, form };
                let mut work = prepare(&device, case).unwrap();
                assert!(work.check().unwrap().0, "{case}");
                assert!(work.group(3).unwrap() > 0.0);
                assert!(work.facts().unwrap().bytes >= 2.0 * case.bytes() as f64, "{case}");
                if !form.is_baseline() {
                    let mut inverse = prepare(&device, Case { direction: Direction::Inverse, ..case }).unwrap();
                    assert!(inverse.check().unwrap().0, "{case} inverse");
                }
            }
        }
    }
}
