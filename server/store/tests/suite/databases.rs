//! A fresh database for each case: an SQLite file in a folder of its own, or a database in a throw-away PostgreSQL cluster.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use paretoscope_domain::threshold::Thresholds;
use paretoscope_domain::vocabulary::Vocabulary;
use paretoscope_store::{Store, Words};
use sqlx::{AssertSqlSafe, Connection, Executor};

/// A database with its tables.
pub(crate) struct Db {
    pub(crate) store: Store,
    pub(crate) url: String,
    pub(crate) is_sqlite: bool,
    _folder: Option<tempfile::TempDir>,
}

pub(crate) fn words() -> Words {
    Words { thresholds: Arc::new(Thresholds::shipped().unwrap()), vocabulary: Arc::new(Vocabulary::shipped().unwrap()) }
}

impl Db {
    async fn migrated(url: String, folder: Option<tempfile::TempDir>) -> Self {
        let store = Store::open(&url, words()).await.unwrap();
        store.migrate().await.unwrap();
        Self { store, is_sqlite: folder.is_some(), url, _folder: folder }
    }

    /// Another process's view of the same database.
    pub(crate) async fn again(&self) -> Store {
        Store::open(&self.url, words()).await.unwrap()
    }

    /// Statements behind the store's back.
    pub(crate) async fn execute(&self, sql: &str) {
        let mut connection = sqlx::AnyConnection::connect(&self.url).await.unwrap();
        connection.execute(AssertSqlSafe(sql.to_owned())).await.unwrap();
        connection.close().await.unwrap();
    }

    /// One number behind the store's back.
    pub(crate) async fn number(&self, sql: &str) -> i64 {
        let mut connection = sqlx::AnyConnection::connect(&self.url).await.unwrap();
        let n = sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        n
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

pub(crate) fn with_sqlite<F: Future<Output = ()>>(case: impl Fn(Db) -> F) {
    runtime().block_on(async {
        // A name that a careless URL would trip over.
        let folder = tempfile::Builder::new().prefix("pareto scope #").tempdir().unwrap();
        let path = folder.path().join("a.db").display().to_string().replace(' ', "%20").replace('#', "%23");
        case(Db::migrated(format!("sqlite://{path}"), Some(folder)).await).await;
    });
}

pub(crate) fn with_postgres<F: Future<Output = ()>>(case: impl Fn(Db) -> F) {
    static CLUSTER: OnceLock<Option<Cluster>> = OnceLock::new();
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let Some(cluster) = CLUSTER.get_or_init(Cluster::start) else {
        eprintln!("SKIPPED: no PostgreSQL is installed here (apt install postgresql), so this case ran on SQLite only");
        return;
    };
    let name = format!("case_{}", NEXT.fetch_add(1, Ordering::Relaxed));
    runtime().block_on(async {
        let mut connection = sqlx::PgConnection::connect(&cluster.url("postgres")).await.unwrap();
        connection.execute(AssertSqlSafe(format!("CREATE DATABASE {name}"))).await.unwrap();
        connection.close().await.unwrap();
        case(Db::migrated(cluster.url(&name), None).await).await;
    });
}

/// A PostgreSQL cluster of this test process: reached by a socket in its folder only, gone with the process.
struct Cluster {
    folder: PathBuf,
    /// The script waits on its standard input and stops the server when that closes: however we end, it ends.
    _script: std::process::Child,
}

const SCRIPT: &str = r#"
set -e
dir=$(mktemp -d /tmp/paretoscope-pg.XXXXXX)
trap 'rm -rf "$dir"' EXIT
init() { "$1/initdb" -D "$dir/data" -U paretoscope -A trust -E UTF8 --no-sync "$2" "$3" >"$dir/log" 2>&1; }
# A sorting that differs from SQLite's shows where we rely on one.
init "$1" --locale-provider=icu --icu-locale=en || { rm -rf "$dir/data"; init "$1" --no-instructions --no-sync; } || { cat "$dir/log" >&2; exit 1; }
"$1/postgres" -D "$dir/data" -k "$dir" -c listen_addresses= -c fsync=off -c synchronous_commit=off -c full_page_writes=off \
    -c shared_buffers=32MB -c max_connections=100 </dev/null >>"$dir/log" 2>&1 &
server=$!
tries=0
until "$1/pg_isready" -q -h "$dir"; do
    tries=$((tries + 1))
    if [ $tries -gt 300 ] || ! kill -0 $server 2>/dev/null; then cat "$dir/log" >&2; exit 1; fi
    sleep 0.1
done
echo "$dir"
cat >/dev/null
kill -INT $server
wait $server || true
"#;

impl Cluster {
    fn start() -> Option<Self> {
        use std::os::unix::process::CommandExt;
        let bin = binaries()?;
        let root = String::from_utf8_lossy(&Command::new("id").arg("-u").output().ok()?.stdout).trim() == "0";
        let mut command = if root {
            // initdb refuses root.
            let mut command = Command::new("setpriv");
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "sh"]);
            command
        } else {
            Command::new("sh")
        };
        let mut script = command
            .args(["-c", SCRIPT, "sh"])
            .arg(bin)
            .current_dir("/tmp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(script.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(!line.trim().is_empty(), "PostgreSQL is installed but did not start; its log is above");
        Some(Self { folder: PathBuf::from(line.trim()), _script: script })
    }

    fn url(&self, database: &str) -> String {
        format!("postgres:///{database}?host={}&user=paretoscope", self.folder.display())
    }
}

/// Folder of initdb and postgres: the newest that is installed.
fn binaries() -> Option<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|version| version.path().join("bin"))
        .filter(|bin| bin.join("initdb").exists())
        .collect();
    found.sort_by_key(|bin| bin.iter().rev().nth(1).and_then(|v| v.to_str()).and_then(|v| v.parse::<u32>().ok()));
    found.pop().or_else(|| {
        let told = Command::new("pg_config").arg("--bindir").output().ok()?;
        let bin = PathBuf::from(String::from_utf8_lossy(&told.stdout).trim());
        bin.join("initdb").exists().then_some(bin)
    })
}
