//! A server as a process of its own: its address, its CPU time and its memory.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running server; it is ended when dropped.
pub(crate) struct Server {
    child: Child,
    /// Where it listens.
    pub(crate) address: SocketAddr,
    /// From the start of the process to its first line.
    pub(crate) start: Duration,
}

impl Server {
    /// Starts a command and waits for its `listening` line on standard error.
    pub(crate) fn start(command: &mut Command) -> Result<Self, String> {
        let began = Instant::now();
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{command:?}: {error}"))?;
        let stderr = child.stderr.take().ok_or("no standard error")?;
        let mut lines = BufReader::new(stderr).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| listening_address(&line));
        let start = began.elapsed();
        // The log goes on; nobody reading it would stop the server.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        let Some(address) = address else {
            let _ = child.kill();
            return Err(format!("{command:?} never listened"));
        };
        Ok(Self {
            child,
            address,
            start,
        })
    }

    /// CPU time so far, user and system.
    pub(crate) fn cpu(&self) -> Duration {
        let path = format!("/proc/{}/stat", self.child.id());
        let text = std::fs::read_to_string(path).unwrap_or_default();
        // Fields 14 and 15 of proc(5), counted after the command name, which may hold spaces.
        let ticks: u64 = text
            .rsplit(')')
            .next()
            .map(|rest| {
                rest.split_whitespace()
                    .skip(11)
                    .take(2)
                    .filter_map(|field| field.parse::<u64>().ok())
                    .sum()
            })
            .unwrap_or_default();
        Duration::from_millis(ticks * 10)
    }

    /// Resident memory in KiB.
    pub(crate) fn resident_kib(&self) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .and_then(|rest| rest.split_whitespace().next())
            .and_then(|number| number.parse().ok())
            .unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn listening_address(line: &str) -> Option<SocketAddr> {
    let value: serde_json::Value = serde_json::from_str(line).ok()?;
    let is_listening = value.get("event")?.as_str()? == "started";
    is_listening
        .then(|| value.get("listen")?.as_str()?.parse().ok())
        .flatten()
}
