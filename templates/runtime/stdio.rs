//! Serves one client over two streams: a message a line in, a message a line out.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::{Permit, Receiver, Sender, channel};
use tokio::task::{AbortHandle, JoinSet};

use crate::runtime::answer::{ProtocolError, code, failure};
use crate::runtime::catalog::RefusalKind;
use crate::runtime::limits::Toll;
use crate::runtime::locale;
use crate::runtime::message::id_key;
use crate::runtime::principal::Principal;
use crate::runtime::refusal;
use crate::runtime::service::{Arrival, Reply, Service, Step, internal_error};

/// Answers that wait for the reader of the output. Where it does not read, no more lines are taken: together with the
/// bound on calls that run, memory does not grow.
const MAX_WAITING: usize = 64;

/// What a stream held next.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    /// A line without its break.
    Whole,
    /// A line above the limit; it was skipped.
    TooLong,
    /// Nothing more.
    End,
}

/// Reads lines up to a limit, and skips what goes on beyond it without keeping it.
struct Lines<R> {
    input: R,
    line: Vec<u8>,
    limit: usize,
    is_skipping: bool,
}

/// Serves until the input or `stop` ends, then waits this long for calls that still run.
///
/// Calls run beside each other, everything else is answered in order. `output` gets nothing but messages.
pub async fn serve<R, W>(
    service: Arc<Service>,
    (input, output): (R, W),
    grace: Duration,
    stop: impl Future<Output = ()>,
) where
    R: AsyncBufRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let limit = service.catalog().transport.max_body_bytes;
    let mut lines = Lines {
        input,
        line: Vec::new(),
        limit: usize::try_from(limit).unwrap_or(usize::MAX),
        is_skipping: false,
    };
    let (sender, receiver) = channel(MAX_WAITING);
    // One task writes whole lines, so that no cancelled call can leave half of one.
    let writing = tokio::spawn(write_lines(output, receiver));
    let mut session = Session {
        service,
        sender: sender.clone(),
        running: JoinSet::new(),
        calls: BTreeMap::new(),
        principal: Arc::new(Principal::anonymous()),
    };
    let mut stop = pin!(stop);
    loop {
        // First a place for the answer, then the line.
        let next = async {
            let place = sender.reserve().await.ok()?;
            Some((place, lines.next().await.ok()?))
        };
        let next = tokio::select! {
            () = &mut stop => break,
            next = next => next,
        };
        match next {
            Some((place, Line::Whole)) => session.take(&lines.line, place).await,
            Some((place, Line::TooLong)) => place.send(session.refused_line()),
            // The input ended, or nobody reads the output.
            Some((_, Line::End)) | None => break,
        }
    }
    let mut running = std::mem::take(&mut session.running);
    // Calls that outlast the grace are dropped, which is logged.
    let ending = async { while running.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(grace, ending).await;
    drop((session, sender, running));
    // A reader that is gone makes this fail, and one that does not read makes it last; there is nobody left to tell.
    let _ = tokio::time::timeout(grace, writing).await;
}

struct Session {
    service: Arc<Service>,
    sender: Sender<Bytes>,
    running: JoinSet<()>,
    /// Running calls by the key of their id.
    calls: BTreeMap<String, AbortHandle>,
    /// Whose process it is.
    principal: Arc<Principal>,
}

impl Session {
    async fn take(&mut self, line: &[u8], place: Permit<'_, Bytes>) {
        if line.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        let arrival = Arrival {
            headers: None,
            started: Instant::now(),
            principal: &self.principal,
            peer: None,
            toll: Toll::Due,
        };
        match self.service.receive_charged(line, arrival).await {
            Step::Done(reply) => send(&self.service, place, reply),
            Step::Charge(_) => send(&self.service, place, internal_error(None)),
            Step::Cancel(id) => {
                if let Some(call) = self.calls.remove(&id) {
                    call.abort();
                }
            }
            Step::Call(call) => {
                while self.running.try_join_next().is_some() {}
                self.calls.retain(|_, call| !call.is_finished());
                let key = serde_json::from_str(call.id()).ok().and_then(id_key);
                let service = self.service.clone();
                let sender = self.sender.clone();
                let handle = self.running.spawn(async move {
                    let reply = service.run(call).await;
                    // The reader of the output is gone when this fails.
                    if let Ok(place) = sender.reserve().await {
                        send(&service, place, reply);
                    }
                });
                if let Some(key) = key {
                    self.calls.insert(key, handle);
                }
            }
        }
    }

    fn refused_line(&self) -> Bytes {
        self.service.metrics().refusal(RefusalKind::BodyTooLarge);
        let message = self.sentence(RefusalKind::BodyTooLarge);
        let error = ProtocolError::new(code::INVALID_REQUEST, message);
        failure(None, &error).into()
    }

    fn sentence(&self, kind: RefusalKind) -> &'static str {
        let catalog = self.service.catalog();
        refusal::sentence(&catalog.transport, kind, locale::choose(catalog, None))
    }
}

fn send(service: &Service, place: Permit<'_, Bytes>, reply: Reply) {
    let body = match reply {
        Reply::Message { body, .. } => body,
        Reply::Refused { kind, id, .. } => {
            service.metrics().refusal(kind);
            let catalog = service.catalog();
            let locale = locale::choose(catalog, None);
            let message = refusal::sentence(&catalog.transport, kind, locale);
            let code = match kind {
                RefusalKind::Overloaded => code::INTERNAL_ERROR,
                _ => code::INVALID_REQUEST,
            };
            failure(id.as_deref(), &ProtocolError::new(code, message)).into()
        }
        // An error for a response could be answered by another error, and so on for ever.
        Reply::Nothing | Reply::Unawaited(_) => return,
    };
    place.send(body);
}

async fn write_lines<W: AsyncWrite + Unpin>(mut output: W, mut lines: Receiver<Bytes>) {
    while let Some(line) = lines.recv().await {
        let mut text = Vec::with_capacity(line.len() + 1);
        // A result that the API wrote over several lines has breaks between its tokens; in JSON text they are only
        // spacing, since breaks inside strings are escaped.
        text.extend(line.iter().map(|byte| match byte {
            b'\n' | b'\r' => b' ',
            other => *other,
        }));
        text.push(b'\n');
        if output.write_all(&text).await.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}

impl<R: AsyncBufRead + Unpin> Lines<R> {
    /// Reads on to the end of a line; [`Lines::line`] then holds it.
    async fn next(&mut self) -> std::io::Result<Line> {
        self.line.clear();
        loop {
            let available = self.input.fill_buf().await?;
            if available.is_empty() {
                let is_last = !self.line.is_empty() && !self.is_skipping;
                return Ok(if is_last { Line::Whole } else { Line::End });
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let piece = &available[..end.unwrap_or(available.len())];
            if self.line.len() + piece.len() > self.limit {
                self.is_skipping = true;
                self.line = Vec::new();
            }
            if !self.is_skipping {
                self.line.extend_from_slice(piece);
            }
            let n_used = piece.len() + usize::from(end.is_some());
            self.input.consume(n_used);
            if end.is_some() {
                let was_skipping = std::mem::take(&mut self.is_skipping);
                return Ok(if was_skipping {
                    Line::TooLong
                } else {
                    Line::Whole
                });
            }
        }
    }
}
