-- Paretoscope's first step: runs, their artifacts, points, evals and everything that tells where a number comes from.
--
-- The same numbered steps stand in migrations/sqlite and migrations/postgres, table for table and column for column; only types
-- differ (and PostgreSQL tells other servers of a change by itself, at the end). Conventions, the same in both:
--   times      whole microseconds since 1970 UTC
--   booleans   0 or 1
--   documents  JSON as text, written and read by Rust types of paretoscope-domain
--   packed     a zstd frame around text that is only read on demand
-- Nulls are equal in every natural key.
--
-- Room for what comes later. Each of these hangs on (run_id, version) of a point or an eval and gets tables of its own, so that
-- the tables below stay small enough to scan:
--   telemetry     one row per (point, source, GPU, metric): start, step, count, a compressed array of values, and a pyramid of
--                 minima, means and maxima; never a row per sample (a year has a billion of them)
--   eval samples  one row per (eval, document): the verdict as columns, prompt and answer packed
--   traces, logs  packed blobs in chunks beside their point, with an index of requests or lines
-- Pull requests, cookbook entries and facts from checkouts are nouns of their own and refer to runs by run_id without a foreign
-- key, for they may be known before the run is.

-- What is kept about the store itself, a number per name.
--   data_version      grows in the same transaction as anything that is shown; every cache keys on it
--   summary_revision  which form runs.summary was computed in; `migrate` recomputes older ones
CREATE TABLE meta (
    name  TEXT   NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL
);
INSERT INTO meta (name, value) VALUES ('data_version', 0), ('summary_revision', 0);

-- A run of the benchmark workflow: one row, whatever its number of attempts.
CREATE TABLE runs (
    run_id       BIGINT NOT NULL PRIMARY KEY,
    -- unofficial, staged or official; an ingest never lowers it
    kind         TEXT   NOT NULL,
    -- 1: made up for the sample; decided by the first ingest
    synthetic    BIGINT NOT NULL,
    pr_number    BIGINT,
    -- day of creation, YYYY-MM-DD, and the time where known
    date         TEXT,
    created_at   BIGINT,
    -- times of the first and of the latest ingest
    first_seen_at BIGINT NOT NULL,
    ingested_at  BIGINT NOT NULL,
    -- data_version of its latest change: what a reader that knows version N must read again is "> N"
    changed_in   BIGINT NOT NULL,
    -- JSON of domain::run::Run without what depends on other runs: computed, all lists are made from it
    summary      TEXT   NOT NULL,
    -- JSON of domain::run::Purge while it is hidden from every curve
    purged       TEXT,
    -- JSON of domain::run::RunFacts, merged over all ingests, without the payload
    facts        TEXT   NOT NULL,
    -- JSON of domain::run::ReuseSource, where it reuses another run's rows
    reuse        TEXT,
    -- packed: GitHub's workflow-run payload
    payload      BYTEA
);

-- Curves that a run's points that count lie on (domain::curve::CurveKey::as_text), for finding baselines.
CREATE TABLE run_curves (
    run_id BIGINT NOT NULL REFERENCES runs (run_id),
    curve  TEXT   NOT NULL,
    PRIMARY KEY (run_id, curve)
);
CREATE INDEX run_curves_by_curve ON run_curves (curve, run_id);

-- Artifacts, read or only listed, kept when CI has deleted them. Once known they stay.
CREATE TABLE artifacts (
    run_id      BIGINT NOT NULL REFERENCES runs (run_id),
    -- number within the run, in the order of arrival
    seq         BIGINT NOT NULL,
    name        TEXT   NOT NULL,
    attempt     BIGINT,
    -- GitHub's number of it
    artifact_id BIGINT,
    -- JSON of domain::run::Artifact
    artifact    TEXT   NOT NULL,
    PRIMARY KEY (run_id, seq)
);
CREATE UNIQUE INDEX artifacts_once ON artifacts (run_id, name, COALESCE(attempt, 0), COALESCE(artifact_id, 0));

-- Points: one row per version. Attempts and re-uploads of a point are versions; one counts, the others are superseded.
-- This table is what the explorer scans, so it holds identity and headline metrics; the rest stands in point_bodies.
CREATE TABLE points (
    run_id      BIGINT NOT NULL REFERENCES runs (run_id),
    -- number within the run; a later one is higher
    version     BIGINT NOT NULL,
    -- hash of the natural key (domain::natural_key)
    point_id    TEXT   NOT NULL,
    attempt     BIGINT,
    -- ok or failed; a failed point is on no curve
    status      TEXT   NOT NULL,
    superseded  BIGINT NOT NULL,
    -- domain::curve::CurveKey::as_text
    curve       TEXT   NOT NULL,
    model       TEXT   NOT NULL,
    hardware    TEXT   NOT NULL,
    framework   TEXT   NOT NULL,
    precision   TEXT   NOT NULL,
    spec_method TEXT   NOT NULL,
    scenario    TEXT   NOT NULL,
    conc        BIGINT NOT NULL,
    gpus        BIGINT,
    -- configuration key, where the changelog names exactly one
    config_key  TEXT,
    -- headline metrics, tokens/s (per GPU or per user) and seconds; null where not measured
    tput_per_gpu           DOUBLE PRECISION,
    output_tput_per_gpu    DOUBLE PRECISION,
    input_tput_per_gpu     DOUBLE PRECISION,
    median_ttft            DOUBLE PRECISION,
    p75_ttft               DOUBLE PRECISION,
    p90_ttft               DOUBLE PRECISION,
    median_tpot            DOUBLE PRECISION,
    p90_tpot               DOUBLE PRECISION,
    median_e2el            DOUBLE PRECISION,
    p75_e2el               DOUBLE PRECISION,
    p90_e2el               DOUBLE PRECISION,
    median_intvty          DOUBLE PRECISION,
    p75_intvty             DOUBLE PRECISION,
    p90_intvty             DOUBLE PRECISION,
    median_e2e_norm_intvty DOUBLE PRECISION,
    p75_e2e_norm_intvty    DOUBLE PRECISION,
    p90_e2e_norm_intvty    DOUBLE PRECISION,
    PRIMARY KEY (run_id, version)
);
CREATE INDEX points_by_id ON points (point_id);
CREATE INDEX points_by_model ON points (model, scenario, run_id);

-- Where a version was read, and all it says.
CREATE TABLE point_bodies (
    run_id      BIGINT NOT NULL,
    version     BIGINT NOT NULL,
    -- collected or per_job: whether it stood in a collected file or in its job's own
    origin      TEXT   NOT NULL,
    artifact    TEXT   NOT NULL,
    file        TEXT   NOT NULL,
    -- row of a collected file, from 0
    row_index   BIGINT,
    uploaded_at BIGINT,
    -- GitHub's number of the artifact
    artifact_id BIGINT,
    -- hash of what it says, for telling a repeated row from a corrected one
    content     TEXT   NOT NULL,
    -- JSON of domain::point::Point; label, superseded and config_key are empty here: decided among versions, or columns
    point       TEXT   NOT NULL,
    -- packed: the artifact's row as it was
    raw         BYTEA NOT NULL,
    PRIMARY KEY (run_id, version),
    FOREIGN KEY (run_id, version) REFERENCES points (run_id, version)
);

-- Evals: one row per version, likewise.
CREATE TABLE evals (
    run_id      BIGINT NOT NULL REFERENCES runs (run_id),
    version     BIGINT NOT NULL,
    -- hash of the natural key
    eval_id     TEXT   NOT NULL,
    -- hash of the natural key but for the fingerprint, which separates two rows only where both have one
    base        TEXT   NOT NULL,
    attempt     BIGINT,
    superseded  BIGINT NOT NULL,
    task        TEXT   NOT NULL,
    model       TEXT   NOT NULL,
    hardware    TEXT   NOT NULL,
    framework   TEXT   NOT NULL,
    precision   TEXT   NOT NULL,
    conc        BIGINT,
    -- a fraction
    score       DOUBLE PRECISION,
    origin      TEXT   NOT NULL,
    artifact    TEXT   NOT NULL,
    file        TEXT   NOT NULL,
    row_index   BIGINT,
    uploaded_at BIGINT,
    artifact_id BIGINT,
    -- JSON of domain::eval::EvalRecord
    record      TEXT   NOT NULL,
    -- packed: the rows or files as they were
    raw         BYTEA NOT NULL,
    PRIMARY KEY (run_id, version)
);
CREATE INDEX evals_by_model ON evals (model, task, run_id);

-- Jobs' own accounts of themselves, the best source for failures.
CREATE TABLE job_events (
    run_id   BIGINT NOT NULL REFERENCES runs (run_id),
    seq      BIGINT NOT NULL,
    attempt  BIGINT,
    artifact TEXT   NOT NULL,
    -- JSON of domain::run::JobEvent without its raw text
    event    TEXT   NOT NULL,
    -- packed: the event as it was
    raw      BYTEA,
    PRIMARY KEY (run_id, seq)
);

-- Entries of a run's changelog metadata: every entry, in order.
CREATE TABLE changelog_entries (
    run_id BIGINT NOT NULL REFERENCES runs (run_id),
    seq    BIGINT NOT NULL,
    -- JSON of domain::run::ChangelogEntry
    entry  TEXT   NOT NULL,
    PRIMARY KEY (run_id, seq)
);

-- Success counts over all attempts, by hardware or cluster name.
CREATE TABLE run_stats (
    run_id    BIGINT NOT NULL REFERENCES runs (run_id),
    name      TEXT   NOT NULL,
    n_success BIGINT NOT NULL,
    total     BIGINT NOT NULL,
    PRIMARY KEY (run_id, name)
);

-- What each ingest did; the newest is shown. Ingests in a row that found nothing new share one row.
CREATE TABLE ingest_reports (
    run_id BIGINT NOT NULL REFERENCES runs (run_id),
    seq    BIGINT NOT NULL,
    at     BIGINT NOT NULL,
    -- JSON of domain::report::IngestReport
    report TEXT   NOT NULL,
    PRIMARY KEY (run_id, seq)
);

-- Changes of kind, purges and restores: who, when and why, kept for good.
CREATE TABLE audit (
    run_id BIGINT NOT NULL REFERENCES runs (run_id),
    seq    BIGINT NOT NULL,
    at     BIGINT NOT NULL,
    -- set-kind, purge or restore
    action TEXT   NOT NULL,
    -- what it was before and is now, in words
    detail TEXT   NOT NULL,
    reason TEXT   NOT NULL,
    actor  TEXT   NOT NULL,
    PRIMARY KEY (run_id, seq)
);

-- Only here: every server that listens on channel `paretoscope` learns of a new data_version when it is committed.
CREATE FUNCTION announce_data_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('paretoscope', NEW.value::text);
    RETURN NEW;
END
$$;
CREATE TRIGGER announce_data_version AFTER UPDATE ON meta
    FOR EACH ROW WHEN (NEW.name = 'data_version') EXECUTE FUNCTION announce_data_version();
