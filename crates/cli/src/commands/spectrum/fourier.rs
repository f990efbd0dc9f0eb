//! `manycore spectrum fourier`.

use std::path::{Path, PathBuf};

use clap::Args;
use manycore::device::Kind as Step;
use manycore::field::ResidueWord as _;
use manycore::fourier::{AbelianGroup, Complex, Direction, Fourier, FourierError, Numbers, Residues};
use manycore::{Device, PolyField};
use serde_json::json;

use crate::arguments::Global;
use crate::commands::poly::{Modulus, WithField};
use crate::commands::{characters, label};
use crate::error::Error;
use crate::input::{self, InputError};
use crate::output::{self, JsonInteger, Report};
use crate::progress::Progress;
use crate::vector::{NumberType, Vector};
use manycore::verify::SplitMix;

/// The arguments of `spectrum fourier`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The values of functions, one after the other: text or .npy; complex numbers are two numbers each, the real part first
    pub file: PathBuf,

    /// The orders of the group's cyclic factors, the most significant first, such as 3,3,3 or 3^3; without it, one cyclic
    /// group of all values
    #[arg(long, value_name = "FACTORS", value_parser = characters::group)]
    pub group: Option<AbelianGroup>,

    /// Residues modulo this prime, which must have roots of the group's exponent; without it, complex numbers
    #[arg(long, value_name = "P")]
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
--group names, in the order of `manycore characters`. Complex numbers are read and written as two numbers each, the real part \
first; residues modulo a prime as one. The result is one number a line; a .npy file with -o NAME.npy; one JSON object with \
--json.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify transforms the result back and compares, and computes four coefficients of each spectrum by the definition, at places \
that --seed chooses: exactly for residues, within the rounding of the algorithm for complex numbers. A convolution is compared \
with the definition at four places.

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
    let job = Job { arguments, global, device: Device::select(&global.device)? };
    if let Some(p) = arguments.modulus {
        return Modulus(p).with(job);
    }
    if arguments.single {
        let read = |path: &Path| match input::vector(path, Some(NumberType::F32))? {
            Vector::F32(values) => Ok(values),
            // The reader gives the type that it is asked for.
            _ => Ok(Vec::new()),
        };
        job.run_with(&Complex::<f32>::new(), read, Vector::F32)
    } else {
        let read = |path: &Path| match input::vector(path, Some(NumberType::F64))? {
            Vector::F64(values) => Ok(values),
            _ => Ok(Vec::new()),
        };
        job.run_with(&Complex::<f64>::new(), read, Vector::F64)
    }
}

struct Job<'a> {
    arguments: &'a Arguments,
    global: &'a Global,
    device: Device,
}

impl WithField for Job<'_> {
    type Output = ();

    fn run<F: PolyField>(self, field: F) -> Result<(), Error> {
        let read = |path: &Path| input::coefficients(path, &field);
        let residues = |words: Vec<F::Element>| output::Residues(words.into_iter().map(F::Element::as_u64).collect());
        self.run_with(&Residues::new(field.clone()), read, residues)
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
        read: impl Fn(&Path) -> Result<Vec<N::Word>, InputError>,
        result: impl Fn(Vec<N::Word>) -> R,
    ) -> Result<(), Error> {
        let Self { arguments, global, device } = self;
        let progress = Progress::new(global.quiet);
        let words = |path: &Path| {
            progress.step(format!("reading {}", input::name(path)));
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
        let fourier = Fourier::new(&device);
        let count = (x.len() / N::WORDS) as u64 / group.order();
        let choice = fourier.explain_transform(&group, numbers, count as usize);
        // Without --group the group is that of all values.
        let of_file = |error: FourierError| match &arguments.group {
            Some(_) => error.into(),
            None => Error::from(error).of(&arguments.file),
        };
        let choice = choice.map_err(of_file)?;
        progress.step(format!("transforming {} values on {}", x.len() / N::WORDS, label(&device)));
        let direction = if arguments.inverse { Direction::Inverse } else { Direction::Forward };
        let (outcome, profile) = device.profile(|| {
            let mut buffer = device.upload(&x)?;
            let other = other.as_ref().map(|other| device.upload(other)).transpose()?;
            match &other {
                Some(other) => buffer = fourier.convolve(&group, numbers, &buffer, other)?,
                None => drop(fourier.transform(&group, numbers, direction, &mut buffer, None)?),
            }
            let y = buffer.download()?;
            Ok::<_, FourierError>((buffer, y))
        })?;
        let (mut buffer, y) = outcome.map_err(of_file)?;
        let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
        if global.verify {
            progress.step("verifying");
            let (values, result) = (bytemuck::cast_slice(&x), bytemuck::cast_slice(&y));
            let check = Check { numbers, group: &group, seed };
            let right = if let Some(other) = &other {
                check.convolution(values, bytemuck::cast_slice(other), result)?
            } else {
                let back = if arguments.inverse { Direction::Forward } else { Direction::Inverse };
                fourier.transform(&group, numbers, back, &mut buffer, None)?;
                let returned = fourier.download(numbers, &buffer)?;
                let (values_of, spectra) = if arguments.inverse { (result, values) } else { (values, result) };
                check.near(&returned, values) && check.spectrum(values_of, spectra)?
            };
            if !right {
                let reason = "it is not that of the definition within rounding".to_owned();
                return Err(Error::Wrong { device: label(&device), reason });
            }
        }
        progress.step("writing");
        let parameters = json!({
            "numbers": numbers.name(),
            "modulus": arguments.modulus.map(|p| JsonInteger(p.into())),
            "group": group.factors(),
            "functions": count,
            "operation": match (&other, arguments.inverse) {
                (Some(_), _) => "convolution",
                (None, true) => "inverse",
                (None, false) => "forward",
            },
            "way": choice.best().parameters.to_string(),
            "seed": global.verify.then_some(JsonInteger(seed.into())),
        });
        let report = Report {
            device: Some(label(&device)),
            seconds: Some(profile.span_seconds()),
            transfer_seconds: Some(profile.seconds(Step::Upload) + profile.seconds(Step::Download)),
            predicted_seconds: Some(choice.best().prediction.seconds),
            verified: global.verify.then_some(true),
            ..Report::new("spectrum fourier", parameters, result(y))
        };
        R::write(global, &report)
    }
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

/// Places of each function that are computed by the definition.
const PLACES: u64 = 4;
/// The relative error of a right result in the 2-norm, in units of the roundoff: far above what transforms make.
const ROUNDOFFS: f64 = 1e4;

/// Results against the definition.
struct Check<'a, N> {
    numbers: &'a N,
    group: &'a AbelianGroup,
    seed: u64,
}

impl<N: Numbers> Check<'_, N> {
    /// Whether two lists are the same but for rounding.
    fn near(&self, a: &[N::Value], b: &[N::Value]) -> bool {
        let roundoff = if size_of::<N::Word>() == 4 { f64::from(f32::EPSILON) } else { f64::EPSILON };
        self.numbers.distance(a, b) <= ROUNDOFFS * roundoff
    }

    /// Places of each function.
    fn places(&self) -> impl FnMut() -> Vec<u64> + use<'_, N> {
        let mut random = SplitMix::new(self.seed);
        let order = self.group.order();
        move || (0..PLACES.min(order)).map(|_| random.next_word() % order).collect()
    }

    /// Whether chosen coefficients are the sums that the definition says.
    fn spectrum(&self, values: &[N::Value], spectra: &[N::Value]) -> Result<bool, FourierError> {
        let order = self.group.order() as usize;
        let mut places = self.places();
        for (f, spectrum) in values.chunks_exact(order).zip(spectra.chunks_exact(order)) {
            let places = places();
            let sums = manycore::fourier::transform::reference::coefficients(self.group, self.numbers, f, &places)?;
            let given: Vec<N::Value> = places.iter().map(|&w| spectrum[w as usize]).collect();
            // One coefficient may be small beside the function's: compared beside all of the spectrum.
            let mut expected = spectrum.to_vec();
            let mut with_sums = spectrum.to_vec();
            for ((&w, sum), given) in places.iter().zip(sums).zip(given) {
                expected[w as usize] = given;
                with_sums[w as usize] = sum;
            }
            if !self.near(&with_sums, &expected) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The same of a convolution.
    fn convolution(&self, f: &[N::Value], g: &[N::Value], result: &[N::Value]) -> Result<bool, FourierError> {
        let order = self.group.order() as usize;
        let mut places = self.places();
        for (i, (f, result)) in f.chunks_exact(order).zip(result.chunks_exact(order)).enumerate() {
            let g = if g.len() == order { g } else { &g[i * order..(i + 1) * order] };
            let mut with_sums = result.to_vec();
            for z in places() {
                with_sums[z as usize] =
                    manycore::fourier::transform::reference::convolved(self.group, self.numbers, f, g, z)?;
            }
            if !self.near(&with_sums, result) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
