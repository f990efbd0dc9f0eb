//! The spectral transforms of 2^n values that choose among candidates.

use manycore_device::Device;
use manycore_operation::choice::{bytes_of, total};
use manycore_operation::vector::NumberType;
use manycore_operation::{
    Arguments, ChoiceDeclaration, DeclaredOption, Explain, Explained, OperationError, OptionKind, with_number_type,
};

use super::options::{ALGORITHM, BIT_ORDER, algorithm, bit_order};
use super::{haar, walsh};
use crate::error::SpectralError;
use crate::{Arithmetic, BitOrder, Haar, HaarOrder, Order, ReedMuller, Scalar, Spectral, Walsh};

/// Every choice of a spectral transform.
pub static CHOICES: [&dyn Explain; 4] = [&WalshChoice, &ReedMullerChoice, &ArithmeticChoice, &HaarChoice];

const N: DeclaredOption = DeclaredOption::size("n", "N", "Values of one transform: a power of two, also as 2^K");

const BATCH: DeclaredOption = DeclaredOption::size_or("batch", "BATCH", Some(1), "Transforms side by side");

/// The type of the values, this one where none is given.
const fn number_type(default: &'static str) -> DeclaredOption {
    DeclaredOption {
        value: OptionKind::Word { value_name: "TYPE", words: NumberType::WORDS, default: Some(default) },
        ..DeclaredOption::flag("type", "The type of the values")
    }
}

/// The order of the coefficients, one of these words, this one where none is given.
const fn order(words: &'static [(&'static str, &'static str)], default: &'static str) -> DeclaredOption {
    DeclaredOption {
        value: OptionKind::Word { value_name: "ORDER", words, default: Some(default) },
        ..DeclaredOption::flag("order", "The order of the coefficients")
    }
}

const ONLY: DeclaredOption =
    DeclaredOption { help: "Only this algorithm; without it, the one that suits the order", ..ALGORITHM };

/// The sizes of a call.
struct Sizes {
    /// Values of one transform.
    n: usize,
    /// Transforms.
    batch: usize,
}

impl Sizes {
    fn of(arguments: &Arguments) -> Self {
        Self { n: arguments.size("n").unwrap_or(0), batch: arguments.size("batch").unwrap_or(1) }
    }

    /// The values of all transforms.
    fn total(&self) -> Result<usize, OperationError> {
        total(self.n, self.batch)
    }

    /// Bytes of the values and the coefficients.
    fn bytes(&self, value_bytes: u64) -> u64 {
        bytes_of(&[self.n.saturating_mul(self.batch); 2], value_bytes)
    }

    /// What is told of a choice, with the sizes.
    fn told(&self, explained: Explained) -> Explained {
        explained.with("n", self.n).with("batch", self.batch)
    }
}

/// The type that is asked for.
fn type_of(arguments: &Arguments) -> NumberType {
    arguments.word("type").and_then(NumberType::of_name).unwrap_or(NumberType::F32)
}

struct WalshChoice;

impl Explain for WalshChoice {
    fn declaration(&self) -> &'static ChoiceDeclaration {
        const DECLARATION: ChoiceDeclaration = ChoiceDeclaration {
            name: "walsh",
            title: "The Walsh-Hadamard transform",
            options: &[N, BATCH, number_type("f32"), order(walsh::ORDERS, "hadamard"), ONLY],
        };
        &DECLARATION
    }

    fn bytes(&self, arguments: &Arguments) -> u64 {
        Sizes::of(arguments).bytes(type_of(arguments).bytes())
    }

    fn explain(&self, arguments: &Arguments, device: &Device) -> Result<Explained, OperationError> {
        fn of<T: Scalar>(device: &Device, len: usize, how: &Walsh) -> Result<Explained, SpectralError> {
            let spectral = Spectral::new(device);
            let explained = Explained::new(&spectral.explain_walsh::<T>(len, how)?);
            Ok(explained.in_blocks(spectral.walsh_blocks::<T>(len, how)?))
        }
        let (sizes, number_type) = (Sizes::of(arguments), type_of(arguments));
        let order: Order = arguments.word("order").and_then(|word| word.parse().ok()).unwrap_or_default();
        let how = Walsh::new().order(order).batch(sizes.n);
        let how = algorithm(arguments).into_iter().fold(how, Walsh::algorithm);
        let len = sizes.total()?;
        let explained = with_number_type!(number_type, T => of::<T>(device, len, &how))?;
        Ok(sizes.told(explained).with("type", number_type.name()).with("order", order.name()))
    }

    fn is_shared(&self, _: &Arguments) -> bool {
        true
    }
}

struct ArithmeticChoice;

impl Explain for ArithmeticChoice {
    fn declaration(&self) -> &'static ChoiceDeclaration {
        const DECLARATION: ChoiceDeclaration = ChoiceDeclaration {
            name: "arithmetic",
            title: "The arithmetic transform",
            options: &[N, BATCH, number_type("i32"), BIT_ORDER, ONLY],
        };
        &DECLARATION
    }

    fn bytes(&self, arguments: &Arguments) -> u64 {
        Sizes::of(arguments).bytes(type_of(arguments).bytes())
    }

    fn explain(&self, arguments: &Arguments, device: &Device) -> Result<Explained, OperationError> {
        let (sizes, number_type) = (Sizes::of(arguments), type_of(arguments));
        let order: BitOrder = bit_order(arguments);
        let how = Arithmetic::new().order(order).batch(sizes.n);
        let how = algorithm(arguments).into_iter().fold(how, Arithmetic::algorithm);
        let (spectral, len) = (Spectral::new(device), sizes.total()?);
        let choice = with_number_type!(number_type, T => spectral.explain_arithmetic::<T>(len, &how))?;
        let explained = sizes.told(Explained::new(&choice));
        Ok(explained.with("type", number_type.name()).with("order", order.name()))
    }

    fn is_shared(&self, _: &Arguments) -> bool {
        true
    }
}

struct HaarChoice;

impl Explain for HaarChoice {
    fn declaration(&self) -> &'static ChoiceDeclaration {
        const DECLARATION: ChoiceDeclaration = ChoiceDeclaration {
            name: "haar",
            title: "The Haar transform",
            options: &[N, BATCH, number_type("f32"), order(haar::ORDERS, "standard")],
        };
        &DECLARATION
    }

    fn bytes(&self, arguments: &Arguments) -> u64 {
        Sizes::of(arguments).bytes(type_of(arguments).bytes())
    }

    fn explain(&self, arguments: &Arguments, device: &Device) -> Result<Explained, OperationError> {
        let (sizes, number_type) = (Sizes::of(arguments), type_of(arguments));
        let order: HaarOrder = arguments.word("order").and_then(|word| word.parse().ok()).unwrap_or_default();
        let how = Haar::new().order(order).batch(sizes.n);
        let (spectral, len) = (Spectral::new(device), sizes.total()?);
        let choice = with_number_type!(number_type, T => spectral.explain_haar::<T>(len, &how))?;
        let explained = sizes.told(Explained::new(&choice));
        Ok(explained.with("type", number_type.name()).with("order", order.name()))
    }
}

struct ReedMullerChoice;

impl Explain for ReedMullerChoice {
    fn declaration(&self) -> &'static ChoiceDeclaration {
        const DECLARATION: ChoiceDeclaration = ChoiceDeclaration {
            name: "reed-muller",
            title: "The Reed-Muller transform",
            options: &[N, BATCH, DeclaredOption::flag("packed", "Values packed 64 a word, instead of one a byte")],
        };
        &DECLARATION
    }

    fn bytes(&self, arguments: &Arguments) -> u64 {
        Sizes::of(arguments).bytes(1) / if arguments.is_given("packed") { 8 } else { 1 }
    }

    fn explain(&self, arguments: &Arguments, device: &Device) -> Result<Explained, OperationError> {
        let (sizes, is_packed) = (Sizes::of(arguments), arguments.is_given("packed"));
        let (spectral, len) = (Spectral::new(device), sizes.total()?);
        let choice = if is_packed {
            if !sizes.n.is_power_of_two() {
                return Err(SpectralError::NotPowerOfTwo { len: sizes.n }.into());
            }
            spectral.explain_reed_muller_packed(len.div_ceil(64), sizes.n.ilog2(), &ReedMuller::new())?
        } else {
            spectral.explain_reed_muller::<u8>(len, &ReedMuller::new().batch(sizes.n))?
        };
        Ok(sizes.told(Explained::new(&choice)).with("packed", is_packed))
    }

    fn is_shared(&self, _: &Arguments) -> bool {
        true
    }
}
