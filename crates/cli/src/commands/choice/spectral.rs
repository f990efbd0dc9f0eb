//! The spectral transforms of 2^n values.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use manycore::{
    Algorithm, Arithmetic, BitOrder, Device, Haar, HaarOrder, Order, ReedMuller, Scalar, Spectral, SpectralError, Walsh,
};
use serde_json::{Value, json};

use super::{Explained, size, total};
use crate::error::Error;
use crate::vector::{NumberType, number_types};

/// The names of the algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AlgorithmName {
    /// In place, natural order by itself; other orders by a permutation afterwards
    CooleyTukey,
    /// Between two buffers that swap, reversed orders (and sequency) by itself, without a permutation
    ConstantGeometry,
}

impl AlgorithmName {
    fn algorithm(self) -> Algorithm {
        match self {
            Self::CooleyTukey => Algorithm::CooleyTukey,
            Self::ConstantGeometry => Algorithm::ConstantGeometry,
        }
    }
}

fn orders() -> impl TypedValueParser<Value = Order> {
    PossibleValuesParser::new(Order::ALL.map(Order::name)).try_map(|name| name.parse::<Order>())
}

fn bit_orders() -> impl TypedValueParser<Value = BitOrder> {
    PossibleValuesParser::new(BitOrder::ALL.map(BitOrder::name)).try_map(|name| name.parse::<BitOrder>())
}

fn haar_orders() -> impl TypedValueParser<Value = HaarOrder> {
    PossibleValuesParser::new(HaarOrder::ALL.map(HaarOrder::name)).try_map(|name| name.parse::<HaarOrder>())
}

/// The sizes of every spectral transform.
#[derive(Debug, Clone, Args)]
pub struct Sizes {
    /// Values of one transform: a power of two, also as 2^K
    #[arg(long, value_name = "N", value_parser = size)]
    pub n: usize,

    /// Transforms side by side
    #[arg(long, default_value_t = 1, value_parser = size)]
    pub batch: usize,
}

impl Sizes {
    /// The values of all transforms.
    fn total(&self) -> Result<usize, Error> {
        total(self.n, self.batch)
    }

    /// What reports say of the shape: the sizes, and `more`.
    fn shape(&self, more: &Value) -> Value {
        let mut shape = json!({ "n": self.n, "batch": self.batch });
        if let (Some(all), Some(more)) = (shape.as_object_mut(), more.as_object()) {
            all.extend(more.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        shape
    }
}

/// The size and options of a Walsh-Hadamard transform.
#[derive(Debug, Clone, Args)]
pub struct WalshArguments {
    /// How many values.
    #[command(flatten)]
    pub sizes: Sizes,

    /// The type of the values
    #[arg(long = "type", value_name = "TYPE", value_parser = number_types(), default_value = "f32")]
    pub number_type: NumberType,

    /// The order of the coefficients
    #[arg(long, default_value = "hadamard", value_parser = orders())]
    pub order: Order,

    /// Only this algorithm; without it, the one that suits the order
    #[arg(long, value_enum)]
    pub algorithm: Option<AlgorithmName>,
}

/// The size and options of an arithmetic transform.
#[derive(Debug, Clone, Args)]
pub struct ArithmeticArguments {
    /// How many values.
    #[command(flatten)]
    pub sizes: Sizes,

    /// The type of the values
    #[arg(long = "type", value_name = "TYPE", value_parser = number_types(), default_value = "i32")]
    pub number_type: NumberType,

    /// The order of the coefficients
    #[arg(long, default_value = "natural", value_parser = bit_orders())]
    pub order: BitOrder,

    /// Only this algorithm; without it, the one that suits the order
    #[arg(long, value_enum)]
    pub algorithm: Option<AlgorithmName>,
}

/// The size and options of a Reed-Muller transform in natural order.
#[derive(Debug, Clone, Args)]
pub struct ReedMullerArguments {
    /// How many values.
    #[command(flatten)]
    pub sizes: Sizes,

    /// Values packed 64 a word, instead of one a byte
    #[arg(long)]
    pub packed: bool,
}

/// The size and options of a Haar transform.
#[derive(Debug, Clone, Args)]
pub struct HaarArguments {
    /// How many values.
    #[command(flatten)]
    pub sizes: Sizes,

    /// The type of the values
    #[arg(long = "type", value_name = "TYPE", value_parser = number_types(), default_value = "f32")]
    pub number_type: NumberType,

    /// The order of the coefficients
    #[arg(long, default_value = "standard", value_parser = haar_orders())]
    pub order: HaarOrder,
}

/// Calls a function of one type parameter for the number type.
macro_rules! with_type {
    ($function:ident($arguments:expr, $device:expr)) => {
        match $arguments.number_type {
            NumberType::I32 => $function::<i32>($arguments, $device),
            NumberType::I64 => $function::<i64>($arguments, $device),
            NumberType::F32 => $function::<f32>($arguments, $device),
            NumberType::F64 => $function::<f64>($arguments, $device),
        }
    };
}

/// The Walsh-Hadamard transform.
pub(super) fn walsh(arguments: &WalshArguments, device: &Device) -> Result<Explained, Error> {
    with_type!(walsh_of(arguments, device))
}

fn walsh_of<T: Scalar>(arguments: &WalshArguments, device: &Device) -> Result<Explained, Error> {
    let (sizes, total) = (&arguments.sizes, arguments.sizes.total()?);
    let how = Walsh::new().order(arguments.order).batch(sizes.n);
    let how = arguments.algorithm.map_or(how.clone(), |name| how.algorithm(name.algorithm()));
    let spectral = Spectral::new(device);
    let choice = spectral.explain_walsh::<T>(total, &how)?;
    let more = json!({ "type": arguments.number_type.to_string(), "order": arguments.order.name() });
    Ok(Explained::new(&choice, &sizes.shape(&more)).in_blocks(spectral.walsh_blocks::<T>(total, &how)?))
}

/// The arithmetic transform.
pub(super) fn arithmetic(arguments: &ArithmeticArguments, device: &Device) -> Result<Explained, Error> {
    with_type!(arithmetic_of(arguments, device))
}

fn arithmetic_of<T: Scalar>(arguments: &ArithmeticArguments, device: &Device) -> Result<Explained, Error> {
    let (sizes, total) = (&arguments.sizes, arguments.sizes.total()?);
    let how = Arithmetic::new().order(arguments.order).batch(sizes.n);
    let how = arguments.algorithm.map_or(how.clone(), |name| how.algorithm(name.algorithm()));
    let choice = Spectral::new(device).explain_arithmetic::<T>(total, &how)?;
    let more = json!({ "type": arguments.number_type.to_string(), "order": arguments.order.name() });
    Ok(Explained::new(&choice, &sizes.shape(&more)))
}

/// The Haar transform.
pub(super) fn haar(arguments: &HaarArguments, device: &Device) -> Result<Explained, Error> {
    with_type!(haar_of(arguments, device))
}

fn haar_of<T: Scalar>(arguments: &HaarArguments, device: &Device) -> Result<Explained, Error> {
    let (sizes, total) = (&arguments.sizes, arguments.sizes.total()?);
    let how = Haar::new().order(arguments.order).batch(sizes.n);
    let choice = Spectral::new(device).explain_haar::<T>(total, &how)?;
    let more = json!({ "type": arguments.number_type.to_string(), "order": arguments.order.name() });
    Ok(Explained::new(&choice, &sizes.shape(&more)))
}

/// The Reed-Muller transform.
pub(super) fn reed_muller(arguments: &ReedMullerArguments, device: &Device) -> Result<Explained, Error> {
    let (sizes, total) = (&arguments.sizes, arguments.sizes.total()?);
    let spectral = Spectral::new(device);
    let choice = if arguments.packed {
        if !sizes.n.is_power_of_two() {
            return Err(SpectralError::NotPowerOfTwo { len: sizes.n }.into());
        }
        spectral.explain_reed_muller_packed(total.div_ceil(64), sizes.n.ilog2(), &ReedMuller::new())?
    } else {
        spectral.explain_reed_muller::<u8>(total, &ReedMuller::new().batch(sizes.n))?
    };
    Ok(Explained::new(&choice, &sizes.shape(&json!({ "packed": arguments.packed }))))
}
