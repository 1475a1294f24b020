//! Starts a server, runs it, and stops it when asked: settings → exit code.

use std::convert::Infallible;
use std::future::Future;
use std::io::Write;
use std::pin::pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use serde_json::{Map, Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::signal::unix::{SignalKind, signal};

use crate::runtime::admin::{Admin, Health};
use crate::runtime::call::Caller;
use crate::runtime::catalog::Catalog;
use crate::runtime::config::Settings;
use crate::runtime::confirmation::Confirmations;
use crate::runtime::hooks::Hooks;
use crate::runtime::http_endpoint::Endpoint;
use crate::runtime::log::{Level, Log};
use crate::runtime::log_writer::LogWriter;
use crate::runtime::service::Service;
use crate::runtime::setting;
use crate::runtime::stdio;

/// Within this time a request's head must be there, and an idle connection is closed after it.
const HEAD_DEADLINE: Duration = Duration::from_secs(60);
/// Within this time a request's body must be there.
const BODY_DEADLINE: Duration = Duration::from_secs(30);
/// Largest head of a request, in bytes; a larger one is refused with 431.
const MAX_HEAD: usize = 32 * 1024;
/// How long to wait before accepting again when the system has no room for another connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
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
        let n_places = settings.max_concurrent_calls;
        let is_reachable = !settings.stdio && !settings.listen.ip().is_loopback();
        let confirmations = Confirmations::read(
            catalog,
            &settings.confirmation,
            is_reachable,
            &setting::environment,
        )?;
        let service = Service::new(catalog, caller, log, n_places);
        let service = Arc::new(service.with_confirmations(confirmations));
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
            let answer =
                move |request: Request<Incoming>| std::future::ready(admin.answer(&request));
            accept(listener, answer, std::future::pending(), service.log()).await;
        });
    }
    let allowed = settings.allowed(service.catalog());
    let endpoint = Arc::new(Endpoint::new(service.clone(), allowed, BODY_DEADLINE));
    let grace = Duration::from_millis(settings.shutdown_grace_ms);
    serve_endpoint(listener, endpoint, &health, stop, (service, grace)).await;
    Ok(())
}

/// Serves an endpoint until `stop` ends, then lets running requests and calls end within the grace.
pub async fn serve_endpoint(
    listener: TcpListener,
    endpoint: Arc<Endpoint>,
    health: &Health,
    stop: impl Future<Output = ()>,
    (service, grace): (&Service, Duration),
) {
    let answer = move |request| {
        let endpoint = endpoint.clone();
        async move { endpoint.handle(request).await }
    };
    let stop = async {
        stop.await;
        health.stop();
        let log = service.log();
        log.message(Level::Info, "stopping", "no more requests are taken");
    };
    let connections = accept(listener, answer, stop, service.log()).await;
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

/// Takes connections until `stop` ends; gives back those that are still open.
async fn accept<A, F>(
    listener: TcpListener,
    answer: A,
    stop: impl Future<Output = ()>,
    log: &Log,
) -> GracefulShutdown
where
    A: Fn(Request<Incoming>) -> F + Clone + Send + 'static,
    F: Future<Output = Response<Full<Bytes>>> + Send + 'static,
{
    let connections = GracefulShutdown::new();
    let mut stop = pin!(stop);
    loop {
        let accepted = tokio::select! {
            () = &mut stop => return connections,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, _)) => connect(stream, answer.clone(), &connections),
            Err(error) => {
                let message = error.kind().to_string();
                log.message(Level::Warn, "accept-failed", &message);
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

fn connect<A, F>(stream: TcpStream, answer: A, connections: &GracefulShutdown)
where
    A: Fn(Request<Incoming>) -> F + Send + 'static,
    F: Future<Output = Response<Full<Bytes>>> + Send + 'static,
{
    // Without this a lone answer may wait for the acknowledgement of an earlier one. Not worth refusing for.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let answering = answer(request);
        async move { Ok::<_, Infallible>(answering.await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_DEADLINE)
        .max_header_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), service);
    let connection = connections.watch(connection);
    // A connection that breaks concerns its client alone.
    tokio::spawn(async move {
        let _ = connection.await;
    });
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
