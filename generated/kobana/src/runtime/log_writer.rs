//! The thread that writes log lines: a reader that does not read must not stop the server.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant, SystemTime};

/// Lines that wait to be written. Beyond them lines are lost, and counted.
const MAX_WAITING: usize = 8192;

/// How long lines gather before the next write: a wake-up of the thread for each line would cost more than the line.
const GATHER: Duration = Duration::from_millis(5);

/// Bytes that are written at once.
const BATCH: usize = 64 * 1024;

/// A queue of lines before one output.
#[derive(Clone)]
pub struct LogWriter {
    queue: SyncSender<Item>,
    lost: Arc<AtomicU64>,
}

enum Item {
    Line(Vec<u8>),
    Flush(SyncSender<()>),
}

impl LogWriter {
    /// Starts the thread. It ends when the last clone of the writer is gone.
    #[must_use]
    pub fn start(output: impl Write + Send + 'static) -> Self {
        let (queue, items) = sync_channel(MAX_WAITING);
        let lost = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&lost);
        std::thread::spawn(move || write_all(output, &items, &counter));
        Self { queue, lost }
    }

    /// Hands over a line with its line break; never waits.
    pub fn write(&self, line: &[u8]) {
        let full = self.queue.try_send(Item::Line(line.to_vec())).is_err();
        if full {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits until the lines so far are written, but no longer than `limit`.
    pub fn flush(&self, limit: Duration) {
        let deadline = Instant::now() + limit;
        let (done, written) = sync_channel(1);
        let mut item = Item::Flush(done);
        while let Err(TrySendError::Full(back)) = self.queue.try_send(item) {
            if Instant::now() >= deadline {
                return;
            }
            item = back;
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = written.recv_timeout(deadline.saturating_duration_since(Instant::now()));
    }
}

fn write_all(mut output: impl Write, items: &Receiver<Item>, lost: &AtomicU64) {
    while let Ok(first) = items.recv() {
        let (mut text, mut flushed) = (Vec::new(), Vec::new());
        let mut next = Some(first);
        while let Some(item) = next {
            match item {
                Item::Line(line) => text.extend_from_slice(&line),
                Item::Flush(done) => flushed.push(done),
            }
            next = (text.len() < BATCH)
                .then(|| items.try_recv().ok())
                .flatten();
        }
        let n_lost = lost.swap(0, Ordering::Relaxed);
        if n_lost > 0 {
            let time = humantime::format_rfc3339_millis(SystemTime::now());
            let line = format!(
                "{{\"time\":\"{time}\",\"level\":\"warn\",\"event\":\"log_lines_lost\",\"lines\":{n_lost}}}\n"
            );
            text.extend_from_slice(line.as_bytes());
        }
        // Where the output is gone, nobody is left to tell.
        let _ = output.write_all(&text);
        for done in flushed {
            let _ = done.send(());
        }
        std::thread::sleep(GATHER);
    }
}
