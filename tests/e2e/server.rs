//! An emitted server as a process of its own, over HTTP or stdio.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;

/// The binary of a committed server, built when it is absent or older than its sources.
///
/// `cargo test --workspace` has built it already; this serves `cargo test --test e2e` alone.
pub(crate) fn binary(name: &str, folder: &str) -> PathBuf {
    static BUILT: OnceLock<()> = OnceLock::new();
    let this = std::env::current_exe().expect("the test knows its own path");
    let target = this
        .parent()
        .and_then(Path::parent)
        .expect("target/<profile>/deps/e2e");
    let path = target.join(name);
    let sources = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("generated")
        .join(folder)
        .join("src");
    if modified(&path) < newest(&sources) {
        BUILT.get_or_init(|| {
            let status = Command::new(env!("CARGO"))
                .args(["build", "--workspace", "--bins", "--quiet"])
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .status()
                .expect("cargo runs");
            assert!(status.success(), "the committed servers must build");
        });
    }
    path
}

fn modified(path: &Path) -> SystemTime {
    path.metadata()
        .and_then(|meta| meta.modified())
        .unwrap_or(SystemTime::UNIX_EPOCH)
}

fn newest(folder: &Path) -> SystemTime {
    let entries = std::fs::read_dir(folder).expect("the committed server is there");
    entries
        .filter_map(Result::ok)
        .map(|entry| {
            if entry.path().is_dir() {
                newest(&entry.path())
            } else {
                modified(&entry.path())
            }
        })
        .max()
        .unwrap_or(SystemTime::UNIX_EPOCH)
}

/// A server that listens on HTTP; it is ended when dropped.
pub(crate) struct HttpServer {
    child: Child,
    /// Where it listens.
    pub(crate) address: SocketAddr,
    log: Arc<Mutex<Vec<Value>>>,
}

impl HttpServer {
    /// Starts a server against an API and waits until it listens.
    pub(crate) fn start(binary: &Path, base_url: &str, arguments: &[&str]) -> Self {
        let mut child = Command::new(binary)
            .args([
                "--listen",
                "127.0.0.1:0",
                "--admin-listen",
                "",
                "--base-url",
                base_url,
            ])
            .args(arguments)
            .env("KOBANA_ACCESS_TOKEN", "secret-kobana-token")
            .env("REGUA_TOKEN", "secret-regua-token")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let stderr = child.stderr.take().expect("standard error is piped");
        let log = Arc::<Mutex<Vec<Value>>>::default();
        let (sender, receiver) = channel();
        let lines = Arc::clone(&log);
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                let value: Value = serde_json::from_str(&line).unwrap_or(Value::String(line));
                if value["event"] == "started" {
                    let _ = sender.send(value["listen"].as_str().unwrap_or_default().to_owned());
                }
                lines.lock().expect("no panic under the lock").push(value);
            }
        });
        let address = receiver
            .recv_timeout(Duration::from_secs(20))
            .expect("the server listens");
        Self {
            child,
            address: address.parse().expect("an address"),
            log,
        }
    }

    /// The log lines of tool calls so far; waits until there are `n`.
    pub(crate) fn call_lines(&self, n: usize) -> Vec<Value> {
        self.lines_of("tools/call", n)
    }

    /// The log lines of an event so far; waits until there are `n`.
    pub(crate) fn lines_of(&self, event: &str, n: usize) -> Vec<Value> {
        let deadline = Instant::now() + Duration::from_secs(5);
        loop {
            let lines = self.log_lines();
            let calls: Vec<Value> = lines
                .into_iter()
                .filter(|line| line["event"] == event)
                .collect();
            if calls.len() >= n || Instant::now() > deadline {
                return calls;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Every log line so far.
    pub(crate) fn log_lines(&self) -> Vec<Value> {
        self.log.lock().expect("no panic under the lock").clone()
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server that speaks over standard input and output; it is ended when dropped.
pub(crate) struct StdioServer {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl StdioServer {
    /// Starts a server against an API.
    pub(crate) fn start(binary: &Path, base_url: &str) -> Self {
        let mut child = Command::new(binary)
            .args(["--stdio", "--base-url", base_url])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let stdout = child.stdout.take().expect("standard output is piped");
        let input = child.stdin.take();
        Self {
            child,
            input,
            output: lines_of(stdout),
        }
    }

    /// Sends one message and gives the next line that comes back.
    pub(crate) fn ask(&mut self, message: &str) -> Value {
        use std::io::Write;
        let input = self.input.as_mut().expect("standard input is open");
        input
            .write_all(format!("{message}\n").as_bytes())
            .expect("the server reads");
        input.flush().expect("the server reads");
        let line = self
            .output
            .recv_timeout(Duration::from_secs(20))
            .expect("the server answers");
        serde_json::from_str(&line).expect("one JSON message per line")
    }

    /// Closes standard input; gives the exit code once the server has ended.
    pub(crate) fn close(mut self) -> Option<i32> {
        self.input.take();
        let deadline = Instant::now() + Duration::from_secs(10);
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().expect("the process can be asked") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        None
    }
}

impl Drop for StdioServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines_of(stdout: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}
