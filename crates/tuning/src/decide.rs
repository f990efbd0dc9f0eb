//! One choice: a known one, else a measured one where the device's mode says so, else the best estimate.

use manycore_device::timing;
use manycore_device::waits::{self, Waiting};
use manycore_device::{DeviceError, DeviceInfo, DeviceKind, Executor, TuningMode, uncontrolled};
use manycore_model::Machine;

use crate::choose::{Candidate, Choice, Contending, Costed, NoChoice, Origin, TuningCost, Watch, choose};
use crate::key::{Key, TuningTask};
use crate::known::{self, Trials};
use crate::measure::{Turn, contenders, contends, cost, measure};
use crate::planner::Planner;

/// Candidates of one choice that may get a trial, at most.
const MOST_WATCHED: usize = 8;

/// Why there is no choice.
#[derive(Debug)]
pub(crate) enum NoPlan<P> {
    /// No candidate fits.
    Fits(NoChoice),
    /// Each candidate gives wrong results: the one that would be chosen, with what is wrong.
    IsRight(P, String),
}

impl Planner {
    /// The choice among an operation's candidates for `size`: a known one where the mode lets it count, else a measured one
    /// where the mode says so, else the best estimate.
    ///
    /// `run` does the work of one candidate once, on data of its own, and may enqueue it; it is called only to measure. A
    /// candidate whose run fails is no choice: the operation itself tells the error where no other is left. Threads measure one
    /// after the other; whoever waits for a measurement holds no lock but that. Candidates that are `wrong` on the device are left
    /// out. `building` tells the seconds in which the kernels of a candidate are built, 0 of those that were built before.
    ///
    /// # Errors
    /// [`NoPlan`].
    pub(crate) fn choose<C: Costed, E: From<DeviceError>>(
        &self,
        operation: &C,
        size: &C::Size,
        task: &TuningTask,
        (wrong, building): (impl Fn(&C::Parameters) -> Option<String>, impl Fn(&Candidate<C::Parameters>) -> f64),
        mut run: impl FnMut(&C::Parameters) -> Result<(), E>,
    ) -> Result<Choice<C::Parameters>, NoPlan<C::Parameters>> {
        let mut choice = match self.larger_machine() {
            Some(machine) => choose(operation, size, &machine),
            None => choose(operation, size, self.machine()),
        }
        .map_err(NoPlan::Fits)?;
        choice.leave_out(wrong).map_err(|(plan, difference)| NoPlan::IsRight(plan, difference))?;
        let is_tuned = self.device().info().kind != DeviceKind::Cpu;
        if choice.candidates().len() == 1 || !is_tuned {
            return Ok(choice);
        }
        let best = choice.best().parameters.clone();
        let may_stand = |other: &C::Parameters| operation.gives_same_bits(size, &best, other);
        let mut contenders = contenders(&choice, may_stand);
        choice.tuning_cost = cost(&choice, &contenders);
        if self.mode() == TuningMode::Estimate || contenders.len() < 2 {
            return Ok(choice);
        }
        let (key, revision) = (Key::of(task), task.revision);
        let names = Names { operation, size, may_stand: &may_stand };
        if self.mode() == TuningMode::Kept {
            if !self.take_kept(&mut choice, &names, &key, revision, Trials::Count) {
                self.take_shipped(&mut choice, &names, &key);
                self.watch(&mut choice, &names, (key, revision), (self.device().info(), &building));
            }
            return Ok(choice);
        }
        // What stands where nothing is measured is measured, too.
        let default = self.shipped(&choice, &names, &key).map_or(0, |found| found.index);
        if !contenders.contains(&default) {
            contenders.push(default);
        }
        let default = names.name(&choice.candidates()[default].parameters);
        let turn = Turn::wait_if(self.mode() == TuningMode::Measure);
        // Another thread may have measured it meanwhile.
        if self.take_kept(&mut choice, &names, &key, revision, Trials::AreMeasured) {
            choice.note_default(|parameters| names.name(parameters) == default);
            return Ok(choice);
        }
        if self.mode() == TuningMode::Build {
            // A candidate that fails is left out of measurements as well.
            for &i in &contenders {
                drop(uncontrolled(|| run(&choice.candidates()[i].parameters)));
            }
            return Ok(choice);
        }
        let candidates = choice.candidates();
        let mut sample = |i: usize, first| timing::sample(self.device(), first, || run(&candidates[i].parameters)).ok();
        let measuring = || uncontrolled(|| measure(contenders, &mut sample));
        let measured = waits::note(Waiting::Measurement, || task.key.clone(), measuring);
        drop(turn);
        let arrays = task.count.max(1) as f64;
        let mut texts: Vec<(String, f64)> = measured
            .iter()
            .map(|&(i, seconds)| (names.name(&choice.candidates()[i].parameters), seconds / arrays))
            .collect();
        texts.sort_by(|a, b| a.1.total_cmp(&b.1));
        if choice.note(&measured, Origin::Measured) {
            known::keep(self.device().info(), &key, revision, texts);
            choice.tuning_cost = TuningCost::default();
            choice.note_default(|parameters| names.name(parameters) == default);
        }
        Ok(choice)
    }

    /// The device's machine with the local memory that the device gives, where that is more than its driver reports and no
    /// calibration told it.
    fn larger_machine(&self) -> Option<Machine> {
        let Executor::OpenCl(cl) = self.device().executor() else { return None };
        let local_bytes = cl.local_limit_bytes().ok().filter(|_| self.is_own)? as u64;
        (local_bytes > self.machine().local_bytes).then(|| Machine { local_bytes, ..self.machine().clone() })
    }

    /// Takes a choice that was kept; whether there is one.
    fn take_kept<C: Costed>(
        &self,
        choice: &mut Choice<C::Parameters>,
        names: &Names<'_, C>,
        key: &Key,
        revision: u64,
        trials: Trials,
    ) -> bool {
        let Some(measured) = known::kept(self.device().info(), key, revision, trials) else { return false };
        let found: Vec<(usize, f64)> = measured
            .iter()
            .filter_map(|(text, seconds)| Some((names.index_of(choice, text)?, seconds * key.arrays())))
            .collect();
        let is_taken = choice.note(&found, Origin::Kept);
        if is_taken {
            choice.tuning_cost = TuningCost::default();
        }
        is_taken
    }

    /// Takes a choice that ships with the library.
    fn take_shipped<C: Costed>(&self, choice: &mut Choice<C::Parameters>, names: &Names<'_, C>, key: &Key) {
        let Some(Found { index, shipped }) = self.shipped(choice, names, key) else { return };
        let origin = Origin::Shipped { device: shipped.device, level: shipped.level, at: shipped.at };
        match origin {
            // Another shape's seconds are not this one's.
            Origin::Shipped { at: Some(_), .. } => choice.prefer(index, origin),
            _ => drop(choice.note(&[(index, shipped.seconds * key.arrays())], origin)),
        }
    }

    /// On a GPU where nothing was measured of this shape: estimates with what is known of built kernels, then a candidate whose kernels
    /// are built where it takes less than the best one and its building, and what may take the place of the one that is taken.
    fn watch<C: Costed>(
        &self,
        choice: &mut Choice<C::Parameters>,
        names: &Names<'_, C>,
        (key, revision): (Key, u64),
        (info, building): (&DeviceInfo, &impl Fn(&Candidate<C::Parameters>) -> f64),
    ) {
        if info.kind != DeviceKind::Gpu {
            return;
        }
        let is_estimated = *choice.origin() == Origin::Estimated;
        let known = if is_estimated { known::built(info, &key, revision) } else { Vec::new() };
        let place = |(name, factor): &(String, f64)| Some((names.index_of(choice, name)?, *factor));
        let factors: Vec<(usize, f64)> = known.iter().filter_map(place).collect();
        choice.note_built(&factors, names.may_stand);
        let best = choice.best().parameters.clone();
        let gives_same_bits = |other: &C::Parameters| names.operation.gives_same_bits(names.size, &best, other);
        let is_deferred = choice.take_built(building, gives_same_bits);
        // Measurements judge candidates, and need no trial.
        if choice.best().measured_seconds.is_some() {
            return;
        }
        let candidates = choice.candidates();
        let is_watched = |&place: &usize| {
            // The one that gave way to what is built is next to it.
            place == 0
                || (contends(choice, place) || is_deferred && place == 1)
                    && gives_same_bits(&candidates[place].parameters)
        };
        let watched = |place: usize| {
            let name = names.name(&candidates[place].parameters);
            let is_built = known.iter().any(|(known, _)| *known == name);
            Contending { place, name, is_built, building_seconds: building(&candidates[place]) }
        };
        let places = (0..candidates.len()).filter(is_watched).take(MOST_WATCHED).map(watched).collect();
        let machine = self.larger_machine().unwrap_or_else(|| self.machine().clone());
        choice.watch = Some(Watch { key, revision, is_estimated, machine, is_deferred, places });
    }

    /// The choice that ships with the library for the nearest device and, there, the nearest shape, whose candidate there is
    /// here. One of another shape is taken where the estimate leaves it in the running.
    fn shipped<C: Costed>(&self, choice: &Choice<C::Parameters>, names: &Names<'_, C>, key: &Key) -> Option<Found> {
        known::shipped(self.device().info(), key).into_iter().find_map(|shipped| {
            let index = names.index_of(choice, &shipped.candidate)?;
            (shipped.at.is_none() || contends(choice, index)).then_some(Found { index, shipped })
        })
    }
}

/// A choice that ships, and the place of its candidate here.
struct Found {
    index: usize,
    shipped: known::ShippedChoice,
}

/// The names of an operation's candidates in files of choices.
struct Names<'a, C: Costed> {
    operation: &'a C,
    size: &'a C::Size,
    may_stand: &'a dyn Fn(&C::Parameters) -> bool,
}

impl<C: Costed> Names<'_, C> {
    fn name(&self, parameters: &C::Parameters) -> String {
        self.operation.kept_name(self.size, parameters)
    }

    /// The candidate with this name that may stand for the best estimate.
    fn index_of(&self, choice: &Choice<C::Parameters>, name: &str) -> Option<usize> {
        let candidates = choice.candidates();
        let found = candidates.iter().position(|candidate| self.name(&candidate.parameters) == name)?;
        (found == 0 || (self.may_stand)(&candidates[found].parameters)).then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use manycore_device::{CACHE_VARIABLE, Device};
    use manycore_model::{Blocks, DoesNotFit, Kernel as Counted, Program};

    use super::*;

    /// Tells a process what it does.
    const STEP_VARIABLE: &str = "MANYCORE_TEST_STEP";

    /// Candidates by name with so many operations; `other bits` gives other ones.
    struct Named;

    impl Costed for Named {
        type Size = ();
        type Parameters = &'static str;
        fn name(&self) -> &'static str {
            "named"
        }
        fn candidates(&self, (): &(), _: &Machine) -> Vec<&'static str> {
            vec!["far", "last", "second", "other bits", "first"]
        }
        fn program(&self, (): &(), &name: &&'static str, _: &Machine) -> Result<Program, DoesNotFit> {
            let operations = match name {
                "first" => 1000,
                "other bits" => 1200,
                "second" => 1500,
                "last" => 2000,
                _ => 9000,
            };
            let mut program = Program::new();
            program.queue(Counted::new("k", 1).blocks(Blocks::even(1, 1, operations, 0, 0)).fused())?;
            Ok(program)
        }
        fn gives_same_bits(&self, (): &(), one: &&'static str, other: &&'static str) -> bool {
            (*one == "other bits") == (*other == "other bits")
        }
    }

    /// The choice of this process on a GPU: what may take its place, whether built, and its origin.
    fn chosen(info: &DeviceInfo, revision: u64) -> (Choice<&'static str>, String) {
        let planner = Planner::new(&Device::host());
        let task = TuningTask { key: "named".into(), sizes: vec![4], count: 1, revision };
        let mut choice = choose(&Named, &(), planner.machine()).unwrap();
        let names = Names { operation: &Named, size: &(), may_stand: &|other| *other != "other bits" };
        planner.watch(&mut choice, &names, (Key::of(&task), revision), (info, &|_| 0.0));
        let places = choice.watch.as_ref().map(|watch| watch.places.clone()).unwrap_or_default();
        let told = places.iter().map(|Contending { place, name, is_built, .. }| {
            assert_eq!(choice.candidates()[*place].parameters, name);
            format!("{name}{}", if *is_built { " as built" } else { "" })
        });
        let told = told.collect::<Vec<_>>().join(", ");
        (choice, told)
    }

    fn gpu() -> DeviceInfo {
        let mut info = Device::host().info().clone();
        info.kind = DeviceKind::Gpu;
        info
    }

    /// Runs within the test below, as processes of their own.
    #[test]
    fn one_process() {
        let Ok(step) = std::env::var(STEP_VARIABLE) else { return };
        let (choice, told) = chosen(&gpu(), 7);
        println!("{step}: {told}: {}", choice.origin());
        if step == "keeps" {
            let watch = choice.watch.as_ref().unwrap();
            known::keep_built(&gpu(), watch, "first", 1.75);
            known::keep_built(&gpu(), watch, "second", 1.1);
            known::keep_built(&gpu(), watch, "gone", 2.0);
            let (_, told) = chosen(&gpu(), 7);
            println!("then: {told}");
            println!("changed code: {}", chosen(&gpu(), 8).1);
            println!("host: {}", chosen(Device::host().info(), 7).1);
        }
        if step == "tries" {
            let watch = choice.watch.as_ref().unwrap();
            known::keep_trial(&gpu(), watch, vec![("first".to_owned(), 1.0)]);
            assert_eq!(known::kept(&gpu(), &watch.key, 7, Trials::Count), None, "one candidate is no trial");
            known::keep_trial(&gpu(), watch, vec![("first".to_owned(), 2.0), ("second".to_owned(), 1.0)]);
            let kept = [("second".to_owned(), 1.0), ("first".to_owned(), 2.0)];
            assert_eq!(known::kept(&gpu(), &watch.key, 7, Trials::Count).as_deref(), Some(&kept[..]));
            assert_eq!(known::kept(&gpu(), &watch.key, 7, Trials::AreMeasured), None);
        }
    }

    #[test]
    fn what_kernels_were_built_into_is_known_to_later_processes() {
        let folder = tempfile::tempdir().unwrap();
        let step = |step: &str| -> Vec<String> {
            let output = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "decide::tests::one_process", "--nocapture"])
                .env(CACHE_VARIABLE, folder.path())
                .env("MANYCORE_TUNING", "kept")
                .env(STEP_VARIABLE, step)
                .output()
                .unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
            let is_told =
                |line: &&str| ["keeps", "then", "changed", "host", "reads"].iter().any(|word| line.starts_with(word));
            text.lines().filter(is_told).map(str::to_owned).collect()
        };
        let alone = "first, second, last";
        assert_eq!(
            step("keeps"),
            [
                format!("keeps: {alone}: estimated"),
                // 1650 and 1750 operations.
                "then: second as built, first as built, last".to_owned(),
                format!("changed code: {alone}"),
                "host: ".to_owned(),
            ]
        );
        let read = "reads: second as built, first as built, last: estimated with kernels as they were built";
        assert_eq!(step("reads"), [read]);
        step("tries");
    }
}
