//! The texts under `templates/` that every emitted crate is made from, embedded.

/// `templates/runtime/`, copied unchanged to `src/runtime/`; a layout test compares the list with the folder.
pub const RUNTIME: &[(&str, &str)] = &[
    ("admin.rs", include_str!("../../templates/runtime/admin.rs")),
    (
        "answer.rs",
        include_str!("../../templates/runtime/answer.rs"),
    ),
    (
        "arguments.rs",
        include_str!("../../templates/runtime/arguments.rs"),
    ),
    ("call.rs", include_str!("../../templates/runtime/call.rs")),
    (
        "catalog.rs",
        include_str!("../../templates/runtime/catalog.rs"),
    ),
    (
        "client.rs",
        include_str!("../../templates/runtime/client.rs"),
    ),
    (
        "config.rs",
        include_str!("../../templates/runtime/config.rs"),
    ),
    ("era.rs", include_str!("../../templates/runtime/era.rs")),
    (
        "header_value.rs",
        include_str!("../../templates/runtime/header_value.rs"),
    ),
    ("hooks.rs", include_str!("../../templates/runtime/hooks.rs")),
    (
        "http_endpoint.rs",
        include_str!("../../templates/runtime/http_endpoint.rs"),
    ),
    ("lists.rs", include_str!("../../templates/runtime/lists.rs")),
    (
        "locale.rs",
        include_str!("../../templates/runtime/locale.rs"),
    ),
    ("log.rs", include_str!("../../templates/runtime/log.rs")),
    (
        "message.rs",
        include_str!("../../templates/runtime/message.rs"),
    ),
    ("mod.rs", include_str!("../../templates/runtime/mod.rs")),
    (
        "prompts.rs",
        include_str!("../../templates/runtime/prompts.rs"),
    ),
    (
        "request.rs",
        include_str!("../../templates/runtime/request.rs"),
    ),
    (
        "resources.rs",
        include_str!("../../templates/runtime/resources.rs"),
    ),
    (
        "result.rs",
        include_str!("../../templates/runtime/result.rs"),
    ),
    (
        "serialization.rs",
        include_str!("../../templates/runtime/serialization.rs"),
    ),
    ("serve.rs", include_str!("../../templates/runtime/serve.rs")),
    (
        "service.rs",
        include_str!("../../templates/runtime/service.rs"),
    ),
    ("stdio.rs", include_str!("../../templates/runtime/stdio.rs")),
    (
        "upstream_error.rs",
        include_str!("../../templates/runtime/upstream_error.rs"),
    ),
    (
        "validation.rs",
        include_str!("../../templates/runtime/validation.rs"),
    ),
    (
        "wording.rs",
        include_str!("../../templates/runtime/wording.rs"),
    ),
];

/// `templates/crate/`: path in the emitted crate and template.
pub const CRATE: &[(&str, &str)] = &[
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
