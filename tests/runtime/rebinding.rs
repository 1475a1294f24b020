//! `Host` and `Origin`.

use http::{HeaderMap, Uri};

use crate::runtime::catalog::RefusalKind;
use crate::runtime::rebinding::Allowed;

fn check(uri: &str, headers: &[(&'static str, &str)]) -> Result<(), RefusalKind> {
    let hosts = ["mcp.example.com", "Other.Example"];
    let origins = ["https://app.example.com", "https://slash.example/"];
    let allowed = Allowed::new(hosts.into_iter(), origins.into_iter());
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.append(*name, value.parse().expect("a header"));
    }
    allowed.check(&uri.parse::<Uri>().expect("an address"), &map)
}

#[test]
fn loopback_and_listed_hosts_pass() {
    for host in [
        "localhost",
        "LOCALHOST:1",
        "127.0.0.1",
        "127.0.0.1:8080",
        "127.8.8.8",
        "[::1]",
        "[::1]:8080",
        "mcp.example.com",
        "MCP.example.com:443",
        "other.example",
    ] {
        assert_eq!(check("/mcp", &[("host", host)]), Ok(()), "{host}");
    }
}

#[test]
fn an_empty_variable_allows_no_empty_host_and_spaces_do_not_count() {
    let allowed = Allowed::new(
        ["", " a.example"].into_iter(),
        ["", " http://a.example/ "].into_iter(),
    );
    let check = |host: &'static str, origin: &'static str| {
        let mut map = HeaderMap::new();
        map.append("host", host.parse().expect("a host"));
        map.append("origin", origin.parse().expect("an origin"));
        allowed.check(&"/mcp".parse::<Uri>().expect("an address"), &map)
    };
    assert_eq!(check("a.example", "http://a.example"), Ok(()));
    assert_eq!(check("", "http://a.example"), Err(RefusalKind::Host));
    assert_eq!(check("a.example", ""), Err(RefusalKind::Origin));
}

#[test]
fn other_hosts_are_refused() {
    for host in [
        "",
        "evil.example",
        "localhost.evil.example",
        "evil.example:127.0.0.1",
        "127.0.0.1.evil.example",
        "a@localhost",
        "localhost@evil",
        "[::1",
        "[::2]",
        "[::1]x",
        "localhost:80x",
        "x.mcp.example.com",
        "0.0.0.0",
        "10.0.0.1",
        "2130706433",
        "localhost, evil.example",
    ] {
        assert_eq!(
            check("/mcp", &[("host", host)]),
            Err(RefusalKind::Host),
            "{host}"
        );
    }
    assert_eq!(check("/mcp", &[]), Err(RefusalKind::Host));
    let twice = [("host", "localhost"), ("host", "evil.example")];
    assert_eq!(check("/mcp", &twice), Err(RefusalKind::Host));
    let addressed = check("http://evil.example/mcp", &[("host", "localhost")]);
    assert_eq!(addressed, Err(RefusalKind::Host));
    assert_eq!(
        check("http://localhost/mcp", &[("host", "localhost")]),
        Ok(())
    );
}

#[test]
fn origins_are_loopback_or_listed_to_the_letter() {
    for origin in [
        "http://localhost",
        "https://localhost:3000",
        "http://127.0.0.1:6274",
        "http://[::1]:1",
        "https://app.example.com",
        "https://slash.example",
    ] {
        assert_eq!(
            check("/mcp", &[("host", "localhost"), ("origin", origin)]),
            Ok(()),
            "{origin}"
        );
    }
    for origin in [
        "null",
        "",
        "https://evil.example",
        "http://app.example.com",
        "https://app.example.com:8443",
        "https://app.example.com.evil.example",
        "http://localhost.evil.example",
        "http://localhost/evil",
        "file://localhost",
        "localhost",
        "http://evil@localhost",
    ] {
        let refused = check("/mcp", &[("host", "localhost"), ("origin", origin)]);
        assert_eq!(refused, Err(RefusalKind::Origin), "{origin}");
    }
    let twice = [
        ("host", "localhost"),
        ("origin", "http://localhost"),
        ("origin", "http://evil"),
    ];
    assert_eq!(check("/mcp", &twice), Err(RefusalKind::Origin));
}
