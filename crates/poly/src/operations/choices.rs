//! The operations on polynomials that choose among candidates.

use std::marker::PhantomData;

use manycore_device::Device;
use manycore_field::with_field;
use manycore_operation::choice::{at_least_one, bytes_of, residue_bytes, room_to_measure};
use manycore_operation::json::integer;
use manycore_operation::{Arguments, ChoiceDeclaration, DeclaredOption, Explain, Explained, OperationError};

use crate::arithmetic::gcd::GcdShape;
use crate::arithmetic::multiply::{Operation, Shape};
use crate::poly::PolyField;
use crate::ring::PolyRing;

/// Every choice of an operation on polynomials.
pub static CHOICES: [&dyn Explain; 4] = [
    &Modulo::<Product>(PhantomData),
    &Modulo::<Division>(PhantomData),
    &Modulo::<Gcd>(PhantomData),
    &Modulo::<Evaluation>(PhantomData),
];

/// The sizes of a choice over a field of any type.
trait Sizes: Sized + 'static {
    /// What it is.
    const DECLARATION: &'static ChoiceDeclaration;

    /// The sizes that are asked for.
    fn of(arguments: &Arguments) -> Self;

    /// The residues of the input and the result.
    fn residues(&self) -> Vec<usize>;

    /// Refuses sizes of which there is no such operation.
    ///
    /// # Errors
    /// The sizes that are 0 or too large.
    fn check(&self) -> Result<(), OperationError>;

    /// The residues that lie on a device while its candidates are measured.
    fn measured(&self) -> u128;

    /// The choice.
    ///
    /// # Errors
    /// Those of the operation.
    fn explain<F: PolyField>(&self, ring: &PolyRing<F>) -> Result<Explained, OperationError>;
}

/// A choice of these sizes and a modulus.
struct Modulo<S>(PhantomData<fn() -> S>);

impl<S: Sizes> Explain for Modulo<S> {
    fn declaration(&self) -> &'static ChoiceDeclaration {
        S::DECLARATION
    }

    fn bytes(&self, arguments: &Arguments) -> u64 {
        bytes_of(&S::of(arguments).residues(), residue_bytes(modulus(arguments)))
    }

    fn explain(&self, arguments: &Arguments, device: &Device) -> Result<Explained, OperationError> {
        fn of<S: Sizes, F: PolyField>(sizes: &S, device: &Device, field: F) -> Result<Explained, OperationError> {
            sizes.check()?;
            room_to_measure::<F::Element>(device, sizes.measured())?;
            sizes.explain(&PolyRing::new(device, field)?)
        }
        let modulus = modulus(arguments);
        let explained = with_field!(modulus, field => of(&S::of(arguments), device, field))??;
        Ok(explained.with("modulus", integer(modulus)))
    }
}

fn modulus(arguments: &Arguments) -> u64 {
    // Zero is no prime, and refused as such.
    arguments.number("modulus").unwrap_or(0)
}

/// A product of coefficients of both factors, and products side by side.
struct Product {
    n: usize,
    m: usize,
    count: usize,
}

/// Refuses pairs of sizes that are 0 or too large.
fn check_pairs(n: usize, m: usize, count: usize) -> Result<(), OperationError> {
    if n == 0 || m == 0 || count == 0 {
        return Err(OperationError::usage("--n, --m and --batch must be at least 1"));
    }
    if n.checked_add(m).and_then(|words| words.checked_mul(count)).is_none() {
        return Err(OperationError::usage(format!("--n {n} --m {m} --batch {count}: too large")));
    }
    Ok(())
}

impl Sizes for Product {
    const DECLARATION: &'static ChoiceDeclaration = &ChoiceDeclaration {
        name: "poly-mul",
        title: "The product of two polynomials over a prime field",
        options: &[
            DeclaredOption::size("n", "N", "Coefficients of one factor, also as 2^K"),
            DeclaredOption::size_or("m", "M", None, "Coefficients of the other factor; without it, as many"),
            DeclaredOption::size_or("batch", "BATCH", Some(1), "Products side by side"),
            DeclaredOption::ANY_MODULUS,
        ],
    };

    fn of(arguments: &Arguments) -> Self {
        let n = arguments.size("n").unwrap_or(0);
        Self { n, m: arguments.size("m").unwrap_or(n), count: arguments.size("batch").unwrap_or(1) }
    }

    fn residues(&self) -> Vec<usize> {
        // The factors, and as many of the product.
        [self.n, self.m, self.n, self.m].map(|words| words.saturating_mul(self.count)).into()
    }

    fn check(&self) -> Result<(), OperationError> {
        check_pairs(self.n, self.m, self.count)
    }

    fn measured(&self) -> u128 {
        2 * (self.n as u128 + self.m as u128) * self.count as u128
    }

    fn explain<F: PolyField>(&self, ring: &PolyRing<F>) -> Result<Explained, OperationError> {
        let &Self { n, m, count } = self;
        let choice = ring.explain(Operation::Products(Shape { count, ..Shape::full(n, m) }))?;
        Ok(Explained::new(&choice).with("n", n).with("m", m).with("batch", count))
    }
}

/// A division of coefficients of a dividend, by others of a divisor.
struct Division {
    n: usize,
    m: Option<usize>,
}

impl Division {
    fn divisor(&self) -> usize {
        self.m.unwrap_or(self.n.div_ceil(2))
    }
}

impl Sizes for Division {
    const DECLARATION: &'static ChoiceDeclaration = &ChoiceDeclaration {
        name: "poly-div",
        title: "The division of polynomials over a prime field, with remainder",
        options: &[
            DeclaredOption::size("n", "N", "Coefficients of the dividend, also as 2^K"),
            DeclaredOption::size_or("m", "M", None, "Coefficients of the divisor; without it, half as many"),
            DeclaredOption::ANY_MODULUS,
        ],
    };

    fn of(arguments: &Arguments) -> Self {
        Self { n: arguments.size("n").unwrap_or(0), m: arguments.size("m") }
    }

    fn residues(&self) -> Vec<usize> {
        vec![self.n, self.n, self.divisor()]
    }

    fn check(&self) -> Result<(), OperationError> {
        let (n, m) = (self.n, self.divisor());
        if n == 0 || m == 0 {
            return Err(OperationError::usage("--n and --m must be at least 1"));
        }
        if n.checked_add(m).is_none() {
            return Err(OperationError::usage(format!("--n {n} --m {m}: too large")));
        }
        Ok(())
    }

    fn measured(&self) -> u128 {
        3 * self.n as u128
    }

    fn explain<F: PolyField>(&self, ring: &PolyRing<F>) -> Result<Explained, OperationError> {
        let (n, m) = (self.n, self.divisor());
        Ok(Explained::new(&ring.explain_division(n, m)?).with("n", n).with("m", m))
    }
}

/// Greatest common divisors of pairs of so many coefficients each.
struct Gcd {
    n: usize,
    m: usize,
    count: usize,
}

impl Sizes for Gcd {
    const DECLARATION: &'static ChoiceDeclaration = &ChoiceDeclaration {
        name: "poly-gcd",
        title: "The greatest common divisor of two polynomials over a prime field",
        options: &[
            DeclaredOption::size("n", "N", "Coefficients of one polynomial, also as 2^K"),
            DeclaredOption::size_or("m", "M", None, "Coefficients of the other; without it, as many"),
            DeclaredOption::size_or("batch", "BATCH", Some(1), "Pairs side by side"),
            DeclaredOption::ANY_MODULUS,
        ],
    };

    fn of(arguments: &Arguments) -> Self {
        let n = arguments.size("n").unwrap_or(0);
        Self { n, m: arguments.size("m").unwrap_or(n), count: arguments.size("batch").unwrap_or(1) }
    }

    fn residues(&self) -> Vec<usize> {
        [self.n, self.m, self.n.min(self.m)].map(|words| words.saturating_mul(self.count)).into()
    }

    fn check(&self) -> Result<(), OperationError> {
        check_pairs(self.n, self.m, self.count)
    }

    fn measured(&self) -> u128 {
        (self.n as u128 + self.m as u128) * self.count as u128
    }

    fn explain<F: PolyField>(&self, ring: &PolyRing<F>) -> Result<Explained, OperationError> {
        let &Self { n, m, count } = self;
        let choice = ring.explain_gcd_batch(&GcdShape { count, n, m })?;
        Ok(Explained::new(&choice).with("n", n).with("m", m).with("batch", count))
    }
}

/// Values of a polynomial of so many coefficients at points.
struct Evaluation {
    n: usize,
    points: usize,
}

impl Sizes for Evaluation {
    const DECLARATION: &'static ChoiceDeclaration = &ChoiceDeclaration {
        name: "poly-eval",
        title: "The values of a polynomial over a prime field at points",
        options: &[
            DeclaredOption::size("n", "N", "Coefficients, also as 2^K"),
            DeclaredOption::size_or(
                "points",
                "K",
                Some(1),
                "Points, also as 2^K: of more than one, also whether a subproduct tree is taken",
            ),
            DeclaredOption::ANY_MODULUS,
        ],
    };

    fn of(arguments: &Arguments) -> Self {
        Self { n: arguments.size("n").unwrap_or(0), points: arguments.size("points").unwrap_or(1) }
    }

    fn residues(&self) -> Vec<usize> {
        vec![self.n, self.points, self.points]
    }

    fn check(&self) -> Result<(), OperationError> {
        let &Self { n, points } = self;
        at_least_one(&[("--n", n), ("--points", points)])?;
        if n.checked_add(points).and_then(usize::checked_next_power_of_two).is_none() {
            return Err(OperationError::usage(format!("--n {n} --points {points}: too large")));
        }
        Ok(())
    }

    fn measured(&self) -> u128 {
        self.n as u128 + 3 * self.points as u128
    }

    fn explain<F: PolyField>(&self, ring: &PolyRing<F>) -> Result<Explained, OperationError> {
        let &Self { n, points } = self;
        let explained = Explained::new(&ring.explain_evaluate(n)?).with("n", n).with("points", points);
        if points == 1 {
            return Ok(explained);
        }
        Ok(explained.within(&format!("{points} points"), &ring.explain_evaluate_many(n, points)?))
    }
}
