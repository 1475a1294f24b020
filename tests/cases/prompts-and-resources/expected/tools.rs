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
        title: Text(&["List things", "Listar coisas"]),
        description: Text(&["Lists things.", "Lista coisas."]),
        input_schema: Text(
            &["{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}"],
        ),
        output_schema: None,
        hints: &[],
        access: Access::OPEN,
        confirm: None,
    },
];
