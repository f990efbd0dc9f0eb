//! What the model says of the spectral transforms of 2^n values.

use clap::Args;
use manycore::model::Choice;
use manycore::{
    Arithmetic, BitOrder, Device, Haar, HaarOrder, Order, ReedMuller, Scalar, Spectral, SpectralError, Walsh, WalshPlan,
};
use serde_json::{Value, json};

use super::{size, write};
use crate::arguments::Global;
use crate::commands::spectrum::haar::orders as haar_orders;
use crate::commands::spectrum::job::{AlgorithmName, bit_orders};
use crate::commands::spectrum::walsh::orders;
use crate::error::Error;
use crate::vector::NumberType;

/// The sizes of every spectral transform.
#[derive(Debug, Args)]
pub struct Sizes {
    /// Values of one transform: a power of two, also as 2^K
    #[arg(long, value_name = "N", value_parser = size)]
    pub n: usize,

    /// Transforms side by side
    #[arg(long, default_value_t = 1)]
    pub batch: usize,

    /// Measure the best N candidates too, as far as the model cannot exclude them
    #[arg(long, value_name = "N")]
    pub measure: Option<usize>,
}

impl Sizes {
    /// The values of all transforms.
    fn total(&self) -> Result<usize, Error> {
        let total = self.n.checked_mul(self.batch);
        total.ok_or_else(|| Error::Usage(format!("--n {} --batch {}: too large", self.n, self.batch)))
    }

    /// What the report says of them, and `more`.
    fn parameters(&self, operation: &str, more: &Value) -> Value {
        let mut parameters = json!({ "operation": operation, "n": self.n, "batch": self.batch });
        if let (Some(all), Some(more)) = (parameters.as_object_mut(), more.as_object()) {
            all.extend(more.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        parameters
    }
}

/// The size and options of a Walsh-Hadamard transform.
#[derive(Debug, Args)]
pub struct WalshArguments {
    /// How many values.
    #[command(flatten)]
    pub sizes: Sizes,

    /// The type of the values
    #[arg(long = "type", value_enum, value_name = "TYPE", default_value = "f32")]
    pub number_type: NumberType,

    /// The order of the coefficients
    #[arg(long, default_value = "hadamard", value_parser = orders())]
    pub order: Order,

    /// Only this algorithm; without it, the one that suits the order
    #[arg(long, value_enum)]
    pub algorithm: Option<AlgorithmName>,
}

/// The size and options of an arithmetic transform.
#[derive(Debug, Args)]
pub struct ArithmeticArguments {
    /// How many values.
    #[command(flatten)]
    pub sizes: Sizes,

    /// The type of the values
    #[arg(long = "type", value_enum, value_name = "TYPE", default_value = "i32")]
    pub number_type: NumberType,

    /// The order of the coefficients
    #[arg(long, default_value = "natural", value_parser = bit_orders())]
    pub order: BitOrder,

    /// Only this algorithm; without it, the one that suits the order
    #[arg(long, value_enum)]
    pub algorithm: Option<AlgorithmName>,
}

/// The size and options of a Reed-Muller transform in natural order.
#[derive(Debug, Args)]
pub struct ReedMullerArguments {
    /// How many values.
    #[command(flatten)]
    pub sizes: Sizes,

    /// Values packed 64 a word, instead of one a byte
    #[arg(long)]
    pub packed: bool,
}

/// The size and options of a Haar transform.
#[derive(Debug, Args)]
pub struct HaarArguments {
    /// How many values.
    #[command(flatten)]
    pub sizes: Sizes,

    /// The type of the values
    #[arg(long = "type", value_enum, value_name = "TYPE", default_value = "f32")]
    pub number_type: NumberType,

    /// The order of the coefficients
    #[arg(long, default_value = "standard", value_parser = haar_orders())]
    pub order: HaarOrder,
}

/// Calls a function of one type parameter for the number type.
macro_rules! with_type {
    ($function:ident($arguments:expr, $device:expr, $global:expr)) => {
        match $arguments.number_type {
            NumberType::I32 => $function::<i32>($arguments, $device, $global),
            NumberType::I64 => $function::<i64>($arguments, $device, $global),
            NumberType::F32 => $function::<f32>($arguments, $device, $global),
            NumberType::F64 => $function::<f64>($arguments, $device, $global),
        }
    };
}

/// The Walsh-Hadamard transform.
pub(super) fn walsh(arguments: &WalshArguments, device: &Device, global: &Global) -> Result<(), Error> {
    with_type!(walsh_of(arguments, device, global))
}

fn walsh_of<T: Scalar>(arguments: &WalshArguments, device: &Device, global: &Global) -> Result<(), Error> {
    let (sizes, total) = (&arguments.sizes, arguments.sizes.total()?);
    let how = Walsh::new().order(arguments.order).batch(sizes.n);
    let how = arguments.algorithm.map_or(how.clone(), |name| how.algorithm(name.algorithm()));
    let spectral = Spectral::new(device);
    let mut explained = spectral.explain_walsh::<T>(total, &how)?;
    if let Some(most) = sizes.measure {
        spectral.measure_walsh::<T>(total, &how, &mut explained, most)?;
    }
    let more = json!({ "type": arguments.number_type.to_string(), "order": arguments.order.name() });
    write(sizes.parameters(explained.operation, &more), &explained, device, global)
}

/// The arithmetic transform.
pub(super) fn arithmetic(arguments: &ArithmeticArguments, device: &Device, global: &Global) -> Result<(), Error> {
    with_type!(arithmetic_of(arguments, device, global))
}

fn arithmetic_of<T: Scalar>(arguments: &ArithmeticArguments, device: &Device, global: &Global) -> Result<(), Error> {
    let (sizes, total) = (&arguments.sizes, arguments.sizes.total()?);
    let how = Arithmetic::new().order(arguments.order).batch(sizes.n);
    let how = arguments.algorithm.map_or(how.clone(), |name| how.algorithm(name.algorithm()));
    let spectral = Spectral::new(device);
    let mut explained = spectral.explain_arithmetic::<T>(total, &how)?;
    if let Some(most) = sizes.measure {
        explained.refine(most, |plan| spectral.time_arithmetic::<T>(total, &how.clone().by(plan)))?;
    }
    let more = json!({ "type": arguments.number_type.to_string(), "order": arguments.order.name() });
    write(sizes.parameters("arithmetic", &more), &explained, device, global)
}

/// The Haar transform.
pub(super) fn haar(arguments: &HaarArguments, device: &Device, global: &Global) -> Result<(), Error> {
    with_type!(haar_of(arguments, device, global))
}

fn haar_of<T: Scalar>(arguments: &HaarArguments, device: &Device, global: &Global) -> Result<(), Error> {
    let (sizes, total) = (&arguments.sizes, arguments.sizes.total()?);
    let how = Haar::new().order(arguments.order).batch(sizes.n);
    let spectral = Spectral::new(device);
    let mut explained = spectral.explain_haar::<T>(total, &how)?;
    if let Some(most) = sizes.measure {
        explained.refine(most, |plan| spectral.time_haar::<T>(total, &how.clone().by(plan)))?;
    }
    let more = json!({ "type": arguments.number_type.to_string(), "order": arguments.order.name() });
    write(sizes.parameters(explained.operation, &more), &explained, device, global)
}

/// The Reed-Muller transform.
pub(super) fn reed_muller(arguments: &ReedMullerArguments, device: &Device, global: &Global) -> Result<(), Error> {
    let (sizes, total) = (&arguments.sizes, arguments.sizes.total()?);
    let spectral = Spectral::new(device);
    let measured = |choice: &mut Choice<WalshPlan>, run: &mut dyn FnMut(&WalshPlan) -> Result<(), SpectralError>| {
        let Some(most) = sizes.measure else { return Ok(0) };
        choice.refine(most, |plan| manycore::device::context::seconds(device, || run(plan)))
    };
    let explained = if arguments.packed {
        if !sizes.n.is_power_of_two() {
            return Err(SpectralError::NotPowerOfTwo { len: sizes.n }.into());
        }
        let (words, variables, how) = (total.div_ceil(64), sizes.n.ilog2(), ReedMuller::new());
        let mut explained = spectral.explain_reed_muller_packed(words, variables, &how)?;
        let mut x = device.zeros::<u64>(if sizes.measure.is_some() { words } else { 0 })?;
        measured(&mut explained, &mut |plan| spectral.reed_muller_packed(&mut x, variables, &how.clone().by(plan)))?;
        explained
    } else {
        let how = ReedMuller::new().batch(sizes.n);
        let mut explained = spectral.explain_reed_muller::<u8>(total, &how)?;
        let mut x = device.zeros::<u8>(if sizes.measure.is_some() { total } else { 0 })?;
        measured(&mut explained, &mut |plan| spectral.reed_muller(&mut x, &how.clone().by(plan)))?;
        explained
    };
    let parameters = sizes.parameters("reed-muller", &json!({ "packed": arguments.packed }));
    write(parameters, &explained, device, global)
}
