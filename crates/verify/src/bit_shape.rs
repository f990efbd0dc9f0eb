//! The shape of Reed-Muller and arithmetic transforms, for their checks.

use manycore_arrays::orders::BitOrder;

use crate::outcome::CheckError;
use crate::runs::Runs;

/// What Reed-Muller or arithmetic transforms a result holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BitShape {
    /// The variables of one function, which has two to their power values.
    pub variables: u32,
    /// The order of the coefficients.
    pub order: BitOrder,
    /// The variables that stand complemented.
    pub polarity: u64,
}

impl BitShape {
    /// The length of one transform.
    pub(crate) fn len(self) -> usize {
        1 << self.variables
    }

    /// The runs of an input and a result.
    pub(crate) fn runs(self, input: usize, result: usize) -> Result<Runs, CheckError> {
        if self.variables >= usize::BITS || u64::BITS.saturating_sub(self.polarity.leading_zeros()) > self.variables {
            let what = format!("functions of {} variables with the polarity {:#x}", self.variables, self.polarity);
            return Err(CheckError::Shape { what });
        }
        Runs::new(input, result, self.len())
    }

    /// The weights of the coefficients at a point, `(1, t)` for each index bit in their order.
    pub(crate) fn rows<T: Copy>(self, point: &[T], one: T) -> Vec<(T, T)> {
        let pairs = point.iter().map(|&t| (one, t));
        if self.order == BitOrder::Reversed { pairs.rev().collect() } else { pairs.collect() }
    }

    /// The weights of the values at the same point: `(1 - t, t)` for each variable, turned round where it is complemented.
    pub(crate) fn columns<T: Copy>(self, point: &[T], one_less: impl Fn(T) -> T) -> Vec<(T, T)> {
        let pairs = point.iter().map(|&t| (one_less(t), t)).enumerate();
        pairs.map(|(bit, (zero, one))| if self.polarity >> bit & 1 == 1 { (one, zero) } else { (zero, one) }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_that_are_none_are_refused() {
        let shape = BitShape { variables: 3, order: BitOrder::Natural, polarity: 7 };
        assert_eq!(shape.runs(16, 16).unwrap().count, 2);
        assert!(matches!(shape.runs(12, 12), Err(CheckError::Shape { .. })));
        assert!(matches!(shape.runs(16, 8), Err(CheckError::Length { .. })));
        assert!(matches!(BitShape { polarity: 8, ..shape }.runs(16, 16), Err(CheckError::Shape { .. })));
        assert!(matches!(BitShape { variables: 64, ..shape }.runs(16, 16), Err(CheckError::Shape { .. })));
    }
}
