//! Tables in blocks, as files, and their verification.

use std::io;
use std::ops::ControlFlow;

use crate::common::group;
use manycore_characters::{
    Block, CharacterError, Characters, Complexes, Construction, Exponents, Fault, Form, Residues, Rows, StreamError,
    Table, Tile, Unchecked, Values, Verdict, stream_over, table_over, write_checked_over,
};
use manycore_device::{Control, Device, DeviceSet};
use manycore_field::{Goldilocks, PrimeField};
use manycore_testkit::devices;

#[test]
fn blocks_make_the_table() {
    for device in devices() {
        let characters = Characters::new(&device);
        let group = group(&[3, 4, 2]);
        let values = Exponents::<u8>::new();
        for tile in [Tile::whole(), Tile::whole().rows(5..18).columns(2..23), Tile::whole().rows(4..4)] {
            let tile = tile.by(Construction::Direct);
            let expected = characters.table(&group, &values, &tile).unwrap().download().unwrap();
            for each in [None, Some(0), Some(1), Some(5), Some(24), Some(u64::MAX)] {
                let (mut found, mut seen) = (Vec::new(), Vec::new());
                let whole = characters.stream(&group, &values, &tile, each, |block| {
                    found.extend_from_slice(block.entries);
                    seen.push(block.progress());
                    Ok::<_, CharacterError>(ControlFlow::Continue(()))
                });
                assert_eq!(whole, Ok(true));
                assert_eq!(found, expected, "{each:?}");
                assert!(seen.last().is_none_or(|&(done, all)| done == all));
            }
        }
        let mut blocks = 0;
        let stopped = characters.stream(&group, &values, &Tile::whole(), Some(2), |_| {
            blocks += 1;
            Ok::<_, CharacterError>(if blocks == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        });
        assert_eq!((stopped, blocks), (Ok(false), 3));
    }
}

fn on(_: u64, _: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn text_names_its_rows() {
    let characters = Characters::new(&Device::host());
    let text = |tile: &Tile| {
        let mut text = Vec::new();
        characters.write_text(&group(&[2, 3]), &Exponents::<u16>::new(), tile, &mut text, on).unwrap();
        String::from_utf8(text).unwrap()
    };
    assert_eq!(text(&Tile::whole().rows(4..6)), "0 2 4 3 5 1 # (1,1)\n0 4 2 3 1 5 # (1,2)\n");
    let mut text = Vec::new();
    let tile = Tile::whole().rows(1..2);
    characters.write_text(&group(&[4]), &Complexes::<f32>::new(), &tile, &mut text, on).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), "1.0+0.0i 0.0+1.0i -1.0+0.0i 0.0-1.0i # (1)\n");
}

#[test]
fn npy_files_read_back() {
    let characters = Characters::new(&Device::host());
    let (group, tile) = (group(&[3, 4]), Tile::whole().rows(2..9));
    let mut bytes = Vec::new();
    characters.write_npy(&group, &Exponents::<u8>::new(), &tile, &mut bytes, on).unwrap();
    let file = npyz::NpyFile::new(&bytes[..]).unwrap();
    assert_eq!(file.shape(), [7, 12]);
    let expected = characters.table(&group, &Exponents::<u8>::new(), &tile).unwrap().download().unwrap();
    assert_eq!(file.into_vec::<u8>().unwrap(), expected);
    bytes.clear();
    characters.write_npy(&group, &Complexes::<f64>::new(), &tile, &mut bytes, on).unwrap();
    let file = npyz::NpyFile::new(&bytes[..]).unwrap();
    assert_eq!((file.dtype().descr(), file.shape()), ("'<c16'".to_owned(), &[7, 12][..]));
    let values: &[manycore_characters::num_complex::Complex<f64>] =
        &characters.table(&group, &Complexes::<f64>::new(), &tile).unwrap().download().unwrap();
    assert!(bytes.ends_with(bytemuck::cast_slice(values)));
}

#[test]
fn writers_that_fail_and_callbacks_that_stop() {
    struct Full;
    impl io::Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::other("full"))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (characters, values, whole) = (Characters::new(&Device::host()), Exponents::<u8>::new(), Tile::whole());
    let error = characters.write_npy(&group(&[3]), &values, &whole, Full, on).unwrap_err();
    assert_eq!(error.to_string(), "the table cannot be written: full");
    // More than one block of 64 MB.
    let large = group(&[3; 9]);
    let error = characters.write_npy(&large, &values, &whole, io::sink(), |_, _| ControlFlow::Break(())).unwrap_err();
    assert!(matches!(error, StreamError::Stopped { done: 1.., all: 19_683 }), "{error}");
    let error = characters.write_text(&group(&[257]), &values, &whole, io::sink(), on).unwrap_err();
    assert!(matches!(error, StreamError::Characters(CharacterError::Exponent { .. })));
}

#[test]
fn a_block_that_is_refused_is_not_written() {
    let (characters, values) = (Characters::new(&Device::host()), Exponents::<u8>::new());
    let group = group(&[3; 9]);
    let mut written = Vec::new();
    let mut blocks = 0;
    let outcome = characters.write_checked(&group, &values, &Tile::whole(), Form::Npy, &mut written, |block| {
        assert_eq!(block.construction, Construction::Direct);
        blocks += 1;
        if blocks < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let Err(StreamError::Stopped { done, all: 19_683 }) = outcome else { panic!("{outcome:?}") };
    // The head of the array, and the first block alone.
    let entries = done as usize * 19_683;
    assert!(done > 0 && (entries..entries + 200).contains(&written.len()), "{done} {}", written.len());
    let mut text = Vec::new();
    let on = |_: &Block<'_, _>| ControlFlow::Continue(());
    characters.write_checked(&self::group(&[3]), &values, &Tile::whole(), Form::Text, &mut text, on).unwrap();
    assert_eq!(text, b"0 0 0 # (0)\n0 1 2 # (1)\n0 2 1 # (2)\n");
}

fn verified<V: Values>(device: &Device, values: &V, factors: &[u64]) {
    let characters = Characters::new(device);
    for construction in Construction::ALL {
        let tile = Tile::whole().by(construction);
        let table = characters.table(&group(factors), values, &tile).unwrap();
        assert!(table.verify(Rows::All).unwrap().holds(), "{} {factors:?}", values.name());
        let rows = table.rows().end;
        let holds = Verdict::Holds { checks: rows * (rows + 1) / 2 };
        assert_eq!(table.verify_orthogonality(Rows::All).unwrap(), holds, "{} {factors:?}", values.name());
    }
}

#[test]
fn tables_keep_the_laws_of_characters() {
    for device in [Device::host()] {
        for factors in [&[][..], &[1], &[2], &[7], &[2, 3], &[6, 4], &[3, 1, 3, 2], &[2, 2, 2, 2]] {
            verified(&device, &Exponents::<u8>::new(), factors);
            verified(&device, &Exponents::<u32>::new(), factors);
            verified(&device, &Complexes::<f32>::new(), factors);
            verified(&device, &Complexes::<f64>::new(), factors);
            if (Goldilocks::MODULUS - 1).is_multiple_of(group(factors).exponent()) {
                verified(&device, &Residues::new(Goldilocks), factors);
            }
            if 2_147_483_646u64.is_multiple_of(group(factors).exponent()) {
                verified(&device, &Residues::new(PrimeField::<u32>::new(2_147_483_647).unwrap()), factors);
            }
        }
    }
}

/// A table of the group, changed at one entry.
fn wrong(factors: &[u64], tile: &Tile, at: usize) -> Table<Exponents<u8>> {
    let characters = Characters::new(&Device::host());
    let mut table = characters.table(&group(factors), &Exponents::<u8>::new(), tile).unwrap();
    let exponent = group(factors).exponent() as u8;
    let entry = &mut table.buffer_mut().as_host_mut().unwrap()[at];
    *entry = (*entry + 1) % exponent;
    table
}

#[test]
fn wrong_entries_are_found() {
    for at in 0..36 {
        let table = wrong(&[2, 3], &Tile::whole(), at);
        assert!(matches!(table.verify(Rows::All).unwrap(), Verdict::Fault(_)), "{at}");
        let found = table.verify_orthogonality(Rows::All).unwrap();
        assert!(matches!(found, Verdict::Fault(Fault::Orthogonality { .. })), "{at}: {found:?}");
    }
    let tile = Tile::whole().rows(2..5).columns(1..4);
    for at in 0..9 {
        let (character, element) = (2 + at as u64 / 3, 1 + at as u64 % 3);
        assert_eq!(
            wrong(&[2, 3], &tile, at).verify(Rows::All).unwrap(),
            Verdict::Fault(Fault::Value { character, element })
        );
    }
    // Nothing is said of a part without all columns, be it right or wrong; rows alone are enough.
    let found = |tile: &Tile, at| wrong(&[2, 3], tile, at).verify_orthogonality(Rows::All).unwrap();
    assert_eq!(found(&tile, 0), Verdict::NotChecked(Unchecked::Columns));
    assert!(matches!(found(&Tile::whole().rows(2..4), 7), Verdict::Fault(_)));
    let characters = Characters::new(&Device::host());
    let part = |tile: &Tile| characters.table(&group(&[2, 3]), &Exponents::<u8>::new(), tile).unwrap();
    assert_eq!(part(&tile).verify_orthogonality(Rows::All).unwrap(), Verdict::NotChecked(Unchecked::Columns));
    let rows = part(&Tile::whole().rows(2..4));
    assert_eq!(rows.verify_orthogonality(Rows::All).unwrap(), Verdict::Holds { checks: 3 });
    let none = part(&Tile::whole().rows(2..2));
    assert_eq!(none.verify_orthogonality(Rows::All).unwrap(), Verdict::NotChecked(Unchecked::NoRows));
    assert_eq!(none.verify(Rows::All).unwrap(), Verdict::NotChecked(Unchecked::NoRows));
    let table = wrong(&[2, 3], &Tile::whole(), 35);
    let fault = table.verify(Rows::Random { count: 1, seed: 9 }).unwrap();
    assert_eq!(fault.to_string(), "wrong: the value of character 5 at 2 + 3 is not the product of its values");
}

/// Devices together make the same bits as the host alone, in memory for no more than some rows.
#[test]
fn devices_share_the_rows() {
    fn check<V: Values>(set: &DeviceSet, factors: &[u64], values: &V) {
        let group = group(factors);
        for tile in [Tile::whole(), Tile::whole().rows(3..18).columns(2..5), Tile::whole().rows(4..4)] {
            let tile = tile.by(Construction::Direct);
            let expected = Characters::new(&Device::host()).table(&group, values, &tile).unwrap().download().unwrap();
            assert!(table_over(set, &group, values, &tile).unwrap() == expected, "{set:?}");
            for each in [None, Some(0), Some(1), Some(5), Some(u64::MAX)] {
                let mut found = Vec::new();
                let whole = stream_over(set, &group, values, &tile, each, |block| {
                    found.extend_from_slice(block.entries);
                    Ok::<_, CharacterError>(ControlFlow::Continue(()))
                });
                assert_eq!(whole, Ok(true));
                assert!(found == expected, "{set:?} {each:?}");
            }
            let (mut one, mut all) = (Vec::new(), Vec::new());
            let go_on = |_: &Block<'_, V>| ControlFlow::Continue(());
            let context = Characters::new(&Device::host());
            context.write_checked(&group, values, &tile, Form::Npy, &mut one, go_on).unwrap();
            write_checked_over(set, &group, values, &tile, Form::Npy, &mut all, go_on).unwrap();
            assert_eq!(one, all);
        }
        let stop = |_: &Block<'_, V>| ControlFlow::Break(());
        let stopped = write_checked_over(set, &group, values, &Tile::whole(), Form::Text, Vec::new(), stop);
        assert!(matches!(stopped, Err(StreamError::Stopped { done: 0, .. })));
    }
    let sets = [
        DeviceSet::from(Device::host()),
        DeviceSet::equal(vec![Device::host_with(1).unwrap(); 2]).unwrap(),
        DeviceSet::equal([devices(), vec![Device::host_with(2).unwrap()]].concat()).unwrap(),
    ];
    for set in &sets {
        check(set, &[3, 4, 2], &Exponents::<u8>::new());
        check(set, &[5, 31], &Residues::new(PrimeField::<u32>::new(311).unwrap()));
        check(set, &[4, 9], &Complexes::<f64>::new());
        assert_eq!(set.failures(), []);
        // 256 KB of entries by devices of 40 KB.
        let (group, values) = (group(&[2; 9]), Exponents::<u8>::new());
        let entries = table_over(set, &group, &values, &Tile::whole()).unwrap();
        let control = Control::new().with_limit_bytes(40_000);
        let mut by_blocks = Vec::new();
        control
            .run(|| {
                stream_over(set, &group, &values, &Tile::whole(), Some(16), |block| {
                    by_blocks.extend_from_slice(block.entries);
                    Ok::<_, CharacterError>(ControlFlow::Continue(()))
                })
            })
            .unwrap();
        assert!(by_blocks == entries);
    }
}
