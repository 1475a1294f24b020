//! `generate` and `docs`: files on disk, or a comparison with them.

use std::io::{self, IsTerminal};
use std::path::Path;

use oas2mcp::emit::{self, FileSet};
use oas2mcp::plan::Server;
use oas2mcp::write::{self, Drift};

use super::{Ending, Messages, counted, print};
use crate::cli::{Docs, Generate};

/// Writes a crate or compares it.
pub(super) fn generate(options: &Generate, messages: &Messages) -> io::Result<Ending> {
    if io::stderr().is_terminal() {
        messages.note(&format!("reading `{}`", options.input.path.display()));
    }
    let outcome = oas2mcp::generate(&options.input.path);
    if messages.diagnostics(&outcome, &options.input) == Ending::Failed {
        return Ok(Ending::Failed);
    }
    let (Some(files), Some(server)) = (&outcome.files, &outcome.server) else {
        return Ok(Ending::Failed);
    };
    if options.check {
        return report_drift(&options.out, &write::check(&options.out, files)?, messages);
    }
    let is_new = !options.out.join("Cargo.toml").exists();
    put(&options.out, files, messages)?;
    if is_new {
        messages.note(&next_steps(&options.out, server));
    }
    Ok(Ending::Fine)
}

/// Writes the pages alone.
pub(super) fn docs(options: &Docs, messages: &Messages) -> io::Result<Ending> {
    let outcome = oas2mcp::plan_server(&options.input.path);
    if messages.diagnostics(&outcome, &options.input) == Ending::Failed {
        return Ok(Ending::Failed);
    }
    let Some(server) = &outcome.server else {
        return Ok(Ending::Failed);
    };
    let pages = emit::emit_pages(server).map_err(io::Error::other)?;
    put(&options.out, &pages, messages)?;
    Ok(Ending::Fine)
}

fn put(out: &Path, files: &FileSet, messages: &Messages) -> io::Result<()> {
    let drift = write::write(out, files)?;
    // The list of written files is one more file.
    let n_written = drift.stale.len() + drift.missing.len();
    messages.note(&format!(
        "{}: {} written, {} unchanged, {} removed",
        out.display(),
        counted(n_written, "file"),
        (files.files.len() + 1).saturating_sub(n_written),
        drift.extra.len()
    ));
    Ok(())
}

/// The differences as data, and what to do about them.
fn report_drift(out: &Path, drift: &Drift, messages: &Messages) -> io::Result<Ending> {
    if drift.is_empty() {
        messages.note(&format!("`{}` is up to date", out.display()));
        return Ok(Ending::Fine);
    }
    let mut text = String::new();
    for (word, paths) in [
        ("stale", &drift.stale),
        ("missing", &drift.missing),
        ("extra", &drift.extra),
    ] {
        for path in paths {
            text.push_str(&format!("{word}\t{path}\n"));
        }
    }
    print(&text)?;
    messages.error(&format!(
        "`{}` is out of date; run the same command without `--check`",
        out.display()
    ));
    Ok(Ending::Failed)
}

fn next_steps(out: &Path, server: &Server) -> String {
    format!(
        "\nNext:\n  cd {}\n  cargo run --release -- --listen 127.0.0.1:8080    then connect a client to \
         http://127.0.0.1:8080{}\n  cargo run --release -- --stdio                    for one client on this machine\n\
         README.md there tells the rest; src/hooks.rs is yours to edit.",
        out.display(),
        server.transport.path
    )
}
