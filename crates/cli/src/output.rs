//! Results as text, JSON or `.npy`, on standard output or in a file.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use manycore::Profile;
use manycore::device::Kind;
use manycore::files::{Format, shown_path};
use serde::{Serialize, Serializer};
use serde_json::Value;

pub use manycore::operation::json::{JsonInteger, Residues};

use crate::destination;
use crate::error::Error;
use crate::global::Global;
use crate::label::{Labelled, label};
use crate::progress;
use crate::verification::Verification;

/// The one object that `--json` prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report<R> {
    /// The command, such as `spectrum walsh`.
    pub command: &'static str,
    /// The device that computed, as `opencl:0 (NAME)`; null where nothing was computed.
    pub device: Option<String>,
    /// The algorithm; null where there is no choice.
    pub algorithm: Option<&'static str>,
    /// What the result depends on beside the input.
    pub parameters: Value,
    /// The seconds that the device computed.
    #[serde(serialize_with = "time")]
    pub seconds: Option<f64>,
    /// The seconds of the transfers to and from the device.
    #[serde(serialize_with = "time")]
    pub transfer_seconds: Option<f64>,
    /// The seconds that the machine model estimates; null where it has no model of the operation.
    #[serde(serialize_with = "time")]
    pub predicted_seconds: Option<f64>,
    /// True when `--verify` checked the result, null without it, `not checked` of a command without a check; a wrong result is not
    /// printed.
    pub verified: Option<bool>,
    /// How `--verify` checked the result, null without it.
    pub verification: Option<Verification>,
    /// The result.
    pub result: R,
}

/// What a computation took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spent {
    /// Seconds, on several devices as the user waits for them.
    pub(crate) seconds: f64,
    /// Seconds of transfers, of one device.
    pub(crate) transfer_seconds: Option<f64>,
}

impl From<&Profile> for Spent {
    fn from(profile: &Profile) -> Self {
        let transfers = profile.seconds(Kind::Upload) + profile.seconds(Kind::Download);
        Self { seconds: profile.span_seconds(), transfer_seconds: Some(transfers) }
    }
}

/// A time: none is 0 and never -0, the sum of no times.
#[allow(clippy::ref_option)] // the form that serde asks for
fn time<S: Serializer>(seconds: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    seconds.map(|seconds| seconds + 0.0).serialize(serializer)
}

/// The JSON object of a command without a check, for `--verify`: unchecked results never look like checked ones.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Unchecked<'a, R> {
    command: &'static str,
    device: Option<&'a str>,
    algorithm: Option<&'static str>,
    parameters: &'a Value,
    #[serde(serialize_with = "time")]
    seconds: Option<f64>,
    #[serde(serialize_with = "time")]
    transfer_seconds: Option<f64>,
    #[serde(serialize_with = "time")]
    predicted_seconds: Option<f64>,
    /// `not checked`.
    verified: &'static str,
    verification: Reason,
    result: &'a R,
}

/// Why nothing was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Reason {
    reason: &'static str,
}

impl<R> Report<R> {
    fn unchecked(&self, reason: &'static str) -> Unchecked<'_, R> {
        Unchecked {
            command: self.command,
            device: self.device.as_deref(),
            algorithm: self.algorithm,
            parameters: &self.parameters,
            seconds: self.seconds,
            transfer_seconds: self.transfer_seconds,
            predicted_seconds: self.predicted_seconds,
            verified: "not checked",
            verification: Reason { reason },
            result: &self.result,
        }
    }

    /// A report of a command that computes nothing on a device.
    pub fn new(command: &'static str, parameters: Value, result: R) -> Self {
        Self {
            command,
            device: None,
            algorithm: None,
            parameters,
            seconds: None,
            transfer_seconds: None,
            predicted_seconds: None,
            verified: None,
            verification: None,
            result,
        }
    }

    /// The report with the device, the time and the profile of the result, and its check.
    #[must_use]
    pub(crate) fn of_run(self, device: &impl Labelled, spent: Spent, verification: Option<Verification>) -> Self {
        Self {
            device: Some(label(device)),
            seconds: Some(spent.seconds),
            transfer_seconds: spent.transfer_seconds,
            verified: verification.as_ref().map(|_| true),
            verification,
            ..self
        }
    }

    /// The report with its check, for a result that no device made.
    #[must_use]
    pub(crate) fn of_check(self, verification: Option<Verification>) -> Self {
        Self { verified: verification.as_ref().map(|_| true), verification, ..self }
    }

    /// The report with its result converted by `become_of`.
    pub fn map<S>(self, become_of: impl FnOnce(R) -> S) -> Report<S> {
        let Self {
            command,
            device,
            algorithm,
            parameters,
            seconds,
            transfer_seconds,
            predicted_seconds,
            verified,
            verification,
            result,
        } = self;
        Report {
            command,
            device,
            algorithm,
            parameters,
            seconds,
            transfer_seconds,
            predicted_seconds,
            verified,
            verification,
            result: become_of(result),
        }
    }

    /// The report with this result.
    pub fn with<S>(self, result: S) -> Report<S> {
        self.map(|_| result)
    }
}

/// The values of Boolean functions, 0 or 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bits(pub Vec<u8>);

impl Serialize for Bits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

/// Words of 64 values of Boolean functions, hexadecimal in text and JSON; bit i of word w is value 64 w + i.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedBits(pub Vec<u64>);

/// A word as text, such as `0x00000000000000b9`.
fn word_text(word: u64) -> String {
    format!("{word:#018x}")
}

impl Serialize for PackedBits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|&word| word_text(word)))
    }
}

/// The form that `-o` asks for: text on standard output.
pub(crate) fn format(global: &Global) -> Format {
    destination::file(global).map_or(Format::Text, Format::of)
}

/// Whether `-o` asks for a `.npy` array.
pub fn is_array(global: &Global) -> bool {
    format(global) == Format::Npy
}

/// Whether `-o` names a file of the Matrix Market format.
pub(crate) fn is_matrix_market(global: &Global) -> bool {
    destination::file(global).and_then(Path::extension).is_some_and(|end| end.eq_ignore_ascii_case("mtx"))
}

/// Refuses a `.npy` file for what is no vector.
///
/// # Errors
/// [`Error::Usage`] with what is not written so.
pub fn check_text(global: &Global, what: &str) -> Result<(), Error> {
    match destination::file(global) {
        Some(file) if format(global) == Format::Npy => {
            Err(Error::Usage(format!("{}: {what} is text or JSON, no .npy array", shown_path(file))))
        }
        _ => Ok(()),
    }
}

/// Refuses options about the form of a vector that exclude each other, before the work begins.
///
/// # Errors
/// [`Error::Usage`] for `--json` with a `.npy` file.
pub fn check_form(global: &Global) -> Result<(), Error> {
    match destination::file(global) {
        Some(file) if global.json && format(global) == Format::Npy => Err(Error::Usage(format!(
            "{}: --json writes JSON, the name asks for an array: give one of them",
            shown_path(file)
        ))),
        _ => Ok(()),
    }
}

/// Refuses options that a command which prints text for other programs cannot follow.
pub(crate) fn refuse_json(global: &Global, command: &str) -> Result<(), Error> {
    if global.json {
        return Err(Error::Usage(format!("`{command}` has no JSON form: --json does not go with it")));
    }
    Ok(())
}

/// Writes a report as one line of JSON.
///
/// # Errors
/// [`Error::Output`] when it cannot be written.
pub fn write_report<R: Serialize>(global: &Global, report: &Report<R>) -> Result<(), Error> {
    let unchecked = global.not_checked.filter(|_| report.verified.is_none()).map(|reason| report.unchecked(reason));
    write(global, |out| {
        match &unchecked {
            Some(report) => write_json(out, report)?,
            None => write_json(out, report)?,
        }
        writeln!(out)
    })
}

/// Writes a value as JSON whose integers past 2^53 are strings, whatever serializes them.
fn write_json(out: &mut (dyn Write + Send), value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(out, ExactIntegers))?;
    Ok(())
}

/// JSON without white space, whose integers every reader holds exactly.
struct ExactIntegers;

macro_rules! exact {
    ($($name:ident: $type:ty, $size:expr;)*) => {$(
        fn $name<W: ?Sized + Write>(&mut self, out: &mut W, value: $type) -> io::Result<()> {
            let size: fn($type) -> u128 = $size;
            // 2^53 is held exactly, and all integers below it.
            if size(value) <= 1 << 53 { write!(out, "{value}") } else { write!(out, "\"{value}\"") }
        }
    )*};
}

impl serde_json::ser::Formatter for ExactIntegers {
    exact! {
        write_i64: i64, |value| value.unsigned_abs().into();
        write_u64: u64, u128::from;
        write_i128: i128, i128::unsigned_abs;
        write_u128: u128, |value| value;
    }
}

/// Whether standard output was closed when the program began.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Notes that standard output was closed when the program began (`>&-`): what is written there would be lost, and is an error.
pub fn note_closed() {
    IS_CLOSED.store(true, Ordering::Relaxed);
}

/// Standard output, to be written to.
///
/// # Errors
/// That it was closed when the program began.
pub(crate) fn standard() -> io::Result<io::Stdout> {
    /// The number of a bad file descriptor on every Unix.
    const BAD_DESCRIPTOR: i32 = 9;
    if IS_CLOSED.load(Ordering::Relaxed) { Err(io::Error::from_raw_os_error(BAD_DESCRIPTOR)) } else { Ok(io::stdout()) }
}

/// Prints what `--help` and `--version` ask for. A reader that has gone away is no error.
pub(crate) fn print_help(help: &clap::Error) -> io::Result<()> {
    match standard().and_then(|mut out| help.print().and_then(|()| out.flush())) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Writes to the file of `-o`, which is whole or as it was, or to standard output. A reader of standard output that has gone
/// away is no error.
///
/// # Errors
/// [`Error::Output`] with the file.
pub fn write(global: &Global, content: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>) -> Result<(), Error> {
    let file = destination::file(global);
    progress::write(file.is_none());
    if let Some(file) = file {
        let target = global.target.clone().map_or_else(|| destination::target(file), Ok)?;
        return target.write(content).map_err(destination::output_error);
    }
    let written = standard().and_then(|out| {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        content(&mut out)?;
        out.flush()
    });
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Error::Output { file: None, error }),
        Ok(()) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use manycore::operation::vector::Vector;

    fn json(vector: &Vector) -> String {
        serde_json::to_string(vector).unwrap()
    }

    #[test]
    fn integers_past_two_to_53_are_strings() {
        let limit = 1i64 << 53;
        assert_eq!(
            json(&Vector::I64(vec![0, limit, limit + 1, -limit, -limit - 1, i64::MIN])),
            r#"[0,9007199254740992,"9007199254740993",-9007199254740992,"-9007199254740993","-9223372036854775808"]"#
        );
    }

    #[test]
    fn every_integer_of_a_report_is_exact() {
        let value = serde_json::json!({ "bare": [u64::MAX, i64::MIN, 1i64 << 53, (1u64 << 53) + 1], "small": -7 });
        let mut text = Vec::new();
        write_json(&mut text, &value).unwrap();
        assert_eq!(
            String::from_utf8(text).unwrap(),
            r#"{"bare":["18446744073709551615","-9223372036854775808",9007199254740992,"9007199254740993"],"small":-7}"#
        );
    }

    #[test]
    fn times_have_no_sign() {
        let none: f64 = [].iter().sum();
        let report = Report { seconds: Some(none), transfer_seconds: Some(-0.0), ..Report::new("c", Value::Null, ()) };
        let text = serde_json::to_string(&report).unwrap();
        assert!(text.contains(r#""seconds":0.0,"transfer_seconds":0.0,"predicted_seconds":null"#), "{text}");
    }

    #[test]
    fn packed_words_are_hexadecimal() {
        let packed = PackedBits(vec![0xb9, u64::MAX]);
        assert_eq!(serde_json::to_string(&packed).unwrap(), r#"["0x00000000000000b9","0xffffffffffffffff"]"#);
    }

    #[test]
    fn reals_that_json_lacks_are_strings() {
        let values = vec![1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0];
        assert_eq!(json(&Vector::F64(values)), r#"[1.5,"NaN","Infinity","-Infinity",-0.0]"#);
        assert_eq!(json(&Vector::F32(vec![0.1])), "[0.1]");
    }
}
