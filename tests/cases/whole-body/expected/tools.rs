static TOOLS: &[Tool] = &[
    Tool {
        name: "create_batch",
        kind: Kind::Write,
        operation: "POST /batches",
        method: "POST",
        path: &[Segment::Literal("/batches")],
        base_url: None,
        body: Body::Whole,
        arguments: &[
            Argument {
                name: "body",
                wire: "body",
                place: Place::Body,
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
        description: Text(&["POST /batches"]),
        input_schema: Text(
            &[
                "{\"type\":\"object\",\"properties\":{\"body\":{\"type\":\"array\",\"minItems\":1,\"items\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}}},\"required\":[\"body\"],\"additionalProperties\":false}",
            ],
        ),
        output_schema: None,
        hints: &[],
        access: Access::OPEN,
        confirm: None,
    },
    Tool {
        name: "create_payment",
        kind: Kind::Destructive,
        operation: "POST /payments",
        method: "POST",
        path: &[Segment::Literal("/payments")],
        base_url: None,
        body: Body::Whole,
        arguments: &[
            Argument {
                name: "body",
                wire: "body",
                place: Place::Body,
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
        description: Text(&["POST /payments"]),
        input_schema: Text(
            &[
                "{\"type\":\"object\",\"properties\":{\"body\":{\"oneOf\":[{\"type\":\"object\",\"properties\":{\"pix\":{\"type\":\"string\"}},\"additionalProperties\":false,\"required\":[\"pix\"]},{\"type\":\"object\",\"properties\":{\"card\":{\"type\":\"string\"}},\"additionalProperties\":false,\"required\":[\"card\"]}]}},\"additionalProperties\":false}",
            ],
        ),
        output_schema: None,
        hints: &[],
        access: Access::OPEN,
        confirm: Some(Confirm {
            message: Text(
                &[
                    "Run “create_payment”? It may be impossible to undo. body: {body}",
                    "Executar “create_payment”? Talvez não possa ser desfeito. body: {body}",
                    "¿Ejecutar «create_payment»? Quizá no se pueda deshacer. body: {body}",
                ],
            ),
            accept: Text(&["Yes, run it", "Sim, executar", "Sí, ejecutar"]),
            values: &[
                QuestionValue {
                    name: "body",
                    source: ValueSource::Argument("body"),
                    format: ValueFormat::Plain,
                },
            ],
            lookup: None,
        }),
    },
];
