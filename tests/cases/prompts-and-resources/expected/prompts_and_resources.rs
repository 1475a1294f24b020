static PROMPTS: &[Prompt] = &[
    Prompt {
        name: "overdue",
        title: Text(&["Overdue bills", "Contas vencidas"]),
        description: Text(
            &[
                "Which bills of a customer are late.",
                "Quais contas de um cliente venceram.",
            ],
        ),
        arguments: &[
            PromptArgument {
                name: "customer",
                description: Text(&["The customer", "O cliente"]),
                required: true,
            },
            PromptArgument {
                name: "since",
                description: Text(&[""]),
                required: false,
            },
        ],
        messages: &[
            PromptMessage {
                role: "user",
                text: Text(
                    &[
                        "List {customer}'s bills since {since} as {{json}}.",
                        "Liste as contas de {customer} desde {since} como {{json}}.",
                    ],
                ),
            },
            PromptMessage {
                role: "assistant",
                text: Text(&["Which month?", "Que mês?"]),
            },
        ],
        scopes: &[],
    },
];
static RESOURCES: &[Resource] = &[
    Resource {
        uri: "docs://guide",
        name: "guide",
        title: Text(&["Guide", "Guia"]),
        description: Text(&[""]),
        mime_type: "text/markdown",
        text: "# Guide\n",
        scopes: &[],
    },
    Resource {
        uri: "docs://errors/en",
        name: "errors-en",
        title: Text(&["Errors of the Cases MCP server"]),
        description: Text(&[]),
        mime_type: "text/markdown",
        text: include_str!("../docs/en/errors.md"),
        scopes: &[],
    },
    Resource {
        uri: "docs://errors/pt-BR",
        name: "errors-pt-BR",
        title: Text(&["Erros do servidor MCP Cases"]),
        description: Text(&[]),
        mime_type: "text/markdown",
        text: include_str!("../docs/pt-BR/errors.md"),
        scopes: &[],
    },
];
