//! The page around its parts: head, style, script, a list of its sections.

use maud::{DOCTYPE, PreEscaped, html};

use crate::body::Body;
use crate::format::title;
use crate::plot;

const STYLE: &str = include_str!("assets/page.css");
const SCRIPT: &str = include_str!("assets/page.js");
/// What a browser may do with the page: nothing but show what is in it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
/// The least number of sections for which a page has a list of them.
const LISTED: usize = 3;

/// A page: its title and what stands under it.
#[derive(Debug, Clone, Default)]
pub struct Page {
    title: String,
    lead: Option<String>,
}

impl Page {
    /// A page of this title.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), lead: None }
    }

    /// A sentence or two under the title.
    #[must_use]
    pub fn lead(mut self, lead: impl Into<String>) -> Self {
        self.lead = Some(lead.into());
        self
    }

    /// The whole page as HTML in UTF-8, self-contained.
    pub fn html(&self, body: &Body) -> String {
        let sections = body.sections();
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    title { (self.title) }
                    style { (PreEscaped(STYLE)) (PreEscaped(plot::palette())) }
                }
                body {
                    main {
                        header {
                            h1 { (title(&self.title)) }
                            @if let Some(lead) = &self.lead { p.lead { (lead) } }
                        }
                        @if sections.len() >= LISTED {
                            nav aria-label="Sections" {
                                @for (id, title) in sections { a href={ "#" (id) } { (title) } " " }
                            }
                        }
                        (body.markup())
                    }
                    script { (PreEscaped(SCRIPT)) (PreEscaped(MORE_SCRIPTS.concat())) }
                }
            }
        };
        page.into_string()
    }
}

/// The scripts of parts that need one.
const MORE_SCRIPTS: [&str; 2] = [include_str!("assets/heat.js"), include_str!("assets/gantt.js")];
