//! The thread behind the log.

use std::io::Write;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use crate::runtime::log_writer::LogWriter;

/// An output that takes nothing until it is told to.
struct Stuck {
    go_on: Receiver<()>,
    written: Sender<Vec<u8>>,
}

impl Write for Stuck {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let _ = self.go_on.recv();
        let _ = self.written.send(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_output_that_nobody_reads_stops_nothing_and_loses_no_line_unnoticed() {
    let (go_on, gate) = channel();
    let (written, lines) = channel();
    let writer = LogWriter::start(Stuck {
        go_on: gate,
        written,
    });
    let began = Instant::now();
    let line = format!("{}\n", "x".repeat(99));
    for _ in 0..20_000 {
        writer.write(line.as_bytes());
    }
    writer.flush(Duration::from_millis(50));
    assert!(began.elapsed() < Duration::from_secs(5));
    drop(go_on);
    writer.flush(Duration::from_secs(5));
    let text: Vec<u8> = lines.try_iter().flatten().collect();
    let text = String::from_utf8(text).expect("UTF-8");
    let n_kept = text.matches(line.as_str()).count();
    let n_lost: usize = text
        .lines()
        .filter_map(|line| line.split_once("\"lines\":"))
        .map(|(_, rest)| {
            rest.trim_end_matches('}')
                .parse::<usize>()
                .expect("a number")
        })
        .sum();
    assert_eq!(n_kept + n_lost, 20_000);
    assert!(n_lost > 0, "the queue is bounded");
}
