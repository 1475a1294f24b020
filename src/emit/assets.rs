//! The texts under `templates/` that every emitted crate is made from, embedded.

macro_rules! runtime_files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../templates/runtime/", $name)))),*]
    };
}

/// `templates/runtime/`, copied unchanged to `src/runtime/`; a layout test compares the list with the folder.
pub const RUNTIME: &[(&str, &str)] = runtime_files![
    "admin.rs",
    "answer.rs",
    "answer_cache.rs",
    "arguments.rs",
    "call.rs",
    "catalog/access.rs",
    "catalog/auth.rs",
    "catalog/confirm.rs",
    "catalog/credential.rs",
    "catalog/errors.rs",
    "catalog/limits.rs",
    "catalog/log.rs",
    "catalog/mod.rs",
    "catalog/prompts.rs",
    "catalog/tools.rs",
    "catalog/transport.rs",
    "catalog/upstream.rs",
    "client.rs",
    "config.rs",
    "confirmation/amount.rs",
    "confirmation/digest.rs",
    "confirmation/exchange.rs",
    "confirmation/form.rs",
    "confirmation/memory_store.rs",
    "confirmation/mod.rs",
    "confirmation/question.rs",
    "confirmation/redis_store.rs",
    "confirmation/settings.rs",
    "confirmation/state.rs",
    "confirmation/store.rs",
    "connections.rs",
    "credential/client_certificate.rs",
    "credential/fixed.rs",
    "credential/mod.rs",
    "credential/token_client.rs",
    "era.rs",
    "header_value.rs",
    "hooks.rs",
    "http_endpoint.rs",
    "identity.rs",
    "json_text.rs",
    "limits/charge.rs",
    "limits/memory.rs",
    "limits/mod.rs",
    "limits/redis.rs",
    "limits/settings.rs",
    "lists.rs",
    "locale.rs",
    "log.rs",
    "log_writer.rs",
    "message.rs",
    "metrics/calls.rs",
    "metrics/exposition.rs",
    "metrics/histogram.rs",
    "metrics/mod.rs",
    "mod.rs",
    "principal.rs",
    "prompts.rs",
    "rebinding.rs",
    "refusal.rs",
    "request.rs",
    "request_meta.rs",
    "resources.rs",
    "result.rs",
    "safe_text.rs",
    "secret.rs",
    "serialization.rs",
    "serve.rs",
    "service.rs",
    "setting.rs",
    "stdio.rs",
    "tool_call.rs",
    "trace_context.rs",
    "upstream_error.rs",
    "validation.rs",
    "wording.rs",
];

/// `templates/crate/`: path in the emitted crate and template.
pub const CRATE: &[(&str, &str)] = &[
    (
        ".cargo/config.toml",
        include_str!("../../templates/crate/cargo-config.toml.j2"),
    ),
    (
        ".dockerignore",
        include_str!("../../templates/crate/dockerignore.j2"),
    ),
    (
        ".gitignore",
        include_str!("../../templates/crate/gitignore.j2"),
    ),
    (
        "Cargo.toml",
        include_str!("../../templates/crate/Cargo.toml.j2"),
    ),
    (
        "Dockerfile",
        include_str!("../../templates/crate/Dockerfile.j2"),
    ),
    (
        "README.md",
        include_str!("../../templates/crate/README.md.j2"),
    ),
    (
        "src/main.rs",
        include_str!("../../templates/crate/src/main.rs.j2"),
    ),
    (
        "tests/smoke.rs",
        include_str!("../../templates/crate/tests/smoke.rs.j2"),
    ),
    (
        "tests/wire/mod.rs",
        include_str!("../../templates/crate/tests/wire.rs.j2"),
    ),
];

/// The owner's file, written once.
pub const HOOKS: &str = include_str!("../../templates/crate/src/hooks.rs.j2");
