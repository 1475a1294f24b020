static TOOLS: &[Tool] = &[
    Tool {
        name: "create_thing",
        kind: Kind::Write,
        operation: "POST /things",
        method: "POST",
        path: &[Segment::Literal("/things")],
        base_url: None,
        body: Body::Fields { required: true },
        arguments: &[
            Argument {
                name: "limit",
                wire: "limit",
                place: Place::Query,
                style: Style::Form,
                explode: true,
                allow_reserved: false,
                structured: false,
            },
            Argument {
                name: "label",
                wire: "name",
                place: Place::BodyField,
                style: Style::Json,
                explode: false,
                allow_reserved: false,
                structured: false,
            },
            Argument {
                name: "tags",
                wire: "tags",
                place: Place::BodyField,
                style: Style::Json,
                explode: false,
                allow_reserved: false,
                structured: true,
            },
        ],
        fixed: &[
            Fixed {
                place: Place::Query,
                wire: "version",
                value: "2",
            },
            Fixed {
                place: Place::BodyField,
                wire: "channel",
                value: "\"mcp\"",
            },
        ],
        idempotent: false,
        open_world: true,
        title: Text(&[""]),
        description: Text(&["POST /things"]),
        input_schema: Text(
            &[
                "{\"type\":\"object\",\"properties\":{\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":50,\"default\":10},\"label\":{\"type\":\"string\",\"description\":\"What people read.\"},\"tags\":{\"type\":\"array\",\"maxItems\":3,\"items\":{\"enum\":[\"a\",\"b\"]}}},\"required\":[\"limit\",\"label\"],\"additionalProperties\":false}",
            ],
        ),
        output_schema: None,
        hints: &[],
    },
];
