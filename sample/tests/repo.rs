//! The states of the benchmark repository say what they are, and differ only as the pull request tells.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use paretoscope_sample::{SampleRepo, repo_states, write_repo};

fn text<'a>(state: &'a SampleRepo, name: &str) -> &'a str {
    &state.files.iter().find(|f| f.path.ends_with(name)).unwrap().contents
}

#[test]
fn every_file_says_that_it_is_retold() {
    for file in repo_states().iter().flat_map(|state| &state.files) {
        let top: Vec<&str> = file.contents.lines().take(3).collect();
        assert!(top.join(" ").contains("retelling for the sample"), "{}", file.path);
        assert!(file.contents.ends_with('\n') && !file.contents.contains('\t'), "{}", file.path);
    }
}

#[test]
fn heads_differ_from_main_by_image_comment_and_entry() {
    let [main, first, pinned] = &repo_states()[..] else { panic!("three states") };
    for head in [first, pinned] {
        assert!(text(head, "perf-changelog.yaml").starts_with(text(main, "perf-changelog.yaml")), "the changelog is only appended to");
        for (a, b) in main.files.iter().zip(&head.files) {
            assert_eq!(a.path, b.path);
            let differs = a.contents != b.contents;
            assert_eq!(differs, a.path.ends_with("nvidia-master.yaml") || a.path.ends_with("perf-changelog.yaml"), "{}", a.path);
        }
    }
    let added = |head: &SampleRepo| -> Vec<String> {
        let before: Vec<&str> = text(main, "nvidia-master.yaml").lines().collect();
        text(head, "nvidia-master.yaml").lines().filter(|line| !before.contains(line)).map(str::to_owned).collect()
    };
    assert_eq!(added(first), ["  image: lmsysorg/sglang:nightly-dev-cu13-20261029-c10e0e17"]);
    assert_eq!(added(pinned).len(), 2);
}

#[test]
fn a_state_is_written_as_a_checkout() {
    let dir = tempfile::tempdir().unwrap();
    let state = &repo_states()[0];
    write_repo(dir.path(), state).unwrap();
    for file in &state.files {
        assert_eq!(std::fs::read_to_string(dir.path().join(&file.path)).unwrap(), file.contents);
    }
}
