//! The number-theoretic transform as a choice among candidates.

use manycore_device::Device;
use manycore_field::with_field;
use manycore_operation::choice::{bytes_of, residue_bytes, total};
use manycore_operation::json::integer;
use manycore_operation::{Arguments, ChoiceDeclaration, DeclaredOption, Explain, Explained, OperationError};

use crate::{Kind, Ntt, NttField};

/// Every choice of a transform of residues.
pub static CHOICES: [&dyn Explain; 1] = [&NttChoice];

const DECLARATION: ChoiceDeclaration = ChoiceDeclaration {
    name: "ntt",
    title: "The number-theoretic transform",
    options: &[
        DeclaredOption::size("n", "N", "Values of one transform: a power of two, also as 2^K"),
        DeclaredOption::size_or("batch", "BATCH", Some(1), "Transforms side by side"),
        DeclaredOption::ANY_MODULUS,
    ],
};

struct NttChoice;

/// The values of one transform, the transforms, and the modulus.
fn shape(arguments: &Arguments) -> (usize, usize, u64) {
    let size = |name| arguments.size(name);
    (size("n").unwrap_or(0), size("batch").unwrap_or(1), arguments.number("modulus").unwrap_or(0))
}

impl Explain for NttChoice {
    fn declaration(&self) -> &'static ChoiceDeclaration {
        &DECLARATION
    }

    fn bytes(&self, arguments: &Arguments) -> u64 {
        let (n, batch, modulus) = shape(arguments);
        bytes_of(&[n.saturating_mul(batch); 2], residue_bytes(modulus))
    }

    fn explain(&self, arguments: &Arguments, device: &Device) -> Result<Explained, OperationError> {
        fn of<F: NttField>(device: &Device, field: &F, n: usize, batch: usize) -> Result<Explained, OperationError> {
            let all = total(n, batch)?;
            let ntt = Ntt::new(device, field, n, Kind::Cyclic)?;
            Ok(Explained::new(&ntt.explain(all)?).in_blocks(ntt.blocks(all)?))
        }
        let (n, batch, modulus) = shape(arguments);
        let explained = with_field!(modulus, field => of(device, &field, n, batch))??;
        Ok(explained.with("n", n).with("batch", batch).with("modulus", integer(modulus)))
    }

    fn is_shared(&self, _: &Arguments) -> bool {
        true
    }
}
