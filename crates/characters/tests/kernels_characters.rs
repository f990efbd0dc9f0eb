//! The kernels `characters_direct` (`DIRECT`) and `characters_kronecker` (`KRONECKER`, `KRONECKER_RESIDUES`) on every OpenCL
//! device, against the definition and against the host.

mod common;

use common::{check_all, check_exact, check_f32, check_f64, group};
use manycore_characters::{Characters, Complexes, Construction, Exponents, Residues, Tile};
use manycore_device::{Device, DeviceKind};
use manycore_field::{Goldilocks, PrimeField};
use manycore_testkit::{opencl_devices, simulated};

/// A CPU compiles each variant for a second: it takes fewer lists.
fn sparing(device: &Device) -> bool {
    device.info().kind != DeviceKind::Gpu
}

/// Rows and columns that begin and end within vectors, blocks and groups.
fn inner(order: u64) -> Tile {
    Tile::whole().rows(order / 3..order - order / 4).columns(order / 5..order - order / 7)
}

#[test]
fn every_kind_equals_the_definition() {
    for device in opencl_devices() {
        let lists: &[&[u64]] = match (simulated(&device), sparing(&device)) {
            (true, _) => &[&[2, 3]],
            (false, true) => &[&[2, 3], &[3, 5, 2]],
            (false, false) => &[&[], &[1], &[2], &[3, 2], &[2, 1, 3], &[6, 5], &[31], &[30, 10], &[2, 3, 5, 6]],
        };
        for factors in lists {
            check_all(&device, factors, &Tile::whole());
            check_all(&device, factors, &inner(group(factors).order()));
        }
        // Long rows, so that the shortest values fill vectors too.
        check_all(&device, &[6, 60], &Tile::whole().rows(206..209));
    }
}

#[test]
fn complex_tables_of_powers_equal_the_definition() {
    for device in opencl_devices() {
        let lists: &[&[u64]] = match (simulated(&device), sparing(&device)) {
            (true, _) => &[&[3, 3, 3, 3], &[2, 2, 2, 2, 2, 2], &[]],
            (false, true) => &[&[], &[1], &[2], &[2, 2, 2, 2], &[4, 4], &[3, 3, 3, 3], &[3, 3, 3, 3, 3], &[5, 5, 5]],
            (false, false) => &[&[2; 9], &[3; 6], &[4; 4], &[5; 4], &[7; 3], &[12, 4, 2], &[251], &[64, 8]],
        };
        // Many groups to a row, and many rows to a group.
        for bytes in if simulated(&device) { vec![300] } else { vec![1, 100, 1 << 20] } {
            check_f32(&device, &[3, 3, 3, 3], &Tile::whole().rows(3..14).group_bytes(bytes));
        }
        for factors in lists {
            let order = group(factors).order();
            for tile in [Tile::whole(), inner(order), Tile::whole().rows(order - 1..order), Tile::whole().rows(0..0)] {
                check_f32(&device, factors, &tile);
            }
            check_f64(&device, factors, &inner(order));
        }
    }
}

/// Roots in global memory, wide sums, and panels of lows alone.
#[test]
fn large_cyclic_factors_equal_the_definition() {
    for device in opencl_devices() {
        let tile = |n: u64, rows: u64, columns: u64| Tile::whole().rows(n - rows..n).columns(n - columns..n - 1);
        if simulated(&device) {
            check_exact(&device, &Exponents::<u32>::new(), &[65_537], &tile(65_537, 2, 70).by(Construction::Direct));
            continue;
        }
        let direct = |tile: Tile| tile.by(Construction::Direct);
        let check = |factors: &[u64], rows, columns| {
            let n = group(factors).order();
            let tile = direct(tile(n, rows, columns));
            let (characters, group) = (Characters::new(&device), group(factors));
            let values = Complexes::<f32>::new();
            let found = characters.table(&group, &values, &tile).unwrap().download().unwrap();
            let on_host = Characters::new(&Device::host());
            assert_eq!(found, on_host.table(&group, &values, &tile).unwrap().download().unwrap(), "{group}");
            check_exact(&device, &Exponents::<u32>::new(), factors, &tile);
        };
        check(&[8191], 3, 8191);
        check(&[2, 8191], 3, 9000);
        check(&[100_003], 5, 700);
        check(&[1 << 23], 2, 300);
        check_exact(&device, &Residues::new(Goldilocks), &[65_537], &direct(tile(65_537, 2, 300)));
    }
}

/// Rows so long that the Kronecker step divides instead of multiplying.
#[test]
fn the_longest_rows_equal_the_host_s() {
    for device in opencl_devices() {
        if simulated(&device) {
            continue;
        }
        let (group, values) = (group(&[1 << 16, 1 << 8]), Exponents::<u16>::new());
        let row = |device: &Device, construction| {
            let tile = Tile::whole().rows(group.order() - 100..group.order() - 99).by(construction);
            Characters::new(device).table(&group, &values, &tile).unwrap().download().unwrap()
        };
        let expected = row(&Device::host(), Construction::Direct);
        assert!(expected.contains(&65_535));
        assert!(row(&device, Construction::Kronecker) == expected);
        assert!(row(&device, Construction::Direct) == expected);
    }
}

#[test]
fn residues_of_every_arithmetic_equal_the_definition() {
    for device in opencl_devices() {
        let tile = if simulated(&device) { inner(12).rows(1..3) } else { Tile::whole() };
        check_exact(&device, &Residues::new(PrimeField::<u32>::new(13).unwrap()), &[4, 3], &tile);
        check_exact(&device, &Residues::new(PrimeField::<u64>::new(13).unwrap()), &[4, 3], &tile);
        check_exact(
            &device,
            &Residues::new(PrimeField::<u64>::new(9_223_372_035_915_251_713).unwrap()),
            &[4, 2],
            &tile.clone().rows(0..2).columns(1..7),
        );
        check_exact(&device, &Residues::new(Goldilocks), &[4, 3], &tile);
    }
}

#[test]
fn longer_tables_equal_the_host_s() {
    for device in opencl_devices() {
        if simulated(&device) {
            continue;
        }
        let characters = [Characters::new(&Device::host()), Characters::new(&device)];
        let values = Complexes::<f32>::new();
        for factors in [&[3; 7][..], &[2; 11], &[11, 191]] {
            let group = group(factors);
            let tables = characters.each_ref().map(|characters| {
                let tile = Tile::whole().by(Construction::Direct);
                characters.table(&group, &values, &tile).unwrap().download().unwrap()
            });
            assert!(tables[0] == tables[1], "{group}");
        }
        for factors in [&[3; 7][..], &[2; 11], &[6, 6, 6, 6]] {
            let group = group(factors);
            let tables = characters.each_ref().map(|characters| {
                Construction::ALL.map(|construction| {
                    let tile = Tile::whole().by(construction);
                    characters.table(&group, &Exponents::<u8>::new(), &tile).unwrap().download().unwrap()
                })
            });
            assert!(tables[0][0] == tables[0][1] && tables[0] == tables[1], "{group}");
        }
    }
}
