//! What became of a fault: the result with it beside the result without it.

use crate::cases::Precision;
use crate::trial::End;

/// What became of a fault.
#[derive(Debug, PartialEq)]
pub(crate) enum Outcome {
    /// The program refused the result and wrote nothing, or did the work again and wrote the right one.
    Caught,
    /// The result is right.
    Harmless,
    /// A wrong result was written.
    Missed(String),
    /// The program neither wrote nor refused as it should: it panicked, a signal ended it, it did not end, or it wrote and failed.
    Broken(String),
}

impl Outcome {
    /// Compares what a run with a fault did with what was written or answered without one.
    pub(crate) fn of(end: &End, right: &[u8], precision: Precision) -> Self {
        let answers = precision == Precision::Answer;
        let shown = |text: &[u8]| String::from_utf8_lossy(text).chars().take(200).collect::<String>();
        match end {
            End::Refused => Self::Caught,
            End::Broken(what) => Self::Broken(what.clone()),
            End::Answered(told) if answers && told == right => Self::Harmless,
            End::Answered(told) => Self::Missed(format!("it answered {}", shown(told))),
            End::Written(written) if answers => Self::Missed(format!("it wrote {}", shown(written))),
            End::Written(written) if written == right => Self::Harmless,
            End::Written(written) => {
                let texts = str::from_utf8(written).ok().zip(str::from_utf8(right).ok());
                let missed = texts.map_or_else(
                    || Some(different_bytes(written, right)),
                    |(written, right)| difference(written, right, precision),
                );
                missed.map_or(Self::Harmless, Self::Missed)
            }
        }
    }

    /// The place among the four outcomes.
    pub(crate) fn column(&self) -> usize {
        match self {
            Self::Caught => 0,
            Self::Harmless => 1,
            Self::Missed(_) => 2,
            Self::Broken(_) => 3,
        }
    }
}

fn different_bytes(written: &[u8], right: &[u8]) -> String {
    let place = written.iter().zip(right).take_while(|(a, b)| a == b).count();
    format!("{} bytes that differ from byte {place} of {} on", written.len(), right.len())
}

/// The first difference that rounding does not explain.
///
/// With `n` numbers in the result, errors of `n` units of the last place of the largest one are taken for rounding: a sum of
/// `n` values in any order may be off by as much (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2), so no check
/// can call them wrong.
fn difference(written: &str, right: &str, precision: Precision) -> Option<String> {
    let (ours, theirs): (Vec<&str>, Vec<&str>) =
        (written.split_whitespace().collect(), right.split_whitespace().collect());
    if ours.len() != theirs.len() {
        return Some(format!("{} words instead of {}", ours.len(), theirs.len()));
    }
    let unit = match precision {
        Precision::Exact | Precision::Answer => 0.0,
        Precision::Double => f64::EPSILON,
        Precision::Single => f64::from(f32::EPSILON),
    };
    let numbers: Vec<f64> = theirs.iter().filter_map(|word| complex(word)).flatten().collect();
    let largest = numbers.iter().fold(0.0, |largest: f64, number| largest.max(number.abs()));
    let bound = unit * numbers.len() as f64 * largest;
    let near = |a: &str, b: &str| match (complex(a), complex(b)) {
        (Some(a), Some(b)) => bound > 0.0 && a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= bound),
        _ => false,
    };
    let place = (0..ours.len()).find(|&i| ours[i] != theirs[i] && !near(ours[i], theirs[i]))?;
    let differing = (0..ours.len()).filter(|&i| ours[i] != theirs[i] && !near(ours[i], theirs[i])).count();
    let shown = |word: &str| word.chars().take(40).collect::<String>();
    Some(format!(
        "{differing} of {} words differ, the first is {} instead of {}{}",
        ours.len(),
        shown(ours[place]),
        shown(theirs[place]),
        if bound > 0.0 { format!(", rounding gives {bound:e}") } else { String::new() }
    ))
}

/// The parts of `x` or of `x+yi`; `None` for other text.
fn complex(word: &str) -> Option<[f64; 2]> {
    let Some(word) = word.strip_suffix('i') else {
        return Some([word.parse().ok()?, 0.0]);
    };
    // The sign between the parts is the last one that is not an exponent's.
    let mut signs = word.char_indices().filter(|&(_, sign)| matches!(sign, '+' | '-'));
    let (at, _) = signs.rfind(|&(at, _)| at > 0 && !word[..at].ends_with(['e', 'E']))?;
    Some([word[..at].parse().ok()?, word[at..].parse().ok()?])
}

#[test]
fn outcomes_are_told_apart() {
    let of = |written: &str, right: &str, precision| {
        Outcome::of(&End::Written(written.as_bytes().to_vec()), right.as_bytes(), precision).column()
    };
    let (harmless, missed) = (1, 2);
    assert_eq!(Outcome::of(&End::Refused, b"1", Precision::Exact), Outcome::Caught);
    let broken = "signal 11 ended it".to_owned();
    assert_eq!(Outcome::of(&End::Broken(broken.clone()), b"1", Precision::Exact), Outcome::Broken(broken));
    let answer = |told: &str, precision| {
        Outcome::of(&End::Answered(told.as_bytes().to_vec()), b"no inverse", precision).column()
    };
    assert_eq!(answer("no inverse", Precision::Answer), harmless);
    assert_eq!(answer("another", Precision::Answer), missed);
    assert_eq!(answer("no inverse", Precision::Exact), missed);
    assert_eq!(of("no inverse", "no inverse", Precision::Answer), missed);
    assert_eq!(Outcome::of(&End::Written(vec![255, 1]), &[255, 2], Precision::Exact).column(), missed);
    assert_eq!(of("1\n2\n", "1\n2\n", Precision::Exact), harmless);
    assert_eq!(of("1\n3\n", "1\n2\n", Precision::Exact), missed);
    assert_eq!(of("1\n", "1\n2\n", Precision::Double), missed);
    assert_eq!(of("1.0000000000000002 4", "1 4", Precision::Double), harmless);
    assert_eq!(of("1.00000000000001 4", "1 4", Precision::Double), missed);
    assert_eq!(of("1.0000001 4", "1 4", Precision::Single), harmless);
    assert_eq!(of("1.0001 4", "1 4", Precision::Single), missed);
    assert_eq!(of("NaN 4", "1 4", Precision::Double), missed);
    assert_eq!(of("inf 4", "1 4", Precision::Double), missed);
    assert_eq!(of("1.0+0.0i 1e-17-1.0i", "1.0+1e-17i 0.0-1.0i", Precision::Double), harmless);
    assert_eq!(of("1.0+0.0i 0.0-1.0i", "1.0+0.0i 0.0+1.0i", Precision::Double), missed);
    assert_eq!(of("1.0 # (0,1)", "1.0 # (0,2)", Precision::Double), missed);
}
