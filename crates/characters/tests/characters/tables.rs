//! Character tables on the host against the definition, and the laws of characters.

use crate::common::{bits, check_all, group};
use manycore_characters::num_complex::Complex;
use manycore_characters::table::reference;
use manycore_characters::{
    AbelianGroup, CharacterError, Characters, Complexes, Construction, Exponents, IndexMap, Plan, Residues, Tile,
    Values,
};
use manycore_device::{Device, DeviceError, TuningMode};
use manycore_field::{Goldilocks, ModularField as _, PrimeField};
use manycore_tuning::{Choice, Origin};
use proptest::prelude::*;

/// Factors 1, primes, composites, mixed; a prime behind another factor; none.
const LISTS: [&[u64]; 16] = [
    &[],
    &[1],
    &[2],
    &[3],
    &[4],
    &[7],
    &[31],
    &[2, 2],
    &[3, 3, 3],
    &[2, 3],
    &[3, 2],
    &[4, 2],
    &[1, 3, 1, 2],
    &[6, 10],
    &[2, 2, 2, 2, 2],
    &[2, 23],
];

fn tiles(order: u64) -> Vec<Tile> {
    let middle = order / 3..order - order / 4;
    vec![
        Tile::whole(),
        Tile::whole().rows(order - 1..order),
        Tile::whole().columns(order / 2..order),
        Tile::whole().rows(middle.clone()).columns(middle),
        Tile::whole().rows(order / 2..order / 2),
    ]
}

#[test]
fn every_kind_on_the_host_equals_the_definition() {
    for device in [Device::host(), Device::host_with(1).unwrap()] {
        for factors in LISTS {
            for tile in tiles(group(factors).order()) {
                check_all(&device, factors, &tile);
            }
        }
    }
}

fn exponents(factors: &[u64]) -> Vec<String> {
    let group = group(factors);
    let characters = Characters::new(&Device::host());
    let table = characters.table(&group, &Exponents::<u8>::new(), &Tile::whole()).unwrap().download().unwrap();
    let expected: Vec<u64> = table.iter().map(|&e| e.into()).collect();
    assert_eq!(reference::exponents(&group), expected);
    let row = |row: &[u8]| row.iter().map(u8::to_string).collect::<String>();
    table.chunks_exact(group.order() as usize).map(row).collect()
}

#[test]
fn worked_examples() {
    let rows = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(exponents(&[2, 2]), rows("0000 0101 0011 0110"));
    let c3c3 = "000000000 012012012 021021021 000111222 012120201 021102210 000222111 012201120 021210102";
    assert_eq!(exponents(&[3, 3]), rows(c3c3));
    assert_eq!(exponents(&[2, 3]), rows("000000 024024 042042 000333 024351 042315"));
    let c4c2 = "00000000 02020202 00112233 02132031 00220022 02200220 00332211 02312013";
    assert_eq!(exponents(&[4, 2]), rows(c4c2));
    assert_eq!(exponents(&[]), ["0"]);
    assert_eq!(exponents(&[1, 1]), ["0"]);
    let characters = Characters::new(&Device::host());
    for construction in Construction::ALL {
        let tile = Tile::whole().by(construction);
        let walsh = characters.table(&group(&[2, 2]), &Complexes::<f32>::new(), &tile).unwrap().download().unwrap();
        let real: Vec<f32> = walsh.iter().map(|value| value.re).collect();
        assert_eq!(real, [1., 1., 1., 1., 1., -1., 1., -1., 1., 1., -1., -1., 1., -1., -1., 1.]);
        assert!(walsh.iter().all(|value| value.im == 0.0));
        let c4 = characters.table(&group(&[4]), &Complexes::<f64>::new(), &tile).unwrap().download().unwrap();
        assert_eq!(c4[4..8], [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)].map(|(re, im)| Complex { re, im }));
    }
}

#[test]
fn algorithm_1_is_a_second_route() {
    let whole = Tile::whole();
    for factors in LISTS {
        let group = group(factors);
        let values = Exponents::<u16>::new();
        assert_eq!(reference::algorithm_1(&group, &values), reference::table(&group, &values, &whole), "{group}");
        let values = Residues::new(Goldilocks);
        if values.field().root_of_unity(group.exponent()).is_ok() {
            assert_eq!(reference::algorithm_1(&group, &values), reference::table(&group, &values, &whole), "{group}");
        }
    }
    let error = reference::algorithm_1(&group(&[2; 40]), &Exponents::<u8>::new()).unwrap_err();
    assert!(matches!(error, CharacterError::TooManyEntries { .. }));
    let longer =
        Characters::new(&Device::host()).table(&group(&[3, 4, 5, 6]), &Exponents::<u8>::new(), &whole).unwrap();
    assert_eq!(longer.download(), reference::algorithm_1(longer.group(), longer.values()));
}

#[test]
fn isomorphic_lists_give_one_table_in_two_orders() {
    for (from, to) in [(&[6][..], &[2, 3][..]), (&[12, 2], &[4, 6]), (&[30], &[3, 5, 2])] {
        let (from, to) = (group(from), group(to));
        let map = IndexMap::new(&from, &to).unwrap();
        let (a, b) = (reference::exponents(&from), reference::exponents(&to));
        assert_ne!(a, b);
        let n = from.order();
        for (w, z) in (0..n).flat_map(|w| (0..n).map(move |z| (w, z))) {
            let (v, y) = (map.character(w).unwrap(), map.element(z).unwrap());
            assert_eq!(a[(w * n + z) as usize], b[(v * n + y) as usize]);
        }
    }
}

#[test]
fn bad_input_is_refused() {
    let characters = Characters::new(&Device::host());
    let table = |factors: &[u64], tile: &Tile| {
        characters.table(&group(factors), &Exponents::<u8>::new(), tile).map(|_| ()).unwrap_err()
    };
    let whole = Tile::whole();
    let range = CharacterError::Range { what: "rows", start: 3, end: 7, order: 6 };
    assert_eq!(table(&[6], &whole.clone().rows(3..7)), range);
    #[allow(clippy::reversed_empty_ranges)]
    let reversed = Tile::whole().columns(4..3);
    assert!(matches!(table(&[6], &reversed), CharacterError::Range { what: "columns", .. }));
    assert!(matches!(table(&[257], &whole), CharacterError::Exponent { exponent: 257, limit: 256, .. }));
    let too_many = CharacterError::TooManyEntries { rows: 1 << 40, columns: 1 << 40 };
    assert_eq!(table(&[2; 40], &whole), too_many);
    assert!(matches!(table(&[2; 21], &whole), CharacterError::Device(DeviceError::OutOfMemory { .. })));
    let residues = Residues::new(PrimeField::<u32>::new(7).unwrap());
    let error = characters.table(&group(&[4]), &residues, &whole).unwrap_err();
    assert!(error.to_string().contains("the orders are the divisors of 6"), "{error}");
    let mut buffer = characters.device().zeros::<u8>(5).unwrap();
    let error = characters.table_into(&group(&[2]), &Exponents::<u8>::new(), &whole, &mut buffer).unwrap_err();
    assert_eq!(error, CharacterError::Buffer { expected: 4, given: 5 });
    let other = Device::host_with(1).unwrap();
    let mut buffer = other.zeros::<u8>(4).unwrap();
    let error = characters.table_into(&group(&[2]), &Exponents::<u8>::new(), &whole, &mut buffer).unwrap_err();
    assert!(matches!(error, CharacterError::Device(DeviceError::MixedDevices { .. })));
}

#[test]
fn tiles_of_groups_far_past_memory() {
    let characters = Characters::new(&Device::host());
    for factors in [&[2; 60][..], &[3; 40], &[10; 19], &[1 << 31, 1 << 31], &[4_294_967_291]] {
        let group = group(factors);
        let n = group.order();
        let tile = Tile::whole().rows(n - 5..n).columns(n / 3..n / 3 + 70);
        if group.exponent() > 1 << 31 {
            let error = characters.table(&group, &Exponents::<u32>::new(), &tile).unwrap_err();
            assert!(matches!(error, CharacterError::Exponent { .. }));
            continue;
        }
        let found = characters.table(&group, &Exponents::<u32>::new(), &tile).unwrap().download().unwrap();
        assert_eq!(found, reference::table(&group, &Exponents::<u32>::new(), &tile).unwrap(), "{group}");
        let found = characters.table(&group, &Complexes::<f64>::new(), &tile.clone().by(Construction::Direct)).unwrap();
        assert_eq!(found.download().unwrap(), reference::table(&group, &Complexes::<f64>::new(), &tile).unwrap());
    }
}

proptest! {
    #[test]
    fn tables_of_any_list_equal_the_definition(
        factors in prop::collection::vec(1u64..9, 0..5),
        (a, b, c, d) in (0.0..=1.0f64, 0.0..=1.0f64, 0.0..=1.0f64, 0.0..=1.0f64),
    ) {
        let group = AbelianGroup::new(&factors).unwrap();
        let n = group.order();
        let at = |x: f64| (x * n as f64) as u64;
        // Some tens of rows and columns.
        let range = |x: f64, y: f64| { let (low, high) = (at(x.min(y)), at(x.max(y))); low..high.min(low + 60) };
        let tile = Tile::whole().rows(range(a, b)).columns(range(c, d));
        check_all(&Device::host(), &factors, &tile);
    }
}

/// A table by the construction of a mode, and that construction's origin.
fn in_mode<V: Values>(mode: TuningMode, group: &AbelianGroup, values: &V) -> (Vec<V::Value>, Choice<Plan>) {
    let characters = Characters::new(&Device::host().with_tuning(mode));
    let table = characters.table(group, values, &Tile::whole()).unwrap();
    let choice = characters.explain_table(group, values, &Tile::whole()).unwrap();
    assert_eq!(table.plan(), &choice.best().parameters);
    (table.download().unwrap(), choice)
}

#[test]
fn every_mode_gives_the_same_bits() {
    // 248 = 31 * 8 divides 1488.
    let group = group(&[31, 8]);
    let residues = |mode| in_mode(mode, &group, &Residues::new(PrimeField::<u32>::new(1489).unwrap()));
    let (table, estimated) = residues(TuningMode::Estimate);
    assert_eq!((estimated.origin(), estimated.measured()), (&Origin::Estimated, 0), "{estimated}");
    let (found, measured) = residues(TuningMode::Measure);
    assert!(found == table && [Origin::Measured, Origin::Kept].contains(measured.origin()), "{measured}");
    assert_eq!(measured.measured(), Construction::ALL.len(), "{measured}");
    let (found, kept) = residues(TuningMode::Kept);
    assert!(found == table && kept.origin() == &Origin::Kept, "{kept}");
    assert_eq!(kept.best().parameters, measured.best().parameters);
    let complex = |mode| in_mode(mode, &group, &Complexes::<f32>::new());
    let (table, estimated) = complex(TuningMode::Estimate);
    let (found, measured) = complex(TuningMode::Measure);
    assert!(found.iter().zip(&table).all(|(a, b)| bits(a) == bits(b)));
    // Products of roots are rounded otherwise, and no choice.
    assert_eq!((measured.measured(), &measured.best().parameters), (0, &estimated.best().parameters), "{measured}");
}
