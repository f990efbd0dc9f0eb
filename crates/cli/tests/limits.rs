//! Library functions under limits of memory: each is refused by a typed error before it takes a list that grows with its input, or does
//! its work. The program's allocator stands below, which ends a process where somebody takes a large block that cannot be refused.
#![cfg(target_os = "linux")]

use std::fmt::Display;
use std::process::Command;

use manycore::characters::{Complexes, Construction, Exponents, Tile};
use manycore::device::Device;
use manycore::files::Source;
use manycore::files::memory::limit_memory;
use manycore::linalg::bits::BitAlgebra;
use manycore::linalg::exact::{self, Certainty};
use manycore::linalg::file::residues;
use manycore::linalg::real::{self, Pivoting, RealOptions};
use manycore::sparse::{OrderMethod, Pattern, reorder};
use manycore::{AbelianGroup, Characters, LinearAlgebra, MatrixEntries, PolyRing, PrimeField};
use manycore_cli::allocator::Counted;

#[global_allocator]
static ALLOCATOR: Counted = Counted;

/// The variables that tell a process of these tests which case it is, and the bytes that it may have beside what it has.
const CASE: &str = "MANYCORE_TEST_CASE";
const LIMIT: &str = "MANYCORE_TEST_LIMIT";

/// How a process ends whose work was done, or refused for want of memory.
const DONE: i32 = 40;
const REFUSED: i32 = 41;

/// Blocks up to this size are asked for together, in nobody's name: the allocator may end a process for them.
const SMALL_BYTES: u64 = 1 << 20;

type Work = Box<dyn FnOnce() -> Result<(), String>>;

/// An operation: what is ready before its memory is limited, and what is done then.
struct Case {
    name: &'static str,
    prepare: fn() -> Work,
}

fn done<T, E: Display>(outcome: Result<T, E>) -> Result<(), String> {
    outcome.map(drop).map_err(|error| error.to_string())
}

/// Numbers without a pattern.
fn drawn(count: usize) -> impl Iterator<Item = u64> {
    (1..=count as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33)
}

fn field() -> PrimeField<u32> {
    PrimeField::new(469_762_049).unwrap()
}

fn space() -> LinearAlgebra<PrimeField<u32>> {
    LinearAlgebra::new(&Device::host(), field()).unwrap()
}

/// A real determinant by a rule of pivots, of a matrix whose entries have ordinary sizes or need a scale.
fn real_determinant(order: usize, pivoting: Pivoting, scale: f64) -> Work {
    let words: Vec<f64> = drawn(order * order).map(|x| (x as f64 - 1e9) * scale).collect();
    Box::new(move || done(real::determinant(&Device::host(), order, &words, RealOptions { pivoting, bound: true })))
}

fn integers(count: usize) -> Vec<i64> {
    drawn(count).map(|x| x as i64 % 1000 - 500).collect()
}

/// A pattern of so many rows and columns with three non-zeros a row.
fn pattern(order: usize) -> Pattern {
    let mut drawn = drawn(3 * order);
    let mut places = vec![0usize];
    let mut indices = Vec::new();
    for _ in 0..order {
        let mut row: Vec<usize> = drawn.by_ref().take(3).map(|x| x as usize % order).collect();
        row.sort_unstable();
        row.dedup();
        indices.extend(row);
        places.push(indices.len());
    }
    let values = vec![(); indices.len()];
    Pattern::of(manycore::sparse::sprs::CsMat::new((order, order), places, indices, values).view()).unwrap()
}

fn order_with(method: OrderMethod) -> Work {
    let pattern = pattern(100_000);
    Box::new(move || done(reorder(&pattern, &method)))
}

const CASES: &[Case] = &[
    Case {
        name: "condensation",
        prepare: || {
            let (space, words) = (space(), drawn(700 * 700).map(|x| (x % 7919) as u32).collect::<Vec<_>>());
            let a = space.matrix(700, 700, &words).unwrap();
            Box::new(move || done(space.determinant_by_condensation(&a)))
        },
    },
    Case { name: "real blocks", prepare: || real_determinant(500, Pivoting::Partial, 1.0) },
    Case { name: "real steps", prepare: || real_determinant(400, Pivoting::Complete, 1.0) },
    Case { name: "real scaled", prepare: || real_determinant(400, Pivoting::Partial, 1e-300) },
    Case {
        name: "exact determinant",
        prepare: || {
            let words = integers(370 * 370);
            Box::new(move || done(exact::determinant(&Device::host(), 370, &words, Certainty::Proved)))
        },
    },
    Case {
        name: "exact inverse",
        prepare: || {
            let words = integers(70 * 70);
            Box::new(move || done(exact::inverse(&Device::host(), 70, &words)))
        },
    },
    Case {
        name: "exact nullspace",
        prepare: || {
            let words = integers(2 * 400);
            Box::new(move || done(exact::nullspace(&Device::host(), (2, 400), &words)))
        },
    },
    Case {
        name: "exact solutions",
        prepare: || {
            let (a, b) = (integers(4), integers(200_000));
            Box::new(move || done(exact::solve_columns(&Device::host(), (2, 2), &a, 100_000, &b)))
        },
    },
    Case {
        name: "nullspace",
        prepare: || {
            let (space, words) = (space(), drawn(2 * 3000).map(|x| (x % 7919) as u32).collect::<Vec<_>>());
            let a = space.matrix(2, 3000, &words).unwrap();
            Box::new(move || done(space.nullspace(&a)))
        },
    },
    Case {
        name: "nullspace of bits",
        prepare: || {
            let space = BitAlgebra::new(&Device::host());
            let residues: Vec<u32> = drawn(2 * 10_000).map(|x| (x % 2) as u32).collect();
            let a = space.of_residues(2, 10_000, &residues).unwrap();
            Box::new(move || done(space.nullspace(&a)))
        },
    },
    Case {
        name: "subproduct tree",
        prepare: || {
            let ring =
                PolyRing::new(&Device::host(), PrimeField::<u64>::new(4_611_686_018_326_724_609).unwrap()).unwrap();
            let points: Vec<u64> = (0..1 << 15).collect();
            let f = ring.poly(&points).unwrap();
            Box::new(move || {
                let tree = ring.tree(&points).map_err(|error| error.to_string())?;
                let values = ring.evaluate_at(&f, &tree).map_err(|error| error.to_string())?;
                done(ring.interpolate(&tree, &values))
            })
        },
    },
    Case { name: "gray order", prepare: || order_with(OrderMethod::GrayCode(manycore::sparse::GrayOptions::DEFAULT)) },
    Case { name: "rcm order", prepare: || order_with(OrderMethod::ReverseCuthillMckee) },
    Case { name: "degree order", prepare: || order_with(OrderMethod::Degree) },
    Case { name: "random order", prepare: || order_with(OrderMethod::Random { seed: 1 }) },
    Case {
        name: "character table",
        prepare: || {
            let (characters, group) = (Characters::new(&Device::host()), AbelianGroup::new(&[1024]).unwrap());
            Box::new(move || {
                let tile = Tile::whole().by(Construction::Direct);
                let table =
                    characters.table(&group, &Complexes::<f64>::default(), &tile).map_err(|error| error.to_string())?;
                done(table.download())
            })
        },
    },
    Case {
        name: "character table by factors",
        prepare: || {
            let (characters, group) = (Characters::new(&Device::host()), AbelianGroup::new(&[2; 10]).unwrap());
            Box::new(move || {
                let tile = Tile::whole().by(Construction::Kronecker);
                done(characters.table(&group, &Exponents::<u32>::default(), &tile))
            })
        },
    },
    Case {
        name: "roots of a character table",
        prepare: || {
            let (characters, group) = (Characters::new(&Device::host()), AbelianGroup::new(&[4_000_000]).unwrap());
            let tile = Tile::whole().rows(0..1).columns(0..8).by(Construction::Direct);
            Box::new(move || done(characters.table(&group, &Complexes::<f64>::default(), &tile)))
        },
    },
    Case {
        name: "text of a matrix",
        prepare: || {
            let text = format!("{}\n", "1 ".repeat(1000)).repeat(1000);
            Box::new(move || {
                let source = Source::new("a.txt", text.as_bytes()).map_err(|error| error.to_string())?;
                done(residues(&field(), source))
            })
        },
    },
    Case {
        name: "head of a matrix",
        prepare: || {
            let text = "%%MatrixMarket matrix coordinate integer general\n3000 3000 1\n1 1 1\n";
            Box::new(move || {
                let source = Source::new("a.mtx", text.as_bytes()).map_err(|error| error.to_string())?;
                done(residues(&field(), source))
            })
        },
    },
    Case {
        name: "head of a sparse matrix",
        prepare: || {
            let text = "%%MatrixMarket matrix coordinate integer general\n3000000 1 1\n1 1 1\n";
            Box::new(move || {
                let entries = MatrixEntries::parse(text.as_bytes(), "a.mtx").map_err(|error| error.to_string())?;
                done(entries.pattern())
            })
        },
    },
];

/// Bytes that this process has in memory.
fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    1024 * line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap()
}

/// What the processes run that [`tried`] starts; nothing else.
#[test]
fn work_under_a_limit() {
    let Ok(name) = std::env::var(CASE) else { return };
    let case = CASES.iter().find(|case| case.name == name).unwrap();
    let work = (case.prepare)();
    limit_memory(resident_bytes() + std::env::var(LIMIT).unwrap().parse::<u64>().unwrap());
    let outcome = work();
    limit_memory(u64::MAX);
    match outcome {
        Ok(()) => std::process::exit(DONE),
        Err(told) if told.contains("out of memory: ") || told.contains(" bytes wanted") => std::process::exit(REFUSED),
        Err(told) => panic!("{told}"),
    }
}

/// The exit status of a case under a limit; for a process that the allocator ended for small blocks, [`REFUSED`].
fn tried(case: &Case, limit_bytes: u64) -> i32 {
    let mut process = Command::new(std::env::current_exe().unwrap());
    process.args(["--exact", "work_under_a_limit", "--nocapture"]).env(CASE, case.name);
    process.env(LIMIT, limit_bytes.to_string()).env("MANYCORE_TUNING", "estimate").env("MANYCORE_DEVICE", "host:1");
    process.env("MANYCORE_CACHE", env!("CARGO_TARGET_TMPDIR")).env("MANYCORE_OPENCL_LIBRARY", "none");
    let output = process.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    let refused = told.split_once(" bytes for the next step");
    let block: Option<u64> = refused.and_then(|(before, _)| before.rsplit(' ').next()?.parse().ok());
    match (output.status.code(), block) {
        (Some(code @ (DONE | REFUSED)), _) => code,
        (Some(1), Some(bytes)) if bytes <= SMALL_BYTES => REFUSED,
        _ => panic!("{} with {limit_bytes} bytes: {}: {told}", case.name, output.status),
    }
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    for case in CASES {
        // With less and less there comes a limit under which it is refused; and with more and more one under which it is done.
        let limits = (18..31).map(|bits| 1u64 << bits);
        let codes: Vec<i32> =
            limits.map_while(|limit| Some(tried(case, limit)).filter(|&code| code == REFUSED)).collect();
        assert!(!codes.is_empty(), "{} is done within 256 KiB", case.name);
        assert!(codes.len() < 13, "{} is not done within 1 GiB", case.name);
    }
}
