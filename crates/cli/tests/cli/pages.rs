//! Reports: whole pages that load nothing, with the figures that are known, and what is refused.

use crate::common::{Folder, manycore_with, read};

/// The S-box of the AES, by inversion in the field of 256 elements and an affine map (FIPS 197).
fn aes() -> String {
    let product = |mut a: u32, mut b: u32| {
        let mut sum = 0;
        while b != 0 {
            sum ^= if b & 1 == 1 { a } else { 0 };
            a = if a & 128 == 0 { a << 1 } else { a << 1 ^ 0x11b };
            b >>= 1;
        }
        sum
    };
    let inverse = |x: u32| (1..256).find(|&y| product(x, y) == 1).unwrap_or(0) as u8;
    let value = |x: u32| {
        let y = inverse(x);
        y ^ y.rotate_left(1) ^ y.rotate_left(2) ^ y.rotate_left(3) ^ y.rotate_left(4) ^ 0x63
    };
    (0..256).map(|x| value(x).to_string()).collect::<Vec<_>>().join(" ")
}

fn page(line: &str, input: &str) -> String {
    let page = manycore_with(&format!("{line} --device host --verify"), input.as_bytes()).output();
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"), "{line}");
    for outside in ["http:", "https:", "src=", "<link"] {
        assert!(!page.contains(outside), "{line}: {outside}");
    }
    for tag in ["section", "table", "tr", "td", "figure", "div", "details", "svg", "p", "ul"] {
        let opened = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{line}: {tag}");
    }
    page
}

/// What stands under a name among the figures at the top.
fn figure(page: &str, name: &str) -> String {
    let (_, rest) = page.split_once(&format!("<dt>{name}</dt><dd>")).unwrap_or_else(|| panic!("no figure {name}"));
    rest.split_once("</dd>").map_or("", |(value, _)| value).to_owned()
}

#[test]
fn the_aes_has_its_figures_beside_known_sboxes() {
    let page = page("sbox report -", &aes());
    assert_eq!(figure(&page, "nonlinearity"), "112");
    assert_eq!(figure(&page, "differential uniformity"), "4");
    assert_eq!(figure(&page, "algebraic degree"), "7");
    assert_eq!(page.matches("<figure class=\"heat\"").count(), 2);
    // This one, the known AES and inversion have the same figures.
    assert_eq!(page.matches(">112<span").count(), 3, "nonlinearities");
    assert!(page.contains("<td class=\"name\">random permutation</td>") && page.contains("affine map"));
}

#[test]
fn small_sboxes_stand_beside_present() {
    let page = page("sbox report - --hex", "c 5 6 b 9 0 a d 3 e f 8 4 7 1 2");
    assert_eq!((figure(&page, "nonlinearity"), figure(&page, "differential uniformity")), ("4".into(), "4".into()));
    assert!(page.contains(">PRESENT</td>"));
}

#[test]
fn bent_functions_have_flat_spectra() {
    let page = page("boolean report -", "x1 x2 + x3 x4 + x5 x6");
    assert_eq!((figure(&page, "nonlinearity"), figure(&page, "bent")), ("28".into(), "yes".into()));
    assert_eq!(page.matches("<figure class=\"heat\"").count(), 3);
    assert!(page.contains("x1 x2 + x3 x4 + x5 x6"));
}

#[test]
fn schedules_have_bars_for_every_task() {
    let page = page("maxplus report -", "dig,3\npour,2,dig\nfence,4\nwalls,5,pour\n<roof>,2,walls\n");
    assert_eq!((figure(&page, "length"), figure(&page, "critical tasks")), ("12".into(), "4".into()));
    assert_eq!(page.matches("class=\"task").count(), 5);
    assert!(page.contains("fence: 0 to 4, slack 8") && page.contains("&lt;roof&gt;") && !page.contains("<roof>"));
}

#[test]
fn sparse_matrices_have_a_spy_plot_for_each_order() {
    let matrix = "%%MatrixMarket matrix coordinate pattern general\n3 4 4\n1 1\n2 4\n3 2\n3 3\n";
    let page = page("sparse report - --words 2 --line 1", matrix);
    assert_eq!((figure(&page, "rows"), figure(&page, "non-zeros")), ("3".into(), "4".into()));
    assert_eq!(page.matches("<figure class=\"heat\"").count(), 5);
}

/// The row of each order: its misses, and whether it stands out.
fn orders(page: &str) -> Vec<(u64, bool)> {
    let (_, table) = page.split_once("<tbody>").expect("a table");
    let rows = table.split_once("</tbody>").expect("its end").0.split("<tr").skip(1);
    let row = |text: &str| {
        let (_, misses) = text.split_once("<td class=\"number\">").expect("misses");
        (misses.split_once('<').expect("a bar").0.parse().expect("a number"), text.starts_with(" class=\"best\""))
    };
    rows.map(row).collect()
}

#[test]
fn the_best_order_stands_out_alone() {
    // Of the workspace: no package has the data of the book.
    let karate = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data/karate.mtx");
    let karate = &std::fs::read_to_string(karate).unwrap();
    // A cache that holds the whole vector tells nothing, so that it is not the one taken without --words.
    let found = orders(&page("sparse report -", karate));
    let least = found.iter().map(|&(misses, _)| misses).min().unwrap();
    assert!(found.iter().any(|&(misses, _)| misses > least), "{found:?}");
    assert!(found.iter().all(|&(misses, best)| best == (misses == least)), "{found:?}");
    let all = page("sparse report - --words 1024", karate);
    assert_eq!(orders(&all), [(5, false); 5]);
    assert!(all.contains("All orders have the same misses"));
    assert!(
        manycore_with("sparse info -", karate.as_bytes())
            .output()
            .contains("no order saves misses: a cache of 131072 words")
    );
}

#[test]
fn pages_of_sboxes_in_hexadecimal_have_hexadecimal_axes() {
    let page = page("sbox report - --hex", "c 5 6 b 9 0 a d 3 e f 8 4 7 1 2");
    assert_eq!((page.matches("&quot;radix&quot;:16").count(), page.matches("&quot;radix&quot;:10").count()), (4, 0));
    assert!(page.contains("<td class=\"number\">f</td>"), "mask 15");
    assert!(page.contains("c 5 6 b 9 0 a d 3 e f 8 4 7 1 2"));
    let decimal = self::page("sbox report -", "12 5 6 11 9 0 10 13 3 14 15 8 4 7 1 2");
    assert!(!decimal.contains("&quot;radix&quot;:16") && decimal.contains("12 5 6 11"));
}

#[test]
fn curves_have_their_common_points() {
    // x = 1 and y = x + 1 meet in (1, 2) alone.
    let page = page("bivariate report - --modulus 7", "x - 1\ny - x - 1\n");
    let figures = ["points of the first", "points of the second", "common points"].map(|name| figure(&page, name));
    assert_eq!(figures, ["7", "7", "1"]);
    assert!(page.contains("&quot;marks&quot;:[[2,1]]"), "the common zero is marked");
    for class in ["none", "first", "second", "both"] {
        assert!(page.contains(&format!("</span>{class}</li>")), "{class} has a square");
    }
}

#[test]
fn choices_have_a_page_beside_their_text() {
    let folder = Folder::new();
    let text = folder.manycore("--device host explain walsh --n 2^16 --html choice.html").output();
    let page = read(&folder.path("choice.html"));
    assert!(page.contains("<tr class=\"best\">") && page.contains("<h1>Algorithms of walsh</h1>"), "{text}");
    // Candidates have no order, so that no line joins them: a bar each.
    assert!(
        !page.contains("<figure class=\"plot\">")
            && page.matches("class=\"bar\"").count() >= page.matches("<tr").count() - 1
    );
    let told = folder.manycore("--device host explain walsh --n 2^16 --html one.txt -o one.txt").error(2);
    assert!(told.contains("--html and -o name one file"), "{told}");
}

#[test]
fn plans_have_a_page_beside_their_outputs() {
    let folder = Folder::new();
    folder.file("a.txt", "0 3\n5 0\n");
    folder.file("plan.txt", "A = matrix a.txt\nB = product min-plus A A\nC = map A B: a - b\noutput C\n");
    let line = "--device host semiring plan plan.txt --html plan.html";
    assert_eq!(folder.manycore(line).output(), "0 0\n0 0\n");
    let page = read(&folder.path("plan.html"));
    for expected in ["The plan of plan.txt", "B: product", "C: elements", "accesses to memory"] {
        assert!(page.contains(expected), "{expected}");
    }
    let told = folder.manycore(&format!("{line} -o plan.html")).error(2);
    assert!(told.contains("--html and -o name one file"), "{told}");
}

#[test]
fn what_a_page_has_no_room_for_is_refused() {
    let error = |line: &str, text: &str| manycore_with(&format!("{line} --device host"), text.as_bytes()).error(2);
    let identity = (0..1u32 << 13).map(|x| x.to_string()).collect::<Vec<_>>().join(" ");
    assert!(error("sbox report -", &identity).contains("a page has room for 12"));
    assert!(error("bivariate report - --modulus 2147483647", "x\ny\n").contains("up to 1024 elements"));
    assert!(error("bivariate report - --exact", "x\ny\n").contains("--modulus"));
    for line in
        ["sbox report -", "boolean report -", "maxplus report -", "sparse report -", "bivariate report - --modulus 7"]
    {
        assert!(error(&format!("{line} --json"), "0 1").contains("has no JSON form"), "{line}");
        assert!(error(&format!("{line} -o page.npy"), "0 1").contains("no .npy array"), "{line}");
    }
}
