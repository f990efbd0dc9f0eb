//! Lights Out, a system of linear equations modulo 2: a press turns a lamp and its neighbours over; all lamps are on, and are to be
//! off. Every board can be solved (Sutner 1989).
//!
//! ```text
//! cargo run --release -p manycore-linalg --example lights_out -- 20
//! ```

use manycore_device::Device;
use manycore_linalg::bits::{BitAlgebra, BitSolution};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let side: usize = std::env::args().nth(1).map_or(Ok(5), |text| text.parse())?;
    let lamps = side * side;
    let mut turns = vec![0u32; lamps * lamps];
    for press in 0..lamps {
        let (row, column) = (press / side, press % side);
        let lamp = |row: usize, column: usize| (row < side && column < side).then_some(row * side + column);
        let near = [lamp(row, column), lamp(row + 1, column), lamp(row, column + 1)];
        let before = [row.checked_sub(1).map(|row| row * side + column), column.checked_sub(1).map(|_| press - 1)];
        for lamp in near.into_iter().chain(before).flatten() {
            turns[lamp * lamps + press] = 1;
        }
    }
    let space = BitAlgebra::new(&Device::from_env()?);
    let (turns, on) = (space.of_residues(lamps, lamps, &turns)?, space.of_residues(lamps, 1, &vec![1u32; lamps])?);
    let (presses, others) = match space.solve(&turns, &on)? {
        BitSolution::Unique(presses) => (presses, 0),
        BitSolution::Affine { point, directions } => (point, directions.columns()),
        BitSolution::None => return Err("no presses turn all lamps off".into()),
    };
    let pressed: Vec<u32> = space.residues(&presses)?;
    for row in pressed.chunks(side.max(1)) {
        println!("{}", row.iter().map(|&press| if press == 1 { "o " } else { ". " }).collect::<String>());
    }
    let count = pressed.iter().filter(|&&press| press == 1).count();
    println!("{count} presses, one of 2^{others} solutions of {side} by {side} lamps");
    if space.equal(&space.mul(&turns, &presses)?, &on)? { Ok(()) } else { Err("lamps are on".into()) }
}
