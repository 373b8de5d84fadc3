//! The evidence of a run: gathers what it is written from.

use std::sync::Arc;

use jiff::Timestamp;
use paretoscope_app::BaselineChoice;
use paretoscope_app::view_state::BaselineParam;
use paretoscope_domain::run::Run;
use paretoscope_review::evidence::{Against, EvidenceInput, Language, NoBaseline, evidence};
use paretoscope_store::StoreError;

use crate::app::App;
use crate::pages::run::baseline;

impl App {
    /// The sign-off's additional-detail section of a run as Markdown. What of `asked` could not be used is added to `problems`.
    ///
    /// # Errors
    /// When the store can't be read.
    pub async fn evidence(
        &self,
        run: &Arc<Run>,
        asked: BaselineParam,
        language: Language,
        problems: &mut Vec<String>,
    ) -> Result<String, StoreError> {
        let detail = self.detail(run).await?;
        // The same choice as the run's page: what is pasted names the baseline that was looked at.
        let choice = baseline(self, run, asked, problems).await?;
        let base = match &choice {
            BaselineChoice::None { .. } => None,
            BaselineChoice::Some { run: base, chosen, .. } => match self.snapshot().run(base.run_id) {
                Some(base) => Some((self.detail(base).await?, *chosen)),
                None => None,
            },
        };
        let against = match &base {
            Some((detail, chosen)) => Against::Some { detail, chosen: *chosen },
            None if asked == BaselineParam::None => Against::None(NoBaseline::NotWanted),
            None => Against::None(NoBaseline::of(run)),
        };
        let facts = self.facts().await?;
        let pull = match run.pr_number.filter(|_| self.is_ours(run)) {
            Some(number) => self.pull(number).await?,
            None => None,
        };
        let head = match run.head_sha.as_deref().filter(|_| self.is_ours(run)) {
            Some(sha) => self.repo_at(sha).await?,
            None => None,
        };
        let cookbook = if facts.cookbook.is_empty() { None } else { Some(self.cookbook().await?) };
        let input = EvidenceInput {
            detail: &detail,
            against,
            pull: pull.as_deref(),
            head: head.as_deref(),
            main: facts.main.as_deref(),
            cookbook: cookbook.as_deref().map(|c| c.entries.as_slice()),
            words: &self.words.vocabulary,
            public_url: &self.site.public_url,
            now: Timestamp::now(),
        };
        Ok(evidence(&input, language))
    }
}
