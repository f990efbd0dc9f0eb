//! Trials of plans within a program's own runs, of every operation that chooses: a process takes an OpenCL processor for a GPU whose
//! kernels spill, so that estimates are made anew, plans give way to others and are timed; its results are the host's all the while.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use manycore::characters::{Exponents, Tile};
use manycore::fourier::Residues;
use manycore::kronecker::{Integers, parse};
use manycore::linalg::EliminationShape;
use manycore::linalg::bits::BitAlgebra;
use manycore::sparse::{ProductOptions, sprs};
use manycore::transform::ntt::Kind;
use manycore::{
    AbelianGroup, Boolean, Characters, Device, Fourier, Haar, Kronecker, LinearAlgebra, Matrix, Ntt, Poly, PolyRing,
    PrimeField, ReedMuller, SBox, SparseProduct, Spectral, Walsh,
};
use manycore_testkit::faults::Injector;
use manycore_testkit::opencl_devices;

/// The variable that names the device of the started process.
const DEVICE: &str = "MANYCORE_TEST_WATCHED_DEVICE";
/// Runs of each operation: eight plans are built, two are timed, and the one that stays goes on.
const RUNS: usize = 13;
const PRIME: u32 = 469_762_049;

type Answer = Vec<u64>;
/// An operation as it is prepared for a device: a run of it gives its answer.
type Prepare = fn(&Device) -> Box<dyn FnMut() -> Answer>;

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

const OPERATIONS: [(&str, Prepare); 18] = [
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
            let group = AbelianGroup::new(&[6, 10]).unwrap();
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

/// Every operation again and again on a device that says it is a GPU.
#[test]
#[ignore = "started by the other test with a device of its own"]
fn process() {
    let device = Device::select(&std::env::var(DEVICE).unwrap()).unwrap();
    assert_eq!(device.info().kind, manycore::DeviceKind::Gpu);
    for (name, prepare) in OPERATIONS {
        let expected = prepare(&Device::host())();
        let mut run = prepare(&device);
        for turn in 0..RUNS {
            assert_eq!(run(), expected, "{name}, run {turn}");
        }
    }
}

/// What is kept of choices, by key: the numbers of candidates that were built and timed.
fn kept(folder: &Path) -> BTreeMap<String, [usize; 2]> {
    let mut found = BTreeMap::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if !path.file_name().unwrap().to_string_lossy().starts_with("wisdom-") {
            continue;
        }
        let entries: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        for (key, entry) in entries.as_object().unwrap() {
            let count = |name: &str| entry[name].as_array().map_or(0, Vec::len);
            assert!(count("measured") == 0 || entry["is_trial"] == true, "{key}: {entry}");
            found.insert(key.clone(), [count("built"), count("measured")]);
        }
    }
    found
}

#[test]
fn every_operation_tries_other_plans_where_its_kernels_spill() {
    for device in opencl_devices() {
        let folder = tempfile::tempdir().unwrap();
        let mut program = Command::new(std::env::current_exe().unwrap());
        program.args(["--ignored", "--exact", "process", "--nocapture"]).env(DEVICE, &device.info().id);
        program.env("MANYCORE_CACHE", folder.path()).env("MANYCORE_TUNING", "kept");
        Injector::find().unwrap().pretend_gpu(&mut program, 4096);
        let output = program.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{device:?}: {text}");
        let kept = kept(folder.path());
        // Of the others choices ship that were measured on GPUs, or there is one plan for the shape.
        for name in [
            "bits-mul",
            "characters",
            "division",
            "evaluation",
            "kronecker",
            "matrix-eliminate",
            "matrix-inverse",
            "matrix-mul",
            "product",
            "sparse product",
        ] {
            let has =
                |(key, counts): (&String, &[usize; 2])| key.starts_with(name) && counts.iter().any(|&count| count > 0);
            assert!(kept.iter().any(has), "{device:?}, {name}: {kept:?}");
        }
        assert!(kept.values().any(|counts| counts[1] == 2), "{device:?}: two were timed: {kept:?}");
    }
}
