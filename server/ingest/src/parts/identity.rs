//! Which model on which hardware with which engine: the row's words, looked up in the vocabulary.

use paretoscope_domain::vocabulary::{Entry, Vocabulary};

use crate::fields::Fields;
use crate::refusal::{Refusal, code};

/// The configuration a row speaks of.
#[derive(Clone, Debug)]
pub(crate) struct Identity<'w> {
    pub(crate) model: &'w Entry,
    pub(crate) model_prefix: Option<String>,
    pub(crate) model_path: Option<String>,
    pub(crate) hardware: &'w Entry,
    pub(crate) hardware_label: String,
    pub(crate) framework: &'w Entry,
    pub(crate) precision: &'w Entry,
    pub(crate) spec: &'w Entry,
}

/// Reads the configuration. `missing` names what else the caller has found missing, so that one sentence tells it all.
pub(crate) fn identity<'w>(f: Fields<'_>, words: &'w Vocabulary, missing: Vec<&'static str>) -> Result<Identity<'w>, Refusal> {
    let prefix = f.first_text(&["infmax_model_prefix", "model_prefix"])?;
    let path = f.text("model")?;
    let hw = f.text("hw")?;
    let framework = f.text("framework")?;
    let precision = f.text("precision")?;
    let spec = f.text("spec_decoding")?.unwrap_or_default();

    let needed = [("hw", hw), ("framework", framework), ("precision", precision), ("model", prefix.or(path))];
    let mut absent: Vec<&str> = needed.iter().filter(|(_, v)| v.is_none()).map(|(name, _)| *name).collect();
    absent.extend(missing);
    let (Some(hw), Some(framework), Some(precision), true) = (hw, framework, precision, absent.is_empty()) else {
        return Err(Refusal::new(code::MISSING_IDENTITY, format!("empty or absent: {}", absent.join(", "))));
    };

    let model_words = [prefix, path].into_iter().flatten().collect::<Vec<_>>().join(" / ");
    let found = (
        words.model(prefix, path).ok_or((code::UNMAPPED_MODEL, "model", model_words.as_str())),
        words.hardware(hw).ok_or((code::UNMAPPED_HARDWARE, "hardware", hw)),
        words.framework(framework).ok_or((code::UNMAPPED_FRAMEWORK, "framework", framework)),
        words.precision(precision).ok_or((code::UNMAPPED_PRECISION, "precision", precision)),
        words.spec_method(spec).ok_or((code::UNMAPPED_SPEC, "spec method", spec)),
    );
    match found {
        (Ok(model), Ok(hardware), Ok(framework), Ok(precision), Ok(spec)) => Ok(Identity {
            model,
            model_prefix: prefix.map(str::to_owned),
            model_path: path.map(str::to_owned),
            hardware,
            hardware_label: hw.to_owned(),
            framework,
            precision,
            spec,
        }),
        (model, hardware, framework, precision, spec) => {
            let unknown: Vec<_> =
                [model.err(), hardware.err(), framework.err(), precision.err(), spec.err()].into_iter().flatten().collect();
            let told: Vec<String> = unknown.iter().map(|(_, what, word)| format!("{what} {word:?}")).collect();
            let reason = unknown.first().map_or(code::UNMAPPED_MODEL, |(reason, ..)| *reason);
            Err(Refusal::new(reason, format!("not in the vocabulary: {}", told.join(", "))))
        }
    }
}
