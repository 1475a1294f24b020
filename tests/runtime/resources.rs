//! Resources.

use serde_json::json;

use crate::sample::{Server, catalog};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_resource_is_read_whole_in_both_eras() {
    let server = Server::start(catalog(|_| {})).await;
    let params = json!({"uri": "docs://errors/en"});
    let contents = json!([{"uri": "docs://errors/en", "mimeType": "text/markdown", "text": "# Errors\n\"quoted\""}]);
    for _ in 0..2 {
        let legacy = server.legacy("resources/read", params.clone()).await;
        assert_eq!(legacy.json()["result"], json!({ "contents": contents }));
        let modern = server.modern("resources/read", params.clone()).await.json()["result"].clone();
        assert_eq!(modern["contents"], contents);
        assert_eq!(
            (&modern["ttlMs"], &modern["cacheScope"]),
            (&json!(60000), &json!("public"))
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_resource_has_a_code_by_era_and_names_the_address() {
    let server = Server::start(catalog(|_| {})).await;
    for uri in [
        "docs://errors/fr",
        "docs://errors/EN",
        "file:///etc/passwd",
        "docs://errors/../en",
        "",
    ] {
        let params = json!({ "uri": uri });
        let legacy = server.legacy("resources/read", params.clone()).await;
        assert_eq!(legacy.fault(), (200, -32002), "{uri}");
        assert_eq!(legacy.json()["error"]["data"], params);
        let modern = server.modern("resources/read", params.clone()).await;
        assert_eq!(modern.fault(), (200, -32602), "{uri}");
        assert_eq!(modern.json()["error"]["data"], params);
    }
    assert_eq!(
        server
            .legacy("resources/read", json!({"uri": 5}))
            .await
            .fault(),
        (200, -32602)
    );
}
