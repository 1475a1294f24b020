//! Settings from the command line.

use std::ffi::OsString;

use crate::runtime::config::{AdminAddress, Settings};
use crate::runtime::log::Level;
use crate::sample::catalog;

fn parse(arguments: &str) -> Result<Settings, clap::Error> {
    let arguments = ["sample"].into_iter().chain(arguments.split_whitespace());
    Settings::parse_from(catalog(|_| {}), arguments.map(OsString::from))
}

#[track_caller]
fn refused(arguments: &str, expected: &str) {
    let error = parse(arguments).expect_err(arguments);
    assert_eq!(error.exit_code(), 2, "{arguments}");
    let text = error.to_string();
    assert!(text.contains(expected), "{arguments}: {text}");
}

#[test]
fn the_defaults_are_local_and_call_the_first_environment() {
    let settings = parse("").expect("settings");
    assert_eq!(settings.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(
        settings.admin_listen,
        AdminAddress("127.0.0.1:9090".parse().ok())
    );
    assert_eq!(settings.log_level, Level::Info);
    assert!(!settings.stdio);
    let caller = settings.caller(catalog(|_| {}));
    assert_eq!(
        (caller.base_url.as_str(), caller.timeout_ms),
        ("http://127.0.0.1:9", 5000)
    );
}

#[test]
fn flags_choose_the_api_and_the_limits() {
    let settings = parse("--environment live --timeout-ms 70 --admin-listen= --log-level warn")
        .expect("settings");
    assert_eq!(settings.admin_listen, AdminAddress(None));
    let caller = settings.caller(catalog(|_| {}));
    assert_eq!(
        (caller.base_url.as_str(), caller.timeout_ms),
        ("https://api.example.com/v1", 70)
    );
    let settings = parse("--base-url http://localhost:3000/v1/").expect("settings");
    assert_eq!(
        settings.caller(catalog(|_| {})).base_url,
        "http://localhost:3000/v1"
    );
    let settings = parse("--allowed-host a.example --allowed-host b.example").expect("settings");
    assert_eq!(
        settings.allowed(catalog(|_| {})).hosts,
        ["mcp.example.com", "a.example", "b.example"]
    );
}

#[test]
fn wrong_usage_is_said() {
    refused("--environment nowhere", "sandbox, live");
    refused(
        "--environment live --base-url http://x",
        "cannot be used with",
    );
    refused("--timeout-ms 0", "--timeout-ms");
    refused("--listen 8080", "--listen");
    refused("--log-level loud", "debug");
    refused("--unknown", "--unknown");
}

#[test]
fn an_address_that_others_reach_needs_a_word() {
    for address in ["0.0.0.0:8080", "[::]:8080", "10.0.0.1:80"] {
        refused(&format!("--listen {address}"), "--allow-unauthenticated");
        assert!(parse(&format!("--listen {address} --allow-unauthenticated")).is_ok());
        assert!(parse(&format!("--listen {address} --stdio")).is_ok());
    }
    assert!(parse("--listen [::1]:8080").is_ok());
    assert!(parse("--listen 127.0.0.2:0").is_ok());
}

#[test]
fn help_names_every_variable_and_has_examples() {
    let help = parse("--help").expect_err("help");
    assert_eq!(help.exit_code(), 0);
    let text = help.to_string();
    for word in [
        "MCP_LISTEN",
        "MCP_ADMIN_LISTEN",
        "MCP_STDIO",
        "MCP_ENVIRONMENT",
        "MCP_BASE_URL",
        "MCP_TIMEOUT_MS",
        "MCP_ALLOWED_HOST",
        "MCP_ALLOWED_ORIGIN",
        "MCP_MAX_CONCURRENT_CALLS",
        "MCP_LOG_LEVEL",
        "MCP_SHUTDOWN_GRACE_MS",
        "MCP_ALLOW_UNAUTHENTICATED",
        "Examples:",
        "--environment sandbox",
    ] {
        assert!(text.contains(word), "{word} is missing in: {text}");
    }
    let version = parse("--version").expect_err("version");
    assert_eq!(version.to_string(), "sample 1.2.3\n");
}
