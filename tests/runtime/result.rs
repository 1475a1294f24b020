//! Good answers of the API → results.

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, StatusCode};

use crate::runtime::answer::{Content, ToolResult};
use crate::runtime::hooks::ApiAnswer;
use crate::runtime::result::from_answer;

fn result(media_type: &str, body: &[u8]) -> ToolResult {
    let mut headers = HeaderMap::new();
    if !media_type.is_empty() {
        headers.insert(
            CONTENT_TYPE,
            HeaderValue::from_str(media_type).expect("a header"),
        );
    }
    let answer = ApiAnswer {
        status: StatusCode::OK,
        headers,
        body: Bytes::copy_from_slice(body),
    };
    let result = from_answer(&answer, "statement", "en");
    assert!(!result.is_error && result.structured.is_none());
    result
}

/// Kind, media type and content of the one block.
fn block(media_type: &str, body: &[u8]) -> (&'static str, String, String) {
    match result(media_type, body).content.as_slice() {
        [Content::Text(text)] => ("text", String::new(), text.clone()),
        [Content::Image { mime_type, data }] => ("image", mime_type.clone(), data.clone()),
        [Content::Audio { mime_type, data }] => ("audio", mime_type.clone(), data.clone()),
        [
            Content::Blob {
                uri,
                mime_type,
                data,
            },
        ] => {
            assert_eq!(uri, "attachment://statement");
            ("blob", mime_type.clone(), data.clone())
        }
        other => panic!("not one block: {other:?}"),
    }
}

#[test]
fn text_passes_as_it_came() {
    let json = "{\"b\": 1.10,\n \"a\":12345678901234567890123, \"b\":\"\\u00e7\"}";
    for (media_type, body, expected) in [
        ("application/json", json.as_bytes(), json),
        ("application/json; charset=utf-8", b"[1]\n", "[1]\n"),
        ("APPLICATION/Problem+JSON", b"{}", "{}"),
        ("application/hal+json;profile=\"x\"", b"{}", "{}"),
        ("text/csv", "nome;ação".as_bytes(), "nome;ação"),
        (
            "text/csv; charset=ISO-8859-1",
            b"nome;a\xe7\xe3o",
            "nome;ação",
        ),
        ("text/csv; header=present; charset=\"latin1\"", b"\xe9", "é"),
        // What is sent as ISO 8859-1 is windows-1252 in truth.
        (
            "text/plain; charset=iso-8859-1",
            b"\x80 9\x97\x93x\x94",
            "€ 9—“x”",
        ),
        (
            "text/plain; charset=windows-1252",
            b"\x80\x81\x9f\xa0",
            "€\u{81}Ÿ\u{a0}",
        ),
        ("text/html", b"<b>x</b>", "<b>x</b>"),
        ("application/xml", b"<a/>", "<a/>"),
        ("image/svg+xml", b"<svg/>", "<svg/>"),
        ("application/json", b"\xef\xbb\xbf{}", "{}"),
        ("text/plain", b"a\xffb", "a\u{fffd}b"),
        ("", b"{\"a\":1}", "{\"a\":1}"),
    ] {
        let expected = ("text", String::new(), expected.to_owned());
        assert_eq!(block(media_type, body), expected, "{media_type}");
    }
}

#[test]
fn bytes_pass_in_base64_under_their_media_type() {
    for (media_type, body, kind, shown, data) in [
        (
            "image/png",
            b"\x89PNG".as_slice(),
            "image",
            "image/png",
            "iVBORw==",
        ),
        (
            "Image/JPEG; q=1",
            b"\xff\xd8",
            "image",
            "image/jpeg",
            "/9g=",
        ),
        ("audio/mpeg", b"ID3", "audio", "audio/mpeg", "SUQz"),
        (
            "application/pdf",
            b"%PDF-1.7",
            "blob",
            "application/pdf",
            "JVBERi0xLjc=",
        ),
        (
            "application/octet-stream",
            b"text",
            "blob",
            "application/octet-stream",
            "dGV4dA==",
        ),
        (
            "application/zip",
            b"PK\x03\x04",
            "blob",
            "application/zip",
            "UEsDBA==",
        ),
        (
            "text/plain; charset=utf-16",
            b"\xff\xfea\0",
            "blob",
            "text/plain",
            "//5hAA==",
        ),
        ("", b"\xff\xfe", "blob", "application/octet-stream", "//4="),
    ] {
        let expected = (kind, shown.to_owned(), data.to_owned());
        assert_eq!(block(media_type, body), expected, "{media_type}");
    }
}

#[test]
fn no_content_is_said_in_the_language() {
    for (language, expected) in [
        ("en", "Done. The API returned no content."),
        ("pt-BR", "Feito. A API não retornou conteúdo."),
        ("es", "Hecho. La API no devolvió contenido."),
        ("de", "Done. The API returned no content."),
    ] {
        let answer = ApiAnswer {
            status: StatusCode::NO_CONTENT,
            headers: HeaderMap::new(),
            body: Bytes::new(),
        };
        let result = from_answer(&answer, "statement", language);
        assert_eq!(crate::call_sample::text(&result), expected);
        assert!(!result.is_error);
    }
}
