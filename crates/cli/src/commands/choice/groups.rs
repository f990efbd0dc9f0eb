//! What works on products of groups and matrices: character tables, Fourier transforms, Kronecker products.

use clap::{Args, ValueEnum};
use manycore::characters::{Complexes, Exponents, Tile};
use manycore::fourier::{Numbers, Residues};
use manycore::kronecker::{Integers, Kronecker, Reals, Values, parse};
use manycore::{AbelianGroup, Characters, Device, Fourier, Goldilocks, PolyField, PrimeField};
use serde_json::json;

use super::{Explained, size};
use crate::arguments::modulus;
use crate::commands::poly::{Modulus, WithField};
use crate::error::Error;
use crate::output::JsonInteger;
use crate::vector::{NumberType, number_types};

/// The type of the parts of complex numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Single precision
    F32,
    /// Double precision
    F64,
}

impl Part {
    /// The bytes of a part.
    pub(crate) const fn bytes(self) -> u64 {
        match self {
            Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// The group of a character table, and its values.
#[derive(Debug, Clone, Args)]
pub struct CharactersArguments {
    /// The orders of the group's cyclic factors, such as 3,3,3 or 3^8
    #[arg(value_name = "FACTORS", value_parser = AbelianGroup::parse)]
    pub group: AbelianGroup,

    /// Exponents, instead of complex numbers
    #[arg(long, conflicts_with = "number_type")]
    pub exponents: bool,

    /// The parts of complex numbers
    #[arg(long = "type", value_name = "TYPE", value_enum, default_value = "f32")]
    pub number_type: Part,
}

/// The group of a Fourier transform, and its numbers.
#[derive(Debug, Clone, Args)]
pub struct FourierArguments {
    /// The orders of the group's cyclic factors, such as 1024 or 3^8
    #[arg(value_name = "FACTORS", value_parser = AbelianGroup::parse)]
    pub group: AbelianGroup,

    /// Functions side by side
    #[arg(long, default_value_t = 1, value_parser = size)]
    pub batch: usize,

    /// Residues modulo this prime, which must have roots of the group's exponent, instead of complex numbers
    #[arg(long, value_name = "P", value_parser = modulus, conflicts_with = "number_type")]
    pub modulus: Option<u64>,

    /// The parts of complex numbers
    #[arg(long = "type", value_name = "TYPE", value_enum, default_value = "f32")]
    pub number_type: Part,
}

/// A Kronecker product, and the vectors that it is multiplied with.
#[derive(Debug, Clone, Args)]
pub struct KroneckerArguments {
    /// The product of matrices, such as "h12 x walsh^3" or "dft3^4"
    #[arg(long)]
    pub product: String,

    /// Vectors side by side
    #[arg(long, default_value_t = 1, value_parser = size)]
    pub batch: usize,

    /// Residues modulo this prime, instead of numbers
    #[arg(long, value_name = "P", conflicts_with_all = ["number_type", "complex"])]
    pub modulus: Option<u64>,

    /// Complex numbers, with parts of the type
    #[arg(long)]
    pub complex: bool,

    /// The type of the numbers
    #[arg(long = "type", value_name = "TYPE", value_parser = number_types(), default_value = "f32")]
    pub number_type: NumberType,
}

impl KroneckerArguments {
    /// The values of a vector; 0 for a product that is none.
    pub(super) fn order(&self) -> usize {
        // Every factor has a form over complex numbers.
        parse(&manycore::kronecker::Complexes::<f64>::new(), &self.product).map_or(0, |product| product.order())
    }
}

/// A group as reports show it.
fn factors(group: &AbelianGroup) -> Vec<JsonInteger> {
    group.factors().iter().map(|&n| JsonInteger(n.into())).collect()
}

/// The character table.
pub(super) fn characters(arguments: &CharactersArguments, device: &Device) -> Result<Explained, Error> {
    let CharactersArguments { group, exponents, number_type } = arguments;
    let (context, whole) = (Characters::new(device), Tile::whole());
    let (choice, values) = match (exponents, number_type) {
        (true, _) => (context.explain_table(group, &Exponents::<u32>::new(), &whole)?, "exponents"),
        (_, Part::F32) => (context.explain_table(group, &Complexes::<f32>::new(), &whole)?, "complex f32"),
        (_, Part::F64) => (context.explain_table(group, &Complexes::<f64>::new(), &whole)?, "complex f64"),
    };
    Ok(Explained::new(&choice, &json!({ "group": factors(group), "values": values })))
}

/// The Fourier transform.
pub(super) fn fourier(arguments: &FourierArguments, device: &Device) -> Result<Explained, Error> {
    let transform = Transform { arguments, device };
    match (arguments.modulus, arguments.number_type) {
        (Some(p), _) => Modulus(p).with(transform),
        (None, Part::F32) => transform.of(&manycore::fourier::Complexes::<f32>::new()),
        (None, Part::F64) => transform.of(&manycore::fourier::Complexes::<f64>::new()),
    }
}

struct Transform<'a> {
    arguments: &'a FourierArguments,
    device: &'a Device,
}

impl Transform<'_> {
    fn of<N: Numbers>(&self, numbers: &N) -> Result<Explained, Error> {
        let FourierArguments { group, batch, modulus, .. } = self.arguments;
        if *batch == 0 {
            return Err(Error::Usage("--batch must be at least 1".to_owned()));
        }
        let choice = Fourier::new(self.device).explain_transform(group, numbers, *batch)?;
        let modulus = modulus.map(|p| JsonInteger(p.into()));
        let shape = json!({ "group": factors(group), "batch": batch, "numbers": numbers.name(), "modulus": modulus });
        Ok(Explained::new(&choice, &shape))
    }
}

impl WithField for Transform<'_> {
    type Output = Explained;

    fn run<F: PolyField>(self, field: F) -> Result<Explained, Error> {
        self.of(&Residues::new(field))
    }
}

/// The Kronecker product.
pub(super) fn kronecker(arguments: &KroneckerArguments, device: &Device) -> Result<Explained, Error> {
    use manycore::kronecker::Complexes;
    if let Some(p) = arguments.modulus {
        return if p < 1 << 31 {
            product(arguments, device, &PrimeField::<u32>::new(p as u32)?)
        } else if p == Goldilocks::MODULUS {
            product(arguments, device, &Goldilocks)
        } else {
            product(arguments, device, &PrimeField::<u64>::new(p)?)
        };
    }
    match (arguments.number_type, arguments.complex) {
        (NumberType::I32 | NumberType::I64, true) => {
            Err(Error::Usage(format!("--complex: parts of type {} are no complex numbers", arguments.number_type)))
        }
        (NumberType::I32, false) => product(arguments, device, &Integers::<i32>::new()),
        (NumberType::I64, false) => product(arguments, device, &Integers::<i64>::new()),
        (NumberType::F32, false) => product(arguments, device, &Reals::<f32>::new()),
        (NumberType::F64, false) => product(arguments, device, &Reals::<f64>::new()),
        (NumberType::F32, true) => product(arguments, device, &Complexes::<f32>::new()),
        (NumberType::F64, true) => product(arguments, device, &Complexes::<f64>::new()),
    }
}

fn product<V: Values>(arguments: &KroneckerArguments, device: &Device, values: &V) -> Result<Explained, Error> {
    let KroneckerArguments { product: text, batch, modulus, .. } = arguments;
    if *batch == 0 {
        return Err(Error::Usage("--batch must be at least 1".to_owned()));
    }
    let choice = Kronecker::new(device).explain(&parse(values, text)?, *batch)?;
    let modulus = modulus.map(|p| JsonInteger(p.into()));
    let shape = json!({ "product": text, "batch": batch, "values": values.name(), "modulus": modulus });
    Ok(Explained::new(&choice, &shape))
}
