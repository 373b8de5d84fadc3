//! Round trips, and links of the existing dashboard.

use jiff::civil::Date;
use paretoscope_domain::{Attempt, Kind, RunId, Scenario};
use proptest::prelude::*;

use super::*;

fn text() -> impl Strategy<Value = String> {
    // Anything that survives trimming, with the characters that addresses are made of.
    "[a-zA-Z0-9=&%+#?/,:;ä→\" <>'-]{1,12}".prop_map(|t| t.trim().to_owned()).prop_filter("not empty", |t| !t.is_empty())
}

fn rest() -> impl Strategy<Value = Pairs> {
    prop::collection::vec(("zz_[a-z&= ]{1,4}", "[ -~é]{0,6}"), 0..3)
}

fn axis() -> impl Strategy<Value = Option<String>> {
    prop::option::of(
        prop::sample::select(vec!["p90_e2el", "median_intvty", "p99.9_ttft", "e2el", "e2e_norm_intvty", "tput_per_gpu"])
            .prop_map(str::to_owned),
    )
}

fn scenario() -> impl Strategy<Value = Option<Scenario>> {
    prop::option::of(prop::sample::select(vec![
        Scenario::AgenticTraces,
        Scenario::Fixed { isl: 8192, osl: 1024 },
        Scenario::Fixed { isl: 300, osl: 7 },
    ]))
}

prop_compose! {
    fn run_view()(
        attempt in prop::option::of(1_u32..9),
        baseline in prop_oneof![
            Just(BaselineParam::Auto),
            Just(BaselineParam::None),
            (1_i64..i64::MAX).prop_map(|n| BaselineParam::Run(RunId::new(n).unwrap())),
        ],
        model in prop::option::of(text()),
        scenario in scenario(),
        x in axis(),
        y in axis(),
        (log_x, log_y, optimal) in any::<(bool, bool, bool)>(),
        hidden in prop::collection::hash_set("[a-z0-9-]{1,6}", 0..3),
        rest in rest(),
    ) -> RunView {
        let hidden = hidden.into_iter().collect();
        RunView { attempt: attempt.and_then(Attempt::new), baseline, model, scenario, x, y, log_x, log_y, optimal, hidden, rest }
    }
}

prop_compose! {
    fn compare_view()(
        base in prop_oneof![
            Just(CompareBase::Auto),
            Just(CompareBase::Official),
            (1_i64..i64::MAX).prop_map(|n| CompareBase::Run(RunId::new(n).unwrap())),
        ],
        head in prop::option::of(1_i64..i64::MAX),
        day in prop::option::of((1_i16..=9999, 1_i8..=12, 1_i8..=28)),
        model in prop::option::of(text()),
        scenario in scenario(),
        x in axis(),
        y in axis(),
        (notable, all_metrics, log_x, log_y, optimal) in any::<(bool, bool, bool, bool, bool)>(),
        hidden in prop::collection::hash_set("[a-z0-9-]{1,6}", 0..3),
        rest in rest(),
    ) -> CompareView {
        let as_of = day.filter(|_| base == CompareBase::Official).and_then(|(y, m, d)| Date::new(y, m, d).ok());
        let (head, hidden) = (head.and_then(RunId::new), hidden.into_iter().collect());
        CompareView { base, head, as_of, model, scenario, x, y, notable, all_metrics, log_x, log_y, optimal, hidden, rest }
    }
}

prop_compose! {
    fn runs_view()(
        (q, model, hardware, framework, author, cursor) in (
            prop::option::of(text()), prop::option::of(text()), prop::option::of(text()),
            prop::option::of(text()), prop::option::of(text()), prop::option::of(text()),
        ),
        kind in prop::option::of(prop::sample::select(Kind::ALL.to_vec())),
        pr in prop::option::of(1_i64..99_999),
        from in prop::option::of((1_i16..=9999, 1_i8..=12, 1_i8..=28)),
        to in prop::option::of((1_i16..=9999, 1_i8..=12, 1_i8..=28)),
        sort in prop::sample::select(RunsSort::ALL.to_vec()),
        limit in prop::option::of(1_u32..1000),
        rest in rest(),
    ) -> RunsView {
        let day = |d: Option<(i16, i8, i8)>| d.and_then(|(y, m, d)| Date::new(y, m, d).ok());
        RunsView { q, kind, model, hardware, framework, pr, author, from: day(from), to: day(to), sort, cursor, limit, rest }
    }
}

prop_compose! {
    fn overlay_view()(
        ids in prop::collection::hash_set("[1-9][0-9]{0,10}|[a-z]{1,5}", 0..4),
        model in prop::option::of(text()),
        scenario in scenario(),
        precisions in prop::collection::hash_set("fp4|fp8|bf16|int4", 0..3),
        task in prop::option::of(text()),
        x in axis(),
        y in axis(),
        (log_x, log_y, optimal) in any::<(bool, bool, bool)>(),
        hidden in prop::collection::hash_set("[a-z0-9-]{1,6}", 0..3),
        rest in rest(),
    ) -> OverlayView {
        let hidden = hidden.into_iter().collect();
        OverlayView {
            ids: ids.into_iter().collect(), model, scenario, precisions: precisions.into_iter().collect(), task, x, y, log_x, log_y,
            optimal, hidden, rest,
        }
    }
}

proptest! {
    #[test]
    fn a_comparison_comes_back(view in compare_view()) {
        let query = view.to_query();
        prop_assert_eq!(CompareView::parse(&query), (view, vec![]), "{}", query);
    }

    #[test]
    fn a_run_view_comes_back(view in run_view()) {
        prop_assert_eq!(RunView::parse(&view.to_query()), (view, vec![]));
    }

    #[test]
    fn a_list_of_runs_comes_back(view in runs_view()) {
        prop_assert_eq!(RunsView::parse(&view.to_query()), (view, vec![]));
    }

    #[test]
    fn an_overlay_comes_back(view in overlay_view()) {
        prop_assert_eq!(OverlayView::parse(&view.to_query()), (view, vec![]));
    }

    #[test]
    fn any_query_settles_after_one_reading(query in "[a-z_&=%+,0-9A-F?#é]{0,60}") {
        let once = RunView::parse(&query).0;
        prop_assert_eq!(RunView::parse(&once.to_query()).0, once);
        let once = RunsView::parse(&query).0;
        prop_assert_eq!(RunsView::parse(&once.to_query()).0, once);
        let once = OverlayView::parse(&query).0;
        prop_assert_eq!(OverlayView::parse(&once.to_query()).0, once);
    }
}

#[test]
fn one_canonical_order_and_unknown_keys_kept() {
    let (view, problems) = RunView::parse("zz=1&y=tput_per_gpu&logx=1&x=p50_e2el&attempt=2&baseline=none&utm=a%20b");
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(view.to_query(), "attempt=2&baseline=none&x=median_e2el&y=tput_per_gpu&logx=1&zz=1&utm=a%20b");
}

#[test]
fn bad_values_are_reported_in_words() {
    let (view, problems) = RunView::parse("attempt=0&baseline=xyz&x=p42_e2el&y=std_itl&logx=maybe&scenario=fast&x=p90_e2el");
    assert_eq!(view, RunView::default());
    assert_eq!(problems.len(), 7, "{problems:#?}");
    assert!(problems.iter().any(|p| p.starts_with("`attempt=0` is not used: an attempt is a whole number from 1")));
    assert!(problems.iter().any(|p| p.contains("has no better end")));
    assert!(problems.iter().any(|p| p.contains("more than once")));
    let (view, problems) = RunsView::parse("kind=final&pr=abc&from=1.2.2026&sort=up&limit=0");
    assert_eq!(view, RunsView::default());
    assert_eq!(problems.len(), 5, "{problems:#?}");
}

#[test]
fn a_comparison_reports_what_it_can_not_use() {
    let (view, problems) = CompareView::parse("base=best&head=abc&as_of=1.2.2026&show=some&metrics=few&x=std_e2el");
    assert_eq!(view, CompareView::default());
    assert_eq!(problems.len(), 6, "{problems:#?}");
    let (view, problems) = CompareView::parse("base=1&head=2&as_of=2026-11-01");
    assert_eq!((view.base, view.head), (CompareBase::Run(RunId::new(1).unwrap()), RunId::new(2)));
    assert!(problems.iter().any(|p| p.starts_with("`as_of` is not used")), "{problems:?}");
    assert_eq!(CompareView::parse("base=OFFICIAL&head=2&as_of=2026-11-01&show=notable").1, Vec::<String>::new());
}

#[test]
fn an_untouched_form_is_the_default_view() {
    assert_eq!(RunsView::parse("q=&kind=&model=&hardware=&framework=&pr=&author=&from=&to=&sort=newest"), (RunsView::default(), vec![]));
    assert_eq!(RunView::parse("x=&y=&baseline=auto").0, RunView::default());
}

#[test]
fn run_ids_under_every_spelling() {
    for query in [
        "unofficialRun=41261902147",
        "unofficialrun=041261902147",
        "UNOFFICIALRUNS=41261902147,,41261902147",
        "unofficialRuns= 41261902147 ",
    ] {
        assert_eq!(OverlayView::parse(query).0.ids, ["41261902147"], "{query}");
    }
    let (view, _) = OverlayView::parse("unofficialRun=2,1&unofficialruns=3,2");
    assert_eq!(view.ids, ["2", "1", "3"]);
    assert_eq!(view.without("1").to_query(), "unofficialRun=2,3");
}

#[test]
fn links_of_the_existing_dashboard_open_the_same_view() {
    let (view, problems) = OverlayView::parse(
        "g_model=DeepSeek-V4.1-Flash&i_seq=agentic-traces&i_prec=fp4,fp8&i_metric=y_outputTputPerGpu&i_xmode=e2e&i_pctl=p75&i_optimal=1&i_log=1&unofficialrun=41261902147&i_active=a,b&g_rundate=2026-10-01&i_hc=1",
    );
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(view.model.as_deref(), Some("DeepSeek-V4.1-Flash"));
    assert_eq!(view.scenario, Some(Scenario::AgenticTraces));
    assert_eq!(view.precisions, ["fp4", "fp8"]);
    assert_eq!((view.x.as_deref(), view.y.as_deref()), (Some("p75_e2el"), Some("output_tput_per_gpu")));
    assert_eq!((view.log_x, view.log_y, view.optimal), (false, true, true));
    assert_eq!(view.rest.iter().map(|(k, _)| k.as_str()).collect::<Vec<_>>(), ["i_active", "g_rundate", "i_hc"]);

    for (query, x) in [
        ("i_xmode=interactivity", "intvty"),
        ("i_xmode=interactivity&i_seq=8k/1k", "median_intvty"),
        ("i_xmode=ttft&i_seq=agentic-traces", "p90_ttft"),
        ("i_xmode=e2e-normalized-interactivity&i_pctl=p90", "p90_e2e_norm_intvty"),
        ("i_pctl=p75", "p75_e2el"),
        ("i_xmode=e2e&x=p99_ttft", "p99_ttft"),
    ] {
        assert_eq!(OverlayView::parse(query).0.x.as_deref(), Some(x), "{query}");
    }
    assert_eq!(OverlayView::parse("i_optimal=0").0, OverlayView::default());
    let (view, problems) = OverlayView::parse("i_metric=y_costh&e_bench=gsm8k&eval=12&sample=3");
    assert_eq!((view.y, view.task.as_deref(), problems.len()), (None, Some("gsm8k"), 1));
    assert_eq!(view.rest.len(), 3, "kept for a later capability");
}

#[test]
fn a_bare_quantity_takes_the_scenarios_statistic() {
    let fixed = Scenario::Fixed { isl: 1024, osl: 1024 };
    assert_eq!(axes_for(Some("e2el"), None, Scenario::AgenticTraces).x.name, "p90_e2el");
    assert_eq!(axes_for(Some("e2el"), None, fixed).x.name, "median_e2el");
    assert_eq!(axes_for(None, None, fixed).x.name, "median_intvty");
    assert_eq!(axes_for(None, None, fixed).y.name, "tput_per_gpu");
}
