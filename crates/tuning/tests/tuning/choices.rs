//! Choices by estimates, and what they tell.

#![allow(clippy::float_cmp)] // the expected numbers are exact

use manycore_model::machine::Class;
use manycore_model::{Blocks, DoesNotFit, Estimate, Kernel, Machine, Program};
use manycore_tuning::{Costed, Origin, TuningCost, choose};

/// A machine of round numbers: 10 processors, 100 operations/s, 1 s a launch.
fn machine() -> Machine {
    let class = Class {
        name: "round".into(),
        vendor: String::new(),
        processors: 10,
        clock_hz: 1,
        local_bytes: 1 << 14,
        block_threads: 64,
        fp64: false,
    };
    let mut machine = class.gpu();
    machine.rates.int32 = 100.0;
    machine.operation_latency_seconds = 0.0;
    machine.launch_seconds = 1.0;
    machine.checked().unwrap()
}

/// Blocks of `p` operations: the larger, the fewer there are.
struct Blocked;

impl Costed for Blocked {
    type Size = u64;
    type Parameters = u64;

    fn name(&self) -> &'static str {
        "blocked"
    }

    fn candidates(&self, &size: &u64, _: &Machine) -> Vec<u64> {
        vec![1, 10, 100, size]
    }

    fn program(&self, &size: &u64, &p: &u64, _: &Machine) -> Result<Program, DoesNotFit> {
        if p > 1000 {
            return Err(DoesNotFit::Parameter { reason: format!("blocks of {p}") });
        }
        let mut program = Program::new();
        program.push(Kernel::new("k", 1).blocks(Blocks::even(size.div_ceil(p), 1, p + 1, 0, 0)), &[])?;
        Ok(program)
    }
}

#[test]
fn the_choice_is_the_least_and_tells_the_rest() {
    let choice = choose(&Blocked, &5000, &machine()).unwrap();
    let order: Vec<u64> = choice.candidates().iter().map(|candidate| candidate.parameters).collect();
    // 5000, 500 and 50 blocks of 2, 11 and 101 operations.
    assert_eq!(order, [100, 10, 1]);
    assert_eq!(choice.best().estimate.seconds, 1.0 + 50.5);
    assert_eq!((choice.refused.len(), choice.measured()), (1, 0));
    assert_eq!((choice.origin(), choice.tuning_cost()), (&Origin::Estimated, TuningCost::default()));
    let text = choice.to_string();
    assert!(text.starts_with("blocked on round: estimated\n"), "{text}");
    assert!(text.contains("does not fit: 5000: blocks of 5000"), "{text}");
    let told = choice.map(|p| format!("blocks of {p}"));
    assert_eq!((told.best().parameters.as_str(), told.candidates().len()), ("blocks of 100", 3));
    assert_eq!(told.refused[0].0, "blocks of 5000");
}

/// An operation whose candidates have these estimates: seconds and launches.
struct Estimates(Vec<(f64, u64)>);

impl Costed for Estimates {
    type Size = ();
    type Parameters = usize;

    fn name(&self) -> &'static str {
        "estimates"
    }

    fn candidates(&self, (): &(), _: &Machine) -> Vec<usize> {
        (0..self.0.len()).collect()
    }

    fn program(&self, (): &(), _: &usize, _: &Machine) -> Result<Program, DoesNotFit> {
        Err(DoesNotFit::Parameter { reason: "no program".into() })
    }

    fn estimate(&self, (): &(), &i: &usize, machine: &Machine) -> Result<Estimate, DoesNotFit> {
        let (seconds, launches) = self.0[i];
        if launches == 0 {
            self.program(&(), &i, machine)?;
        }
        Ok(Estimate { seconds, launches, ..Estimate::default() })
    }
}

fn order(estimates: &[(f64, u64)]) -> Vec<usize> {
    let choice = choose(&Estimates(estimates.to_vec()), &(), &machine()).unwrap();
    choice.candidates().iter().map(|candidate| candidate.parameters).collect()
}

#[test]
fn of_equal_estimates_the_fewest_launches_and_then_the_first_candidate_are_chosen() {
    assert_eq!(order(&[(1.005, 2), (1.0, 2), (1.009, 1), (1.02, 1)]), [2, 0, 1, 3]);
    assert_eq!(order(&[(3.0, 1), (2.0, 5), (2.5, 1)]), [1, 2, 0]);
    assert_eq!(order(&[(0.0, 1), (0.0, 1)]), [0, 1]);
}

#[test]
fn estimates_that_are_no_seconds_are_refused() {
    let choice = choose(&Estimates(vec![(-f64::NAN, 1), (f64::INFINITY, 1), (1.0, 1), (-1.0, 1)]), &(), &machine());
    let choice = choice.unwrap();
    assert_eq!((choice.best().parameters, choice.candidates().len()), (2, 1));
    assert_eq!(choice.origin(), &Origin::Only);
    let refused: Vec<usize> = choice.refused.iter().map(|(parameters, _)| *parameters).collect();
    assert_eq!(refused, [0, 1, 3]);
}

#[test]
fn nothing_to_choose_from_says_why() {
    let error = choose(&Estimates(vec![(1.0, 0)]), &(), &machine()).unwrap_err();
    assert_eq!(error.to_string(), "no candidate of estimates fits round: no program");
    let error = choose(&Estimates(Vec::new()), &(), &machine()).unwrap_err();
    assert_eq!(error.to_string(), "no candidate of estimates fits round");
}
