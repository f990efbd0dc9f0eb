//! `manycore explain`: what the model says of every way to do an operation.

mod spectral;

use std::fmt::Display;

use clap::{Args, Subcommand};
use manycore::characters::{Complex, Exponents, Tile};
use manycore::model::Choice;
use manycore::poly::{self, Shape};
use manycore::transform::Kind;
use manycore::{AbelianGroup, Characters, Device, Ntt, PolyField, PolyRing};
use serde::Serialize;
use serde_json::{Value, json};

use super::label;
use crate::arguments::Global;
use crate::commands::characters;
use crate::commands::poly::{Modulus, WithField};
use crate::error::Error;
use crate::output::{self, JsonInteger, Report};

/// The operations.
#[derive(Debug, Subcommand)]
pub enum Operation {
    /// The Walsh-Hadamard transform
    Walsh(spectral::WalshArguments),
    /// The Reed-Muller transform
    ReedMuller(spectral::ReedMullerArguments),
    /// The arithmetic transform
    Arithmetic(spectral::ArithmeticArguments),
    /// The Haar transform
    Haar(spectral::HaarArguments),
    /// The number-theoretic transform
    Ntt(NttArguments),
    /// The product of two polynomials over a prime field
    PolyMul(PolyMulArguments),
    /// The character table of a finite Abelian group
    Characters(CharactersArguments),
}

/// The group of a character table, and its values.
#[derive(Debug, Args)]
pub struct CharactersArguments {
    /// The orders of the group's cyclic factors, such as 3,3,3 or 3^8
    #[arg(value_name = "FACTORS", value_parser = characters::group)]
    pub group: AbelianGroup,

    /// Exponents, instead of complex numbers
    #[arg(long, conflicts_with = "number_type")]
    pub exponents: bool,

    /// The parts of complex numbers
    #[arg(long = "type", value_enum, value_name = "TYPE", default_value = "f32")]
    pub number_type: characters::Part,
}

/// The sizes of a number-theoretic transform.
#[derive(Debug, Args)]
pub struct NttArguments {
    /// Values of one transform: a power of two, also as 2^K
    #[arg(long, value_name = "N", value_parser = size)]
    pub n: usize,

    /// Transforms side by side
    #[arg(long, default_value_t = 1)]
    pub batch: usize,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", default_value_t = 469_762_049)]
    pub modulus: u64,
}

/// The sizes of a product of polynomials.
#[derive(Debug, Args)]
pub struct PolyMulArguments {
    /// Coefficients of one factor, also as 2^K
    #[arg(long, value_name = "N", value_parser = size)]
    pub n: usize,

    /// Coefficients of the other factor; without it, as many
    #[arg(long, value_name = "M", value_parser = size)]
    pub m: Option<usize>,

    /// Products side by side
    #[arg(long, default_value_t = 1)]
    pub batch: usize,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", default_value_t = 469_762_049)]
    pub modulus: u64,

    /// Measure the best N candidates too, as far as the model cannot exclude them
    #[arg(long, value_name = "N")]
    pub measure: Option<usize>,
}

/// A count: decimal, or `2^K`.
fn size(text: &str) -> Result<usize, String> {
    let count = match text.split_once('^') {
        Some((base, exponent)) => {
            let base: usize = base.trim().parse().map_err(|_| format!("{text}: no number"))?;
            let exponent: u32 = exponent.trim().parse().map_err(|_| format!("{text}: no number"))?;
            base.checked_pow(exponent)
        }
        None => Some(text.trim().parse().map_err(|_| format!("{text}: no number"))?),
    };
    count.ok_or_else(|| format!("{text}: too large"))
}

/// A candidate as the JSON form has it.
#[derive(Debug, Serialize)]
struct Row {
    parameters: String,
    launches: u64,
    bound_by: String,
    predicted_seconds: f64,
    floor_seconds: f64,
    /// Theorem 1 of the many-core model, in seconds.
    bound_seconds: f64,
    measured_seconds: Option<f64>,
}

/// Prints the candidates of an operation on the selected device, the choice first.
///
/// # Errors
/// [`Error::Usage`] for a size that the operation does not have, [`Error::Device`], [`Error::Output`].
pub fn run(operation: &Operation, global: &Global) -> Result<(), Error> {
    let device = Device::select(&global.device)?;
    match operation {
        Operation::Walsh(arguments) => spectral::walsh(arguments, &device, global),
        Operation::ReedMuller(arguments) => spectral::reed_muller(arguments, &device, global),
        Operation::Arithmetic(arguments) => spectral::arithmetic(arguments, &device, global),
        Operation::Haar(arguments) => spectral::haar(arguments, &device, global),
        Operation::Ntt(arguments) => Modulus(arguments.modulus).with(OfNtt { arguments, device, global }),
        Operation::Characters(arguments) => {
            let CharactersArguments { group, exponents, number_type } = arguments;
            let (context, whole) = (Characters::new(&device), Tile::whole());
            let (explained, values) = match (exponents, number_type) {
                (true, _) => (context.explain_table(group, &Exponents::<u32>::new(), &whole)?, "exponents"),
                (_, characters::Part::F32) => {
                    (context.explain_table(group, &Complex::<f32>::new(), &whole)?, "complex f32")
                }
                (_, characters::Part::F64) => {
                    (context.explain_table(group, &Complex::<f64>::new(), &whole)?, "complex f64")
                }
            };
            let factors: Vec<JsonInteger> = group.factors().iter().map(|&n| JsonInteger(n.into())).collect();
            let parameters = json!({ "operation": explained.operation, "group": factors, "values": values });
            write(parameters, &explained, &device, global)
        }
        Operation::PolyMul(arguments) => Modulus(arguments.modulus).with(PolyMul { arguments, device, global }),
    }
}

/// The transform over a field whose type depends on the modulus.
struct OfNtt<'a> {
    arguments: &'a NttArguments,
    device: Device,
    global: &'a Global,
}

impl WithField for OfNtt<'_> {
    type Output = ();

    fn run<F: PolyField>(self, field: F) -> Result<(), Error> {
        let Self { arguments: &NttArguments { n, batch, modulus }, device, global } = self;
        let total = n.checked_mul(batch).filter(|&total| total > 0);
        let total = total.ok_or_else(|| Error::Usage(format!("--n {n} --batch {batch}: too large, or zero")))?;
        let explained = Ntt::new(&device, &field, n, Kind::Cyclic)?.explain(total)?;
        let modulus = JsonInteger(modulus.into());
        let parameters = json!({ "operation": explained.operation, "n": n, "batch": batch, "modulus": modulus });
        write(parameters, &explained, &device, global)
    }
}

/// The product of two polynomials over a field whose type depends on the modulus.
struct PolyMul<'a> {
    arguments: &'a PolyMulArguments,
    device: Device,
    global: &'a Global,
}

impl WithField for PolyMul<'_> {
    type Output = ();

    fn run<F: PolyField>(self, field: F) -> Result<(), Error> {
        let Self { arguments, device, global } = self;
        let &PolyMulArguments { n, m, batch: count, modulus, measure } = arguments;
        let m = m.unwrap_or(n);
        let fits = |words: Option<usize>| words.and_then(|words| words.checked_mul(count)).is_some();
        if n == 0 || m == 0 || count == 0 {
            return Err(Error::Usage("--n, --m and --batch must be at least 1".to_owned()));
        }
        if !fits(n.checked_add(m)) {
            return Err(Error::Usage(format!("--n {n} --m {m} --batch {count}: too large")));
        }
        let ring = PolyRing::new(&device, field)?;
        let operation = poly::Operation::Products(Shape { count, ..Shape::full(n, m) });
        let mut explained = ring.explain(operation)?;
        if let Some(most) = measure {
            ring.measure(operation, &mut explained, most)?;
        }
        let parameters = json!({
            "operation": explained.operation,
            "n": n,
            "m": m,
            "batch": count,
            "modulus": JsonInteger(modulus.into()),
        });
        write(parameters, &explained, &device, global)
    }
}

/// Writes the candidates of a choice.
fn write<P: Display>(parameters: Value, choice: &Choice<P>, device: &Device, global: &Global) -> Result<(), Error> {
    if !global.json {
        return output::write(global, |out| write!(out, "{choice}"));
    }
    let rows: Vec<Row> = choice
        .candidates()
        .iter()
        .map(|candidate| Row {
            parameters: candidate.parameters.to_string(),
            launches: candidate.prediction.launches,
            bound_by: candidate.prediction.bound().to_string(),
            predicted_seconds: candidate.prediction.seconds,
            floor_seconds: candidate.prediction.floor_seconds,
            bound_seconds: candidate.prediction.bound_seconds,
            measured_seconds: candidate.measured_seconds,
        })
        .collect();
    let report = Report {
        device: Some(label(device)),
        predicted_seconds: rows.first().map(|row| row.predicted_seconds),
        ..Report::new("explain", parameters, rows)
    };
    output::write_report(global, &report)
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_are_numbers_or_powers() {
        assert_eq!(size("1024"), Ok(1024));
        assert_eq!(size("2^20"), Ok(1 << 20));
        assert_eq!(size(" 3 ^ 4"), Ok(81));
        for wrong in ["", "2^", "x", "2^64", "-1", "2^^3"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
