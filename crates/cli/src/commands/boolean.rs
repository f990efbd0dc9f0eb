//! `manycore boolean`: Boolean functions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use manycore::boolean::{Histogram, Properties};
use manycore::device::Kind;
use manycore::{Anf, Boolean, BooleanError, HexOrder, Profile, TruthTable};
use serde::Serialize;
use serde_json::json;

use super::{label, refuse_json};
use crate::arguments::Global;
use crate::commands::several::one;
use crate::error::Error;
use crate::input::{self, InputError};
use crate::output::{self, JsonInteger, Report};
use crate::pages::{self, boolean as page};
use crate::progress;
use crate::vector::Vector;
use crate::verification::{Verification, verified};
use manycore::verify::{Outcome, boolean_function as check};

/// What is asked of a function.
#[derive(Debug, Subcommand)]
pub enum Operation {
    /// Weight, degree, nonlinearity, correlation immunity, autocorrelation and more
    #[command(after_long_help = AFTER_HELP)]
    Info(Arguments),
    /// The Walsh spectrum: W(w), the sum of (-1)^(f(x) + w . x) over x
    #[command(after_long_help = AFTER_HELP)]
    Spectrum(Arguments),
    /// The algebraic normal form
    #[command(after_long_help = AFTER_HELP)]
    Anf(Arguments),
    /// The autocorrelation: r(a), the sum of (-1)^(f(x) + f(x + a)) over x
    #[command(after_long_help = AFTER_HELP)]
    Autocorrelation(Arguments),
    /// A page to look at: values, Walsh spectrum and autocorrelation as heat maps, histograms and figures
    #[command(long_about = REPORT, after_long_help = REPORT_HELP)]
    Report(Arguments),
}

/// The function.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The function as text, # begins a comment; - is standard input
    pub file: PathBuf,

    /// How the text is read. auto takes digits 0 and 1 alone for binary, a text with x or + for anf, and other digits for hex;
    /// several decimal numbers, which could be hex or minterms, are refused
    #[arg(long, value_enum, default_value = "auto")]
    pub format: TextFormat,

    /// Number of variables, for normal forms, minterms and single hexadecimal digits
    #[arg(long, value_name = "N")]
    pub variables: Option<u32>,
}

/// The forms of a function as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TextFormat {
    /// binary where there are only digits 0 and 1, anf where there is a variable or +, else hex; not several decimal numbers
    Auto,
    /// The values as digits 0 and 1, f(0) first; x1 is the lowest bit of x
    Binary,
    /// Hexadecimal digits of the sum of f(x) 2^x, the most significant first, as Sage writes them
    Hex,
    /// Hexadecimal digits of the values as they are listed, f(0) first
    HexListing,
    /// An algebraic normal form such as x1 x2 + x3 + 1
    Anf,
    /// The x with f(x) = 1, with white space or commas between them
    Minterms,
}

/// What `--help` says last.
const AFTER_HELP: &str = "\
Conventions of info: correlation immunity is the largest t with W(w) = 0 for all w of 1 to t ones, also where the function is \
not balanced (Sage says -1 there); resiliency is that of a balanced function, else none. The degree of a constant is 0, also \
of the zero function. |r(a)| counts a = 0 too, the absolute indicator does not. Coefficients W(w) are sums of signs, not \
halved.

--verify computes both spectra or the normal form once more on the host, by plain loops from the function as it was read, and \
compares every value that is written, and every figure of info. No wrong result passes. It takes up to 8 bytes a value.

Examples:
  echo 00010111 | manycore boolean info -
  echo 0113077C165E76A8 | manycore boolean info - --json
  echo 'x1 x2 + x3 x4 + x5' | manycore boolean spectrum -
  echo 01101001 | manycore boolean anf -";

/// What `--help` says first of a report.
const REPORT: &str = "\
Write a page to look at: values, Walsh spectrum and autocorrelation as heat maps, histograms and figures

One HTML file that loads nothing. Pictures have up to 1024 by 1024 cells; a cell of more values has the one of the greatest size.";

/// What `--help` says last of a report.
const REPORT_HELP: &str = "\
--verify computes both spectra, the normal form and every figure once more on the host, by plain loops, and compares them. No wrong \
value passes.

Examples:
  echo 'x1 x2 + x3 x4 + x5 x6' | manycore boolean report - -o bent.html
  manycore boolean report function.txt --verify -o function.html";

/// Variables of a function that a page has room for.
const PAGE_VARIABLES: u32 = 24;

/// Reads the function.
fn read(arguments: &Arguments) -> Result<TruthTable, Error> {
    let text = input::plain_text(&arguments.file)?;
    if arguments.format == TextFormat::Auto && is_ambiguous(&text) {
        return Err(Error::Usage(format!(
            "{}: several decimal numbers are hexadecimal digits or minterms: --format hex or --format minterms tells which",
            input::name(&arguments.file)
        )));
    }
    Ok(parse(&arguments.file, &text, arguments.format, arguments.variables)?)
}

fn parse(path: &Path, text: &str, format: TextFormat, variables: Option<u32>) -> Result<TruthTable, InputError> {
    let format = match format {
        TextFormat::Auto => {
            let hexadecimal = text.trim_start().starts_with("0x") || text.trim_start().starts_with("0X");
            if text.chars().all(|c| matches!(c, '0' | '1' | ',' | '_') || c.is_whitespace()) {
                TextFormat::Binary
            } else if !hexadecimal && text.contains(['x', 'X', '+']) {
                TextFormat::Anf
            } else {
                TextFormat::Hex
            }
        }
        format => format,
    };
    let hex = |order| {
        let variables = variables.map_or_else(|| TruthTable::hex_variables(text), Ok)?;
        TruthTable::from_hex(variables, text, order)
    };
    let table = match format {
        TextFormat::Auto | TextFormat::Binary => TruthTable::from_binary(text),
        TextFormat::Hex => hex(HexOrder::Integer),
        TextFormat::HexListing => hex(HexOrder::Listing),
        TextFormat::Anf => Anf::parse(text, variables).map(|anf| anf.truth_table()),
        TextFormat::Minterms => {
            let minterms = input::minterms(path, text)?;
            let needed = minterms.iter().max().and_then(|most| most.checked_ilog2()).map_or(0, |log| log + 1);
            TruthTable::from_minterms(variables.unwrap_or(needed), &minterms)
        }
    };
    table.map_err(|error| input::table_error(path, text, error))
}

/// Whether a text without a format has several decimal numbers and a digit other than 0 and 1.
fn is_ambiguous(text: &str) -> bool {
    let mut words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let decimal = text.chars().all(|c| c.is_ascii_digit() || c == ',' || c.is_whitespace());
    decimal && text.contains(|c| matches!(c, '2'..='9')) && words.nth(1).is_some()
}

/// Does what was asked for.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(operation: &Operation, global: &Global) -> Result<(), Error> {
    output::check_form(global)?;
    let (Operation::Info(arguments)
    | Operation::Spectrum(arguments)
    | Operation::Anf(arguments)
    | Operation::Autocorrelation(arguments)
    | Operation::Report(arguments)) = operation;
    if matches!(operation, Operation::Report(_)) {
        refuse_json(global, "boolean report")?;
    }
    let device = one(global)?;
    progress::step(format!("reading {}", input::name(&arguments.file)));
    let f = read(arguments)?;
    progress::compute(format!("computing on {}", label(&device)));
    let job = Job { f, boolean: Boolean::new(&device), global };
    match operation {
        Operation::Info(_) => job.info(),
        Operation::Spectrum(_) => job.spectrum("boolean spectrum", false),
        Operation::Autocorrelation(_) => job.spectrum("boolean autocorrelation", true),
        Operation::Anf(_) => job.anf(),
        Operation::Report(_) => job.page(input::name(&arguments.file)),
    }
}

struct Job<'a> {
    f: TruthTable,
    boolean: Boolean,
    global: &'a Global,
}

/// Everything that is known of a function, as JSON has it.
#[derive(Debug, Serialize)]
struct Info {
    variables: u32,
    weight: u64,
    balanced: bool,
    degree: u32,
    terms: u64,
    nonlinearity: u64,
    linearity: u64,
    correlation_immunity: u32,
    resiliency: Option<u32>,
    bent: bool,
    plateaued: Option<u64>,
    absolute_indicator: u64,
    sum_of_squares: JsonInteger,
    propagation_order: u32,
    strict_avalanche: bool,
    linear_structures: Vec<u64>,
    walsh_sizes: BTreeMap<u64, u64>,
    autocorrelation_sizes: BTreeMap<u64, u64>,
}

impl Info {
    fn new(properties: &Properties, walsh: &Histogram, r: &Histogram) -> Self {
        let Properties { variables, weight, degree, terms, .. } = *properties;
        let (of_walsh, of_r) = (&properties.walsh, &properties.autocorrelation);
        Self {
            variables,
            weight,
            balanced: of_walsh.is_balanced(),
            degree,
            terms,
            nonlinearity: of_walsh.nonlinearity(),
            linearity: of_walsh.linearity(),
            correlation_immunity: of_walsh.correlation_immunity(),
            resiliency: of_walsh.resiliency(),
            bent: of_walsh.is_bent(),
            plateaued: of_walsh.plateaued(),
            absolute_indicator: of_r.absolute_indicator(),
            sum_of_squares: JsonInteger(of_r.sum_of_squares() as i128),
            propagation_order: of_r.propagation_order(),
            strict_avalanche: of_r.strict_avalanche(),
            linear_structures: of_r.linear_structures(),
            walsh_sizes: walsh.absolute(),
            autocorrelation_sizes: r.absolute(),
        }
    }

    /// The same as the check has it.
    fn facts(&self) -> check::Facts {
        check::Facts {
            variables: self.variables,
            weight: self.weight,
            balanced: self.balanced,
            degree: self.degree,
            terms: self.terms,
            nonlinearity: self.nonlinearity,
            linearity: self.linearity,
            correlation_immunity: self.correlation_immunity,
            resiliency: self.resiliency,
            bent: self.bent,
            plateaued: self.plateaued,
            absolute_indicator: self.absolute_indicator,
            sum_of_squares: self.sum_of_squares.0 as u128,
            propagation_order: self.propagation_order,
            strict_avalanche: self.strict_avalanche,
            linear_structures: self.linear_structures.clone(),
            walsh_sizes: self.walsh_sizes.clone(),
            autocorrelation_sizes: self.autocorrelation_sizes.clone(),
        }
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        let yes = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
        let optional = |value: Option<u64>| value.map_or_else(|| "none".to_owned(), |value| value.to_string());
        let structures = match self.linear_structures.as_slice() {
            [] => "0 alone".to_owned(),
            basis => format!("spanned by {}", join(basis)),
        };
        vec![
            ("variables", self.variables.to_string()),
            ("weight", self.weight.to_string()),
            ("balanced", yes(self.balanced)),
            ("algebraic degree", self.degree.to_string()),
            ("terms", self.terms.to_string()),
            ("nonlinearity", self.nonlinearity.to_string()),
            ("linearity", self.linearity.to_string()),
            ("correlation immunity", self.correlation_immunity.to_string()),
            ("resiliency", optional(self.resiliency.map(u64::from))),
            ("bent", yes(self.bent)),
            ("plateaued amplitude", optional(self.plateaued)),
            ("absolute indicator", self.absolute_indicator.to_string()),
            ("sum-of-squares indicator", self.sum_of_squares.0.to_string()),
            ("propagation order", self.propagation_order.to_string()),
            ("strict avalanche", yes(self.strict_avalanche)),
            ("linear structures", structures),
            ("|W(w)|", counts(&self.walsh_sizes)),
            ("|r(a)|", counts(&self.autocorrelation_sizes)),
        ]
    }
}

fn join(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<String>>().join(", ")
}

/// Values with how often each stands: the first of many.
pub(super) fn counts<K: std::fmt::Display>(counts: &BTreeMap<K, u64>) -> String {
    const MOST: usize = 64;
    let more = if counts.len() > MOST { format!(" and {} more", counts.len() - MOST) } else { String::new() };
    let some = counts.iter().take(MOST).map(|(value, count)| format!("{value}: {count}"));
    some.collect::<Vec<String>>().join(", ") + &more
}

/// One name and value a line.
pub(super) fn write_lines(global: &Global, lines: &[(&'static str, String)]) -> Result<(), Error> {
    let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0) + 2;
    output::write(global, |out| lines.iter().try_for_each(|(name, value)| writeln!(out, "{name:<width$}{value}")))
}

impl Job<'_> {
    fn report<R>(
        &self,
        command: &'static str,
        profile: &Profile,
        verification: Option<Verification>,
        result: R,
    ) -> Report<R> {
        Report {
            device: Some(label(self.boolean.device())),
            seconds: Some(profile.span_seconds()),
            transfer_seconds: Some(profile.seconds(Kind::Upload) + profile.seconds(Kind::Download)),
            verified: self.global.verify.then_some(true),
            verification,
            ..Report::new(command, json!({ "variables": self.f.variables() }), result)
        }
    }

    /// What `--verify` says of a result, where it is asked for: `check` hears of the function as it was read.
    fn verified(&self, check: impl FnOnce(u32, &[u64]) -> Outcome) -> Result<Option<Verification>, Error> {
        if !self.global.verify {
            return Ok(None);
        }
        progress::step("verifying");
        verified(check(self.f.variables(), self.f.words()), self.boolean.device()).map(Some)
    }

    fn info(&self) -> Result<(), Error> {
        let (outcome, profile) = self.boolean.device().profile(|| {
            let properties = self.boolean.properties(&self.f)?;
            let walsh = self.boolean.walsh(&self.boolean.upload(&self.f)?)?;
            let of_walsh = self.boolean.histogram(&walsh)?;
            let of_r = self.boolean.histogram(&self.boolean.autocorrelation(&walsh)?)?;
            Ok::<_, BooleanError>(Info::new(&properties, &of_walsh, &of_r))
        })?;
        let info = outcome?;
        let verification = self.verified(|variables, words| info.facts().check(variables, words))?;
        if self.global.json {
            return output::write_report(self.global, &self.report("boolean info", &profile, verification, info));
        }
        write_lines(self.global, &info.lines())
    }

    fn spectrum(&self, command: &'static str, autocorrelation: bool) -> Result<(), Error> {
        let (outcome, profile) = self.boolean.device().profile(|| {
            let walsh = self.boolean.walsh(&self.boolean.upload(&self.f)?)?;
            if autocorrelation { self.boolean.autocorrelation(&walsh)?.download() } else { walsh.download() }
        })?;
        let values = outcome?;
        let check = if autocorrelation { check::check_autocorrelation } else { check::check_walsh };
        let verification = self.verified(|variables, words| check(variables, words, &values))?;
        output::write_vector(self.global, &self.report(command, &profile, verification, Vector::I32(values)))
    }

    fn page(&self, name: String) -> Result<(), Error> {
        let variables = self.f.variables();
        if variables > PAGE_VARIABLES {
            return Err(Error::Usage(format!("{name}: {variables} variables: a page has room for {PAGE_VARIABLES}")));
        }
        let boolean = &self.boolean;
        let properties = boolean.properties(&self.f)?;
        let of_walsh = boolean.walsh(&boolean.upload(&self.f)?)?;
        let of_r = boolean.autocorrelation(&of_walsh)?;
        let info = Info::new(&properties, &boolean.histogram(&of_walsh)?, &boolean.histogram(&of_r)?);
        let (walsh, autocorrelation) = (of_walsh.download()?, of_r.download()?);
        let anf = boolean.anf(&boolean.upload(&self.f)?)?;
        self.verified(|variables, words| {
            check::check_walsh(variables, words, &walsh)?;
            check::check_autocorrelation(variables, words, &autocorrelation)?;
            let (degree, terms) = (anf.degree(), anf.terms());
            let coefficients = anf.coefficients().words();
            check::check_normal_form(variables, words, check::NormalForm { coefficients, degree, terms })?;
            info.facts().check(variables, words)
        })?;
        let (lines, words, normal_form) = (info.lines(), self.f.words(), anf.to_string());
        let shown = page::Shown { name, variables, lines, words, walsh, autocorrelation, normal_form };
        pages::write(self.global, &page::page(&shown))
    }

    fn anf(&self) -> Result<(), Error> {
        let (outcome, profile) = self.boolean.device().profile(|| self.boolean.anf(&self.boolean.upload(&self.f)?))?;
        let anf = outcome?;
        let (degree, terms) = (anf.degree(), anf.terms());
        let verification = self.verified(|variables, words| {
            let coefficients = anf.coefficients().words();
            check::check_normal_form(variables, words, check::NormalForm { coefficients, degree, terms })
        })?;
        if self.global.json {
            let result = json!({ "anf": anf.to_string(), "degree": degree, "terms": terms });
            return output::write_report(self.global, &self.report("boolean anf", &profile, verification, result));
        }
        output::write(self.global, |out| writeln!(out, "{anf}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_told_apart() {
        let auto = |text: &str| parse(Path::new("f"), text, TextFormat::Auto, None).unwrap().to_binary();
        assert_eq!(auto("0001 0111"), "00010111");
        assert_eq!(auto("x1x2 + x1 x3 + x2*x3"), "00010111");
        assert_eq!(auto("e8"), "00010111");
        assert_eq!(auto("0xe8"), "00010111");
        let of = |text: &str, format, variables| parse(Path::new("f"), text, format, variables).unwrap().to_binary();
        assert_eq!(of("17", TextFormat::HexListing, None), "00010111");
        assert_eq!(of("10", TextFormat::Hex, None), "00001000");
        assert_eq!(of("2", TextFormat::Hex, Some(1)), "01");
        assert_eq!(of("3, 5 6\n7", TextFormat::Minterms, None), "00010111");
        assert_eq!(of("", TextFormat::Minterms, Some(1)), "00");
        assert_eq!(of("x1", TextFormat::Anf, Some(2)), "0101");
        assert!(parse(Path::new("f"), "3 x", TextFormat::Minterms, None).is_err());
    }

    #[test]
    fn several_decimal_numbers_need_a_format() {
        for text in ["3 5 6 7", "3,5", "0 1 2", "10 20", "0113 0779"] {
            assert!(is_ambiguous(text), "{text}");
        }
        for text in ["", "0 1", "1 10", "0011 0101", "3567", "0x3567 89", "e8 17", "3 5 a", "x1 x2 + 1", "3 _ 5"] {
            assert!(!is_ambiguous(text), "{text}");
        }
    }
}
