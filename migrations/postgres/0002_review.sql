-- Second step: what a review rests on beside the runs: pull requests, states of the benchmark repository, the cookbook, and facts
-- about how a run was executed. Conventions as in the first step.
--
-- These are nouns of their own: they refer to runs by run_id without a foreign key, for they may be known before the run is.
-- `repo` is the lower-case `owner/name`, since GitHub doesn't tell cases apart; the document keeps it as it was told.
-- `sha7` is the first seven digits of a commit, in lower case: a short sha is found by it and then compared whole.

-- Pull requests: one row each, merged over all that was read of it (domain::pull_merge).
CREATE TABLE pulls (
    repo       TEXT   NOT NULL,
    number     BIGINT NOT NULL,
    title      TEXT   NOT NULL,
    -- open, closed or merged
    state      TEXT   NOT NULL,
    author     TEXT   NOT NULL,
    -- newest commit; empty where never told
    head_sha   TEXT   NOT NULL,
    created_at BIGINT,
    updated_at BIGINT,
    merged_at  BIGINT,
    -- when something new of it was last read
    synced_at  BIGINT NOT NULL,
    -- JSON of domain::synced::PullRow: what lists show
    summary    TEXT   NOT NULL,
    -- packed JSON of domain::pull::Pull
    pull       BYTEA  NOT NULL,
    PRIMARY KEY (repo, number)
);

-- Commits that are or were of a pull request, its newest one among them: a checkout of one of them is no state of the main branch.
-- The commit of its merge is not here.
CREATE TABLE pull_commits (
    repo   TEXT   NOT NULL,
    number BIGINT NOT NULL,
    sha    TEXT   NOT NULL,
    sha7   TEXT   NOT NULL,
    PRIMARY KEY (repo, number, sha),
    FOREIGN KEY (repo, number) REFERENCES pulls (repo, number)
);
CREATE INDEX pull_commits_by_sha ON pull_commits (repo, sha7);

-- States of the benchmark repository: one row for each commit that was synced.
CREATE TABLE repo_states (
    repo         TEXT   NOT NULL,
    -- the commit or, where none is known, sha256:… of what was read
    state        TEXT   NOT NULL,
    -- null where no commit is known
    sha7         TEXT,
    committed_at BIGINT,
    synced_at    BIGINT NOT NULL,
    -- how many there are: changelog entries, master configurations, things that are odd or could not be used
    changelog_entries BIGINT NOT NULL,
    configs      BIGINT NOT NULL,
    refused      BIGINT NOT NULL,
    -- sha256:… of the document, for telling a repeated sync
    digest       TEXT   NOT NULL,
    -- packed JSON of domain::repo::RepoFacts
    facts        BYTEA  NOT NULL,
    PRIMARY KEY (repo, state)
);
CREATE INDEX repo_states_by_sha ON repo_states (repo, sha7);

-- States of the cookbook's files. A state is kept when a later one comes: the newest is current.
CREATE TABLE cookbook_states (
    repo         TEXT   NOT NULL,
    path         TEXT   NOT NULL,
    -- number within the file, in the order of arrival
    seq          BIGINT NOT NULL,
    -- sha256:… of the file's bytes
    digest       TEXT   NOT NULL,
    -- commit of the cookbook's repository, where known, and when it was made or merged
    commit_sha   TEXT,
    committed_at BIGINT,
    synced_at    BIGINT NOT NULL,
    -- packed JSON of domain::cookbook::CookbookFile
    file         BYTEA  NOT NULL,
    PRIMARY KEY (repo, path, seq)
);

-- What the latest reading of a cookbook file could not use; gone with the next good reading of that file.
CREATE TABLE cookbook_refused (
    path    TEXT   NOT NULL,
    seq     BIGINT NOT NULL,
    at      BIGINT NOT NULL,
    -- JSON of domain::repo::Refused
    refused TEXT   NOT NULL,
    PRIMARY KEY (path, seq)
);

-- Facts about a run's execution that are in no result row: environment, arguments, acceptance lengths, builds. One row for each
-- source: an artifact of an attempt, or someone's statement. A source that is read again takes the place of its earlier reading.
CREATE TABLE run_facts (
    run_id  BIGINT NOT NULL,
    seq     BIGINT NOT NULL,
    -- artifact or stated
    origin  TEXT   NOT NULL,
    -- name of the artifact, or who stated it
    source  TEXT   NOT NULL,
    -- where it was stated; null for artifacts
    url     TEXT,
    attempt BIGINT,
    at      BIGINT NOT NULL,
    count   BIGINT NOT NULL,
    -- sha256:… of the document, for telling a repeated reading
    digest  TEXT   NOT NULL,
    -- packed JSON of a list of domain::fact::RunFact
    facts   BYTEA  NOT NULL,
    PRIMARY KEY (run_id, seq)
);
