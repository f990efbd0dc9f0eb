//! Long work stops where it is cancelled, in every operation and on every device, and the next call is right.

use std::error::Error;
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use manycore::bivariate::Variable;
use manycore::boolean::Boolean;
use manycore::characters::{Complexes, Exponents, Tile};
use manycore::field::{Integers, Reals};
use manycore::kronecker::{Kronecker, parse};
use manycore::linalg::exact::{self, Certainty};
use manycore::linalg::real;
use manycore::maxplus::{Graph, MaxPlus};
use manycore::ntt::Kind;
use manycore::semiring::{Matrix, Semiring};
use manycore::sort::{SortOrder, Sorter};
use manycore::sparse::{ProductOptions, SparseProduct};
use manycore::{
    AbelianGroup, Bivariate, BivariateRing, Characters, Control, Device, ErasureCode, Fourier, LinearAlgebra, Ntt,
    PolyRing, PrimeField, SBox, Spectral, Walsh,
};

type Outcome = Result<String, Box<dyn Error>>;
type Operation = (&'static str, fn(&Device) -> Outcome);

fn field() -> PrimeField<u32> {
    PrimeField::<u32>::new(469_762_049).unwrap()
}

/// What an operation gives, as text.
fn text(result: impl Debug) -> String {
    format!("{result:?}")
}

/// Operations with the sizes of a few steps each.
const OPERATIONS: &[Operation] = &[
    ("walsh", |device| {
        let mut x: Vec<i32> = (0..1 << 13).map(|i| i % 97).collect();
        Spectral::new(device).walsh(&mut x, &Walsh::new())?;
        Ok(text(x))
    }),
    ("ntt", |device| {
        let mut x: Vec<u32> = (0..1 << 13).collect();
        Ntt::new(device, &field(), x.len(), Kind::Cyclic)?.forward(&mut x)?;
        Ok(text(x))
    }),
    ("fourier", |device| {
        let mut x: Vec<_> = (0..60).map(|i| num_complex::Complex { re: f64::from(i), im: 0.0 }).collect();
        Fourier::new(device).forward(&AbelianGroup::new(&[3, 4, 5])?, &Complexes::<f64>::new(), &mut x)?;
        Ok(text(x.len()))
    }),
    ("kronecker", |device| {
        let mut x: Vec<i32> = (0..96).collect();
        Kronecker::new(device).forward(&parse(&Integers::<i32>::new(), "h12 x walsh^3")?, &mut x)?;
        Ok(text(x))
    }),
    ("characters", |device| {
        let group = AbelianGroup::new(&[4, 6])?;
        Ok(text(Characters::new(device).table(&group, &Exponents::<u32>::new(), &Tile::whole())?.download()?))
    }),
    ("sort", |device| {
        let mut keys: Vec<u64> = (0..100_000u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        Sorter::new(device).sort(&mut keys, SortOrder::Ascending)?;
        Ok(text(keys[1000]))
    }),
    ("sbox", |device| {
        let sbox = SBox::from_values((0..256).map(|x| (x * x + x / 3) as u16 % 256).collect())?;
        Ok(text(Boolean::new(device).linear_summary(&sbox)?))
    }),
    ("poly_factor", |device| {
        let ring = PolyRing::new(device, field())?;
        let found = ring.factor(&ring.random(40, 1)?)?;
        Ok(text(found.factors.iter().map(|(factor, power)| (factor.len(), *power)).collect::<Vec<_>>()))
    }),
    ("poly_gcd", |device| {
        let ring = PolyRing::new(device, field())?;
        let (f, g, d) = (ring.random(2000, 1)?, ring.random(1900, 2)?, ring.random(50, 3)?);
        let found = ring.gcd(&ring.mul(&f, &d)?, &ring.mul(&g, &d)?)?;
        Ok(text(ring.coefficients(&found)?))
    }),
    ("poly_tree", |device| {
        let ring = PolyRing::new(device, field())?;
        let points: Vec<u32> = (0..3000).collect();
        let tree = ring.tree(&points)?;
        Ok(text(ring.evaluate_at(&ring.random(3000, 1)?, &tree)?.download()?))
    }),
    ("matrix_det", |device| {
        let space = LinearAlgebra::new(device, field())?;
        Ok(text(space.determinant(&space.random(200, 200, 1)?)?))
    }),
    ("matrix_inverse", |device| {
        let space = LinearAlgebra::new(device, field())?;
        Ok(text(space.entries(&space.inverse(&space.random(150, 150, 1)?)?)?))
    }),
    ("exact_det", |device| {
        let entries: Vec<i64> = (0..40 * 40).map(|i: i64| i * i % 1009 - 500).collect();
        Ok(text(exact::determinant(device, 40, &entries, Certainty::Proved)?.value))
    }),
    ("real_det", |device| {
        let entries: Vec<f64> = (0..100 * 100).map(|i| f64::from(i * i % 1009) - 500.0).collect();
        Ok(text(real::determinant(device, 100, &entries, real::RealOptions::default())?.value))
    }),
    ("bivariate", |device| {
        let (f, g) = (Bivariate::random(&field(), 12, 1)?, Bivariate::random(&field(), 12, 2)?);
        Ok(text(BivariateRing::new(device, field())?.resultant(&f, &g, Variable::Y)?))
    }),
    ("semiring", |device| {
        let entries: Vec<i64> = (0..64 * 64).map(|i| i % 101).collect();
        let a = Matrix::stored(64, 64, &entries)?;
        Ok(text(Semiring::<i64, i64, i64>::wrapping_min_plus()?.multiply(device, &a, &a)?.entries()))
    }),
    ("maxplus", |device| {
        let arcs: Vec<(u32, u32, i64)> = (0..300).flat_map(|i| [(i, i + 1, 3), (i / 2, i + 1, 5)]).collect();
        Ok(text(MaxPlus::<i64>::new(device).star(&Graph::from_arcs(301, &arcs)?)?.into_entries()))
    }),
    ("sparse", |device| {
        let places: Vec<usize> = (0..500).collect();
        let values = vec![2.0f64; 500];
        let matrix = sprs::TriMat::from_triplets((500, 500), places.clone(), places, values).to_csr::<usize>();
        let product = SparseProduct::new(device, Reals::<f64>::new(), matrix.view(), ProductOptions::default())?;
        Ok(text(product.multiply(&[1.0; 500])?))
    }),
    ("codes", |device| {
        let data: Vec<u8> = (0..4 * 1000u32).map(|i| (i % 251) as u8).collect();
        Ok(text(ErasureCode::new(device, 4, 3)?.encode(&data)?))
    }),
];

/// Whether an error, or one that it comes from, tells that the work was cancelled.
fn tells(error: &dyn Error) -> bool {
    error.to_string().contains("cancelled")
}

#[test]
fn cancelled_work_stops_and_the_next_call_is_right() {
    let mut not_stopped = Vec::new();
    for device in manycore_testkit::devices() {
        let label = device.info().label();
        for (name, operation) in OPERATIONS {
            let steps = Arc::new(AtomicU64::new(0));
            let count = Arc::clone(&steps);
            let control = Control::watching(move |progress| count.store(progress.steps, Ordering::Relaxed));
            let right = control.run(|| operation(&device)).unwrap_or_else(|error| panic!("{name}, {label}: {error}"));
            let steps = steps.load(Ordering::Relaxed);
            // At the beginning it does not even start.
            let control = Control::new();
            control.cancel();
            match control.run(|| operation(&device)) {
                Ok(_) => not_stopped.push(format!("{name}, {label}")),
                Err(error) => assert!(tells(&*error), "{name}, {label}: {error}"),
            }
            // Later it stops, or had all that it asks for.
            for step in [1, steps / 2, steps] {
                let stop = Arc::new(std::sync::OnceLock::<Control>::new());
                let own = Arc::clone(&stop);
                let control = Control::watching(move |progress| {
                    if progress.steps >= step {
                        own.get().unwrap().cancel();
                    }
                });
                stop.set(control.clone()).unwrap();
                match control.run(|| operation(&device)) {
                    Ok(found) => assert_eq!(found, right, "{name}, {label}, step {step}"),
                    Err(error) => assert!(tells(&*error), "{name}, {label}, step {step}: {error}"),
                }
            }
            assert_eq!(operation(&device).unwrap(), right, "{name}, {label}");
        }
    }
    assert!(not_stopped.is_empty(), "cancelled before they began, and done: {not_stopped:?}");
}

/// Operations whose work on the host is one step, by the step's name.
const LONG_STEPS: &[Operation] = &[
    ("real_blocks", |device| {
        let entries: Vec<f64> = (0..150 * 150).map(|i| f64::from(i * i % 1009) - 500.0).collect();
        Ok(text(real::determinant(device, 150, &entries, real::RealOptions::default())?.value))
    }),
    ("real_step", |device| {
        let entries: Vec<f64> = (0..50 * 50).map(|i| f64::from(i * i % 1009) - 500.0).collect();
        let options = real::RealOptions { pivoting: real::Pivoting::Complete, ..real::RealOptions::default() };
        Ok(text(real::determinant(device, 50, &entries, options)?.value))
    }),
    ("maxplus_closure", |device| {
        let arcs: Vec<(u32, u32, i64)> = (0..200).flat_map(|i| [(i, (i + 1) % 200, -3), (i, i / 2, -5)]).collect();
        Ok(text(MaxPlus::<i64>::new(device).star(&Graph::from_arcs(200, &arcs)?)?.into_entries()))
    }),
    ("maxplus_star", |device| {
        let arcs: Vec<(u32, u32, i64)> = (0..300).flat_map(|i| [(i, i + 1, 3), (i / 2, i + 1, 5)]).collect();
        Ok(text(MaxPlus::<i64>::new(device).star(&Graph::from_arcs(301, &arcs)?)?.into_entries()))
    }),
    ("sparse_multiply", |device| {
        let (places, values): (Vec<usize>, _) = ((0..500).collect(), vec![2.0f64; 500]);
        let matrix = sprs::TriMat::from_triplets((500, 500), places.clone(), places, values).to_csr::<usize>();
        let product = SparseProduct::new(device, Reals::<f64>::new(), matrix.view(), ProductOptions::default())?;
        Ok(text(product.multiply(&[1.0; 500])?))
    }),
];

#[test]
fn work_of_one_step_on_the_host_stops_within_it() {
    let device = Device::host();
    for (step, operation) in LONG_STEPS {
        let right = operation(&device).unwrap();
        let stop = Arc::new(std::sync::OnceLock::<Control>::new());
        let own = Arc::clone(&stop);
        let control = Control::watching(move |progress| {
            if progress.step == *step {
                own.get().unwrap().cancel();
            }
        });
        stop.set(control.clone()).unwrap();
        let outcome = control.run(|| operation(&device));
        assert!(control.is_cancelled(), "{step}: there is no such step");
        assert!(tells(&*outcome.expect_err(step)), "{step}");
        assert_eq!(operation(&device).unwrap(), right, "{step}");
    }
}

#[test]
fn memory_is_limited() {
    for device in manycore_testkit::devices() {
        let product = || -> Outcome {
            let ring = PolyRing::new(&device, field())?;
            let f = ring.random(10_000, 1)?;
            Ok(text(ring.coefficients(&ring.mul(&f, &f)?)?.len()))
        };
        let refused = Control::new().with_limit_bytes(30_000).run(product).unwrap_err().to_string();
        assert!(refused.contains("30000 bytes possible (the limit of memory that was set)"), "{refused}");
        assert_eq!(Control::new().with_limit_bytes(100 << 20).run(product).unwrap(), "19999");
    }
}
