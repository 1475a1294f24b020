//! Parameter styles: each style with each kind of value, exploded or not, and values that try to break out.

use serde_json::value::RawValue;

use crate::runtime::catalog::Style;
use crate::runtime::serialization::{Form, cookie, header, path, query};

const LIST: &str = r#"["blue","black","brown"]"#;
const OBJECT: &str = r#"{"R":100,"G":200,"B":150}"#;

fn raw(text: &str) -> Box<RawValue> {
    serde_json::from_str(text).unwrap()
}

const fn form(style: Style, explode: bool) -> Form<'static> {
    Form {
        name: "color",
        style,
        explode,
        allow_reserved: false,
    }
}

/// OpenAPI 3.1.1, "Style Examples", in the places where each style may stand.
#[test]
fn path_styles() {
    let table: &[(Style, bool, &str, &str)] = &[
        (Style::Simple, false, r#""blue""#, "blue"),
        (Style::Simple, false, LIST, "blue,black,brown"),
        (Style::Simple, false, OBJECT, "R,100,G,200,B,150"),
        (Style::Simple, true, LIST, "blue,black,brown"),
        (Style::Simple, true, OBJECT, "R=100,G=200,B=150"),
        (Style::Label, false, r#""blue""#, ".blue"),
        (Style::Label, false, LIST, ".blue,black,brown"),
        (Style::Label, false, OBJECT, ".R,100,G,200,B,150"),
        (Style::Label, true, LIST, ".blue.black.brown"),
        (Style::Label, true, OBJECT, ".R=100.G=200.B=150"),
        (Style::Matrix, false, r#""blue""#, ";color=blue"),
        (Style::Matrix, false, LIST, ";color=blue,black,brown"),
        (Style::Matrix, false, OBJECT, ";color=R,100,G,200,B,150"),
        (
            Style::Matrix,
            true,
            LIST,
            ";color=blue;color=black;color=brown",
        ),
        (Style::Matrix, true, OBJECT, ";R=100;G=200;B=150"),
        (Style::Json, false, r#"{"a":1}"#, "%7B%22a%22%3A1%7D"),
        (Style::Simple, false, "true", "true"),
        (Style::Simple, false, "12.50", "12.50"),
        (Style::Simple, false, r#""São Paulo""#, "S%C3%A3o%20Paulo"),
        (
            Style::Simple,
            false,
            r#""a/b?c#d&e=f;g""#,
            "a%2Fb%3Fc%23d%26e%3Df%3Bg",
        ),
        (Style::Simple, false, r#"["a,b","c"]"#, "a%2Cb,c"),
        (Style::Simple, false, r#""100%""#, "100%25"),
        (Style::Simple, false, r#""...""#, "..."),
        (Style::Simple, false, r#""v1.2""#, "v1.2"),
    ];
    for (style, explode, value, expected) in table {
        let written = path(form(*style, *explode), &raw(value));
        assert_eq!(
            written.as_deref(),
            Ok(*expected),
            "{style:?} {explode} {value}"
        );
    }
}

#[test]
fn path_values_that_would_name_another_address_are_refused() {
    for value in [
        r#""""#,
        "null",
        "[]",
        "{}",
        r#"["a",""]"#,
        r#"["a",null]"#,
        r#"".""#,
        r#""..""#,
        r#""a/../b""#,
        r#""..\\b""#,
        r#""%2e%2e""#,
        r#""%2E./x""#,
        r#""%252e%252e""#,
        r#""a%2F..%2Fb""#,
        r#""..;x=1/admin""#,
        r#""a\nb""#,
        r#""a\u0000""#,
        r#""a%00""#,
        r#""a%0d%0aHost: x""#,
        r#"{"..":"a"}"#,
    ] {
        for style in [Style::Simple, Style::Label, Style::Matrix] {
            let written = path(form(style, false), &raw(value));
            assert!(written.is_err(), "{style:?} {value}: {written:?}");
        }
    }
}

/// OpenAPI 3.1.1, "Style Examples", and the values that it leaves open.
const QUERIES: &[(Style, bool, &str, &str)] = &[
    (Style::Form, true, r#""blue""#, "color=blue"),
    (
        Style::Form,
        true,
        LIST,
        "color=blue&color=black&color=brown",
    ),
    (Style::Form, true, OBJECT, "R=100&G=200&B=150"),
    (Style::Form, false, LIST, "color=blue,black,brown"),
    (Style::Form, false, OBJECT, "color=R,100,G,200,B,150"),
    (
        Style::SpaceDelimited,
        false,
        LIST,
        "color=blue%20black%20brown",
    ),
    (
        Style::SpaceDelimited,
        false,
        OBJECT,
        "color=R%20100%20G%20200%20B%20150",
    ),
    (
        Style::SpaceDelimited,
        true,
        LIST,
        "color=blue&color=black&color=brown",
    ),
    (
        Style::PipeDelimited,
        false,
        LIST,
        "color=blue%7Cblack%7Cbrown",
    ),
    (
        Style::PipeDelimited,
        false,
        OBJECT,
        "color=R%7C100%7CG%7C200%7CB%7C150",
    ),
    (
        Style::PipeDelimited,
        true,
        LIST,
        "color=blue&color=black&color=brown",
    ),
    (
        Style::DeepObject,
        true,
        OBJECT,
        "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
    ),
    (
        Style::DeepObject,
        true,
        r#"{"a":{"b":1,"c":[2,3]},"d":null}"#,
        "color%5Ba%5D%5Bb%5D=1&color%5Ba%5D%5Bc%5D=2&color%5Ba%5D%5Bc%5D=3",
    ),
    (Style::DeepObject, true, r#""plain""#, "color=plain"),
    (
        Style::Json,
        false,
        r#"{"a":[1.50]}"#,
        "color=%7B%22a%22%3A%5B1.50%5D%7D",
    ),
    (Style::Form, true, r#""""#, "color="),
    (Style::Form, true, "null", ""),
    (Style::Form, true, "[]", ""),
    (Style::Form, false, "[]", ""),
    (Style::Form, false, "{}", ""),
    (Style::PipeDelimited, false, "[]", ""),
    (Style::DeepObject, true, "{}", ""),
    (
        Style::Form,
        true,
        r#""a&b=c#d+e f""#,
        "color=a%26b%3Dc%23d%2Be%20f",
    ),
    (Style::Form, false, r#"["a,b","c"]"#, "color=a%2Cb,c"),
    (
        Style::Form,
        true,
        "12345678901234567890.123456789",
        "color=12345678901234567890.123456789",
    ),
    (Style::Form, false, "[1e2,0.10,-0]", "color=1e2,0.10,-0"),
    (Style::Form, true, "false", "color=false"),
];

#[test]
fn query_styles() {
    for (style, explode, value, expected) in QUERIES {
        let written = query(form(*style, *explode), &raw(value)).join("&");
        assert_eq!(written, *expected, "{style:?} {explode} {value}");
    }
}

#[test]
fn reserved_characters_stay_where_they_are_allowed_and_cannot_end_a_pair() {
    let mut form = form(Style::Form, true);
    form.allow_reserved = true;
    let value = raw(r#""a:/?@!$'()*,;b&c=d#e+f%20 g""#);
    assert_eq!(
        query(form, &value),
        ["color=a:/?@!$'()*,;b%26c%3Dd%23e%2Bf%2520%20g"]
    );
}

#[test]
fn names_are_encoded() {
    let mut form = form(Style::Form, true);
    form.name = "filter[name]";
    assert_eq!(query(form, &raw("1")), ["filter%5Bname%5D=1"]);
    form.style = Style::DeepObject;
    assert_eq!(
        query(form, &raw(r#"{"a&b":1}"#)),
        ["filter%5Bname%5D%5Ba%26b%5D=1"]
    );
}

#[test]
fn header_styles() {
    let table: &[(Style, bool, &str, Option<&str>)] = &[
        (Style::Simple, false, r#""blue""#, Some("blue")),
        (Style::Simple, false, LIST, Some("blue,black,brown")),
        (Style::Simple, false, OBJECT, Some("R,100,G,200,B,150")),
        (Style::Simple, true, OBJECT, Some("R=100,G=200,B=150")),
        (Style::Json, false, r#"{"a":1}"#, Some(r#"{"a":1}"#)),
        (Style::Simple, false, "1.50", Some("1.50")),
        (Style::Simple, false, r#""""#, Some("")),
        (Style::Simple, false, "null", None),
        (Style::Simple, false, "[]", None),
        (Style::Simple, true, "{}", None),
    ];
    for (style, explode, value, expected) in table {
        let written = header(form(*style, *explode), &raw(value));
        assert_eq!(
            written,
            Ok(expected.map(str::to_owned)),
            "{style:?} {explode} {value}"
        );
    }
}

#[test]
fn header_values_cannot_begin_another_header() {
    for value in [
        r#""a\r\nX-Admin: 1""#,
        r#""a\nb""#,
        r#""a\u0000b""#,
        r#""é""#,
        r#"["a","b\r"]"#,
        r#"{"a\n":"b"}"#,
    ] {
        assert!(
            header(form(Style::Simple, true), &raw(value)).is_err(),
            "{value}"
        );
    }
}

#[test]
fn cookie_styles() {
    let table: &[(Style, bool, &str, &str)] = &[
        (Style::Form, true, r#""blue""#, "color=blue"),
        (
            Style::Form,
            true,
            LIST,
            "color=blue; color=black; color=brown",
        ),
        (Style::Form, false, LIST, "color=blue,black,brown"),
        (Style::Form, false, OBJECT, "color=R,100,G,200,B,150"),
        (Style::Json, false, "[1]", "color=%5B1%5D"),
        (
            Style::Form,
            true,
            r#""a; admin=1\r\nX: y""#,
            "color=a%3B%20admin%3D1%0D%0AX%3A%20y",
        ),
        (Style::Form, true, "null", ""),
    ];
    for (style, explode, value, expected) in table {
        let written = cookie(form(*style, *explode), &raw(value)).join("; ");
        assert_eq!(written, *expected, "{style:?} {explode} {value}");
    }
}
