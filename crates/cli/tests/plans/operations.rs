//! Every operation that chooses among plans, as one that is prepared for a device and run again and again.

use manycore::characters::{self, Exponents, Tile};
use manycore::expressions::{Function, Value};
use manycore::fourier::{self, Residues};
use manycore::kronecker::{Integers, Reals, parse};
use manycore::linalg::EliminationShape;
use manycore::linalg::bits::BitAlgebra;
use manycore::ntt::Kind;
use manycore::semiring::{self, Products, Semiring};
use manycore::sort::{SortOrder, Sorter};
use manycore::sparse::{ProductOptions, sprs};
use manycore::spectral::{BitOrder, Normalization, Order};
use manycore::{
    AbelianGroup, Arithmetic, Boolean, Characters, Device, Fourier, Goldilocks, Haar, Kronecker, LinearAlgebra, Matrix,
    Ntt, Poly, PolyRing, PrimeField, ReedMuller, SBox, SparseProduct, Spectral, SpectrumOrder, Walsh,
};

const PRIME: u32 = 469_762_049;

pub(crate) type Answer = Vec<u64>;
/// An operation as it is prepared for a device: a run of it gives its answer.
pub(crate) type Prepare = fn(&Device) -> Box<dyn FnMut() -> Answer>;

fn residues(len: usize) -> Vec<u32> {
    (0..len as u64).map(|i| ((i * i * 2_654_435_761 + 12_345) % u64::from(PRIME)) as u32).collect()
}

fn wide(words: &[u32]) -> Answer {
    words.iter().map(|&word| word.into()).collect()
}

fn signed(words: &[i32]) -> Answer {
    words.iter().map(|&word| word as u64).collect()
}

fn field() -> PrimeField<u32> {
    PrimeField::new(PRIME).unwrap()
}

fn coefficients(f: &Poly<PrimeField<u32>>) -> Answer {
    let mut words = vec![0; f.len()];
    f.view().unwrap().read_into(&mut words).unwrap();
    wide(&words)
}

fn entries(a: &Matrix<PrimeField<u32>>) -> Answer {
    wide(&a.buffer().download().unwrap())
}

/// A ring with polynomials of so many coefficients.
fn polynomials(device: &Device, lens: [usize; 2]) -> (PolyRing<PrimeField<u32>>, [Poly<PrimeField<u32>>; 2]) {
    let ring = PolyRing::new(device, field()).unwrap();
    let [f, g] = lens.map(|len| ring.poly(&residues(len)).unwrap());
    (ring, [f, g])
}

/// An algebra with a regular matrix: twice the unit matrix above random residues.
fn matrix(device: &Device, order: usize) -> (LinearAlgebra<PrimeField<u32>>, Matrix<PrimeField<u32>>) {
    let space = LinearAlgebra::new(device, field()).unwrap();
    let mut words = residues(order * order);
    for row in 0..order {
        words[row * order..row * order + row].fill(0);
        words[row * order + row] = 2;
    }
    let a = space.matrix(order, order, &words).unwrap();
    (space, a)
}

pub(crate) const OPERATIONS: [(&str, Prepare); 18] = [
    ("walsh", |device| {
        let spectral = Spectral::new(device);
        Box::new(move || {
            let mut x = spectral.device().upload(&signed_values(1 << 12)).unwrap();
            spectral.walsh(&mut x, &Walsh::new()).unwrap();
            signed(&x.download().unwrap())
        })
    }),
    ("haar", |device| {
        let spectral = Spectral::new(device);
        Box::new(move || {
            let mut x = spectral.device().upload(&signed_values(1 << 12)).unwrap();
            spectral.haar(&mut x, &Haar::new()).unwrap();
            signed(&x.download().unwrap())
        })
    }),
    ("reed-muller", |device| {
        let spectral = Spectral::new(device);
        Box::new(move || {
            let mut x = spectral.device().upload(&residues(1 << 12)).unwrap();
            spectral.reed_muller(&mut x, &ReedMuller::new()).unwrap();
            wide(&x.download().unwrap())
        })
    }),
    ("ntt", |device| {
        let ntt = Ntt::new(device, &field(), 1 << 12, Kind::Cyclic).unwrap();
        Box::new(move || {
            let mut x = ntt.device().upload(&residues(1 << 12)).unwrap();
            ntt.forward(&mut x).unwrap();
            wide(&x.download().unwrap())
        })
    }),
    ("product", |device| {
        let (ring, [f, g]) = polynomials(device, [300, 200]);
        Box::new(move || coefficients(&ring.mul(&f, &g).unwrap()))
    }),
    ("division", |device| {
        let (ring, [f, g]) = polynomials(device, [500, 300]);
        Box::new(move || {
            let (q, r) = ring.div_rem(&f, &g).unwrap();
            [coefficients(&q), coefficients(&r)].concat()
        })
    }),
    ("gcd", |device| {
        let (ring, [f, g]) = polynomials(device, [100, 90]);
        Box::new(move || coefficients(&ring.gcd(&f, &g).unwrap()))
    }),
    ("evaluation", |device| {
        let (ring, [f, _]) = polynomials(device, [2000, 1]);
        Box::new(move || vec![ring.evaluate(&f, 12_345).unwrap().into()])
    }),
    ("matrix-mul", |device| {
        let (space, a) = matrix(device, 70);
        Box::new(move || entries(&space.mul(&a, &a).unwrap()))
    }),
    ("matrix-eliminate", |device| {
        let (space, a) = matrix(device, 140);
        assert!(space.explain_elimination(&EliminationShape::determinant(140)).is_ok());
        Box::new(move || {
            let determinant = space.determinant(&a).unwrap();
            let form = space.echelon(&a).unwrap();
            [vec![determinant.into(), space.rank(&a).unwrap() as u64], entries(form.matrix())].concat()
        })
    }),
    ("matrix-inverse", |device| {
        let (space, a) = matrix(device, 140);
        Box::new(move || entries(&space.inverse(&a).unwrap()))
    }),
    ("bits-mul", |device| {
        let space = BitAlgebra::new(device);
        let words: Vec<u64> = (0..200 * 4).map(|i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
        let a = space.matrix(200, 256, &words).unwrap();
        let b = space.matrix(256, 192, &words[..256 * 3]).unwrap();
        Box::new(move || space.mul(&a, &b).unwrap().buffer().download().unwrap())
    }),
    ("characters", |device| {
        let characters = Characters::new(device);
        Box::new(move || {
            // Of one factor both constructions take one step, so that both contend on any machine.
            let group = AbelianGroup::new(&[60]).unwrap();
            let table = characters.table(&group, &Exponents::<u8>::new(), &Tile::whole()).unwrap();
            table.download().unwrap().into_iter().map(u64::from).collect()
        })
    }),
    ("kronecker", |device| {
        let kronecker = Kronecker::new(device);
        Box::new(move || {
            let product = parse(&Integers::<i32>::new(), "walsh^6 x rm^4").unwrap();
            let mut x = kronecker.device().upload(&signed_values(1 << 10)).unwrap();
            kronecker.forward(&product, &mut x).unwrap();
            signed(&x.download().unwrap())
        })
    }),
    ("fourier", |device| {
        let fourier = Fourier::new(device);
        Box::new(move || {
            let (group, numbers) = (AbelianGroup::new(&[4, 128]).unwrap(), Residues::new(field()));
            let mut x = fourier.device().upload(&residues(512)).unwrap();
            fourier.forward(&group, &numbers, &mut x).unwrap();
            wide(&x.download().unwrap())
        })
    }),
    ("boolean linear", |device| {
        let (boolean, sbox) = (Boolean::new(device), sbox());
        Box::new(move || format!("{:?}", boolean.linear_summary(&sbox).unwrap()).bytes().map(u64::from).collect())
    }),
    ("boolean differences", |device| {
        let (boolean, sbox) = (Boolean::new(device), sbox());
        Box::new(move || format!("{:?}", boolean.difference_summary(&sbox).unwrap()).bytes().map(u64::from).collect())
    }),
    ("sparse product", |device| {
        let (rows, each) = (300, 7);
        let offsets: Vec<usize> = (0..=rows).map(|row| row * each).collect();
        let columns: Vec<usize> = (0..rows * each).map(|i| i / each % 40 + i % each * 50).collect();
        let matrix = sprs::CsMat::new((rows, 400), offsets, columns, residues(rows * each));
        let product = SparseProduct::new(device, field(), matrix.view(), ProductOptions::default()).unwrap();
        Box::new(move || wide(&product.multiply(&residues(400)).unwrap()))
    }),
];

fn signed_values(len: usize) -> Vec<i32> {
    residues(len).into_iter().map(|value| value as i32 % 1000 - 500).collect()
}

fn sbox() -> SBox {
    SBox::new(6, (0..64).map(|i: u16| (i * 37 % 64) ^ (i >> 3)).collect()).unwrap()
}

/// Beginnings of the keys of all operations' proofs.
pub(crate) const FAMILIES: [&str; 21] = [
    "walsh",
    "reed_muller",
    "arithmetic",
    "haar",
    "ntt",
    "product",
    "division",
    "gcd",
    "evaluation",
    "matrix-mul",
    "matrix-eliminate",
    "matrix-inverse",
    "bits-mul",
    "characters",
    "kronecker",
    "fourier",
    "boolean linear",
    "boolean differences",
    "sparse product",
    "semiring-mul",
    "sort",
];

/// Numbers that round, other words, and arrays side by side.
pub(crate) const MORE: [fn(&Device); 10] = [
    |device| {
        let (spectral, len) = (Spectral::new(device), 1 << 11);
        let values: Vec<f32> = signed_values(3 * len).into_iter().map(|value| value as f32 / 8.0).collect();
        let mut x = device.upload(&values).unwrap();
        spectral.walsh(&mut x, &Walsh::new().order(Order::Sequency).inverse().batch(len)).unwrap();
        spectral.haar(&mut x, &Haar::new().normalization(Normalization::Orthonormal).batch(len)).unwrap();
        spectral.arithmetic(&mut x, &Arithmetic::new().inverse().batch(len)).unwrap();
        let mut bits = device.upload(&residues(len)).unwrap();
        spectral.reed_muller(&mut bits, &ReedMuller::new().order(BitOrder::Reversed)).unwrap();
    },
    |device| {
        let ntt = Ntt::new(device, &Goldilocks, 1 << 9, Kind::Negacyclic).unwrap();
        let ntt = ntt.with_order(SpectrumOrder::Natural);
        ntt.inverse(&mut vec![7u64; 5 << 9]).unwrap();
    },
    |device| {
        let ring = PolyRing::new(device, PrimeField::<u64>::new(9_223_372_036_854_775_783).unwrap()).unwrap();
        let [f, g] = [4000, 3000].map(|len| ring.random(len, len as u64).unwrap());
        ring.square(&f).unwrap();
        ring.mul_middle(&f, &g, 1000..2500).unwrap();
        ring.div_rem_with(&f, &ring.divisor(ring.random(700, 3).unwrap()).unwrap()).unwrap();
        let [f, g] = [1, 2].map(|seed| ring.random_batch(40, 33, seed).unwrap());
        ring.gcd_batch(&f, &g).unwrap();
    },
    |device| {
        let (fourier, group) = (Fourier::new(device), AbelianGroup::new(&[12, 35, 2, 17]).unwrap());
        fourier.forward(&group, &fourier::Complexes::<f32>::new(), &mut vec![[0.5f32; 2]; 3 * 14_280]).unwrap();
        if device.info().fp64 {
            fourier.inverse(&group, &fourier::Complexes::<f64>::new(), &mut vec![[0.5f64; 2]; 14_280]).unwrap();
        }
    },
    |device| {
        let kronecker = Kronecker::new(device);
        let product = parse(&Reals::<f32>::new(), "walsh^3 x h12 x id^2 x rm^4").unwrap();
        kronecker.forward(&product, &mut vec![0.5f32; 2 * product.order()]).unwrap();
        kronecker
            .inverse(&parse(&Integers::<i32>::new(), "walsh^9 x rm^3").unwrap(), &mut vec![0i32; 1 << 12])
            .unwrap();
        kronecker.inverse(&parse(&Integers::<i32>::new(), "walsh^15").unwrap(), &mut vec![0i32; 1 << 15]).unwrap();
    },
    |device| {
        let group = AbelianGroup::new(&[6, 10, 7]).unwrap();
        let complex = characters::Complexes::<f32>::new();
        Characters::new(device).table(&group, &complex, &Tile::whole().rows(5..400)).unwrap();
    },
    |device| {
        let matrix = sprs::CsMat::new((3, 4), vec![0usize, 2, 2, 3], vec![0usize, 3, 1], vec![1.5f32, 2.5, -3.5]);
        let numbers = Reals::<f32>::new();
        let product = SparseProduct::new(device, numbers, matrix.view(), ProductOptions::default()).unwrap();
        product.multiply_dense(&[1.0; 20], 5).unwrap();
    },
    |device| {
        let sum = Function::new(|(a, b): (Value<f32>, Value<f32>)| a.max(b)).unwrap();
        let product = Function::new(|(a, b): (Value<f32>, Value<f32>)| a + b).unwrap();
        let max_plus = Semiring::<f32, f32, f32>::new(product, sum, f32::NEG_INFINITY).unwrap();
        let products = Products::new(device);
        let a = semiring::Matrix::stored(40, 40, &[0.5f32; 1600]).unwrap();
        let a = products.upload(&a).unwrap();
        products.multiply(&max_plus, &a, &a).unwrap();
    },
    |device| {
        let (sorter, mut keys) = (Sorter::new(device), device.upload(&residues(5000)).unwrap());
        sorter.sort(&mut keys, SortOrder::Ascending).unwrap();
        let mut values = device.upload(&residues(5000)).unwrap();
        sorter.sort_pairs(&mut keys, &mut values, SortOrder::Descending).unwrap();
    },
    |device| {
        let space = LinearAlgebra::new(device, PrimeField::<u32>::new(2).unwrap()).unwrap();
        let a = space.random(150, 150, 1).unwrap();
        space.rank(&a).unwrap();
        space.echelon(&space.random(90, 200, 1).unwrap()).unwrap();
    },
];
