//! Why a command failed, and what it answers to the shell.

use std::io;
use std::path::PathBuf;

use manycore::{
    BooleanError, CalibrateError, CharacterError, DeviceError, NotPrime, NttError, PolyError, SpectralError,
};

use manycore::fourier::FourierError;
use manycore::kronecker::{KroneckerError, ParseError};

use crate::input::InputError;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The input cannot be used.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Options that do not go together, or that name something that is not there.
    #[error("{0}")]
    Usage(String),
    /// The device cannot be had or failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The device cannot be measured, or its machine not be kept.
    #[error(transparent)]
    Calibrate(#[from] CalibrateError),
    /// The transform was not done.
    #[error(transparent)]
    Spectral(#[from] SpectralError),
    /// The transform modulo a prime was not done.
    #[error(transparent)]
    Ntt(#[from] NttError),
    /// The modulus is no prime that there is a field for.
    #[error("--modulus: {0}")]
    Modulus(#[from] NotPrime),
    /// The operation on polynomials was not done.
    #[error(transparent)]
    Poly(#[from] PolyError),
    /// The character table was not made.
    #[error(transparent)]
    Characters(#[from] CharacterError),
    /// The computation with a Boolean function or an S-box was not done.
    #[error(transparent)]
    Boolean(#[from] BooleanError),
    /// The Fourier transform was not done.
    #[error(transparent)]
    Fourier(#[from] FourierError),
    /// The Kronecker transform was not done.
    #[error(transparent)]
    Kronecker(#[from] KroneckerError),
    /// The text of a Kronecker product says none.
    #[error("--product: {0}")]
    Product(#[from] ParseError),
    /// The result cannot be written.
    #[error("{}: {error}", file.as_ref().map_or("standard output".into(), |file| file.display().to_string()))]
    Output {
        /// The file; none is standard output.
        file: Option<PathBuf>,
        /// What the system said.
        error: io::Error,
    },
    /// The result is wrong.
    #[error("--verify: the result of {device} is wrong: {reason}")]
    Wrong {
        /// The device that computed it.
        device: String,
        /// Which relation does not hold.
        reason: String,
    },
}

impl Error {
    /// 2 for bad usage or input, 1 for a failure of the machine.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Input(_)
            | Self::Usage(_)
            | Self::Modulus(_)
            | Self::Product(_)
            | Self::Kronecker(
                KroneckerError::Order { .. }
                | KroneckerError::Batch { .. }
                | KroneckerError::Factor { .. }
                | KroneckerError::Length { .. },
            )
            | Self::Fourier(
                FourierError::Group(_)
                | FourierError::NoRoot(_)
                | FourierError::OutOfRange(_)
                | FourierError::Length { .. }
                | FourierError::Operands { .. }
                | FourierError::TooLarge { .. }
                | FourierError::Exponent { .. },
            )
            | Self::Poly(PolyError::Algorithm { .. } | PolyError::TooLong { .. })
            | Self::Ntt(NttError::NotPowerOfTwo { .. } | NttError::NoRoot { .. })
            | Self::Spectral(
                SpectralError::NotPowerOfTwo { .. }
                | SpectralError::Batch { .. }
                | SpectralError::Packed { .. }
                | SpectralError::PackedOrder
                | SpectralError::Shift { .. }
                | SpectralError::IntegerNormalization { .. },
            )
            | Self::Characters(
                CharacterError::Group(_)
                | CharacterError::Range { .. }
                | CharacterError::TooManyEntries { .. }
                | CharacterError::Columns { .. }
                | CharacterError::Exponent { .. }
                | CharacterError::NoRoot(_),
            )
            | Self::Boolean(
                BooleanError::Table(_) | BooleanError::TooManyVariables { .. } | BooleanError::Rows { .. },
            )
            | Self::Device(DeviceError::NoDevice { .. } | DeviceError::Ambiguous { .. }) => 2,
            _ => 1,
        }
    }
}

/// A message in one line: a compiler's log, for one, has several.
pub fn one_line(message: &str) -> String {
    message.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes() {
        let absent = DeviceError::NoDevice { wanted: "x".into(), seen: vec![] };
        assert_eq!(Error::from(absent).exit_code(), 2);
        assert_eq!(Error::from(DeviceError::NoRuntime { tried: String::new() }).exit_code(), 1);
        assert_eq!(Error::from(SpectralError::NotPowerOfTwo { len: 3 }).exit_code(), 2);
        let threads = DeviceError::Threads { reason: String::new() };
        assert_eq!(Error::from(SpectralError::from(threads)).exit_code(), 1);
        assert_eq!(Error::Usage(String::new()).exit_code(), 2);
    }

    #[test]
    fn messages_become_one_line() {
        assert_eq!(one_line("a:\n  b\n\n c\r\n"), "a: | b | c");
    }

    #[test]
    fn output_errors_name_the_file() {
        let error = || io::Error::other("full");
        assert_eq!(Error::Output { file: Some("x.txt".into()), error: error() }.to_string(), "x.txt: full");
        assert_eq!(Error::Output { file: None, error: error() }.to_string(), "standard output: full");
    }
}
