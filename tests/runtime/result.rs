//! Good answers: JSON as it came, text as text, everything else by media type.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;

use crate::call_sample::{Bench, catalog, text, tool};
use crate::runtime::answer::{Content, ToolResult};
use crate::stand_in::Response;

async fn result_of(answer: Response, locale: usize) -> ToolResult {
    let bench = Bench::answering(catalog(tool("GET", &[], |_| {}), |_| {}), answer).await;
    let outcome = bench.call_in("{}", locale).await;
    assert_eq!(outcome.code, None);
    assert!(!outcome.result.is_error);
    outcome.result
}

fn bytes(content_type: &str, body: &[u8]) -> Response {
    Response {
        body: Bytes::copy_from_slice(body),
        ..Response::text(200, content_type, "")
    }
}

#[tokio::test]
async fn json_passes_to_the_last_byte() {
    for body in [
        "{\"b\" : 12345678901234567890.10,\n \"a\":1e2, \"a\":\"\\u00e9\"}",
        "[1.0]",
        "null",
        "\"text\"",
        "{broken",
    ] {
        for content_type in [
            "application/json",
            "application/problem+json; charset=utf-8",
        ] {
            let result = result_of(bytes(content_type, body.as_bytes()), 0).await;
            assert_eq!(text(&result), body);
            assert!(result.structured.is_none());
        }
    }
}

#[tokio::test]
async fn texts_are_decoded() {
    let table: &[(&str, &[u8], &str)] = &[
        ("text/plain", "olá".as_bytes(), "olá"),
        ("text/csv; charset=\"ISO-8859-1\"", b"ol\xe1", "olá"),
        ("application/xml", b"<a/>", "<a/>"),
        ("text/plain", b"\xef\xbb\xbfbom", "bom"),
        ("text/plain", b"bad \xff", "bad \u{fffd}"),
        ("", b"no type", "no type"),
        ("image/svg+xml", b"<svg/>", "<svg/>"),
    ];
    for (content_type, body, expected) in table {
        let result = result_of(bytes(content_type, body), 0).await;
        assert_eq!(text(&result), *expected, "{content_type}");
    }
}

#[tokio::test]
async fn binaries_go_by_media_type_and_name_no_address() {
    let body = [0_u8, 159, 146, 150];
    let coded = STANDARD.encode(body);
    let png = result_of(bytes("Image/PNG", &body), 0).await;
    assert!(
        matches!(&png.content[..], [Content::Image { mime_type, data }] if mime_type == "image/png" && *data == coded)
    );
    let wav = result_of(bytes("audio/wav", &body), 0).await;
    assert!(
        matches!(&wav.content[..], [Content::Audio { mime_type, data }] if mime_type == "audio/wav" && *data == coded)
    );
    for (content_type, shown) in [
        ("application/pdf", "application/pdf"),
        ("", "application/octet-stream"),
    ] {
        let pdf = result_of(bytes(content_type, &body), 0).await;
        let [
            Content::Blob {
                uri,
                mime_type,
                data,
            },
        ] = &pdf.content[..]
        else {
            panic!("{pdf:?}");
        };
        assert_eq!((mime_type.as_str(), data), (shown, &coded));
        assert!(
            !uri.contains("127.0.0.1") && !uri.contains("things"),
            "{uri}"
        );
    }
}

#[tokio::test]
async fn no_content_is_said_in_the_language_of_the_wire() {
    for status in [200, 202, 204] {
        let table = [
            (0, "Done. The API returned no content."),
            (1, "Feito. A API não retornou conteúdo."),
            (2, "Hecho. La API no devolvió contenido."),
            (99, "Done. The API returned no content."),
        ];
        for (locale, expected) in table {
            assert_eq!(
                text(&result_of(Response::empty(status), locale).await),
                expected
            );
        }
    }
}
