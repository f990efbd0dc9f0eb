//! `manycore spectrum fourier`.

use std::path::{Path, PathBuf};

use clap::Args;
use manycore::PolyField;
use manycore::device::Kind as Step;
use manycore::field::ResidueWord as _;
use manycore::fourier::{AbelianGroup, Complexes, Direction, Fourier, FourierError, Numbers, Plan, Residues};
use manycore::tuning::Choice;
use manycore::verify::{Outcome, fourier as verify};
use serde_json::json;

use super::job::words;
use crate::arguments::{Global, modulus};
use crate::commands::auto::Wanted;
use crate::commands::characters::Part;
use crate::commands::choice::Operation;
use crate::commands::choice::groups::FourierArguments;
use crate::commands::poly::{Modulus, WithField};
use crate::commands::{characters, label};
use crate::error::Error;
use crate::input::{self, InputError};
use crate::output::{self, JsonInteger, Report};
use crate::progress;
use crate::shard;
use crate::vector::{NumberType, Real, Vector};
use crate::verification::verified;

/// The arguments of `spectrum fourier`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The values of functions, one after the other: text or .npy, of complex numbers too; otherwise complex numbers are two
    /// numbers each, the real part first
    pub file: PathBuf,

    /// The orders of the group's cyclic factors, the most significant first, such as 3,3,3 or 3^3; without it, one cyclic
    /// group of all values
    #[arg(long, value_name = "FACTORS", value_parser = characters::group)]
    pub group: Option<AbelianGroup>,

    /// Residues modulo this prime, which must have roots of the group's exponent; without it, complex numbers
    #[arg(long, value_name = "P", value_parser = modulus)]
    pub modulus: Option<u64>,

    /// The inverse: from the spectrum to the values, divided by the group's order
    #[arg(long, conflicts_with = "convolve")]
    pub inverse: bool,

    /// The values are real numbers, one number each
    #[arg(long, conflicts_with = "modulus")]
    pub real: bool,

    /// Compute complex numbers in single precision
    #[arg(long, conflicts_with = "modulus")]
    pub single: bool,

    /// The convolution on the group with the function of this file, instead of a spectrum
    #[arg(long, value_name = "FILE")]
    pub convolve: Option<PathBuf>,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
The Fourier transform of functions on a finite Abelian group

F(w) is the sum of f(z) times the conjugate of the character w at z, with the characters of the product of cyclic groups that \
--group names, in the order of `manycore characters`. For residues too: over a cyclic group F(k) is the sum of f(j) w^(-j k), \
where `spectrum ntt` has w^(j k). Complex numbers are read and written as two numbers each, the real part \
first; residues modulo a prime as one. The result is one number a line; a .npy file with -o NAME.npy; one JSON object with \
--json.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify computes the transform or the convolution again on the host, by the prime factors of the group's orders, and compares \
every value that is written: residues exactly, complex numbers in double precision within the roundings of the fast algorithm \
times the sum of the absolute values of a coefficient's terms. No wrong value passes.

Examples:
  echo 1 0 0 1 0 0 | manycore spectrum fourier - --real --group 2,3
  manycore spectrum fourier x.npy --group 3^8 --modulus 7 --verify -o spectrum.npy
  echo 1 2 3 | manycore spectrum fourier - --modulus 13 --convolve kernel.txt";

/// Reads the values, transforms them, checks the result where asked to, and writes it.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_form(global)?;
    let job = Job { arguments, global, wanted: Wanted::new(global)? };
    if let Some(p) = arguments.modulus {
        return Modulus(p).with(job);
    }
    if arguments.single {
        let read = |path: &Path| match read_complex(arguments, path, NumberType::F32)? {
            Vector::F32(values) => Ok(values),
            // The reader gives the type that it is asked for.
            _ => Ok(Vec::new()),
        };
        job.run_with(&Complexes::<f32>::new(), read, |values| Ok(Vector::F32(values)), complex)
    } else {
        let read = |path: &Path| match read_complex(arguments, path, NumberType::F64)? {
            Vector::F64(values) => Ok(values),
            _ => Ok(Vec::new()),
        };
        job.run_with(&Complexes::<f64>::new(), read, |values| Ok(Vector::F64(values)), complex)
    }
}

/// Reads a file of complex or real numbers; an array of complex numbers is none of real ones.
fn read_complex(arguments: &Arguments, path: &Path, number_type: NumberType) -> Result<Vector, Error> {
    let (vector, is_complex) = input::vector_of_parts(path, Some(number_type))?;
    if is_complex && arguments.real {
        return Err(Error::Usage(format!(
            "{}: an array of complex numbers, where --real asks for real ones",
            input::name(path)
        )));
    }
    Ok(vector)
}

/// What is checked: the values of functions, those of the second operand of a convolution, and the result.
struct Work<'a, W> {
    x: &'a [W],
    other: Option<&'a [W]>,
    y: &'a [W],
    inverse: bool,
    group: &'a AbelianGroup,
}

impl<W> Work<'_, W> {
    fn direction(&self) -> manycore::Direction {
        if self.inverse { manycore::Direction::Inverse } else { manycore::Direction::Forward }
    }
}

#[allow(clippy::unnecessary_wraps)] // one of the checks of a kind of number, of which residues may be of no field
fn complex<T: Real>(work: &Work<'_, T>) -> Result<Outcome, Error> {
    let group = work.group.factors();
    Ok(match work.other {
        Some(other) => verify::complex_convolution([work.x, other], work.y, group),
        None => verify::complex(work.x, work.y, work.direction(), group),
    })
}

struct Job<'a> {
    arguments: &'a Arguments,
    global: &'a Global,
    wanted: Wanted<'a>,
}

impl WithField for Job<'_> {
    type Output = ();

    fn run<F: PolyField>(self, field: F) -> Result<(), Error> {
        let read = |path: &Path| Ok(input::coefficients(path, &field)?);
        let result = |values: Vec<F::Element>| Ok(output::Residues(words(&values, F::Element::as_u64)?));
        let check = |work: &Work<'_, F::Element>| {
            let words = |values| words(values, F::Element::as_u64);
            let (x, y, other) = (words(work.x)?, words(work.y)?, work.other.map(words).transpose()?);
            let (group, modulus) = (work.group.factors(), field.order());
            let root = field.root_of_unity(work.group.exponent()).map_err(FourierError::from)?.as_u64();
            Ok(match other {
                Some(other) => verify::residue_convolution([&x, &other], &y, group, modulus, root),
                None => verify::residues(&x, &y, work.direction(), group, modulus, root),
            })
        };
        self.run_with(&Residues::new(field.clone()), read, result, check)
    }
}

/// What a result is written as.
trait Written: serde::Serialize + Sized {
    fn write(global: &Global, report: &Report<Self>) -> Result<(), Error>;
}

impl Written for Vector {
    fn write(global: &Global, report: &Report<Self>) -> Result<(), Error> {
        output::write_vector(global, report)
    }
}

impl Written for output::Residues {
    fn write(global: &Global, report: &Report<Self>) -> Result<(), Error> {
        output::write_residues(global, report)
    }
}

impl Job<'_> {
    fn run_with<N: Numbers, R: Written>(
        self,
        numbers: &N,
        read: impl Fn(&Path) -> Result<Vec<N::Word>, Error>,
        result: impl Fn(Vec<N::Word>) -> Result<R, Error>,
        check: impl Fn(&Work<'_, N::Word>) -> Result<Outcome, Error>,
    ) -> Result<(), Error> {
        let Self { arguments, global, wanted } = self;
        let words = |path: &Path| {
            progress::step(format!("reading {}", input::name(path)));
            let words = read(path)?;
            if words.is_empty() {
                return Err(InputError::Empty { file: input::name(path) }.into());
            }
            if !arguments.real {
                if words.len() % N::WORDS != 0 {
                    return Err(InputError::Parts { file: input::name(path), len: words.len() }.into());
                }
                return Ok::<_, Error>(words);
            }
            let mut complex: Vec<N::Word> = bytemuck::zeroed_vec(words.len() * N::WORDS);
            complex.iter_mut().step_by(N::WORDS).zip(words).for_each(|(real, word)| *real = word);
            Ok(complex)
        };
        let x = words(&arguments.file)?;
        let group = match &arguments.group {
            Some(group) => group.clone(),
            None => AbelianGroup::new(&[(x.len() / N::WORDS) as u64]).map_err(FourierError::from)?,
        };
        let other = arguments.convolve.as_deref().map(|path| words(path).map(|words| (path, words))).transpose()?;
        let expected = functions::<N>(&group, &arguments.file, &x)?;
        let other = match other {
            Some((path, words)) => Some(operand::<N>(&group, path, words, expected)?),
            None => None,
        };
        let functions = expected;
        let Some(range) = shard::range(global, functions) else { return shard::write_empty(global) };
        let words = x.len() / functions.max(1);
        let part = |of: &mut Vec<N::Word>| {
            of.truncate(range.end * words);
            of.drain(..range.start * words);
        };
        // One second operand goes with every function.
        let mut other = other;
        other.iter_mut().filter(|other| other.len() == x.len() && functions > 1).for_each(part);
        let mut x = x;
        part(&mut x);
        let count = range.len();
        let operation = FourierArguments {
            group: group.clone(),
            batch: count,
            modulus: arguments.modulus,
            number_type: if arguments.single { Part::F32 } else { Part::F64 },
        };
        let device = wanted.device(Some(&Operation::Fourier(operation)));
        let fourier = Fourier::new(&device);
        let choice = fourier.explain_transform(&group, numbers, functions);
        // Without --group the group is that of all values.
        let of_file = |error: FourierError| match &arguments.group {
            Some(_) => error.into(),
            None => Error::from(error).of(&arguments.file),
        };
        let choice = choice.map_err(of_file)?;
        progress::compute(format!("transforming {} values on {}", x.len() / N::WORDS, label(&device)));
        let of_part = (count < functions).then(|| fourier.explain_transform(&group, numbers, count)).transpose()?;
        let plan = of_part.as_ref().and_then(|own| of_whole(own, &choice.best().parameters));
        let direction = if arguments.inverse { Direction::Inverse } else { Direction::Forward };
        let (outcome, profile) = device.profile(|| {
            let mut buffer = device.upload(&x)?;
            let other = other.as_ref().map(|other| device.upload(other)).transpose()?;
            match &other {
                Some(other) => buffer = fourier.convolve(&group, numbers, &buffer, other)?,
                None => drop(fourier.transform(&group, numbers, direction, &mut buffer, plan)?),
            }
            Ok::<_, FourierError>(buffer.download()?)
        })?;
        let y = outcome.map_err(of_file)?;
        let verification = if global.verify {
            progress::step("verifying");
            let work = Work { x: &x, other: other.as_deref(), y: &y, inverse: arguments.inverse, group: &group };
            Some(verified(check(&work)?, &device)?)
        } else {
            None
        };
        let parameters = json!({
            "numbers": numbers.name(),
            "modulus": arguments.modulus.map(|p| JsonInteger(p.into())),
            "group": group.factors(),
            "functions": functions,
            "operation": match (&other, arguments.inverse) {
                (Some(_), _) => "convolution",
                (None, true) => "inverse",
                (None, false) => "forward",
            },
            "way": choice.best().parameters.to_string(),
        });
        let report = Report {
            device: Some(label(&device)),
            seconds: Some(profile.span_seconds()),
            transfer_seconds: Some(profile.seconds(Step::Upload) + profile.seconds(Step::Download)),
            predicted_seconds: Some(choice.best().estimate.seconds * count as f64 / functions as f64),
            verified: verification.is_some().then_some(true),
            verification,
            ..Report::new("spectrum fourier", parameters, result(y)?)
        };
        R::write(global, &report)
    }
}

/// The plan of a part of the functions that adds up as that of the whole, which may differ in the steps that a pass takes together: with
/// other sums results would be rounded in another order.
fn of_whole<'p>(own: &'p Choice<Plan>, whole: &Plan) -> Option<&'p Plan> {
    let sums = |plan: &Plan| (plan.tile_values, plan.largest_dense, plan.powers_of_two);
    own.candidates().iter().map(|candidate| &candidate.parameters).find(|plan| sums(plan) == sums(whole))
}

/// The number of functions in the words of a file.
fn functions<N: Numbers>(group: &AbelianGroup, path: &Path, words: &[N::Word]) -> Result<usize, InputError> {
    let (len, order) = (words.len() / N::WORDS, group.order());
    if (len as u64).is_multiple_of(order) {
        return Ok((len as u64 / order) as usize);
    }
    Err(InputError::Runs { file: input::name(path), len, what: "functions", order })
}

/// The second operand of a convolution with so many functions, if it has one or as many.
fn operand<N: Numbers>(
    group: &AbelianGroup,
    path: &Path,
    words: Vec<N::Word>,
    expected: usize,
) -> Result<Vec<N::Word>, InputError> {
    let given = functions::<N>(group, path, &words)?;
    if given != 1 && given != expected {
        return Err(InputError::Operands { file: input::name(path), given, expected });
    }
    Ok(words)
}
