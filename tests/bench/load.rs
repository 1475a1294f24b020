//! A load of one kind of request over keep-alive connections: counts, times, CPU of the server.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::process::Server;

/// What a load showed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figures {
    /// Answers a second.
    pub(crate) per_second: f64,
    /// Server CPU per answer, in microseconds.
    pub(crate) cpu_us: f64,
    /// Median time of an answer, in milliseconds.
    pub(crate) p50_ms: f64,
    /// 99th percentile, in milliseconds.
    pub(crate) p99_ms: f64,
}

/// Sends `request` over and over for `time` on `connections` connections. Any status but 200 is an error.
pub(crate) fn run(
    server: &Server,
    request: &[u8],
    connections: usize,
    time: Duration,
) -> Result<Figures, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| error.to_string())?;
    runtime.block_on(async {
        warm(server.address, request).await?;
        let (cpu, began) = (server.cpu(), Instant::now());
        let deadline = began + time;
        let tasks: Vec<_> = (0..connections)
            .map(|_| tokio::spawn(connection(server.address, request.to_vec(), deadline)))
            .collect();
        let mut times = Vec::new();
        for task in tasks {
            times.extend(task.await.map_err(|error| error.to_string())??);
        }
        Ok(figures(
            times,
            began.elapsed(),
            server.cpu().saturating_sub(cpu),
        ))
    })
}

async fn warm(address: SocketAddr, request: &[u8]) -> Result<(), String> {
    let deadline = Instant::now() + Duration::from_millis(200);
    connection(address, request.to_vec(), deadline)
        .await
        .map(drop)
}

async fn connection(
    address: SocketAddr,
    request: Vec<u8>,
    deadline: Instant,
) -> Result<Vec<Duration>, String> {
    let mut stream = TcpStream::connect(address)
        .await
        .map_err(|error| error.to_string())?;
    stream
        .set_nodelay(true)
        .map_err(|error| error.to_string())?;
    let (mut times, mut buffer) = (Vec::new(), vec![0; 1 << 20]);
    while Instant::now() < deadline {
        let began = Instant::now();
        stream
            .write_all(&request)
            .await
            .map_err(|error| error.to_string())?;
        read_answer(&mut stream, &mut buffer).await?;
        times.push(began.elapsed());
    }
    Ok(times)
}

async fn read_answer(stream: &mut TcpStream, buffer: &mut [u8]) -> Result<(), String> {
    let mut filled = 0;
    loop {
        let free = buffer.get_mut(filled..).unwrap_or_default();
        let n = stream.read(free).await.map_err(|error| error.to_string())?;
        if n == 0 {
            return Err("the server closed the connection or its answer is too long".to_owned());
        }
        filled += n;
        let answer = buffer.get(..filled).unwrap_or_default();
        let Some(end) = answer.windows(4).position(|window| window == b"\r\n\r\n") else {
            continue;
        };
        let head =
            String::from_utf8_lossy(answer.get(..end).unwrap_or_default()).to_ascii_lowercase();
        if !head.starts_with("http/1.1 200") {
            return Err(format!(
                "unexpected answer: {}",
                String::from_utf8_lossy(answer)
            ));
        }
        let length: usize = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length:"))
            .and_then(|text| text.trim().parse().ok())
            .ok_or("no content-length")?;
        if filled >= end + 4 + length {
            return check(buffer.get(end + 4..filled).unwrap_or_default());
        }
    }
}

/// A failed call is fast and would flatter the figures.
fn check(body: &[u8]) -> Result<(), String> {
    const FAILED: &[u8] = b"\"isError\":true";
    if body.windows(FAILED.len()).any(|window| window == FAILED) {
        return Err(format!(
            "the call failed: {}",
            String::from_utf8_lossy(body)
        ));
    }
    Ok(())
}

#[allow(clippy::cast_precision_loss)] // Counts stay far below 2^52.
fn figures(mut times: Vec<Duration>, elapsed: Duration, cpu: Duration) -> Figures {
    times.sort_unstable();
    let at = |share: f64| {
        let index = (times.len() as f64 * share) as usize;
        times
            .get(index.min(times.len().saturating_sub(1)))
            .map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    let n = times.len().max(1) as f64;
    Figures {
        per_second: n / elapsed.as_secs_f64(),
        cpu_us: cpu.as_secs_f64() * 1e6 / n,
        p50_ms: at(0.5),
        p99_ms: at(0.99),
    }
}
