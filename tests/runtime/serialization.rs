//! Every style of every place, character by character (OpenAPI 3.1.1, "Style Examples").

use crate::call_sample::raw;
use crate::runtime::catalog::Style;
use crate::runtime::catalog::Style::{
    DeepObject, Form as FormStyle, Json, Label, Matrix, PipeDelimited, Simple, SpaceDelimited,
};
use crate::runtime::serialization::{Form, cookie, header, path, query};

const COLORS: &str = r#"["blue","black","brown"]"#;
const RGB: &str = r#"{"R":100,"G":200,"B":150}"#;

fn form(name: &str, style: Style, explode: bool) -> Form<'_> {
    Form {
        name,
        style,
        explode,
        allow_reserved: false,
    }
}

fn pairs(form: Form<'_>, value: &str) -> String {
    query(form, &raw(value)).expect("a query").join("&")
}

#[test]
fn path_styles() {
    for (style, explode, value, expected) in [
        (Simple, false, r#""blue""#, "blue"),
        (Simple, false, COLORS, "blue,black,brown"),
        (Simple, false, RGB, "R,100,G,200,B,150"),
        (Simple, true, r#""blue""#, "blue"),
        (Simple, true, COLORS, "blue,black,brown"),
        (Simple, true, RGB, "R=100,G=200,B=150"),
        (Label, false, r#""blue""#, ".blue"),
        (Label, false, COLORS, ".blue,black,brown"),
        (Label, false, RGB, ".R,100,G,200,B,150"),
        (Label, true, r#""blue""#, ".blue"),
        (Label, true, COLORS, ".blue.black.brown"),
        (Label, true, RGB, ".R=100.G=200.B=150"),
        (Matrix, false, r#""blue""#, ";color=blue"),
        (Matrix, false, COLORS, ";color=blue,black,brown"),
        (Matrix, false, RGB, ";color=R,100,G,200,B,150"),
        (Matrix, true, r#""blue""#, ";color=blue"),
        (Matrix, true, COLORS, ";color=blue;color=black;color=brown"),
        (Matrix, true, RGB, ";R=100;G=200;B=150"),
        (Json, false, r#"{"a":[1]}"#, "%7B%22a%22%3A%5B1%5D%7D"),
        // Digits, whatever their number.
        (
            Simple,
            false,
            "12345678901234567890123",
            "12345678901234567890123",
        ),
        (Simple, false, "1.10", "1.10"),
        (Label, false, "1.5", ".1.5"),
        (Simple, false, "true", "true"),
        // What would end a segment, a list or the path.
        (Simple, false, r#""a/b?c#d%e f""#, "a%2Fb%3Fc%23d%25e%20f"),
        (Simple, false, r#"["a,b","c"]"#, "a%2Cb,c"),
        (Simple, true, r#"{"a=b":"c,d"}"#, "a%3Db=c%2Cd"),
        (Matrix, true, r#""a;b""#, ";color=a%3Bb"),
        (Simple, false, r#""ação €""#, "a%C3%A7%C3%A3o%20%E2%82%AC"),
        (Simple, false, r#""~-._""#, "~-._"),
        (Simple, false, r#""...""#, "..."),
        (Simple, false, r#""a..b""#, "a..b"),
        (Simple, false, r#""100%""#, "100%25"),
    ] {
        let written = path(form("color", style, explode), &raw(value));
        assert_eq!(
            written.as_deref(),
            Ok(expected),
            "{style:?} {explode} {value}"
        );
    }
    let odd = path(form("a[b]", Matrix, false), &raw("1"));
    assert_eq!(odd.as_deref(), Ok(";a%5Bb%5D=1"));
}

#[test]
fn hostile_path_values_are_refused() {
    for value in [
        r#""""#,
        "null",
        "[]",
        "{}",
        r#"["a",""]"#,
        r#"["a",null]"#,
        r#"{"a":""}"#,
        r#"{"":"a"}"#,
        r#"".""#,
        r#""..""#,
        r#""a/../b""#,
        r#""a/..""#,
        r#""../a""#,
        r#""./a""#,
        r#""..\\a""#,
        r#""%2e%2e""#,
        r#""%2E.""#,
        r#""a%2f..%2fb""#,
        r#""a%5c..""#,
        r#""%252e%252e""#,
        r#""..;a=b/c""#,
        r#""a/..;/b""#,
        r#"["a",".."]"#,
        r#"{"a":".."}"#,
        r#"{"..":"a"}"#,
        r#""a\nb""#,
        r#""a\r\nX: y""#,
        r#""a\u0000""#,
        r#""\u007f""#,
        r#""\u0085""#,
        r#""a%00""#,
        r#""a%0d%0ab""#,
        r#""a%250a""#,
    ] {
        for (style, explode) in [
            (Simple, false),
            (Label, true),
            (Matrix, true),
            (Json, false),
        ] {
            let written = path(form("id", style, explode), &raw(value));
            assert!(written.is_err(), "{style:?} {value}: {written:?}");
        }
    }
    // A part that holds the separator would be read as two.
    let label = path(form("id", Label, true), &raw("[1.5,2]"));
    assert!(label.is_err(), "{label:?}");
}

const QUERIES: &[(Style, bool, &str, &str)] = &[
    (FormStyle, true, r#""blue""#, "color=blue"),
    (
        FormStyle,
        true,
        COLORS,
        "color=blue&color=black&color=brown",
    ),
    (FormStyle, true, RGB, "R=100&G=200&B=150"),
    (FormStyle, true, r#""""#, "color="),
    (FormStyle, false, r#""blue""#, "color=blue"),
    (FormStyle, false, COLORS, "color=blue,black,brown"),
    (FormStyle, false, RGB, "color=R,100,G,200,B,150"),
    (FormStyle, false, r#""""#, "color="),
    (SpaceDelimited, false, COLORS, "color=blue%20black%20brown"),
    (
        SpaceDelimited,
        false,
        RGB,
        "color=R%20100%20G%20200%20B%20150",
    ),
    (
        SpaceDelimited,
        true,
        COLORS,
        "color=blue&color=black&color=brown",
    ),
    (PipeDelimited, false, COLORS, "color=blue%7Cblack%7Cbrown"),
    (
        PipeDelimited,
        false,
        RGB,
        "color=R%7C100%7CG%7C200%7CB%7C150",
    ),
    (
        PipeDelimited,
        true,
        COLORS,
        "color=blue&color=black&color=brown",
    ),
    (
        DeepObject,
        true,
        RGB,
        "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
    ),
    (
        DeepObject,
        false,
        RGB,
        "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
    ),
    (
        DeepObject,
        true,
        r#"{"a":{"gte":1,"in":["x","y"],"no":null,"deep":{"b":true}},"c d":"e&f"}"#,
        "color%5Ba%5D%5Bgte%5D=1&color%5Ba%5D%5Bin%5D=x&color%5Ba%5D%5Bin%5D=y\
             &color%5Ba%5D%5Bdeep%5D%5Bb%5D=true&color%5Bc%20d%5D=e%26f",
    ),
    (DeepObject, true, r#""plain""#, "color=plain"),
    (
        Json,
        false,
        r#"{"a": [1, "ü"]}"#,
        "color=%7B%22a%22%3A%20%5B1%2C%20%22%C3%BC%22%5D%7D",
    ),
    // Nothing given, nothing written; `null` inside counts as undefined.
    (FormStyle, true, "null", ""),
    (FormStyle, false, "null", ""),
    (SpaceDelimited, false, "null", ""),
    (PipeDelimited, false, "null", ""),
    (DeepObject, true, "null", ""),
    (FormStyle, true, "[]", ""),
    (FormStyle, true, "{}", ""),
    (DeepObject, true, "{}", ""),
    (FormStyle, false, "[]", "color="),
    (FormStyle, true, r#"["a",null,""]"#, "color=a&color="),
    (FormStyle, true, r#"{"a":null,"b":1}"#, "b=1"),
    (FormStyle, false, r#"{"a":null,"b":1}"#, "color=b,1"),
    // Digits stay as they were sent.
    (
        FormStyle,
        true,
        "12345678901234567890.00001",
        "color=12345678901234567890.00001",
    ),
    (
        FormStyle,
        true,
        "[1.10,1e2,-0]",
        "color=1.10&color=1e2&color=-0",
    ),
    (FormStyle, true, "false", "color=false"),
    // What would end a pair, a key or the query.
    (
        FormStyle,
        true,
        r#""a&b=c#d+e f?/""#,
        "color=a%26b%3Dc%23d%2Be%20f%3F%2F",
    ),
    (FormStyle, false, r#"["a,b","c"]"#, "color=a%2Cb,c"),
    (FormStyle, true, r#"{"a&b=":"c"}"#, "a%26b%3D=c"),
    (FormStyle, true, r#""a\r\n\u0000""#, "color=a%0D%0A%00"),
    (
        FormStyle,
        true,
        r#"[[1,2],{"a":1}]"#,
        "color=%5B1%2C2%5D&color=%7B%22a%22%3A1%7D",
    ),
];

#[test]
fn query_styles() {
    for &(style, explode, value, expected) in QUERIES {
        let written = pairs(form("color", style, explode), value);
        assert_eq!(written, expected, "{style:?} {explode} {value}");
    }
}

#[test]
fn bracketed_names_are_encoded_once() {
    for (name, style, value, expected) in [
        (
            "filter[status]",
            FormStyle,
            r#""paid""#,
            "filter%5Bstatus%5D=paid",
        ),
        ("ids[]", FormStyle, "[1,2]", "ids%5B%5D=1&ids%5B%5D=2"),
        ("f[x]", DeepObject, r#"{"gte":1}"#, "f%5Bx%5D%5Bgte%5D=1"),
        ("a b&c", FormStyle, "1", "a%20b%26c=1"),
    ] {
        assert_eq!(pairs(form(name, style, true), value), expected);
    }
}

#[test]
fn reserved_characters_stay_only_where_allowed() {
    let reserved = |style, explode, value: &str| {
        let form = Form {
            allow_reserved: true,
            ..form("q", style, explode)
        };
        pairs(form, value)
    };
    for (style, explode, value, expected) in [
        (FormStyle, true, r#"":/?@!$'()*,;""#, "q=:/?@!$'()*,;"),
        // They would end the pair, the query, or be read as a space.
        (
            FormStyle,
            true,
            r##""a&b=c#d+e[f] g""##,
            "q=a%26b%3Dc%23d%2Be%5Bf%5D%20g",
        ),
        // What is encoded already stays; a bare `%` does not.
        (
            FormStyle,
            true,
            r#""a%2Fb 100% %zz %4""#,
            "q=a%2Fb%20100%25%20%25zz%20%254",
        ),
        (FormStyle, true, r#""%é""#, "q=%25%C3%A9"),
        (FormStyle, true, r#"["a/b","c"]"#, "q=a/b&q=c"),
        // A comma within a part would make two of it.
        (FormStyle, false, r#"["a/b,c","d"]"#, "q=a/b%2Cc,d"),
        (DeepObject, true, r#"{"a/b":"c/d"}"#, "q%5Ba%2Fb%5D=c/d"),
    ] {
        assert_eq!(reserved(style, explode, value), expected, "{value}");
    }
}

#[test]
fn a_part_that_holds_the_separator_is_refused_where_it_cannot_be_told_apart() {
    for (style, value) in [
        (SpaceDelimited, r#"["a b","c"]"#),
        (SpaceDelimited, r#"{"a b":"c"}"#),
        (PipeDelimited, r#"["a|b","c"]"#),
        (PipeDelimited, r#"{"a":"b|c"}"#),
    ] {
        let written = query(form("q", style, false), &raw(value));
        assert!(written.is_err(), "{style:?} {value}: {written:?}");
    }
}

#[test]
fn header_styles() {
    for (style, explode, value, expected) in [
        (Simple, false, r#""blue""#, Some("blue")),
        (Simple, false, COLORS, Some("blue,black,brown")),
        (Simple, false, RGB, Some("R,100,G,200,B,150")),
        (Simple, true, COLORS, Some("blue,black,brown")),
        (Simple, true, RGB, Some("R=100,G=200,B=150")),
        (Simple, false, "null", None),
        (Simple, false, r#""""#, Some("")),
        (Simple, false, r#"["a",null]"#, Some("a")),
        (
            Simple,
            false,
            "12345678901234567890123",
            Some("12345678901234567890123"),
        ),
        (Simple, false, r#""a, b; c\td""#, Some("a, b; c\td")),
        (Json, false, r#"{"a":1}"#, Some(r#"{"a":1}"#)),
    ] {
        let written = header(form("x-color", style, explode), &raw(value));
        assert_eq!(
            written,
            Ok(expected.map(str::to_owned)),
            "{style:?} {value}"
        );
    }
    for value in [
        r#""a\r\nX-Admin: 1""#,
        r#""a\nb""#,
        r#""a\u0000""#,
        r#""a\u007f""#,
        r#""ação""#,
        r#""\u0085""#,
        r#"["a","b\n"]"#,
        r#"{"a\r":"b"}"#,
        r#"["a,b","c"]"#,
    ] {
        let written = header(form("x-color", Simple, false), &raw(value));
        assert!(written.is_err(), "{value}: {written:?}");
    }
}

#[test]
fn cookie_styles() {
    for (style, explode, value, expected) in [
        (FormStyle, true, r#""blue""#, "color=blue"),
        (FormStyle, false, COLORS, "color=blue,black,brown"),
        (FormStyle, false, RGB, "color=R,100,G,200,B,150"),
        (
            FormStyle,
            true,
            COLORS,
            "color=blue; color=black; color=brown",
        ),
        (FormStyle, true, RGB, "R=100; G=200; B=150"),
        (FormStyle, true, "null", ""),
        (FormStyle, true, r#""a; admin=1""#, "color=a%3B%20admin%3D1"),
        (FormStyle, true, r#""a\r\nb\"""#, "color=a%0D%0Ab%22"),
        (Json, true, r#"{"a":1}"#, "color=%7B%22a%22%3A1%7D"),
    ] {
        let written = cookie(form("color", style, explode), &raw(value)).expect("a cookie");
        assert_eq!(written.join("; "), expected, "{style:?} {explode} {value}");
    }
}
