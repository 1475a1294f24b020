pub static CATALOG: Catalog = Catalog {
    name: "charges",
    version: "1.0.0",
    title: Text(&["Charges"]),
    instructions: Text(&[""]),
    locales: &["en"],
    wire_locale: WireLocale::Fixed(0usize),
    protocol: Protocol {
        modern: &["2026-07-28"],
        legacy: &["2025-11-25", "2025-06-18"],
        method_not_found: MethodNotFound::Plain,
        page_size: 1000usize,
        list_ttl_ms: 300000u64,
    },
    transport: Transport {
        path: "/mcp",
        max_body_bytes: 4194304u64,
        max_body_label: "4 MiB",
        allowed_hosts: &[],
        allowed_origins: &[],
        refusals: REFUSALS,
    },
    upstream: Upstream {
        environments: &[
            Environment {
                name: "default",
                base_url: "https://api.example.com",
            },
        ],
        timeout_ms: 30000u64,
        max_answer_bytes: 1048576u64,
        retries: 1u8,
        headers: &[],
        idempotency_key: None,
        credential: Credential::ClientCredentials(TokenRequest {
            url: Setting(
                &[SettingPart::Env("SHOP_ISSUER"), SettingPart::Literal("/token")],
            ),
            client_id: Setting(
                &[SettingPart::Literal("charges-"), SettingPart::Env("SHOP_STAGE")],
            ),
            client_secret: "SHOP_SECRET",
            scope: "charges.read",
            audience: "charges",
            resource: "",
        }),
        client_certificate: Some(ClientCertificate {
            certificate_file: "SHOP_CERTIFICATE",
            key_file: "SHOP_KEY",
        }),
    },
    arguments: ArgumentPolicy {
        style: ArgumentStyle::Text,
        unknown: UnknownArguments::All,
    },
    errors: ErrorPolicy {
        mode: UpstreamErrors::Passthrough,
        code_pointers: &["/error/code", "/errors/0/code", "/code"],
        message_pointers: &[
            "/error/message",
            "/errors/0/detail",
            "/errors/0/title",
            "/message",
            "/error",
        ],
        field_pointers: &["/errors"],
        rules: RULES,
        fallback: "tool_error",
        conditions: CONDITIONS,
        registry: REGISTRY,
    },
    confirmation: Confirmation {
        required: "confirmation_required",
        declined: "user_declined",
        replayed: "confirmation_replayed",
        unavailable: "confirmation_unavailable",
        without_elicitation: WithoutElicitation::ProtocolError,
        single_use: true,
        lifetime_s: 300u64,
    },
    auth: None,
    limits: Limits {
        reads_per_hour: 600u32,
        writes_per_hour: 60u32,
        concurrent_calls: 8u32,
    },
    log_fields: &[
        LogField {
            key: "tool",
            value: LogValue::Tool,
        },
        LogField {
            key: "result",
            value: LogValue::Result,
        },
        LogField {
            key: "status",
            value: LogValue::Status,
        },
        LogField {
            key: "duration",
            value: LogValue::DurationMs,
        },
    ],
    tools: TOOLS,
    prompts: PROMPTS,
    resources: RESOURCES,
};
