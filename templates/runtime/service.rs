//! Answers messages: the bytes of one JSON-RPC message → what to send back, or a call to run.
//!
//! Both transports come here with every message, so that they cannot differ.

use std::borrow::Cow;
use std::collections::HashMap;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use tokio::sync::Semaphore;

use crate::runtime::answer::{Era, ProtocolError, code, failure};
use crate::runtime::call::Caller;
use crate::runtime::catalog::{Catalog, MethodNotFound, RefusalKind};
use crate::runtime::confirmation::Confirmations;
use crate::runtime::era::{self, Said};
use crate::runtime::header_value;
use crate::runtime::identity::{self, Identity};
use crate::runtime::limits::{RateLimiter, Toll};
use crate::runtime::lists::{Form, List, Lists};
use crate::runtime::locale;
use crate::runtime::log::{Level, Log};
use crate::runtime::message::{
    self, Message, Meta, Params, Unreadable, as_string, id_key, invalid_params,
};
use crate::runtime::metrics::{Budget, Metrics};
use crate::runtime::principal::Principal;
use crate::runtime::prompts::{self, shorten};
use crate::runtime::request_meta::{check_headers, check_meta};
use crate::runtime::resources::Resources;
use crate::runtime::tool_call::PendingCall;
use crate::runtime::trace_context::TraceContext;

/// One server: what it offers, and everything that its requests share.
pub struct Service {
    pub(super) catalog: &'static Catalog,
    pub(super) caller: Caller,
    pub(super) log: Log,
    pub(super) metrics: Arc<Metrics>,
    pub(super) confirmations: Confirmations,
    pub(super) limiter: RateLimiter,
    /// One permit for each call that may run at once.
    pub(super) places: Arc<Semaphore>,
    n_places: u32,
    lists: Lists,
    resources: Resources,
    identities: Box<[Identity]>,
    tools_by_name: OnceLock<HashMap<&'static str, usize>>,
}

/// How a message came.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// Its HTTP headers; none on stdio.
    pub headers: Option<&'a HeaderMap>,
    /// When.
    pub started: Instant,
    /// Whose it is.
    pub principal: &'a Arc<Principal>,
    /// Network address that its connection comes from; none on stdio.
    pub peer: Option<IpAddr>,
    /// Whether it was charged already.
    pub toll: Toll,
}

/// What to do about a message.
pub enum Step {
    /// Send this.
    Done(Reply),
    /// Run [`Service::run`] and send what it gives.
    Call(PendingCall),
    /// Stop the call whose request had this [`id_key`]; nothing is sent.
    Cancel(String),
    /// Have this budget charged in the shared store, and read the message again; nothing was done yet.
    Charge(Budget),
}

/// What is sent for one message.
#[derive(Debug)]
pub enum Reply {
    /// Nothing: it was a notification (HTTP 202).
    Nothing,
    /// A JSON-RPC response.
    Message {
        /// HTTP status.
        status: StatusCode,
        /// The response.
        body: Bytes,
    },
    /// The request is refused as the catalog words it.
    Refused {
        /// Why.
        kind: RefusalKind,
        /// JSON text of the request's id, for a transport that has no statuses.
        id: Option<String>,
        /// `Retry-After` in seconds.
        retry_after: Option<u64>,
        /// `WWW-Authenticate`.
        challenge: Option<String>,
    },
    /// A response came that nobody awaits. Over stdio it is dropped.
    Unawaited(Bytes),
}

/// A JSON-RPC error with its HTTP status.
#[derive(Debug)]
pub struct Fault {
    status: StatusCode,
    error: ProtocolError,
}

/// One request whose era is known and whose headers agree with its body.
pub(super) struct Request<'a> {
    pub(super) id: &'a str,
    pub(super) method: &'a str,
    pub(super) params: Params<'a>,
    pub(super) meta: Meta<'a>,
    pub(super) form: Form,
    pub(super) locale: usize,
    pub(super) started: Instant,
    pub(super) principal: &'a Arc<Principal>,
    pub(super) trace: Option<TraceContext>,
}

impl Reply {
    /// A good response.
    #[must_use]
    pub fn ok(body: Vec<u8>) -> Self {
        Self::Message {
            status: StatusCode::OK,
            body: body.into(),
        }
    }
}

impl Fault {
    /// An error with its HTTP status.
    #[must_use]
    pub fn new(status: StatusCode, error: ProtocolError) -> Self {
        Self { status, error }
    }

    fn bad_request(error: ProtocolError) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error)
    }

    /// The answer that tells it.
    pub(super) fn into_reply(self, id: Option<&str>) -> Reply {
        Reply::Message {
            status: self.status,
            body: failure(id, &self.error).into(),
        }
    }
}

/// An error of a method that ran: HTTP says 200, since the exchange itself was sound.
impl From<ProtocolError> for Fault {
    fn from(error: ProtocolError) -> Self {
        Self::new(StatusCode::OK, error)
    }
}

/// The answer to a request whose handling failed; what failed is for the log alone.
#[must_use]
pub fn internal_error(id: Option<&str>) -> Reply {
    Fault::from(ProtocolError::new(code::INTERNAL_ERROR, "Internal error")).into_reply(id)
}

impl Service {
    /// A service that runs at most `n_places` calls at once, and keeps confirmations to itself.
    #[must_use]
    pub fn new(catalog: &'static Catalog, caller: Caller, log: Log, n_places: u32) -> Self {
        let n_locales = catalog.locales.len().max(1);
        Self {
            catalog,
            metrics: Arc::new(Metrics::new(catalog, caller.answers().clone())),
            limiter: RateLimiter::new(catalog.limits),
            caller,
            log,
            confirmations: Confirmations::local(),
            places: Arc::new(Semaphore::new(n_places as usize)),
            n_places,
            lists: Lists::new(catalog),
            resources: Resources::new(catalog.resources),
            identities: (0..n_locales)
                .map(|locale| Identity::new(catalog, locale))
                .collect(),
            tools_by_name: OnceLock::new(),
        }
    }

    /// The same service with these keys and this store for confirmations.
    #[must_use]
    pub fn with_confirmations(self, confirmations: Confirmations) -> Self {
        Self {
            confirmations,
            ..self
        }
    }

    /// The same with other rate limits than the catalog's.
    #[must_use]
    pub fn limited_by(self, limiter: RateLimiter) -> Self {
        Self { limiter, ..self }
    }

    /// What the server offers.
    #[must_use]
    pub fn catalog(&self) -> &'static Catalog {
        self.catalog
    }

    /// The log.
    #[must_use]
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The numbers.
    #[must_use]
    pub fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
    }

    /// How many calls run at the moment.
    #[must_use]
    pub fn n_running(&self) -> usize {
        let n_places = usize::try_from(self.n_places).unwrap_or(usize::MAX);
        n_places.saturating_sub(self.places.available_permits())
    }

    /// Waits until no call runs. No call can begin afterwards.
    pub async fn drain(&self) {
        if self.places.acquire_many(self.n_places).await.is_ok() {
            self.places.close();
        }
    }

    /// Reads a message and answers it, unless it is a call for the API.
    #[must_use]
    pub fn receive(&self, body: &[u8], arrival: &Arrival<'_>) -> Step {
        let message = match message::read(body) {
            Ok(message) => message,
            Err(unreadable) => return Step::Done(refuse(&unreadable)),
        };
        let dispatched = catch_unwind(AssertUnwindSafe(|| self.dispatch(&message, arrival)));
        match dispatched {
            Ok(Ok(step)) => step,
            Ok(Err(fault)) => Step::Done(fault.into_reply(message.id)),
            Err(_) => {
                self.log
                    .message(Level::Error, "internal-error", "a handler panicked");
                Step::Done(internal_error(message.id))
            }
        }
    }

    fn dispatch(&self, message: &Message<'_>, arrival: &Arrival<'_>) -> Result<Step, Fault> {
        let mut shape = message::read_params(message.params);
        let mut meta = Meta::default();
        if let Ok(Params {
            meta: Some(raw), ..
        }) = shape
        {
            match message::read_object(raw, "_meta") {
                Ok(read) => meta = read,
                Err(error) => shape = Err(error),
            }
        }
        let claim = claim(&meta).map_err(Fault::bad_request)?;
        let header = |headers| header_value::read(headers, "mcp-protocol-version");
        let said = Said {
            method: &message.method,
            claim: claim.as_deref(),
            header: arrival.headers.map(header),
            is_notification: message.id.is_none(),
        };
        let serving = era::decide(&self.catalog.protocol, &said).map_err(Fault::bad_request)?;
        let Some(id) = message.id else {
            return Ok(notified(&message.method, shape.ok()));
        };
        let described = Some(&meta).filter(|_| serving.era == Era::Modern);
        let request = Request {
            id,
            trace: TraceContext::read(described, arrival.headers),
            method: &message.method,
            params: shape?,
            meta,
            form: match serving.era {
                Era::Modern => Form::Modern,
                Era::Legacy => identity::form(serving.version),
            },
            locale: locale::choose(self.catalog, arrival.headers),
            started: arrival.started,
            principal: arrival.principal,
        };
        if serving.era == Era::Modern {
            check_meta(&request.meta).map_err(Fault::bad_request)?;
            if let Some(headers) = arrival.headers {
                check_headers(headers, request.method, &request.params)
                    .map_err(Fault::bad_request)?;
            }
        }
        match self.charge(&request, arrival) {
            Some(step) => Ok(step),
            None => self.answer(&request),
        }
    }

    fn answer(&self, request: &Request<'_>) -> Result<Step, Fault> {
        let has_prompts = !self.catalog.prompts.is_empty();
        let has_resources = !self.catalog.resources.is_empty();
        let is_modern = request.form == Form::Modern;
        match request.method {
            "server/discover" if is_modern => {
                let members = identity::discovery(self.catalog, request.locale);
                Ok(self.cacheable(request, members.as_bytes()))
            }
            "initialize" if !is_modern => self.initialize(request),
            "ping" if !is_modern => Ok(self.complete(request, b"")),
            "tools/list" => self.list(request, List::Tools),
            "tools/call" => self.begin_call(request),
            "prompts/list" if has_prompts => self.list(request, List::Prompts),
            "prompts/get" if has_prompts => self.get_prompt(request),
            "resources/list" if has_resources => self.list(request, List::Resources),
            "resources/templates/list" if has_resources => self.list(request, List::Templates),
            "resources/read" if has_resources => self.read_resource(request),
            _ => Err(self.method_not_found(request)),
        }
    }

    fn initialize(&self, request: &Request<'_>) -> Result<Step, Fault> {
        let asked = required_string(request.params.protocol_version, "protocolVersion")?;
        let protocol = &self.catalog.protocol;
        let Some(version) = era::negotiate(protocol, &asked) else {
            return Err(Fault::bad_request(era::unsupported(protocol, &asked)));
        };
        let members = identity::handshake(self.catalog, version, request.locale);
        Ok(self.complete(request, members.as_bytes()))
    }

    fn list(&self, request: &Request<'_>, list: List) -> Result<Step, Fault> {
        let cursor = request.params.cursor;
        let page = self
            .lists
            .page(list, cursor, request.form, request.locale)?;
        Ok(self.cacheable(request, &self.lists.members(page)))
    }

    fn get_prompt(&self, request: &Request<'_>) -> Result<Step, Fault> {
        let name = required_string(request.params.name, "name")?;
        let Some(prompt) = self.catalog.prompts.iter().find(|known| known.name == name) else {
            return Err(invalid_params(format!("Unknown prompt: {}", shorten(&name))).into());
        };
        request.refuse_state()?;
        let members = prompts::get(prompt, request.params.arguments, request.locale)?;
        Ok(self.complete(request, &members))
    }

    fn read_resource(&self, request: &Request<'_>) -> Result<Step, Fault> {
        let uri = required_string(request.params.uri, "uri")?;
        request.refuse_state()?;
        let era = match request.form {
            Form::Modern => Era::Modern,
            Form::Legacy | Form::Oldest => Era::Legacy,
        };
        let members = self.resources.read(&uri, era)?;
        Ok(self.cacheable(request, members))
    }

    fn method_not_found(&self, request: &Request<'_>) -> Fault {
        let message = match self.catalog.protocol.method_not_found {
            MethodNotFound::Plain => "Method not found".to_owned(),
            MethodNotFound::Named => format!("Method not found: {}", shorten(request.method)),
        };
        let status = match request.form {
            Form::Modern => StatusCode::NOT_FOUND,
            Form::Legacy | Form::Oldest => StatusCode::OK,
        };
        Fault::new(status, ProtocolError::new(code::METHOD_NOT_FOUND, message))
    }

    /// The index of a tool. The table is made at the first call, not at start.
    pub(super) fn find_tool(&self, name: &str) -> Option<usize> {
        let table = self.tools_by_name.get_or_init(|| {
            let tools = self.catalog.tools.iter().enumerate();
            tools.map(|(index, tool)| (tool.name, index)).collect()
        });
        table.get(name).copied()
    }

    /// The members that every result of this form carries.
    pub(super) fn members(&self, form: Form, locale: usize) -> &str {
        match (form, self.identities.get(locale)) {
            (Form::Modern, Some(identity)) => &identity.modern,
            _ => "",
        }
    }

    /// The members that every question carries.
    pub(super) fn asking_members(&self, locale: usize) -> &str {
        let identity = self.identities.get(locale);
        identity.map_or("", |identity| &identity.asking)
    }

    fn complete(&self, request: &Request<'_>, members: &[u8]) -> Step {
        result(request, self.members(request.form, request.locale), members)
    }

    fn cacheable(&self, request: &Request<'_>, members: &[u8]) -> Step {
        let common = match (request.form, self.identities.get(request.locale)) {
            (Form::Modern, Some(identity)) => identity.cacheable.as_str(),
            _ => "",
        };
        result(request, common, members)
    }
}

impl Request<'_> {
    /// Refuses a `requestState`: this server gives out none, so it was made elsewhere or altered.
    pub(super) fn refuse_state(&self) -> Result<(), ProtocolError> {
        match self.params.request_state {
            Some(_) if self.form == Form::Modern => {
                Err(invalid_params("requestState was not issued by this server"))
            }
            _ => Ok(()),
        }
    }
}

fn claim<'a>(meta: &Meta<'a>) -> Result<Option<Cow<'a, str>>, ProtocolError> {
    let Some(raw) = meta.protocol_version else {
        return Ok(None);
    };
    match as_string(raw) {
        Some(version) => Ok(Some(version)),
        None => Err(invalid_params(
            "io.modelcontextprotocol/protocolVersion in _meta must be a string",
        )),
    }
}

/// A notification is never answered, however it looks; one that is not known is ignored.
fn notified(method: &str, params: Option<Params<'_>>) -> Step {
    let id = params.and_then(|params| params.request_id.and_then(id_key));
    match id {
        Some(id) if method == "notifications/cancelled" => Step::Cancel(id),
        _ => Step::Done(Reply::Nothing),
    }
}

fn refuse(unreadable: &Unreadable<'_>) -> Reply {
    let body = failure(unreadable.id, &unreadable.error).into();
    if unreadable.is_response {
        return Reply::Unawaited(body);
    }
    Reply::Message {
        status: StatusCode::BAD_REQUEST,
        body,
    }
}

fn required_string<'a>(
    raw: Option<&'a serde_json::value::RawValue>,
    member: &str,
) -> Result<Cow<'a, str>, ProtocolError> {
    raw.and_then(as_string)
        .ok_or_else(|| invalid_params(format!("params.{member} must be a string")))
}

/// Joins a response from prepared pieces.
fn result(request: &Request<'_>, common: &str, members: &[u8]) -> Step {
    let mut body = Vec::with_capacity(request.id.len() + common.len() + members.len() + 48);
    body.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    body.extend_from_slice(request.id.as_bytes());
    body.extend_from_slice(br#","result":{"#);
    body.extend_from_slice(common.as_bytes());
    if !common.is_empty() && !members.is_empty() {
        body.push(b',');
    }
    body.extend_from_slice(members);
    body.extend_from_slice(b"}}");
    Step::Done(Reply::ok(body))
}
