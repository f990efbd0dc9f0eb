//! Runs the cases on the devices, one after the other, and hands the lines out as they come.

use anyhow::Result;
use manycore_device::{Device, DeviceError, DeviceKind, Executor};
use manycore_spectral::SpectralError;

use crate::lines::{Environment, Line, Measurement, Skipped};
use crate::measure::{Effort, measure};
use crate::memory_rate::MemoryRate;
use crate::prepare::prepare;
use crate::solved::{self, Solved};
use crate::walsh::{self, Case, OPERATION, Profile};
use crate::{choices, environment, launches, matrices, modular, operations, paper, peers, polynomials, spectral};

/// A device and the cases to run on it.
#[derive(Debug)]
pub struct Plan {
    /// The device.
    pub device: Device,
    /// Host threads; `None` on OpenCL devices.
    pub threads: Option<u64>,
    /// The cases.
    pub cases: Vec<Case>,
    /// The cases of the other spectral transforms.
    pub spectral: Vec<spectral::Case>,
    /// The cases of modular arithmetic on the host.
    pub modular: Vec<modular::Case>,
    /// The cases on an OpenCL device.
    pub on_device: Vec<modular::DeviceCase>,
    /// The cases of other operations on polynomials.
    pub polynomials: Vec<polynomials::Case>,
    /// The cases of matrices.
    pub matrices: Vec<matrices::Case>,
    /// The cases of all other operations.
    pub operations: Vec<operations::Case>,
    /// Whether choices are judged here: on the host with the most threads and on one GPU.
    pub choices: bool,
    /// The cases of launches, on an OpenCL device.
    pub launches: Vec<launches::Case>,
}

impl Plan {
    /// What is to run, a line each.
    pub fn lines(&self) -> Vec<String> {
        let cases = self.cases.iter().map(ToString::to_string).chain(self.spectral.iter().map(ToString::to_string));
        let modular = self.modular.iter().map(ToString::to_string);
        let on_device = self.on_device.iter().map(ToString::to_string);
        let polynomials = self.polynomials.iter().map(ToString::to_string);
        let matrices = self.matrices.iter().map(ToString::to_string);
        let operations = self.operations.iter().map(ToString::to_string);
        let launches = self.launches.iter().map(ToString::to_string);
        let choices = self.choices.then(|| "choices of every operation".to_owned());
        cases
            .chain(modular)
            .chain(on_device)
            .chain(polynomials)
            .chain(matrices)
            .chain(operations)
            .chain(launches)
            .chain(choices)
            .collect()
    }
}

/// What is to run: the cases of `profile` whose names hold `filter`, on the devices that `specs` name as
/// [`Device::select`] takes them; without specs, on the host with all threads and with one, and on every OpenCL device.
///
/// # Errors
/// When a device is not there.
pub fn plan(profile: Profile, specs: &[String], filter: Option<&str>) -> Result<Vec<Plan>> {
    let mut devices: Vec<Device> = if specs.is_empty() {
        Device::all()
    } else {
        specs.iter().map(|spec| Device::select(spec)).collect::<Result<_, _>>()?
    };
    // The host stands for both of its forms, unless a number of threads was asked for.
    let threads_given = specs.iter().any(|spec| spec.trim().to_lowercase().starts_with("host:"));
    if let Some(all) = devices.iter().position(|device| *device == Device::host())
        && devices[all].info().compute_units > 1
        && !threads_given
    {
        devices.insert(all + 1, Device::host_with(1)?);
    }
    let plans = devices.into_iter().map(|device| {
        let kind = device.info().kind;
        let threads = (kind == DeviceKind::Host).then_some(device.info().compute_units.into());
        let fits = |name: String| filter.is_none_or(|text| name.contains(text));
        let cases = walsh::cases(profile, kind).into_iter();
        let cases = cases.filter(|case| case.concerns(kind, threads) && fits(case.to_string())).collect();
        let others = spectral::cases(profile, kind).into_iter();
        let spectral = others.filter(|case| case.concerns(kind, threads) && fits(case.to_string())).collect();
        let modular = if threads.is_some() { modular::cases(profile) } else { Vec::new() };
        let modular = modular.into_iter().filter(|case| fits(case.to_string())).collect();
        let on_device = modular::device::cases(profile, kind).into_iter();
        let on_device = on_device.filter(|case| fits(case.to_string())).collect();
        let polynomials = polynomials::cases(profile, kind).into_iter();
        let polynomials = polynomials.filter(|case| fits(case.to_string())).collect();
        let matrices = matrices::cases(profile, kind).into_iter();
        let matrices = matrices.filter(|case| fits(case.to_string())).collect();
        let operations = operations::cases(profile, kind).into_iter();
        let operations =
            operations.filter(|case| operations::concerns(profile, threads) && fits(case.to_string())).collect();
        let launches = launches::cases(kind).into_iter().filter(|case| fits(case.to_string())).collect();
        let choices = false;
        Plan {
            device,
            threads,
            cases,
            spectral,
            modular,
            on_device,
            polynomials,
            matrices,
            operations,
            choices,
            launches,
        }
    });
    let mut plans: Vec<Plan> = plans.collect();
    if filter.is_none_or(choices::are_named_in) {
        let mut judged = Vec::new();
        for plan in &mut plans {
            // The host with all threads comes before the one with a single one.
            let kind = plan.device.info().kind;
            plan.choices = choices::concerns(kind) && !judged.contains(&kind);
            judged.push(kind);
        }
    }
    plans.retain(|plan| !plan.lines().is_empty());
    Ok(plans)
}

/// The effort for the cases of a profile.
pub fn effort(profile: Profile) -> Effort {
    match profile {
        Profile::Quick => Effort { group_seconds: 8e-3, groups: 11, case_seconds: 0.7 },
        Profile::Standard => Effort { group_seconds: 2e-2, groups: 15, case_seconds: 2.0 },
        Profile::Full => Effort { group_seconds: 5e-2, groups: 21, case_seconds: 4.0 },
    }
}

/// What a run came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Cases measured.
    pub measured: usize,
    /// Cases left out because the device is too small.
    pub skipped: usize,
    /// Cases that failed.
    pub failed: usize,
    /// Cases whose result was wrong.
    pub wrong: usize,
}

impl Outcome {
    /// Counts a case of a device, and makes its line.
    fn line(&mut self, operation: &'static str, case: String, device: &str, result: Result<Measurement>) -> Line {
        let error = match result {
            Ok(measurement) => {
                self.measured += 1;
                self.wrong += usize::from(!measurement.verified);
                return Line::Measurement(Box::new(measurement));
            }
            Err(error) => error,
        };
        let no_memory = [is_out_of_memory, modular::device::is_out_of_memory, solved::is_out_of_memory];
        let reason = if no_memory.iter().any(|is| is(&error)) {
            self.skipped += 1;
            format!("{error:#}")
        } else {
            self.failed += 1;
            format!("failed: {error:#}")
        };
        Line::Skipped(Skipped { operation, case, device: device.to_owned(), reason })
    }

    /// Counts a case of the host, which other codes' lines stand before.
    fn lines(&mut self, operation: &'static str, case: String, device: &str, result: Result<Vec<Line>>) -> Vec<Line> {
        let lines = result.unwrap_or_else(|error| vec![self.line(operation, case, device, Err(error))]);
        for line in &lines {
            if let Line::Measurement(case) = line {
                self.measured += 1;
                self.wrong += usize::from(!case.verified);
            }
        }
        lines
    }

    /// Runs a case that other codes solve too, and counts it.
    fn solved(
        &mut self,
        plan: &Plan,
        case: &impl Solved,
        environment: &Environment,
        effort: Effort,
        rate: &mut MemoryRate,
        emit: &mut impl FnMut(Line),
    ) -> Result<()> {
        let (operation, name, device) = (case.operation(), case.to_string(), &plan.device.info().id);
        if case.on_device() {
            let result = solved::on_device(&plan.device, case, effort, rate);
            emit(self.line(operation, name, device, result));
        } else {
            let result = solved::on_host(&plan.device, environment, case, effort, rate);
            self.lines(operation, name, device, result).into_iter().for_each(emit);
        }
        if let Executor::OpenCl(cl) = plan.device.executor() {
            cl.trim()?;
        }
        Ok(())
    }
}

/// Runs `plans` and gives every line to `emit`.
///
/// # Errors
/// When a device's memory cannot be measured; a case that fails is a line and is counted.
pub fn run(plans: &[Plan], profile: Profile, filter: Option<&str>, mut emit: impl FnMut(Line)) -> Result<Outcome> {
    for peer in peers::figures::walsh() {
        emit(Line::Peer(peer));
    }
    for paper in paper::PLACES {
        emit(Line::Paper(paper.clone()));
    }
    let mut outcome = Outcome::default();
    let modular: Vec<modular::Case> = plans.iter().flat_map(|plan| plan.modular.clone()).collect();
    let on_device: Vec<modular::DeviceCase> = plans.iter().flat_map(|plan| plan.on_device.clone()).collect();
    modular::preface(&modular, &on_device).into_iter().for_each(&mut emit);
    let of_polynomials: Vec<polynomials::Case> = plans.iter().flat_map(|plan| plan.polynomials.clone()).collect();
    polynomials::preface(&of_polynomials).into_iter().for_each(&mut emit);
    let of_matrices: Vec<matrices::Case> = plans.iter().flat_map(|plan| plan.matrices.clone()).collect();
    matrices::preface(&of_matrices).into_iter().for_each(&mut emit);
    let is_on_host = |plan: &Plan| plan.threads.is_some() && !plan.operations.is_empty();
    operations::preface(plans.iter().any(is_on_host)).into_iter().for_each(&mut emit);
    let mut known: Vec<Environment> = Vec::new();
    let host_bytes = Device::host().info().memory_bytes;
    for plan in plans {
        let info = plan.device.info();
        let mut rate = MemoryRate::new(&plan.device);
        let seen = known.iter().position(|environment| environment.device == info.id);
        let index = seen.unwrap_or(known.len());
        if seen.is_none() {
            known.push(environment::of(&plan.device, &mut rate)?);
            emit(Line::Environment(known[index].clone()));
        }
        for case in &plan.cases {
            if let Some(reason) = case.obstacle(info, host_bytes) {
                let (case, device) = (case.to_string(), info.id.clone());
                emit(Line::Skipped(Skipped { operation: OPERATION, case, device, reason }));
                outcome.skipped += 1;
                continue;
            }
            let result = measured(plan, case, effort(profile), &mut rate);
            emit(outcome.line(OPERATION, case.to_string(), &info.id, result));
            if let Executor::OpenCl(cl) = plan.device.executor() {
                cl.trim()?;
            }
        }
        for case in &plan.spectral {
            if let Some(reason) = case.obstacle(info, host_bytes) {
                let (operation, case, device) = (case.operation(), case.to_string(), info.id.clone());
                emit(Line::Skipped(Skipped { operation, case, device, reason }));
                outcome.skipped += 1;
                continue;
            }
            let result = spectral::run(&plan.device, case, effort(profile), &mut rate);
            emit(outcome.line(case.operation(), case.to_string(), &info.id, result));
            if let Executor::OpenCl(cl) = plan.device.executor() {
                cl.trim()?;
            }
        }
        for case in &plan.modular {
            let result = modular::run(&plan.device, &known[index], case, effort(profile), &mut rate);
            outcome.lines(case.operation(), case.to_string(), &info.id, result).into_iter().for_each(&mut emit);
        }
        for case in &plan.polynomials {
            outcome.solved(plan, case, &known[index], effort(profile), &mut rate, &mut emit)?;
        }
        for case in &plan.matrices {
            outcome.solved(plan, case, &known[index], effort(profile), &mut rate, &mut emit)?;
        }
        for case in &plan.operations {
            let name = case.to_string();
            if plan.threads.is_some() {
                let result = operations::on_host(&plan.device, &known[index], case, effort(profile), &mut rate);
                outcome.lines(case.operation, name, &info.id, result).into_iter().for_each(&mut emit);
            } else {
                let result = operations::on_device(&plan.device, case, effort(profile), &mut rate);
                emit(outcome.line(case.operation, name, &info.id, result));
            }
            if let Executor::OpenCl(cl) = plan.device.executor() {
                cl.trim()?;
            }
        }
        for case in &plan.on_device {
            let result = modular::device::run(&plan.device, case, effort(profile), &mut rate);
            emit(outcome.line(case.operation(), case.to_string(), &info.id, result));
            if let Executor::OpenCl(cl) = plan.device.executor() {
                cl.trim()?;
            }
        }
        for case in &plan.launches {
            match launches::run(&plan.device, case) {
                Ok(line) => emit(Line::Launches(line)),
                Err(error) => {
                    let (case, device, reason) = (case.to_string(), info.id.clone(), format!("failed: {error:#}"));
                    emit(Line::Skipped(Skipped { operation: launches::OPERATION, case, device, reason }));
                    outcome.failed += 1;
                }
            }
        }
        if plan.choices {
            choices::run(&plan.device, plan.threads, profile, filter, &mut emit)?;
        }
    }
    Ok(outcome)
}

fn measured(plan: &Plan, case: &Case, effort: Effort, rate: &mut MemoryRate) -> Result<Measurement> {
    let floor_seconds = rate.floor_seconds(case.bytes())?;
    let mut work = prepare(&plan.device, *case)?;
    let (verified, note) = work.check()?;
    let facts = work.facts()?;
    let times = measure(effort, work.most_repeats(), |repeats| work.group(repeats))?;
    let host = plan.threads.is_some();
    let passes = (!host).then(|| facts.bytes / (2.0 * case.bytes() as f64));
    Ok(Measurement {
        operation: OPERATION,
        case: case.to_string(),
        device: plan.device.info().id.clone(),
        element: case.element.name(),
        size: None,
        order: case.order.name(),
        algorithm: case.algorithm(),
        log_len: case.log_len,
        batch: 1 << case.log_batch,
        threads: plan.threads,
        seconds: times.median,
        minimum: times.minimum,
        maximum: times.maximum,
        repeats: times.repeats,
        upload_seconds: facts.transfers.map(|(up, _)| up),
        download_seconds: facts.transfers.map(|(_, down)| down),
        floor_seconds,
        passes,
        pass_floor_seconds: passes.map(|passes| passes * floor_seconds),
        bytes: facts.bytes,
        operations: case.operations(),
        launches: (!host).then_some(facts.launches),
        verified,
        baseline: case.form.is_baseline(),
        note: if verified { note.to_owned() } else { format!("WRONG: {note}") },
    })
}

fn is_out_of_memory(error: &anyhow::Error) -> bool {
    let device = error.downcast_ref::<DeviceError>().or_else(|| match error.downcast_ref::<SpectralError>() {
        Some(SpectralError::Device(error)) => Some(error),
        _ => None,
    });
    matches!(device, Some(DeviceError::OutOfMemory { .. }))
}

#[cfg(test)]
mod tests {
    use super::{plan, run};
    use crate::lines::Line;
    use crate::walsh::Profile;

    #[test]
    fn a_filter_picks_cases_and_every_line_comes_after_its_device() {
        let plans = plan(Profile::Quick, &["host:1".into()], Some("walsh/f32/2^10/")).unwrap();
        assert_eq!(plans.iter().map(|plan| plan.cases.len()).collect::<Vec<_>>(), [2]);
        let mut kinds = Vec::new();
        let outcome = run(&plans, Profile::Quick, Some("walsh/f32/2^10/"), |line| match line {
            Line::Environment(_) => kinds.push("environment"),
            Line::Measurement(case) => {
                assert!(case.verified && case.minimum <= case.seconds && case.seconds <= case.maximum, "{case:?}");
                kinds.push("measurement");
            }
            Line::Skipped(skipped) => panic!("{skipped:?}"),
            Line::Peer(_) | Line::Paper(_) => {}
            other @ (Line::Sweep(_) | Line::Launches(_) | Line::Wait(_)) => panic!("not asked for: {other:?}"),
        })
        .unwrap();
        assert_eq!(kinds, ["environment", "measurement", "measurement"]);
        assert_eq!((outcome.measured, outcome.skipped, outcome.failed, outcome.wrong), (2, 0, 0, 0));
    }

    #[test]
    fn choices_are_judged_on_one_host() {
        let judged = |filter| {
            let plans = plan(Profile::Quick, &["host".into(), "host:1".into()], filter).unwrap();
            plans.iter().filter(|plan| plan.choices).map(|plan| plan.threads).collect::<Vec<_>>()
        };
        let all = Some(u64::from(manycore_device::Device::host().info().compute_units));
        assert_eq!((judged(None), judged(Some("choice/ntt"))), (vec![all], vec![all]));
        assert!(judged(Some("walsh/f32/2^10/")).is_empty());
    }

    #[test]
    fn an_unknown_device_is_an_error() {
        assert!(plan(Profile::Quick, &["no such device".into()], None).is_err());
        assert!(plan(Profile::Quick, &["host:1".into()], Some("no such case")).unwrap().is_empty());
    }
}
