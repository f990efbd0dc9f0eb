//! The book of Manycore: its pages' examples, and the README's, are compiled and run as documentation tests.
//!
//! The program `figures` of this package draws the book's pictures.

/// One item for each page, seen by the documentation tests alone: the pages link to each other as the book does.
macro_rules! pages {
    ($($name:ident: $file:literal,)*) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!($file)]
            mod $name {}
        )*

        #[cfg(test)]
        const PAGES: &[(&str, &str)] = &[$(($file, include_str!($file))),*];
    };
}

pages! {
    readme: "../../README.md",
    introduction: "introduction.md",
    for_algebra: "for-algebra.md",
    for_cryptography: "for-cryptography.md",
    for_scheduling: "for-scheduling.md",
    for_sparse: "for-sparse.md",
    for_gpus: "for-gpus.md",
    first_program: "first-program.md",
    installing: "installing.md",
    program: "program.md",
    numbers: "numbers.md",
    messages: "messages.md",
    pages: "pages.md",
    python: "python.md",
    c: "c.md",
    devices: "devices.md",
    several: "several.md",
    data: "data.md",
    walsh: "walsh.md",
    reed_muller: "reed-muller.md",
    arithmetic: "arithmetic.md",
    haar: "haar.md",
    ntt: "ntt.md",
    polynomials: "polynomials.md",
    division: "division.md",
    series: "series.md",
    trees: "trees.md",
    bivariate: "bivariate.md",
    codes: "codes.md",
    linalg: "linalg.md",
    semirings: "semirings.md",
    maxplus: "maxplus.md",
    sorting: "sorting.md",
    sparse: "sparse.md",
    characters: "characters.md",
    boolean: "boolean.md",
    kronecker: "kronecker.md",
    fourier: "fourier.md",
    cluster: "cluster.md",
    verification: "verification.md",
    scale: "scale.md",
    model: "model.md",
    costs: "costs.md",
    choices: "choices.md",
    caches: "caches.md",
    predictions: "predictions.md",
    architecture: "architecture.md",
    kernels: "kernels.md",
    testing: "testing.md",
    measuring: "measuring.md",
    api: "api.md",
    preconditions: "preconditions.md",
    limits: "limits.md",
    papers: "papers.md",
    errata: "errata.md",
    glossary: "glossary.md",
    sources: "sources.md",
}

#[cfg(test)]
mod tests {
    use super::PAGES;

    const SUMMARY: &str = include_str!("SUMMARY.md");

    #[test]
    fn every_page_is_in_the_summary_and_every_line_of_it_is_a_page() {
        for (file, _) in &PAGES[1..] {
            assert!(SUMMARY.contains(&format!("({file})")), "SUMMARY.md does not list {file}");
        }
        assert_eq!(SUMMARY.matches(".md)").count(), PAGES.len() - 1);
    }

    #[test]
    fn links_between_pages_lead_somewhere() {
        for (file, text) in &PAGES[1..] {
            for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                let (page, heading) = target.split_once('#').unwrap_or((target, ""));
                if page.contains("://") || page.starts_with("../") {
                    continue;
                }
                let page = if page.is_empty() { file } else { page };
                let found = PAGES.iter().find(|(known, _)| *known == page);
                let (_, found) = found.unwrap_or_else(|| panic!("{file}: no page {page}"));
                let anchors = found.lines().filter(|line| line.starts_with('#')).map(anchor);
                assert!(heading.is_empty() || anchors.into_iter().any(|a| a == heading), "{file}: no heading {target}");
            }
        }
    }

    /// The name that mdBook gives a heading.
    fn anchor(heading: &str) -> String {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        text.chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect()
    }
}
