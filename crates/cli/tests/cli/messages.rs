//! Messages: one line with file, line and value, cut, and without what a terminal would obey.

use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;

use crate::common::{Folder, command, manycore, run_with};
use manycore::files::write_npy;

/// A `.npy` file of these numbers.
fn npy<T: manycore::files::NpyNumber>(values: &[T]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_npy(&mut bytes, values).unwrap();
    bytes
}

/// The message that a line of the program has for this content of `x`.
#[track_caller]
fn message(line: &str, content: impl AsRef<[u8]>) -> String {
    let folder = Folder::new();
    folder.file("x", content);
    folder.manycore(&format!("{line} --device host")).error(2)
}

#[test]
fn bits_words_boxes_and_minterms_are_named_with_file_and_line() {
    let bits = "a Boolean function has the values 0 and 1 only";
    for (line, content, expected) in [
        ("spectrum reed-muller x", "0 1\n\n1 2", &*format!("x:3: value 4 is 2: {bits}")),
        ("spectrum polarities x", "0 1 # two\n-1 0", &format!("x:2: value 3 is -1: {bits}")),
        ("spectrum reed-muller x --packed", "0x1\n0xg", "x:2: word 2, 0xg, is no number below 2^64"),
        ("boolean info x", "01\n0z2", "x:2: character 2, \"z\": expected a digit of base 16"),
        ("boolean info x --format binary", "01\n0 1 2", "x:2: character 5, \"2\": expected a digit of base 2"),
        ("boolean info x --format hex", "01\n\n g", "x:3: character 2, \"g\": expected a digit of base 16"),
        ("boolean anf x", "x1 +\n x2 *", "x:2: character 6, the end: expected"),
        ("boolean anf x --variables 2", "x1\n+ x3", "x:2: character 3: x3 is no variable"),
        ("boolean info x --format minterms", "1 2\n3\nq", "x:3: minterm 4, q, is no number below 2^64"),
        (
            "boolean info x --format minterms --variables 2",
            "1\n9",
            "x:2: number 2 of the list is 9: indices are below 4",
        ),
        ("boolean info x", "011", "x: 3 values: a function of n variables has 2^n"),
        ("sbox info x", "0 1\n2 z", "x:2: S(3) is \"z\": expected a number below 65536"),
        ("sbox info x", "0 1\n2 65536", "x:2: S(3) is \"65536\": expected a number below 65536"),
        ("sbox lat x --output-bits 1", "0\n1\n2\n1", "x:3: S(2) is 2: outputs are below 2"),
        ("sbox info x", "0 1 2", "x: 3 outputs: an S-box of m input bits has 2^m"),
        ("poly mul x x --modulus 7", "1\n\n0.5", "x:3: `0.5` is no integer"),
        ("spectrum ntt x --modulus 17", "1\nz", "x:2: `z` is no number"),
        ("poly factor x --modulus 7", "0", "x: the zero polynomial has no factorization"),
        ("poly roots x --modulus 7", "7 14", "x: every element of the field is a root of the zero polynomial"),
        ("poly interpolate x x --modulus 7", "3 1\n2 10", "x: points 1 and 4 are equal"),
        ("poly eval x x --modulus 7", "\u{200b}1", "x:1: `\\u{200b}1` is no number"),
        (
            "spectrum walsh x",
            "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n",
            "x:2: a matrix of 2 rows and 2 columns, where a vector",
        ),
        (
            "sbox info x",
            "c 5 6 b 9 0 a d 3 e f 8 4 7 1 2",
            "x:1: S(0) is \"c\": expected a number below 65536; --hex reads it",
        ),
    ] {
        let error = message(line, content);
        assert!(error.starts_with(expected), "{line}: {error}");
    }
    assert!(message("spectrum reed-muller x", npy(&[1u8, 2])).starts_with("x: value 2 is 2: "));
    assert!(message("spectrum reed-muller x --packed", npy(&[1i32, -2])).starts_with("x: word 2, -2, is no number"));
}

#[test]
fn lengths_are_named_with_their_file() {
    for (line, content, expected) in [
        ("spectrum walsh x", "1 2 3", "x: 3 values: the length of a transform must be a power of two"),
        ("spectrum ntt x --modulus 17", "1 2 3", "x: 3 values: the length of a transform must be a power of two"),
        (
            "spectrum ntt x --modulus 17 --batch 3",
            "1 2 3",
            "--batch 3: the length of a transform must be a power of two",
        ),
        (
            "spectrum ntt x --modulus 17 --batch 2",
            "1 2 3",
            "x: 3 values are no whole number of transforms of 2 (--batch)",
        ),
        ("spectrum ntt x --modulus 7", "1 2 3 4", "x: modulo 7 there is no root of unity of order 4"),
        ("spectrum ntt x --modulus 7", "", "x: no values"),
        ("spectrum fourier x", "1", "x: 1 numbers are no whole number of complex numbers of two each"),
        ("spectrum fourier x --single", "1 2 3", "x: 3 numbers are no whole number of complex numbers of two each"),
        ("spectrum fourier x", "", "x: no values"),
        ("spectrum fourier x --real", "# none", "x: no values"),
        ("spectrum fourier x --modulus 7", "", "x: no values"),
        ("spectrum fourier x --real --group 2", "1 2 3", "x: 3 values are no whole number of functions of 2"),
        ("spectrum fourier x --group 2", "1 2 3 4 5 6", "x: 3 values are no whole number of functions of 2"),
        ("spectrum fourier x --modulus 7 --group 2", "1", "x: 1 values are no whole number of functions of 2"),
        ("spectrum fourier x --modulus 7", "1 2 3 4", "x: no root of unity mod 7 has order 4"),
        ("spectrum kronecker x --product walsh^2", "1 2 3", "x: 3 values are no whole number of vectors of 4"),
        ("spectrum kronecker x --product walsh --complex", "1 2 3", "x: 3 numbers are no whole number of complex"),
        ("spectrum kronecker x --product walsh --complex", "1 2", "x: 1 values are no whole number of vectors of 2"),
        ("spectrum kronecker x --product walsh", "", "x: no values"),
    ] {
        let error = message(line, content);
        assert!(error.starts_with(expected), "{line}: {error}");
    }
    let folder = Folder::new();
    folder.file("x", "1 2 3 4 5 6");
    folder.file("y", "1 2 3 4");
    folder.file("z", "1 2 3");
    let convolve = |other| folder.manycore(&format!("spectrum fourier x --real --group 2 --convolve {other}")).error(2);
    assert_eq!(convolve("y"), "y: 2 functions, where the first operand has 3: one, or as many");
    assert_eq!(convolve("z"), "z: 3 values are no whole number of functions of 2");
}

#[test]
fn numbers_that_are_not_finite_are_refused_everywhere() {
    for line in [
        "spectrum walsh x",
        "spectrum walsh x --type f32",
        "spectrum walsh x --verify",
        "spectrum haar x --normalization orthonormal",
        "spectrum haar x --type f32",
        "spectrum arithmetic x",
        "spectrum fourier x --real",
        "spectrum fourier x --single",
        "spectrum kronecker x --product walsh",
        "spectrum kronecker x --product walsh --complex",
    ] {
        let single = line.contains("f32") || line.contains("single");
        let largest = if single { "f32" } else { "f64" };
        for word in ["nan", "inf", "-inf", "Infinity", "NaN"] {
            assert_eq!(message(line, format!("0.5\n{word}")), format!("x:2: {word} is not finite"), "{line}");
        }
        for word in ["1e400", "-1E+999"] {
            let error = message(line, format!("0.5 {word}"));
            assert_eq!(error, format!("x:1: {word} is past the largest {largest}"), "{line}");
        }
        assert_eq!(message(line, npy(&[0.5, f64::NAN])), "x: value 2: NaN is not finite", "{line}");
        assert_eq!(message(line, npy(&[f32::INFINITY, 1.0])), "x: value 1: inf is not finite", "{line}");
        if single {
            assert_eq!(message(line, npy(&[0.5, 1e39])), "x: value 2: 1e39 is past the largest f32", "{line}");
        }
    }
    assert!(message("spectrum ntt x --modulus 7", npy(&[f64::NAN])).contains("number 1 is NaN"));
    assert_eq!(message("spectrum walsh x --type i64", "1 nan"), "x:1: `nan` is no integer");
}

#[test]
fn long_input_is_cut() {
    let (long, cut) = ("7".repeat(1 << 20), "7".repeat(200) + "…");
    for (line, expected) in [
        ("spectrum walsh x", format!("x:1: {cut} is out of the range of i64")),
        ("spectrum walsh x --type f64", format!("x:1: {cut} is past the largest f64")),
        ("spectrum reed-muller x", format!("x:1: value 1 is {cut}: ")),
        ("spectrum reed-muller x --packed", format!("x:1: word 1, {cut}, is no number")),
        ("sbox info x", format!("x:1: S(0) is \"{cut}\": ")),
        ("boolean info x --format minterms", format!("x:1: minterm 1, {cut}, is no number")),
    ] {
        let error = message(line, &long);
        assert!(error.starts_with(&expected), "{line}: {}", &error[..error.len().min(500)]);
    }
    assert_eq!(message("spectrum walsh x", "w".repeat(1 << 20)), format!("x:1: `{}…` is no number", "w".repeat(200)));
    let error = message("boolean anf x", format!("x{long}"));
    assert!(error.starts_with("x:1: ") && error.chars().count() < 400, "{error}");
}

#[test]
fn long_arguments_are_cut() {
    let long = "w".repeat(50_000);
    for line in [
        format!("spectrum walsh x --type {long}"),
        format!("spectrum walsh x --type={long}"),
        format!("devices --device {long}"),
        format!("devices --seed {long}"),
        format!("devices --{long}"),
        long.clone(),
        format!("man {long}"),
        format!("characters {long}"),
        format!("explain walsh --n {long}"),
        format!("spectrum walsh {long}"),
        format!("devices -o {long}/x"),
        format!("devices -o {long}.npy"),
    ] {
        let run = manycore(&line);
        let start = &line[..line.len().min(40)];
        assert!(run.code == 2 || run.code == 1 && line.contains("-o"), "{start}");
        assert!(run.stderr.chars().count() < 900 && run.stderr.contains('…'), "{start}: {}", run.stderr.len());
        assert_eq!(run.stderr.lines().count(), 1, "{start}");
    }
    let mut product = command(&["spectrum", "kronecker", "-", "--device", "host", "--product", &long]);
    product.stdin(Stdio::null());
    let error = run_with(product, b"1 2").error(2);
    assert!(error.chars().count() < 900 && error.contains('…'), "{error}");
}

/// Commands of a terminal: a title, a clearing of the screen in one byte more and less, a bell, a return, and a change of the
/// order of writing.
const EVIL: &str = "\u{1b}]0;t\u{7}\u{1b}[2J\u{9b}2J\r\u{202e}";

/// Whether a terminal would obey something of a text of one line.
fn is_obeyed(text: &str) -> bool {
    text.trim_end_matches('\n').chars().any(|c| c.is_control() || c == '\u{202e}')
}

#[test]
fn no_command_of_a_terminal_comes_through() {
    let folder = Folder::new();
    let name = format!("a{EVIL}b");
    folder.file(&name, format!("1 {}", EVIL.replace('\r', "")));
    folder.file("bits", format!("0 {EVIL}"));
    let lines: [&[&str]; 16] = [
        &["spectrum", "walsh", &name],
        &["spectrum", "walsh", "bits"],
        &["spectrum", "reed-muller", "bits"],
        &["spectrum", "reed-muller", "bits", "--packed"],
        &["spectrum", "walsh", &format!("{name}.absent")],
        &["boolean", "info", "bits", "--format", "anf"],
        &["boolean", "info", "bits", "--format", "hex"],
        &["sbox", "info", "bits"],
        &["poly", "mul", "bits", "bits", "--modulus", "7"],
        &["spectrum", "walsh", "bits", "--type", EVIL],
        &["spectrum", "kronecker", "bits", "--product", EVIL, "--modulus", "7"],
        &["characters", EVIL],
        &["devices", "--device", EVIL],
        &["devices", "-o", &format!("{EVIL}/x")],
        &["man", EVIL],
        &[EVIL],
    ];
    for arguments in lines {
        let mut program = command(arguments);
        program.current_dir(folder.path(""));
        let run = run_with(program, b"");
        assert!(run.code == 2 || run.code == 1 && arguments.contains(&"-o"), "{arguments:?}: {run:?}");
        assert!(!is_obeyed(&run.stderr), "{arguments:?}: {:?}", run.stderr);
    }
    let mut environment = command(&["devices"]);
    environment.env("MANYCORE_DEVICE", EVIL);
    assert!(!is_obeyed(&run_with(environment, b"").error(2)));
    // Names that are no text.
    let mut bytes = command(&["spectrum", "walsh"]);
    bytes.arg(std::ffi::OsStr::from_bytes(b"\xff\x1b[2J"));
    assert!(!is_obeyed(&run_with(bytes, b"").error(2)));
}

#[cfg(target_os = "linux")]
#[test]
fn a_standard_error_that_is_closed_or_full_changes_nothing() {
    let folder = Folder::new();
    folder.file("x", "1 2 y");
    for to in ["2>&-", "2>/dev/full"] {
        for (line, code) in [
            ("spectrum walsh x", 2),
            ("spectrum wavelet x", 2),
            ("", 2),
            ("devices -o no/y", 2),
            ("devices --device nothing", 2),
            ("--version", 0),
        ] {
            let run = folder.shell(&format!("\"$manycore\" {line} {to} > out; echo $?"), b"");
            assert_eq!(run.output(), format!("{code}\n"), "{line} {to}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_an_error() {
    let folder = Folder::new();
    folder.file("x", "1 2");
    for line in ["--help", "--version", "spectrum walsh --help", "-h", "spectrum walsh x", "man", "completions bash"] {
        let run = folder.shell(&format!("exec \"$manycore\" {line} > /dev/full"), b"");
        assert_eq!(run.error(1), "standard output: No space left on device (os error 28)", "{line}");
    }
}

#[test]
fn nothing_is_never_printed_for_a_result() {
    let folder = Folder::new();
    folder.file("apart.txt", "x*y - 1\nx\n");
    folder.file("common.txt", "x*y\ny^2 + y\n");
    folder.file("irreducible.txt", "x^2 + 1");
    folder.file("zero.txt", "0");
    folder.file("x", "3 7\n2 4\n");
    folder.file("plan.csv", "dig,3\n");
    for field in ["--modulus 7", "--exact"] {
        let run = |line: &str| folder.manycore(&format!("{line} {field} --device host"));
        assert_eq!(run("bivariate solve apart.txt").output(), "no solutions\n");
        assert_eq!(run("bivariate resultant common.txt --eliminate second").output(), "0\n");
        assert_eq!(
            run("bivariate resultant common.txt --eliminate second --json").json()["result"],
            serde_json::json!([])
        );
    }
    let product = "poly mul zero.txt irreducible.txt --modulus 7 --device host";
    assert_eq!(folder.manycore(product).output(), "0\n");
    assert_eq!(folder.manycore(&format!("{product} --json")).json()["result"], serde_json::json!([]));
    let roots = folder.manycore("poly roots irreducible.txt --modulus 7 --device host");
    assert_eq!((roots.code, roots.stdout.as_str(), roots.stderr.as_str()), (0, "", "manycore: no roots\n"));
    for line in [
        "maxplus variants plan.csv --count 0",
        "maxplus simulate x --steps 0",
        "sbox compare x --best 0",
        "sparse info x --products 0",
        "sparse reorder x --merge 0",
        "poly mul x x --modulus 7 --algorithm two-phase --x 0",
    ] {
        let error = folder.manycore(&format!("{line} --device host")).error(2);
        assert!(
            error.contains("invalid value '0' for '--") && error.contains("a whole number of at least 1"),
            "{error}"
        );
    }
    let error = folder.manycore("spectrum walsh x --memory 0").error(2);
    assert!(error.contains("'--memory <SIZE>': no work fits into 0 bytes"), "{error}");
}

#[test]
fn options_that_nothing_reads_are_refused() {
    let folder = Folder::new();
    folder.file("f", "1 2");
    folder.file("plan.csv", "dig,3\n");
    let error = |line: &str| folder.manycore(&format!("{line} --device host")).error(2);
    let rows = "--x goes with --algorithm two-phase: no other algorithm has rows";
    assert_eq!(error("poly mul f f --modulus 7 --x 16"), rows);
    assert_eq!(error("poly mul f f --modulus 7 --x 16 --algorithm plain"), rows);
    let chart = |gantt: &str| error(&format!("maxplus schedule plan.csv --gantt {gantt}"));
    assert_eq!(chart("chart.png"), "--gantt chart.png: the file's name ends in .svg, the form that it has");
    assert_eq!(chart("-"), "--gantt -: the result goes to standard output, too: give it a file by -o");
    assert_eq!(chart("chart.svg -o chart.svg"), "--gantt chart.svg: --gantt and -o name one file");
    folder.file("m.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n");
    for option in ["--merge 2", "--classes 0.5"] {
        let told = error(&format!("sparse reorder m.mtx --method rcm {option}"));
        assert!(told.ends_with(" goes with --method brgc: no other order reads it"), "{told}");
    }
    assert!(error("sparse reorder m.mtx --orders -").starts_with("--orders -: standard output is for the matrix"));
    let drawn = folder.manycore("maxplus schedule plan.csv --gantt - -o plan.txt").output();
    assert!(drawn.starts_with("<svg") && drawn.ends_with("</svg>\n"), "{drawn}");
    assert!(error("explain walsh --n 8 --html -").starts_with("--html -: standard output is for the result"));
    assert!(error("explain walsh --n 8 --html x.svg").starts_with("--html x.svg: the file's name ends in .html"));
    assert_eq!(folder.names(), ["f", "m.mtx", "plan.csv", "plan.txt"]);
}

#[test]
fn two_sboxes_in_two_lines_are_not_one() {
    let two = message("sbox info x", "0 1 2 3\n3 2 1 0\n");
    assert!(two.starts_with("x: each of its 2 lines is a whole S-box: sbox compare reads one a line"), "{two}");
    // Rows of one S-box: lines of the AES have outputs that no S-box of four bits has.
    let rows = "0 16 2 3\n4 5 6 7\n";
    let folder = Folder::new();
    folder.file("x", rows);
    assert!(folder.manycore("sbox info x --device host").output().starts_with("input bits                  3\n"));
}

#[test]
fn a_check_that_passed_is_told_in_one_line() {
    let run = |line: &str| {
        let run = crate::common::manycore_with(&format!("{line} --verify --device host"), b"1 2 3 4\n");
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{line}");
        run.verified
    };
    let told = run("spectrum walsh -").expect("a line");
    assert!(told.contains("a wrong result passes with a chance below 2^-") && !told.contains('\n'), "{told}");
    let told = run("sort numbers -").expect("a line");
    assert!(!told.is_empty() && !told.contains('\n'), "{told}");
    assert_eq!(run("spectrum walsh - --json"), None, "JSON has it");
    assert_eq!(run("spectrum walsh - --quiet"), None);
}

#[test]
fn schedules_name_their_file_and_tasks() {
    let folder = Folder::new();
    folder.file("circle.csv", "dig,3,pour\npour,2,dig\n");
    folder.file("long.csv", "dig,9223372036854775807\n");
    let error = |line: &str| folder.manycore(&format!("{line} --device host")).error(2);
    for command in ["schedule", "report"] {
        let told = error(&format!("maxplus {command} circle.csv"));
        assert!(told.starts_with("circle.csv: the links contradict each other by 5: pour starts"), "{told}");
        let told = error(&format!("maxplus {command} long.csv"));
        assert!(
            told.starts_with("long.csv: the duration of task 1, by the order of the file, is 9223372036854775807: "),
            "{told}"
        );
    }
    let told = error("maxplus variants circle.csv");
    assert!(told.starts_with("circle.csv: tasks wait for each other: ") && told.contains("dig, then pour"), "{told}");
}

#[test]
fn devices_that_are_not_there_have_one_status() {
    for device in ["gpu-of-no-name", "opencl:77", "host:999999"] {
        let error = manycore(&format!("devices --device {device}")).error(2);
        assert!(error.contains(device) && error.contains("host"), "{error}");
    }
}
