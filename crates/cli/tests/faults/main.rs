//! `--verify` notices every fault of a device that changes a result: each command is run with injected faults and must refuse, or
//! write what it writes without a fault. No fault may end a run by a signal or a panic, or keep it from its end.
//!
//! `cargo test -p manycore-cli --test faults poly` tries the commands whose test has `poly` in its name, with 19 faults a case;
//! `cargo xtask faults` tries four thousand in all: `MANYCORE_FAULTS` is the number of a case. A line on standard error tells of
//! each case.

mod cases;
#[path = "../common/mod.rs"]
mod common;
mod outcome;
mod trial;

use std::env;
use std::io::Write as _;

use cases::{CASES, Precision};
use clap::CommandFactory as _;
use manycore::DeviceKind;
use manycore_testkit::faults::{Command, Fault, HostFault, Injector};
use outcome::Outcome;
use trial::{End, Workplace};

/// Faults of one case where [`FAULTS_VARIABLE`] names no other number.
const FAULTS: u64 = 19;

/// The variable that says how many faults each case is run with.
const FAULTS_VARIABLE: &str = "MANYCORE_FAULTS";

/// Faults of one case.
fn faults_of_a_case() -> u64 {
    let Ok(number) = env::var(FAULTS_VARIABLE) else { return FAULTS };
    number.parse().unwrap_or_else(|error| panic!("{FAULTS_VARIABLE}={number}: {error}"))
}

/// Commands without a result that a device computed. The processors through OpenCL that faults are tried on are never tuned.
const WITHOUT_RESULT: [&str; 8] = ["devices", "calibrate", "explain", "tune", "merge", "completions", "man", "help"];

/// Commands that compute on the host alone: nothing of theirs may run on a device.
const ON_THE_HOST: [&str; 10] = [
    // Fields so small have no transform of a device.
    "bivariate report",
    "spectrum polarities",
    "maxplus schedule",
    "maxplus report",
    "maxplus cycle-mean",
    "maxplus simulate",
    "sparse reorder",
    "sparse misses",
    "sparse info",
    "sparse report",
];

/// Options that say how a file is read, or where the result goes.
const READING_AND_WRITING: [&str; 7] = ["format", "variables", "hex", "output-bits", "folder", "explain", "dot"];

/// Algorithms of the host.
const HOST_ALGORITHMS: [&str; 1] = ["karatsuba"];

/// So many faults of a case, spread over its commands: most in transfers, since a seed makes each of them another one.
fn faults(number: u64, first: u64, counts: impl Fn(Command) -> u64) -> Vec<Fault> {
    use Command::{Copy, Fill, Launch, Read, Write};
    let turns = [Read, Write, Launch, Read, Write, Fill, Read, Write, Launch, Copy];
    let present: Vec<Command> = turns.into_iter().filter(|&command| counts(command) > 0).collect();
    let kinds: Vec<Command> = present.iter().copied().cycle().take(number as usize).collect();
    let faults_of = |command: Command| kinds.iter().filter(|&&kind| kind == command).count() as u64;
    let mut met = [0; Command::ALL.len()];
    let mut faults = Vec::new();
    for (number, &command) in kinds.iter().enumerate() {
        let turn = met[command as usize];
        met[command as usize] += 1;
        // Evenly over all commands of the kind; the last one first, which comes nearest to the result.
        let (count, faults_of) = (counts(command), faults_of(command));
        let index = count - 1 - if count > faults_of { turn * count / faults_of } else { turn % count };
        // Every second command other than a transfer is skipped, and every sixth transfer.
        let skipped = if matches!(command, Read | Write) { turn % 6 == 5 } else { turn % 2 == 0 };
        let seed = (!skipped).then_some(first.wrapping_add(number as u64));
        faults.push(Fault { command, index, seed });
    }
    faults
}

/// Runs the cases of a command, or of a group of commands, with their faults on every CPU device of OpenCL.
fn check(command: &str) {
    let devices = manycore_testkit::opencl_devices();
    let Some(device) = devices.iter().find(|device| device.info().kind == DeviceKind::Cpu).or(devices.first()) else {
        return;
    };
    let workplace = Workplace::new(Some(Injector::find().unwrap()), &device.info().id, command);
    let number_of_faults = faults_of_a_case();
    let (mut tried, mut caught, mut wrong) = (0, 0, Vec::new());
    for case in CASES.iter().filter(|case| case.is_of(command)) {
        let right = workplace.run_without_fault(case);
        let on_host = ON_THE_HOST.contains(&command);
        assert_eq!(right.counts.total() == 0, on_host, "{}: commands of the device: {:?}", case.line, right.counts);
        let mut sums = [0; 4];
        for fault in faults(number_of_faults, case.seed(), |command| right.counts.of(command)) {
            let run = workplace.run(case, Some(fault));
            let met = run.counts.fault.clone();
            let met = met.unwrap_or_else(|| panic!("{}: fault {fault} met no command: {:?}", case.line, run.counts));
            let outcome = match Outcome::of(&run.end, &right.written, case.precision) {
                // The fault was found, and its work done again.
                Outcome::Harmless if run.counts.total() > right.counts.total() => Outcome::Caught,
                outcome => outcome,
            };
            sums[outcome.column()] += 1;
            if let Outcome::Missed(what) | Outcome::Broken(what) = outcome {
                wrong.push(format!("manycore {} with MANYCORE_FAULT={fault} ({met}): {what}", case.line));
            }
        }
        let [refused, harmless, missed, broken] = sums;
        let all: u64 = sums.iter().sum();
        (tried, caught) = (tried + all, caught + refused);
        // Past the test harness, which would keep it from sight.
        drop(writeln!(
            std::io::stderr(),
            "{all} faults: {refused:2} caught, {harmless:2} harmless, {missed} missed, {broken} broken by {}",
            case.line
        ));
    }
    assert!(wrong.is_empty(), "{} of {tried} faults were not caught:\n{}", wrong.len(), wrong.join("\n"));
    assert!(tried == 0 || 3 * caught >= tried, "only {caught} of {tried} faults changed something");
}

/// Faults of the host in each case, for so many of a device's.
const DEVICE_FAULTS_OF_ONE: u64 = 6;

/// Faults of the host, spread over its primitives, the last one first: every second one lasts.
fn host_faults(number: u64, first: u64, primitives: u64) -> impl Iterator<Item = HostFault> {
    (0..number.min(2 * primitives)).map(move |turn| HostFault {
        index: primitives - 1 - (turn / 2) * primitives / number.div_ceil(2).max(1),
        lasts: turn % 2 == 1,
        seed: first.wrapping_add(turn),
    })
}

/// Runs the cases of a command, or of a group of commands, with faults of the host, whose checks may not share what is at fault. A
/// program that trusts its own memory may end with a panic.
fn check_host(command: &str) {
    let workplace = Workplace::new(None, "host:1", command);
    let number_of_faults = faults_of_a_case().div_ceil(DEVICE_FAULTS_OF_ONE);
    let mut wrong = Vec::new();
    for case in CASES.iter().filter(|case| case.is_of(command)) {
        let (end, primitives) = workplace.run_on_host(case, None);
        let right = match end {
            End::Written(written) => written,
            End::Answered(told) if case.precision == Precision::Answer => told,
            // An algorithm of devices alone.
            End::Answered(told) if String::from_utf8_lossy(&told).contains("the device does not have it") => continue,
            end => panic!("manycore {} on the host: {end:?}", case.line),
        };
        let mut sums = [0; 4];
        for fault in host_faults(number_of_faults, case.seed(), primitives) {
            let outcome = match workplace.run_on_host(case, Some(fault)).0 {
                End::Broken(what) if what.starts_with("it panicked") => Outcome::Caught,
                end => Outcome::of(&end, &right, case.precision),
            };
            sums[outcome.column()] += 1;
            if let Outcome::Missed(what) | Outcome::Broken(what) = outcome {
                wrong.push(format!("manycore {} with MANYCORE_HOST_FAULT={fault}: {what}", case.line));
            }
        }
        let [refused, harmless, missed, broken] = sums;
        let all: u64 = sums.iter().sum();
        drop(writeln!(
            std::io::stderr(),
            "{all} faults of the host: {refused:2} caught, {harmless:2} harmless, {missed} missed, {broken} broken by {}",
            case.line
        ));
    }
    assert!(wrong.is_empty(), "{} faults of the host were not caught:\n{}", wrong.len(), wrong.join("\n"));
}

macro_rules! commands {
    ($($name:ident: $command:literal;)*) => {
        $(
            #[test]
            fn $name() {
                check($command);
                check_host($command);
            }
        )*

        /// The commands that have a test.
        const TESTED: &[&str] = &[$($command),*];
    };
}

commands! {
    walsh: "spectrum walsh";
    reed_muller: "spectrum reed-muller";
    arithmetic: "spectrum arithmetic";
    haar: "spectrum haar";
    polarities: "spectrum polarities";
    ntt: "spectrum ntt";
    fourier: "spectrum fourier";
    kronecker: "spectrum kronecker";
    characters: "characters";
    boolean: "boolean";
    sbox: "sbox";
    poly_mul_plain: "poly mul --algorithm plain";
    poly_mul_two_phase: "poly mul --algorithm two-phase";
    poly_mul_transform: "poly mul --algorithm transform";
    poly_div: "poly div";
    poly_gcd: "poly gcd";
    poly_xgcd: "poly xgcd";
    poly_resultant: "poly resultant";
    poly_discriminant: "poly discriminant";
    poly_inverse: "poly inverse";
    poly_roots: "poly roots";
    poly_factor: "poly factor";
    poly_pow: "poly pow";
    poly_compose: "poly compose";
    poly_shift: "poly shift";
    poly_series: "poly series";
    poly_eval: "poly eval";
    poly_interpolate: "poly interpolate";
    bivariate_resultant_modulus: "bivariate resultant --modulus";
    bivariate_resultant_exact: "bivariate resultant --exact";
    bivariate_solve_modulus: "bivariate solve --modulus";
    bivariate_solve_exact: "bivariate solve --exact";
    bivariate_report: "bivariate report";
    matrix_det_modulus: "matrix det --modulus";
    matrix_det_exact: "matrix det --exact";
    matrix_det_real: "matrix det --real";
    matrix_rank_modulus: "matrix rank --modulus";
    matrix_rank_exact: "matrix rank --exact";
    matrix_inverse_modulus: "matrix inverse --modulus";
    matrix_inverse_exact: "matrix inverse --exact";
    matrix_nullspace_modulus: "matrix nullspace --modulus";
    matrix_nullspace_exact: "matrix nullspace --exact";
    matrix_charpoly_modulus: "matrix charpoly --modulus";
    matrix_charpoly_exact: "matrix charpoly --exact";
    matrix_minpoly_modulus: "matrix minpoly --modulus";
    matrix_minpoly_exact: "matrix minpoly --exact";
    matrix_lu: "matrix lu";
    matrix_pluq: "matrix pluq";
    matrix_rref: "matrix rref";
    matrix_image: "matrix image";
    matrix_hermite: "matrix hermite";
    matrix_smith: "matrix smith";
    matrix_solve_modulus: "matrix solve --modulus";
    matrix_solve_exact: "matrix solve --exact";
    matrix_mul: "matrix mul";
    semiring_product: "semiring product";
    semiring_plan: "semiring plan";
    maxplus_star: "maxplus star";
    maxplus_variants: "maxplus variants";
    maxplus_schedule: "maxplus schedule";
    maxplus_report: "maxplus report";
    maxplus_cycle_mean: "maxplus cycle-mean";
    maxplus_simulate: "maxplus simulate";
    sort_numbers: "sort numbers";
    sort_sparse: "sort sparse";
    sort_text: "sort text";
    sparse_multiply: "sparse multiply";
    sparse_reorder: "sparse reorder";
    sparse_info: "sparse info";
    sparse_misses: "sparse misses";
    sparse_report: "sparse report";
    code_split: "code split";
    code_join: "code join";
}

/// The commands below one of clap's, by their full names.
fn leaves<'a>(command: &'a clap::Command, path: &str, into: &mut Vec<(String, &'a clap::Command)>) {
    for child in command.get_subcommands() {
        let path = format!("{path} {}", child.get_name()).trim_start().to_owned();
        if child.has_subcommands() {
            leaves(child, &path, into);
        } else {
            into.push((path, child));
        }
    }
}

/// Whether a command is one of these, or in a group of them.
fn is_among(command: &str, among: &[&str]) -> bool {
    among.iter().any(|other| command == *other || command.starts_with(&format!("{other} ")))
}

/// The options of a command that choose what is computed and how, each as it stands in a line: `--exact`, `--type f32`.
fn choices(command: &clap::Command) -> Vec<String> {
    let mut choices = Vec::new();
    for argument in command.get_arguments().filter(|argument| !argument.is_global_set()) {
        let Some(name) = argument.get_long().filter(|name| !READING_AND_WRITING.contains(name)) else { continue };
        if name == "help" {
            continue;
        }
        let values = argument.get_possible_values();
        let takes_value = argument.get_action().takes_values();
        if values.is_empty() || !takes_value {
            choices.push(format!("--{name}"));
            continue;
        }
        let default = argument.get_default_values();
        let names = values.iter().map(clap::builder::PossibleValue::get_name);
        let chosen =
            names.filter(|value| default.iter().all(|default| default != value) && !HOST_ALGORITHMS.contains(value));
        choices.extend(chosen.map(|value| format!("--{name} {value}")));
    }
    choices
}

#[test]
fn every_command_has_faults_with_every_option() {
    let program = manycore_cli::arguments::Cli::command();
    let mut commands = Vec::new();
    leaves(&program, "", &mut commands);
    assert!(commands.len() > 15, "{commands:?}");
    let mut missing = Vec::new();
    for (name, command) in &commands {
        // Help of a group of commands.
        if is_among(name, &WITHOUT_RESULT) || name.ends_with(" help") {
            continue;
        }
        let cases: Vec<&str> = CASES.iter().filter(|case| case.is_of(name)).map(|case| case.line).collect();
        if cases.is_empty() {
            missing.push(name.clone());
        }
        if is_among(name, &ON_THE_HOST) {
            continue;
        }
        let is_chosen = |choice: &String| cases.iter().any(|line| format!("{line} ").contains(&format!(" {choice} ")));
        missing.extend(
            choices(command).iter().filter(|choice| !is_chosen(choice)).map(|choice| format!("{name} {choice}")),
        );
    }
    assert!(missing.is_empty(), "no case of {}", missing.join(", "));
}

#[test]
fn every_case_has_one_test() {
    for case in CASES {
        let tests = TESTED.iter().filter(|command| case.is_of(command)).count();
        assert_eq!(tests, 1, "tests of {}", case.line);
    }
}

#[test]
fn faults_are_spread_over_all_commands() {
    let counts = |command| [3, 2, 0, 0, 5][command as usize];
    let spread = faults(19, 1, counts);
    assert_eq!(spread.len(), 19);
    for command in Command::ALL {
        let mut met: Vec<u64> =
            spread.iter().filter(|fault| fault.command == command).map(|fault| fault.index).collect();
        met.sort_unstable();
        met.dedup();
        assert_eq!(met, (0..counts(command)).collect::<Vec<_>>(), "{command:?}");
    }
    let mut different: Vec<String> = spread.iter().map(ToString::to_string).collect();
    different.sort_unstable();
    different.dedup();
    assert!(different.len() > 16, "{different:?}");
    // Of more commands than faults, the last one and others at equal distances.
    let many: Vec<u64> = faults(19, 1, |command| if command == Command::Read { 100 } else { 0 })
        .iter()
        .map(|fault| fault.index)
        .collect();
    assert!(many[0] == 99 && many.is_sorted_by(|a, b| a > b) && many[18] < 6, "{many:?}");
}
