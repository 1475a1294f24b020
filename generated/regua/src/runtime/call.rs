//! One tool call: arguments → request → the API → result or mapped error.

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use serde_json::value::RawValue;
use tokio::time::Instant;
use uuid::Uuid;

use crate::runtime::answer::ToolResult;
use crate::runtime::arguments::{self, Arguments, Report};
use crate::runtime::catalog::{ArgumentStyle, Catalog, Kind, Lookup, Tool};
use crate::runtime::client::{Client, Limits};
use crate::runtime::credential::client_certificate::{self, Identity, Roots};
use crate::runtime::credential::{Credentials, Patience, Ticket, is_same_origin};
use crate::runtime::hooks::{ApiAnswer, ApiRequest, Hooks};
use crate::runtime::metrics::UpstreamCounts;
use crate::runtime::request::{self, StandingHeaders};
use crate::runtime::result;
use crate::runtime::setting::{self, Variables};
use crate::runtime::upstream_error::{Explained, Explainer, Scene};
use crate::runtime::validation::InputChecks;

/// What the log calls a bare argument report, which has no code of its own.
const INVALID_ARGUMENTS: &str = "invalid_arguments";

/// Everything that calls share: the client, compiled checks, settings.
pub struct Caller {
    catalog: &'static Catalog,
    hooks: Box<dyn Hooks>,
    client: Client,
    /// For requests that a hook sends elsewhere: it shows no certificate.
    strangers: Client,
    credentials: Credentials,
    checks: InputChecks,
    explainer: Explainer,
    standing: StandingHeaders,
    base_url: String,
    is_base_url_known: bool,
    timeout: Duration,
    answers: Arc<UpstreamCounts>,
}

/// What a caller is made from.
pub struct CallerSettings {
    /// Base address in place of the catalog's default, without trailing slash. One that the catalog does not know
    /// takes the place of every tool's own address too: a server pointed at a test API must not reach a real one.
    pub base_url: String,
    /// The deadline in milliseconds, in place of the catalog's.
    pub timeout_ms: u64,
}

/// What came of a call, with what its log line says.
pub struct Outcome {
    /// For the client.
    pub result: ToolResult,
    /// `None` on success, else the code of the error (`invalid_arguments` for bare argument reports).
    pub code: Option<String>,
    /// HTTP status of the API's answer; none when it was not called or did not answer.
    pub status: Option<u16>,
    /// The cause of a failure for the operator's log: never arguments, bodies, tokens or full addresses.
    pub cause: Option<String>,
}

/// Where a request goes after the hooks.
#[derive(Clone, Copy)]
enum Destination {
    /// To the address that the catalog or the operator chose.
    Api,
    /// Where a hook sends it: no credential goes along.
    Elsewhere,
}

impl Caller {
    /// Makes a caller. Nothing is compiled or connected yet.
    ///
    /// # Errors
    /// A sentence for the operator when the base address or a header from the environment cannot be used.
    pub fn new(
        catalog: &'static Catalog,
        settings: CallerSettings,
        hooks: Box<dyn Hooks>,
    ) -> Result<Self, String> {
        Self::with_variables(catalog, settings, hooks, &setting::environment)
    }

    /// The same with these environment variables for the credentials.
    ///
    /// # Errors
    /// As [`Caller::new`].
    pub fn with_variables(
        catalog: &'static Catalog,
        settings: CallerSettings,
        hooks: Box<dyn Hooks>,
        variables: Variables<'_>,
    ) -> Result<Self, String> {
        let upstream = &catalog.upstream;
        let certificate = upstream.client_certificate;
        let identity = certificate.map(|files| Identity::read(files, variables));
        let tls = client_certificate::config(Roots::Public, identity.transpose()?)?;
        let client = Client::with_tls(tls);
        let base_url = settings.base_url.trim_end_matches('/').to_owned();
        check_base_url(&base_url)?;
        Ok(Self {
            catalog,
            hooks,
            credentials: Credentials::read(upstream, &client, variables, Patience::USUAL)?,
            strangers: match certificate {
                Some(_) => Client::new()?,
                None => client.clone(),
            },
            client,
            checks: InputChecks::new(catalog.tools.len()),
            explainer: Explainer::new(catalog),
            standing: StandingHeaders::read(&catalog.upstream)?,
            is_base_url_known: catalog
                .upstream
                .environments
                .iter()
                .any(|known| known.base_url == base_url),
            base_url,
            timeout: Duration::from_millis(settings.timeout_ms),
            answers: UpstreamCounts::new(),
        })
    }

    /// The API's answers so far.
    #[must_use]
    pub fn answers(&self) -> &Arc<UpstreamCounts> {
        &self.answers
    }

    /// Checks the arguments, calls the API and explains what happened. `index` is the tool's place in the catalog.
    pub async fn call(
        &self,
        scene: Scene<'_>,
        index: usize,
        arguments: Option<&RawValue>,
    ) -> Outcome {
        let request = self
            .check(scene.tool, index, arguments)
            .and_then(|arguments| self.build(scene.tool, &arguments, None));
        let outcome = match request {
            Ok(request) => self.send(scene, request).await,
            Err(outcome) => outcome,
        };
        self.finish(scene.tool, outcome)
    }

    /// Checks the arguments. `index` is the tool's place in the catalog.
    ///
    /// # Errors
    /// The report of every fault.
    pub fn check<'a>(
        &self,
        tool: &'static Tool,
        index: usize,
        given: Option<&'a RawValue>,
    ) -> Result<Arguments<'a>, Outcome> {
        let check = self.checks.get(index, tool);
        arguments::check(tool, check, self.catalog.arguments, given)
            .map_err(|report| self.report(&report))
    }

    /// Makes the request of a call. A write carries this idempotency key where the catalog wants one, else a fresh one.
    ///
    /// # Errors
    /// The report of every argument that cannot be written where it goes.
    pub fn build(
        &self,
        tool: &'static Tool,
        arguments: &Arguments<'_>,
        key: Option<Uuid>,
    ) -> Result<ApiRequest, Outcome> {
        let base_url = match tool.base_url {
            Some(own) if self.is_base_url_known => own.trim_end_matches('/'),
            _ => &self.base_url,
        };
        request::build(tool, arguments, base_url, (&self.standing, key))
            .map_err(|faults| self.report(&Report::Invalid(faults)))
    }

    /// Lets the owner see what came of a call, last of all.
    #[must_use]
    pub fn finish(&self, tool: &'static Tool, mut outcome: Outcome) -> Outcome {
        self.hooks.after_call(tool, &mut outcome.result);
        outcome
    }

    /// Reads the record that a call is about; none: the answer is not JSON.
    ///
    /// # Errors
    /// What came of the reading instead of an answer.
    pub async fn look_up(
        &self,
        scene: Scene<'_>,
        lookup: &Lookup,
        arguments: &Arguments<'_>,
    ) -> Result<Option<Box<RawValue>>, Outcome> {
        let scene = Scene {
            tool: lookup.tool,
            ..scene
        };
        let request = self.build(lookup.tool, &arguments.renamed(lookup.arguments), None)?;
        let answer = self.dispatch(scene, request).await?;
        Ok(serde_json::from_slice(&answer.body).ok())
    }

    fn report(&self, report: &Report) -> Outcome {
        let style = self.catalog.arguments.style;
        let code = match style {
            ArgumentStyle::Text => INVALID_ARGUMENTS,
            ArgumentStyle::Envelope { code } => code,
        };
        Outcome {
            result: ToolResult::error(report.text(style)),
            code: Some(code.to_owned()),
            status: None,
            cause: None,
        }
    }

    /// Sends a request, and explains what came of it.
    pub async fn send(&self, scene: Scene<'_>, request: ApiRequest) -> Outcome {
        let Scene { tool, locale, .. } = scene;
        let answer = match self.dispatch(scene, request).await {
            Ok(answer) => answer,
            Err(outcome) => return outcome,
        };
        let language = self.catalog.locales.get(locale).copied().unwrap_or("en");
        Outcome {
            result: result::from_answer(&answer, tool.name, language),
            code: None,
            status: Some(answer.status.as_u16()),
            cause: None,
        }
    }

    /// The API's good answer to a request.
    async fn dispatch(
        &self,
        scene: Scene<'_>,
        mut request: ApiRequest,
    ) -> Result<ApiAnswer, Outcome> {
        if let Some(trace) = scene.trace {
            trace.apply(&mut request.headers);
        }
        let chosen = request.uri.clone();
        if let Err(result) = self.hooks.before_request(scene.tool, &mut request) {
            let code = result.is_error.then(|| "hook".to_owned());
            return Err(Outcome {
                result: *result,
                code,
                status: None,
                cause: None,
            });
        }
        let destination = match is_same_origin(&chosen, &request.uri) {
            true => Destination::Api,
            false => Destination::Elsewhere,
        };
        let (answer, ticket) = self
            .exchange(scene, request, destination)
            .await
            .map_err(|explained| failed(explained, None))?;
        if answer.status == StatusCode::UNAUTHORIZED {
            ticket.refuse();
        }
        if !answer.status.is_success() {
            let status = Some(answer.status.as_u16());
            return Err(failed(self.explainer.answer(scene, &answer), status));
        }
        Ok(answer)
    }

    /// Sends a request with the caller's credential, but none where a hook has sent it elsewhere.
    async fn exchange(
        &self,
        scene: Scene<'_>,
        mut request: ApiRequest,
        destination: Destination,
    ) -> Result<(ApiAnswer, Ticket), Explained> {
        let mut limits = self.limits(scene.tool);
        let mut ticket = Ticket::default();
        let client = match destination {
            Destination::Elsewhere => &self.strangers,
            Destination::Api => {
                // The wait for a token counts: a call has one deadline.
                let deadline = Instant::now() + limits.timeout;
                let applying = self
                    .credentials
                    .apply(scene.principal, &mut request, deadline);
                ticket = applying
                    .await
                    .map_err(|fault| self.explainer.no_access(scene, fault))?;
                limits.timeout = deadline.saturating_duration_since(Instant::now());
                &self.client
            }
        };
        let sent = client.send(&request, limits).await;
        let status = sent.as_ref().ok().map(|answer| answer.status.as_u16());
        self.answers.count(status);
        match sent {
            Ok(answer) => Ok((answer, ticket)),
            Err(failure) => Err(self.explainer.failure(scene, &failure)),
        }
    }

    fn limits(&self, tool: &Tool) -> Limits {
        // RFC 9110, 9.2.2: only idempotent methods may be sent again without asking. A GET that writes is not one.
        let is_safe = tool.kind == Kind::Read && matches!(tool.method, "GET" | "HEAD");
        let is_idempotent = tool.idempotent && matches!(tool.method, "PUT" | "DELETE");
        Limits {
            timeout: self.timeout,
            max_answer_bytes: self.catalog.upstream.max_answer_bytes,
            retries: if is_safe || is_idempotent {
                self.catalog.upstream.retries
            } else {
                0
            },
        }
    }
}

fn failed(explained: Explained, status: Option<u16>) -> Outcome {
    Outcome {
        result: ToolResult::error(explained.text),
        code: Some(explained.code),
        status,
        cause: explained.cause,
    }
}

fn check_base_url(base_url: &str) -> Result<(), String> {
    let uri: http::Uri = base_url
        .parse()
        .map_err(|_| "the base address is not a valid URL".to_owned())?;
    let is_http = matches!(uri.scheme_str(), Some("http" | "https"));
    if !is_http || uri.host().is_none() {
        return Err(
            "the base address must begin with http:// or https:// and name a host".to_owned(),
        );
    }
    if uri.query().is_some() {
        return Err("the base address must not have a query".to_owned());
    }
    Ok(())
}
