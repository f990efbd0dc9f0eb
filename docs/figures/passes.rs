//! How 2^25 values go through a device with large local memory: two passes, and who holds which index bit meanwhile.

use crate::svg::{Anchor, BLUE, INK, ORANGE, Svg, power_of_two};

/// The values of the transform that is drawn.
const LOG_LEN: u32 = 25;
/// The values of a tile: 128 KiB of 4-byte words.
const LOG_TILE: u32 = 15;
/// The values of a work-item.
const LOG_REGS: u32 = 5;
/// The columns of a group, one segment of 128 bytes.
const LOG_SEGMENT: u32 = 5;
/// The values of one vector load.
const LOG_VECTOR: u32 = 2;

pub(crate) fn draw_passes() -> String {
    let mut svg = Svg::new(760, 480, "A transform of 2 to the 25 values in two passes: columns, then tiles");
    let rows = power_of_two(LOG_LEN - LOG_TILE);
    let columns = power_of_two(LOG_TILE);
    for (top, pass) in [(40, 1), (280, 2)] {
        let (left, width, height) = (60, 300, 160);
        svg.text((left, top - 12), Anchor::Start, &format!("pass {pass}: {}", ["columns", "tiles"][pass - 1]));
        svg.rectangle((left, top), (width, height), INK, 0);
        svg.text((left + width / 2, top + height + 18), Anchor::Middle, &format!("{columns} neighbours in memory"));
        svg.text((left - 8, top + height / 2 + 5), Anchor::End, &rows);
        svg.text((left - 8, top + height / 2 + 21), Anchor::End, "rows");
        if pass == 1 {
            for row in 0..10 {
                svg.rectangle((left + 90, top + 16 * row + 2), (14, 12), BLUE, 60);
            }
        } else {
            svg.rectangle((left, top + 66), (width, 12), BLUE, 60);
        }
        svg.arrow((left + width + 12, top + 66), 46);
        svg.arrow((left + width + 58, top + 90), -46);
        svg.text((left + width + 34, top + 58), Anchor::Middle, "load");
        svg.text((left + width + 34, top + 108), Anchor::Middle, "store");
        svg.rectangle((440, top), (110, height), BLUE, 15);
        svg.text((495, top + 30), Anchor::Middle, "one group");
        svg.rectangle((455, top + 44), (80, 44), ORANGE, 30);
        svg.text((495, top + 71), Anchor::Middle, "registers");
        svg.line((483, top + 88), (483, top + 108), INK, false);
        svg.line((507, top + 88), (507, top + 108), INK, false);
        svg.rectangle((455, top + 108), (80, 40), INK, 10);
        svg.text((495, top + 133), Anchor::Middle, "local");
        let items = power_of_two(LOG_TILE - LOG_REGS);
        let segment = power_of_two(LOG_SEGMENT);
        let lines = if pass == 1 {
            [
                format!("{segment} columns: {rows} segments"),
                "of 128 bytes".to_owned(),
                format!("bits {LOG_TILE} to {}", LOG_LEN - 1),
                "2 rounds of 5 bits".to_owned(),
            ]
        } else {
            [
                format!("{columns} neighbours:"),
                "128 KiB in one run".to_owned(),
                format!("bits 0 to {}", LOG_TILE - 1),
                "the load's 5, 2 rounds of 5".to_owned(),
            ]
        };
        for (i, line) in lines.iter().enumerate() {
            svg.text((562, top + 28 + 24 * i as i32), Anchor::Start, line);
        }
        svg.text((562, top + 124), Anchor::Start, &format!("{items} work-items"));
        svg.text((562, top + 148), Anchor::Start, "of 32 registers");
    }
    svg.finish()
}

/// Who holds an index bit.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Holder {
    Group,
    Item,
    Register,
}

/// One line of the second picture: its name, and the holder of each index bit from 0 up.
type Layout = (&'static str, [Holder; LOG_LEN as usize]);

/// A layout in which a group owns the bits `tile` and its registers hold `registers`.
fn layout(name: &'static str, tile: impl Fn(u32) -> bool, registers: impl Fn(u32) -> bool) -> Layout {
    let mut holders = [Holder::Group; LOG_LEN as usize];
    for (bit, holder) in (0..).zip(&mut holders) {
        if registers(bit) {
            *holder = Holder::Register;
        } else if tile(bit) {
            *holder = Holder::Item;
        }
    }
    (name, holders)
}

/// The rounds of both passes in their order.
fn layouts() -> [Layout; 5] {
    let column = |bit| !(LOG_SEGMENT..LOG_TILE).contains(&bit);
    let tile = |bit| bit < LOG_TILE;
    let width = |low: u32| low..low + LOG_REGS;
    let high = LOG_TILE - (LOG_REGS - LOG_VECTOR);
    [
        layout("columns: load, round 1", column, |bit| width(LOG_LEN - LOG_REGS).contains(&bit)),
        layout("columns: round 2, store", column, |bit| width(LOG_TILE).contains(&bit)),
        layout("tiles: load", tile, |bit| bit < LOG_VECTOR || (high..LOG_TILE).contains(&bit)),
        layout("tiles: round 1", tile, |bit| width(LOG_VECTOR).contains(&bit)),
        layout("tiles: round 2, store", tile, |bit| width(LOG_VECTOR + LOG_REGS).contains(&bit)),
    ]
}

pub(crate) fn draw_bits() -> String {
    const CELL: i32 = 22;
    let left = 185;
    let mut svg = Svg::new(750, 265, "Which index bits groups, work-items and registers hold in each round");
    let x = |bit: u32| left + CELL * (LOG_LEN - 1 - bit) as i32;
    svg.text((left - 10, 30), Anchor::End, "index bit");
    for bit in 0..LOG_LEN {
        svg.text((x(bit) + CELL / 2, 30), Anchor::Middle, &bit.to_string());
    }
    for (row, (name, holders)) in layouts().iter().enumerate() {
        let top = 42 + 36 * row as i32;
        svg.text((left - 10, top + 18), Anchor::End, name);
        for (bit, holder) in (0..).zip(holders) {
            let (colour, opacity, letter) = match holder {
                Holder::Group => (INK, 0, "g"),
                Holder::Item => (BLUE, 25, "i"),
                Holder::Register => (ORANGE, 55, "R"),
            };
            svg.rectangle((x(bit), top), (CELL - 2, 26), colour, opacity);
            svg.text((x(bit) + CELL / 2 - 1, top + 18), Anchor::Middle, letter);
        }
    }
    svg.text(
        (10, 245),
        Anchor::Start,
        "g: number of the group, i: number of the work-item, R: number of the register, transformed in this round",
    );
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::{Holder, LOG_LEN, LOG_REGS, LOG_TILE, layouts};

    #[test]
    fn every_bit_is_transformed_once() {
        let mut transformed = [0; LOG_LEN as usize];
        for (name, holders) in layouts() {
            let count = |holder| holders.iter().filter(|held| **held == holder).count() as u32;
            assert_eq!(count(Holder::Register), LOG_REGS, "{name}");
            assert_eq!(count(Holder::Item), LOG_TILE - LOG_REGS, "{name}");
            for (times, holder) in transformed.iter_mut().zip(holders) {
                *times += u32::from(holder == Holder::Register);
            }
        }
        assert_eq!(transformed, [1; LOG_LEN as usize]);
    }
}
