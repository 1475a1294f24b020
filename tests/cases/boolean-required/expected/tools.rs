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
                name: "name",
                wire: "name",
                place: Place::BodyField,
                style: Style::Json,
                explode: false,
                allow_reserved: false,
                structured: false,
            },
            Argument {
                name: "note",
                wire: "note",
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
        title: Text(&[""]),
        description: Text(&["POST /things"]),
        input_schema: Text(
            &[
                "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"note\":{\"type\":\"string\"}},\"required\":[\"name\"],\"additionalProperties\":false}",
            ],
        ),
        output_schema: None,
        hints: &[],
    },
];
