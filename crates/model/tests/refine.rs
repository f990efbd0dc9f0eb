//! Refinement of choices by a clock that is not one: measured times and what they cost are given.

#![allow(clippy::float_cmp)] // the expected numbers are exact

use std::collections::HashMap;

use manycore_model::machine::Class;
use manycore_model::{Blocks, Choice, Costed, DoesNotFit, Kernel, Machine, Program, Refinement, Sample, choose};

/// Candidates that are predicted to take as many seconds as their number: one processor that does one operation a second.
struct Numbers(&'static [u64]);

impl Costed for Numbers {
    type Size = ();
    type Parameters = u64;

    fn name(&self) -> &'static str {
        "numbers"
    }

    fn candidates(&self, (): &(), _: &Machine) -> Vec<u64> {
        self.0.to_vec()
    }

    fn program(&self, (): &(), &number: &u64, _: &Machine) -> Result<Program, DoesNotFit> {
        let mut program = Program::new();
        program.queue(Kernel::new("k", 1).blocks(Blocks::even(1, 1, number, 0, 0)))?;
        Ok(program)
    }
}

/// Each candidate is predicted to take its number of seconds, and the floor is `floor_part` of that.
fn choice(numbers: &'static [u64], floor_part: f64) -> Choice<u64> {
    let class = Class {
        name: "slow".into(),
        vendor: String::new(),
        processors: 1,
        clock_hz: 1,
        local_bytes: 1 << 14,
        block_threads: 1,
        fp64: false,
    };
    let mut machine = class.host();
    machine.rates.int32 = 1.0 / floor_part;
    machine.operation_latency_seconds = 1.0;
    machine.launch_seconds = 0.0;
    let choice = choose(&Numbers(numbers), &(), &machine.checked().unwrap()).unwrap();
    assert!(choice.candidates().iter().all(|c| c.prediction.seconds == c.parameters as f64), "{choice}");
    choice
}

const LONG: Refinement = Refinement { factor: 1.5, most: 6, seconds: 1e9 };

/// Gives each candidate its times one after the other, the last one again and again, and counts the visits.
struct Clock {
    times: HashMap<u64, Vec<f64>>,
    visits: Vec<u64>,
}

impl Clock {
    fn new(times: &[(u64, &[f64])]) -> Self {
        Self { times: times.iter().map(|(number, times)| (*number, times.to_vec())).collect(), visits: Vec::new() }
    }

    fn sample(&mut self, number: u64, first: bool) -> Result<Sample, String> {
        assert_eq!(first, !self.visits.contains(&number), "{number} is told whether it comes first");
        self.visits.push(number);
        let times = self.times.get_mut(&number).ok_or(format!("{number} is broken"))?;
        let seconds = if times.len() > 1 { times.remove(0) } else { times[0] };
        // A warm-up counts once.
        Ok(Sample { seconds, spent_seconds: if first { 2.0 * seconds } else { seconds } })
    }

    fn count(&self, number: u64) -> usize {
        self.visits.iter().filter(|visit| **visit == number).count()
    }
}

fn refine(choice: &mut Choice<u64>, how: &Refinement, clock: &mut Clock) -> Result<usize, String> {
    choice.refine_within(how, |_, _| true, |_| 0, |&number, first| clock.sample(number, first))
}

#[test]
fn the_fastest_of_those_within_the_factor_is_chosen() {
    let mut choice = choice(&[10, 11, 14, 16, 30], 0.1);
    let mut clock = Clock::new(&[(10, &[20.0]), (11, &[12.0]), (14, &[9.0])]);
    assert_eq!(refine(&mut choice, &LONG, &mut clock), Ok(3));
    assert_eq!(choice.best().parameters, 14);
    assert_eq!((choice.best().measured_seconds, choice.best().prediction.seconds), (Some(9.0), 14.0));
    assert_eq!(choice.measured(), 3);
    let text = choice.to_string();
    assert!(text.contains("the fastest of 3 measured, of 5 candidates") && text.contains("9.00 s"), "{text}");
    // Far slower ones are measured twice at most, the fastest more often.
    assert!(clock.count(10) == 2 && clock.count(14) >= clock.count(11), "{:?}", clock.visits);
    assert_eq!(choice.near(1.5), 3, "predictions, whatever was measured");
}

#[test]
fn at_most_so_many_are_measured_the_best_predicted_first() {
    let mut choice = choice(&[12, 10, 11, 13], 0.1);
    let mut clock = Clock::new(&[(10, &[10.0]), (11, &[12.0])]);
    assert_eq!(refine(&mut choice, &Refinement { most: 2, ..LONG }, &mut clock), Ok(2));
    assert_eq!(choice.best().parameters, 10);
}

#[test]
fn the_best_of_each_kind_come_first() {
    // Kinds are tens; 30 is too far from the best.
    let mut choice = choice(&[10, 11, 12, 13, 20, 21, 30], 0.1);
    let mut clock = Clock::new(&[(10, &[15.0]), (11, &[16.0]), (20, &[12.0]), (21, &[13.0])]);
    let how = Refinement { factor: 2.5, most: 4, ..LONG };
    let measured = choice.refine_within(&how, |_, _| true, |number| number / 10, |&n, first| clock.sample(n, first));
    assert_eq!(measured, Ok(4));
    assert_eq!(choice.best().parameters, 20);
    assert_eq!([12, 13, 30].map(|number| clock.count(number)), [0; 3]);
}

#[test]
fn only_stand_ins_of_the_best_are_measured() {
    let mut choice = choice(&[10, 11, 12], 0.1);
    let mut clock = Clock::new(&[(10, &[10.0]), (12, &[8.0])]);
    let even = |best: &u64, other: &u64| best % 2 == other % 2;
    assert_eq!(choice.refine_within(&LONG, even, |_| 0, |&number, first| clock.sample(number, first)), Ok(2));
    assert_eq!(choice.best().parameters, 12);
    assert_eq!(clock.count(11), 0);
}

#[test]
fn of_those_measured_alike_the_best_predicted_leads() {
    let mut alike = choice(&[10, 11, 14], 0.1);
    let mut clock = Clock::new(&[(10, &[9.0]), (11, &[8.2]), (14, &[8.0])]);
    assert_eq!((refine(&mut alike, &LONG, &mut clock), alike.best().parameters), (Ok(3), 11));
    // The others follow by what they took.
    let order: Vec<u64> = alike.candidates().iter().map(|candidate| candidate.parameters).collect();
    assert_eq!(order, [11, 14, 10]);
    let said = |choice: &Choice<u64>| choice.to_string().contains("within 3 % of it, the best predicted");
    assert!(said(&alike), "{alike}");
    // Four in a hundred are told apart; one that was not measured never leads.
    let mut apart = choice(&[10, 11, 14, 30], 0.1);
    let mut clock = Clock::new(&[(10, &[9.0]), (11, &[8.33]), (14, &[8.0])]);
    assert_eq!((refine(&mut apart, &LONG, &mut clock), apart.best().parameters), (Ok(3), 14));
    assert!(!said(&apart), "{apart}");
    apart.note(|&number| number == 30, 8.1);
    assert_eq!(apart.best().parameters, 14, "worse predicted");
    apart.note(|&number| number == 11, 8.1);
    assert_eq!(apart.best().parameters, 11);
}

#[test]
fn floors_above_a_measured_time_do_not_end_measuring() {
    // What took 4 seconds has a floor of 9: those of others say nothing.
    let mut high = choice(&[10, 11], 0.9);
    let mut clock = Clock::new(&[(10, &[4.0]), (11, &[6.0, 3.0])]);
    assert_eq!((refine(&mut high, &LONG, &mut clock), high.best().parameters), (Ok(2), 11));
    // 9.5 seconds are above their floor, and below that of the other: measured once.
    let mut clock = Clock::new(&[(10, &[9.5]), (11, &[12.0, 3.0])]);
    let mut right = choice(&[10, 11], 0.9);
    assert_eq!((refine(&mut right, &LONG, &mut clock), right.best().parameters), (Ok(2), 10));
    assert_eq!(clock.count(11), 1);
    // Where candidates are measured one by one, the other is not.
    let one_by_one = |clock: &mut Clock| {
        let mut choice = choice(&[10, 11], 0.9);
        let measured = choice.refine(9, |&number| clock.sample(number, true).map(|sample| sample.seconds));
        (measured, choice.best().parameters)
    };
    assert_eq!(one_by_one(&mut Clock::new(&[(10, &[4.0]), (11, &[3.0])])), (Ok(2), 11));
    assert_eq!(one_by_one(&mut Clock::new(&[(10, &[9.5]), (11, &[3.0])])), (Ok(1), 10));
}

#[test]
fn a_disturbed_measurement_passes() {
    let mut choice = choice(&[10, 11], 0.1);
    // Something else ran during the first measurement of the better one.
    let mut clock = Clock::new(&[(10, &[13.0, 10.0]), (11, &[11.0])]);
    assert_eq!(refine(&mut choice, &LONG, &mut clock), Ok(2));
    assert_eq!(choice.best().parameters, 10);
}

/// One run in twenty-four that is three times as fast says nothing of the next one.
#[test]
fn a_lucky_measurement_passes_too() {
    let mut choice = choice(&[10, 11], 0.1);
    let mut clock = Clock::new(&[(10, &[10.0]), (11, &[11.0, 11.0, 4.0, 11.0])]);
    assert_eq!(refine(&mut choice, &LONG, &mut clock), Ok(2));
    assert_eq!((choice.best().parameters, clock.count(11)), (10, 24));
    assert_eq!(choice.candidates()[1].measured_seconds, Some(11.0));
}

/// Two threads that share a core for a while make everything twice as long: what was measured then is compared with itself.
#[test]
fn a_slow_beginning_leaves_nobody_out() {
    let mut choice = choice(&[10, 11, 12], 0.1);
    // The first turn is slow, and the second up to its last candidate, which is not the best.
    let mut clock = Clock::new(&[(10, &[18.0, 18.0, 9.0]), (11, &[16.0, 16.0, 8.0]), (12, &[20.0, 10.0])]);
    assert_eq!(refine(&mut choice, &LONG, &mut clock), Ok(3));
    assert_eq!((choice.best().parameters, choice.best().measured_seconds), (11, Some(8.0)));
    assert!(clock.count(10) > 2, "{:?}", clock.visits);
}

#[test]
fn the_seconds_are_a_bound() {
    // Two runs of each of the two best are predicted to take 42 seconds.
    let mut none = choice(&[10, 11, 12], 0.1);
    let mut clock = Clock::new(&[]);
    assert_eq!(refine(&mut none, &Refinement { seconds: 41.0, ..LONG }, &mut clock), Ok(0));
    assert_eq!((none.best().parameters, none.measured()), (10, 0));
    assert!(!none.to_string().contains("measured"));
    // Time enough for the first turn of two, then neither for the third candidate nor for more turns.
    let mut two = choice(&[10, 11, 12], 0.1);
    let mut clock = Clock::new(&[(10, &[12.0]), (11, &[10.0])]);
    assert_eq!(refine(&mut two, &Refinement { seconds: 46.0, ..LONG }, &mut clock), Ok(2));
    assert_eq!((two.best().parameters, clock.visits), (11, vec![10, 11]));
    // A candidate that takes far longer than predicted ends it at once.
    let mut long = choice(&[10, 11, 12], 0.1);
    let mut clock = Clock::new(&[(10, &[100.0])]);
    assert_eq!(refine(&mut long, &Refinement { seconds: 60.0, ..LONG }, &mut clock), Ok(1));
    assert_eq!((long.best().parameters, clock.visits), (10, vec![10]));
}

#[test]
fn nothing_is_measured_below_the_floor_of_all_others() {
    let mut choice = choice(&[10, 11, 12], 0.9);
    // 10 seconds are more than 11 takes at least, 9.9, but nothing left can be 3 % faster.
    let mut clock = Clock::new(&[(10, &[10.0]), (11, &[11.0]), (12, &[12.0])]);
    assert_eq!(refine(&mut choice, &LONG, &mut clock), Ok(3));
    assert_eq!(clock.visits, [10, 11, 12]);
}

/// Clocks that go back, stand still, or divide by nothing.
#[test]
fn what_is_no_measurement_is_not_taken_for_one() {
    for bad in [-1.0, 0.0, f64::NAN, -f64::NAN, f64::INFINITY] {
        let mut turns = choice(&[10, 11, 12], 0.1);
        let mut clock = Clock::new(&[(10, &[bad]), (11, &[12.0]), (12, &[11.0])]);
        assert_eq!(refine(&mut turns, &LONG, &mut clock), Ok(2), "{bad}");
        assert_eq!((turns.best().parameters, turns.measured()), (12, 2), "{bad}");
        let mut one_by_one = choice(&[10, 11, 12], 0.1);
        let measured = one_by_one.refine(3, |&number| Ok::<_, ()>(if number == 10 { bad } else { number as f64 }));
        assert_eq!((measured, one_by_one.best().parameters), (Ok(2), 11), "{bad}");
        one_by_one.note(|&number| number == 10, bad);
        assert_eq!((one_by_one.best().parameters, one_by_one.measured()), (11, 2), "{bad}");
    }
    // A clock that says that nothing was spent is not believed.
    for spent_seconds in [f64::NAN, 0.0, -1.0] {
        let mut choice = choice(&[10, 11], 0.1);
        let mut visits = 0;
        let how = Refinement { seconds: 100.0, ..LONG };
        let clock = |&number: &u64, _| {
            visits += 1;
            Ok::<_, ()>(Sample { seconds: number as f64, spent_seconds })
        };
        assert_eq!(choice.refine_within(&how, |_, _| true, |_| 0, clock), Ok(2));
        assert_eq!(choice.best().parameters, 10);
        assert!(visits <= 6, "{visits}");
    }
}

/// What earlier measurements said does not count among those of this one.
#[test]
fn only_what_was_measured_here_is_told() {
    let mut choice = choice(&[10, 11, 30], 0.1);
    choice.note(|&number| number == 30, 5.0);
    let mut clock = Clock::new(&[(10, &[10.0]), (11, &[12.0])]);
    assert_eq!((refine(&mut choice, &LONG, &mut clock), choice.measured()), (Ok(2), 3));
    assert_eq!(choice.best().parameters, 30);
}

#[test]
fn one_candidate_is_no_choice() {
    let mut choice = choice(&[10, 20], 0.1);
    assert_eq!(refine(&mut choice, &LONG, &mut Clock::new(&[])), Ok(0));
}

#[test]
fn a_failure_keeps_what_was_measured() {
    let mut choice = choice(&[10, 11, 12], 0.1);
    let mut clock = Clock::new(&[(10, &[10.0])]);
    assert_eq!(refine(&mut choice, &LONG, &mut clock), Err("11 is broken".to_owned()));
    assert_eq!((choice.best().parameters, choice.measured()), (10, 1));
}
