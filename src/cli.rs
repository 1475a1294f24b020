//! The command line: its commands, options and help.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use oas2mcp::diagnostics::{Color, MessageFormat};

/// Generates complete MCP servers in Rust from an OpenAPI document and an MCP overlay.
#[derive(Debug, Parser)]
#[command(
    name = "oas2mcp",
    version,
    propagate_version = true,
    after_help = "\
Examples:
  oas2mcp generate openapi.yaml --out my-server    a server with safe defaults
  oas2mcp generate overlay.yaml --out my-server    a server as the overlay says
  oas2mcp tools overlay.yaml                       what the model will see, and its cost in tokens

Exit codes: 0 fine, 1 errors in the input or files that differ, 2 wrong usage."
)]
pub(crate) struct Cli {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
    /// When to use colour in messages
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto, value_name = "WHEN")]
    pub color: ColorChoice,
    /// How messages, and the table of `tools`, are written
    #[arg(long, global = true, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    pub message_format: Format,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a server's crate, or compare it with what is there
    #[command(after_help = "\
Examples:
  oas2mcp generate openapi.yaml --out my-server
  oas2mcp generate specs/kobana/overlay.yaml --out generated/kobana
  oas2mcp generate specs/kobana/overlay.yaml --out generated/kobana --check    in CI: exit 1 when out of date")]
    Generate(Generate),
    /// Show the tools: operation, kind, size and tokens
    #[command(after_help = "\
Examples:
  oas2mcp tools overlay.yaml
  oas2mcp tools overlay.yaml --sort tokens
  oas2mcp tools overlay.yaml --message-format json | jq '.tools[].name'")]
    Tools(Tools),
    /// Report problems and write nothing
    #[command(after_help = "\
Examples:
  oas2mcp lint overlay.yaml
  oas2mcp lint overlay.yaml --deny-warnings")]
    Lint(Lint),
    /// Write the error pages alone, one folder for each language
    #[command(after_help = "\
Examples:
  oas2mcp docs overlay.yaml --out site/errors")]
    Docs(Docs),
    /// Print the JSON Schema of overlays, for editors
    #[command(after_help = "\
Examples:
  oas2mcp schema > overlay.schema.json")]
    Schema,
    /// Print a completion script
    #[command(after_help = "\
Examples:
  oas2mcp completions bash > ~/.local/share/bash-completion/completions/oas2mcp")]
    Completions {
        /// For which shell
        shell: Shell,
    },
}

/// The input of a run.
#[derive(Args, Debug)]
pub(crate) struct Input {
    /// An overlay, or an OpenAPI document alone (JSON or YAML)
    #[arg(value_name = "SPEC_OR_OVERLAY")]
    pub path: PathBuf,
    /// Treat warnings as errors
    #[arg(long)]
    pub deny_warnings: bool,
}

/// Options of `generate`.
#[derive(Args, Debug)]
pub(crate) struct Generate {
    /// The input
    #[command(flatten)]
    pub input: Input,
    /// Folder of the crate
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Write nothing; exit 1 and list what differs
    #[arg(long)]
    pub check: bool,
}

/// Options of `tools`.
#[derive(Args, Debug)]
pub(crate) struct Tools {
    /// The input
    #[command(flatten)]
    pub input: Input,
    /// Order of the rows; default: as in the document
    #[arg(long, value_enum)]
    pub sort: Option<Sort>,
}

/// Options of `lint`.
#[derive(Args, Debug)]
pub(crate) struct Lint {
    /// The input
    #[command(flatten)]
    pub input: Input,
}

/// Options of `docs`.
#[derive(Args, Debug)]
pub(crate) struct Docs {
    /// The input
    #[command(flatten)]
    pub input: Input,
    /// Folder of the pages
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

/// Order of the rows of `tools`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Sort {
    /// The most expensive first
    Tokens,
    /// By name
    Name,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On terminals, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How messages are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Human,
    /// One JSON object per line
    Json,
}

impl From<ColorChoice> for Color {
    fn from(choice: ColorChoice) -> Self {
        match choice {
            ColorChoice::Auto => Self::Auto,
            ColorChoice::Always => Self::Always,
            ColorChoice::Never => Self::Never,
        }
    }
}

impl From<Format> for MessageFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Human => Self::Human,
            Format::Json => Self::Json,
        }
    }
}
