//! Specifications as TOML files of rules (docs/models.md).

use linspect_core::spec::{BadRule, Rulebook};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Why a file is not a model.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// Not TOML, or not what a model has in it.
    #[error("{0}")]
    Toml(String),
    /// A rule that cannot be understood.
    #[error(transparent)]
    Rule(#[from] BadRule),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelFile {
    name: Option<String>,
    initial: InitialState,
    /// The first parameter of every call, if there is an object per value of it.
    per: Option<String>,
    calls: BTreeMap<String, RuleList>,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "`initial` is a whole number, true, false, or a text with any other state: \"nil\", \"[]\", \"[1, 2]\""
)]
enum InitialState {
    Number(i64),
    Truth(bool),
    Text(String),
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "the rules of a call are a text, or a list of texts"
)]
enum RuleList {
    One(String),
    Several(Vec<String>),
}

/// Reads a model; `name` is its name unless it has one of its own.
///
/// ```
/// let flag = r#"
///     initial = false
///     [calls]
///     "raise()" = "_ -> true"
///     "is_up()" = "up -> up returns up"
/// "#;
/// linspect_format::model(flag, "flag")?;
/// # Ok::<(), linspect_format::ModelError>(())
/// ```
pub fn model(text: &str, name: &str) -> Result<Rulebook, ModelError> {
    let file: ModelFile = toml::from_str(text)
        .map_err(|error| ModelError::Toml(error.to_string().trim_end().to_owned()))?;
    let initial = match file.initial {
        InitialState::Number(n) => n.to_string(),
        InitialState::Truth(b) => b.to_string(),
        InitialState::Text(text) => text,
    };
    let calls: Vec<(&str, &[String])> = file
        .calls
        .iter()
        .map(|(call, rules)| match rules {
            RuleList::One(rule) => (&**call, std::slice::from_ref(rule)),
            RuleList::Several(rules) => (&**call, &rules[..]),
        })
        .collect();
    let name = file.name.as_deref().unwrap_or(name);
    Ok(Rulebook::new(name, &initial, file.per.as_deref(), &calls)?)
}
