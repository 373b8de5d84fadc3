//! States of the benchmark repository around the reference pull request, in its newer layout and in our own words.
//!
//! The files lie in `sample/repo/` as they stand on main before the pull request; the states of its head differ in the image, a
//! comment and the appended changelog entry, as the discussion tells. Each file says at its top that it is a retelling.

use crate::SampleFile;

/// A state of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleRepo {
    /// What it is, for people.
    pub title: &'static str,
    /// Commit, short where only that is stated; `None` where none is told.
    pub commit: Option<&'static str>,
    /// When it was committed, RFC 3339 UTC. Chosen to fit the story: the discussion gives no times of commits.
    pub committed_at: &'static str,
    /// What it is, as pages say it.
    pub retold: &'static str,
    /// Files, relative to the checkout.
    pub files: Vec<SampleFile>,
}

const RETOLD: &str = "written for the sample in our own words, from the public discussion of pull request 4603; not the benchmark \
                      repository's own files.";

/// Items of the review checklist, in order. A sign-off that follows it repeats them word for word.
pub(crate) const CHECKLIST: [&str; 20] = [
    "Checked that this is the newest state of the checklist.",
    "Found the code at least as good as before.",
    "Linked the workflow run in which its validation passed.",
    "Linked the workflow run in which its evals passed.",
    "Checked that speculative decoding uses chat templates, as in real use.",
    "Checked that draft models run as they ship, at the precision they ship in, and wrote that precision down; the variable that turns \
     their experts to FP8 is set nowhere.",
    "For agentic workloads: checked that simulated acceptance takes its length from the committed golden curve.",
    "Checked that nothing submitted is deprecated.",
    "Checked that the model computes what its architecture says, without shortcuts for the benchmark.",
    "Checked that new models don't reduce in integers across GPUs.",
    "For Dynamo with TensorRT-LLM: checked that iteration and KV cache metrics are published.",
    "Checked that vLLM and SGLang run from their upstream images.",
    "Checked that established models use images built from the engine's main branch.",
    "Checked that vLLM and SGLang were submitted before other engines.",
    "Checked that each production setting is in the engine's official recipes or cookbook:",
    "Linked the upstream pull request, merged before this one.",
    "Checked that neither the engine nor the serving stack is patched.",
    "If it appends only: checked that no earlier point changes.",
    "Gave reasons below for whatever can't be met.",
    "Reported the points on the Pareto frontier of each affected curve.",
];

/// The item that stands indented below the one before it.
pub(crate) const NESTED: usize = 15;

const KEY: &str = "dsv41flash-fp4-gb300-sglang-agentic-dspark:";
const BASE_IMAGE: &str = "lmsysorg/sglang:nightly-dev-cu13-20261021-c1c287a4";
/// Pull request, Changes since the previous sign-off: the image of head 9bd047ac.
const FIRST_IMAGE: &str = "lmsysorg/sglang:nightly-dev-cu13-20261029-c10e0e17";
/// Sign-off, Upstream image.
const PINNED_IMAGE: &str =
    "lmsysorg/sglang:nightly-dev-cu13-20261030-302b78cc@sha256:d4b7701dc94d287e4fc135dfb4c1a88df0778a936255021aeb26eb54d396e579";
/// Sign-off, Changes since the previous sign-off: what commit 6bb31166 put into the master comment.
const PINNED_COMMENT: &str = "# Every point uses the Engram table in host memory.\n";

pub(crate) fn states() -> Vec<SampleRepo> {
    vec![
        SampleRepo {
            title: "main before pull request 4603",
            commit: None,
            committed_at: "2026-10-26T12:00:00Z",
            retold: RETOLD,
            files: files(BASE_IMAGE, "", None),
        },
        SampleRepo {
            title: "pull request 4603 at 9bd047ac7, which run 40809149952 measured",
            commit: Some("9bd047ac7"),
            committed_at: "2026-10-29T06:00:00Z",
            retold: RETOLD,
            files: files(FIRST_IMAGE, "", Some(FIRST_IMAGE)),
        },
        SampleRepo {
            title: "pull request 4603 at 41d29b28, which run 41261902147 measured",
            commit: Some("41d29b2834a85fcee09db6f9f52653b7c2f30ef3"),
            committed_at: "2026-10-31T12:00:00Z",
            retold: RETOLD,
            files: files(PINNED_IMAGE, PINNED_COMMENT, Some(PINNED_IMAGE)),
        },
    ]
}

/// The files of a state: the image of the configuration, the comment above it, and the image that the appended entry speaks of.
fn files(image: &str, comment: &str, entry: Option<&str>) -> Vec<SampleFile> {
    let master = include_str!("../repo/nvidia-master.yaml").replace(BASE_IMAGE, image).replace(KEY, &format!("{comment}{KEY}"));
    let mut changelog = include_str!("../repo/perf-changelog.yaml").to_owned();
    if let Some(image) = entry {
        changelog.push_str(&include_str!("../repo/entry-4603.yaml").replace("{image}", image));
    }
    [
        (".github/CODEOWNERS", include_str!("../repo/CODEOWNERS").to_owned()),
        ("inferencex-e2e/configs/nvidia-master.yaml", master),
        ("inferencex-e2e/docs/MODELS.md", include_str!("../repo/MODELS.md").to_owned()),
        ("inferencex-e2e/docs/PR_REVIEW_CHECKLIST.md", checklist()),
        ("inferencex-e2e/infx/evals/thresholds.yaml", include_str!("../repo/thresholds.yaml").to_owned()),
        ("inferencex-e2e/infx/golden_al_distribution/dsv41flash_dspark.yaml", include_str!("../repo/dsv41flash_dspark.yaml").to_owned()),
        ("inferencex-e2e/perf-changelog.yaml", changelog),
    ]
    .into_iter()
    .map(|(path, contents)| SampleFile { path: path.to_owned(), contents })
    .collect()
}

fn checklist() -> String {
    let mut text =
        "# Review checklist\n\n*A retelling for the sample, in our own short words: not the benchmark repository's own file. Its 20 boxes \
                    are those that the sign-offs of pull request 4603 tick.*\n\n```\nAs a code owner I have reviewed this pull request and \
                    have:\n"
            .to_owned();
    for (at, item) in CHECKLIST.iter().enumerate() {
        let indent = if at == NESTED { "  " } else { "" };
        text.extend([indent, "- [ ] ", item, "\n"]);
    }
    text.push_str("\nSigned: your name\n```\n");
    text
}
