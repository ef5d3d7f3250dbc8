//! The addresses of letting in: pairing, sign-in and its end, the list of devices, a code for another one.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::{Caller, password};
use crate::link::access::{AccessAnswer, AccessAsk, LONGEST_NAME, Role, Who, plain_name};
use crate::link::port::{self, Source};
use crate::link::wire::Fault;
use crate::web::api::Object;
use crate::web::guard::{COOKIE, Via};
use crate::web::{App, fault};

/// A longer password is not even hashed, in bytes.
const LONGEST_PASSWORD: usize = 4 * password::MOST;

/// `POST /api/v1/access/pair` `{"code":…,"name":…}`: the code on the clock makes this device an arbiter's or an
/// assistant's.
pub(in crate::web) async fn pair(State(app): State<Arc<App>>, entered: Entered) -> Response {
    let Some(code) = entered.text("code").filter(|code| code.len() <= 32) else {
        let fault = Fault::field("code", "\"code\" takes the digits that the clock shows.");
        return fault::refuse(&fault, None);
    };
    let peer = Some(entered.via.peer.ip().to_canonical());
    match app.hub.client.access(&AccessAsk::Redeem { code: code.to_owned(), peer }).await {
        Ok(Ok(AccessAnswer::Redeemed(role))) => entered.let_in(&app, role).await,
        Ok(Ok(_)) => other_answer(),
        Ok(Err(refused)) => fault::refuse(&refused, None),
        Err(error) => fault::unreachable(&error),
    }
}

/// `POST /api/v1/access/login` `{"password":…,"name":…}`: the arbiter's password, where one is set.
pub(in crate::web) async fn login(State(app): State<Arc<App>>, entered: Entered) -> Response {
    let typed = entered.text("password").unwrap_or("");
    if typed.is_empty() || typed.len() > LONGEST_PASSWORD {
        return fault::refuse(&Fault::field("password", "\"password\" takes the arbiter's password."), None);
    }
    let Ok(_turn) = app.access.hashing.try_acquire() else {
        return later("Another sign-in is being checked; try again.", StatusCode::SERVICE_UNAVAILABLE, 1);
    };
    let (typed, state) = (typed.to_owned(), app.access.state.clone());
    let checked = tokio::task::spawn_blocking(move || {
        let hash = state.as_deref().and_then(password::read);
        hash.map(|hash| password::is(&typed, &hash))
    });
    match checked.await {
        Ok(Some(true)) => entered.let_in(&app, Role::Arbiter).await,
        Ok(Some(false)) => {
            let fault = Fault { field: Some("password".to_owned()), ..Fault::new(403, "This is not the password.") };
            fault::refuse(&fault, None)
        }
        _ => fault::sentence(StatusCode::FORBIDDEN, "No password is set on this clock: pair with the code it shows."),
    }
}

/// What pairing and sign-in have in common: a try that may be made, over TLS, by somebody who says who he is.
pub(in crate::web) struct Entered {
    object: Map<String, Value>,
    name: String,
    via: Via,
    caller: Caller,
}

impl FromRequest<Arc<App>> for Entered {
    type Rejection = Response;

    async fn from_request(mut request: Request, app: &Arc<App>) -> Result<Self, Response> {
        let (via, caller) = (request.extensions_mut().remove::<Via>(), request.extensions_mut().remove::<Caller>());
        // Over TLS: what comes otherwise the guard has refused.
        let Some(via) = via.filter(|via| via.tls) else {
            return Err(fault::sentence(StatusCode::FORBIDDEN, "A device is let in over https alone."));
        };
        let Object(object) = Object::from_request(request, app).await?;
        let Some(name) = object.get("name").and_then(Value::as_str).and_then(plain_name) else {
            let sentence =
                format!("\"name\" takes who you are, up to {LONGEST_NAME} characters: it stands with all you do.");
            return Err(fault::refuse(&Fault::field("name", sentence), None));
        };
        if let Err(seconds) = app.access.take_try(via.peer.ip()) {
            let sentence = format!("Too many tries from this device: try again in {seconds} s.");
            return Err(later(&sentence, StatusCode::TOO_MANY_REQUESTS, seconds));
        }
        Ok(Self { object, name, via, caller: caller.unwrap_or_default() })
    }
}

impl Entered {
    fn text(&self, field: &str) -> Option<&str> {
        self.object.get(field).and_then(Value::as_str)
    }

    /// A new token in place of the one that this device had.
    async fn let_in(self, app: &App, role: Role) -> Response {
        let Self { name, via, caller, .. } = self;
        let who = Who { name, role };
        if let Role::Assistant(side) = role {
            register(app, via, &who, side).await;
        }
        let told = me(&Caller { role, who: Some(who.clone()), session: None }, false);
        let Some(token) = app.access.begin(who, via.peer.ip().to_canonical(), caller.session.as_deref()) else {
            return fault::sentence(StatusCode::SERVICE_UNAVAILABLE, "The system has no random numbers; try again.");
        };
        app.access.keep().await;
        with_cookie(fault::json_text(StatusCode::OK, told.to_string()), &token)
    }
}

fn other_answer() -> Response {
    fault::sentence(StatusCode::BAD_GATEWAY, "The clock gave another answer than was asked for.")
}

fn later(sentence: &str, status: StatusCode, seconds: u64) -> Response {
    let mut response = fault::sentence(status, sentence);
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    response
}

/// Whom the arbiter let in for a side is that side's assistant in the game that is on (F6.8d).
async fn register(app: &App, via: Via, who: &Who, side: crate::clock::side::Colour) {
    let command = json!({"command": "assistant", "side": side, "name": who.name});
    let source = Source::Web { peer: via.peer.to_string(), who: Some(who.clone()) };
    let request = port::Request { command, version: None, request_id: None, source };
    if let Err(error) = app.hub.client.submit(&request).await {
        tracing::warn!("the assistant could not be registered: {error}");
    }
}

/// A cookie that lasts as long as the browser, and at most as long as the session: `token` empty takes it away.
fn with_cookie(mut response: Response, token: &str) -> Response {
    let end = if token.is_empty() { "; Max-Age=0" } else { "; Max-Age=1209600" };
    let text = format!("{COOKIE}={token}; Path=/; Secure; HttpOnly; SameSite=Strict{end}");
    if let Ok(value) = HeaderValue::from_str(&text) {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    response
}

/// Who somebody is, as the pages ask it.
fn me(caller: &Caller, local: bool) -> Value {
    let mut object = Map::new();
    caller.role.write(&mut object);
    object.insert("name".into(), json!(caller.who.as_ref().map(|who| who.name.as_str())));
    object.insert("local".into(), local.into());
    Value::Object(object)
}

/// `GET /api/v1/access/me`.
pub(in crate::web) async fn who_am_i(Extension(caller): Extension<Caller>) -> Response {
    let local = caller.role == Role::Arbiter && caller.who.is_none();
    fault::json_text(StatusCode::OK, me(&caller, local).to_string())
}

/// `POST /api/v1/access/logout`: this device's session ends here, not only in the browser.
pub(in crate::web) async fn logout(State(app): State<Arc<App>>, Extension(caller): Extension<Caller>) -> Response {
    if let Some(id) = &caller.session {
        app.access.end(id);
        app.access.keep().await;
    }
    with_cookie(fault::json_text(StatusCode::OK, me(&Caller::default(), false).to_string()), "")
}

/// `GET /api/v1/access`: the devices, and what was refused in the last day.
pub(in crate::web) async fn list(State(app): State<Arc<App>>, Extension(caller): Extension<Caller>) -> Response {
    let place = app.access.place();
    let told = json!({
        "devices": app.access.listed(caller.session.as_deref()),
        "addresses": place.addresses,
        "fingerprint": place.fingerprint,
        "refused": app.access.refusals.of_the_day(),
    });
    fault::json_text(StatusCode::OK, told.to_string())
}

/// `POST /api/v1/access/end` `{"id":…}`: a device is thrown out.
pub(in crate::web) async fn end(State(app): State<Arc<App>>, Object(object): Object) -> Response {
    let ended = object.get("id").and_then(Value::as_str).and_then(|id| app.access.end(id));
    match ended {
        Some(name) => {
            app.access.keep().await;
            fault::json_text(StatusCode::OK, json!({"ended": name}).to_string())
        }
        None => {
            fault::refuse(&Fault::field("id", "No device with this \"id\" is let in; ask for the list anew."), None)
        }
    }
}

/// `POST /api/v1/access/open` `{"role":…,"side":…}`: a code for another device.
pub(in crate::web) async fn open(State(app): State<Arc<App>>, Object(object): Object) -> Response {
    let role = match Role::read(&object) {
        Ok(role) => role,
        Err(fault) => return fault::refuse(&fault, None),
    };
    match app.hub.client.access(&AccessAsk::Open(role)).await {
        Ok(Ok(AccessAnswer::Opened(opened))) => {
            let mut object = Map::new();
            object.insert("code".into(), opened.code.into());
            object.insert("seconds".into(), opened.seconds.into());
            opened.role.write(&mut object);
            object.insert("addresses".into(), json!(opened.place.addresses));
            fault::json_text(StatusCode::OK, Value::Object(object).to_string())
        }
        Ok(Ok(_)) => other_answer(),
        Ok(Err(refused)) => fault::refuse(&refused, None),
        Err(error) => fault::unreachable(&error),
    }
}

/// `POST /api/v1/access/cancel`: the code that is open is good no more.
pub(in crate::web) async fn cancel(State(app): State<Arc<App>>) -> Response {
    match app.hub.client.access(&AccessAsk::Cancel).await {
        Ok(Ok(_)) => fault::json_text(StatusCode::OK, "{}"),
        Ok(Err(refused)) => fault::refuse(&refused, None),
        Err(error) => fault::unreachable(&error),
    }
}
