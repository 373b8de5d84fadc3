//! The changelog: what was changed when, for which configurations, by which pull request, and which runs measured it.

use std::collections::BTreeSet;

use jiff::Timestamp;
use leptos::prelude::*;
use paretoscope_domain::repo::{Refused, names};
use paretoscope_review::changelog::{ChangelogGroup, ChangelogItem, LinkedRun};

use crate::document::{Head, Site};
use crate::parts::view::{badge, empty, inner, link, problems};
use crate::parts::{Block, words};
use crate::view_state::{ChangelogView, address};

/// What the page shows.
pub struct ChangelogPage {
    /// State of the view.
    pub view: ChangelogView,
    /// Groups of this page, newest first.
    pub groups: Vec<ChangelogGroup>,
    /// Entries that the filters let through, on all pages.
    pub total: usize,
    /// Cursor of the next page.
    pub next: Option<String>,
    /// The state of the main branch that is shown; `None` where none was synced.
    pub main: Option<ChangelogState>,
    /// What of its file could not be used.
    pub left_out: Vec<Refused>,
    /// Pull requests whose heads were synced and are not looked at unless asked for.
    pub further: Vec<i64>,
    /// Pull requests that have a page here.
    pub known_pulls: BTreeSet<i64>,
    /// Configuration keys, as suggestions.
    pub configs: Vec<String>,
    /// Parameters that could not be used, in words.
    pub problems: Vec<String>,
}

/// A state of the repository.
#[derive(Clone, Debug)]
pub struct ChangelogState {
    /// `owner/name`.
    pub repo: String,
    /// Commit, where known.
    pub commit: Option<String>,
    /// When it was made.
    pub committed_at: Option<Timestamp>,
    /// Where it is a retelling: what it is.
    pub retold: Option<String>,
}

pub(crate) fn changelog(_site: &Site, page: ChangelogPage) -> (Head, Block) {
    let ChangelogPage { view, groups, total, next, main, left_out, further, known_pulls, configs, problems: bad } = page;
    let found = words::count(total, "entry", "entries");
    let head = Head {
        title: "Changelog".to_owned(),
        description: format!("{} of the benchmark's changelog, by configuration and pull request, linked to runs.", words::capital(&found)),
        path: address("/changelog", &view.to_query()),
        image: None,
        nav: "/changelog",
    };
    let repo = main.as_ref().map(|state| state.repo.clone()).unwrap_or_default();
    let retold = main.as_ref().and_then(|state| state.retold.clone());
    let retold = retold.map(|text| view! { <p class="band synthetic"><strong>"RETOLD: "</strong>{text}</p> });
    let list = match (groups.is_empty(), &main) {
        (true, None) => empty("No checkout of the benchmark repository was read yet. Read one: `paretoscope repo sync PATH`."),
        (true, Some(_)) if view.is_filtered() || view.cursor.is_some() => view! {
            <div class="empty">
                <p>"No entry passes all filters."</p>
                <p><a href="/changelog">"Show all entries"</a></p>
            </div>
        }
        .into_any(),
        (true, Some(_)) => empty("The changelog of that state has no entry."),
        (false, _) => {
            let places = Places { repo: &repo, known_pulls: &known_pulls };
            let groups = groups.iter().map(|group| places.group(group)).collect_view();
            view! { <ol class="changes">{groups}</ol> }.into_any()
        }
    };
    let first = view.cursor.is_some().then(|| {
        let href = address("/changelog", &view.at(None).to_query());
        view! { <a href=href rel="first">"First page"</a> }
    });
    let next = next.map(|cursor| {
        let href = address("/changelog", &view.at(Some(&cursor)).to_query());
        view! { <a href=href rel="next">"Next page"</a> }
    });
    let pages =
        (first.is_some() || next.is_some()).then(|| view! { <nav class="pages" aria-label="Pages of the list">{first}{next}</nav> });
    let body = view! {
        {retold}
        <header class="page-head">
            <h1>"Changelog"</h1>
            <p class="meta">{found}</p>
            {main.as_ref().map(state)}
        </header>
        {problems(&bad)}
        {filters(&view, configs)}
        {further_heads(&further)}
        {list}
        {pages}
        {unusable(&left_out)}
    };
    (head, body.into_any())
}

/// Which state of the repository is shown.
fn state(state: &ChangelogState) -> Block {
    let ChangelogState { repo, commit, committed_at, retold: _ } = state;
    let commit = match commit.as_deref() {
        Some(sha) => {
            let href = format!("https://github.com/{repo}/commit/{sha}");
            view! { "commit " {link(Some(&href), words::short_sha(sha))} }.into_any()
        }
        None => "a commit that is not named".into_any(),
    };
    let at = committed_at.map(|at| view! { ", " <time datetime=at.to_string()>{words::time_words(at)}</time> });
    view! { <p class="fine">"Main branch of " {repo.clone()} " at " {commit} {at} ". The file gives no dates; the newest entry stands first."</p> }
        .into_any()
}

fn filters(view: &ChangelogView, configs: Vec<String>) -> Block {
    let options = configs.into_iter().map(|key| view! { <option value=key></option> }).collect_view();
    let unseen = view.rest.iter().map(|(k, v)| view! { <input type="hidden" name=k.clone() value=v.clone()/> }).collect_view();
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    view! {
        <form id="filters" class="controls" method="get" action="/changelog" role="search" aria-label="Changelog">
            <label class="field wide"><span>"Configuration"</span><input type="text" name="config" list="configurations" value=text(&view.filter.config) autocomplete="off"/></label>
            <datalist id="configurations">{options}</datalist>
            <label class="field short"><span>"Pull request"</span><input type="text" inputmode="numeric" name="pr" value=view.filter.pr.map(|n| n.to_string()).unwrap_or_default() autocomplete="off"/></label>
            <label class="field"><span>"Search"</span><input type="search" name="q" value=text(&view.filter.q) autocomplete="off"/></label>
            {unseen}
            <button type="submit">"Show"</button>
            {view.is_filtered().then(|| view! { <a class="reset" href="/changelog">"Clear"</a> })}
        </form>
    }
    .into_any()
}

fn further_heads(further: &[i64]) -> Option<Block> {
    if further.is_empty() {
        return None;
    }
    let links =
        further.iter().map(|number| view! { <li><a href=format!("/changelog?pr={number}")>{format!("#{number}")}</a></li> }).collect_view();
    Some(
        view! {
            <details>
                <summary>{format!("Heads of {} more are not looked at here", words::count(further.len(), "pull request", "pull requests"))}</summary>
                <ul class="plain">{links}</ul>
            </details>
        }
        .into_any(),
    )
}

/// What addresses are made with.
struct Places<'a> {
    repo: &'a str,
    known_pulls: &'a BTreeSet<i64>,
}

/// Configurations that are shown without a fold.
const SHOWN: usize = 3;

impl Places<'_> {
    fn group(&self, group: &ChangelogGroup) -> Block {
        let Some(newest) = group.items.first() else { return ().into_any() };
        let title = match group.pr_number {
            Some(number) => self.pull(number, newest.pr_link.as_deref()),
            None => view! { <span class="missing">"No pull request named"</span> }.into_any(),
        };
        let proposed = newest.on_pull.map(|number| {
            let at = newest.commit.as_deref().map(|sha| format!(", commit {}", words::short_sha(sha))).unwrap_or_default();
            view! {
                <p class="fine">
                    <span class="badge draft">"not on main"</span>
                    {format!(" Stands on the head of #{number}{at}; the main branch, as it was synced, has not got it.")}
                </p>
            }
        });
        let keys = newest.patterns.iter().map(|pattern| view! { <li>{keys(pattern, newest)}</li> }).collect_view();
        let entries = group.items.iter().map(|item| self.entry(item)).collect_view();
        let id = format!("entry-{}", newest.id);
        view! {
            <li class="change" id=id>
                <h2>{title}</h2>
                {proposed}
                <ul class="change-keys" aria-label="Configurations">{keys}</ul>
                <ul class="entries">{entries}</ul>
            </li>
        }
        .into_any()
    }

    /// A pull request's page here, where it has one, and on GitHub.
    fn pull(&self, number: i64, pr_link: Option<&str>) -> Block {
        let text = format!("#{number}");
        let github = pr_link.and_then(words::https);
        match (self.known_pulls.contains(&number), github) {
            (true, github) => {
                let github = github.map(|href| {
                    view! { " " <a class="github" href=href rel="noopener" aria-label=format!("#{number} on GitHub")>"GitHub"</a> }
                });
                view! { {inner(format!("/pulls/{number}"), text)} {github} }.into_any()
            }
            (false, github) => link(github.as_deref(), text),
        }
    }

    fn entry(&self, item: &ChangelogItem) -> Block {
        let lines = item.description.iter().map(|line| view! { <li>{line.clone()}</li> }).collect_view();
        let marks = marks(item);
        let marks = (!marks.is_empty()).then(|| format!("{} · ", words::capital(&marks.join("; "))));
        let odd =
            item.odd.iter().map(|odd| view! { <p class="odd"><span class="badge">"odd"</span>" "{odd.detail.clone()}</p> }).collect_view();
        let retold = if item.retold { " of the retold file" } else { "" };
        let place = format!("entry {}, line {}{retold}", item.number, item.line);
        let real = item.commit.as_deref().filter(|_| !item.retold);
        let href = real.map(|sha| format!("https://github.com/{}/blob/{sha}/{}#L{}", self.repo, item.file, item.line));
        view! {
            <li class="entry">
                <ul>{lines}</ul>
                {odd}
                <p class="fine">{marks} {runs(&item.runs)} " · " {link(href.as_deref(), place)}</p>
            </li>
        }
        .into_any()
    }
}

/// A pattern and the configurations it names.
fn keys(pattern: &str, item: &ChangelogItem) -> Block {
    let by_key = |key: &str| {
        let view = ChangelogView {
            filter: paretoscope_review::changelog::ChangelogFilter { config: Some(key.to_owned()), ..Default::default() },
            ..ChangelogView::default()
        };
        view! { <a href=address("/changelog", &view.to_query())><code>{key.to_owned()}</code></a> }
    };
    let code = pattern.to_owned();
    if item.unresolved.iter().any(|p| p == pattern) {
        return view! { {by_key(pattern)} " " <small class="missing">"no configuration now"</small> }.into_any();
    }
    if !pattern.contains('*') {
        return by_key(pattern).into_any();
    }
    let named: Vec<&String> = item.config_keys.iter().filter(|key| names(pattern, key)).collect();
    let count = words::count(named.len(), "configuration", "configurations");
    let list = named.iter().map(|key| view! { <li>{by_key(key)}</li> }).collect_view();
    if named.len() <= SHOWN {
        view! { <code>{code}</code><small>{format!(" {count}:")}</small> <ul>{list}</ul> }.into_any()
    } else {
        view! { <details><summary><code>{code}</code>{format!(" {count}")}</summary><ul>{list}</ul></details> }.into_any()
    }
}

/// What an entry is limited to.
fn marks(item: &ChangelogItem) -> Vec<String> {
    let mut marks = Vec::new();
    if !item.scenario_types.is_empty() {
        marks.push(format!("only {}", words::joined(&item.scenario_types)));
    }
    let flags = [
        (item.append_only, "only adds points"),
        (item.evals_only, "only runs evals"),
        (item.all_evals, "runs every eval"),
        (item.no_evals, "runs no eval"),
    ];
    marks.extend(flags.into_iter().filter(|(on, _)| *on).map(|(_, text)| text.to_owned()));
    marks.extend(item.eval_min_prefill_ep.map(|n| format!("evals from prefill EP {n} on")));
    marks
}

fn runs(runs: &[LinkedRun]) -> Block {
    if runs.is_empty() {
        return "No run of it is known here".into_any();
    }
    let links = runs
        .iter()
        .enumerate()
        .map(|(at, run)| {
            let comma = (at > 0).then_some(", ");
            let date = run.date.as_deref().map(|date| format!(", {}", words::date_words(date)));
            let why = (!run.by_configuration).then_some(", by its pull request");
            view! { {comma} {inner(format!("/runs/{}", run.run_id), run.run_id.to_string())} " " {badge(run.kind, false)} {date} {why} }
        })
        .collect_view();
    view! { {if runs.len() == 1 { "Run " } else { "Runs " }} {links} }.into_any()
}

/// Entries that could not be used, at the foot.
fn unusable(left_out: &[Refused]) -> Option<Block> {
    if left_out.is_empty() {
        return None;
    }
    let items = left_out
        .iter()
        .map(|r| {
            let line = r.line.map(|line| format!(", line {line}")).unwrap_or_default();
            view! { <li><span class="file">{format!("{}{line}", r.file)}</span> {format!(": {}: {}: {}", r.what, r.reason.replace('_', " "), r.detail)}</li> }
        })
        .collect_view();
    Some(
        view! {
            <section id="left-out" aria-labelledby="left-out-title">
                <h2 id="left-out-title">"Entries that could not be used"</h2>
                <ul class="plain">{items}</ul>
            </section>
        }
        .into_any(),
    )
}
