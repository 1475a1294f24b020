//! Asks an authorization server for tokens: the server's own (RFC 6749, 4.4) or one for a caller's (RFC 8693).

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use form_urlencoded::{Serializer, byte_serialize};
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, StatusCode, Uri};
use serde_json::{Map, Value};
use tokio::time::Instant;

use crate::runtime::catalog::TokenRequest;
use crate::runtime::client::{Client, Failure, Limits};
use crate::runtime::credential::{CredentialFault, Patience, Token};
use crate::runtime::hooks::{ApiAnswer, ApiRequest};
use crate::runtime::secret::Secret;
use crate::runtime::setting::{self, Variables};

/// Largest answer that is read.
const MAX_ANSWER: u64 = 64 * 1024;
/// Longest token that is taken.
const MAX_TOKEN: usize = 16 * 1024;

const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";
const JWT: &str = "urn:ietf:params:oauth:token-type:jwt";

/// Codes that may go into the log (RFC 6749, 5.2; RFC 8693, 2.2.2). Any other text is not repeated.
const KNOWN_ERRORS: [&str; 8] = [
    "invalid_request",
    "invalid_client",
    "invalid_grant",
    "unauthorized_client",
    "unsupported_grant_type",
    "invalid_scope",
    "invalid_target",
    "temporarily_unavailable",
];

/// A client of one token endpoint.
pub struct TokenClient {
    client: Client,
    endpoint: Uri,
    /// HTTP Basic with the client's id and secret.
    authorization: HeaderValue,
    request: TokenRequest,
    patience: Patience,
    /// Until when the endpoint counts as down, so that not every caller waits for it.
    down_until: Mutex<Option<Instant>>,
}

impl TokenClient {
    /// Reads the operator's settings.
    ///
    /// # Errors
    /// A sentence for the operator that names the setting at fault.
    pub fn read(
        request: TokenRequest,
        client: Client,
        variables: Variables<'_>,
        patience: Patience,
    ) -> Result<Self, String> {
        let endpoint = setting::endpoint(request.url, "token endpoint", variables)?;
        let id = setting::read(request.client_id, variables)?;
        let secret = setting::secret_variable(request.client_secret, variables)?;
        let authorization = basic(&id, &secret);
        let authorization = authorization
            .ok_or_else(|| "the client credentials cannot travel in a header".to_owned())?;
        Ok(Self {
            client,
            endpoint,
            authorization,
            request,
            patience,
            down_until: Mutex::new(None),
        })
    }

    /// Asks for a token of the server's own.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn own(&self) -> Result<Token, CredentialFault> {
        let form = self.form(&[("grant_type", "client_credentials")]);
        self.ask(form).await
    }

    /// Asks for a token of the API for a caller's token.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn exchange(&self, subject: &Secret) -> Result<Token, CredentialFault> {
        let form = self.form(&[
            (
                "grant_type",
                "urn:ietf:params:oauth:grant-type:token-exchange",
            ),
            ("subject_token", subject.expose()),
            ("subject_token_type", ACCESS_TOKEN),
        ]);
        self.ask(form).await
    }

    fn form(&self, grant: &[(&str, &str)]) -> Bytes {
        let asked = [
            ("scope", self.request.scope),
            ("audience", self.request.audience),
            ("resource", self.request.resource),
        ];
        let mut form = Serializer::new(String::new());
        form.extend_pairs(grant);
        form.extend_pairs(asked.iter().filter(|(_, value)| !value.is_empty()));
        form.finish().into()
    }

    async fn ask(&self, form: Bytes) -> Result<Token, CredentialFault> {
        if let Some(until) = self.down_until() {
            let fault = CredentialFault::new("the token endpoint failed a moment ago");
            return Err(fault.standing_until(until));
        }
        let request = ApiRequest {
            method: "POST",
            uri: self.endpoint.clone(),
            headers: self.headers(),
            body: Some(form),
        };
        let limits = Limits {
            timeout: self.patience.deadline,
            max_answer_bytes: MAX_ANSWER,
            retries: 0,
        };
        let answer = self.client.send(&request, limits).await;
        let is_down = match &answer {
            Ok(answer) => is_down(answer.status),
            Err(_) => true,
        };
        self.note(is_down);
        match answer {
            Ok(answer) if answer.status == StatusCode::OK => read(&answer.body),
            Ok(answer) => Err(refused(&answer)),
            Err(failure) => Err(CredentialFault::new(format!(
                "no answer of the token endpoint: {}",
                cause(failure)
            ))),
        }
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, self.authorization.clone());
        let form = HeaderValue::from_static("application/x-www-form-urlencoded");
        headers.insert(CONTENT_TYPE, form);
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        headers
    }

    fn down_until(&self) -> Option<Instant> {
        let until = *self
            .down_until
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        until.filter(|until| Instant::now() < *until)
    }

    fn note(&self, is_down: bool) {
        let until = is_down.then(|| Instant::now() + self.patience.failure_memory);
        *self
            .down_until
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = until;
    }
}

/// RFC 6749, 2.3.1: both are form-encoded before they are joined.
fn basic(id: &str, secret: &Secret) -> Option<HeaderValue> {
    let encode = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    let pair = format!("{}:{}", encode(id), encode(secret.expose()));
    Secret::new(STANDARD.encode(pair)).header("Basic")
}

fn is_down(status: StatusCode) -> bool {
    status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS
}

/// Reads a good answer (RFC 6749, 5.1).
fn read(body: &[u8]) -> Result<Token, CredentialFault> {
    let fault = |text: &str| CredentialFault::new(format!("the token endpoint answered {text}"));
    let answer: Map<String, Value> =
        serde_json::from_slice(body).map_err(|_| fault("without a JSON object"))?;
    let text = |name: &str| answer.get(name).and_then(Value::as_str);
    if !text("token_type").is_some_and(|kind| kind.eq_ignore_ascii_case("Bearer")) {
        return Err(fault("with a token that is not a bearer token"));
    }
    // What RFC 8693, 2.2.1, says of the kind of an exchanged token; servers that leave it out are taken at their word.
    let is_usable = |kind: &Value| matches!(kind.as_str(), Some(ACCESS_TOKEN | JWT));
    if !answer.get("issued_token_type").is_none_or(is_usable) {
        return Err(fault("with a token of another kind"));
    }
    let token = text("access_token").unwrap_or_default();
    let is_token =
        (1..=MAX_TOKEN).contains(&token.len()) && token.bytes().all(|byte| byte.is_ascii_graphic());
    if !is_token {
        return Err(fault("without a token that can be sent"));
    }
    Ok(Token {
        value: Secret::new(token),
        lifetime: lifetime(answer.get("expires_in"))
            .map_err(|()| fault("with a lifetime that is not a number of seconds"))?,
    })
}

/// `expires_in`: a number, or the same in a string, as some servers have it.
fn lifetime(value: Option<&Value>) -> Result<Option<Duration>, ()> {
    let seconds = match value {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Number(number)) => number.as_f64(),
        Some(Value::String(text)) => text.parse().ok(),
        Some(_) => None,
    };
    let seconds = seconds.filter(|seconds: &f64| *seconds >= 0.0).ok_or(())?;
    // Longer than a cache keeps it; no conversion can overflow.
    Ok(Some(Duration::from_secs_f64(seconds.min(1e9))))
}

fn refused(answer: &ApiAnswer) -> CredentialFault {
    let status = answer.status.as_u16();
    let body: Option<Value> = serde_json::from_slice(&answer.body).ok();
    let said = body.as_ref().and_then(|body| body.get("error")?.as_str());
    let known = said.and_then(|said| KNOWN_ERRORS.into_iter().find(|known| *known == said));
    CredentialFault::new(match known {
        Some(error) => format!("the token endpoint answered {status} ({error})"),
        None => format!("the token endpoint answered {status}"),
    })
}

fn cause(failure: Failure) -> String {
    match failure {
        Failure::Timeout => "the deadline passed".to_owned(),
        Failure::Unreachable(cause) | Failure::Network(cause) => cause,
        Failure::TooLarge => "it is over the limit".to_owned(),
    }
}
