//! The settings of a server: command line and environment → what it listens on and which API it calls.

use std::ffi::OsString;
use std::net::SocketAddr;

use clap::builder::{FalseyValueParser, PossibleValuesParser};
use clap::{ArgAction, CommandFactory, FromArgMatches, Parser};

use crate::runtime::call::CallerSettings;
use crate::runtime::catalog::Catalog;
use crate::runtime::confirmation::settings::ConfirmationSettings;
use crate::runtime::limits::LimitSettings;
use crate::runtime::log::Level;
use crate::runtime::rebinding::Allowed;

const EXAMPLES: &str = "Examples:
  Serve over HTTP on this machine:      --listen 127.0.0.1:8080
  Serve one client over stdio:          --stdio
  Use another environment of the API:   --environment sandbox
  Use an API of your own:               --base-url http://127.0.0.1:3000/v1
  The same by environment variables:    MCP_LISTEN=127.0.0.1:8081 MCP_TIMEOUT_MS=5000";

/// Settings of the server. Each flag has an environment variable; the flag wins.
#[derive(Clone, Debug, Parser)]
#[command(after_help = EXAMPLES)]
pub struct Settings {
    /// Address of the MCP endpoint
    #[arg(
        long,
        env = "MCP_LISTEN",
        hide_env_values = true,
        default_value = "127.0.0.1:8080",
        value_name = "ADDRESS:PORT"
    )]
    pub listen: SocketAddr,

    /// Address of /healthz, /readyz and /metrics; empty: none. Not used with --stdio
    #[arg(
        long,
        env = "MCP_ADMIN_LISTEN",
        hide_env_values = true,
        default_value = "127.0.0.1:9090",
        value_name = "ADDRESS:PORT"
    )]
    pub admin_listen: AdminAddress,

    /// Serve one client over stdin and stdout in place of HTTP
    #[arg(long, env = "MCP_STDIO", hide_env_values = true, action = ArgAction::SetTrue, value_parser = FalseyValueParser::new())]
    pub stdio: bool,

    /// Which of the API's environments to call
    #[arg(
        long,
        env = "MCP_ENVIRONMENT",
        hide_env_values = true,
        value_name = "NAME"
    )]
    pub environment: Option<String>,

    /// Base address of the API, in place of an environment
    #[arg(
        long,
        env = "MCP_BASE_URL",
        hide_env_values = true,
        value_name = "URL",
        conflicts_with = "environment"
    )]
    pub base_url: Option<String>,

    /// Longest time for one call of the API, in milliseconds
    #[arg(long, env = "MCP_TIMEOUT_MS", hide_env_values = true, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout_ms: Option<u64>,

    /// Accept this Host name too (repeatable; in the variable separated by commas)
    #[arg(
        long = "allowed-host",
        env = "MCP_ALLOWED_HOST",
        hide_env_values = true,
        value_name = "NAME",
        value_delimiter = ','
    )]
    pub allowed_hosts: Vec<String>,

    /// Accept requests of pages from this origin too (repeatable; in the variable separated by commas)
    #[arg(
        long = "allowed-origin",
        env = "MCP_ALLOWED_ORIGIN",
        hide_env_values = true,
        value_name = "ORIGIN",
        value_delimiter = ','
    )]
    pub allowed_origins: Vec<String>,

    /// How much callers may ask
    #[command(flatten)]
    pub limits: LimitSettings,

    /// How confirmations of destructive tools are recorded
    #[command(flatten)]
    pub confirmation: ConfirmationSettings,

    /// Least level of the lines in the log; calls are logged at info, failed ones at warn
    #[arg(
        long,
        env = "MCP_LOG_LEVEL",
        hide_env_values = true,
        default_value = "info",
        value_name = "LEVEL"
    )]
    pub log_level: Level,

    /// How long running calls may go on after a signal to stop, in milliseconds
    #[arg(
        long,
        env = "MCP_SHUTDOWN_GRACE_MS",
        hide_env_values = true,
        default_value_t = 10_000,
        value_name = "MS"
    )]
    pub shutdown_grace_ms: u64,

    /// Listen on an address that other machines reach, although callers are not asked for credentials
    #[arg(long, env = "MCP_ALLOW_UNAUTHENTICATED", hide_env_values = true, action = ArgAction::SetTrue, value_parser = FalseyValueParser::new())]
    pub allow_unauthenticated: bool,
}

/// The address of the health checks, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdminAddress(pub Option<SocketAddr>);

impl std::str::FromStr for AdminAddress {
    type Err = std::net::AddrParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.is_empty() {
            return Ok(Self(None));
        }
        text.parse().map(|address| Self(Some(address)))
    }
}

impl Settings {
    /// Reads the settings.
    ///
    /// # Errors
    /// A usage error, or the text of `--help` and `--version`; clap prints either.
    pub fn parse_from(
        catalog: &Catalog,
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<Self, clap::Error> {
        let names: Vec<&str> = catalog
            .upstream
            .environments
            .iter()
            .map(|environment| environment.name)
            .collect();
        let mut command = Self::command()
            .name(catalog.name)
            .version(catalog.version)
            .about(format!(
                "MCP server {}: {} tools on {}",
                catalog.name,
                catalog.tools.len(),
                catalog.transport.path
            ))
            .mut_arg("environment", |argument| {
                argument.value_parser(PossibleValuesParser::new(names.clone()))
            });
        let matches = command.try_get_matches_from_mut(arguments)?;
        let settings = Self::from_arg_matches(&matches)?;
        settings
            .check()
            .map_err(|message| command.error(clap::error::ErrorKind::ValueValidation, message))?;
        Ok(settings)
    }

    /// What calls are made with: the chosen environment or address, else the catalog's first environment.
    #[must_use]
    pub fn caller(&self, catalog: &Catalog) -> CallerSettings {
        let environments = catalog.upstream.environments;
        let chosen = match &self.environment {
            Some(name) => environments.iter().find(|known| known.name == name),
            None => environments.first(),
        };
        let base_url = match &self.base_url {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => chosen.map_or(String::new(), |known| known.base_url.to_owned()),
        };
        CallerSettings {
            base_url,
            timeout_ms: self.timeout_ms.unwrap_or(catalog.upstream.timeout_ms),
        }
    }

    /// The accepted names of the catalog and of these settings.
    #[must_use]
    pub fn allowed(&self, catalog: &Catalog) -> Allowed {
        let transport = &catalog.transport;
        let hosts = transport.allowed_hosts.iter().copied();
        let origins = transport.allowed_origins.iter().copied();
        Allowed::new(
            hosts.chain(self.allowed_hosts.iter().map(String::as_str)),
            origins.chain(self.allowed_origins.iter().map(String::as_str)),
        )
    }

    /// Callers are not asked for credentials: whoever reaches the endpoint acts with the server's own.
    fn check(&self) -> Result<(), String> {
        if self.stdio || self.allow_unauthenticated || self.listen.ip().is_loopback() {
            return Ok(());
        }
        Err(format!(
            "--listen {} can be reached from other machines, and this server does not ask callers for credentials: \
             listen on 127.0.0.1, or add --allow-unauthenticated where something in front of it does",
            self.listen
        ))
    }
}
