static TOOLS: &[Tool] = &[
    Tool {
        name: "create_tree",
        kind: Kind::Write,
        operation: "POST /trees",
        method: "POST",
        path: &[Segment::Literal("/trees")],
        base_url: None,
        body: Body::Fields { required: true },
        arguments: &[
            Argument {
                name: "label",
                wire: "label",
                place: Place::BodyField,
                style: Style::Json,
                explode: false,
                allow_reserved: false,
                structured: false,
            },
            Argument {
                name: "children",
                wire: "children",
                place: Place::BodyField,
                style: Style::Json,
                explode: false,
                allow_reserved: false,
                structured: true,
            },
        ],
        fixed: &[],
        idempotent: false,
        open_world: true,
        title: Text(&[""]),
        description: Text(&["POST /trees"]),
        input_schema: Text(
            &[
                "{\"type\":\"object\",\"properties\":{\"label\":{\"type\":\"string\",\"maxLength\":20},\"children\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/Node\"}}},\"required\":[\"label\"],\"additionalProperties\":false,\"$defs\":{\"Node\":{\"type\":\"object\",\"properties\":{\"label\":{\"type\":\"string\",\"maxLength\":20},\"children\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/Node\"}}},\"required\":[\"label\"]}}}",
            ],
        ),
        output_schema: None,
        hints: &[],
    },
];
