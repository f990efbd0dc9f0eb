//! `cargo xtask docs`: the API documentation, warnings being errors, and the book.

use std::path::Path;
#[cfg(feature = "book")]
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::metadata;
use crate::shell;

/// Builds the API documentation and the book.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Open the book in a browser afterwards
    #[arg(long)]
    open: bool,
    /// Only build the API documentation
    #[arg(long, conflicts_with = "open")]
    no_book: bool,
}

/// `cargo xtask docs`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let documented = interface();
    if arguments.no_book {
        return documented;
    }
    book()?;
    documented?;
    let target = metadata::workspace()?.target_directory;
    let book = target.join("book").join("index.html");
    eprintln!("docs: {}", target.join("doc").join("manycore").join("index.html").display());
    eprintln!("docs: {}", book.display());
    if arguments.open { open(&book) } else { Ok(()) }
}

/// The API documentation.
pub(crate) fn interface() -> Result<()> {
    // Libraries only: the program `manycore` and the library `manycore` would write the same pages.
    let mut rustdoc = shell::cargo();
    rustdoc.args(["doc", "--workspace", "--no-deps", "--lib"]).env("RUSTDOCFLAGS", "-D warnings");
    shell::run(&mut rustdoc)
}

/// The book.
pub(crate) fn book() -> Result<()> {
    // mdBook's library is large, so it is a feature that only this command turns on, compiled for a quick build.
    let mut book = shell::cargo();
    book.args(["run", "--quiet", "--package", "manycore-xtask", "--features", "book", "--", "build-book"]);
    book.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0").env("CARGO_PROFILE_DEV_DEBUG", "0");
    shell::run(&mut book).context("the book was not built")
}

fn open(page: &Path) -> Result<()> {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    if shell::find_program(program).is_none() {
        bail!("no program to open {} with", page.display());
    }
    shell::run(shell::command(program).arg(page))
}

/// Builds `docs/` into the target folder's `book`.
#[cfg(feature = "book")]
pub(crate) fn build_book() -> Result<()> {
    use mdbook_driver::MDBook;

    let out: PathBuf = metadata::workspace()?.target_directory.join("book");
    let mut book = MDBook::load(shell::root().join("docs"))?;
    book.config.build.build_dir.clone_from(&out);
    book.build()?;
    // mdBook copies every file that is no page, so also the crate that compiles the book's examples.
    let copied = out.join("lib.rs");
    if copied.is_file() {
        std::fs::remove_file(&copied).with_context(|| format!("cannot remove {}", copied.display()))?;
    }
    eprintln!("docs: the book has {} chapters", book.iter().filter(|item| is_chapter(item)).count());
    Ok(())
}

#[cfg(feature = "book")]
fn is_chapter(item: &mdbook_driver::book::BookItem) -> bool {
    matches!(item, mdbook_driver::book::BookItem::Chapter(_))
}
