//! What was, and what could be ruled: the readings of every move, the games of these days, the articles of each profile.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::{App, fault};
use crate::clock::profile::Profile;
use crate::clock::ruling::{Minutes, Offence};

/// The readings after each press, for taking back and restoring.
pub(super) async fn moves(State(app): State<Arc<App>>) -> Response {
    told(&app, "moves").await
}

/// The games whose logs are here, newest first.
pub(super) async fn games(State(app): State<Arc<App>>) -> Response {
    told(&app, "games").await
}

async fn told(app: &App, what: &str) -> Response {
    match app.hub.client.told(what).await {
        Ok(Ok(text)) => fault::json_text(StatusCode::OK, text),
        Ok(Err(fault)) => fault::refuse(&fault, None),
        Err(error) => fault::unreachable(&error),
    }
}

/// What an arbiter may rule by each profile, with the clause.
pub(super) async fn rulings() -> Response {
    fault::json_text(StatusCode::OK, table().to_string())
}

fn table() -> Value {
    let profiles = Profile::NAMES.iter().filter_map(|name| Some((*name, Profile::from_name(name)?)));
    let rulings = |profile: Profile| -> Vec<Value> {
        let offences = Offence::NAMES.iter().filter_map(|name| Offence::from_name(name));
        let row = |offence: Offence| {
            let article = profile.article(offence)?;
            let minutes = match article.minutes {
                Minutes::Warning => "warning",
                Minutes::Usual => "usual",
                Minutes::ByJudgement => "by_judgement",
            };
            Some(json!({
                "article": offence.name(),
                "clause": article.clause,
                "minutes": minutes,
                "takes_press": article.takes_press,
                "loses": article.loses,
            }))
        };
        offences.filter_map(row).collect()
    };
    Value::Object(profiles.map(|(name, profile)| (name.to_owned(), rulings(profile).into())).collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Invariant: every number of the rules has its clause.
    #[test]
    fn every_profile_has_its_list_and_every_line_its_clause() {
        let table = table();
        for name in Profile::NAMES {
            let rulings = table[name].as_array().expect("a list");
            assert!(rulings.iter().any(|ruling| ruling["article"] == "illegal_move"), "{name}");
            assert!(rulings.iter().all(|ruling| !ruling["clause"].as_str().unwrap_or("").is_empty()), "{name}");
        }
        assert_eq!(table["fide-2001"][0]["minutes"], "by_judgement", "13.4 leaves it to the arbiter");
    }
}
