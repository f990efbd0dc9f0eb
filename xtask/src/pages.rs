//! `cargo xtask pages`: makes every page of the program from real inputs, and clicks through each in a headless Chromium on a phone's
//! width and on a desk's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::{metadata, setup, shell};

/// Makes the program's pages and clicks through them in a headless browser.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Fail where there is no browser and none can be installed
    #[arg(long)]
    require: bool,
    /// Write a picture of each page, too
    #[arg(long)]
    pictures: bool,
}

/// Names of the browser's program.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];
/// A phone's width and a desk's, in pixels.
const WIDTHS: [u32; 2] = [390, 1280];
/// Runs before the scripts of a page.
const FIRST: &str =
    "<script>window.failures=[];addEventListener('error',e=>failures.push('script: '+e.message));</script>";
/// Runs after them.
const CLICKS: &str = include_str!("pages/clicks.js");
const AES: &str = include_str!("pages/aes.txt");
/// PRESENT's S-box, a bent function of eight variables, a system of two curves, a program over a semiring, and a schedule.
const TEXTS: [(&str, &str); 7] = [
    ("aes.txt", AES),
    ("present.txt", "12 5 6 11 9 0 10 13 3 14 15 8 4 7 1 2\n"),
    ("bent.txt", "x1 x2 + x3 x4 + x5 x6 + x7 x8\n"),
    ("curves.txt", "x^2 + y^2 - 5\nx*y - 2\n"),
    ("arcs.txt", "0 3 inf 1\ninf 0 4 inf\n1 inf 0 2\n7 1 inf 0\n"),
    (
        "plan.txt",
        "A = matrix arcs.txt\nB = product min-plus A A\nC = product min-plus B B\nD = map A C: a - b\noutput C\noutput D\n",
    ),
    ("plan.csv", "dig,3\npour,2,dig\nfence,4\nwalls,5,pour\nroof,2,walls;fence+1\nend,0,roof\n"),
];
/// Each page's name and the command that makes it; `@` stands for the data of the book.
const PAGES: [(&str, &str); 10] = [
    ("aes", "sbox report aes.txt --verify -o aes.html"),
    ("present", "sbox report present.txt -o present.html"),
    ("bent", "boolean report bent.txt --verify -o bent.html"),
    ("karate", "sparse report @karate.mtx --words 16 --line 2 --verify -o karate.html"),
    ("house", "maxplus report @house.csv --verify -o house.html"),
    ("plan", "maxplus report plan.csv -o plan.html"),
    ("curves", "bivariate report curves.txt --modulus 101 --verify -o curves.html"),
    ("walsh", "explain walsh --n 2^20 --html walsh.html"),
    ("program", "semiring plan plan.txt --html program.html --verify"),
    ("star", "explain maxplus-star --n 100 --html star.html"),
];

impl Arguments {
    /// As CI has it: there is a browser.
    pub(crate) fn required() -> Self {
        Self { require: true, pictures: false }
    }
}

/// `cargo xtask pages`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut build = shell::cargo();
    build.args(["build", "--workspace", "--bin", "manycore"]);
    shell::run(&mut build)?;
    let program = format!("manycore{}", std::env::consts::EXE_SUFFIX);
    run_with(&metadata::workspace()?.target_directory.join("debug").join(program), arguments)
}

/// As [`run`], by a program that is there.
pub(crate) fn run_with(program: &Path, arguments: &Arguments) -> Result<()> {
    let folder = metadata::workspace()?.target_directory.join("pages");
    fs::create_dir_all(&folder)?;
    for (name, text) in TEXTS {
        fs::write(folder.join(name), text)?;
    }
    let data = shell::root().join("docs").join("data");
    for (_, line) in PAGES {
        let mut command = Command::new(program);
        command.current_dir(&folder).args(["--device", "host", "--quiet"]);
        command.args(line.split(' ').map(|word| match word.strip_prefix('@') {
            Some(file) => data.join(file).into_os_string(),
            None => word.into(),
        }));
        shell::output(&mut command)?;
    }
    let Some(browser) = browser() else {
        if arguments.require {
            bail!("no Chromium to look at pages with");
        }
        eprintln!("pages: {} pages made in {}; no Chromium to click through them", PAGES.len(), folder.display());
        return Ok(());
    };
    let mut wrong = Vec::new();
    for (name, _) in PAGES {
        for width in WIDTHS {
            let told = click(&browser, &folder, name, width)?;
            eprintln!("pages: {name}: {told}");
            if !told.starts_with("right: ") {
                wrong.push(format!("{name} at {width} pixels: {told}"));
            }
            if arguments.pictures {
                picture(&browser, &folder, name, width)?;
            }
        }
    }
    if !wrong.is_empty() {
        bail!("{}", wrong.join("\n"));
    }
    Ok(())
}

/// The browser, which is installed where it is missing and may be.
fn browser() -> Option<PathBuf> {
    let find = || BROWSERS.iter().find_map(|name| shell::find_program(name));
    find().or_else(|| {
        setup::install(&["chromium"]);
        find()
    })
}

fn command(browser: &Path, (width, height): (u32, u32)) -> Command {
    let mut command = Command::new(browser);
    // A sandbox needs rights that a container has not; the pages are our own.
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]);
    command.arg(format!("--window-size={width},{height}"));
    command
}

/// The report of the script of clicks on a page in a frame of this width.
fn click(browser: &Path, folder: &Path, name: &str, width: u32) -> Result<String> {
    let page = fs::read_to_string(folder.join(format!("{name}.html")))?;
    let page = page.replacen("<head>", &format!("<head>{FIRST}"), 1);
    let page = page.replacen("</body>", &format!("<script>{CLICKS}</script></body>"), 1);
    let (inner, outer) = (format!("{name}-clicked.html"), folder.join(format!("{name}-frame.html")));
    fs::write(folder.join(&inner), page)?;
    fs::write(
        &outer,
        format!(
            "<!DOCTYPE html><pre id=\"verdict\"></pre><script>onmessage=e=>verdict.textContent=e.data</script>\
             <iframe src=\"{inner}\" style=\"width:{width}px;height:1200px;border:0\"></iframe>"
        ),
    )?;
    let mut command = command(browser, (width.max(500) + 50, 1400));
    command.args(["--virtual-time-budget=5000", "--dump-dom"]).arg(format!("file://{}", outer.display()));
    let dom = shell::output(&mut command)?;
    let told = dom.split_once("id=\"verdict\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let told = told.map_or("", |(told, _)| told);
    Ok(if told.is_empty() { "the page did not come to its end".to_owned() } else { told.to_owned() })
}

/// Writes a picture of a page beside it.
fn picture(browser: &Path, folder: &Path, name: &str, width: u32) -> Result<()> {
    let mut command = command(browser, (width, 3000));
    command.arg(format!("--screenshot={}", folder.join(format!("{name}-{width}.png")).display()));
    command.arg(format!("file://{}", folder.join(format!("{name}.html")).display()));
    shell::output(&mut command).map(drop)
}
