static PROMPTS: &[Prompt] = &[
    Prompt {
        name: "odd",
        title: Text(&["Prompt \"# */ {{ title }} \u{202e}\0"]),
        description: Text(&[""]),
        arguments: &[
            PromptArgument {
                name: "name",
                description: Text(&["\"# */ {{ argument }} \0"]),
                required: false,
            },
        ],
        messages: &[
            PromptMessage {
                role: "user",
                text: Text(&["\"## */ {name} {{ braces }} <script> \u{202e}\0\n```"]),
            },
        ],
        scopes: &[],
    },
];
static RESOURCES: &[Resource] = &[
    Resource {
        uri: "docs://odd",
        name: "odd \"# */",
        title: Text(&["\"# */ {{ t }} \0"]),
        description: Text(&[""]),
        mime_type: "text/plain",
        text: "\"## */ {{ text }} <script> \u{202e}\0\r\n```",
        scopes: &[],
    },
    Resource {
        uri: "docs://errors/en",
        name: "errors-en",
        title: Text(
            &[
                "Errors of the Product \"# */ {{ product }} <script>alert(1)</script> | `x` \u{202e}\0\r\n# heading MCP server",
            ],
        ),
        description: Text(&[]),
        mime_type: "text/markdown",
        text: include_str!("../docs/en/errors.md"),
        scopes: &[],
    },
    Resource {
        uri: "docs://errors/pt-BR",
        name: "errors-pt-BR",
        title: Text(
            &[
                "Erros do servidor MCP Product \"# */ {{ product }} <script>alert(1)</script> | `x` \u{202e}\0\r\n# heading",
            ],
        ),
        description: Text(&[]),
        mime_type: "text/markdown",
        text: include_str!("../docs/pt-BR/errors.md"),
        scopes: &[],
    },
];
