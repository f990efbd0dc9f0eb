//! Choices among candidates, and what they tell.

use manycore_model::{Blocks, Costed, DoesNotFit, Kernel, Machine, Prediction, Program, Refinement, Sample, choose};

use super::machine;

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
    assert_eq!(order, [100, 10, 1]);
    assert_eq!(choice.best().parameters, 100);
    assert_eq!(choice.refused.len(), 1);
    assert_eq!(choice.near(1.2), 2);
    let text = choice.to_string();
    assert!(text.contains("blocked on round") && text.contains("does not fit: 5000: blocks of 5000"), "{text}");
}

/// As [`Blocked`], by operations that take 4 times as long.
struct Slow;

impl Costed for Slow {
    type Size = u64;
    type Parameters = u64;

    fn name(&self) -> &'static str {
        "slow"
    }

    fn candidates(&self, size: &u64, machine: &Machine) -> Vec<u64> {
        Blocked.candidates(size, machine)
    }

    fn program(&self, size: &u64, p: &u64, machine: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        for kernel in Blocked.program(size, p, machine)?.kernels() {
            program.queue(kernel.clone().slowdown(4.0))?;
        }
        Ok(program)
    }
}

#[test]
fn a_slowdown_counts_in_seconds_and_is_told_but_raises_no_floor() {
    let (usual, slow) = (choose(&Blocked, &5000, &machine()).unwrap(), choose(&Slow, &5000, &machine()).unwrap());
    for candidate in usual.candidates() {
        let same = |other: &&manycore_model::Candidate<u64>| other.parameters == candidate.parameters;
        let (a, b) = (&candidate.prediction, &slow.candidates().iter().find(same).unwrap().prediction);
        assert_eq!(b.kernels[0].arithmetic, 4.0 * a.kernels[0].arithmetic);
        assert_eq!(b.seconds - a.seconds, 3.0 * a.kernels[0].arithmetic);
        assert_eq!((b.floor_seconds, b.bound_seconds), (a.floor_seconds, a.bound_seconds));
        assert_eq!((a.kernels[0].slowdown, b.kernels[0].slowdown), (1.0, 4.0));
    }
    assert!(!usual.to_string().contains("operations take"));
    let text = slow.to_string();
    assert!(text.contains("operations take 4.00 times what the machine's rates say, measured: k\n"), "{text}");
    // Operations that take less than the rates say are not held up by a floor of those rates.
    let floor = |factor| {
        let mut program = Program::new();
        program.queue(Kernel::new("k", 1).blocks(Blocks::even(100, 1, 1000, 0, 0)).slowdown(factor)).unwrap();
        machine().predict(&program).unwrap()
    };
    assert_eq!(floor(0.5).floor_seconds, 0.5 * floor(1.0).floor_seconds);
    assert_eq!(floor(2.0).floor_seconds, floor(1.0).floor_seconds);
}

#[test]
fn measurements_overrule_predictions_and_stop_at_the_floor() {
    let mut choice = choose(&Blocked, &5000, &machine()).unwrap();
    let measured = choice.refine::<()>(3, |&p| Ok(if p == 100 { 70.0 } else { 60.0 })).unwrap();
    // The 60 seconds of the second are below the floor of the third.
    assert_eq!((measured, choice.best().parameters), (2, 10));
    // 51 seconds are below what 10-operation blocks take at least.
    let mut lucky = choose(&Blocked, &5000, &machine()).unwrap();
    assert_eq!(lucky.refine::<()>(3, |_| Ok(51.0)).unwrap(), 1);
    let mut broken = choose(&Blocked, &5000, &machine()).unwrap();
    assert_eq!(broken.refine(3, |&p| if p == 100 { Ok(90.0) } else { Err("lost") }).unwrap_err(), "lost");
    assert_eq!(broken.best().measured_seconds, Some(90.0));
}

#[test]
fn nothing_to_choose_from_says_why() {
    struct Never;
    impl Costed for Never {
        type Size = ();
        type Parameters = u8;
        fn name(&self) -> &'static str {
            "never"
        }
        fn candidates(&self, (): &(), _: &Machine) -> Vec<u8> {
            vec![1]
        }
        fn program(&self, (): &(), _: &u8, _: &Machine) -> Result<Program, DoesNotFit> {
            Err(DoesNotFit::Parameter { reason: "too odd".into() })
        }
    }
    let error = choose(&Never, &(), &machine()).unwrap_err();
    assert_eq!(error.to_string(), "no candidate of never fits round: too odd");
}

/// A prediction of an operation's own that is no number of seconds is refused, and cannot lead.
#[test]
fn predictions_that_are_no_seconds_are_refused() {
    struct Odd;
    impl Costed for Odd {
        type Size = ();
        type Parameters = u8;
        fn name(&self) -> &'static str {
            "odd"
        }
        fn candidates(&self, (): &(), _: &Machine) -> Vec<u8> {
            vec![0, 1, 2]
        }
        fn program(&self, (): &(), _: &u8, _: &Machine) -> Result<Program, DoesNotFit> {
            Ok(Program::new())
        }
        fn predict(&self, (): &(), &p: &u8, _: &Machine) -> Result<Prediction, DoesNotFit> {
            Ok(Prediction { seconds: [-f64::NAN, f64::INFINITY, 1.0][usize::from(p)], ..Prediction::default() })
        }
    }
    let choice = choose(&Odd, &(), &machine()).unwrap();
    assert_eq!((choice.best().parameters, choice.candidates().len()), (2, 1));
    let refused: Vec<u8> = choice.refused.iter().map(|(parameters, _)| *parameters).collect();
    assert_eq!(refused, [0, 1]);
    assert!(choice.to_string().contains("does not fit: 0: the prediction of odd is no finite number"), "{choice}");
}

/// Operations in one launch or several, so many hundredths more for each launch that is left out.
struct Launches(u64);

impl Costed for Launches {
    type Size = u64;
    type Parameters = u64;

    fn name(&self) -> &'static str {
        "launches"
    }

    fn candidates(&self, _: &u64, _: &Machine) -> Vec<u64> {
        vec![3, 2, 1]
    }

    fn program(&self, &size: &u64, &launches: &u64, _: &Machine) -> Result<Program, DoesNotFit> {
        let kernel = |operations: u64| Kernel::new("k", 1).blocks(Blocks::even(10, 1, operations, 0, 0)).fused();
        let mut program = Program::new();
        program.queue(kernel(size / 100 * (100 + self.0 * (3 - launches))))?;
        for _ in 1..launches {
            program.queue(Kernel::new("empty", 1).blocks(Blocks::even(1, 1, 0, 0, 0)))?;
        }
        Ok(program)
    }
}

#[test]
fn of_predictions_alike_the_one_with_the_fewest_launches_is_chosen() {
    let free = Machine { launch_seconds: 1e-9, ..machine() };
    let order = |each: u64| -> Vec<u64> {
        let choice = choose(&Launches(each), &10_000, &free).unwrap();
        let told = choice.to_string().contains("fewest launches");
        assert_eq!(told, choice.best().parameters != 3, "{choice}");
        choice.candidates().iter().map(|candidate| candidate.parameters).collect()
    };
    assert_eq!(order(2), [1, 3, 2], "4 % longer");
    assert_eq!(order(4), [2, 3, 1], "4 % and 8 %");
    assert_eq!(order(7), [3, 2, 1]);
}

#[test]
fn what_may_stand_in_is_told_of_the_one_that_is_chosen_without_measurements() {
    let free = Machine { launch_seconds: 1e-9, ..machine() };
    let mut choice = choose(&Launches(2), &10_000, &free).unwrap();
    let how = Refinement { factor: 2.0, most: 6, seconds: 1e9 };
    let measured = choice.refine_within(
        &how,
        |&best, &other| {
            assert_eq!(best, 1);
            best == other || other == 2
        },
        |_| 0,
        |&launches, _| Ok::<_, ()>(Sample { seconds: 200.0 + launches as f64 * 100.0, spent_seconds: 1.0 }),
    );
    assert_eq!((measured, choice.best().parameters), (Ok(2), 1));
}
