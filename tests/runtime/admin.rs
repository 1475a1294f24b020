//! Health checks.

use http::{Method, Request};

use crate::runtime::admin::Health;

fn status(health: &Health, method: Method, path: &str) -> u16 {
    let request = Request::builder().method(method).uri(path).body(());
    health
        .answer(&request.expect("a request"))
        .status()
        .as_u16()
}

#[test]
fn readiness_ends_with_the_stop_and_life_does_not() {
    let health = Health::default();
    assert_eq!(status(&health, Method::GET, "/healthz"), 200);
    assert_eq!(status(&health, Method::GET, "/readyz?verbose"), 200);
    assert_eq!(status(&health, Method::HEAD, "/readyz"), 200);
    assert_eq!(status(&health, Method::POST, "/readyz"), 404);
    assert_eq!(status(&health, Method::GET, "/mcp"), 404);
    assert_eq!(status(&health, Method::GET, "/"), 404);
    health.stop();
    assert_eq!(status(&health, Method::GET, "/readyz"), 503);
    assert_eq!(status(&health, Method::GET, "/healthz"), 200);
}
