//! The outcome of a comparison of two routes.

use std::fmt::Debug;

/// A comparison: what the result was compared with, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The second route.
    pub route: &'static str,
    /// What is wrong; nothing where both agree.
    pub fault: Option<String>,
}

impl Found {
    /// A result that agrees, or not.
    pub fn holds(route: &'static str, holds: bool, fault: impl FnOnce() -> String) -> Self {
        Self { route, fault: (!holds).then(fault) }
    }

    /// Values that should be the same.
    pub fn equal<T: PartialEq + Debug>(route: &'static str, found: &[T], expected: &[T]) -> Self {
        Self::near(route, found, expected, |a, b, _| a == b)
    }

    /// Values that should be near each other, as `near` says of a value, the expected one, and their index.
    pub fn near<T: Debug>(
        route: &'static str,
        found: &[T],
        expected: &[T],
        near: impl Fn(&T, &T, usize) -> bool,
    ) -> Self {
        if found.len() != expected.len() {
            let fault = format!("{} values instead of {}", found.len(), expected.len());
            return Self { route, fault: Some(fault) };
        }
        let mut wrong = (0..found.len()).filter(|&i| !near(&found[i], &expected[i], i));
        let Some(first) = wrong.next() else { return Self { route, fault: None } };
        let fault = format!(
            "value {first} is {:?} instead of {:?}; {} of {} values are wrong",
            found[first],
            expected[first],
            1 + wrong.count(),
            found.len()
        );
        Self { route, fault: Some(fault) }
    }

    /// The first of two comparisons that found something wrong, else the first.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        if self.fault.is_none() && other.fault.is_some() { other } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_wrong_value_is_told() {
        assert_eq!(Found::equal("x", &[1, 2], &[1, 2]).fault, None);
        let found = Found::equal("x", &[1, 2, 3], &[1, 5, 6]).fault.unwrap();
        assert_eq!(found, "value 1 is 2 instead of 5; 2 of 3 values are wrong");
        assert_eq!(Found::equal("x", &[1], &[]).fault.unwrap(), "1 values instead of 0");
    }

    #[test]
    fn nothing_is_near_what_is_no_number() {
        let near = |a: &f64, b: &f64, _: usize| (a - b).abs() <= 1.0;
        assert!(Found::near("x", &[f64::NAN], &[1.0], near).fault.is_some());
        assert!(Found::near("x", &[1.5], &[1.0], near).fault.is_none());
    }

    #[test]
    fn one_fault_is_enough() {
        let right = Found::holds("a", true, String::new);
        let wrong = Found::holds("b", false, || "fault".into());
        assert_eq!(right.clone().and(wrong.clone()), wrong);
        assert_eq!(wrong.clone().and(right.clone()), wrong);
        assert_eq!(right.clone().and(right.clone()), right);
    }
}
