//! Figures of a Boolean function: of its values, its Walsh spectrum and its autocorrelation.

use manycore_operation::json::integer;
use manycore_verify::Outcome;
use manycore_verify::boolean_function::{self as check, Facts};
use serde_json::{Value as Json, json};

use super::facts::{Lines, counts, join, yes};
use crate::context::Boolean;
use crate::error::BooleanError;
use crate::function::{Properties, Spectrum};
use crate::table::{Anf, TruthTable};

/// The facts of a function with these spectra.
pub(super) fn of_spectra(
    boolean: &Boolean,
    f: &TruthTable,
    walsh: &Spectrum,
    autocorrelation: &Spectrum,
) -> Result<Facts, BooleanError> {
    let Properties { variables, weight, degree, terms, walsh: of_walsh, autocorrelation: of_r } =
        boolean.properties(f)?;
    Ok(Facts {
        variables,
        weight,
        balanced: of_walsh.is_balanced(),
        degree,
        terms,
        nonlinearity: of_walsh.nonlinearity(),
        linearity: of_walsh.linearity(),
        correlation_immunity: of_walsh.correlation_immunity(),
        resiliency: of_walsh.resiliency(),
        bent: of_walsh.is_bent(),
        plateaued: of_walsh.plateaued(),
        absolute_indicator: of_r.absolute_indicator(),
        sum_of_squares: of_r.sum_of_squares(),
        propagation_order: of_r.propagation_order(),
        strict_avalanche: of_r.strict_avalanche(),
        linear_structures: of_r.linear_structures(),
        walsh_sizes: boolean.histogram(walsh)?.absolute(),
        autocorrelation_sizes: boolean.histogram(autocorrelation)?.absolute(),
    })
}

/// The facts of a function.
pub(super) fn of(boolean: &Boolean, f: &TruthTable) -> Result<Facts, BooleanError> {
    let walsh = boolean.walsh(&boolean.upload(f)?)?;
    of_spectra(boolean, f, &walsh, &boolean.autocorrelation(&walsh)?)
}

/// Facts as JSON.
pub(super) fn json(facts: &Facts) -> Json {
    json!({
        "variables": facts.variables,
        "weight": facts.weight,
        "balanced": facts.balanced,
        "degree": facts.degree,
        "terms": facts.terms,
        "nonlinearity": facts.nonlinearity,
        "linearity": facts.linearity,
        "correlation_immunity": facts.correlation_immunity,
        "resiliency": facts.resiliency,
        "bent": facts.bent,
        "plateaued": facts.plateaued,
        "absolute_indicator": facts.absolute_indicator,
        "sum_of_squares": integer(facts.sum_of_squares as i128),
        "propagation_order": facts.propagation_order,
        "strict_avalanche": facts.strict_avalanche,
        "linear_structures": facts.linear_structures,
        "walsh_sizes": facts.walsh_sizes,
        "autocorrelation_sizes": facts.autocorrelation_sizes,
    })
}

/// Facts as text.
pub(super) fn lines(facts: &Facts) -> Lines {
    let optional = |value: Option<u64>| value.map_or_else(|| "none".to_owned(), |value| value.to_string());
    let structures = match facts.linear_structures.as_slice() {
        [] => "0 alone".to_owned(),
        basis => format!("spanned by {}", join(basis)),
    };
    vec![
        ("variables", facts.variables.to_string()),
        ("weight", facts.weight.to_string()),
        ("balanced", yes(facts.balanced)),
        ("algebraic degree", facts.degree.to_string()),
        ("terms", facts.terms.to_string()),
        ("nonlinearity", facts.nonlinearity.to_string()),
        ("linearity", facts.linearity.to_string()),
        ("correlation immunity", facts.correlation_immunity.to_string()),
        ("resiliency", optional(facts.resiliency.map(u64::from))),
        ("bent", yes(facts.bent)),
        ("plateaued amplitude", optional(facts.plateaued)),
        ("absolute indicator", facts.absolute_indicator.to_string()),
        ("sum-of-squares indicator", facts.sum_of_squares.to_string()),
        ("propagation order", facts.propagation_order.to_string()),
        ("strict avalanche", yes(facts.strict_avalanche)),
        ("linear structures", structures),
        ("|W(w)|", counts(&facts.walsh_sizes)),
        ("|r(a)|", counts(&facts.autocorrelation_sizes)),
    ]
}

/// Checks a normal form with its degree and the number of its terms.
pub(super) fn check_normal_form(anf: &Anf, variables: u32, words: &[u64]) -> Outcome {
    let (coefficients, degree, terms) = (anf.coefficients().words(), anf.degree(), anf.terms());
    check::check_normal_form(variables, words, check::NormalForm { coefficients, degree, terms })
}
