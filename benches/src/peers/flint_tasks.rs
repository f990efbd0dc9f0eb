//! FLINT's division, greatest common divisors, evaluation and interpolation modulo a word, on one thread: more bring it nothing
//! there. Work on matrices is in `flint_matrices`.

use anyhow::Result;
use flint3_sys as sys;

use super::flint::Flint;
use super::tasks::{Computation, Solver, Task};

impl Solver for Flint {
    fn name(&self) -> String {
        super::codes::Multiplier::name(self)
    }

    fn prepare(&self, p: u64, task: &Task) -> Option<Box<dyn Computation>> {
        if p < 2 {
            return None;
        }
        let new = || Polynomial::new(p, &[]);
        Some(match task {
            Task::Divide { a, b } => {
                let [a, b] = [a, b].map(|f| Polynomial::new(p, f));
                Box::new(Division { flint: *self, a, b, q: new(), r: new() })
            }
            Task::Gcd { a, b } => {
                let [a, b] = [a, b].map(|f| Polynomial::new(p, f));
                Box::new(Gcd { flint: *self, a, b, g: new() })
            }
            Task::Evaluate { f, points } => {
                let values = vec![0; points.len()];
                Box::new(Evaluation { flint: *self, f: Polynomial::new(p, f), points: points.clone(), values })
            }
            Task::Interpolate { points, values } => {
                let (points, values) = (points.clone(), values.clone());
                Box::new(Interpolation { flint: *self, f: new(), points, values })
            }
            Task::MatrixProduct { .. } | Task::Determinant { .. } | Task::Inverse { .. } => {
                return super::flint_matrices::prepare(*self, p, task);
            }
        })
    }
}

/// A polynomial of FLINT.
struct Polynomial(sys::nmod_poly_struct);

impl Polynomial {
    /// The polynomial with these coefficients, modulo a modulus that is not 0.
    fn new(p: u64, coefficients: &[u64]) -> Self {
        let mut inner = sys::nmod_poly_struct::default();
        // SAFETY: FLINT sets up the whole of `inner`, which `Drop` clears once.
        unsafe { sys::nmod_poly_init2(&raw mut inner, p, coefficients.len() as sys::slong) };
        for (i, &c) in coefficients.iter().enumerate().rev() {
            // SAFETY: `inner` is set up, and FLINT makes room for a coefficient at `i`.
            unsafe { sys::nmod_poly_set_coeff_ui(&raw mut inner, i as sys::slong, c) };
        }
        Self(inner)
    }

    fn coefficients(&self) -> Vec<u64> {
        let len = self.0.length;
        // SAFETY: the polynomial is set up; FLINT only reads it.
        (0..len).map(|i| unsafe { sys::nmod_poly_get_coeff_ui(&raw const self.0, i) }).collect()
    }
}

impl Drop for Polynomial {
    fn drop(&mut self) {
        // SAFETY: it was set up by `new`, and is not used afterwards.
        unsafe { sys::nmod_poly_clear(&raw mut self.0) }
    }
}

struct Division {
    flint: Flint,
    a: Polynomial,
    b: Polynomial,
    q: Polynomial,
    r: Polynomial,
}

impl Computation for Division {
    fn run(&mut self) -> Result<()> {
        self.flint.alone(|| {
            // SAFETY: all four are set up with one modulus and are different; the divisor is not zero, and a prime modulus
            // makes its leading coefficient invertible.
            unsafe {
                sys::nmod_poly_divrem(&raw mut self.q.0, &raw mut self.r.0, &raw const self.a.0, &raw const self.b.0);
            }
        });
        Ok(())
    }

    fn result(&self) -> Result<Vec<Vec<u64>>> {
        Ok(vec![self.q.coefficients(), self.r.coefficients()])
    }
}

struct Gcd {
    flint: Flint,
    a: Polynomial,
    b: Polynomial,
    g: Polynomial,
}

impl Computation for Gcd {
    fn run(&mut self) -> Result<()> {
        self.flint.alone(|| {
            // SAFETY: all three are set up with one prime modulus and are different.
            unsafe { sys::nmod_poly_gcd(&raw mut self.g.0, &raw const self.a.0, &raw const self.b.0) };
        });
        Ok(())
    }

    fn result(&self) -> Result<Vec<Vec<u64>>> {
        Ok(vec![self.g.coefficients()])
    }
}

struct Evaluation {
    flint: Flint,
    f: Polynomial,
    points: Vec<u64>,
    values: Vec<u64>,
}

impl Computation for Evaluation {
    fn run(&mut self) -> Result<()> {
        self.flint.alone(|| {
            // SAFETY: the polynomial is set up; there are as many values as points, which are residues.
            unsafe {
                sys::nmod_poly_evaluate_nmod_vec(
                    self.values.as_mut_ptr(),
                    &raw const self.f.0,
                    self.points.as_ptr(),
                    self.points.len() as sys::slong,
                );
            }
        });
        Ok(())
    }

    fn result(&self) -> Result<Vec<Vec<u64>>> {
        Ok(vec![self.values.clone()])
    }
}

struct Interpolation {
    flint: Flint,
    f: Polynomial,
    points: Vec<u64>,
    values: Vec<u64>,
}

impl Computation for Interpolation {
    fn run(&mut self) -> Result<()> {
        self.flint.alone(|| {
            // SAFETY: the polynomial is set up; there are as many values as points, which are different residues.
            unsafe {
                sys::nmod_poly_interpolate_nmod_vec(
                    &raw mut self.f.0,
                    self.points.as_ptr(),
                    self.values.as_ptr(),
                    self.points.len() as sys::slong,
                );
            }
        });
        Ok(())
    }

    fn result(&self) -> Result<Vec<Vec<u64>>> {
        Ok(vec![self.f.coefficients()])
    }
}
