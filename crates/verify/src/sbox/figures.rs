//! The check of two figures of many S-boxes, computed again by plain loops: nonlinearity and differential uniformity.

use super::{Bits, count_differences, walsh_of_signs};
use crate::threads::each_run;
use crate::{CheckError, Outcome, Passed, reserved};

/// Whether these are the nonlinearities `(2^m - max |W(a, b)|) / 2` with `b != 0` and the differential uniformities
/// `max #{x : S(x) + S(x + a) = b}` with `a != 0` of these S-boxes, each of which comes with its output bits. No wrong one passes.
/// `m 2^(m+n)` additions and `2^(2m)` look-ups an S-box.
///
/// ```
/// use manycore_verify::sbox::check_figures;
/// let cube = [0, 1, 3, 4, 5, 6, 7, 2];
/// assert!(check_figures(&[(3, &cube)], &[2], &[2]).is_ok());
/// assert!(check_figures(&[(3, &cube)], &[2], &[4]).is_err());
/// ```
///
/// # Errors
/// [`CheckError::Length`] for too few or too many figures; [`CheckError::Value`] with the number of the S-box as the run, at index
/// 0 for a nonlinearity and 1 for a uniformity; [`CheckError::Shape`] for outputs that are no S-box of 1 to 16 bits;
/// [`CheckError::TooLarge`].
pub fn check_figures(sboxes: &[(u32, &[u16])], nonlinearities: &[u32], uniformities: &[u32]) -> Outcome {
    for found in [nonlinearities.len(), uniformities.len()] {
        if found != sboxes.len() {
            return Err(CheckError::Length { found, expected: sboxes.len() });
        }
    }
    let work = sboxes.iter().map(|(output_bits, outputs)| outputs.len() << (*output_bits).min(16)).max().unwrap_or(0);
    each_run(sboxes.len(), work, |run| {
        let (output_bits, outputs) = sboxes[run];
        let bits = Bits::new(output_bits, outputs)?;
        let right = [nonlinearity(bits, outputs)?, uniformity(bits, outputs)?];
        let found = [nonlinearities[run], uniformities[run]];
        match (0..2).find(|&index| found[index] != right[index]) {
            None => Ok(()),
            Some(index) => Err(CheckError::Value {
                run,
                index,
                found: found[index].to_string(),
                expected: right[index].to_string(),
            }),
        }
    })?;
    Ok(Passed::by_second_computation("every figure from a second computation of both tables"))
}

fn nonlinearity(bits: Bits, outputs: &[u16]) -> Result<u32, CheckError> {
    let (mut signs, mut row) = (reserved(bits.inputs())?, reserved(bits.inputs())?);
    let mut most = 0;
    for b in 1..bits.outputs() {
        signs.clear();
        signs.extend(outputs.iter().map(|&y| if (usize::from(y) & b).count_ones() % 2 == 1 { -1i16 } else { 1 }));
        walsh_of_signs(&mut signs, &mut row);
        most = row.iter().map(|w| w.unsigned_abs()).fold(most, u32::max);
    }
    Ok((bits.inputs() as u32 - most) / 2)
}

fn uniformity(bits: Bits, outputs: &[u16]) -> Result<u32, CheckError> {
    let mut counts = reserved(bits.outputs())?;
    counts.resize(bits.outputs(), 0u32);
    let mut most = 0;
    for a in 1..bits.inputs() {
        count_differences(outputs, a, &mut counts);
        most = counts.iter().copied().fold(most, u32::max);
    }
    Ok(most)
}

#[cfg(test)]
mod tests {
    use super::check_figures;
    use crate::CheckError;

    const PRESENT: [u16; 16] = [12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2];

    #[test]
    fn every_wrong_figure_is_found() {
        let identity: Vec<u16> = (0..16).collect();
        let sboxes: [(u32, &[u16]); 3] = [(4, &PRESENT), (4, &identity), (1, &[0, 0])];
        let (linear, different) = ([4, 0, 0], [4, 16, 2]);
        assert!(check_figures(&sboxes, &linear, &different).is_ok());
        assert!(check_figures(&[], &[], &[]).is_ok());
        for at in 0..3 {
            let (mut other, mut more) = (linear, different);
            other[at] ^= 1;
            more[at] += 2;
            let place = |outcome| match outcome {
                Err(CheckError::Value { run, index, .. }) => (run, index),
                other => panic!("{other:?}"),
            };
            assert_eq!(place(check_figures(&sboxes, &other, &different)), (at, 0));
            assert_eq!(place(check_figures(&sboxes, &linear, &more)), (at, 1));
        }
        let short = check_figures(&sboxes, &linear[..2], &different);
        assert!(matches!(short, Err(CheckError::Length { found: 2, expected: 3 })), "{short:?}");
        let shape = check_figures(&[(2, &[0, 1, 2])], &[0], &[2]);
        assert!(matches!(shape, Err(CheckError::Shape { .. })), "{shape:?}");
    }
}
