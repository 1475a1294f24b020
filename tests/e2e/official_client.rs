//! The official Rust client lists and calls in both eras.

use rmcp::ClientHandler;
use rmcp::model::{CallToolRequestParams, ClientConfig, Implementation, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};

use crate::{kobana, regua};

#[derive(Clone)]
struct Client;

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let mut config = ClientConfig::default();
        config.client_info = Implementation::new("oas2mcp-tests", "1");
        config
    }
}

fn eras() -> [(&'static str, ClientLifecycleMode); 2] {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    [
        ("2025-11-25", ClientLifecycleMode::Initialize),
        (
            "2026-07-28",
            ClientLifecycleMode::Discover { preferred_versions },
        ),
    ]
}

/// Lists the tools and calls one that works and one that is refused.
async fn list_and_call(url: String, good: (&str, Value), refused: (&str, Value)) {
    for (version, mode) in eras() {
        let config = StreamableHttpClientTransportConfig::with_uri(url.clone());
        let transport = StreamableHttpClientTransport::from_config(config);
        let client = Client
            .serve_with_lifecycle(transport, mode)
            .await
            .expect(version);
        let tools = client.list_all_tools().await.expect("a list");
        assert!(
            tools.iter().any(|tool| tool.name == good.0),
            "{version}: {} tools",
            tools.len()
        );
        let call = |(name, arguments): (&str, Value)| {
            let arguments = arguments.as_object().cloned().expect("an object");
            client.call_tool(CallToolRequestParams::new(name.to_owned()).with_arguments(arguments))
        };
        let result =
            serde_json::to_value(call(good.clone()).await.expect("a result")).expect("JSON");
        assert_ne!(result["isError"], true, "{version}: {result}");
        let result =
            serde_json::to_value(call(refused.clone()).await.expect("a result")).expect("JSON");
        assert_eq!(result["isError"], true, "{version}: {result}");
        client.cancel().await.expect("an end");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_works_with_kobana() {
    let (server, _stand_in) = kobana::start().await;
    let good = ("list_bank_billets", json!({"limit": 2}));
    list_and_call(
        format!("http://{}/", server.address),
        good,
        ("cancel_bank_billet", json!({"id": 1001})),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn it_works_with_regua() {
    let (server, _stand_in) = regua::start().await;
    let good = ("list_charges", json!({"limit": 2}));
    list_and_call(
        format!("http://{}/mcp", server.address),
        good,
        ("get_charge", json!({"charge_id": "chg_foreign"})),
    )
    .await;
}
