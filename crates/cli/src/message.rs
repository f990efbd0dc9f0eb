//! Messages on standard error: one line each, without control characters; a failure to write one never ends the program.

use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::Mutex;

use manycore::device::{DEVICE_VARIABLE, TUNING_VARIABLE, waits};
use manycore::files::{escaped, shown};

/// Texts that a message may repeat, which whoever called the program chose: its arguments, and the device and tuning mode of the environment.
#[derive(Debug, Default)]
pub(crate) struct Quoted(Vec<String>);

impl Quoted {
    /// The arguments that a message must not repeat unescaped, the longest first.
    pub(crate) fn new(arguments: &[OsString]) -> Self {
        let environment: Vec<OsString> =
            [DEVICE_VARIABLE, TUNING_VARIABLE].iter().filter_map(std::env::var_os).collect();
        let mut texts = Vec::new();
        for argument in arguments.iter().chain(&environment) {
            let text = argument.to_string_lossy();
            if shown(&text) == text {
                continue;
            }
            texts.extend(text.split_once('=').map(|(_, value)| value.to_owned()));
            texts.push(text.into_owned());
        }
        // Messages have some values with the escapes of strings.
        let debugged: Vec<String> = texts.iter().map(|text| text.escape_debug().to_string()).collect();
        texts.extend(debugged);
        texts.retain(|text| shown(text) != *text);
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        Self(texts)
    }

    /// A message with every such text cut and escaped.
    pub(crate) fn cut(&self, message: &str) -> String {
        self.0.iter().fold(message.to_owned(), |message, text| message.replace(text, &shown(text)))
    }
}

/// The command line without the program's name, as messages about memory name it: the options and files that determine the size of the
/// work.
static COMMAND: Mutex<String> = Mutex::new(String::new());

/// Keeps the command line for [`with_command`].
pub(crate) fn keep_command(arguments: &[OsString]) {
    let words: Vec<String> = arguments.iter().skip(1).map(|word| shown(&word.to_string_lossy())).collect();
    if let Ok(mut command) = COMMAND.lock() {
        *command = shown(&words.join(" "));
    }
}

/// A line on standard error for each wait of the process: the milliseconds of its beginning and of its length, and what it was for.
pub(crate) fn tell_waits() {
    let waits = waits::all();
    if !waits.is_empty() {
        tell("waits: begin and length in ms");
    }
    for wait in waits {
        tell(&wait.to_string());
    }
}

/// Passes the command line to `tell`, without waiting and without allocating: an empty one while another thread holds its lock.
pub(crate) fn with_command<T>(tell: impl FnOnce(&str) -> T) -> T {
    match COMMAND.try_lock() {
        Ok(command) => tell(&command),
        Err(_) => tell(""),
    }
}

/// The most characters of a message: the logs of compilers are longer.
const MOST_CHARACTERS: usize = 4096;

/// A message in one line, where a compiler's log, for one, has several; escaped, and cut at a length that no other message has.
fn one_line(message: &str) -> String {
    let line = message.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" | ");
    match line.char_indices().nth(MOST_CHARACTERS) {
        None => escaped(&line),
        Some((end, _)) => escaped(&line[..end]) + "…",
    }
}

/// Writes a message as one line to standard error. A failure here cannot be reported, so it is ignored.
pub(crate) fn tell(message: &str) {
    let _ = writeln!(io::stderr().lock(), "manycore: {}", one_line(message));
}

/// The standard library's messages about texts that are no numbers, and the program's.
const PARSERS: [(&str, &str); 5] = [
    ("invalid digit found in string", "expected a whole number of at least 0"),
    ("cannot parse integer from empty string", "expected a whole number of at least 0"),
    ("number too large to fit in target type", "the number is too large"),
    ("invalid float literal", "expected a number"),
    ("cannot parse float from empty string", "expected a number"),
];

/// The message of a usage error: what is wrong, without the summary of the usage that follows it, and without the parser's tip to pass an
/// unknown option as a value, which no command means.
pub(crate) fn usage(message: &str) -> String {
    let lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
    let wrong = lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"));
    let mut text = String::new();
    for line in wrong.filter(|line| !line.starts_with("tip: to pass ")) {
        text += if text.is_empty() {
            ""
        } else if line.starts_with("tip: ") {
            "; "
        } else {
            " "
        };
        text += line;
    }
    for (parser, ours) in PARSERS {
        text = text.replace(parser, ours);
    }
    format!("{} (--help tells the usage)", text.strip_prefix("error: ").unwrap_or(&text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Cli;

    #[test]
    fn usage_errors_fit_one_line() {
        let message = |arguments: &[&str]| usage(&Cli::read(arguments.iter().copied()).unwrap_err().to_string());
        assert_eq!(
            message(&["manycore", "spectrum", "walsh", "x", "--order", "natural"]),
            "invalid value 'natural' for '--order <ORDER>' [possible values: hadamard, sequency, dyadic] \
             (--help tells the usage)"
        );
        assert_eq!(
            message(&["manycore", "spectrum", "walsh"]),
            "the following required arguments were not provided: <FILE> (--help tells the usage)"
        );
        for (seed, expected) in
            [("-1", "expected a whole number of at least 0"), ("99999999999999999999", "the number is too large")]
        {
            let expected = format!("invalid value '{seed}' for '--seed <N>': {expected} (--help tells the usage)");
            assert_eq!(message(&["manycore", "devices", "--seed", seed]), expected);
        }
        // Advice that fails is none.
        assert_eq!(
            message(&["manycore", "matrix", "mul", "a", "b", "--modulus", "7", "--exact"]),
            "unexpected argument '--exact' found (--help tells the usage)"
        );
        assert_eq!(
            message(&["manycore", "matrix", "det", "a", "--modulus", "-7"]),
            "invalid value '-7' for '--modulus <P>': a modulus is a prime, in decimal digits (--help tells the usage)"
        );
        assert_eq!(
            message(&["manycore", "poly", "pow", "f", "--modulus", "7", "--exponnet", "2"]),
            "unexpected argument '--exponnet' found; tip: a similar argument exists: '--exponent' (--help tells the usage)"
        );
    }

    #[test]
    fn messages_become_one_line() {
        assert_eq!(one_line("a:\n  b\n\n c\r\n"), "a: | b | c");
        assert_eq!(one_line("a\u{1b}[2J"), "a\\u{1b}[2J");
        assert_eq!(one_line(&"é".repeat(5000)).chars().count(), MOST_CHARACTERS + 1);
    }

    #[test]
    fn commands_are_kept_in_one_line() {
        keep_command(&["manycore".into(), "poly".into(), "f\n.txt".into(), "7".repeat(1000).into()]);
        assert_eq!(with_command(str::to_owned), format!("poly f\\n.txt {}…", "7".repeat(187)));
        let _held = COMMAND.lock();
        assert_eq!(with_command(str::to_owned), "");
    }

    #[test]
    fn long_arguments_are_cut_where_they_are_repeated() {
        let (long, cut) = ("7".repeat(1000), "7".repeat(200) + "…");
        let quoted = Quoted::new(&["short".into(), format!("--seed={long}").into(), "a\nb".into()]);
        assert_eq!(
            quoted.cut(&format!("invalid value '{long}' for short")),
            format!("invalid value '{cut}' for short")
        );
        assert_eq!(quoted.cut("no device \"a\nb\""), "no device \"a\\nb\"");
    }
}
