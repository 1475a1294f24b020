//! Log lines.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use serde_json::{Map, Value, json};

use crate::runtime::log::{CallEnd, Level, Log};
use crate::sample::{ANONYMOUS, Lines, catalog};

fn log(level: Level) -> (Log, Lines) {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = lines.clone();
    let log = Log::to_sink(
        level,
        Box::new(move |line| {
            let line = String::from_utf8_lossy(line).into_owned();
            sink.lock().expect("the lines").push(line);
        }),
    );
    (log, lines)
}

#[test]
fn a_line_is_one_object_and_one_line() {
    let (log, lines) = log(Level::Info);
    log.message(Level::Warn, "x", "a\nb\u{1b}[31m\"");
    let lines = lines.lock().expect("the lines");
    assert_eq!(lines[0].matches('\n').count(), 1);
    assert!(lines[0].ends_with("}\n") && !lines[0].contains('\u{1b}'));
    let value: Value = serde_json::from_str(&lines[0]).expect("JSON");
    assert_eq!(
        (&value["level"], &value["event"]),
        (&json!("warn"), &json!("x"))
    );
    assert_eq!(value["message"], "a\nb\u{1b}[31m\"");
    let time = value["time"].as_str().expect("a time");
    assert!(humantime::parse_rfc3339(time).is_ok(), "{time}");
}

#[test]
fn levels_below_the_least_are_left_out() {
    let (log, lines) = log(Level::Warn);
    log.message(Level::Info, "x", "");
    log.event(Level::Debug, "x", &Map::new());
    log.call(&[], &end(None));
    assert_eq!(lines.lock().expect("the lines").len(), 0);
    log.call(&[], &end(Some("broken")));
    log.event(Level::Error, "x", &Map::new());
    assert_eq!(lines.lock().expect("the lines").len(), 2);
}

fn end(cause: Option<&str>) -> CallEnd<'_> {
    CallEnd {
        tool: Some("now"),
        result: "ok",
        status: Some(200),
        cause,
        started: Instant::now(),
        caller: &ANONYMOUS,
    }
}

#[test]
fn a_call_has_the_fields_of_the_catalog_in_order() {
    let (log, lines) = log(Level::Info);
    log.call(catalog(|_| {}).log_fields, &end(Some("broken")));
    let line = lines.lock().expect("the lines")[0].clone();
    let value: Map<String, Value> = serde_json::from_str(&line).expect("JSON");
    let keys: Vec<&str> = value.keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "time",
            "level",
            "event",
            "tool",
            "user",
            "result",
            "status",
            "duration_ms",
            "cause"
        ]
    );
    assert_eq!(value["user"], Value::Null);
    assert_eq!(value["status"], 200);
    assert!(value["duration_ms"].is_f64());
}
