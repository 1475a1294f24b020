//! What each command does: runs the library, prints, and chooses the exit code.

mod generate;
mod tools;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::CommandFactory;
use serde_json::json;

use oas2mcp::Outcome;
use oas2mcp::diagnostics::{Diagnostics, Renderer, Severity};

use crate::cli::{Cli, Command, Format, Input};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Fine,
    Failed,
}

/// Where a run's messages go, and in which form.
struct Messages {
    renderer: Renderer,
    format: Format,
}

/// Runs one command.
pub(crate) fn run(cli: &Cli) -> ExitCode {
    let messages = Messages {
        renderer: Renderer {
            color: cli.color.into(),
            format: cli.message_format.into(),
        },
        format: cli.message_format,
    };
    let result = match &cli.command {
        Command::Generate(options) => generate::generate(options, &messages),
        Command::Docs(options) => generate::docs(options, &messages),
        Command::Tools(options) => tools::tools(options, &messages),
        Command::Lint(options) => lint(&options.input, &messages),
        Command::Schema => {
            print(&format!("{:#}\n", oas2mcp::load::overlay_schema())).map(|()| Ending::Fine)
        }
        Command::Completions { shell } => completions(*shell),
    };
    match result {
        Ok(Ending::Fine) => ExitCode::SUCCESS,
        Ok(Ending::Failed) => ExitCode::FAILURE,
        // Whoever read our output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            messages.error(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

fn lint(input: &Input, messages: &Messages) -> io::Result<Ending> {
    let outcome = oas2mcp::generate(&input.path);
    let ending = messages.diagnostics(&outcome, input);
    if ending == Ending::Fine && outcome.diagnostics.n_of(Severity::Warning) == 0 {
        messages.note(&format!("`{}` has no errors", input.path.display()));
    }
    Ok(ending)
}

fn completions(shell: clap_complete::Shell) -> io::Result<Ending> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "oas2mcp", &mut script);
    print(&String::from_utf8_lossy(&script)).map(|()| Ending::Fine)
}

/// Writes data to standard output.
fn print(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()
}

impl Messages {
    /// Prints every problem, then how many there are; says whether the run may go on.
    fn diagnostics(&self, outcome: &Outcome, input: &Input) -> Ending {
        let diagnostics = &outcome.diagnostics;
        say(&self.renderer.render(diagnostics));
        let n_warnings = diagnostics.n_of(Severity::Warning);
        let is_denied = input.deny_warnings && n_warnings > 0;
        if outcome.files.is_none() && outcome.server.is_none() || is_denied {
            let reason = if is_denied {
                "; warnings are denied"
            } else {
                ""
            };
            self.error(&format!(
                "{}{reason}; nothing was written",
                counts(diagnostics)
            ));
            return Ending::Failed;
        }
        if n_warnings > 0 {
            self.note(&counts(diagnostics));
        }
        Ending::Fine
    }

    /// A sentence for people; programs read the diagnostics.
    fn note(&self, text: &str) {
        if self.format == Format::Human {
            say(&format!("{text}\n"));
        }
    }

    /// What stopped the run.
    fn error(&self, text: &str) {
        match self.format {
            Format::Human => say(&format!("error: {text}\n")),
            Format::Json => say(&format!(
                "{}\n",
                json!({"severity": "error", "code": "stopped", "message": text})
            )),
        }
    }
}

/// Writes to standard error; nobody can be told when that fails.
fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

fn counts(diagnostics: &Diagnostics) -> String {
    let errors = counted(diagnostics.n_of(Severity::Error), "error");
    let warnings = counted(diagnostics.n_of(Severity::Warning), "warning");
    format!("{errors}, {warnings}")
}

fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
