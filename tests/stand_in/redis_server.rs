//! A real Redis for tests: a process of its own on a free port, without persistence, ended when dropped.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running `redis-server`.
pub struct RedisServer {
    child: Child,
    port: u16,
}

impl RedisServer {
    /// Starts one. None: it is not installed, and the test skips; with `REQUIRE_REDIS` that is a failure.
    ///
    /// # Panics
    /// When it must be there and is not, or does not start.
    pub fn start() -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .map(|address| address.port());
        Self::start_on(port.expect("a free port"))
    }

    fn start_on(port: u16) -> Option<Self> {
        let started = Command::new("redis-server")
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1"])
            .args(["--save", "", "--appendonly", "no", "--dir"])
            .arg(std::env::temp_dir())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(child) = started else {
            assert!(
                std::env::var_os("REQUIRE_REDIS").is_none(),
                "redis-server must be installed: run tests/clients/install"
            );
            eprintln!("skipped: redis-server is not installed");
            return None;
        };
        let server = Self { child, port };
        let deadline = Instant::now() + Duration::from_secs(10);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < deadline, "redis-server does not start");
            std::thread::sleep(Duration::from_millis(10));
        }
        Some(server)
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/", self.port)
    }

    /// Ends it and starts an empty one in its place.
    ///
    /// # Panics
    /// When it does not start again.
    pub fn restart(&mut self) {
        self.stop();
        *self = Self::start_on(self.port).expect("it was there before");
    }

    /// Ends it.
    pub fn stop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Lets it hang (`SIGSTOP`) or go on (`SIGCONT`): the connections stay open.
    ///
    /// # Panics
    /// When the signal cannot be sent.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args(["-s", name, &self.child.id().to_string()])
            .status();
        assert!(status.expect("kill runs").success());
    }

    /// Runs a command, such as `FLUSHALL`.
    ///
    /// # Panics
    /// When it does not answer.
    pub fn run(&self, command: &str) {
        use std::io::{Read, Write};
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let wait = stream.set_read_timeout(Some(Duration::from_secs(5)));
        wait.expect("a time limit");
        stream
            .write_all(format!("{command}\r\n").as_bytes())
            .expect("written");
        let mut answer = [0; 1];
        stream.read_exact(&mut answer).expect("an answer");
        assert_eq!(answer, *b"+", "{command}");
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        self.stop();
    }
}
