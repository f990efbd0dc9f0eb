//! The operations: of each, what a case draws, and how its result is checked.

mod arithmetic;
mod boolean;
mod buffers;
mod case;
mod characters;
mod checked;
mod codes;
mod declared;
mod exact_products;
mod exact_spectra;
mod fourier;
mod haar;
mod kronecker;
mod matrix_det;
mod matrix_inverse;
mod matrix_mul;
mod maxplus_star;
mod ntt;
mod poly_div;
mod poly_eval;
mod poly_gcd;
mod poly_mul;
mod polynomials;
mod programs;
mod reed_muller;
mod sbox;
mod semiring;
mod sort;
mod sparse;
mod spectral;
mod truncated;
mod walsh;

use serde_json::Value;

use crate::compare::Found;
use crate::failure::Failure;
use crate::random::Random;
use crate::site::Site;
pub use case::Case;

/// An operation.
#[derive(Debug)]
pub struct Operation {
    /// Its name.
    pub name: &'static str,
    /// The weight of the operation in the random draw, relative to the others.
    weight: u64,
    /// Draws a case and checks it; the parameters are noted before it runs.
    pub(crate) run: fn(&mut Random, &Site) -> Result<Found, Failure>,
}

const fn operation<C: Case>(name: &'static str, weight: u64) -> Operation {
    Operation { name, weight, run: run::<C> }
}

fn run<C: Case>(random: &mut Random, site: &Site) -> Result<Found, Failure> {
    let case = C::draw(random, site);
    if let Ok(Value::Object(parameters)) = serde_json::to_value(&case) {
        site.note_all(parameters);
    }
    case.check(random, site)
}

/// The operations of the list that all of Manycore goes over, each with the cases of the module of its name.
macro_rules! listed {
    ($($module:ident)*) => {
        [$(Operation { weight: $module::WEIGHT, run: run::<$module::Case>, ..UNNAMED }),*]
    };
}

const UNNAMED: Operation = Operation { name: "", weight: 0, run: run::<buffers::Case> };

/// What is tested besides: operations by their declarations, and parts of operations.
const PARTS: [Operation; 10] = [
    operation::<declared::Case>("declared", 6),
    operation::<truncated::Case>("truncated-ntt", 2),
    operation::<polynomials::Case>("polynomial", 3),
    operation::<codes::Case>("code", codes::WEIGHT),
    operation::<buffers::Case>("buffer", 3),
    operation::<checked::Case>("checked-product", 3),
    operation::<checked::Program>("checked-program", 2),
    operation::<programs::Case>("program", 2),
    operation::<exact_spectra::Case>("exact-spectrum", 3),
    operation::<exact_products::Case>("exact-kronecker", 2),
];

const LISTED: [Operation; manycore_operations::ALL.len()] = {
    let mut all = manycore_operations::each_operation!(listed);
    let mut i = 0;
    while i < all.len() {
        all[i].name = manycore_operations::ALL[i].name;
        i += 1;
    }
    all
};

/// Every operation.
pub fn all() -> impl Iterator<Item = &'static Operation> + Clone {
    LISTED.iter().chain(&PARTS)
}

/// One of the operations, by their weights.
pub fn draw(random: &mut Random) -> &'static Operation {
    let mut at = random.below(all().map(|operation| operation.weight).sum());
    for operation in all() {
        if at < operation.weight {
            return operation;
        }
        at -= operation.weight;
    }
    &LISTED[0]
}
