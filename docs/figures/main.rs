//! Draws the book's pictures into `docs/src/images`: `cargo run -p manycore-docs --bin figures`.
//!
//! Pages take the drawings in as text, so that they have the page's own colours. A test compares the committed files
//! with what this program draws.

mod condensation;
mod curves;
mod edges;
mod flow;
mod orders;
mod passes;
mod plot;
mod spy;
mod svg;

use std::path::PathBuf;

use anyhow::{Context, Result};

/// Writes a picture as text.
type Draw = fn() -> String;

/// Each picture: the file's name and what draws it.
const FIGURES: &[(&str, Draw)] = &[
    ("walsh-orders.svg", orders::draw),
    ("walsh-cooley-tukey.svg", flow::draw_cooley_tukey),
    ("walsh-constant-geometry.svg", flow::draw_constant_geometry),
    ("kronecker-flow.svg", edges::draw_kronecker),
    ("haar-flow.svg", edges::draw_haar),
    ("walsh-passes.svg", passes::draw_passes),
    ("walsh-bits.svg", passes::draw_bits),
    ("sparse-spy.svg", spy::draw),
    ("condensation-misses.svg", condensation::draw_misses),
    ("condensation-errors.svg", condensation::draw_errors),
    ("bivariate-curves.svg", curves::draw),
];

/// Pictures of measured figures, which the tests of other packages draw and compare.
#[cfg(test)]
const DRAWN_ELSEWHERE: &[(&str, &str)] = &[("predictions.svg", "crates/cluster/tests/predictions.rs")];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/images")
}

fn main() -> Result<()> {
    let folder = folder();
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for (name, draw) in FIGURES {
        let path = folder.join(name);
        std::fs::write(&path, draw()).with_context(|| format!("cannot write {}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{DRAWN_ELSEWHERE, FIGURES, folder};

    #[test]
    fn committed_pictures_are_current_and_stand_in_a_page() {
        let pages: String = std::fs::read_dir(folder().join(".."))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
            .map(|path| std::fs::read_to_string(path).unwrap())
            .collect();
        let stands = |name: &str| pages.contains(&format!("{{{{#include images/{name}}}}}"));
        for (name, draw) in FIGURES {
            let committed = std::fs::read_to_string(folder().join(name)).unwrap_or_default();
            assert!(committed == draw(), "{name}: run `cargo run -p manycore-docs --bin figures`");
            assert!(stands(name), "{name} stands in no page");
        }
        for (name, test) in DRAWN_ELSEWHERE {
            let test = std::fs::read_to_string(folder().join("../../..").join(test)).unwrap();
            assert!(test.contains(name), "{name} is drawn elsewhere");
            assert!(stands(name), "{name} stands in no page");
        }
        let names = FIGURES.iter().map(|(name, _)| *name).chain(DRAWN_ELSEWHERE.iter().map(|(name, _)| *name));
        let drawn: BTreeSet<String> = names.map(str::to_owned).collect();
        let committed = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name());
        let committed: BTreeSet<String> = committed.map(|name| name.into_string().unwrap()).collect();
        assert_eq!(committed, drawn, "pictures that are there, and pictures that are drawn");
    }
}
