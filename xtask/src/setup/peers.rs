//! Packages for the compilation of other codes, for `cargo xtask bench --peers`.

use std::path::PathBuf;

use super::apt;
use crate::shell;

/// Something that must be there, and the Debian package that holds it.
struct Need {
    package: &'static str,
    what: What,
}

enum What {
    Program(&'static str),
    /// A file in a folder of headers.
    Header(&'static str),
}

use What::{Header, Program};

/// FLINT's build takes all but the last ones, which are codes of their own.
const NEEDS: &[Need] = &[
    Need { package: "gcc", what: Program("cc") },
    Need { package: "g++", what: Program("c++") },
    Need { package: "make", what: Program("make") },
    Need { package: "m4", what: Program("m4") },
    Need { package: "autoconf", what: Program("autoreconf") },
    Need { package: "automake", what: Program("automake") },
    Need { package: "libtool", what: Program("libtoolize") },
    Need { package: "libgmp-dev", what: Header("gmp.h") },
    Need { package: "libmpfr-dev", what: Header("mpfr.h") },
    Need { package: "libntl-dev", what: Header("NTL/lzz_pX.h") },
    Need { package: "fflas-ffpack", what: Header("fflas-ffpack/ffpack/ffpack.h") },
    Need { package: "libopenblas-dev", what: Header("cblas.h") },
    Need { package: "libgraphblas-dev", what: Header("GraphBLAS.h") },
];

/// Installs what is missing where that is allowed, and gives the features of the benches that can be built then.
pub(crate) fn set_up() -> &'static str {
    let packages = missing(is_there);
    if !packages.is_empty() {
        apt::install(&packages);
    }
    let packages = missing(is_there);
    if !packages.is_empty() {
        eprintln!("setup: still missing: {}; the report names the codes that are left out", packages.join(" "));
    }
    features(&packages)
}

/// Packages of independent peers, whose absence the build of the benches detects.
const OWN: [&str; 4] = ["libntl-dev", "fflas-ffpack", "libopenblas-dev", "libgraphblas-dev"];

/// Without its packages FLINT would fail to compile.
fn features(missing: &[&str]) -> &'static str {
    if missing.iter().all(|package| OWN.contains(package)) { "peers" } else { "ntl,ffpack,graphblas,rust-peers" }
}

fn missing(is_there: impl Fn(&What) -> bool) -> Vec<&'static str> {
    NEEDS.iter().filter(|need| !is_there(&need.what)).map(|need| need.package).collect()
}

fn is_there(what: &What) -> bool {
    match what {
        Program(name) => shell::find_program(name).is_some(),
        Header(name) => {
            let mut folders: Vec<PathBuf> = ["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"]
                .iter()
                .filter_map(std::env::var_os)
                .flat_map(|paths| std::env::split_paths(&paths).collect::<Vec<_>>())
                .collect();
            folders.extend(["/usr/include", "/usr/local/include"].map(PathBuf::from));
            folders.push(format!("/usr/include/{}-linux-gnu", std::env::consts::ARCH).into());
            folders.iter().any(|folder| folder.join(name).is_file())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{OWN, What, features, is_there, missing};

    #[test]
    fn what_is_missing_becomes_packages() {
        assert!(missing(|_| true).is_empty());
        let packages = missing(|what| matches!(what, What::Program(_)));
        assert_eq!(packages[..2], ["libgmp-dev", "libmpfr-dev"]);
        assert_eq!(packages[2..], OWN);
        let without_flint = "ntl,ffpack,graphblas,rust-peers";
        assert_eq!([features(&packages), features(&OWN), features(&[])], [without_flint, "peers", "peers"]);
        assert!(!is_there(&What::Header("no/such/header.h")) && !is_there(&What::Program("no-such-program")));
    }
}
