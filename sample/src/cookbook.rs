//! The cookbook's snippet for the reference configuration, as two of its rounds left it: sgl-project/sglang#47464, synced before the
//! run was pinned, and #47929, which has it. The file says in its head what of it is invented.

/// A state of a snippet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleCookbook {
    /// The whole file.
    pub text: String,
    /// Its path within the repository of the cookbook.
    pub path: &'static str,
    /// When the round was merged, RFC 3339 UTC. Of #47929 it is stated, of #47464 chosen to fit the story.
    pub committed_at: &'static str,
    /// Pull request of the cookbook that brought it.
    pub cookbook_pr: i64,
    /// Page people read.
    pub page: &'static str,
}

const PATH: &str = "docs/src/snippets/agentx/deepseek-ai/deepseek-v4_1.jsx";
/// Cookbook comments: where the configuration stands.
const PAGE: &str = "https://docs.sglang.io/cookbook/autoregressive/DeepSeek/DeepSeek-V4_1#agentic-long-context-deployment";
/// Sign-off, code quality: the recipe's folder; its place in the repository is public.
const RECIPE: &str = "inferencex-e2e/benchmarks/single_node/srt-slurm-recipes/dsv41flash/sglang/gb300-fp4-mtp/agentic.yaml";

/// What tells the rounds apart.
struct Round {
    day: &'static str,
    image: &'static str,
    image_commit: &'static str,
    sha: &'static str,
    /// Run and attempt.
    run: Option<(&'static str, u32)>,
    status: &'static str,
}

/// Cookbook comments on #47464: the recipe at 9bd047ac7, "in progress". Sign-off: the image of that commit, told without a digest.
const MISSED: Round = Round {
    day: "2026-10-30",
    image: "lmsysorg/sglang:nightly-dev-cu13-20261029-c10e0e17",
    image_commit: "c10e0e17",
    sha: "9bd047ac7",
    run: None,
    status: "in-progress",
};

/// Sign-off, upstream recipe: "publishes this PR's head 41d29b28, run 41261902147 and the image". It concluded after attempt 2.
const PINNED: Round = Round {
    day: "2026-11-02",
    image: "lmsysorg/sglang:nightly-dev-cu13-20261030-302b78cc@sha256:d4b7701dc94d287e4fc135dfb4c1a88df0778a936255021aeb26eb54d396e579",
    image_commit: "302b78cc",
    sha: "41d29b2834a85fcee09db6f9f52653b7c2f30ef3",
    run: Some(("41261902147", 2)),
    status: "verified-pr",
};

pub(crate) fn states() -> Vec<SampleCookbook> {
    let state =
        |round: &Round, committed_at, cookbook_pr| SampleCookbook { text: round.text(), path: PATH, committed_at, cookbook_pr, page: PAGE };
    vec![state(&MISSED, "2026-10-30T08:40:00Z", 47_464), state(&PINNED, "2026-11-03T03:28:14Z", 47_929)]
}

impl Round {
    fn text(&self) -> String {
        let Self { day, image, image_commit, sha, run, status } = self;
        let page = run
            .map_or_else(|| "null".to_owned(), |(run, _)| format!("\"https://github.com/SemiAnalysisAI/InferenceX/actions/runs/{run}\""));
        let claimed = run.map(|(run, attempt)| format!(" \"run\": \"{run}/attempts/{attempt}\",")).unwrap_or_default();
        let pull = format!("{{ \"run\": {page}, \"sha\": \"{sha}\", \"status\": \"{status}\" }}");
        let prov = format!("{{ \"sha\": \"{sha}\", \"recipe\": \"{RECIPE}\",{claimed} \"pr\": \"4603\", \"status\": \"{status}\" }}");
        include_str!("cookbook/deepseek-v4_1.jsx")
            .replace("{DAY}", day)
            .replace("{IMAGE}", image)
            .replace("{IMAGE_COMMIT}", image_commit)
            .replace("{PULL}", &pull)
            .replace("{PROV}", &prov)
    }
}
