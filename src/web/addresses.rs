//! Every address of the arbiter port beside its pages: the one table by which requests are routed, and with which the
//! description for programs (`openapi.json`) is compared.

use std::sync::Arc;

use axum::Router;
use axum::handler::Handler;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use axum::routing::{MethodRouter, get, post};

use super::access::routes;
use super::{App, api, events, fault, metrics, sim, takeover, told};

/// The description of all of it, OpenAPI 3.1.
pub(super) const DESCRIPTION: &str = include_str!("openapi.json");

/// One address and what answers there.
pub(super) struct Address {
    /// What it takes.
    #[cfg_attr(not(test), expect(dead_code, reason = "the route has it too, and says it to nobody"))]
    pub(super) method: Method,
    /// Its path, a part of it in braces.
    pub(super) path: &'static str,
    route: MethodRouter<Arc<App>>,
}

fn reads<T: 'static>(path: &'static str, handler: impl Handler<T, Arc<App>>) -> Address {
    Address { method: Method::GET, path, route: get(handler) }
}

fn takes<T: 'static>(path: &'static str, handler: impl Handler<T, Arc<App>>) -> Address {
    Address { method: Method::POST, path, route: post(handler) }
}

/// Those of every clock.
pub(super) fn of_every_clock() -> Vec<Address> {
    vec![
        reads("/api/v1/state", api::state),
        reads("/api/v1/events", events::events),
        takes("/api/v1/commands", api::commands),
        reads("/api/v1/log", api::log),
        reads("/api/v1/take-over", takeover::candidates),
        takes("/api/v1/take-over", takeover::offer),
        reads("/api/v1/presets", api::presets),
        reads("/api/v1/moves", told::moves),
        reads("/api/v1/games", told::games),
        reads("/api/v1/rulings", told::rulings),
        reads("/api/v1/access", routes::list),
        reads("/api/v1/access/me", routes::who_am_i),
        takes("/api/v1/access/pair", routes::pair),
        takes("/api/v1/access/login", routes::login),
        takes("/api/v1/access/logout", routes::logout),
        takes("/api/v1/access/end", routes::end),
        takes("/api/v1/access/open", routes::open),
        takes("/api/v1/access/cancel", routes::cancel),
        reads("/api/v1/openapi.json", description),
        reads("/healthz", api::healthz),
        reads("/metrics", metrics::metrics),
    ]
}

/// Those of simulated hardware.
pub(super) fn of_simulated_hardware() -> Vec<Address> {
    vec![
        takes("/sim/v1/edge", sim::edge),
        takes("/sim/v1/press", sim::press),
        takes("/sim/v1/tilt", sim::tilt),
        reads("/sim/v1/panel/{picture}", sim::panel),
    ]
}

/// Adds addresses to a router.
pub(super) fn route(router: Router<Arc<App>>, addresses: Vec<Address>) -> Router<Arc<App>> {
    addresses.into_iter().fold(router, |router, address| router.route(address.path, address.route))
}

async fn description() -> Response {
    fault::json_text(StatusCode::OK, DESCRIPTION)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;
    use crate::link::access::Role;
    use crate::web::needs::Need;

    fn described() -> Value {
        serde_json::from_str(DESCRIPTION).expect("JSON")
    }

    /// Every address is described, and what is described is there.
    #[test]
    fn the_description_has_the_addresses_that_are_there() {
        let named = |method: &str, path: &str| format!("{} {path}", method.to_uppercase());
        let there: BTreeSet<String> = [of_every_clock(), of_simulated_hardware()]
            .into_iter()
            .flatten()
            .map(|address| named(address.method.as_str(), address.path))
            .collect();
        let described = described();
        let paths = described["paths"].as_object().expect("paths");
        let methods = |item: &Value| -> Vec<String> {
            let keys = item.as_object().expect("methods").keys();
            keys.filter(|key| ["get", "post", "put", "delete", "patch"].contains(&key.as_str())).cloned().collect()
        };
        let told: BTreeSet<String> = paths
            .iter()
            .flat_map(|(path, item)| methods(item).into_iter().map(move |method| named(&method, path)))
            .collect();
        assert_eq!(told, there);
    }

    /// Who may is described as it is: `security` is empty where everybody may.
    #[test]
    fn the_description_says_who_may() {
        for address in [of_every_clock(), of_simulated_hardware()].into_iter().flatten() {
            let path = address.path.replace("{picture}", "left.png");
            let need = Need::of(&address.method, &path);
            let operation = &described()["paths"][address.path][address.method.as_str().to_lowercase()];
            let open = operation["security"] == serde_json::json!([]);
            assert_eq!(open, need.is_met_by(Role::Public), "{} {}", address.method, address.path);
        }
    }
}
