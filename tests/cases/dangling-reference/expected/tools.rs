static TOOLS: &[Tool] = &[
    Tool {
        name: "list_things",
        kind: Kind::Read,
        operation: "GET /things",
        method: "GET",
        path: &[Segment::Literal("/things")],
        base_url: None,
        body: Body::None,
        arguments: &[],
        fixed: &[],
        idempotent: true,
        open_world: true,
        title: Text(&[""]),
        description: Text(&["GET /things"]),
        input_schema: Text(
            &["{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}"],
        ),
        output_schema: None,
        hints: &[],
        access: Access::OPEN,
        confirm: None,
    },
];
