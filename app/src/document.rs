//! The whole document: head, header, page, footer.

use std::fmt::Write as _;
use std::sync::Arc;

use hydration_context::SsrSharedContext;
use leptos::prelude::*;
use paretoscope_domain::vocabulary::Vocabulary;

use crate::pages::{self, Page};
use crate::parts::{Block, islands};

/// What every page of a site shares.
pub struct Site {
    /// Address of the style sheet.
    pub css: String,
    /// Address of the islands' JavaScript.
    pub js: String,
    /// Address of the islands' WebAssembly.
    pub wasm: String,
    /// Address of plotly.
    pub plotly: String,
    /// Address of the icon.
    pub icon: String,
    /// `https://host` without a slash at its end; empty where it is not set.
    pub public_url: String,
    /// The benchmark's repository, `owner/name`: the one whose pull requests have pages here.
    pub repo: String,
    /// Words for keys.
    pub words: Arc<Vocabulary>,
    /// Version of the program.
    pub version: &'static str,
}

/// What a page says of itself in its head.
pub(crate) struct Head {
    /// Title, without the site's name.
    pub(crate) title: String,
    /// Description, a sentence or two.
    pub(crate) description: String,
    /// Address of the page: path and canonical query.
    pub(crate) path: String,
    /// Path of the preview image.
    pub(crate) image: Option<String>,
    /// Path of the navigation's entry that the page belongs to.
    pub(crate) nav: &'static str,
}

/// Name of the site.
pub(crate) const NAME: &str = "Paretoscope";

/// Sets the chosen theme before anything is painted. The key is that of the theme island.
const THEME_SCRIPT: &str =
    r#"try{const t=localStorage.getItem("theme");if(t==="light"||t==="dark")document.documentElement.dataset.theme=t}catch{}"#;

/// Loads the islands. The addresses stand in the head, so that the text is the same on every page and a policy can name its hash.
const BOOT_SCRIPT: &str = r#"
const href = id => document.getElementById(id).href;
const app = await import(href("app-js"));
const visit = async (node, entered) => {
  if (node.localName === "leptos-island") {
    const hydrate = app[node.dataset.component];
    if (hydrate) { entered?.(); await hydrate(node); }
    else console.error(`no island ${node.dataset.component}`);
  } else if (node.localName === "leptos-children") {
    entered = node.$$on_hydrate;
  }
  for (const child of [...node.children]) await visit(child, entered);
};
await app.default({ module_or_path: href("app-wasm") });
app.hydrate();
await visit(document.body);
document.documentElement.dataset.hydrated = "";
"#;

/// The scripts inside pages, byte for byte, for a content security policy. JSON data blocks are not scripts.
pub const INLINE_SCRIPTS: &[&str] = &[THEME_SCRIPT, BOOT_SCRIPT];

/// Renders a page: the whole document, complete without JavaScript.
#[must_use]
pub fn render(site: &Site, page: Page) -> String {
    let owner = Owner::new_root(Some(Arc::new(SsrSharedContext::new_islands())));
    let (head, body) = owner.with(|| {
        let (head, content) = match page {
            Page::Home(page) => pages::home(site, page),
            Page::Runs(page) => pages::runs(site, page),
            Page::Run(page) => pages::run(site, *page),
            Page::Point(page) => pages::point(site, *page),
            Page::Pulls(page) => pages::pulls(site, page),
            Page::Pull(page) => pages::pull(site, *page),
            Page::Cookbook(page) => pages::cookbook(site, page),
            Page::Changelog(page) => pages::changelog(site, *page),
            Page::Compare(page) => pages::compare(site, *page),
            Page::Inference(page) => pages::inference(site, *page),
            Page::Evaluation(page) => pages::evaluation(site, *page),
            Page::Problem(page) => pages::problem(site, page),
        };
        let body = frame(site, head.nav, content).to_html();
        (head, body)
    });
    owner.unset();
    let mut out = String::with_capacity(body.len() + 4096);
    write_head(&mut out, site, &head);
    out.push_str(&body);
    let _ = writeln!(out, "<script type=\"module\">{BOOT_SCRIPT}</script></body></html>");
    out
}

/// Text for an attribute or an element.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

fn write_head(out: &mut String, site: &Site, head: &Head) {
    let Site { css, js, wasm, plotly, icon, public_url, repo: _, words: _, version: _ } = site;
    let title = escaped(&if head.title.is_empty() { NAME.to_owned() } else { format!("{} · {NAME}", head.title) });
    let description = escaped(&head.description);
    let address = escaped(&format!("{public_url}{}", head.path));
    let [css, js, wasm, plotly, icon] = [css, js, wasm, plotly, icon].map(|url| escaped(url));
    // Writing to a string does not fail.
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\" data-plotly=\"{plotly}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><meta name=\"description\" content=\"{description}\">\
         <script>{THEME_SCRIPT}</script>\
         <link rel=\"stylesheet\" href=\"{css}\"><link rel=\"icon\" href=\"{icon}\" type=\"image/svg+xml\">\
         <link rel=\"canonical\" href=\"{address}\">\
         <link id=\"app-js\" rel=\"modulepreload\" href=\"{js}\">\
         <link id=\"app-wasm\" rel=\"preload\" href=\"{wasm}\" as=\"fetch\" type=\"application/wasm\" crossorigin>\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <meta property=\"og:site_name\" content=\"{NAME}\"><meta property=\"og:type\" content=\"website\">\
         <meta property=\"og:title\" content=\"{title}\"><meta property=\"og:description\" content=\"{description}\">\
         <meta property=\"og:url\" content=\"{address}\">"
    );
    if let Some(image) = &head.image {
        let image = escaped(&format!("{public_url}{image}"));
        let _ = write!(
            out,
            "<meta property=\"og:image\" content=\"{image}\"><meta property=\"og:image:width\" content=\"1200\">\
             <meta property=\"og:image:height\" content=\"630\"><meta name=\"twitter:card\" content=\"summary_large_image\">\
             <meta name=\"twitter:image\" content=\"{image}\">"
        );
    } else {
        out.push_str("<meta name=\"twitter:card\" content=\"summary\">");
    }
    out.push_str("</head><body>");
}

/// Places in the header: path, title.
const NAV: [(&str, &str); 7] = [
    ("/runs", "Runs"),
    ("/pulls", "Pull requests"),
    ("/cookbook", "Cookbook"),
    ("/changelog", "Changelog"),
    ("/inference", "Inference"),
    ("/evaluation", "Evaluation"),
    ("/api/v1/openapi.json", "API"),
];

fn frame(site: &Site, here: &'static str, content: Block) -> impl IntoView + use<> {
    let links = NAV
        .iter()
        .map(|(href, text)| view! { <li><a href=*href aria-current=(*href == here).then_some("page")>{*text}</a></li> })
        .collect_view();
    let version = site.version.to_owned();
    view! {
        <a class="skip" href="#main">"Skip to the content"</a>
        <header class="site-head">
            <a class="brand" href="/" aria-current=(here == "/").then_some("page")>
                <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="M2 2v12h12" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M4 11C5 7 7 5 13 4" fill="none" stroke="currentColor" stroke-width="1.5"/><circle cx="6.2" cy="7" r="1.6" fill="currentColor"/><circle cx="10" cy="4.7" r="1.6" fill="currentColor"/></svg>
                {NAME}
            </a>
            <nav aria-label="Site"><ul>{links}</ul></nav>
            {islands::theme()}
        </header>
        <main id="main" tabindex="-1">{content}</main>
        <footer class="site-foot">
            <p>
                {format!("{NAME} {version}, Apache-2.0. Benchmark and its data: ")}
                <a href="https://github.com/SemiAnalysisAI/InferenceX" rel="noopener">"InferenceX"</a>
                ", Apache-2.0. Times are UTC."
            </p>
        </footer>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_stand_in_pages_byte_for_byte() {
        assert!(INLINE_SCRIPTS.iter().all(|s| !s.contains("</") && !s.is_empty()));
    }
}
