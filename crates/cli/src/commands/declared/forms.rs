//! Operations whose shards have a form of their own, by name.

use manycore::operation::Splits;

use super::called::Called;
use super::characters::Table;
use super::determinant::Determinant;
use super::own::Own;
use super::paths::{Star, Variants};
use super::polarities::Polarities;
use super::resultant::Resultant;
use super::rows::{Compared, Product};

/// What makes the form of a call.
type Form = for<'a> fn(&'a Called) -> Box<dyn Own + 'a>;

/// The forms, by the names of operations.
const FORMS: [(&str, Form); 8] = [
    ("bivariate resultant", |called| Box::new(Resultant(called))),
    ("characters", |called| Box::new(Table(called))),
    ("matrix det", |called| Box::new(Determinant(called))),
    ("maxplus star", |called| Box::new(Star(called))),
    ("maxplus variants", |called| Box::new(Variants(called))),
    ("sbox compare", |called| Box::new(Compared(called))),
    ("semiring product", |called| Box::new(Product(called))),
    ("spectrum polarities", |called| Box::new(Polarities(called))),
];

/// The form of a call, where it has one of its own.
pub(super) fn of(called: &Called) -> Option<Box<dyn Own + '_>> {
    let declaration = called.declaration();
    let (_, form) =
        FORMS.iter().find(|(name, _)| *name == declaration.name && declaration.splits == Some(Splits::Own))?;
    Some(form(called))
}

#[cfg(test)]
mod tests {
    use manycore::operation::Operation;
    use manycore::operations;

    use super::*;

    #[test]
    fn every_operation_with_shards_of_its_own_has_a_form() {
        let own = operations::all().map(Operation::declaration);
        let own: Vec<&str> = own.filter(|of| of.splits == Some(Splits::Own)).map(|of| of.name).collect();
        let mut forms = FORMS.map(|(name, _)| name);
        assert_eq!(own.len(), forms.len());
        forms.sort_unstable();
        assert!(own.iter().all(|name| forms.contains(name)), "{own:?}");
    }
}
