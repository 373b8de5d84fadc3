//! What can't be shown: what, why, and what to do.

use leptos::prelude::*;

use super::ProblemPage;
use crate::document::{Head, Site};
use crate::parts::Block;
use crate::parts::view::sentence;

pub(crate) fn problem(_site: &Site, page: ProblemPage) -> (Head, Block) {
    let ProblemPage { status, title, detail, advice } = page;
    let head = Head { title: title.clone(), description: detail.clone(), path: "/".to_owned(), image: None, nav: "" };
    let items = advice
        .into_iter()
        .map(|(text, href)| match href {
            Some(href) => view! { <li><a href=href>{sentence(&text)}</a></li> }.into_any(),
            None => view! { <li>{sentence(&text)}</li> }.into_any(),
        })
        .collect::<Vec<_>>();
    let advice = (!items.is_empty()).then(|| view! { <h2>"What to do"</h2> <ul class="advice">{items}</ul> });
    let body = view! {
        <div class="problem">
            <p class="status">{format!("Status {status}")}</p>
            <h1>{title}</h1>
            <p>{sentence(&detail)}</p>
            {advice}
        </div>
    };
    (head, body.into_any())
}
