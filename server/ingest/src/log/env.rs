//! Environment variables that matter to a run, where a line sets or dumps them.

use paretoscope_domain::fact::FactKind;

use super::{Said, arguments, python, shell};

/// How names begin that are kept: the engines' own, those of what they run on (collectives, kernels, compilers, graphics drivers),
/// of routers and caches, of model downloads. The rest of an environment says where a job ran, not what it measured.
pub(super) const PREFIXES: [&str; 33] = [
    "SGLANG_",
    "SGL_",
    "VLLM_",
    "TLLM_",
    "TRTLLM_",
    "TRT_LLM_",
    "TENSORRT_LLM_",
    "ATOM_",
    "TILERT_",
    "DYN_",
    "DYNAMO_",
    "LMCACHE_",
    "MOONCAKE_",
    "MC_",
    "MORI_",
    "FLASHINFER_",
    "AITER_",
    "DEEPGEMM_",
    "DG_",
    "DEEP_EP_",
    "TRITON_",
    "TORCH_",
    "PYTORCH_",
    "TORCHINDUCTOR_",
    "CUDA_",
    "NVSHMEM_",
    "NCCL_",
    "RCCL_",
    "UCX_",
    "ROCM_",
    "HIP_",
    "HSA_",
    "HF_",
];

/// Commands that hand variables to what they start.
const STARTERS: [&str; 8] = ["docker", "podman", "srun", "sbatch", "enroot", "apptainer", "singularity", "kubectl"];

/// Whether a variable of that name is kept.
fn matters(name: &str) -> bool {
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
}

/// What a variable says: a build states itself by one.
pub(super) fn said(key: String, value: String) -> Said {
    match key.as_str() {
        // Which platform's build it is, the log doesn't say: it is that of the node.
        name if name.ends_with("_BUILD_COMMIT") => Said { kind: FactKind::BuildCommit, key: String::new(), value },
        name if name.ends_with("_BUILD_URL") => Said { kind: FactKind::BuildUrl, key: String::new(), value },
        _ => Said { kind: FactKind::Env, key, value },
    }
}

/// Variables that a line sets or dumps, with their values as written.
pub(super) fn assignments(line: &str, yaml: bool) -> Vec<(String, String)> {
    let bare = shell::without_prefix(line);
    let kept = |(name, value): (&str, &str)| matters(name).then(|| (name.to_owned(), value.to_owned()));
    if let Some((name, value)) = told_by_nccl(bare) {
        return kept((name, value)).into_iter().collect();
    }
    let command = undeclared(bare);
    let declared = command.len() < bare.len();
    if let Some((name, value)) = shell::assignment(command).filter(|(name, _)| !name.is_empty()) {
        let words = shell::words(command);
        let set = words.iter().take_while(|word| shell::assignment(word).is_some()).count();
        let rest = words.get(set..).unwrap_or_default();
        // `env` prints values with blanks and without quotes: all of the line is the value.
        let by_a_shell = declared || (set > 1 && rest.is_empty()) || arguments::starts_something(rest);
        if !by_a_shell {
            let value = python::unquoted(value.trim());
            return kept((name, &value)).into_iter().collect();
        }
        return commands(&words).into_iter().filter_map(|word| kept(shell::assignment(word)?)).collect();
    }
    let mut found: Vec<(String, String)> = handed_over(command);
    if yaml && let Some((name, value)) = bare.trim_start_matches("- ").split_once([':', '=']).filter(|(name, _)| matters(name.trim())) {
        let value = super::yaml::without_comment(value.trim());
        found.push((name.trim().to_owned(), python::unquoted(value)));
    } else {
        found.extend(python::pairs(bare).into_iter().filter(|(name, _)| matters(name)));
    }
    found
}

/// A line without the word that declares variables.
fn undeclared(line: &str) -> &str {
    ["export ", "declare -x ", "env ", "ENV "].iter().find_map(|word| line.strip_prefix(word)).unwrap_or(line).trim_start()
}

/// The assignments with which the commands of a line begin.
fn commands(words: &[String]) -> Vec<&str> {
    let mut found = Vec::new();
    let mut at_start = true;
    for word in words {
        let ends = word.ends_with(';') || ["&&", "||"].contains(&word.as_str());
        let bare = word.trim_end_matches(';');
        if at_start && shell::assignment(bare).is_some() {
            found.push(bare);
        } else if !["export", "declare", "-x", "env"].contains(&bare) {
            at_start = false;
        }
        at_start |= ends;
    }
    found
}

/// `NCCL INFO NCCL_X set by environment to 1.`
fn told_by_nccl(line: &str) -> Option<(&str, &str)> {
    let (before, value) = line.split_once(" set by environment to ")?;
    Some((before.rsplit(' ').next()?, value.trim().trim_end_matches('.')))
}

/// `docker run -e NAME=value`, `srun --export=ALL,NAME=value`.
fn handed_over(command: &str) -> Vec<(String, String)> {
    let first = command.split_whitespace().find(|word| *word != "sudo").unwrap_or_default();
    let starter = first.rsplit('/').next().unwrap_or_default();
    if !STARTERS.contains(&starter) {
        return Vec::new();
    }
    let words = shell::words(command);
    let mut found = Vec::new();
    let mut take = |text: &str| {
        if let Some((name, value)) = shell::assignment(text).filter(|(name, _)| matters(name)) {
            found.push((name.to_owned(), value.to_owned()));
        }
    };
    for (i, word) in words.iter().enumerate() {
        let next = words.get(i + 1).map(String::as_str).unwrap_or_default();
        match word.as_str() {
            "-e" | "--env" => take(next),
            "--export" => next.split(',').for_each(&mut take),
            other => match other.split_once('=') {
                Some(("--env", told)) => take(told),
                Some(("--export", told)) => told.split(',').for_each(&mut take),
                _ => {}
            },
        }
    }
    found
}
