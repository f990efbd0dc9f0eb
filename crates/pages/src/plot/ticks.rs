//! Ticks of an axis: multiples of 1, 2 or 5 times a power of ten, or powers of the base of a logarithmic axis.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};

use super::data::{Axis, Scale};

/// The ends of an axis and its ticks, as places: values of a linear axis, logarithms of another.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ticks {
    pub(super) low: f64,
    pub(super) high: f64,
    /// With a label.
    pub(super) bold: Vec<f64>,
    /// Without one.
    pub(super) light: Vec<f64>,
}

/// The axis as the drawing asks for it: places in proportion, and ticks as they were chosen.
impl Ranged for Ticks {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, place: &f64, (first, last): (i32, i32)) -> i32 {
        let part = (place - self.low) / (self.high - self.low);
        first + (part * f64::from(last - first)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { self.light.clone() } else { self.bold.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

/// Digits between the decades that a short axis has labels at.
const WITHIN: [f64; 4] = [2.0, 3.0, 5.0, 7.0];

impl Axis {
    /// A value's place on the axis.
    pub(super) fn place(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic(base) => value.log(base),
        }
    }

    /// The value at a place.
    pub(super) fn value(&self, place: f64) -> f64 {
        match self.scale {
            Scale::Linear => place,
            Scale::Logarithmic(base) => base.powf(place),
        }
    }

    /// The ticks of an axis that holds these values, with about `most` labels at the most.
    pub(super) fn ticks(&self, values: impl Iterator<Item = f64>, most: usize) -> Ticks {
        let ends = self.range.into_iter().flat_map(|(low, high)| [low, high]).filter(|&value| self.has(value));
        let places = values.chain(ends).map(|value| self.place(value));
        let (low, high) =
            places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
        if low > high {
            return Ticks { low: 0.0, high: 1.0, bold: Vec::new(), light: Vec::new() };
        }
        match self.scale {
            Scale::Logarithmic(base) => self.logarithmic(low, high, most, base),
            Scale::Linear => {
                let span = high - low;
                let pad = if span > 0.0 { 0.04 * span } else { (0.1 * high.abs()).max(0.5) };
                // An axis that begins or ends at 0 has no room past it.
                let kept = |end: f64, padded: f64| if end == 0.0 && span > 0.0 { 0.0 } else { padded };
                let (low, high) = (kept(low, low - pad), kept(high, high + pad));
                Ticks { low, high, bold: multiples(low, high, most, self.radix), light: Vec::new() }
            }
        }
    }

    fn logarithmic(&self, low: f64, high: f64, most: usize, base: f64) -> Ticks {
        let pad = if high > low { 0.03 * (high - low) } else { 0.5 / base.log2() };
        let (low, high) = (low - pad, high + pad);
        let whole: Vec<f64> = (low.ceil() as i64..=high.floor() as i64).map(|power| power as f64).collect();
        let step = whole.len().div_ceil(most.max(1)).max(1);
        let mut bold: Vec<f64> = whole.iter().copied().filter(|power| power.rem_euclid(step as f64) == 0.0).collect();
        let mut light = Vec::new();
        if (base - 10.0).abs() < 1e-9 && high - low < 8.0 {
            for decade in low.floor() as i64..=high.ceil() as i64 {
                let digits = (2..10).map(|digit| decade as f64 + f64::from(digit).log10());
                light.extend(digits.filter(|at| (low..=high).contains(at)));
            }
        }
        if bold.len() < 3 && (base - 10.0).abs() < 1e-9 {
            let named = |at: &f64| WITHIN.iter().any(|digit| (at.rem_euclid(1.0) - digit.log10()).abs() < 1e-9);
            bold.extend(light.iter().copied().filter(named));
        }
        if bold.len() < 2 {
            let (first, last) = (self.value(low), self.value(high));
            bold = multiples(first, last, most, self.radix)
                .into_iter()
                .filter(|&value| value > 0.0)
                .map(|value| self.place(value))
                .collect();
        }
        bold.sort_by(f64::total_cmp);
        Ticks { low, high, bold, light }
    }
}

/// The multiples, between two ends, of the least step of which there are about `most`: 1, 2 or 5 times a power of ten, or 1, 2, 4 or 8
/// times one of sixteen.
fn multiples(low: f64, high: f64, most: usize, radix: u32) -> Vec<f64> {
    let rough = (high - low) / most.max(1) as f64;
    if !(rough.is_finite() && rough > 0.0) {
        return Vec::new();
    }
    let base = f64::from(radix);
    let power = base.powf(rough.log(base).floor());
    let digits: &[f64] = if radix == 16 { &[1.0, 2.0, 4.0, 8.0] } else { &[1.0, 2.0, 5.0] };
    let step = digits.iter().map(|digit| digit * power).find(|&step| step >= rough).unwrap_or(base * power);
    let (first, last) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
    // Multiples of a step below 1 are quotients, whose digits end.
    let inverse = (1.0 / step).round();
    (first..=last).map(|at| if step < 1.0 { at as f64 / inverse } else { at as f64 * step }).collect()
}

#[cfg(test)]
mod tests {
    use super::{Axis, multiples};

    #[test]
    fn steps_are_one_two_or_five() {
        assert_eq!(multiples(0.0, 10.0, 5, 10), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(multiples(-0.25, 0.3, 6, 10), [-0.2, -0.1, 0.0, 0.1, 0.2, 0.3]);
        assert!(multiples(3.0, 3.0, 5, 10).is_empty());
        assert!(multiples(0.0, f64::INFINITY, 5, 10).is_empty());
        assert_eq!(multiples(0.0, 255.0, 8, 16), [0.0, 32.0, 64.0, 96.0, 128.0, 160.0, 192.0, 224.0]);
        let axis = Axis::linear("b").hexadecimal();
        assert_eq!(
            axis.ticks([0.0, 15.0].into_iter(), 5).bold.iter().map(|&at| axis.text(at)).collect::<Vec<_>>(),
            ["0", "4", "8", "c"]
        );
    }

    #[test]
    fn logarithms_have_powers_of_their_base() {
        let ticks = Axis::log2("n").ticks([1024.0, 1_048_576.0].into_iter(), 6);
        assert_eq!(ticks.bold, [10.0, 12.0, 14.0, 16.0, 18.0, 20.0]);
        assert!(ticks.low < 10.0 && ticks.high > 20.0);
        let ticks = Axis::log10("t").ticks([1e-6, 0.5].into_iter(), 8);
        assert_eq!(ticks.bold, [-6.0, -5.0, -4.0, -3.0, -2.0, -1.0]);
        assert!(ticks.light.len() > 40);
    }

    #[test]
    fn a_narrow_axis_still_has_labels() {
        for (low, high) in [(2.0, 4.0), (1.01, 1.02), (7.0, 7.0)] {
            let ticks = Axis::log10("t").ticks([low, high].into_iter(), 6);
            assert!(ticks.bold.len() >= 2, "{low} {high} {ticks:?}");
            assert!(ticks.bold.iter().all(|at| (ticks.low..=ticks.high).contains(at)));
        }
    }
}
