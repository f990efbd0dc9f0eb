//! `manycore spectrum ntt`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use manycore::device::DeviceSet;
use manycore::field::ResidueWord as _;
use manycore::files::memory;
use manycore::transform::Kind;
use manycore::verify::Outcome;
use manycore::verify::ntt as verify;
use manycore::{BitOrder, Device, Direction, Ntt, PolyField, SpectrumOrder};
use serde_json::json;

use super::job::{Job as Spectra, words};
use crate::arguments::{Global, modulus};
use crate::commands::auto::Wanted;
use crate::commands::choice::Operation;
use crate::commands::choice::modular::NttArguments;
use crate::commands::label;
use crate::commands::poly::{Modulus, WithField};
use crate::commands::several::Devices;
use crate::error::Error;
use crate::input::{self, InputError, mapped};
use crate::output::{self, JsonInteger, Report, Residues};
use crate::progress;
use crate::shard;
use crate::verification::verified;

/// The arguments of `spectrum ntt`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The values, integers that are taken modulo the prime: text (numbers separated by white space or commas, # begins a comment) or .npy; - is standard input
    pub file: PathBuf,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", value_parser = modulus)]
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

    /// Length of one transform: each run of LEN values is transformed separately; a power of two
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
exponents are positive, as is usual for residues; `spectrum fourier --modulus` has the conjugate, w^(-j k), as over complex \
numbers. The result is one number a line; a .npy file with -o NAME.npy; one JSON object with --json.

A .npy array of residues of 64 bits larger than memory, or --memory, is left in its file where the result goes to one, beside which the \
disk must have room for it once more.";

/// What `--help` says last.
pub(super) const AFTER_HELP: &str = "\
--verify computes the transform again on the host, by plain loops of radix 2, and compares every value that is written; no \
wrong value passes.

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
    let (wanted, several) = Spectra::wanted(global)?;
    Modulus(arguments.modulus).with(Job { arguments, global, wanted, several })
}

struct Job<'a> {
    arguments: &'a Arguments,
    global: &'a Global,
    wanted: Wanted<'a>,
    several: Option<Devices>,
}

impl WithField for Job<'_> {
    type Output = ();

    fn run<F: PolyField>(self, field: F) -> Result<(), Error> {
        let Self { arguments, global, .. } = self;
        let file = input::name(&arguments.file);
        progress::step(format!("reading {file}"));
        if size_of::<F::Element>() == size_of::<u64>()
            && let Some(left) = mapped::words(&arguments.file, global)?
        {
            let x = left.map_words()?;
            // Others are reduced, in memory.
            if x.iter().all(|&word| word < field.order()) {
                return self.in_file(&field, &left, &x);
            }
        }
        self.in_memory(&field)
    }
}

impl Job<'_> {
    /// The length of a transform of these values.
    fn length(&self, total: usize) -> Result<usize, Error> {
        let (file, batch) = (input::name(&self.arguments.file), self.arguments.batch);
        let len = batch.unwrap_or(total);
        if total == 0 {
            return Err(InputError::Empty { file }.into());
        }
        if len == 0 || !total.is_multiple_of(len) {
            return Err(InputError::Batch { file, len: total, batch: len }.into());
        }
        if !len.is_power_of_two() {
            return Err(match batch {
                Some(len) => Error::Usage(format!("--batch {len}: the length of a transform must be a power of two")),
                None => InputError::NotPowerOfTwo { file, len }.into(),
            });
        }
        Ok(len)
    }

    /// The transform of so many values.
    fn transform<F: PolyField>(&self, device: &Device, field: &F, len: usize) -> Result<Ntt<F>, Error> {
        let kind = if self.arguments.negacyclic { Kind::Negacyclic } else { Kind::Cyclic };
        let order = match self.arguments.order {
            OrderName::Natural => SpectrumOrder::Natural,
            OrderName::BitReversed => SpectrumOrder::BitReversed,
        };
        let ntt = Ntt::new(device, field, len, kind).map_err(|error| Error::from(error).of(&self.arguments.file))?;
        Ok(ntt.with_order(order))
    }

    /// Whether values are the transforms of others.
    fn check(&self, (x, result): (&[u64], &[u64]), len: usize, modulus: u64, root: u64) -> Outcome {
        let Arguments { negacyclic, order, inverse, .. } = self.arguments;
        let kind = if *negacyclic { verify::Kind::Negacyclic } else { verify::Kind::Cyclic };
        let order = match order {
            OrderName::Natural => BitOrder::Natural,
            OrderName::BitReversed => BitOrder::Reversed,
        };
        let direction = if *inverse { Direction::Inverse } else { Direction::Forward };
        verify::check(x, result, direction, verify::Shape { len, kind, order, modulus, root })
    }

    /// Transforms residues that are left in their file, in one without a name.
    fn in_file<F: PolyField>(self, field: &F, left: &mapped::Numbers, x: &[u64]) -> Result<(), Error> {
        let (len, global) = (self.length(x.len())?, self.global);
        let job = NttArguments { n: len, batch: x.len() / len, modulus: field.order() };
        let device = self.wanted.device(Some(&Operation::Ntt(job)));
        let ntt = self.transform(&device, field, len)?;
        let devices = self.several.clone().unwrap_or_else(|| device.into());
        progress::compute(format!("transforming {} values of a file on {}", x.len(), label(&devices)));
        let mut values = left.copy::<F::Element>(global)?;
        let inverse = self.arguments.inverse;
        let run = |set: &DeviceSet| {
            if inverse { ntt.inverse_over(set, &mut values) } else { ntt.forward_over(set, &mut values) }
        };
        let (outcome, _) = devices.waited_for(run);
        devices.tell_failures();
        outcome?;
        let result: &[u64] = bytemuck::cast_slice(&values);
        if global.verify {
            progress::step("verifying");
            verified(self.check((x, result), len, field.order(), ntt.root().as_u64()), &devices)?;
        }
        mapped::write_words(global, result)
    }

    fn in_memory<F: PolyField>(self, field: &F) -> Result<(), Error> {
        let x = input::coefficients(&self.arguments.file, field)?;
        let len = self.length(x.len())?;
        let Self { arguments, global, .. } = self;
        let transforms = x.len() / len;
        let Some(range) = shard::range(global, transforms) else { return shard::write_empty(global) };
        let x = &x[range.start * len..range.end * len];
        let job = NttArguments { n: len, batch: x.len() / len, modulus: field.order() };
        let device = self.wanted.device(Some(&Operation::Ntt(job)));
        let ntt = self.transform(&device, field, len)?;
        let blocks = ntt.blocks(x.len())?;
        let at_once = self.several.is_none() && blocks.is_none();
        let choice = if at_once { Some(ntt.explain(transforms * len)?) } else { None };
        let devices = self.several.clone().unwrap_or_else(|| device.clone().into());
        progress::compute(format!("transforming {} values on {}", x.len(), label(&devices)));
        let run = |values: &mut Vec<F::Element>, set: Option<&DeviceSet>| match (set, arguments.inverse) {
            (None, false) => ntt.forward(values),
            (None, true) => ntt.inverse(values),
            (Some(set), false) => ntt.forward_over(set, values),
            (Some(set), true) => ntt.inverse_over(set, values),
        };
        let mut values = Vec::new();
        memory::reserve(&mut values, x.len(), || "the transform".to_owned()).map_err(InputError::from)?;
        values.extend_from_slice(x);
        let (outcome, spent) = if at_once {
            devices.measured(|| run(&mut values, None))?
        } else {
            devices.waited_for(|set| run(&mut values, Some(set)))
        };
        devices.tell_failures();
        outcome?;
        let result = words(&values, F::Element::as_u64)?;
        let verification = if global.verify {
            progress::step("verifying");
            let x = words(x, F::Element::as_u64)?;
            let root = ntt.root().as_u64();
            Some(verified(self.check((&x, &result), len, field.order(), root), &devices)?)
        } else {
            None
        };
        let parameters = json!({
            "modulus": JsonInteger(field.order().into()),
            "length": len,
            "transforms": transforms,
            "kind": if arguments.negacyclic { "negacyclic" } else { "cyclic" },
            "root": JsonInteger(ntt.root().as_u64().into()),
            "order": arguments.order.to_possible_value().map(|value| value.get_name().to_owned()),
            "direction": if arguments.inverse { "inverse" } else { "forward" },
            "way": match (&choice, blocks) {
                (Some(choice), _) => Some(choice.best().parameters.to_string()),
                (None, blocks) => blocks.map(|blocks| blocks.to_string()),
            },
        });
        let report = Report {
            device: Some(label(&devices)),
            seconds: Some(spent.seconds),
            transfer_seconds: spent.transfer_seconds,
            predicted_seconds: choice
                .map(|choice| choice.best().estimate.seconds * range.len() as f64 / transforms as f64),
            verified: verification.is_some().then_some(true),
            verification,
            ..Report::new("spectrum ntt", parameters, Residues(result))
        };
        output::write_residues(global, &report)
    }
}
