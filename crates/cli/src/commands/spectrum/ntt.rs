//! `manycore spectrum ntt`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use manycore::device::Kind as Step;
use manycore::field::ResidueWord as _;
use manycore::transform::{Kind, NttError};
use manycore::{Buffer, Device, Ntt, PolyField, SpectrumOrder};
use serde_json::json;

use crate::arguments::Global;
use crate::commands::label;
use crate::commands::poly::{Modulus, WithField};
use crate::error::Error;
use crate::input::{self, InputError};
use crate::output::{self, JsonInteger, Report, Residues};
use crate::progress::Progress;
use manycore::verify::SplitMix;

/// The arguments of `spectrum ntt`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The residues: text (numbers separated by white space or commas, # begins a comment) or .npy; - is standard input
    pub file: PathBuf,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P")]
    pub modulus: u64,

    /// The inverse: from the spectrum to the residues
    #[arg(long)]
    pub inverse: bool,

    /// Products of spectra are products modulo x^n + 1 instead of x^n - 1
    #[arg(long)]
    pub negacyclic: bool,

    /// The order of the spectrum
    #[arg(long, value_enum, default_value = "natural")]
    pub order: OrderName,

    /// Transform each run of so many values by itself; a power of two
    #[arg(long, value_name = "LEN")]
    pub batch: Option<usize>,
}

/// The orders of a spectrum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OrderName {
    /// X(k) at place k
    Natural,
    /// X(k) at the place whose bits are those of k in reversed order: a pass less
    BitReversed,
}

/// What `--help` says first.
pub(super) const LONG_ABOUT: &str = "\
The number-theoretic transform of 2^n residues modulo a prime

X(k) is the sum of x(j) w^(j k), where w is the root of unity of order 2^n that the report of --json tells; with \
--negacyclic the sum of x(j) v^(j (2 k + 1)), with v of order 2^(n+1). That order must divide the modulus less one. The \
result is one number a line; a .npy file with -o NAME.npy; one JSON object with --json.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify transforms the result back, compares every value, and computes four values of each spectrum by the definition, at \
places that --seed chooses. A wrong result passes only if the inverse is wrong to match and those values are right.

Examples:
  echo 1 1 0 0 | manycore spectrum ntt - --modulus 17
  manycore spectrum ntt x.npy --modulus 469762049 --verify -o spectrum.npy
  manycore spectrum ntt spectrum.npy --modulus 469762049 --inverse";

/// Reads the residues, transforms them, checks the result where asked to, and writes it.
///
/// # Errors
/// Everything that [`Error`] lists.
pub fn run(arguments: &Arguments, global: &Global) -> Result<(), Error> {
    output::check_form(global)?;
    let device = Device::select(&global.device)?;
    Modulus(arguments.modulus).with(Job { arguments, global, device })
}

struct Job<'a> {
    arguments: &'a Arguments,
    global: &'a Global,
    device: Device,
}

impl WithField for Job<'_> {
    type Output = ();

    fn run<F: PolyField>(self, field: F) -> Result<(), Error> {
        let Self { arguments, global, device } = self;
        let progress = Progress::new(global.quiet);
        let file = input::name(&arguments.file);
        progress.step(format!("reading {file}"));
        let x = input::coefficients(&arguments.file, &field)?;
        let len = arguments.batch.unwrap_or(x.len());
        if x.is_empty() {
            return Err(InputError::Empty { file }.into());
        }
        if len == 0 || !x.len().is_multiple_of(len) {
            return Err(InputError::Batch { file, len: x.len(), batch: len }.into());
        }
        if !len.is_power_of_two() {
            return Err(match arguments.batch {
                Some(len) => Error::Usage(format!("--batch {len}: the length of a transform must be a power of two")),
                None => InputError::NotPowerOfTwo { file, len }.into(),
            });
        }
        let kind = if arguments.negacyclic { Kind::Negacyclic } else { Kind::Cyclic };
        let order = match arguments.order {
            OrderName::Natural => SpectrumOrder::Natural,
            OrderName::BitReversed => SpectrumOrder::BitReversed,
        };
        let ntt = Ntt::new(&device, &field, len, kind).map_err(|error| Error::from(error).of(&arguments.file))?;
        let ntt = ntt.with_order(order);
        let choice = ntt.explain(x.len())?;
        progress.step(format!("transforming {} values on {}", x.len(), label(&device)));
        let way = |ntt: &Ntt<F>, buffer: &mut Buffer<F::Element>, inverse: bool| {
            if inverse { ntt.inverse(buffer) } else { ntt.forward(buffer) }
        };
        let (outcome, profile) = device.profile(|| {
            let mut buffer = device.upload(&x)?;
            way(&ntt, &mut buffer, arguments.inverse)?;
            let y = buffer.download()?;
            Ok::<_, NttError>((buffer, y))
        })?;
        let (mut buffer, y) = outcome?;
        let seed = global.seed.unwrap_or_else(SplitMix::fresh_seed);
        if global.verify {
            progress.step("verifying");
            way(&ntt, &mut buffer, !arguments.inverse)?;
            let wrong = |reason: String| Error::Wrong { device: label(&device), reason };
            if let Some(index) = buffer.download()?.iter().zip(&x).position(|(back, x)| back != x) {
                return Err(wrong(format!("value {index} does not come back")));
            }
            let (values, spectra) = if arguments.inverse { (&y, &x) } else { (&x, &y) };
            if let Some(index) = differs(&ntt, values, spectra, kind, seed) {
                return Err(wrong(format!("coefficient {index} is not that of the definition")));
            }
        }
        progress.step("writing");
        let parameters = json!({
            "modulus": JsonInteger(field.order().into()),
            "length": len,
            "transforms": x.len() / len,
            "kind": if arguments.negacyclic { "negacyclic" } else { "cyclic" },
            "root": JsonInteger(ntt.root().as_u64().into()),
            "order": arguments.order.to_possible_value().map(|value| value.get_name().to_owned()),
            "direction": if arguments.inverse { "inverse" } else { "forward" },
            "way": choice.best().parameters.to_string(),
            "seed": global.verify.then_some(JsonInteger(seed.into())),
        });
        let report = Report {
            device: Some(label(&device)),
            seconds: Some(profile.span_seconds()),
            transfer_seconds: Some(profile.seconds(Step::Upload) + profile.seconds(Step::Download)),
            predicted_seconds: Some(choice.best().prediction.seconds),
            verified: global.verify.then_some(true),
            ..Report::new("spectrum ntt", parameters, Residues(y.into_iter().map(F::Element::as_u64).collect()))
        };
        output::write_residues(global, &report)
    }
}

/// Values of each spectrum that are computed by the definition.
const PLACES: usize = 4;

/// The place of a value of a spectrum, of those chosen by `seed`, that the definition does not give; `None` where all are
/// right. Takes a sum over all values for each.
fn differs<F: PolyField>(
    ntt: &Ntt<F>,
    values: &[F::Element],
    spectra: &[F::Element],
    kind: Kind,
    seed: u64,
) -> Option<usize> {
    let (field, len, mut random) = (ntt.field(), ntt.len(), SplitMix::new(seed));
    let right = |place: usize, x: &[F::Element], is: F::Element| {
        let k = match ntt.order() {
            SpectrumOrder::Natural => place,
            SpectrumOrder::BitReversed if len == 1 => 0,
            SpectrumOrder::BitReversed => place.reverse_bits() >> (usize::BITS - len.ilog2()),
        } as u64;
        let exponent = if kind == Kind::Negacyclic { 2 * k + 1 } else { k };
        let at = field.power(ntt.root(), exponent);
        x.iter().rev().fold(field.zero(), |sum, &x| field.add(field.mul(sum, at), x)) == is
    };
    values.chunks(len).zip(spectra.chunks(len)).enumerate().find_map(|(i, (x, spectrum))| {
        let mut places = (0..PLACES.min(len)).map(|_| random.next_word() as usize % len);
        places.find(|&place| !right(place, x, spectrum[place])).map(|place| i * len + place)
    })
}

#[cfg(test)]
mod tests {
    use manycore::PrimeField;

    use super::*;

    #[test]
    fn a_wrong_spectrum_is_seen() {
        let field = PrimeField::<u32>::new(17).unwrap();
        for kind in [Kind::Cyclic, Kind::Negacyclic] {
            for order in [SpectrumOrder::Natural, SpectrumOrder::BitReversed] {
                let ntt = Ntt::new(&Device::host(), &field, 4, kind).unwrap().with_order(order);
                let x = [1, 2, 3, 4, 16, 0, 5, 5];
                let mut buffer = Device::host().upload(&x).unwrap();
                ntt.forward(&mut buffer).unwrap();
                let mut y = buffer.download().unwrap();
                assert!((0..20).all(|seed| differs(&ntt, &x, &y, kind, seed).is_none()), "{kind:?} {order:?}");
                y[6] = (y[6] + 1) % 17;
                assert!((0..20).any(|seed| differs(&ntt, &x, &y, kind, seed) == Some(6)), "{kind:?} {order:?}");
            }
        }
    }
}
