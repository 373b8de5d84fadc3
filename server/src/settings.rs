//! Settings: flags first, then environment.

use std::path::PathBuf;
use std::sync::Arc;

use paretoscope_domain::threshold::Thresholds;
use paretoscope_domain::vocabulary::Vocabulary;

/// What every sub-command needs to know.
#[derive(Clone, Debug, clap::Args)]
pub struct Settings {
    /// Database: sqlite://FILE or postgres://USER:PASSWORD@HOST/NAME
    #[arg(long, env = "PARETOSCOPE_DATABASE_URL", default_value = "sqlite://paretoscope.db", hide_env_values = true, global = true)]
    pub database_url: String,
    /// Words to know beside the shipped ones (a TOML file of the shape of domain/vocabulary/vocabulary.toml)
    #[arg(long, env = "PARETOSCOPE_VOCABULARY", value_name = "FILE", global = true)]
    pub vocabulary: Option<PathBuf>,
    /// Repository of the benchmark, for runs whose payload names none
    #[arg(long, env = "PARETOSCOPE_REPO", default_value = paretoscope_domain::run::DEFAULT_REPO, value_name = "OWNER/NAME", global = true)]
    pub repo: String,
    /// Address that people open, for links in previews: https://bench.example.org
    #[arg(long, env = "PARETOSCOPE_PUBLIC_URL", default_value = "", global = true)]
    pub public_url: String,
}

/// Why the words could not be read.
#[derive(Debug, thiserror::Error)]
pub enum WordsError {
    /// The file could not be read.
    #[error("the vocabulary file {} can't be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is malformed.
    #[error("{origin}: {source}")]
    Malformed {
        /// Which one.
        origin: String,
        /// Why.
        source: paretoscope_domain::vocabulary::BadVocabulary,
    },
    /// The shipped thresholds are malformed.
    #[error("the shipped thresholds: {0}")]
    Thresholds(String),
}

/// Vocabulary and thresholds in force.
#[derive(Clone, Debug)]
pub struct Words {
    /// Vocabulary.
    pub vocabulary: Arc<Vocabulary>,
    /// Thresholds.
    pub thresholds: Arc<Thresholds>,
}

impl Settings {
    /// Reads the words: the shipped ones and the file's.
    ///
    /// # Errors
    /// When a file can't be read or is malformed.
    pub fn words(&self) -> Result<Words, WordsError> {
        let malformed = |origin: String| move |source| WordsError::Malformed { origin, source };
        let mut vocabulary = Vocabulary::shipped().map_err(malformed("the shipped vocabulary".to_owned()))?;
        if let Some(path) = &self.vocabulary {
            let document = std::fs::read_to_string(path).map_err(|source| WordsError::Unreadable { path: path.clone(), source })?;
            vocabulary.extend(&document).map_err(malformed(path.display().to_string()))?;
        }
        let thresholds = Thresholds::shipped().map_err(|e| WordsError::Thresholds(e.to_string()))?;
        Ok(Words { vocabulary: Arc::new(vocabulary), thresholds: Arc::new(thresholds) })
    }
}
