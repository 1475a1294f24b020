//! Starts a server, runs it, and stops it when asked: settings → exit code.

use std::future::Future;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::runtime::admin::{Admin, Health};
use crate::runtime::call::Caller;
use crate::runtime::catalog::Catalog;
use crate::runtime::config::Settings;
use crate::runtime::confirmation::Confirmations;
use crate::runtime::connections::{ConnectionLimits, Watch, accept};
use crate::runtime::hooks::Hooks;
use crate::runtime::http_endpoint::Endpoint;
use crate::runtime::log::{Level, Log};
use crate::runtime::log_writer::LogWriter;
use crate::runtime::service::Service;
use crate::runtime::setting;
use crate::runtime::stdio;

/// Within this time a request's body must be there.
const BODY_DEADLINE: Duration = Duration::from_secs(30);
/// Open connections of the admin address.
const MAX_ADMIN_CONNECTIONS: usize = 64;
/// How long a server that ends waits for its last log lines to be read.
const LAST_LINES: Duration = Duration::from_millis(500);

/// Runs the server of a catalog until it is told to stop. The emitted `main` is little more than this.
///
/// Exit code 0: it stopped as asked; 1: it could not start; 2: the settings are wrong.
#[must_use]
pub fn run(catalog: &'static Catalog, hooks: Box<dyn Hooks>) -> ExitCode {
    let settings = match Settings::parse_from(catalog, std::env::args_os()) {
        Ok(settings) => settings,
        Err(error) => {
            // Where neither stream is there, the exit code still tells.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match start(catalog, &settings, hooks) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            let _ = writeln!(std::io::stderr(), "{}: {message}", catalog.name);
            ExitCode::FAILURE
        }
    }
}

fn start(
    catalog: &'static Catalog,
    settings: &Settings,
    hooks: Box<dyn Hooks>,
) -> Result<(), String> {
    let writer = LogWriter::start(std::io::stderr());
    report_panics(settings.log_level, writer.clone());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("cannot start threads: {error}"))?;
    let served = runtime.block_on(async {
        let caller = Caller::new(catalog, settings.caller(catalog), hooks)?;
        let log = Log::to_writer(settings.log_level, writer.clone());
        let limits = &settings.limits;
        let is_reachable = !settings.stdio && !settings.listen.ip().is_loopback();
        let confirmations = Confirmations::read(
            catalog,
            &settings.confirmation,
            is_reachable,
            &setting::environment,
        )?;
        let service = Service::new(catalog, caller, log, limits.n_places(catalog))
            .with_confirmations(confirmations)
            .limited_by(limits.rate_limiter(catalog)?);
        let service = Arc::new(service);
        if settings.stdio {
            serve_stdio(&service, settings).await
        } else {
            serve_http(&service, settings).await
        }
    });
    // The thread that waits for stdin cannot be stopped: do not wait for it.
    runtime.shutdown_background();
    writer.flush(LAST_LINES);
    served
}

async fn serve_stdio(service: &Arc<Service>, settings: &Settings) -> Result<(), String> {
    let grace = Duration::from_millis(settings.shutdown_grace_ms);
    let stop = stop_signal()?;
    let input = tokio::io::BufReader::new(tokio::io::stdin());
    stdio::serve(service.clone(), (input, tokio::io::stdout()), grace, stop).await;
    Ok(())
}

async fn serve_http(service: &Arc<Service>, settings: &Settings) -> Result<(), String> {
    let stop = stop_signal()?;
    let health = Arc::new(Health::default());
    let listener = bind(settings.listen, "--listen").await?;
    let admin = match settings.admin_listen.0 {
        Some(address) => Some(bind(address, "--admin-listen").await?),
        None => None,
    };
    log_start(service, &listener, admin.as_ref());
    if let Some(listener) = admin {
        let admin = Admin {
            health: health.clone(),
            service: service.clone(),
        };
        let service = service.clone();
        tokio::spawn(async move {
            let answer = move |request, _| std::future::ready(admin.answer(&request));
            let limits = ConnectionLimits::new(MAX_ADMIN_CONNECTIONS);
            let watch = Watch {
                metrics: None,
                log: service.log(),
            };
            accept(listener, answer, std::future::pending(), limits, watch).await;
        });
    }
    let allowed = settings.allowed(service.catalog());
    let endpoint = Arc::new(Endpoint::new(service.clone(), allowed, BODY_DEADLINE));
    let grace = Duration::from_millis(settings.shutdown_grace_ms);
    let max_open = usize::try_from(settings.limits.max_connections).unwrap_or(usize::MAX);
    let ends = (ConnectionLimits::new(max_open), grace);
    serve_endpoint(listener, endpoint, &health, stop, ends).await;
    Ok(())
}

/// Serves an endpoint until `stop` ends, then lets running requests and calls end within the grace.
pub async fn serve_endpoint(
    listener: TcpListener,
    endpoint: Arc<Endpoint>,
    health: &Health,
    stop: impl Future<Output = ()>,
    (limits, grace): (ConnectionLimits, Duration),
) {
    let service = endpoint.service().clone();
    let answer = move |request, peer| {
        let endpoint = endpoint.clone();
        async move { endpoint.handle(request, peer).await }
    };
    let stop = async {
        stop.await;
        health.stop();
        let log = service.log();
        log.message(Level::Info, "stopping", "no more requests are taken");
    };
    let watch = Watch {
        metrics: Some(service.metrics()),
        log: service.log(),
    };
    let connections = accept(listener, answer, stop, limits, watch).await;
    let draining = async {
        connections.shutdown().await;
        // Calls of clients that went away run on without a connection.
        service.drain().await;
    };
    let message = match tokio::time::timeout(grace, draining).await {
        Ok(()) => "all requests were answered",
        Err(_) => "requests that outlasted the grace were dropped",
    };
    service.log().message(Level::Info, "stopped", message);
}

async fn bind(address: std::net::SocketAddr, flag: &str) -> Result<TcpListener, String> {
    TcpListener::bind(address)
        .await
        .map_err(|error| format!("cannot listen on {flag} {address}: {error}"))
}

/// Ends at SIGTERM or SIGINT; the handlers are there when this returns, not when it is first awaited.
fn stop_signal() -> Result<impl Future<Output = ()>, String> {
    let fault = |error| format!("cannot wait for signals: {error}");
    let mut terminate = signal(SignalKind::terminate()).map_err(fault)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(fault)?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

fn log_start(service: &Service, listener: &TcpListener, admin: Option<&TcpListener>) {
    let address = |listener: &TcpListener| match listener.local_addr() {
        Ok(address) => json!(address.to_string()),
        Err(_) => Value::Null,
    };
    let catalog = service.catalog();
    let mut fields = Map::new();
    fields.insert("server".to_owned(), json!(catalog.name));
    fields.insert("version".to_owned(), json!(catalog.version));
    fields.insert("listen".to_owned(), address(listener));
    fields.insert("path".to_owned(), json!(catalog.transport.path));
    fields.insert("admin".to_owned(), admin.map_or(Value::Null, address));
    fields.insert("tools".to_owned(), json!(catalog.tools.len()));
    service.log().event(Level::Info, "started", &fields);
}

/// Puts panics into the log as where they happened, with their text only where it is part of the program: a made-up
/// text may hold arguments of a call.
fn report_panics(level: Level, writer: LogWriter) {
    let log = Log::to_writer(level, writer);
    std::panic::set_hook(Box::new(move |panic| {
        let mut fields = Map::new();
        let place = panic.location().map(ToString::to_string);
        fields.insert("at".to_owned(), json!(place));
        let text = panic.payload().downcast_ref::<&'static str>();
        fields.insert("message".to_owned(), json!(text));
        log.event(Level::Error, "panic", &fields);
    }));
}
