//! The lines of the log: one JSON object each.
//!
//! A line never holds arguments, bodies, tokens or addresses: what may be in it is chosen by name, here and in
//! [`LogValue`].

use std::io::Write;
use std::time::{Instant, SystemTime};

use serde_json::{Map, Value};

use crate::runtime::answer::push_json_string;
use crate::runtime::catalog::{LogField, LogValue};
use crate::runtime::log_writer::LogWriter;
use crate::runtime::principal::Principal;

/// How much a line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Level {
    /// The server cannot do its work.
    Error,
    /// Something failed that its owner should look at.
    Warn,
    /// One line per call, start and stop.
    Info,
    /// Whatever helps to find a fault.
    Debug,
}

impl Level {
    fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
        }
    }
}

/// Where lines go.
type Sink = Box<dyn Fn(&[u8]) + Send + Sync>;

/// The log of one server.
pub struct Log {
    level: Level,
    sink: Sink,
}

/// What is known at the end of one tool call.
#[derive(Clone, Copy, Debug)]
pub struct CallEnd<'a> {
    /// The tool's name, as asked for.
    pub tool: Option<&'a str>,
    /// `ok`, or the code of the error.
    pub result: &'a str,
    /// HTTP status of the API's answer.
    pub status: Option<u16>,
    /// Why it failed, for the operator.
    pub cause: Option<&'a str>,
    /// When the request arrived.
    pub started: Instant,
    /// Who called.
    pub caller: &'a Principal,
}

impl Log {
    /// A log from this level on whose lines a thread of their own writes.
    #[must_use]
    pub fn to_writer(level: Level, writer: LogWriter) -> Self {
        Self::to_sink(level, Box::new(move |line| writer.write(line)))
    }

    /// A log that hands each line, with its line break, to `sink`.
    #[must_use]
    pub fn to_sink(level: Level, sink: Sink) -> Self {
        Self { level, sink }
    }

    /// Writes an event with its fields.
    pub fn event(&self, level: Level, event: &str, fields: &Map<String, Value>) {
        let Some(mut line) = self.begin(level, event) else {
            return;
        };
        for (key, value) in fields {
            push_key(&mut line, key);
            line.extend_from_slice(value.to_string().as_bytes());
        }
        self.end(line);
    }

    /// Writes an event that is told in one sentence.
    pub fn message(&self, level: Level, event: &str, message: &str) {
        let Some(mut line) = self.begin(level, event) else {
            return;
        };
        push_text(&mut line, "message", message);
        self.end(line);
    }

    /// Writes the line of one tool call: the fields that the catalog names, in its order, and the cause of a failure.
    pub fn call(&self, fields: &[LogField], end: &CallEnd<'_>) {
        let level = match end.cause {
            Some(_) => Level::Warn,
            None => Level::Info,
        };
        let Some(mut line) = self.begin(level, "tools/call") else {
            return;
        };
        for field in fields {
            push_key(&mut line, field.key);
            push_call_value(&mut line, field.value, end);
        }
        if let Some(cause) = end.cause {
            push_text(&mut line, "cause", cause);
        }
        self.end(line);
    }

    fn begin(&self, level: Level, event: &str) -> Option<Vec<u8>> {
        if level > self.level {
            return None;
        }
        let mut line = Vec::with_capacity(256);
        let time = humantime::format_rfc3339_millis(SystemTime::now());
        // Writing into memory has no way to fail.
        let _ = write!(
            line,
            r#"{{"time":"{time}","level":"{}","event":"#,
            level.name()
        );
        push_json_string(&mut line, event);
        Some(line)
    }

    fn end(&self, mut line: Vec<u8>) {
        line.extend_from_slice(b"}\n");
        (self.sink)(&line);
    }
}

fn push_key(line: &mut Vec<u8>, key: &str) {
    line.push(b',');
    push_json_string(line, key);
    line.push(b':');
}

fn push_text(line: &mut Vec<u8>, key: &str, text: &str) {
    push_key(line, key);
    push_json_string(line, text);
}

fn push_call_value(line: &mut Vec<u8>, value: LogValue, end: &CallEnd<'_>) {
    match value {
        LogValue::Tool => push_optional(line, end.tool),
        LogValue::Result => push_json_string(line, end.result),
        LogValue::Status => match end.status {
            Some(status) => line.extend_from_slice(status.to_string().as_bytes()),
            None => line.extend_from_slice(b"null"),
        },
        LogValue::DurationMs => {
            let micros = end.started.elapsed().as_micros();
            let _ = write!(line, "{}.{:03}", micros / 1000, micros % 1000);
        }
        LogValue::Account => push_optional(line, end.caller.account.as_deref()),
        LogValue::User => push_optional(line, end.caller.user.as_deref()),
        LogValue::TokenId => push_optional(line, end.caller.token_id.as_deref()),
        LogValue::TokenKind => push_optional(line, end.caller.token_kind),
        LogValue::Membership => push_optional(line, end.caller.membership.as_deref()),
    }
}

fn push_optional(line: &mut Vec<u8>, text: Option<&str>) {
    match text {
        Some(text) => push_json_string(line, text),
        None => line.extend_from_slice(b"null"),
    }
}
