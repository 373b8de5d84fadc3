//! Drift in words, in both languages.

use jiff::Timestamp;
use paretoscope_domain::RunId;
use paretoscope_domain::cookbook::CookbookStatus;
use serde::{Deserialize, Serialize};

use super::{Drift, DriftKind};
use crate::evidence::Language;

/// What a claim was held against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Against {
    /// The newest authorised command on the pull request.
    Pin {
        /// Pull request.
        pr: i64,
    },
    /// The newest official run of the configuration.
    Official,
    /// A run's own rows.
    Run {
        /// That run.
        run_id: RunId,
    },
    /// The master configuration.
    Configuration {
        /// Commit of the benchmark repository, where known.
        commit: Option<String>,
    },
    /// The committed golden acceptance lengths.
    Golden {
        /// Draft length, where the cell states it.
        draft_length: Option<u32>,
    },
    /// The merge of the pull request.
    Merge {
        /// Pull request.
        pr: i64,
        /// When it was merged.
        #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
        at: Timestamp,
    },
    /// What the snippet itself says of the registry.
    Registry,
    /// A rule of the review checklist.
    Rule {
        /// Number of the check.
        check: u16,
    },
}

/// Why a claim could not be looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = MissingClaim))]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Missing {
    /// The cell itself does not make the claim.
    NotClaimed,
    /// The cell names no pull request.
    NoPull,
    /// The pull request, or its comments, were never read here.
    PullNotRead {
        /// Pull request.
        pr: i64,
    },
    /// A newer command comes from someone whose standing is not told.
    StandingNotTold {
        /// Pull request.
        pr: i64,
    },
    /// The command that counts names no run.
    PinNamesNoRun {
        /// Pull request.
        pr: i64,
    },
    /// No run is pinned, claimed or official: there is nothing to hold it against.
    NoRun,
    /// The run's artifacts were never read here.
    RunNotRead {
        /// Run.
        run_id: RunId,
    },
    /// The run's facts lack what is needed.
    RunDoesNotSay {
        /// Run.
        run_id: RunId,
    },
    /// The run measured several configurations and its rows don't say which is which.
    PointsNotTold {
        /// Run.
        run_id: RunId,
    },
    /// The benchmark repository was never synced.
    RepoNotRead,
    /// It was synced, but not at that commit.
    StateNotRead {
        /// Commit.
        sha: String,
    },
    /// The master configurations have no such key at that commit.
    NoConfiguration,
    /// No committed curve belongs to the model.
    NoGoldenCurve,
    /// The cell's arguments state no draft length, and the value fits one of the model's curves at some length.
    NoDraftLength,
    /// The status is a word that is not known.
    StatusWord {
        /// The word.
        word: String,
    },
}

impl Missing {
    /// As a sentence.
    #[must_use]
    pub fn in_words(&self, language: Language) -> String {
        let of = |en: &str, zh: &str| language.of(en, zh);
        match self {
            Self::NotClaimed => of("the cell doesn't state it", "该单元没有给出"),
            Self::NoPull => of("the cell names no pull request", "该单元没有给出 pull request"),
            Self::PullNotRead { pr } => language.of(
                format!("pull request #{pr} or its comments were never read here"),
                format!("这里没有读取过 pull request #{pr} 或其评论"),
            ),
            Self::StandingNotTold { pr } => language.of(
                format!("the newest command on #{pr} is by someone whose standing is not told"),
                format!("#{pr} 上最新的命令的作者权限未知"),
            ),
            Self::PinNamesNoRun { pr } => {
                language.of(format!("the command that counts on #{pr} names no run"), format!("#{pr} 上生效的命令没有写明 run"))
            }
            Self::NoRun => of("no run is pinned, claimed or official", "没有被固定、被声明或正式的 run"),
            Self::RunNotRead { run_id } => {
                language.of(format!("run {run_id} was never ingested here"), format!("run {run_id} 没有在这里 ingest 过"))
            }
            Self::RunDoesNotSay { run_id } => language.of(format!("run {run_id} doesn't state it"), format!("run {run_id} 没有给出")),
            Self::PointsNotTold { run_id } => language.of(
                format!("run {run_id} measured several configurations and its rows don't say which is which"),
                format!("run {run_id} 测量了多个配置，其数据行没有说明各属于哪个配置"),
            ),
            Self::RepoNotRead => of("the benchmark repository was never synced", "没有同步过 benchmark 仓库"),
            Self::StateNotRead { sha } => language.of(
                format!("the benchmark repository was not synced at commit {}", short(sha)),
                format!("没有同步过 benchmark 仓库的 commit {}", short(sha)),
            ),
            Self::NoConfiguration => of("the master configurations have no such key", "master 配置中没有这个 key"),
            Self::NoGoldenCurve => of("no committed golden curve belongs to the model", "该模型没有已提交的 golden 曲线"),
            Self::NoDraftLength => of(
                "the cell's arguments state no draft length; the value stands in one of the model's curves",
                "该单元的参数没有给出 draft 长度；该值出现在该模型的某条曲线中",
            ),
            Self::StatusWord { word } => {
                language.of(format!("the status «{word}» is no word of the ladder"), format!("状态「{word}」不是已知的阶段名"))
            }
        }
    }
}

/// A status for people.
#[must_use]
pub(crate) fn status(status: CookbookStatus, language: Language) -> String {
    let zh = match status {
        CookbookStatus::NotPublished => "未发布",
        CookbookStatus::InProgress => "进行中",
        CookbookStatus::VerifiedPr => "已在 PR 上验证",
        CookbookStatus::Verified => "已验证",
    };
    language.of(status.title(), zh)
}

/// First digits of a commit.
pub(crate) fn short(sha: &str) -> String {
    sha.chars().take(8).collect()
}

fn kind(kind: DriftKind, language: Language) -> String {
    let zh = match kind {
        DriftKind::Run => "run",
        DriftKind::Commit => "commit",
        DriftKind::Image => "镜像",
        DriftKind::ImagePruned => "镜像已被清除",
        DriftKind::GoldenAl => "golden AL",
        DriftKind::Points => "点",
        DriftKind::Status => "状态",
        DriftKind::ForbiddenFlag => "禁用的设置",
    };
    language.of(kind.title(), zh)
}

/// The kind of a claim that could not be looked at, and why.
pub(crate) fn not_known(what: DriftKind, missing: &Missing, language: Language) -> String {
    let colon = language.of(": ", "：");
    format!("{}{colon}{}", kind(what, language), missing.in_words(language))
}

pub(super) fn sentence(drift: &Drift, language: Language) -> String {
    let none = || language.of("none", "无");
    let word = |value: &Option<String>| value.clone().unwrap_or_else(none);
    let brief = |value: &Option<String>| {
        let text = word(value);
        if drift.kind == DriftKind::Commit { short(&text) } else { text }
    };
    let (found, expected) = (brief(&drift.found), brief(&drift.expected));
    let rest = match (&drift.against, drift.kind) {
        (_, DriftKind::Points) => return points(drift, language),
        (Against::Registry, _) => {
            language.of(format!("the snippet says that {found} is gone from the registry"), format!("片段说明 {found} 已从 registry 删除"))
        }
        (Against::Rule { check }, _) => {
            language.of(format!("{found}, which check {check} forbids"), format!("{found}，检查 {check} 禁止使用"))
        }
        (Against::Merge { pr, at }, _) => {
            let found = CookbookStatus::parse(&found).map_or(found, |s| status(s, language));
            language.of(
                format!("cookbook {found}, #{pr} was merged on {}", language.time(*at)),
                format!("cookbook 为「{found}」，#{pr} 已于 {} 合并", language.time(*at)),
            )
        }
        (Against::Pin { .. }, _) => {
            language.of(format!("cookbook {found}, pinned {expected}"), format!("cookbook {found}，固定 {expected}"))
        }
        (Against::Official, _) => {
            language.of(format!("cookbook {found}, official {expected}"), format!("cookbook {found}，正式 {expected}"))
        }
        (Against::Run { run_id }, DriftKind::Commit) => language.of(
            format!("cookbook {found}, run {run_id} measured {expected}"),
            format!("cookbook {found}，run {run_id} 测量的是 {expected}"),
        ),
        (Against::Run { run_id }, _) => language
            .of(format!("cookbook {found}, run {run_id} ran on {expected}"), format!("cookbook {found}，run {run_id} 使用的是 {expected}")),
        (Against::Configuration { commit }, _) => {
            let at = commit.as_deref().map(|c| language.of(format!(" at {}", short(c)), format!("（{}）", short(c)))).unwrap_or_default();
            language.of(format!("cookbook {found}, configuration{at} {expected}"), format!("cookbook {found}，配置{at} {expected}"))
        }
        (Against::Golden { .. }, _) => {
            language.of(format!("cookbook {found}, committed {expected}"), format!("cookbook {found}，已提交的是 {expected}"))
        }
    };
    let colon = language.of(": ", "：");
    format!("{}{colon}{rest}", kind(drift.kind, language))
}

fn points(drift: &Drift, language: Language) -> String {
    let place = match &drift.against {
        Against::Run { run_id } => language.of(format!("in run {run_id}"), format!("在 run {run_id} 中")),
        Against::Configuration { commit } => {
            let at = commit.as_deref().map(|c| format!(" ({})", short(c))).unwrap_or_default();
            language.of(format!("in the configuration{at}"), format!("在配置{at}中"))
        }
        _ => language.of("elsewhere", "在别处"),
    };
    let parts: Vec<String> = [
        drift.expected.as_ref().map(|labels| language.of(format!("only {place}: {labels}"), format!("只{place}：{labels}"))),
        drift.found.as_ref().map(|labels| language.of(format!("only in the cookbook: {labels}"), format!("只在 cookbook 中：{labels}"))),
    ]
    .into_iter()
    .flatten()
    .collect();
    let (colon, semicolon) = (language.of(": ", "："), language.of("; ", "；"));
    format!("{}{colon}{}", kind(DriftKind::Points, language), parts.join(&semicolon))
}
