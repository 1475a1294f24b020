static TOOLS: &[Tool] = &[
    Tool {
        name: "odd_id_id_script",
        kind: Kind::Write,
        operation: "POST /odd/{id}/\"{x}/*/`|",
        method: "POST",
        path: &[
            Segment::Literal("/odd/"),
            Segment::Parameter("id"),
            Segment::Literal("/%22"),
            Segment::Parameter("x"),
            Segment::Literal("/*/%60%7C"),
        ],
        base_url: None,
        body: Body::Fields { required: true },
        arguments: &[
            Argument {
                name: "id",
                wire: "id",
                place: Place::Path,
                style: Style::Simple,
                explode: false,
                allow_reserved: false,
                structured: false,
            },
            Argument {
                name: "x",
                wire: "x",
                place: Place::Path,
                style: Style::Simple,
                explode: false,
                allow_reserved: false,
                structured: false,
            },
            Argument {
                name: "q_script",
                wire: "q\"# */ <script>",
                place: Place::Query,
                style: Style::Form,
                explode: true,
                allow_reserved: false,
                structured: false,
            },
            Argument {
                name: "f_field",
                wire: "f\"# */ {{ field }}",
                place: Place::BodyField,
                style: Style::Json,
                explode: false,
                allow_reserved: false,
                structured: false,
            },
            Argument {
                name: ".._.._etc",
                wire: "../../etc",
                place: Place::BodyField,
                style: Style::Json,
                explode: false,
                allow_reserved: false,
                structured: false,
            },
        ],
        fixed: &[],
        idempotent: false,
        open_world: true,
        title: Text(
            &[
                "Summary \"# */ `ticks` {{ summary }} <script>alert(1)</script> \u{202e}bidi\0 | cell\r\nnext",
            ],
        ),
        description: Text(
            &[
                "Summary \"# */ `ticks` {{ summary }} <script>alert(1)</script> \u{202e}bidi\0 | cell\r\nnext. Description \"## */ {{ description }} {% raw %} <img src=x onerror=alert(1)> \u{2066}\0\n\n# heading\n\n---\n```\nfence",
            ],
        ),
        input_schema: Text(
            &[
                "{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"string\",\"description\":\"\\\"# */ {{ id }} \u{202e}\\u0000\"},\"x\":{\"type\":\"string\"},\"q_script\":{\"type\":\"string\",\"enum\":[\"\\\"# */\",\"{{ enum }}\",\"<script>\",\"`\u{202e}\",\"nul\\u0000\",\"line\\r\\nline\",\"\\\\\"]},\"f_field\":{\"type\":\"string\",\"description\":\"\\\"# */ \u{2028}\u{2029}\u{85} {{ field }}\",\"default\":\"\\\"# */ {{ default }}\"},\".._.._etc\":{\"type\":\"string\",\"pattern\":\"^[\\\"#*/`]+$\"}},\"required\":[\"id\",\"x\",\"f_field\"],\"additionalProperties\":false}",
            ],
        ),
        output_schema: None,
        hints: &[],
    },
];
