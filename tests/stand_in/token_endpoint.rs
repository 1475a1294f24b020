//! A token endpoint: it gives out tokens for its own client and exchanges those of callers, and counts.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::stand_in::{Api, Request, Response, StandIn};

/// The id of the one client, and its secret; both have characters that need encoding (RFC 6749, 2.3.1).
pub const CLIENT: (&str, &str) = ("mcp server", "s3cr&t:%");

/// A running endpoint.
pub struct TokenEndpoint {
    /// The server.
    pub server: StandIn,
    n_given: Arc<AtomicUsize>,
}

struct Behaviour {
    expires_in: Value,
    n_given: Arc<AtomicUsize>,
}

impl TokenEndpoint {
    /// Starts on a free port of loopback; `null` leaves `expires_in` out.
    pub async fn start(expires_in: Value) -> std::io::Result<Self> {
        let n_given = Arc::new(AtomicUsize::new(0));
        let behaviour = Behaviour {
            expires_in,
            n_given: n_given.clone(),
        };
        let server = StandIn::start(behaviour, 0).await?;
        Ok(Self { server, n_given })
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("{}/token", self.server.base_url())
    }

    /// How many tokens it gave out.
    pub fn n_given(&self) -> usize {
        self.n_given.load(Ordering::SeqCst)
    }

    /// The fields of every request so far.
    pub fn forms(&self) -> Vec<BTreeMap<String, String>> {
        self.server.requests().iter().map(form).collect()
    }
}

fn form(request: &Request) -> BTreeMap<String, String> {
    form_urlencoded::parse(&request.body).into_owned().collect()
}

/// `Authorization` of the one client, from its parts in form encoding.
fn authorization() -> String {
    let encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let pair = format!("{}:{}", encode(CLIENT.0), encode(CLIENT.1));
    format!("Basic {}", STANDARD.encode(pair))
}

impl Api for Behaviour {
    fn answer(&self, request: &Request) -> Response {
        let is_form = request.header("content-type") == Some("application/x-www-form-urlencoded");
        if request.method != "POST" || request.path != "/token" || !is_form {
            return Response::json(400, &json!({"error": "invalid_request"}));
        }
        if request.header("authorization") != Some(authorization().as_str()) {
            return Response::json(401, &json!({"error": "invalid_client"}));
        }
        let form = form(request);
        let field = |name: &str| form.get(name).map_or("", String::as_str);
        let n_given = self.n_given.fetch_add(1, Ordering::SeqCst) + 1;
        let token = match field("grant_type") {
            "client_credentials" => format!("own-{n_given}"),
            "urn:ietf:params:oauth:grant-type:token-exchange"
                if field("subject_token_type")
                    == "urn:ietf:params:oauth:token-type:access_token" =>
            {
                match field("subject_token") {
                    subject if subject.is_empty() || subject.starts_with("refused") => {
                        return Response::json(400, &json!({"error": "invalid_grant"}));
                    }
                    subject => format!("{n_given}.for.{subject}"),
                }
            }
            _ => return Response::json(400, &json!({"error": "unsupported_grant_type"})),
        };
        let mut answer = json!({"access_token": token, "token_type": "bearer"});
        if !self.expires_in.is_null() {
            answer["expires_in"] = self.expires_in.clone();
        }
        Response::json(200, &answer)
    }
}
