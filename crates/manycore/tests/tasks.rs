//! The lines of the README's table of tasks run.

#![cfg(all(feature = "bigint", feature = "ndarray"))]

use std::error::Error;

use manycore::characters::{Exponents, Tile};
use manycore::expressions::{Function, Value};
use manycore::field::{Integers, Reals};
use manycore::fourier::Complexes;
use manycore::kronecker::parse;
use manycore::linalg::bits::BitAlgebra;
use manycore::linalg::exact::{self, Certainty};
use manycore::linalg::real::{self, RealOptions};
use manycore::maxplus::project::{Project, ProjectFormat};
use manycore::maxplus::{Graph, MaxPlus};
use manycore::ndarray::array;
use manycore::ntt::Kind;
use manycore::poly::integer::IntegerProduct;
use manycore::semiring::{Matrix, Semiring};
use manycore::sort::{Fold, Scan, SortOrder, Sorter};
use manycore::sparse::sprs::CsMat;
use manycore::sparse::{ProductOptions, SparseProduct};
use manycore::{
    AbelianGroup, Bivariate, BivariateRing, Boolean, Characters, Control, Device, Fourier, Kronecker, LinearAlgebra,
    Ntt, PolyRing, PrimeField, SBox, Spectral, TruthTable, Walsh, codes,
};
use num_complex::Complex;

type Map = (u32, u32);
type Written = (Value<u32>, Value<u32>);

fn transforms(device: &Device) -> Result<(), Box<dyn Error>> {
    // The README's device is a value.
    let device = device.clone();
    let (spectral, mut x) = (Spectral::new(&device), [1, 0, 1, 0]);
    spectral.walsh(&mut x, &Walsh::new())?;
    assert_eq!(x, [2, 2, 0, 0]);
    let mut image = array![[1, 2], [3, 4]];
    spectral.walsh_along(&mut image, [0, 1], &Walsh::new())?;
    assert_eq!(image, array![[10, -2], [-4, 0]]);
    let (field, mut residues) = (PrimeField::<u32>::new(97)?, [1u32, 2, 3, 4]);
    let ntt = Ntt::new(&device, &field, 4, Kind::Cyclic)?;
    ntt.forward(&mut residues)?;
    assert_eq!(residues[0], 10);
    let (fourier, group) = (Fourier::new(&device), AbelianGroup::new(&[2, 2])?);
    let mut z = [Complex::from(1.0), Complex::from(2.0), Complex::from(3.0), Complex::from(4.0)];
    fourier.forward(&group, &Complexes::<f64>::new(), &mut z)?;
    assert_eq!(z[0], Complex::from(10.0));
    let (kronecker, product) = (Kronecker::new(&device), parse(&Integers::<i32>::new(), "walsh^2")?);
    let mut y = [1, 0, 1, 0];
    kronecker.forward(&product, &mut y)?;
    assert_eq!(y, x);
    let characters = Characters::new(&device);
    let table = characters.table(&group, &Exponents::<u8>::new(), &Tile::whole())?;
    assert_eq!(table.download()?[..8], [0, 0, 0, 0, 0, 1, 0, 1]);
    Ok(())
}

fn functions(device: &Device) -> Result<(), Box<dyn Error>> {
    // The README's device is a value.
    let device = device.clone();
    let (boolean, majority) = (Boolean::new(&device), "00010111".parse::<TruthTable>()?);
    assert_eq!(boolean.properties(&majority)?.degree, 2);
    let sbox = SBox::try_from([0u8, 1, 3, 4, 5, 6, 7, 2])?;
    assert_eq!(boolean.nonlinearities(&[sbox])?, [2]);
    Ok(())
}

fn polynomials(device: &Device) -> Result<(), Box<dyn Error>> {
    // The README's device is a value.
    let device = device.clone();
    let ring = PolyRing::new(&device, PrimeField::<u32>::new(97)?)?;
    let (f, g) = (ring.poly(&[1, 1])?, ring.poly(&[2, 1])?);
    let h = ring.mul(&f, &g)?;
    assert_eq!(ring.coefficients(&h)?, [2, 3, 1]);
    assert_eq!(ring.factor(&h)?.factors.len(), 2);
    let values = ring.evaluate_at(&h, &ring.tree(&[1, 2, 3])?)?;
    assert_eq!(values.download()?, [6, 12, 20]);
    let one_and_x = ring.poly(&[1, 1])?;
    let logarithm = ring.log_series(&one_and_x, 8)?;
    assert_eq!(ring.coefficients(&logarithm)?[..3], [0, 1, 48]); // -1/2
    let control = Control::new();
    let product = control.run(|| ring.mul(&f, &g))?;
    assert!(ring.equal(&product, &h)?);
    let field = PrimeField::<u32>::new(9001)?;
    let (circle, hyperbola) = (Bivariate::parse(&field, "x^2 + y^2 - 5")?, Bivariate::parse(&field, "x*y - 2")?);
    let plane = BivariateRing::new(&device, field)?;
    assert_eq!(plane.solve(&circle, &hyperbola)?.points.len(), 4);
    let (integers, m, n) = (IntegerProduct::new(&device), "123456789012345678901".parse()?, "987654321".parse()?);
    assert_eq!(integers.mul(&m, &n)?.to_string(), "121932631124828532112251181221");
    Ok(())
}

fn matrices(device: &Device) -> Result<(), Box<dyn Error>> {
    // The README's device is a value.
    let device = device.clone();
    let space = LinearAlgebra::new(&device, PrimeField::<u32>::new(97)?)?;
    let a = space.matrix(2, 2, &[2, 1, 1, 3])?;
    assert_eq!(space.determinant(&a)?, 5);
    let bits = BitAlgebra::new(&device);
    let board = bits.of_residues(2, 2, &[1u32, 1, 1, 1])?;
    assert_eq!(bits.rank(&board)?, 1);
    let found = exact::determinant(&device, 2, &[2, 1, 1, 3], Certainty::Proved)?;
    assert_eq!(found.value, 5.into());
    let found = real::determinant(&device, 2, &[2.0, 1.0, 1.0, 3.0], RealOptions::default())?;
    assert!((found.value.to_f64() - 5.0).abs() <= 1e-12);
    let matrix = CsMat::new((2, 2), vec![0, 1, 2], vec![1, 0], vec![1.0, 1.0]);
    let steps = SparseProduct::new(&device, Reals::<f64>::new(), matrix.view(), ProductOptions::default())?;
    assert_eq!(steps.multiply(&[1.0, 2.0])?, [2.0, 1.0]);
    Ok(())
}

fn paths_and_sorts(device: &Device) -> Result<(), Box<dyn Error>> {
    // The README's device is a value.
    let device = device.clone();
    let (shortest, arcs) = (Semiring::<i64, i64, i64>::wrapping_min_plus()?, Matrix::stored(2, 2, &[0i64, 3, 1, 0])?);
    assert_eq!(shortest.multiply(&device, &arcs, &arcs)?.entries(), [0, 3, 1, 0]);
    let graph = Graph::from_arcs(3, &[(0, 1, 3i64), (1, 2, 4)])?;
    let star = MaxPlus::<i64>::new(&device).star(&graph)?;
    assert_eq!(star.get(2, 0), Some(7));
    let project = Project::parse("plan", "dig,3\npour,2,dig+1\n", ProjectFormat::Csv)?;
    let schedule = project.schedule()?;
    assert_eq!(schedule.length(), 6);
    let (sorter, mut keys) = (Sorter::new(&device), [3u32, 1, 2]);
    sorter.sort(&mut keys, SortOrder::Ascending)?;
    assert_eq!(keys, [1, 2, 3]);
    let then = Function::<(Map, Map), Map>::new(|((a, b), (c, d)): (Written, Written)| (a * c, b * c + d))?;
    let fold = Fold::wrapping(&device, &then, (1, 0))?;
    let scanned = fold.scan(&[(2, 1), (3, 0)], Scan::Inclusive)?;
    assert_eq!(scanned, [(2, 1), (6, 3)]);
    let file = b"a file".to_vec();
    let parts = codes::split(&device, &file, 4, 2)?;
    assert_eq!(parts.len(), 6);
    Ok(())
}

#[test]
fn every_line_of_the_table_runs() {
    let source = include_str!("tasks.rs");
    let rows = include_str!("../README.md").lines().filter(|line| line.starts_with("| ") && line.contains("?` |"));
    let mut lines = 0;
    for row in rows {
        let line = row.split('`').rev().nth(1).unwrap().replace("\\|", "|");
        assert!(source.contains(&line), "{line}");
        lines += 1;
    }
    assert!(lines > 20, "{lines} lines");
    for device in manycore_testkit::devices() {
        for run in [transforms, functions, polynomials, matrices, paths_and_sorts] {
            run(&device).unwrap_or_else(|error| panic!("{device:?}: {error}"));
        }
    }
}
