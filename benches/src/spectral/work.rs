//! One case set up on a device: its runs, and the check of its result.

use std::time::Instant;

use anyhow::Result;
use manycore_device::{Buffer, Device, DeviceKind, Kind, Word};
use manycore_spectral::{
    Algorithm, Arithmetic, BitOrder, Bits, Direction, Haar, HaarOrder, ReedMuller, Spectral, SpectralError,
};

use super::check;
use super::{Case, Transform};
use crate::baseline;
use crate::data::{self, Number};
use crate::prepare::{Facts, Prepared};
use crate::verify::Told;
use crate::walsh::Form;

/// The library's transform in a direction.
type Library<T> = Box<dyn Fn(&Spectral, &mut Buffer<T>, Direction) -> Result<(), SpectralError>>;
/// A plain form, with its second buffer.
type Plain<T> = fn(&mut [T], &mut [T], u32);

struct Work<T: Word> {
    case: Case,
    spectral: Spectral,
    input: Vec<T>,
    buffer: Buffer<T>,
    scratch: Vec<T>,
    library: Library<T>,
    /// The plain form, in cases of one.
    plain: Option<Plain<T>>,
    right: fn(Case, &[T]) -> Result<Told>,
    /// Runs since the values were restored.
    runs: usize,
}

/// Sets a case up.
///
/// # Errors
/// When the device has too little memory or fails.
pub fn prepare(device: &Device, case: Case) -> Result<Box<dyn Prepared>> {
    Ok(match case.transform {
        Transform::ReedMullerU8 => reed_muller::<u8>(device, case)?,
        Transform::ReedMullerI32 => reed_muller::<i32>(device, case)?,
        Transform::ReedMullerPacked => {
            let library: Library<u64> = Box::new(move |spectral, x, direction| {
                spectral.reed_muller_packed(x, case.log_len, &ReedMuller::new().direction(direction))
            });
            work(device, case, data::words(1 << (case.log_len - 6)), library, [None; 2], check::packed)?
        }
        Transform::ArithmeticI32 => arithmetic::<i32>(device, case)?,
        Transform::ArithmeticI64 => arithmetic::<i64>(device, case)?,
        Transform::HaarF32 => haar::<f32>(device, case)?,
        Transform::HaarI32 => haar::<i32>(device, case)?,
    })
}

/// The order of Reed-Muller and arithmetic spectra, the algorithm, and the steps of a pass where they are bounded.
fn way(case: Case) -> (BitOrder, Algorithm, Option<u32>) {
    match case.form {
        Form::CooleyTukey | Form::PlainLoop => (BitOrder::Natural, Algorithm::CooleyTukey, None),
        Form::Geometry | Form::PlainGeometry => (BitOrder::Reversed, Algorithm::ConstantGeometry, None),
        Form::GeometrySteps => (BitOrder::Reversed, Algorithm::ConstantGeometry, Some(1)),
    }
}

fn reed_muller<T: Bits + From<u8>>(device: &Device, case: Case) -> Result<Box<dyn Prepared>> {
    let (order, algorithm, steps) = way(case);
    let how = ReedMuller::new().order(order).algorithm(algorithm);
    let how = steps.map_or(how.clone(), |steps| how.steps_per_pass(steps));
    let library: Library<T> =
        Box::new(move |spectral, x, direction| spectral.reed_muller(x, &how.clone().direction(direction)));
    let plain: [Option<Plain<T>>; 2] = [
        Some(|x, _, log_len| baseline::in_place(x, log_len, |u, v| (u, u.exclusive_or(v)))),
        Some(|x, scratch, log_len| baseline::geometry(x, scratch, log_len, |u, v, _| (u, u.exclusive_or(v)))),
    ];
    let input = (0..1_u64 << case.log_len).map(|index| T::from(u8::from(data::bit(index)))).collect();
    work(device, case, input, library, plain, check::reed_muller)
}

fn arithmetic<T: Number>(device: &Device, case: Case) -> Result<Box<dyn Prepared>> {
    let (order, algorithm, steps) = way(case);
    // Runs go on from the results of those before, whose integers wrap.
    let how = Arithmetic::new().wrapping().order(order).algorithm(algorithm);
    let how = steps.map_or(how.clone(), |steps| how.steps_per_pass(steps));
    let library: Library<T> =
        Box::new(move |spectral, x, direction| spectral.arithmetic(x, &how.clone().direction(direction)));
    let plain: [Option<Plain<T>>; 2] = [
        Some(|x, _, log_len| baseline::in_place(x, log_len, |u, v: T| (u, v.minus(u)))),
        Some(|x, scratch, log_len| baseline::geometry(x, scratch, log_len, |u, v: T, _| (u, v.minus(u)))),
    ];
    work(device, case, data::values(1 << case.log_len), library, plain, check::arithmetic)
}

fn haar<T: Number>(device: &Device, case: Case) -> Result<Box<dyn Prepared>> {
    let how = Haar::new().wrapping().order(if case.is_in_place() { HaarOrder::InPlace } else { HaarOrder::Standard });
    let library: Library<T> =
        Box::new(move |spectral, x, direction| spectral.haar(x, &how.clone().direction(direction)));
    let plain: [Option<Plain<T>>; 2] = [
        Some(|x, _, log_len| baseline::haar_in_place(x, log_len)),
        Some(|x, scratch, log_len| {
            let (spectrum, sums) = scratch.split_at_mut(x.len());
            baseline::haar_geometry(x, spectrum, sums, log_len);
        }),
    ];
    work(device, case, data::values(1 << case.log_len), library, plain, check::haar)
}

fn work<T: Word + Copy + Default + PartialEq + Send + Sync + 'static>(
    device: &Device,
    case: Case,
    input: Vec<T>,
    library: Library<T>,
    [in_place, geometry]: [Option<Plain<T>>; 2],
    right: fn(Case, &[T]) -> Result<Told>,
) -> Result<Box<dyn Prepared>> {
    let plain = match case.form {
        Form::PlainLoop => in_place,
        Form::PlainGeometry => geometry,
        _ => None,
    };
    let scratch = match case.form {
        Form::PlainGeometry if case.transform.is_haar() => 3 * input.len(),
        Form::PlainGeometry => input.len(),
        _ => 0,
    };
    Ok(Box::new(Work {
        case,
        spectral: Spectral::new(device),
        buffer: device.scratch(input.len())?,
        scratch: vec![T::default(); scratch],
        input,
        library,
        plain,
        right,
        runs: usize::MAX,
    }))
}

impl<T: Word + Copy + Default + PartialEq + Send + Sync> Work<T> {
    fn restore(&mut self) -> Result<()> {
        self.buffer.write(&self.input)?;
        self.runs = 0;
        Ok(())
    }

    /// One run.
    fn run(&mut self) -> Result<()> {
        if let (Some(plain), Some(x)) = (self.plain, self.buffer.as_host_mut()) {
            plain(x, &mut self.scratch, self.case.log_len);
            return Ok(());
        }
        let direction = if self.case.inverse { Direction::Inverse } else { Direction::Forward };
        Ok((self.library)(&self.spectral, &mut self.buffer, direction)?)
    }

    fn is_input(&self) -> Result<bool> {
        Ok(self.buffer.download()? == self.input)
    }
}

impl<T: Word + Copy + Default + PartialEq + Send + Sync> Prepared for Work<T> {
    fn check(&mut self) -> Result<(bool, &'static str)> {
        self.restore()?;
        self.runs = usize::MAX;
        if self.case.inverse && self.case.transform.is_haar() {
            // Only spectra come back, so the transform goes before its inverse.
            (self.library)(&self.spectral, &mut self.buffer, Direction::Forward)?;
            let (right, how) = (self.right)(self.case, &self.buffer.download()?)?;
            self.run()?;
            return Ok((right && self.is_input()?, how));
        }
        self.run()?;
        if self.plain.is_some() && self.case.transform.is_haar() && !self.scratch.is_empty() {
            // The plain constant geometry leaves its values alone.
            return (self.right)(self.case, &self.scratch[..self.input.len()]);
        }
        let (right, how) = (self.right)(self.case, &self.buffer.download()?)?;
        let back = if self.case.inverse { Direction::Forward } else { Direction::Inverse };
        (self.library)(&self.spectral, &mut self.buffer, back)?;
        Ok((right && self.is_input()?, how))
    }

    fn facts(&mut self) -> Result<Facts> {
        let device = self.spectral.device().clone();
        let started = Instant::now();
        self.restore()?;
        device.finish()?;
        let up = started.elapsed().as_secs_f64();
        let (done, profile) = device.profile(|| self.run())?;
        done?;
        self.runs = 1;
        if device.info().kind == DeviceKind::Host {
            // Its passes go through its caches: only the first read and the last write are sure.
            return Ok(Facts { bytes: 2.0 * self.case.bytes() as f64, launches: 0, transfers: None });
        }
        let mut result = vec![T::default(); self.input.len()];
        let started = Instant::now();
        self.buffer.read_into(&mut result)?;
        let transfers = Some((up, started.elapsed().as_secs_f64()));
        let moved = profile.entries.iter().filter(|entry| matches!(entry.kind, Kind::Kernel | Kind::Copy | Kind::Fill));
        let bytes = moved.map(|entry| entry.bytes).sum::<u64>() as f64;
        Ok(Facts { bytes, launches: profile.launches() as u64, transfers })
    }

    fn most_repeats(&self) -> usize {
        // A Haar transform multiplies numbers by 2^log_len at most; integers and bits may wrap.
        if self.case.transform == Transform::HaarF32 {
            (126 / self.case.log_len.max(1) as usize).max(1)
        } else {
            1 << 20
        }
    }

    fn group(&mut self, repeats: usize) -> Result<f64> {
        if self.runs.saturating_add(repeats) > self.most_repeats() {
            self.restore()?;
        }
        self.runs += repeats;
        let device = self.spectral.device().clone();
        let (done, seconds) = device.elapsed(|| (0..repeats).try_for_each(|_| self.run()))?;
        done?;
        Ok(seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_right_and_has_a_time() {
        let device = Device::host_with(1).unwrap();
        let transforms = [
            Transform::ReedMullerU8,
            Transform::ReedMullerI32,
            Transform::ReedMullerPacked,
            Transform::ArithmeticI32,
            Transform::ArithmeticI64,
            Transform::HaarF32,
            Transform::HaarI32,
        ];
        for transform in transforms {
            for form in [Form::CooleyTukey, Form::Geometry, Form::PlainLoop, Form::PlainGeometry] {
                if transform == Transform::ReedMullerPacked && form != Form::CooleyTukey {
                    continue;
                }
                let case = Case { transform, log_len: 9, form, inverse: false };
                let mut work = prepare(&device, case).unwrap();
                assert!(work.check().unwrap().0, "{case}");
                assert!(work.group(3).unwrap() > 0.0);
                assert!(work.facts().unwrap().bytes >= 2.0 * case.bytes() as f64, "{case}");
                if !form.is_baseline() {
                    let mut inverse = prepare(&device, Case { inverse: true, ..case }).unwrap();
                    assert!(inverse.check().unwrap().0, "{case} inverse");
                }
            }
        }
    }
}
