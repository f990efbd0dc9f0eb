//! What every page must be: balanced, and alone.

/// Elements without an end.
const VOID: [&str; 5] = ["meta", "br", "wbr", "input", "link"];

/// Every tag has its end, in order. Script and style are taken as they are; drawings have ends of the form `/>` too.
pub(crate) fn assert_balanced(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let end = rest.find('>').expect("a tag ends");
        let (tag, after) = (&rest[..end], &rest[end + 1..]);
        rest = after;
        if tag.starts_with('!') || tag.ends_with('/') {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "within {open:?}");
            continue;
        }
        let name = tag.split([' ', '\n']).next().unwrap_or(tag);
        if name == "script" || name == "style" {
            let close = format!("</{name}>");
            let end = rest.find(&close).expect("a script ends");
            rest = &rest[end + close.len()..];
        } else if !VOID.contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
}

/// Nothing is loaded, nor named by an address.
pub(crate) fn assert_alone(page: &str) {
    for outside in [
        "http:",
        "https:",
        "//www",
        "src=",
        "<link",
        "<iframe",
        "@import",
        "url(h",
        "fetch(",
        "XMLHttpRequest",
        "import(",
    ] {
        assert!(!page.contains(outside), "{outside}");
    }
}
